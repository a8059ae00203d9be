// bytes: 2147483648
func.func @main(%q: tensor<16x32x1x128xbf16>, %k: tensor<16x8x32768x128xbf16>, %v: tensor<16x8x32768x128xbf16>) -> tensor<16x32x1x128xbf16> {
  %0 = transformer.attention %q, %k, %v : (tensor<16x32x1x128xbf16>, tensor<16x8x32768x128xbf16>, tensor<16x8x32768x128xbf16>) -> tensor<16x32x1x128xbf16>
  return %0 : tensor<16x32x1x128xbf16>
}
