// A size that is dynamic in the type and a constant in the shape: an operand of expand_shape, which the canonical form expects.
// RUN: forge compile %s --to linalg -o - | FileCheck %s
// CHECK: tensor.expand_shape {{.*}} output_shape [2, 5, 12]
func.func @main(%i: tensor<2x60xf32>) -> tensor<?x5x12xf32> {
  %m = stablehlo.constant dense<[2, 5, 12]> : tensor<3xi32>
  %y = stablehlo.dynamic_reshape %i, %m : (tensor<2x60xf32>, tensor<3xi32>) -> tensor<?x5x12xf32>
  return %y : tensor<?x5x12xf32>
}
