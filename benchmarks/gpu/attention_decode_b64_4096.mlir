// bytes: 1073741824
func.func @main(%q: tensor<64x32x1x128xbf16>, %k: tensor<64x8x4096x128xbf16>, %v: tensor<64x8x4096x128xbf16>) -> tensor<64x32x1x128xbf16> {
  %0 = transformer.attention %q, %k, %v : (tensor<64x32x1x128xbf16>, tensor<64x8x4096x128xbf16>, tensor<64x8x4096x128xbf16>) -> tensor<64x32x1x128xbf16>
  return %0 : tensor<64x32x1x128xbf16>
}
