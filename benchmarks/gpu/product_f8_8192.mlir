// product of 8-bit floats: 8192 x 8192 x 8192, scaled
func.func @main(%x: tensor<8192x8192xf8E4M3FN>, %w: tensor<8192x8192xf8E4M3FN>, %scale: tensor<f32>) -> tensor<8192x8192xbf16> {
  %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [1] : (tensor<8192x8192xf8E4M3FN>, tensor<8192x8192xf8E4M3FN>) -> tensor<8192x8192xf32>
  %s = stablehlo.broadcast_in_dim %scale, dims = [] : (tensor<f32>) -> tensor<8192x8192xf32>
  %1 = stablehlo.multiply %0, %s : tensor<8192x8192xf32>
  %2 = stablehlo.convert %1 : (tensor<8192x8192xf32>) -> tensor<8192x8192xbf16>
  return %2 : tensor<8192x8192xbf16>
}
