func.func @main(%x: tensor<512x1024xbf16>, %w: tensor<1024x4096xbf16>, %b: tensor<512x4096xbf16>) -> tensor<512x4096xbf16> {
  %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<512x1024xbf16>, tensor<1024x4096xbf16>) -> tensor<512x4096xbf16>
  %1 = stablehlo.multiply %0, %b : tensor<512x4096xbf16>
  %2 = transformer.softmax %1 {dimension = 1 : i64} : tensor<512x4096xbf16>
  return %2 : tensor<512x4096xbf16>
}
