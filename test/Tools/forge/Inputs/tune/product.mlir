func.func @main(%x: tensor<64x96xbf16>, %w: tensor<96x64xbf16>) -> tensor<64x64xbf16> {
  %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<64x96xbf16>, tensor<96x64xbf16>) -> tensor<64x64xbf16>
  %1 = transformer.softmax %0 {dimension = 1 : i64} : tensor<64x64xbf16>
  return %1 : tensor<64x64xbf16>
}
