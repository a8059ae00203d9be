// bytes: 1050937856
func.func @main(%x: tensor<1x4096xbf16>, %w: tensor<128256x4096xbf16>) -> tensor<1x128256xbf16> {
  %0 = transformer.matmul %x, %w {transpose_rhs} : (tensor<1x4096xbf16>, tensor<128256x4096xbf16>) -> tensor<1x128256xbf16>
  return %0 : tensor<1x128256xbf16>
}
