// product: 16 x 14336 x 4096
func.func @main(%x: tensor<16x4096xbf16>, %w: tensor<14336x4096xbf16>) -> tensor<16x14336xbf16> {
  %0 = transformer.matmul %x, %w {transpose_rhs} : (tensor<16x4096xbf16>, tensor<14336x4096xbf16>) -> tensor<16x14336xbf16>
  return %0 : tensor<16x14336xbf16>
}
