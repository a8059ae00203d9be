func.func @main(%x: tensor<1x4096xbf16>, %w: tensor<4096x4096xi8>, %s: tensor<4096xf32>) -> tensor<1x4096xbf16> {
  %0 = transformer.linear %x, %w scale %s : (tensor<1x4096xbf16>, tensor<4096x4096xi8>, tensor<4096xf32>) -> tensor<1x4096xbf16>
  return %0 : tensor<1x4096xbf16>
}
