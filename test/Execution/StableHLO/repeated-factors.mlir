// Gradients of a mean over tokens: what they multiply is repeated for each token (forge-sum-repeated-factors).
// RUN: forge verify %s --function main --each-stage
// RUN: forge verify %s --function main --target sim:sm_90a
// RUN: forge verify %s --function main --target sim:gfx942
// RUN: forge verify %s --function negated --each-stage
// RUN: forge verify %s --function negated --target sim:sm_90a
// RUN: forge compile %s --function main --target sim:sm_90a --to kernels -o - | FileCheck %s
// No product is computed for each of 19 tokens: 4 * 19 * 40 results of 24 terms, and 24 * 40 of 4 * 19.
// CHECK-NOT: iterator_types = ["parallel", "parallel", "parallel", "reduction"]
// CHECK-NOT: iterator_types = ["parallel", "parallel", "reduction", "reduction"]
func.func @main(%g: tensor<4x24xbf16>, %w: tensor<40x24xbf16>, %x: tensor<4x19x40xbf16>) -> (tensor<4x19x40xbf16>, tensor<24x40xbf16>) {
  %0 = stablehlo.broadcast_in_dim %g, dims = [0, 2] : (tensor<4x24xbf16>) -> tensor<4x19x24xbf16>
  %1 = stablehlo.dot_general %0, %w, contracting_dims = [2] x [1] : (tensor<4x19x24xbf16>, tensor<40x24xbf16>) -> tensor<4x19x40xbf16>
  %2 = stablehlo.multiply %1, %x : tensor<4x19x40xbf16>
  %3 = stablehlo.dot_general %0, %x, contracting_dims = [0, 1] x [0, 1] : (tensor<4x19x24xbf16>, tensor<4x19x40xbf16>) -> tensor<24x40xbf16>
  return %2, %3 : tensor<4x19x40xbf16>, tensor<24x40xbf16>
}
// A product that is negated before it is added.
func.func @negated(%g: tensor<4x24xf32>, %x: tensor<4x19x40xf32>) -> tensor<24x40xf32> {
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.broadcast_in_dim %g, dims = [0, 2] : (tensor<4x24xf32>) -> tensor<4x19x24x40xf32>
  %e = stablehlo.exponential %x : tensor<4x19x40xf32>
  %1 = stablehlo.broadcast_in_dim %e, dims = [0, 1, 3] : (tensor<4x19x40xf32>) -> tensor<4x19x24x40xf32>
  %m = stablehlo.multiply %0, %1 : tensor<4x19x24x40xf32>
  %n = stablehlo.negate %m : tensor<4x19x24x40xf32>
  %3 = stablehlo.reduce(%n init: %z) applies stablehlo.add across dimensions = [0, 1] : (tensor<4x19x24x40xf32>, tensor<f32>) -> tensor<24x40xf32>
  return %3 : tensor<24x40xf32>
}
