// bytes: 117477376
func.func @main(%x: tensor<1x4096xbf16>, %w: tensor<14336x4096xbf16>) -> tensor<1x14336xbf16> {
  %0 = transformer.matmul %x, %w {transpose_rhs} : (tensor<1x4096xbf16>, tensor<14336x4096xbf16>) -> tensor<1x14336xbf16>
  return %0 : tensor<1x14336xbf16>
}
