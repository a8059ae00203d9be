// flops: 171798691840
func.func @main(%x: tensor<16x4096x512xbf16>, %w: tensor<5x512x512xbf16>) -> tensor<16x4096x512xbf16> {
  %0 = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {stride = [1], pad = [[2, 2]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<16x4096x512xbf16>, tensor<5x512x512xbf16>) -> tensor<16x4096x512xbf16>
  return %0 : tensor<16x4096x512xbf16>
}
