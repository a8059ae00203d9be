// flops: 1099511627776
func.func @main(%q: tensor<4x32x4096x128xbf16>, %k: tensor<4x8x4096x128xbf16>, %v: tensor<4x8x4096x128xbf16>) -> tensor<4x32x4096x128xbf16> {
  %0 = transformer.attention %q, %k, %v : (tensor<4x32x4096x128xbf16>, tensor<4x8x4096x128xbf16>, tensor<4x8x4096x128xbf16>) -> tensor<4x32x4096x128xbf16>
  return %0 : tensor<4x32x4096x128xbf16>
}
