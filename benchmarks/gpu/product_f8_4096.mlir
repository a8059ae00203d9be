// product of 8-bit floats: 4096 x 4096 x 4096, scaled
func.func @main(%x: tensor<4096x4096xf8E4M3FN>, %w: tensor<4096x4096xf8E4M3FN>, %scale: tensor<f32>) -> tensor<4096x4096xbf16> {
  %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [1] : (tensor<4096x4096xf8E4M3FN>, tensor<4096x4096xf8E4M3FN>) -> tensor<4096x4096xf32>
  %s = stablehlo.broadcast_in_dim %scale, dims = [] : (tensor<f32>) -> tensor<4096x4096xf32>
  %1 = stablehlo.multiply %0, %s : tensor<4096x4096xf32>
  %2 = stablehlo.convert %1 : (tensor<4096x4096xf32>) -> tensor<4096x4096xbf16>
  return %2 : tensor<4096x4096xbf16>
}
