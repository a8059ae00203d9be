// Convolutions of few features are computed by threads that read windows of the input: no patches.
// RUN: forge verify %s --function stencil --target sim:sm_90a --reproducer-dir %t
// RUN: forge verify %s --function stencil --target sim:gfx942 --reproducer-dir %t
// RUN: forge verify %s --function one_to_four --target sim:sm_90a --reproducer-dir %t
// RUN: forge verify %s --function one_to_four --target sim:gfx942 --reproducer-dir %t
// RUN: forge verify %s --function three_to_three --target sim:sm_90a --reproducer-dir %t
// RUN: forge verify %s --function three_to_three --target sim:gfx942 --reproducer-dir %t
// RUN: forge verify %s --function strided --target sim:sm_90a --reproducer-dir %t
// RUN: forge verify %s --function strided --target sim:gfx942 --reproducer-dir %t
// RUN: forge verify %s --function dilated --target sim:sm_90a --reproducer-dir %t
// RUN: forge verify %s --function dilated --target sim:gfx942 --reproducer-dir %t
// RUN: forge verify %s --function features_outside --target sim:sm_90a --reproducer-dir %t
// RUN: forge verify %s --function features_outside --target sim:gfx942 --reproducer-dir %t
// RUN: forge verify %s --function lines --target sim:sm_90a --reproducer-dir %t
// RUN: forge verify %s --function lines --target sim:gfx942 --reproducer-dir %t
// RUN: forge verify %s --function lines_outside --target sim:sm_90a --reproducer-dir %t
// RUN: forge verify %s --function lines_outside --target sim:gfx942 --reproducer-dir %t
// RUN: forge verify %s --function volumes --target sim:sm_90a --reproducer-dir %t
// RUN: forge verify %s --function volumes --target sim:gfx942 --reproducer-dir %t
// RUN: forge verify %s --function halves --target sim:sm_90a --reproducer-dir %t
// RUN: forge verify %s --function halves --target sim:gfx942 --reproducer-dir %t
// RUN: forge verify %s --function one_row --target sim:sm_90a --reproducer-dir %t
// RUN: forge verify %s --function one_row --target sim:gfx942 --reproducer-dir %t
// RUN: forge verify %s --function flat_kernel --target sim:sm_90a --reproducer-dir %t
// RUN: forge verify %s --function flat_kernel --target sim:gfx942 --reproducer-dir %t
// RUN: forge verify %s --function stencil --target cpu --reproducer-dir %t
// RUN: forge verify %s --function features_outside --target cpu --reproducer-dir %t
// RUN: forge verify %s --function halves --target cpu --reproducer-dir %t
// RUN: forge verify %s --function stencil --target sim:sm_90a --each-stage
// RUN: forge explain %s --function stencil --target cuda:sm_90a | FileCheck %s
// RUN: forge explain %s --function one_to_four --target cuda:sm_90a | FileCheck %s
// RUN: forge explain %s --function features_outside --target cuda:sm_90a | FileCheck %s
// RUN: forge explain %s --function halves --target cuda:sm_90a | FileCheck %s
// RUN: forge explain %s --function stencil --target hip:gfx942 | FileCheck %s

// The sums with what follows; zeros around the input are not written.
// CHECK: {{^}}{{rows|contraction}}, 1 launch: generic;
// CHECK: {{^}}1 kernel;

// One channel and one feature, with what follows.
func.func @stencil(%x: tensor<2x64x64x1xf32>, %k: tensor<3x3x1x1xf32>, %b: tensor<2x64x64x1xf32>) -> tensor<2x64x64x1xf32> {
  %0 = stablehlo.convolution(%x, %k) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {pad = [[1, 1], [1, 1]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x64x64x1xf32>, tensor<3x3x1x1xf32>) -> tensor<2x64x64x1xf32>
  %1 = stablehlo.tanh %b : tensor<2x64x64x1xf32>
  %2 = stablehlo.multiply %0, %1 : tensor<2x64x64x1xf32>
  return %2 : tensor<2x64x64x1xf32>
}

// Four features side by side.
func.func @one_to_four(%x: tensor<2x64x64x1xf32>, %k: tensor<3x3x1x4xf32>, %b: tensor<2x64x64x4xf32>) -> tensor<2x64x64x4xf32> {
  %0 = stablehlo.convolution(%x, %k) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {pad = [[1, 1], [1, 1]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x64x64x1xf32>, tensor<3x3x1x4xf32>) -> tensor<2x64x64x4xf32>
  %1 = stablehlo.tanh %b : tensor<2x64x64x4xf32>
  %2 = stablehlo.multiply %0, %1 : tensor<2x64x64x4xf32>
  return %2 : tensor<2x64x64x4xf32>
}

// Three of both.
func.func @three_to_three(%x: tensor<2x33x47x3xf32>, %k: tensor<3x3x3x3xf32>, %b: tensor<2x33x47x3xf32>) -> tensor<2x33x47x3xf32> {
  %0 = stablehlo.convolution(%x, %k) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {pad = [[1, 1], [1, 1]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x33x47x3xf32>, tensor<3x3x3x3xf32>) -> tensor<2x33x47x3xf32>
  %1 = stablehlo.tanh %b : tensor<2x33x47x3xf32>
  %2 = stablehlo.multiply %0, %1 : tensor<2x33x47x3xf32>
  return %2 : tensor<2x33x47x3xf32>
}

// Every second place.
func.func @strided(%x: tensor<2x65x65x1xf32>, %k: tensor<3x3x1x2xf32>, %b: tensor<2x32x32x2xf32>) -> tensor<2x32x32x2xf32> {
  %0 = stablehlo.convolution(%x, %k) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [2, 2]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x65x65x1xf32>, tensor<3x3x1x2xf32>) -> tensor<2x32x32x2xf32>
  %1 = stablehlo.tanh %b : tensor<2x32x32x2xf32>
  %2 = stablehlo.multiply %0, %1 : tensor<2x32x32x2xf32>
  return %2 : tensor<2x32x32x2xf32>
}

// Kernels with gaps.
func.func @dilated(%x: tensor<2x64x64x2xf32>, %k: tensor<3x3x2x1xf32>, %b: tensor<2x64x64x1xf32>) -> tensor<2x64x64x1xf32> {
  %0 = stablehlo.convolution(%x, %k) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {pad = [[2, 2], [2, 2]], rhs_dilate = [2, 2]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x64x64x2xf32>, tensor<3x3x2x1xf32>) -> tensor<2x64x64x1xf32>
  %1 = stablehlo.tanh %b : tensor<2x64x64x1xf32>
  %2 = stablehlo.multiply %0, %1 : tensor<2x64x64x1xf32>
  return %2 : tensor<2x64x64x1xf32>
}

// Features outermost: the result is written as it is read.
func.func @features_outside(%x: tensor<2x3x40x64xf32>, %k: tensor<3x3x3x3xf32>, %b: tensor<2x3x40x64xf32>) -> tensor<2x3x40x64xf32> {
  %0 = stablehlo.convolution(%x, %k) dim_numbers = [b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1], window = {pad = [[1, 1], [1, 1]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x3x40x64xf32>, tensor<3x3x3x3xf32>) -> tensor<2x3x40x64xf32>
  %1 = stablehlo.tanh %b : tensor<2x3x40x64xf32>
  %2 = stablehlo.multiply %0, %1 : tensor<2x3x40x64xf32>
  return %2 : tensor<2x3x40x64xf32>
}

// One dimension.
func.func @lines(%x: tensor<4x2048x1xf32>, %k: tensor<5x1x1xf32>, %b: tensor<4x2048x1xf32>) -> tensor<4x2048x1xf32> {
  %0 = stablehlo.convolution(%x, %k) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {pad = [[2, 2]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<4x2048x1xf32>, tensor<5x1x1xf32>) -> tensor<4x2048x1xf32>
  %1 = stablehlo.tanh %b : tensor<4x2048x1xf32>
  %2 = stablehlo.multiply %0, %1 : tensor<4x2048x1xf32>
  return %2 : tensor<4x2048x1xf32>
}

// One dimension, features outermost.
func.func @lines_outside(%x: tensor<4x3x1024xf32>, %k: tensor<2x3x5xf32>, %b: tensor<4x2x1024xf32>) -> tensor<4x2x1024xf32> {
  %0 = stablehlo.convolution(%x, %k) dim_numbers = [b, f, 0]x[o, i, 0]->[b, f, 0], window = {pad = [[2, 2]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<4x3x1024xf32>, tensor<2x3x5xf32>) -> tensor<4x2x1024xf32>
  %1 = stablehlo.tanh %b : tensor<4x2x1024xf32>
  %2 = stablehlo.multiply %0, %1 : tensor<4x2x1024xf32>
  return %2 : tensor<4x2x1024xf32>
}

// Three dimensions.
func.func @volumes(%x: tensor<1x16x16x16x1xf32>, %k: tensor<3x3x3x1x2xf32>, %b: tensor<1x16x16x16x2xf32>) -> tensor<1x16x16x16x2xf32> {
  %0 = stablehlo.convolution(%x, %k) dim_numbers = [b, 0, 1, 2, f]x[0, 1, 2, i, o]->[b, 0, 1, 2, f], window = {pad = [[1, 1], [1, 1], [1, 1]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x16x16x16x1xf32>, tensor<3x3x3x1x2xf32>) -> tensor<1x16x16x16x2xf32>
  %1 = stablehlo.tanh %b : tensor<1x16x16x16x2xf32>
  %2 = stablehlo.multiply %0, %1 : tensor<1x16x16x16x2xf32>
  return %2 : tensor<1x16x16x16x2xf32>
}

// 16 bits, whose kernel had been padded for tensor maps.
func.func @halves(%x: tensor<2x64x64x3xbf16>, %k: tensor<3x3x3x4xbf16>, %b: tensor<2x64x64x4xbf16>) -> tensor<2x64x64x4xbf16> {
  %0 = stablehlo.convolution(%x, %k) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {pad = [[1, 1], [1, 1]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x64x64x3xbf16>, tensor<3x3x3x4xbf16>) -> tensor<2x64x64x4xbf16>
  %1 = stablehlo.tanh %b : tensor<2x64x64x4xbf16>
  %2 = stablehlo.multiply %0, %1 : tensor<2x64x64x4xbf16>
  return %2 : tensor<2x64x64x4xbf16>
}

// One row of places, and rows of the input that no window reads.
func.func @one_row(%x: tensor<2x4x512x1xf32>, %k: tensor<3x3x1x1xf32>, %b: tensor<2x1x510x1xf32>) -> tensor<2x1x510x1xf32> {
  %0 = stablehlo.convolution(%x, %k) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [2, 1]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x4x512x1xf32>, tensor<3x3x1x1xf32>) -> tensor<2x1x510x1xf32>
  %1 = stablehlo.tanh %b : tensor<2x1x510x1xf32>
  %2 = stablehlo.multiply %0, %1 : tensor<2x1x510x1xf32>
  return %2 : tensor<2x1x510x1xf32>
}

// A kernel of one row.
func.func @flat_kernel(%x: tensor<2x40x64x1xf32>, %k: tensor<1x5x1x2xf32>, %b: tensor<2x40x64x2xf32>) -> tensor<2x40x64x2xf32> {
  %0 = stablehlo.convolution(%x, %k) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {pad = [[0, 0], [2, 2]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x40x64x1xf32>, tensor<1x5x1x2xf32>) -> tensor<2x40x64x2xf32>
  %1 = stablehlo.tanh %b : tensor<2x40x64x2xf32>
  %2 = stablehlo.multiply %0, %1 : tensor<2x40x64x2xf32>
  return %2 : tensor<2x40x64x2xf32>
}
