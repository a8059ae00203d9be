// Mistakes in what a transformer operation is asked to do.
// RUN: forge mutate %s --print --phase import --mutator toggle-flag | FileCheck %s --check-prefix=FLAG
// RUN: forge mutate %s --print --phase import --mutator drop-optional | FileCheck %s --check-prefix=OPTIONAL
// RUN: forge mutate %s --print --phase import --mutator change-kind | FileCheck %s --check-prefix=KIND
// RUN: forge mutate %s --print --phase import --mutator change-number | FileCheck %s --check-prefix=NUMBER
// RUN: forge mutate %s --print --phase import --mutator wrong-scale | FileCheck %s --check-prefix=SCALE
// RUN: forge mutate %s --print --phase import --mutator exchange-inputs | FileCheck %s --check-prefix=INPUTS
// RUN: forge mutate %s --print --phase import --mutator skip-operation | FileCheck %s --check-prefix=SKIP
func.func @main(%x: tensor<8x8xf32>, %w: tensor<8x8xf32>, %b: tensor<8xf32>, %q: tensor<1x1x8x8xf32>, %k: tensor<1x1x8x8xf32>) -> (tensor<8x8xf32>, tensor<1x1x8x8xf32>) {
  %0 = transformer.matmul %x, %w bias %b residual %x {activation = #transformer.activation<gelu>} : (tensor<8x8xf32>, tensor<8x8xf32>, tensor<8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
  %1 = transformer.rms_norm %0 scale %b {epsilon = 1.0e-06 : f32} : (tensor<8x8xf32>, tensor<8xf32>) -> tensor<8x8xf32>
  %2 = transformer.attention %q, %k, %k {causal} : (tensor<1x1x8x8xf32>, tensor<1x1x8x8xf32>, tensor<1x1x8x8xf32>) -> tensor<1x1x8x8xf32>
  return %1, %2 : tensor<8x8xf32>, tensor<1x1x8x8xf32>
}
// FLAG: toggle-flag at transformer.matmul
// FLAG: transformer.matmul {{.*}}transpose_lhs
// FLAG: toggle-flag at transformer.matmul
// FLAG: transformer.matmul {{.*}}transpose_rhs
// FLAG: toggle-flag at transformer.rms_norm
// FLAG: transformer.rms_norm {{.*}}unit_offset
// FLAG: toggle-flag at transformer.attention
// FLAG-NOT: {causal}
// FLAG: return

// OPTIONAL: drop-optional at transformer.matmul
// OPTIONAL: transformer.matmul %arg0, %arg1 residual %arg0
// OPTIONAL: drop-optional at transformer.matmul
// OPTIONAL: transformer.matmul %arg0, %arg1 bias %arg2 {
// OPTIONAL: drop-optional at transformer.rms_norm
// OPTIONAL: transformer.rms_norm %{{[0-9]+}} {

// KIND: activation<gelu_tanh>
// NUMBER: epsilon = 9.99999974E-6
// SCALE: scale = 1.000000e+00
// SCALE: scale = 0.000000e+00
// INPUTS: exchange-inputs at transformer.matmul
// INPUTS: transformer.matmul %arg1, %arg0
// INPUTS: exchange-inputs at transformer.attention
// INPUTS: transformer.attention %arg4, %arg3, %arg4
// SKIP: skip-operation at transformer.matmul
// SKIP-NOT: transformer.matmul %
// SKIP: transformer.rms_norm %arg0
