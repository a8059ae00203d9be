// RUN: %exits 1 forge-sim %s --kernel shared_missing_barrier --block 64 --arg f32[64]=iota 2>&1 | FileCheck %s --check-prefix=SHARED
// RUN: forge-sim %s --kernel shared_with_barrier --block 64 --arg f32[64]=iota --print 0 | FileCheck %s --check-prefix=SHARED-OK
// RUN: forge-sim %s --kernel shared_with_barrier --block 64 --arg f32[64]=iota --print 0 --seed 7 | FileCheck %s --check-prefix=SHARED-OK
// RUN: %exits 1 forge-sim %s --kernel global_in_block --block 64 --arg f32[1]=0 2>&1 | FileCheck %s --check-prefix=GLOBAL
// RUN: forge-sim %s --kernel global_one_thread --block 64 --arg f32[1]=0
// RUN: %exits 1 forge-sim %s --kernel global_between_blocks --grid 2 --block 64 --arg f32[128]=0 2>&1 | FileCheck %s --check-prefix=BLOCKS
// RUN: forge-sim %s --kernel global_between_blocks --grid 1 --block 64 --arg f32[128]=0
// RUN: %exits 1 forge-sim %s --kernel read_then_write --block 64 --arg f32[64]=0 2>&1 | FileCheck %s --check-prefix=READ
// RUN: forge-sim %s --kernel atomics --grid 2 --block 64 --arg i32[1]=0 --print 0 | FileCheck %s --check-prefix=ATOMIC-OK
// RUN: %exits 1 forge-sim %s --kernel atomic_and_plain --block 64 --arg i32[1]=0 2>&1 | FileCheck %s --check-prefix=ATOMIC
// RUN: forge-sim %s --kernel shared_missing_barrier --block 64 --arg f32[64]=iota --no-races --no-uninitialised
// RUN: forge-sim %s --kernel neighbours_of_two_bytes --block 64 --arg bf16[64]=0 --arg f32[64]=1

gpu.module @kernels {
  // SHARED: error: kernel 'shared_missing_barrier': data race: no synchronisation between two accesses at offset 252 of shared memory: load by thread (0,0,0) of block (0,0,0) at {{.*}}races.mlir:[[#@LINE+8]]:10; and store by thread (63,0,0) of block (0,0,0) at {{.*}}races.mlir:[[#@LINE+10]]:5
  gpu.func @shared_missing_barrier(%a: memref<64xf32>) workgroup(%s: memref<64xf32, #gpu.address_space<workgroup>>) kernel {
    %t = gpu.thread_id x
    %c63 = arith.constant 63 : index
    %r = arith.subi %c63, %t : index
    %v = memref.load %a[%t] : memref<64xf32>
    memref.store %v, %s[%t] : memref<64xf32, #gpu.address_space<workgroup>>
    gpu.barrier
    %w = memref.load %s[%r] : memref<64xf32, #gpu.address_space<workgroup>>
    %x = arith.addf %w, %v : f32
    memref.store %x, %s[%t] : memref<64xf32, #gpu.address_space<workgroup>>
    gpu.return
  }

  // SHARED-OK: 63 62 61 60
  gpu.func @shared_with_barrier(%a: memref<64xf32>) workgroup(%s: memref<64xf32, #gpu.address_space<workgroup>>) kernel {
    %t = gpu.thread_id x
    %c63 = arith.constant 63 : index
    %r = arith.subi %c63, %t : index
    %v = memref.load %a[%t] : memref<64xf32>
    memref.store %v, %s[%t] : memref<64xf32, #gpu.address_space<workgroup>>
    gpu.barrier
    %w = memref.load %s[%r] : memref<64xf32, #gpu.address_space<workgroup>>
    gpu.barrier
    memref.store %v, %s[%t] : memref<64xf32, #gpu.address_space<workgroup>>
    memref.store %w, %a[%t] : memref<64xf32>
    gpu.return
  }

  // GLOBAL: error: kernel 'global_in_block': data race: {{.*}} at offset 0 of argument 0: store by thread (1,0,0) of block (0,0,0) at {{.*}}races.mlir:[[#@LINE+4]]:5; and store by thread (0,0,0) of block (0,0,0) at
  gpu.func @global_in_block(%a: memref<1xf32>) kernel {
    %c0 = arith.constant 0 : index
    %v = arith.constant 1.0 : f32
    memref.store %v, %a[%c0] : memref<1xf32>
    gpu.return
  }

  gpu.func @global_one_thread(%a: memref<1xf32>) kernel {
    %c0 = arith.constant 0 : index
    %v = arith.constant 1.0 : f32
    %t = gpu.thread_id x
    %first = arith.cmpi eq, %t, %c0 : index
    scf.if %first {
      memref.store %v, %a[%c0] : memref<1xf32>
    }
    gpu.return
  }

  // A barrier orders the threads of a block, not the blocks.
  // BLOCKS: error: kernel 'global_between_blocks': data race: {{.*}} at offset 0 of argument 0: store by thread (0,0,0) of block (1,0,0) at {{.*}}; and store by thread (0,0,0) of block (0,0,0) at
  gpu.func @global_between_blocks(%a: memref<128xf32>) kernel {
    %t = gpu.thread_id x
    %c63 = arith.constant 63 : index
    %r = arith.subi %c63, %t : index
    %v = arith.constant 1.0 : f32
    memref.store %v, %a[%t] : memref<128xf32>
    gpu.barrier
    %w = memref.load %a[%r] : memref<128xf32>
    gpu.barrier
    memref.store %w, %a[%t] : memref<128xf32>
    gpu.return
  }

  // READ: error: kernel 'read_then_write': data race: {{.*}} of argument 0: store by thread (1,0,0) {{.*}}; and load by thread (0,0,0)
  gpu.func @read_then_write(%a: memref<64xf32>) kernel {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %v = memref.load %a[%c1] : memref<64xf32>
    %is1 = arith.cmpi eq, %t, %c1 : index
    scf.if %is1 {
      memref.store %v, %a[%t] : memref<64xf32>
    }
    gpu.return
  }

  // ATOMIC-OK: 128
  gpu.func @atomics(%a: memref<1xi32>) kernel {
    %c0 = arith.constant 0 : index
    %one = arith.constant 1 : i32
    %old = memref.atomic_rmw addi %one, %a[%c0] : (i32, memref<1xi32>) -> i32
    gpu.return
  }

  // ATOMIC: error: kernel 'atomic_and_plain': data race: {{.*}}: load by thread (0,0,0) {{.*}}; and atomic operation by thread
  // ATOMIC-SAME: races.mlir:[[#@LINE+4]]:
  gpu.func @atomic_and_plain(%a: memref<1xi32>) kernel {
    %c0 = arith.constant 0 : index
    %one = arith.constant 1 : i32
    %unused = memref.atomic_rmw addi %one, %a[%c0] : (i32, memref<1xi32>) -> i32
    %width = arith.constant 32 : i32
    %x, %valid = gpu.shuffle xor %one, %one, %width : i32
    %v = memref.load %a[%c0] : memref<1xi32>
    cf.assert %valid, "used"
    %zero = arith.constant 0 : i32
    %positive = arith.cmpi sgt, %v, %zero : i32
    cf.assert %positive, "used"
    gpu.return
  }

  // Two threads may write different halves of a word.
  gpu.func @neighbours_of_two_bytes(%a: memref<64xbf16>, %b: memref<64xf32>) kernel {
    %t = gpu.thread_id x
    %v = memref.load %b[%t] : memref<64xf32>
    %w = arith.truncf %v : f32 to bf16
    memref.store %w, %a[%t] : memref<64xbf16>
    gpu.return
  }
}
