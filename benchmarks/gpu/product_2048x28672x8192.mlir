// product: 2048 x 28672 x 8192
func.func @main(%x: tensor<2048x8192xbf16>, %w: tensor<28672x8192xbf16>) -> tensor<2048x28672xbf16> {
  %0 = transformer.matmul %x, %w {transpose_rhs} : (tensor<2048x8192xbf16>, tensor<28672x8192xbf16>) -> tensor<2048x28672xbf16>
  return %0 : tensor<2048x28672xbf16>
}
