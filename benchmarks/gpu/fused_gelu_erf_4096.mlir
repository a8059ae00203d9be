// product: 4096 x 4096 x 4096
func.func @main(%x: tensor<4096x4096xbf16>, %w: tensor<4096x4096xbf16>, %b: tensor<4096xbf16>) -> tensor<4096x4096xbf16> {
  %0 = transformer.matmul %x, %w bias %b {activation = #transformer.activation<gelu>, transpose_rhs} : (tensor<4096x4096xbf16>, tensor<4096x4096xbf16>, tensor<4096xbf16>) -> tensor<4096x4096xbf16>
  return %0 : tensor<4096x4096xbf16>
}
