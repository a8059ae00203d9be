// product: 4096 x 16384 x 4096
func.func @main(%x: tensor<4096x4096xbf16>, %w: tensor<16384x4096xbf16>, %b: tensor<16384xbf16>) -> tensor<4096x16384xbf16> {
  %0 = transformer.matmul %x, %w bias %b {activation = #transformer.activation<gelu_tanh>, transpose_rhs} : (tensor<4096x4096xbf16>, tensor<16384x4096xbf16>, tensor<16384xbf16>) -> tensor<4096x16384xbf16>
  return %0 : tensor<4096x16384xbf16>
}
