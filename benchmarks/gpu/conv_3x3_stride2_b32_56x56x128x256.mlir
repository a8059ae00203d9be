// flops: 14797504512
func.func @main(%x: tensor<32x56x56x128xbf16>, %w: tensor<3x3x128x256xbf16>) -> tensor<32x28x28x256xbf16> {
  %0 = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [2, 2], pad = [[1, 1], [1, 1]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<32x56x56x128xbf16>, tensor<3x3x128x256xbf16>) -> tensor<32x28x28x256xbf16>
  return %0 : tensor<32x28x28x256xbf16>
}
