// bytes: 117587968
func.func @main(%x: tensor<4x4096xbf16>, %w: tensor<14336x4096xbf16>) -> tensor<4x14336xbf16> {
  %0 = transformer.matmul %x, %w {transpose_rhs} : (tensor<4x4096xbf16>, tensor<14336x4096xbf16>) -> tensor<4x14336xbf16>
  return %0 : tensor<4x14336xbf16>
}
