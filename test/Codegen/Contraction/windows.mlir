// A convolution whose neighbours in memory are many is multiplied where its image is, without patches: strides, dilation,
// padding, several images, columns that do not fill a tile.
// RUN: forge verify %s --target cpu
// RUN: forge compile %s --target cpu --to loops -o - | FileCheck %s
// RUN: forge compile %s --target cpu --to lower -o - | FileCheck %s --check-prefix=LOWER
// CHECK-DAG: affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d0, d1 + d4, d2 + d5, d6)>
// CHECK-DAG: affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d0, d1 * 2 + d4, d2 * 2 + d5 * 2, d6)>
// Seven places in a row are few: patches.
// CHECK: tensor<1x7x7x3x3x32xf32>
// LOWER: call @contraction_f32_
// LOWER: call @contraction_f32_
// LOWER: call @contraction_f32_
// LOWER-NOT: linalg.
func.func @main(%x: tensor<2x15x17x32xf32>, %k: tensor<3x3x32x40xf32>, %l: tensor<3x2x32x24xf32>, %y: tensor<1x7x7x32xf32>) -> (tensor<2x15x17x40xf32>, tensor<2x7x17x24xf32>, tensor<1x7x7x40xf32>) {
  %0 = stablehlo.convolution(%x, %k) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {pad = [[1, 1], [1, 1]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x15x17x32xf32>, tensor<3x3x32x40xf32>) -> tensor<2x15x17x40xf32>
  %1 = stablehlo.convolution(%x, %l) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [2, 2], pad = [[0, 0], [9, 9]], rhs_dilate = [1, 2]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x15x17x32xf32>, tensor<3x2x32x24xf32>) -> tensor<2x7x17x24xf32>
  %2 = stablehlo.convolution(%y, %k) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {pad = [[1, 1], [1, 1]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x7x7x32xf32>, tensor<3x3x32x40xf32>) -> tensor<1x7x7x40xf32>
  return %0, %1, %2 : tensor<2x15x17x40xf32>, tensor<2x7x17x24xf32>, tensor<1x7x7x40xf32>
}
