// bytes: 134217728
func.func @main(%q: tensor<1x32x1x128xbf16>, %k: tensor<1x8x32768x128xbf16>, %v: tensor<1x8x32768x128xbf16>) -> tensor<1x32x1x128xbf16> {
  %0 = transformer.attention %q, %k, %v : (tensor<1x32x1x128xbf16>, tensor<1x8x32768x128xbf16>, tensor<1x8x32768x128xbf16>) -> tensor<1x32x1x128xbf16>
  return %0 : tensor<1x32x1x128xbf16>
}
