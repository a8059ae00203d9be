// product: 4096 x 4096 x 4096
func.func @main(%x: tensor<4096x4096xbf16>, %w: tensor<4096x4096xbf16>) -> tensor<4096x4096xbf16> {
  %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [1] : (tensor<4096x4096xbf16>, tensor<4096x4096xbf16>) -> tensor<4096x4096xf32>
  %c = stablehlo.constant dense<3.0e+01> : tensor<4096x4096xf32>
  %1 = stablehlo.divide %0, %c : tensor<4096x4096xf32>
  %2 = stablehlo.tanh %1 : tensor<4096x4096xf32>
  %3 = stablehlo.multiply %2, %c : tensor<4096x4096xf32>
  %4 = stablehlo.convert %3 : (tensor<4096x4096xf32>) -> tensor<4096x4096xbf16>
  return %4 : tensor<4096x4096xbf16>
}
