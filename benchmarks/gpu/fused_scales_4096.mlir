// product: 4096 x 4096 x 4096
// Dequantisation: a scale for each row and for each column.
func.func @main(%x: tensor<4096x4096xbf16>, %w: tensor<4096x4096xbf16>, %s: tensor<4096xf32>, %t: tensor<4096xf32>) -> tensor<4096x4096xbf16> {
  %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [1] : (tensor<4096x4096xbf16>, tensor<4096x4096xbf16>) -> tensor<4096x4096xf32>
  %1 = stablehlo.broadcast_in_dim %s, dims = [0] : (tensor<4096xf32>) -> tensor<4096x4096xf32>
  %2 = stablehlo.broadcast_in_dim %t, dims = [1] : (tensor<4096xf32>) -> tensor<4096x4096xf32>
  %3 = stablehlo.multiply %0, %1 : tensor<4096x4096xf32>
  %4 = stablehlo.multiply %3, %2 : tensor<4096x4096xf32>
  %5 = stablehlo.convert %4 : (tensor<4096x4096xf32>) -> tensor<4096x4096xbf16>
  return %5 : tensor<4096x4096xbf16>
}
