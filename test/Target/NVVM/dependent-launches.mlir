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
// And one with much shared memory.
// CHECK-LABEL: gpu.func @shared
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
  }
  func.func @main(%x: memref<f32>, %y: memref<f32>, %w: memref<f32>, %is: i1, %n: index) {
    %c1 = arith.constant 1 : index
    %c128 = arith.constant 128 : index
    %bytes = arith.constant 49153 : i32
    %c2113 = arith.constant 2113 : index
    gpu.launch_func @kernels::@reads blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%x : memref<f32>, %y : memref<f32>)
    gpu.launch_func @kernels::@weights blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%x : memref<f32>, %w : memref<f32>, %y : memref<f32>)
    gpu.launch_func @kernels::@parts blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%w : memref<f32>, %x : memref<f32>, %is : i1)
    gpu.launch_func @kernels::@own blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%x : memref<f32>, %y : memref<f32>) {forge.dependent_launch}
    gpu.launch_func @kernels::@many blocks in (%c1, %c1, %c1) threads in (%c128, %c1, %c1) args(%x : memref<f32>, %y : memref<f32>)
    gpu.launch_func @kernels::@many blocks in (%c2113, %c1, %c1) threads in (%c128, %c1, %c1) args(%x : memref<f32>, %y : memref<f32>)
    gpu.launch_func @kernels::@counted blocks in (%n, %c1, %c1) threads in (%c128, %c1, %c1) args(%x : memref<f32>, %y : memref<f32>)
    gpu.launch_func @kernels::@shared blocks in (%c1, %c1, %c1) threads in (%c128, %c1, %c1) dynamic_shared_memory_size %bytes args(%x : memref<f32>, %y : memref<f32>)
    return
  }
}
