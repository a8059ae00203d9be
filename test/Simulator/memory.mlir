// Alignment, and memory that nothing was written to.
// RUN: %exits 1 forge-sim %s --kernel wide --block 1 --arg f32[16]=1 --arg index=1 2>&1 | FileCheck %s --check-prefix=MISALIGNED
// RUN: forge-sim %s --kernel wide --block 1 --arg f32[16]=1 --arg index=4
// RUN: forge-sim %s --kernel narrow --block 1 --arg f32[16]=1 --arg index=1
// RUN: %exits 1 forge-sim %s --kernel read --block 1 --arg f32[4]=uninitialised 2>&1 | FileCheck %s --check-prefix=UNINIT
// RUN: forge-sim %s --kernel read --block 1 --arg f32[4]=0
// RUN: forge-sim %s --kernel read --block 1 --arg f32[4]=uninitialised --no-uninitialised
// RUN: forge-sim %s --kernel write_then_read --block 1 --arg f32[4]=uninitialised
// RUN: %exits 1 forge-sim %s --kernel shared_partly --block 32 2>&1 | FileCheck %s --check-prefix=SHARED
// RUN: forge-sim %s --kernel shared_partly --block 64
// RUN: %exits 1 forge-sim %s --kernel shared_of_last_block --block 32 --grid 2 2>&1 | FileCheck %s --check-prefix=LAST

gpu.module @kernels {
  // MISALIGNED: error: kernel 'wide': misaligned access: expected an address that is a multiple of 16 for 16 bytes, but got one with remainder 4: load by thread (0,0,0) of block (0,0,0) at {{.*}}memory.mlir:[[#@LINE+2]]:10
  gpu.func @wide(%a: memref<16xf32>, %i: index) kernel {
    %v = vector.load %a[%i] {alignment = 16} : memref<16xf32>, vector<4xf32>
    vector.store %v, %a[%i] : memref<16xf32>, vector<4xf32>
    gpu.return
  }

  // Without a promise, a vector is as aligned as its elements.
  gpu.func @narrow(%a: memref<16xf32>, %i: index) kernel {
    %v = vector.load %a[%i] : memref<16xf32>, vector<4xf32>
    vector.store %v, %a[%i] : memref<16xf32>, vector<4xf32>
    gpu.return
  }

  // UNINIT: error: kernel 'read': read of uninitialised memory: nothing was written to offset 8 of argument 0: load by thread (0,0,0) of block (0,0,0) at {{.*}}memory.mlir:[[#@LINE+3]]:10
  gpu.func @read(%a: memref<4xf32>) kernel {
    %c2 = arith.constant 2 : index
    %v = memref.load %a[%c2] : memref<4xf32>
    memref.store %v, %a[%c2] : memref<4xf32>
    gpu.return
  }

  gpu.func @write_then_read(%a: memref<4xf32>) kernel {
    %c2 = arith.constant 2 : index
    %one = arith.constant 1.0 : f32
    memref.store %one, %a[%c2] : memref<4xf32>
    %v = memref.load %a[%c2] : memref<4xf32>
    memref.store %v, %a[%c2] : memref<4xf32>
    gpu.return
  }

  // SHARED: error: kernel 'shared_partly': read of uninitialised memory: nothing was written to offset 128 of shared memory: load by thread (31,0,0)
  gpu.func @shared_partly() workgroup(%s: memref<64xf32, #gpu.address_space<workgroup>>) kernel {
    %t = gpu.thread_id x
    %c63 = arith.constant 63 : index
    %r = arith.subi %c63, %t : index
    %one = arith.constant 1.0 : f32
    memref.store %one, %s[%t] : memref<64xf32, #gpu.address_space<workgroup>>
    gpu.barrier
    %v = memref.load %s[%r] : memref<64xf32, #gpu.address_space<workgroup>>
    gpu.barrier
    memref.store %v, %s[%t] : memref<64xf32, #gpu.address_space<workgroup>>
    gpu.return
  }

  // What an earlier block has left is no content.
  // LAST: error: kernel 'shared_of_last_block': read of uninitialised memory: {{.*}} by thread (0,0,0) of block (1,0,0)
  gpu.func @shared_of_last_block() workgroup(%s: memref<32xf32, #gpu.address_space<workgroup>>) kernel {
    %t = gpu.thread_id x
    %b = gpu.block_id x
    %c0 = arith.constant 0 : index
    %one = arith.constant 1.0 : f32
    %first = arith.cmpi eq, %b, %c0 : index
    scf.if %first {
      memref.store %one, %s[%t] : memref<32xf32, #gpu.address_space<workgroup>>
    }
    %v = memref.load %s[%t] : memref<32xf32, #gpu.address_space<workgroup>>
    memref.store %v, %s[%t] : memref<32xf32, #gpu.address_space<workgroup>>
    gpu.return
  }
}
