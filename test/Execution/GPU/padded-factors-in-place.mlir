// Images that products read through their padding, at negative places and beyond the last ones, agree with the reference: windows, steps,
// gaps, zeros that differ on both sides or are more than a window, one to three dimensions, groups, types.
// RUN: forge verify %s --function plain --target sim:sm_90a
// RUN: forge verify %s --function plain --target sim:sm_90a --each-stage
// RUN: forge verify %s --function plain --target sim:sm_80
// RUN: forge verify %s --function plain --target sim:gfx942
// RUN: forge verify %s --function one_image --target sim:sm_90a
// RUN: forge verify %s --function steps --target sim:sm_90a
// RUN: forge verify %s --function steps --target sim:sm_90a --each-stage
// RUN: forge verify %s --function third_places --target sim:sm_90a
// RUN: forge verify %s --function gaps --target sim:sm_90a
// RUN: forge verify %s --function much --target sim:sm_90a
// RUN: forge verify %s --function one_dimension --target sim:sm_90a
// RUN: forge verify %s --function three_dimensions --target sim:sm_90a
// RUN: forge verify %s --function groups --target sim:sm_90a
// RUN: forge verify %s --function bytes --target sim:sm_90a
// RUN: forge verify %s --function features --target sim:sm_90a
// RUN: forge verify %s --function features --target sim:sm_90a --each-stage
// RUN: forge verify %s --function chain --target sim:sm_90a
// RUN: forge verify %s --function two_products --target sim:sm_90a
// RUN: forge verify %s --function matrix --target sim:sm_90a
// RUN: forge verify %s --function gradients --target sim:sm_90a
// RUN: forge compile %s --function plain --target cuda:sm_90a --tier optimized --to kernels -o - | FileCheck %s
// RUN: forge compile %s --function steps --target cuda:sm_90a --tier optimized --to kernels -o - | FileCheck %s
// RUN: forge compile %s --function third_places --target cuda:sm_90a --tier optimized --to kernels -o - | FileCheck %s
// RUN: forge compile %s --function gaps --target cuda:sm_90a --tier optimized --to kernels -o - | FileCheck %s
// RUN: forge compile %s --function much --target cuda:sm_90a --tier optimized --to kernels -o - | FileCheck %s
// RUN: forge compile %s --function one_dimension --target cuda:sm_90a --tier optimized --to kernels -o - | FileCheck %s
// RUN: forge compile %s --function three_dimensions --target cuda:sm_90a --tier optimized --to kernels -o - | FileCheck %s
// RUN: forge compile %s --function groups --target cuda:sm_90a --tier optimized --to kernels -o - | FileCheck %s
// RUN: forge compile %s --function bytes --target cuda:sm_90a --tier optimized --to kernels -o - | FileCheck %s
// RUN: forge compile %s --function features --target cuda:sm_90a --tier optimized --to kernels -o - | FileCheck %s
// RUN: forge compile %s --function matrix --target cuda:sm_90a --tier optimized --to kernels -o - | FileCheck %s
// CHECK: func.func @{{.*}}(
// CHECK-NOT: call @elementwise
// CHECK: call @contraction
// CHECK-NOT: call

// Tiles' boxes end beyond the image, on both sides and at its end; zeros differ.
func.func @plain(%x: tensor<3x7x9x64xbf16>, %k: tensor<3x3x64x72xbf16>) -> tensor<3x8x9x72xbf16> {
  %y = stablehlo.convolution(%x, %k) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {pad = [[1, 2], [2, 0]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<3x7x9x64xbf16>, tensor<3x3x64x72xbf16>) -> tensor<3x8x9x72xbf16>
  return %y : tensor<3x8x9x72xbf16>
}

func.func @one_image(%x: tensor<1x9x13x64xbf16>, %k: tensor<3x3x64x64xbf16>) -> tensor<1x9x13x64xbf16> {
  %y = stablehlo.convolution(%x, %k) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {pad = [[1, 1], [1, 1]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x9x13x64xbf16>, tensor<3x3x64x64xbf16>) -> tensor<1x9x13x64xbf16>
  return %y : tensor<1x9x13x64xbf16>
}

// Every second place, and of the columns zeros on one side alone, as TensorFlow's SAME.
func.func @steps(%x: tensor<2x14x16x64xbf16>, %k: tensor<3x3x64x128xbf16>) -> tensor<2x7x8x128xbf16> {
  %y = stablehlo.convolution(%x, %k) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [2, 2], pad = [[1, 1], [0, 1]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x14x16x64xbf16>, tensor<3x3x64x128xbf16>) -> tensor<2x7x8x128xbf16>
  return %y : tensor<2x7x8x128xbf16>
}

func.func @third_places(%x: tensor<2x12x9x64xf16>, %k: tensor<4x5x64x64xf16>) -> tensor<2x5x3x64xf16> {
  %y = stablehlo.convolution(%x, %k) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [3, 3], pad = [[2, 4], [1, 3]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x12x9x64xf16>, tensor<4x5x64x64xf16>) -> tensor<2x5x3x64xf16>
  return %y : tensor<2x5x3x64xf16>
}

func.func @gaps(%x: tensor<2x14x14x64xf16>, %k: tensor<3x3x64x64xf16>) -> tensor<2x14x14x64xf16> {
  %y = stablehlo.convolution(%x, %k) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {pad = [[2, 2], [2, 2]], rhs_dilate = [2, 2]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x14x14x64xf16>, tensor<3x3x64x64xf16>) -> tensor<2x14x14x64xf16>
  return %y : tensor<2x14x14x64xf16>
}

// Whole windows of zeros.
func.func @much(%x: tensor<1x5x6x64xbf16>, %k: tensor<3x3x64x64xbf16>) -> tensor<1x15x12x64xbf16> {
  %y = stablehlo.convolution(%x, %k) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {pad = [[4, 8], [5, 3]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x5x6x64xbf16>, tensor<3x3x64x64xbf16>) -> tensor<1x15x12x64xbf16>
  return %y : tensor<1x15x12x64xbf16>
}

func.func @one_dimension(%x: tensor<3x70x64xbf16>, %k: tensor<5x64x128xbf16>) -> tensor<3x71x128xbf16> {
  %y = stablehlo.convolution(%x, %k) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {pad = [[2, 3]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<3x70x64xbf16>, tensor<5x64x128xbf16>) -> tensor<3x71x128xbf16>
  return %y : tensor<3x71x128xbf16>
}

func.func @three_dimensions(%x: tensor<1x4x6x5x64xbf16>, %k: tensor<3x3x3x64x64xbf16>) -> tensor<1x4x7x5x64xbf16> {
  %y = stablehlo.convolution(%x, %k) dim_numbers = [b, 0, 1, 2, f]x[0, 1, 2, i, o]->[b, 0, 1, 2, f], window = {pad = [[1, 1], [2, 1], [1, 1]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x4x6x5x64xbf16>, tensor<3x3x3x64x64xbf16>) -> tensor<1x4x7x5x64xbf16>
  return %y : tensor<1x4x7x5x64xbf16>
}

func.func @groups(%x: tensor<2x12x12x128xbf16>, %k: tensor<3x3x64x128xbf16>) -> tensor<2x12x12x128xbf16> {
  %y = stablehlo.convolution(%x, %k) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {pad = [[1, 1], [1, 1]]} {batch_group_count = 1 : i64, feature_group_count = 2 : i64} : (tensor<2x12x12x128xbf16>, tensor<3x3x64x128xbf16>) -> tensor<2x12x12x128xbf16>
  return %y : tensor<2x12x12x128xbf16>
}

// 8-bit floats: one row of zeros in front of 99.
func.func @bytes(%x: tensor<99x256xf8E4M3FN>, %w: tensor<128x256xf8E4M3FN>) -> tensor<100x128xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f8E4M3FN>
  %p = stablehlo.pad %x, %zero, low = [1, 0], high = [0, 0], interior = [0, 0] : (tensor<99x256xf8E4M3FN>, tensor<f8E4M3FN>) -> tensor<100x256xf8E4M3FN>
  %y = stablehlo.dot_general %p, %w, contracting_dims = [1] x [1] : (tensor<100x256xf8E4M3FN>, tensor<128x256xf8E4M3FN>) -> tensor<100x128xf32>
  return %y : tensor<100x128xf32>
}

// Eight zeros in front of the features, which are 16 bytes, and around the places.
func.func @features(%x: tensor<2x8x8x56xbf16>, %k: tensor<3x3x64x64xbf16>) -> tensor<2x8x8x64xbf16> {
  %zero = stablehlo.constant dense<0.0> : tensor<bf16>
  %p = stablehlo.pad %x, %zero, low = [0, 1, 1, 8], high = [0, 1, 1, 0], interior = [0, 0, 0, 0] : (tensor<2x8x8x56xbf16>, tensor<bf16>) -> tensor<2x10x10x64xbf16>
  %y = stablehlo.convolution(%p, %k) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x10x10x64xbf16>, tensor<3x3x64x64xbf16>) -> tensor<2x8x8x64xbf16>
  return %y : tensor<2x8x8x64xbf16>
}

func.func @chain(%x: tensor<2x10x10x64xbf16>, %k: tensor<3x3x64x64xbf16>, %l: tensor<3x3x64x64xbf16>, %b: tensor<64xbf16>) -> tensor<2x10x10x64xbf16> {
  %zero = stablehlo.constant dense<0.0> : tensor<2x10x10x64xbf16>
  %y = stablehlo.convolution(%x, %k) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {pad = [[1, 1], [1, 1]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x10x10x64xbf16>, tensor<3x3x64x64xbf16>) -> tensor<2x10x10x64xbf16>
  %e = stablehlo.broadcast_in_dim %b, dims = [3] : (tensor<64xbf16>) -> tensor<2x10x10x64xbf16>
  %s = stablehlo.add %y, %e : tensor<2x10x10x64xbf16>
  %r = stablehlo.maximum %s, %zero : tensor<2x10x10x64xbf16>
  %z = stablehlo.convolution(%r, %l) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {pad = [[1, 1], [1, 1]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x10x10x64xbf16>, tensor<3x3x64x64xbf16>) -> tensor<2x10x10x64xbf16>
  %a = stablehlo.add %z, %x : tensor<2x10x10x64xbf16>
  return %a : tensor<2x10x10x64xbf16>
}

func.func @two_products(%x: tensor<2x10x10x64xbf16>, %k: tensor<3x3x64x128xbf16>, %l: tensor<3x3x64x64xbf16>) -> (tensor<2x10x10x128xbf16>, tensor<2x10x10x64xbf16>) {
  %y = stablehlo.convolution(%x, %k) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {pad = [[1, 1], [1, 1]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x10x10x64xbf16>, tensor<3x3x64x128xbf16>) -> tensor<2x10x10x128xbf16>
  %z = stablehlo.convolution(%x, %l) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {pad = [[1, 1], [1, 1]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x10x10x64xbf16>, tensor<3x3x64x64xbf16>) -> tensor<2x10x10x64xbf16>
  return %y, %z : tensor<2x10x10x128xbf16>, tensor<2x10x10x64xbf16>
}

// Not an image: rows of both factors, and terms of one, with zeros around them.
func.func @matrix(%x: tensor<100x120xbf16>, %w: tensor<200x128xbf16>) -> tensor<160x256xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<bf16>
  %p = stablehlo.pad %x, %zero, low = [20, 0], high = [40, 8], interior = [0, 0] : (tensor<100x120xbf16>, tensor<bf16>) -> tensor<160x128xbf16>
  %q = stablehlo.pad %w, %zero, low = [50, 0], high = [6, 0], interior = [0, 0] : (tensor<200x128xbf16>, tensor<bf16>) -> tensor<256x128xbf16>
  %y = stablehlo.dot_general %p, %q, contracting_dims = [1] x [1] : (tensor<160x128xbf16>, tensor<256x128xbf16>) -> tensor<160x256xf32>
  return %y : tensor<160x256xf32>
}

// By the image and by the kernel.
func.func @gradients(%x: tensor<2x10x10x64xbf16>, %k: tensor<3x3x64x64xbf16>, %d: tensor<2x10x10x64xbf16>) -> (tensor<2x10x10x64xbf16>, tensor<3x3x64x64xbf16>) {
  %r = stablehlo.reverse %k, dims = [0, 1] : tensor<3x3x64x64xbf16>
  %y = stablehlo.convolution(%d, %r) dim_numbers = [b, 0, 1, f]x[0, 1, o, i]->[b, 0, 1, f], window = {pad = [[1, 1], [1, 1]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x10x10x64xbf16>, tensor<3x3x64x64xbf16>) -> tensor<2x10x10x64xbf16>
  %z = stablehlo.convolution(%x, %d) dim_numbers = [f, 0, 1, b]x[i, 0, 1, o]->[0, 1, b, f], window = {pad = [[1, 1], [1, 1]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x10x10x64xbf16>, tensor<2x10x10x64xbf16>) -> tensor<3x3x64x64xbf16>
  return %y, %z : tensor<2x10x10x64xbf16>, tensor<3x3x64x64xbf16>
}
