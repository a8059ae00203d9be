// The phases by name; what they take and leave.
// RUN: forge-opt %s --forge-pipeline="from=linalg to=fuse" | FileCheck %s --check-prefix=TENSORS
// RUN: forge-opt %s --forge-pipeline="from=linalg to=bufferize" | FileCheck %s --check-prefix=BUFFERS
// RUN: forge-opt %s --forge-pipeline="from=linalg to=lower tier=correctness" | FileCheck %s --check-prefix=LOOPS
// RUN: forge-opt %s --forge-pipeline="from=linalg" | FileCheck %s --check-prefix=LLVM

// TENSORS: linalg.generic {{.*}} outs(%{{.*}} : tensor<4x8xf32>)
// BUFFERS: linalg.generic {{.*}} outs(%{{.*}} : memref<4x8xf32>)
// LOOPS: scf.for
// LOOPS-NOT: linalg
// LLVM: llvm.func @main__packed
func.func @main(%a: tensor<4x8xf32>, %b: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %e = tensor.empty() : tensor<4x8xf32>
  %r = linalg.add ins(%a, %b : tensor<4x8xf32>, tensor<4x8xf32>) outs(%e : tensor<4x8xf32>) -> tensor<4x8xf32>
  return %r : tensor<4x8xf32>
}
