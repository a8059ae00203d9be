func.func @main(%a: tensor<16x64xf64>, %b: tensor<64x4xf64>) -> tensor<16x4xf64> {
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<16x64xf64>, tensor<64x4xf64>) -> tensor<16x4xf64>
  return %0 : tensor<16x4xf64>
}
