// A temporary of one thread is in its own memory, which is an address space of its own on AMD.
// RUN: forge-opt %s --forge-pipeline="target=hip:gfx942 from=bufferize to=gpu" | FileCheck %s
// RUN: forge-opt %s --forge-pipeline="target=hip:gfx942 from=bufferize to=lower" | FileCheck %s --check-prefix=ROCDL
// RUN: forge-opt %s --forge-pipeline="target=cuda:sm_90a from=bufferize to=lower" | FileCheck %s --check-prefix=NVVM
// RUN: not forge-opt %s --forge-pipeline="target=cuda:sm_90a from=bufferize to=nowhere" 2>&1 | FileCheck %s --check-prefix=PHASE
// RUN: forge-opt %s --forge-pipeline="target=sim:gfx942 from=bufferize to=gpu" -o %t.mlir
// RUN: forge-sim %t.mlir --chip gfx942 --arg "f32[16]=iota" --block 1 --print 0 | FileCheck %s --check-prefix=REVERSED
// REVERSED: 15 14 13 12 11 10 9 8 7 6 5 4 3 2 1 0
// CHECK: memref.alloca() : memref<16xf32, #gpu.address_space<private>>
// ROCDL: llvm.func @reverse
// ROCDL: llvm.alloca {{.*}} -> !llvm.ptr<5>
// NVVM: llvm.func @reverse
// NVVM: llvm.alloca
// PHASE: expected one of import, simplify, linalg, fuse, kernels, bufferize, blocks, gpu, lower for 'to', but got 'nowhere'
func.func private @reverse(%x: memref<16xf32>)
    attributes {forge.kernel, forge.schedule = #forge.schedule<strategy = generic, threads = 1, reduce_threads = 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c15 = arith.constant 15 : index
  %c16 = arith.constant 16 : index
  %t = memref.alloc() : memref<16xf32>
  scf.for %i = %c0 to %c16 step %c1 {
    %e = memref.load %x[%i] : memref<16xf32>
    %j = arith.subi %c15, %i : index
    memref.store %e, %t[%j] : memref<16xf32>
  }
  scf.for %i = %c0 to %c16 step %c1 {
    %e = memref.load %t[%i] : memref<16xf32>
    memref.store %e, %x[%i] : memref<16xf32>
  }
  return
}
func.func @main(%x: memref<16xf32>) {
  call @reverse(%x) : (memref<16xf32>) -> ()
  return
}

// RUN: sed 's/memref<16xf32>/memref<200000xf32>/g; s/constant 15 /constant 199999 /; s/constant 16 /constant 200000 /' %s > %t.large.mlir
// RUN: not forge-opt %t.large.mlir --forge-pipeline="target=cuda:sm_90a from=bufferize to=gpu" 2>&1 | FileCheck %s --check-prefix=LARGE
// LARGE: error: {{.*}}expected temporaries of at most 524288 bytes for strategy 'generic', which keeps them in the memory of each thread, but got 800000
