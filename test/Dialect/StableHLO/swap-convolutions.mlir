// Convolutions whose kernel has more places than their image are by the image.
// RUN: forge-opt %s --forge-swap-convolutions | FileCheck %s
// RUN: forge verify %s --function input --target sim:sm_90a
// RUN: forge verify %s --function weights --target sim:sm_90a
// RUN: forge verify %s --function feature_groups --target sim:sm_90a
// RUN: forge verify %s --function batch_groups --target sim:sm_90a
// RUN: forge verify %s --function batch_groups --target sim:gfx942
// RUN: forge verify %s --function reversed --target sim:sm_90a

// The kernel of seven by seven places, two apart, is the image, turned round since the result has more elements.
// CHECK-LABEL: @input
// CHECK-SAME: %[[X:.*]]: tensor<4x3x3x8xf32>, %[[G:.*]]: tensor<7x7x8x6xf32>
// CHECK: %[[T:.*]] = stablehlo.reverse %[[G]], dims = [0, 1]
// CHECK: stablehlo.convolution(%[[T]], %[[X]]) dim_numbers = [0, 1, f, b]x[o, 0, 1, i]->[f, 0, 1, b], window = {pad = {{\[}}[2, 1], [2, 1]], lhs_dilate = [2, 2], rhs_dilate = [1, 1], reverse = [true, true]}
// CHECK-NOT: reverse %
func.func @input(%x: tensor<4x3x3x8xf32>, %g: tensor<7x7x8x6xf32>) -> tensor<4x14x14x6xf32> {
  %0 = stablehlo.convolution(%x, %g) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {pad = [[12, 11], [12, 11]], rhs_dilate = [2, 2]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<4x3x3x8xf32>, tensor<7x7x8x6xf32>) -> tensor<4x14x14x6xf32>
  return %0 : tensor<4x14x14x6xf32>
}

// The gradient of a transposed convolution's kernel is that of a convolution's: few results, which are turned round.
// CHECK-LABEL: @weights
// CHECK-SAME: %[[X:.*]]: tensor<6x4x4x5xf32>, %[[G:.*]]: tensor<6x8x8x3xf32>
// CHECK: %[[R:.*]] = stablehlo.convolution(%[[G]], %[[X]]) dim_numbers = [f, 0, 1, b]x[i, 0, 1, o]->[0, 1, f, b], window = {pad = {{\[}}[1, 1], [1, 1]], lhs_dilate = [1, 1], rhs_dilate = [2, 2], reverse = [false, false]}
// CHECK: stablehlo.reverse %[[R]], dims = [0, 1] : tensor<4x4x5x3xf32>
func.func @weights(%x: tensor<6x4x4x5xf32>, %g: tensor<6x8x8x3xf32>) -> tensor<4x4x5x3xf32> {
  %0 = stablehlo.convolution(%x, %g) dim_numbers = [f, 0, 1, b]x[i, 0, 1, o]->[0, 1, b, f], window = {pad = [[2, 2], [2, 2]], lhs_dilate = [2, 2]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<6x4x4x5xf32>, tensor<6x8x8x3xf32>) -> tensor<4x4x5x3xf32>
  return %0 : tensor<4x4x5x3xf32>
}

// CHECK-LABEL: @feature_groups
// CHECK: stablehlo.convolution{{.*}}batch_group_count = 3 : i64, feature_group_count = 1 : i64
func.func @feature_groups(%x: tensor<2x3x4x6xf32>, %g: tensor<7x6x2x15xf32>) -> tensor<2x7x6x15xf32> {
  %0 = stablehlo.convolution(%x, %g) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {pad = [[5, 5], [4, 3]]} {batch_group_count = 1 : i64, feature_group_count = 3 : i64} : (tensor<2x3x4x6xf32>, tensor<7x6x2x15xf32>) -> tensor<2x7x6x15xf32>
  return %0 : tensor<2x7x6x15xf32>
}

// CHECK-LABEL: @batch_groups
// CHECK: stablehlo.convolution{{.*}}batch_group_count = 3 : i64, feature_group_count = 1 : i64
func.func @batch_groups(%x: tensor<6x3x4x5xf32>, %g: tensor<7x6x5x12xf32>) -> tensor<2x7x6x12xf32> {
  %0 = stablehlo.convolution(%x, %g) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {pad = [[5, 5], [4, 3]]} {batch_group_count = 3 : i64, feature_group_count = 1 : i64} : (tensor<6x3x4x5xf32>, tensor<7x6x5x12xf32>) -> tensor<2x7x6x12xf32>
  return %0 : tensor<2x7x6x12xf32>
}

// Along a dimension where the kernel is read from its end, the image is, and nothing is turned round.
// CHECK-LABEL: @reversed
// CHECK: stablehlo.convolution(%arg1, %arg0){{.*}}reverse = [true, false]
// CHECK: stablehlo.reverse %{{.*}}, dims = [2] : tensor<2x7x6x15xf32>
func.func @reversed(%x: tensor<2x3x4x6xf32>, %g: tensor<7x6x6x15xf32>) -> tensor<2x7x6x15xf32> {
  %0 = stablehlo.convolution(%x, %g) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {pad = [[5, 5], [4, 3]], reverse = [true, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x3x4x6xf32>, tensor<7x6x6x15xf32>) -> tensor<2x7x6x15xf32>
  return %0 : tensor<2x7x6x15xf32>
}

// Steps of two, or a kernel that is not so much larger: as it is.
// CHECK-LABEL: @strided
// CHECK: stablehlo.convolution(%arg0, %arg1)
func.func @strided(%x: tensor<2x3x3x4xf32>, %g: tensor<7x7x4x5xf32>) -> tensor<2x3x3x5xf32> {
  %0 = stablehlo.convolution(%x, %g) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [2, 2], pad = [[5, 4], [5, 4]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x3x3x4xf32>, tensor<7x7x4x5xf32>) -> tensor<2x3x3x5xf32>
  return %0 : tensor<2x3x3x5xf32>
}
// CHECK-LABEL: @small
// CHECK: stablehlo.convolution(%arg0, %arg1)
func.func @small(%x: tensor<2x3x3x4xf32>, %g: tensor<4x4x4x5xf32>) -> tensor<2x4x4x5xf32> {
  %0 = stablehlo.convolution(%x, %g) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {pad = [[2, 2], [2, 2]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x3x3x4xf32>, tensor<4x4x4x5xf32>) -> tensor<2x4x4x5xf32>
  return %0 : tensor<2x4x4x5xf32>
}
