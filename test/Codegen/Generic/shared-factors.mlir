// A product with a small matrix: a thread has four columns of all twelve results, and reads each of its twelve vectors once.
// RUN: forge explain %s --target cuda:sm_90a | FileCheck %s
// RUN: forge compile %s --target cuda:sm_90a --to gpu -o - | FileCheck %s --check-prefix=GPU
// RUN: forge verify %s --target sim:sm_90a --tier optimized
// RUN: forge verify %s --target sim:gfx942
// CHECK: contraction, 1 launch: generic;
// CHECK: library: predicted
// CHECK: * generic: predicted
// GPU: gpu.func @contraction
// GPU-COUNT-12: vector.load {{.*}} vector<4xf32>
// GPU-NOT: vector.load
// GPU-COUNT-12: vector.store {{.*}} vector<4xf32>
// GPU: gpu.return

func.func @main(%s: tensor<2x12x128x256xf32>, %w: tensor<12x12xf32>) -> tensor<2x12x128x256xf32> {
  %0 = stablehlo.dot_general %s, %w, contracting_dims = [1] x [0], precision = [HIGHEST, HIGHEST] : (tensor<2x12x128x256xf32>, tensor<12x12xf32>) -> tensor<2x128x256x12xf32>
  %1 = stablehlo.transpose %0, dims = [0, 3, 1, 2] : (tensor<2x128x256x12xf32>) -> tensor<2x12x128x256xf32>
  return %1 : tensor<2x12x128x256xf32>
}
