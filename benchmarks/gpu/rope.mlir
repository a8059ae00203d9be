// bytes: 268435456
func.func @main(%x: tensor<4x32x4096x128xbf16>, %p: tensor<4096xi32>) -> tensor<4x32x4096x128xbf16> {
  %0 = transformer.rope %x positions %p : (tensor<4x32x4096x128xbf16>, tensor<4096xi32>) -> tensor<4x32x4096x128xbf16>
  return %0 : tensor<4x32x4096x128xbf16>
}
