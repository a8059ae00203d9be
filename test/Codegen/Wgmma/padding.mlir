// Factors with zeros around them are read where they are, by strategy wgmma: tensor maps have zeros beyond the tensor and in front of it.
// RUN: forge-opt %s --split-input-file --forge-pipeline="target=cuda:sm_90a tier=optimized to=gpu" | FileCheck %s
// RUN: forge-opt %s --split-input-file --forge-pipeline="target=cuda:sm_80 tier=optimized to=kernels" | FileCheck %s --check-prefix=OLDER

// Older chips write padded images.
// OLDER: func.func private @elementwise(%{{.*}}: tensor<2x14x16x64xbf16>, %{{.*}}: tensor<2x16x18x64xbf16>)

// The image's own dimensions, and a box of 8 rows of 16 places; columns of windows are a step of the sum by themselves.
// CHECK-LABEL: func.func @stride_one
// CHECK: memref.reinterpret_cast %{{.*}} to offset: [0], sizes: [2, 14, 16, 64], strides: [14336, 1024, 64, 1]
// CHECK: memref.reinterpret_cast %{{.*}} to offset: [0], sizes: [3, 3, 64, 128], strides: [24576, 8192, 128, 1]
// CHECK: gpu.launch_func {{ *}}@kernels::@contraction
// CHECK-NOT: gpu.launch_func
// CHECK: return
func.func @stride_one(%x: tensor<2x14x16x64xbf16>, %k: tensor<3x3x64x128xbf16>) -> tensor<2x14x16x128xbf16> {
  %y = stablehlo.convolution(%x, %k) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {pad = [[1, 1], [1, 1]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x14x16x64xbf16>, tensor<3x3x64x128xbf16>) -> tensor<2x14x16x128xbf16>
  return %y : tensor<2x14x16x128xbf16>
}

// -----

// Every second place: pairs of rows and of columns, the places of a pair of columns with the features.
// CHECK-LABEL: func.func @stride_two
// CHECK: memref.reinterpret_cast %{{.*}} to offset: [0], sizes: [2, 8, 2, 8, 128], strides: [16384, 2048, 1024, 128, 1]
// CHECK: gpu.launch_func {{ *}}@kernels::@contraction
// CHECK-NOT: gpu.launch_func
// CHECK: return
func.func @stride_two(%x: tensor<2x16x16x64xbf16>, %k: tensor<3x3x64x128xbf16>) -> tensor<2x8x8x128xbf16> {
  %y = stablehlo.convolution(%x, %k) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [2, 2], pad = [[1, 1], [1, 1]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x16x16x64xbf16>, tensor<3x3x64x128xbf16>) -> tensor<2x8x8x128xbf16>
  return %y : tensor<2x8x8x128xbf16>
}

// -----

// One image: the tensor that is surrounded has one dimension less at first.
// CHECK-LABEL: func.func @one_image
// CHECK: memref.reinterpret_cast %{{.*}} to offset: [0], sizes: [14, 16, 64], strides: [1024, 64, 1]
// CHECK: gpu.launch_func {{ *}}@kernels::@contraction
// CHECK-NOT: gpu.launch_func
// CHECK: return
func.func @one_image(%x: tensor<1x14x16x64xbf16>, %k: tensor<3x3x64x128xbf16>) -> tensor<1x16x15x128xbf16> {
  %y = stablehlo.convolution(%x, %k) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {pad = [[0, 4], [1, 0]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x14x16x64xbf16>, tensor<3x3x64x128xbf16>) -> tensor<1x16x15x128xbf16>
  return %y : tensor<1x16x15x128xbf16>
}

// -----

// Two convolutions of one image: each reads it through its padding.
// CHECK-LABEL: func.func @two_products
// CHECK-COUNT-2: gpu.launch_func {{ *}}@kernels::@contraction
// CHECK-NOT: gpu.launch_func
// CHECK: return
func.func @two_products(%x: tensor<2x14x16x64xbf16>, %k: tensor<3x3x64x128xbf16>, %l: tensor<3x3x64x64xbf16>) -> (tensor<2x14x16x128xbf16>, tensor<2x14x16x64xbf16>) {
  %y = stablehlo.convolution(%x, %k) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {pad = [[1, 1], [1, 1]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x14x16x64xbf16>, tensor<3x3x64x128xbf16>) -> tensor<2x14x16x128xbf16>
  %z = stablehlo.convolution(%x, %l) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {pad = [[1, 1], [1, 1]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x14x16x64xbf16>, tensor<3x3x64x64xbf16>) -> tensor<2x14x16x64xbf16>
  return %y, %z : tensor<2x14x16x128xbf16>, tensor<2x14x16x64xbf16>
}

// -----

// What follows a convolution stays with it, and the next one reads its result through the padding.
// CHECK-LABEL: func.func @chain
// CHECK-COUNT-2: gpu.launch_func {{ *}}@kernels::@contraction
// CHECK-NOT: gpu.launch_func
// CHECK: return
func.func @chain(%x: tensor<2x14x16x64xbf16>, %k: tensor<3x3x64x64xbf16>, %l: tensor<3x3x64x64xbf16>) -> tensor<2x14x16x64xbf16> {
  %zero = stablehlo.constant dense<0.0> : tensor<2x14x16x64xbf16>
  %y = stablehlo.convolution(%x, %k) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {pad = [[1, 1], [1, 1]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x14x16x64xbf16>, tensor<3x3x64x64xbf16>) -> tensor<2x14x16x64xbf16>
  %r = stablehlo.maximum %y, %zero : tensor<2x14x16x64xbf16>
  %z = stablehlo.convolution(%r, %l) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {pad = [[1, 1], [1, 1]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x14x16x64xbf16>, tensor<3x3x64x64xbf16>) -> tensor<2x14x16x64xbf16>
  return %z : tensor<2x14x16x64xbf16>
}
