// Windows of an image as tensor maps. Places of the result and of the kernel that move along the same elements share a dimension; the
// rows of a window are one axis with the features where nothing is between them.
// RUN: forge-opt %s --split-input-file --forge-pipeline="target=cuda:sm_90a tier=optimized to=gpu" | FileCheck %s

// Of the padded image [2, 16, 18, 64]: images, rows of places and of windows (14 + 3 - 1), columns of places, elements of a window's row.
// CHECK-LABEL: func.func @main
// CHECK: memref.reinterpret_cast %{{.*}} to offset: [0], sizes: [2, 16, 16, 192], strides: [18432, 1152, 64, 1]
// CHECK: memref.reinterpret_cast %{{.*}} to offset: [0], sizes: [3, 192, 128], strides: [24576, 128, 1]
// CHECK: gpu.launch_func {{ *}}@kernels::@contraction blocks in (%c8, %c1, %c1)
// CHECK-NOT: gpu.launch_func
// CHECK: return
// A tile's 128 rows are 8 rows of 16 places of one image: two of them, times two for the columns, of each image.
// CHECK: gpu.func @contraction
// CHECK: nvvm.cp.async.bulk.tensor.shared.cluster.global
func.func @main(%x: tensor<2x16x18x64xbf16>, %k: tensor<3x3x64x128xbf16>) -> tensor<2x14x16x128xbf16> {
  %y = stablehlo.convolution(%x, %k) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x16x18x64xbf16>, tensor<3x3x64x128xbf16>) -> tensor<2x14x16x128xbf16>
  return %y : tensor<2x14x16x128xbf16>
}

// -----

// Every second place: rows of windows have a dimension of their own, since a box takes every second row.
// CHECK-LABEL: func.func @main
// CHECK: memref.reinterpret_cast %{{.*}} to offset: [0], sizes: [2, 8, 3, 8, 192], strides: [18496, 2176, 1088, 128, 1]
// CHECK: gpu.launch_func {{ *}}@kernels::@contraction
func.func @main(%x: tensor<2x17x17x64xbf16>, %k: tensor<3x3x64x128xbf16>) -> tensor<2x8x8x128xbf16> {
  %y = stablehlo.convolution(%x, %k) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [2, 2]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x17x17x64xbf16>, tensor<3x3x64x128xbf16>) -> tensor<2x8x8x128xbf16>
  return %y : tensor<2x8x8x128xbf16>
}

// -----

// Gaps in windows: their columns and features are not one axis.
// CHECK-LABEL: func.func @main
// CHECK: memref.reinterpret_cast %{{.*}} to offset: [0], sizes: [2, 18, 18, 64], strides: [20736, 1152, 64, 1]
func.func @main(%x: tensor<2x18x18x64xbf16>, %k: tensor<3x3x64x128xbf16>) -> tensor<2x14x14x128xbf16> {
  %y = stablehlo.convolution(%x, %k) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {rhs_dilate = [2, 2]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x18x18x64xbf16>, tensor<3x3x64x128xbf16>) -> tensor<2x14x14x128xbf16>
  return %y : tensor<2x14x14x128xbf16>
}

// -----

// Of four axes of rows a tile spans the three inner ones: 2 x 8 x 8 places of one image, two tiles of each of both, and of 64 columns.
// CHECK-LABEL: func.func @main
// CHECK: gpu.launch_func {{ *}}@kernels::@contraction blocks in (%c8, %c1, %c1)
// CHECK: return
func.func @main(%x: tensor<2x6x10x10x64xbf16>, %k: tensor<3x3x3x64x128xbf16>) -> tensor<2x4x8x8x128xbf16> {
  %y = stablehlo.convolution(%x, %k) dim_numbers = [b, 0, 1, 2, f]x[0, 1, 2, i, o]->[b, 0, 1, 2, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x6x10x10x64xbf16>, tensor<3x3x3x64x128xbf16>) -> tensor<2x4x8x8x128xbf16>
  return %y : tensor<2x4x8x8x128xbf16>
}
