// One window in a padded image that is larger than it: the loop over windows wrote beyond the matrix of windows.
// RUN: forge verify %s --target cpu
// RUN: forge verify %s --target sim:sm_90a
// RUN: forge verify %s --target sim:gfx942
func.func @main(%image: tensor<1x3x2x2xf32>, %kernel: tensor<4x3x7x7xf32>) -> tensor<1x4x1x1xf32> {
  %0 = stablehlo.convolution(%image, %kernel) dim_numbers = [b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1], window = {stride = [2, 2], pad = [[3, 3], [3, 3]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x3x2x2xf32>, tensor<4x3x7x7xf32>) -> tensor<1x4x1x1xf32>
  return %0 : tensor<1x4x1x1xf32>
}
