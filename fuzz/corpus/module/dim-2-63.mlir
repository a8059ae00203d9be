func.func @transposed_rhs(%a: tensor<2x4x8xf32>, %b: tensor<2x3x8xf32>) -> tensor<2x4x3xf32> {
  %0 = stablehlo.dot_general %a, %b, batching_dims = [0] x [9223372036854775807], contracting_dims = [2] x [2] : (tensor<2x4x8xf32>, tensor<2x3x8xf32>) -> tensor<2x4x3xf32>
  return %0 : tensor<2x4x3xf32>
}
