// RUN: %exits 1 forge-sim %s --kernel unguarded --grid 2 --block 32 --arg f32[48]=1 --arg index=48 2>&1 | FileCheck %s --check-prefix=GLOBAL
// RUN: forge-sim %s --kernel guarded --grid 2 --block 32 --arg f32[48]=1 --arg index=48 --print 0 | FileCheck %s --check-prefix=GLOBAL-OK
// RUN: %exits 1 forge-sim %s --kernel dynamic_view --block 32 --arg f32[64]=1 --arg index=16 2>&1 | FileCheck %s --check-prefix=VIEW
// RUN: forge-sim %s --kernel dynamic_view --block 32 --arg f32[64]=1 --arg index=32
// RUN: %exits 1 forge-sim %s --kernel shared_too_far --block 64 2>&1 | FileCheck %s --check-prefix=SHARED
// RUN: forge-sim %s --kernel shared_too_far --block 32
// RUN: %exits 1 forge-sim %s --kernel private_too_far --block 1 --arg index=4 2>&1 | FileCheck %s --check-prefix=PRIVATE
// RUN: forge-sim %s --kernel private_too_far --block 1 --arg index=3
// RUN: %exits 1 forge-sim %s --kernel vector_tail --block 1 --arg f32[6]=1 --arg index=4 2>&1 | FileCheck %s --check-prefix=VECTOR
// RUN: forge-sim %s --kernel vector_tail --block 1 --arg f32[6]=1 --arg index=0
// RUN: forge-sim %s --kernel masked_tail --block 1 --arg f32[6]=1 --arg index=2
// RUN: %exits 1 forge-sim %s --kernel masked_tail --block 1 --arg f32[6]=1 --arg index=3 2>&1 | FileCheck %s --check-prefix=MASKED
// RUN: %exits 1 forge-sim %s --kernel guarded --grid 1 --block 32 --arg f32[16]=1 --arg index=16 2>&1 | FileCheck %s --check-prefix=ARGUMENT
// RUN: %exits 1 forge-sim %s --kernel pointer --block 2 --arg f32[1]=1 2>&1 | FileCheck %s --check-prefix=POINTER
// RUN: forge-sim %s --kernel pointer --block 1 --arg f32[1]=1

gpu.module @kernels {
  // GLOBAL: error: kernel 'unguarded': out-of-bounds access: 4 bytes at offset 192 of argument 0, which has 192 bytes: load by thread (16,0,0) of block (1,0,0) at {{.*}}bounds.mlir:[[#@LINE+7]]:10
  gpu.func @unguarded(%a: memref<48xf32>, %n: index) kernel {
    %t = gpu.thread_id x
    %b = gpu.block_id x
    %d = gpu.block_dim x
    %i = index.mul %b, %d
    %j = index.add %i, %t
    %v = memref.load %a[%j] : memref<48xf32>
    memref.store %v, %a[%j] : memref<48xf32>
    gpu.return
  }

  // GLOBAL-OK: 2 2 2
  gpu.func @guarded(%a: memref<48xf32>, %n: index) kernel {
    %t = gpu.thread_id x
    %b = gpu.block_id x
    %d = gpu.block_dim x
    %i = arith.muli %b, %d : index
    %j = arith.addi %i, %t : index
    %in = arith.cmpi ult, %j, %n : index
    scf.if %in {
      %v = memref.load %a[%j] : memref<48xf32>
      %w = arith.addf %v, %v : f32
      memref.store %w, %a[%j] : memref<48xf32>
    }
    gpu.return
  }

  // The view says how much of the allocation is the argument.
  // VIEW: error: kernel 'dynamic_view': out-of-bounds access: 4 bytes at offset 64 of argument 0, which has 64 bytes: load by thread (16,0,0)
  gpu.func @dynamic_view(%a: memref<f32>, %n: index) kernel {
    %v = memref.reinterpret_cast %a to offset: [0], sizes: [%n], strides: [1] : memref<f32> to memref<?xf32>
    %t = gpu.thread_id x
    %x = memref.load %v[%t] : memref<?xf32>
    memref.store %x, %v[%t] : memref<?xf32>
    gpu.return
  }

  // SHARED: error: kernel 'shared_too_far': out-of-bounds access: 4 bytes at offset 128 of shared memory, of which the block has 128 bytes: store by thread (32,0,0)
  gpu.func @shared_too_far() workgroup(%s: memref<32xf32, #gpu.address_space<workgroup>>) kernel {
    %t = gpu.thread_id x
    %v = arith.constant 1.0 : f32
    memref.store %v, %s[%t] : memref<32xf32, #gpu.address_space<workgroup>>
    gpu.return
  }

  // PRIVATE: error: kernel 'private_too_far': out-of-bounds access: 4 bytes at offset 16 of private memory, an array of 16 bytes: store by thread (0,0,0)
  gpu.func @private_too_far(%i: index) private(%p: memref<4xf32, #gpu.address_space<private>>) kernel {
    %v = arith.constant 1.0 : f32
    memref.store %v, %p[%i] : memref<4xf32, #gpu.address_space<private>>
    %w = memref.load %p[%i] : memref<4xf32, #gpu.address_space<private>>
    %same = arith.cmpf oeq, %v, %w : f32
    cf.assert %same, "stored and loaded"
    gpu.return
  }

  // VECTOR: error: kernel 'vector_tail': out-of-bounds access: 16 bytes at offset 16 of argument 0, which has 24 bytes: load
  gpu.func @vector_tail(%a: memref<6xf32>, %i: index) kernel {
    %v = vector.load %a[%i] {alignment = 16} : memref<6xf32>, vector<4xf32>
    vector.store %v, %a[%i] : memref<6xf32>, vector<4xf32>
    gpu.return
  }

  // Elements that the mask leaves out are not touched.
  // MASKED: error: kernel 'masked_tail': out-of-bounds access: 12 bytes at offset 16 of argument 0, which has 24 bytes: load
  gpu.func @masked_tail(%a: memref<6xf32>, %n: index) kernel {
    %c4 = arith.constant 4 : index
    %zero = arith.constant dense<0.0> : vector<4xf32>
    %m = vector.create_mask %n : vector<4xi1>
    %v = vector.maskedload %a[%c4], %m, %zero : memref<6xf32>, vector<4xi1>, vector<4xf32> into vector<4xf32>
    %c0 = arith.constant 0 : index
    vector.store %v, %a[%c0] : memref<6xf32>, vector<4xf32>
    gpu.return
  }

  // POINTER: error: kernel 'pointer': out-of-bounds access: 4 bytes at an address 0 bytes after the end of an allocation of 4 bytes: load by thread (1,0,0)
  gpu.func @pointer(%p: !llvm.ptr) kernel {
    %t = gpu.thread_id x
    %i = arith.index_cast %t : index to i64
    %q = llvm.getelementptr %p[%i] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %v = llvm.load %q : !llvm.ptr -> f32
    llvm.store %v, %q : f32, !llvm.ptr
    gpu.return
  }
}
// ARGUMENT: error: kernel 'guarded': out-of-bounds access: argument 0: expected 192 bytes of device memory, but the address is at offset 0 of an allocation of 64 bytes
