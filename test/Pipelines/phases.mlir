// The phases by name; what they take and leave.
// RUN: forge-opt %s --forge-pipeline="from=linalg to=fuse" | FileCheck %s --check-prefix=TENSORS
// RUN: forge-opt %s --forge-pipeline="from=linalg to=bufferize" | FileCheck %s --check-prefix=BUFFERS
// RUN: forge-opt %s --forge-pipeline="from=linalg to=lower tier=correctness" | FileCheck %s --check-prefix=LOOPS
// RUN: forge-opt %s --forge-pipeline="from=linalg" | FileCheck %s --check-prefix=LLVM
// RUN: not forge-opt %s --forge-pipeline="from=lin" 2>&1 | FileCheck %s --check-prefix=PHASE
// RUN: not forge-opt %s --forge-pipeline="target=abacus" 2>&1 | FileCheck %s --check-prefix=TARGET
// RUN: not forge-opt %s --forge-pipeline="tier=fast" 2>&1 | FileCheck %s --check-prefix=TIER
// RUN: not forge-opt %s --forge-pipeline="from=lower to=fuse" 2>&1 | FileCheck %s --check-prefix=ORDER

// TENSORS: linalg.generic {{.*}} outs(%{{.*}} : tensor<4x8xf32>)
// BUFFERS: linalg.generic {{.*}} outs(%{{.*}} : memref<4x8xf32>)
// LOOPS: scf.for
// LOOPS-NOT: linalg
// LLVM: llvm.func @main__packed
// PHASE: expected one of import, simplify, linalg, fuse, tile, bufferize, lower, llvm for 'from', but got 'lin'
// ORDER: expected 'to' not before 'from', but got fuse and lower
// TARGET: unknown target 'abacus', expected cpu, cuda, hip or sim
// TIER: expected correctness, optimized, production or hybrid for 'tier', but got 'fast'
func.func @main(%a: tensor<4x8xf32>, %b: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %e = tensor.empty() : tensor<4x8xf32>
  %r = linalg.add ins(%a, %b : tensor<4x8xf32>, tensor<4x8xf32>) outs(%e : tensor<4x8xf32>) -> tensor<4x8xf32>
  return %r : tensor<4x8xf32>
}
