// RUN: forge-opt %s --forge-dependent-launches | FileCheck %s
// RUN: forge-opt %s --pass-pipeline="builtin.module(forge-dependent-launches,gpu.module(convert-scf-to-cf,forge-convert-to-nvvm))" | FileCheck %s --check-prefix=NVVM

// Both instructions are before everything else that touches memory which is written.
// CHECK-LABEL: gpu.func @reads
// CHECK-NEXT: nvvm.griddepcontrol launch_dependents
// CHECK-NEXT: nvvm.griddepcontrol wait
// CHECK-NEXT: memref.load

// What nothing in the module writes is read before the wait; in branches each has one.
// CHECK-LABEL: gpu.func @weights
// CHECK-NEXT: nvvm.griddepcontrol launch_dependents
// CHECK-NEXT: memref.load %{{.*}}[] : memref<f32>
// CHECK-NEXT: nvvm.griddepcontrol wait
// CHECK-NEXT: memref.load
// CHECK-LABEL: gpu.func @parts
// CHECK-NEXT: nvvm.griddepcontrol launch_dependents
// CHECK-NEXT: scf.if
// CHECK-NEXT: memref.load
// CHECK-NEXT: nvvm.griddepcontrol wait
// CHECK-NEXT: memref.store
// CHECK-NEXT: } else {
// CHECK-NEXT: nvvm.griddepcontrol wait
// CHECK-NEXT: }
// CHECK-NEXT: gpu.return

// What controls its dependents itself is left alone, and launched plainly.
// CHECK-LABEL: gpu.func @own
// CHECK-NEXT: memref.load
// CHECK-NEXT: memref.store
// CHECK-NEXT: nvvm.griddepcontrol launch_dependents
// CHECK-NEXT: gpu.return

// So are a kernel of more blocks than run at once, in one of its launches, and one of blocks that are counted at run time.
// CHECK-LABEL: gpu.func @many
// CHECK-NEXT: memref.load
// CHECK-LABEL: gpu.func @counted
// CHECK-NEXT: memref.load
// And one of which not all blocks run at once by their shared memory; of one block less a multiprocessor they do.
// CHECK-LABEL: gpu.func @shared
// CHECK-NEXT: memref.load
// CHECK-LABEL: gpu.func @fits
// CHECK-NEXT: nvvm.griddepcontrol launch_dependents
// CHECK-NEXT: nvvm.griddepcontrol wait
// CHECK-NEXT: memref.load

// A role that copies what a tensor map of steady memory is of waits at its end, behind barriers, and the other one before its copy.
// CHECK-LABEL: gpu.func @copies
// CHECK-NEXT: nvvm.griddepcontrol launch_dependents
// CHECK: nvvm.mbarrier.init
// CHECK: gpu.barrier
// CHECK: scf.if
// CHECK: nvvm.cp.async.bulk.tensor.shared.cluster.global
// CHECK-NEXT: nvvm.griddepcontrol wait
// CHECK-NEXT: } else {
// CHECK: nvvm.griddepcontrol wait
// CHECK: nvvm.cp.async.bulk.tensor.shared.cluster.global
// CHECK-NEXT: }

// Where warps give registers to others, these let dependents be set up.
// CHECK-LABEL: gpu.func @roles
// CHECK-NEXT: nvvm.griddepcontrol wait
// CHECK-NEXT: scf.if
// CHECK-NEXT: nvvm.setmaxregister decrease 40
// CHECK-NEXT: nvvm.griddepcontrol launch_dependents
// CHECK-NEXT: memref.load

// The first launch of a run, before which others may have written what it takes for steady, is a plain one.
// CHECK-LABEL: func.func @main
// CHECK: gpu.launch_func @kernels::@reads
// CHECK-NOT: forge.dependent_launch
// CHECK: gpu.launch_func @kernels::@weights
// CHECK-SAME: {forge.dependent_launch}
// CHECK: gpu.launch_func @kernels::@parts
// CHECK-SAME: {forge.dependent_launch}
// CHECK: gpu.launch_func @kernels::@own
// CHECK-NOT: forge.dependent_launch
// CHECK: gpu.launch_func @kernels::@fits
// CHECK-SAME: {forge.dependent_launch}
// CHECK: gpu.launch_func @kernels::@copies
// CHECK-SAME: {forge.dependent_launch}
// CHECK: return

// Loads are not moved in front of it.
// NVVM-LABEL: llvm.func @reads
// NVVM-NOT: llvm.load
// NVVM: llvm.inline_asm has_side_effects asm_dialect = att "griddepcontrol.launch_dependents;", "~{memory}"
// NVVM-NEXT: llvm.inline_asm has_side_effects asm_dialect = att "griddepcontrol.wait;", "~{memory}"
// NVVM: llvm.load
module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @reads(%x: memref<f32>, %y: memref<f32>) kernel {
      %a = memref.load %x[] : memref<f32>
      memref.store %a, %y[] : memref<f32>
      gpu.return
    }
    gpu.func @weights(%x: memref<f32>, %w: memref<f32>, %y: memref<f32>) kernel {
      %a = memref.load %w[] : memref<f32>
      %b = memref.load %x[] : memref<f32>
      %c = arith.mulf %a, %b : f32
      memref.store %c, %y[] : memref<f32>
      gpu.return
    }
    gpu.func @parts(%w: memref<f32>, %y: memref<f32>, %is: i1) kernel {
      scf.if %is {
        %a = memref.load %w[] : memref<f32>
        memref.store %a, %y[] : memref<f32>
      }
      gpu.return
    }
    gpu.func @own(%x: memref<f32>, %y: memref<f32>) kernel {
      %a = memref.load %x[] : memref<f32>
      memref.store %a, %y[] : memref<f32>
      nvvm.griddepcontrol launch_dependents
      gpu.return
    }
    gpu.func @many(%x: memref<f32>, %y: memref<f32>) kernel {
      %a = memref.load %x[] : memref<f32>
      memref.store %a, %y[] : memref<f32>
      gpu.return
    }
    gpu.func @counted(%x: memref<f32>, %y: memref<f32>) kernel {
      %a = memref.load %x[] : memref<f32>
      memref.store %a, %y[] : memref<f32>
      gpu.return
    }
    gpu.func @shared(%x: memref<f32>, %y: memref<f32>) kernel {
      %a = memref.load %x[] : memref<f32>
      memref.store %a, %y[] : memref<f32>
      gpu.return
    }
    gpu.func @fits(%x: memref<f32>, %y: memref<f32>) kernel {
      %a = memref.load %x[] : memref<f32>
      memref.store %a, %y[] : memref<f32>
      gpu.return
    }
    gpu.func @copies(%ofWeights: memref<128xi8>, %ofX: memref<128xi8>, %is: i1) kernel {
      %c0 = arith.constant 0 : i32
      %c1 = arith.constant 1 : i32
      %at = llvm.mlir.zero : !llvm.ptr<3>
      %to = llvm.addrspacecast %at : !llvm.ptr<3> to !llvm.ptr<7>
      nvvm.mbarrier.init %at, %c1 : !llvm.ptr<3>, i32
      nvvm.fence.mbarrier.init
      gpu.barrier
      scf.if %is {
        %address = memref.extract_aligned_pointer_as_index %ofWeights : memref<128xi8> -> index
        %number = arith.index_cast %address : index to i64
        %map = llvm.inttoptr %number : i64 to !llvm.ptr
        nvvm.mbarrier.arrive.expect_tx %at, %c1 : !llvm.ptr<3>, i32
        nvvm.cp.async.bulk.tensor.shared.cluster.global %to, %map, %at, box[%c0, %c0] : !llvm.ptr<7>, !llvm.ptr
      } else {
        %address = memref.extract_aligned_pointer_as_index %ofX : memref<128xi8> -> index
        %number = arith.index_cast %address : index to i64
        %map = llvm.inttoptr %number : i64 to !llvm.ptr
        nvvm.cp.async.bulk.tensor.shared.cluster.global %to, %map, %at, box[%c0, %c0] : !llvm.ptr<7>, !llvm.ptr
      }
      gpu.return
    }
    gpu.func @roles(%x: memref<f32>, %y: memref<f32>, %is: i1) kernel {
      scf.if %is {
        nvvm.setmaxregister decrease 40
        %a = memref.load %x[] : memref<f32>
        memref.store %a, %y[] : memref<f32>
      } else {
        nvvm.setmaxregister increase 232
      }
      gpu.return
    }
  }
  func.func private @forge_rt_device_tensor_map_f32(memref<*xi8>, memref<*xf32>, i64, i64, i64, i64, i64, i64)
  func.func @main(%x: memref<f32>, %y: memref<f32>, %w: memref<f32>, %is: i1, %n: index, %matrix: memref<64x64xf32>, %left: memref<64x64xf32>) {
    %c1 = arith.constant 1 : index
    %c128 = arith.constant 128 : index
    %bytes = arith.constant 115713 : i32
    %fewer = arith.constant 115712 : i32
    %c264 = arith.constant 264 : index
    %i64 = arith.constant 64 : i64
    %c2113 = arith.constant 2113 : index
    gpu.launch_func @kernels::@reads blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%x : memref<f32>, %y : memref<f32>)
    gpu.launch_func @kernels::@weights blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%x : memref<f32>, %w : memref<f32>, %y : memref<f32>)
    gpu.launch_func @kernels::@parts blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%w : memref<f32>, %x : memref<f32>, %is : i1)
    gpu.launch_func @kernels::@own blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%x : memref<f32>, %y : memref<f32>) {forge.dependent_launch}
    gpu.launch_func @kernels::@many blocks in (%c1, %c1, %c1) threads in (%c128, %c1, %c1) args(%x : memref<f32>, %y : memref<f32>)
    gpu.launch_func @kernels::@many blocks in (%c2113, %c1, %c1) threads in (%c128, %c1, %c1) args(%x : memref<f32>, %y : memref<f32>)
    gpu.launch_func @kernels::@counted blocks in (%n, %c1, %c1) threads in (%c128, %c1, %c1) args(%x : memref<f32>, %y : memref<f32>)
    gpu.launch_func @kernels::@shared blocks in (%c264, %c1, %c1) threads in (%c128, %c1, %c1) dynamic_shared_memory_size %bytes args(%x : memref<f32>, %y : memref<f32>)
    gpu.launch_func @kernels::@fits blocks in (%c264, %c1, %c1) threads in (%c128, %c1, %c1) dynamic_shared_memory_size %fewer args(%x : memref<f32>, %y : memref<f32>)
    %zero = arith.constant 0.0 : f32
    %c0 = arith.constant 0 : index
    memref.store %zero, %left[%c0, %c0] : memref<64x64xf32>
    %map0 = memref.alloca() : memref<128xi8>
    %map1 = memref.alloca() : memref<128xi8>
    %any0 = memref.cast %map0 : memref<128xi8> to memref<*xi8>
    %any1 = memref.cast %map1 : memref<128xi8> to memref<*xi8>
    %anyMatrix = memref.cast %matrix : memref<64x64xf32> to memref<*xf32>
    %anyLeft = memref.cast %left : memref<64x64xf32> to memref<*xf32>
    call @forge_rt_device_tensor_map_f32(%any0, %anyMatrix, %i64, %i64, %i64, %i64, %i64, %i64) {forge.device_call} : (memref<*xi8>, memref<*xf32>, i64, i64, i64, i64, i64, i64) -> ()
    call @forge_rt_device_tensor_map_f32(%any1, %anyLeft, %i64, %i64, %i64, %i64, %i64, %i64) {forge.device_call} : (memref<*xi8>, memref<*xf32>, i64, i64, i64, i64, i64, i64) -> ()
    gpu.launch_func @kernels::@copies blocks in (%c1, %c1, %c1) threads in (%c128, %c1, %c1) args(%map0 : memref<128xi8>, %map1 : memref<128xi8>, %is : i1)
    gpu.launch_func @kernels::@roles blocks in (%c1, %c1, %c1) threads in (%c128, %c1, %c1) args(%x : memref<f32>, %y : memref<f32>, %is : i1)
    return
  }
}
