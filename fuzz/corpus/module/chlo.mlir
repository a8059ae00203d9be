func.func @main(%a: tensor<4x9xf32>) -> (tensor<4x3xf32>, tensor<4x3xi32>) {
  %0 = chlo.erf %a : tensor<4x9xf32> -> tensor<4x9xf32>
  %v, %i = chlo.top_k(%0, k = 3) : tensor<4x9xf32> -> (tensor<4x3xf32>, tensor<4x3xi32>)
  return %v, %i : tensor<4x3xf32>, tensor<4x3xi32>
}
