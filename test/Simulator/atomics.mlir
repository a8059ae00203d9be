// Atomic operations order what was done before them, if their order or a fence says so: the last block to come reads
// what all have written.
// RUN: forge-sim %s --kernel last_block --grid 4 --block 32 --arg f32[128]=uninitialised --arg i32[1]=0 --arg f32[1]=0 --print 2 | FileCheck %s --check-prefix=OK
// RUN: forge-sim %s --kernel last_block --grid 4 --block 32 --arg f32[128]=uninitialised --arg i32[1]=0 --arg f32[1]=0 --print 2 --seed 11 | FileCheck %s --check-prefix=OK
// RUN: forge-sim %s --kernel with_fences --grid 4 --block 1 --arg f32[4]=uninitialised --arg i32[1]=0 --arg f32[1]=0 --print 2 | FileCheck %s --check-prefix=FENCES
// RUN: %exits 1 forge-sim %s --kernel without_fences --grid 4 --block 1 --arg f32[4]=uninitialised --arg i32[1]=0 --arg f32[1]=0 2>&1 | FileCheck %s --check-prefix=RELAXED
// RUN: forge-sim %s --kernel histogram --grid 2 --block 64 --arg i32[64]=iota --arg i32[4]=0 --print 1 | FileCheck %s --check-prefix=HISTOGRAM
// RUN: forge-sim %s --kernel shared_maximum --block 64 --arg i32[64]=iota --arg i32[1]=0 --print 1 | FileCheck %s --check-prefix=MAXIMUM
// RUN: %exits 1 forge-sim %s --kernel misaligned --block 1 --arg i8[16]=0 2>&1 | FileCheck %s --check-prefix=MISALIGNED

gpu.module @kernels {
  // Every thread writes; after the block's barrier one thread counts the block, and in the last block all read.
  // OK: 128
  gpu.func @last_block(%parts: memref<128xf32>, %count: memref<1xi32>, %out: memref<1xf32>)
      workgroup(%flag: memref<1xi32, #gpu.address_space<workgroup>>) kernel {
    %t = gpu.thread_id x
    %b = gpu.block_id x
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c32 = arith.constant 32 : index
    %c128 = arith.constant 128 : index
    %one = arith.constant 1.0 : f32
    %zero = arith.constant 0.0 : f32
    %i1 = arith.constant 1 : i32
    %i3 = arith.constant 3 : i32
    %o = arith.muli %b, %c32 : index
    %i = arith.addi %o, %t : index
    memref.store %one, %parts[%i] : memref<128xf32>
    gpu.barrier
    %first = arith.cmpi eq, %t, %c0 : index
    scf.if %first {
      %old = memref.atomic_rmw addi %i1, %count[%c0] : (i32, memref<1xi32>) -> i32
      memref.store %old, %flag[%c0] : memref<1xi32, #gpu.address_space<workgroup>>
    }
    gpu.barrier
    %before = memref.load %flag[%c0] : memref<1xi32, #gpu.address_space<workgroup>>
    %last = arith.cmpi eq, %before, %i3 : i32
    scf.if %last {
      %sum = scf.for %k = %c0 to %c128 step %c1 iter_args(%s = %zero) -> f32 {
        %v = memref.load %parts[%k] : memref<128xf32>
        %n = arith.addf %s, %v : f32
        scf.yield %n : f32
      }
      scf.if %first {
        memref.store %sum, %out[%c0] : memref<1xf32>
      }
    }
    gpu.return
  }

  // FENCES: 4
  gpu.func @with_fences(%parts: memref<4xf32>, %count: !llvm.ptr, %out: memref<1xf32>) kernel {
    %b = gpu.block_id x
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %one = arith.constant 1.0 : f32
    %zero = arith.constant 0.0 : f32
    %i1 = arith.constant 1 : i32
    %i3 = arith.constant 3 : i32
    memref.store %one, %parts[%b] : memref<4xf32>
    llvm.fence release
    %before = llvm.atomicrmw add %count, %i1 monotonic : !llvm.ptr, i32
    llvm.fence acquire
    %last = arith.cmpi eq, %before, %i3 : i32
    scf.if %last {
      %sum = scf.for %k = %c0 to %c4 step %c1 iter_args(%s = %zero) -> f32 {
        %v = memref.load %parts[%k] : memref<4xf32>
        %n = arith.addf %s, %v : f32
        scf.yield %n : f32
      }
      memref.store %sum, %out[%c0] : memref<1xf32>
    }
    gpu.return
  }

  // RELAXED: error: kernel 'without_fences': data race: {{.*}} of argument 0: load by thread (0,0,0) of block (3,0,0) {{.*}}; and store by thread (0,0,0) of block (0,0,0)
  gpu.func @without_fences(%parts: memref<4xf32>, %count: !llvm.ptr, %out: memref<1xf32>) kernel {
    %b = gpu.block_id x
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %one = arith.constant 1.0 : f32
    %zero = arith.constant 0.0 : f32
    %i1 = arith.constant 1 : i32
    %i3 = arith.constant 3 : i32
    memref.store %one, %parts[%b] : memref<4xf32>
    %before = llvm.atomicrmw add %count, %i1 monotonic : !llvm.ptr, i32
    %last = arith.cmpi eq, %before, %i3 : i32
    scf.if %last {
      %sum = scf.for %k = %c0 to %c4 step %c1 iter_args(%s = %zero) -> f32 {
        %v = memref.load %parts[%k] : memref<4xf32>
        %n = arith.addf %s, %v : f32
        scf.yield %n : f32
      }
      memref.store %sum, %out[%c0] : memref<1xf32>
    }
    gpu.return
  }

  // HISTOGRAM: 32 32 32 32
  gpu.func @histogram(%values: memref<64xi32>, %bins: memref<4xi32>) kernel {
    %t = gpu.thread_id x
    %c4 = arith.constant 4 : index
    %one = arith.constant 1 : i32
    %v = memref.load %values[%t] : memref<64xi32>
    %i = arith.index_cast %v : i32 to index
    %bin = arith.remui %i, %c4 : index
    %old = memref.atomic_rmw addi %one, %bins[%bin] : (i32, memref<4xi32>) -> i32
    gpu.return
  }

  // MAXIMUM: 63
  gpu.func @shared_maximum(%values: memref<64xi32>, %out: memref<1xi32>) workgroup(%s: memref<1xi32, #gpu.address_space<workgroup>>) kernel {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %low = arith.constant -1 : i32
    %first = arith.cmpi eq, %t, %c0 : index
    scf.if %first {
      memref.store %low, %s[%c0] : memref<1xi32, #gpu.address_space<workgroup>>
    }
    gpu.barrier
    %v = memref.load %values[%t] : memref<64xi32>
    %old = memref.generic_atomic_rmw %s[%c0] : memref<1xi32, #gpu.address_space<workgroup>> {
    ^bb0(%current: i32):
      %m = arith.maxsi %current, %v : i32
      memref.atomic_yield %m : i32
    }
    gpu.barrier
    scf.if %first {
      %m = memref.load %s[%c0] : memref<1xi32, #gpu.address_space<workgroup>>
      memref.store %m, %out[%c0] : memref<1xi32>
    }
    gpu.return
  }

  // MISALIGNED: error: kernel 'misaligned': misaligned access: an atomic operation on an address that is not a multiple of its size
  gpu.func @misaligned(%p: !llvm.ptr) kernel {
    %one = arith.constant 1 : i32
    %q = llvm.getelementptr %p[2] : (!llvm.ptr) -> !llvm.ptr, i8
    %old = llvm.atomicrmw add %q, %one monotonic : !llvm.ptr, i32
    gpu.return
  }
}
