// RUN: forge run %s
// RUN: forge run %s --tier correctness

// Every setting of a convolution, on numbers small enough to follow.

func.func @main() {
  // [batch, feature, spatial], kernel [output, input, spatial].
  %x = stablehlo.constant dense<[[[1.0, 2.0, 3.0, 4.0]]]> : tensor<1x1x4xf32>
  %k = stablehlo.constant dense<[[[1.0, 10.0]]]> : tensor<1x1x2xf32>

  %0 = stablehlo.convolution(%x, %k) dim_numbers = [b, f, 0]x[o, i, 0]->[b, f, 0], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x1x4xf32>, tensor<1x1x2xf32>) -> tensor<1x1x3xf32>
  check.expect_eq_const %0, dense<[[[21.0, 32.0, 43.0]]]> : tensor<1x1x3xf32>
  %1 = stablehlo.convolution(%x, %k) dim_numbers = [b, f, 0]x[o, i, 0]->[b, f, 0], window = {reverse = [true]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x1x4xf32>, tensor<1x1x2xf32>) -> tensor<1x1x3xf32>
  check.expect_eq_const %1, dense<[[[12.0, 23.0, 34.0]]]> : tensor<1x1x3xf32>
  // 0 1 0 2 0 3: padded in front, dilated, the last element cut off; two elements three apart, from every second place.
  %2 = stablehlo.convolution(%x, %k) dim_numbers = [b, f, 0]x[o, i, 0]->[b, f, 0], window = {stride = [2], pad = [[1, -2]], lhs_dilate = [2], rhs_dilate = [3]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x1x4xf32>, tensor<1x1x2xf32>) -> tensor<1x1x2xf32>
  check.expect_eq_const %2, dense<[[[20.0, 30.0]]]> : tensor<1x1x2xf32>

  // Two feature groups: each output feature sees one input feature.
  %xs = stablehlo.constant dense<[[[1, 2], [3, 4]]]> : tensor<1x2x2xi32>
  %ks = stablehlo.constant dense<[[[10]], [[100]]]> : tensor<2x1x1xi32>
  %3 = stablehlo.convolution(%xs, %ks) dim_numbers = [b, f, 0]x[o, i, 0]->[b, f, 0], window = {} {batch_group_count = 1 : i64, feature_group_count = 2 : i64} : (tensor<1x2x2xi32>, tensor<2x1x1xi32>) -> tensor<1x2x2xi32>
  check.expect_eq_const %3, dense<[[[10, 20], [300, 400]]]> : tensor<1x2x2xi32>
  // Two batch groups: output feature g sees the g-th part of the batch.
  %xb = stablehlo.constant dense<[[[1, 2]], [[3, 4]]]> : tensor<2x1x2xi32>
  %4 = stablehlo.convolution(%xb, %ks) dim_numbers = [b, f, 0]x[o, i, 0]->[b, f, 0], window = {} {batch_group_count = 2 : i64, feature_group_count = 1 : i64} : (tensor<2x1x2xi32>, tensor<2x1x1xi32>) -> tensor<1x2x2xi32>
  check.expect_eq_const %4, dense<[[[10, 20], [300, 400]]]> : tensor<1x2x2xi32>

  // Two spatial dimensions in another order of everything, narrow integers accumulated in i32.
  %image = stablehlo.constant dense<[[[[100], [101]], [[102], [103]]]]> : tensor<1x2x2x1xi8>
  %filter = stablehlo.constant dense<[[[[100]], [[1]]], [[[2]], [[3]]]]> : tensor<2x2x1x1xi8>
  %5 = stablehlo.convolution(%image, %filter) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[0, b, f, 1], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x2x2x1xi8>, tensor<2x2x1x1xi8>) -> tensor<1x1x1x1xi32>
  check.expect_eq_const %5, dense<10614> : tensor<1x1x1x1xi32>

  // bf16 sums are taken in f32: in bf16 the sum of ones would stay at 256.
  %ones = stablehlo.constant dense<1.0> : tensor<1x259x1xbf16>
  %kernel = stablehlo.constant dense<1.0> : tensor<1x259x1xbf16>
  %6 = stablehlo.convolution(%ones, %kernel) dim_numbers = [b, f, 0]x[o, i, 0]->[b, f, 0], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x259x1xbf16>, tensor<1x259x1xbf16>) -> tensor<1x1x1xbf16>
  check.expect_eq_const %6, dense<260.0> : tensor<1x1x1xbf16>

  %padding = stablehlo.constant dense<[[1, 0]]> : tensor<1x2xi64>
  %7 = "stablehlo.dynamic_conv"(%x, %k, %padding) {dimension_numbers = #stablehlo.conv<[b, f, 0]x[o, i, 0]->[b, f, 0]>, feature_group_count = 1 : i64, batch_group_count = 1 : i64} : (tensor<1x1x4xf32>, tensor<1x1x2xf32>, tensor<1x2xi64>) -> tensor<1x1x4xf32>
  check.expect_eq_const %7, dense<[[[10.0, 21.0, 32.0, 43.0]]]> : tensor<1x1x4xf32>

  // Floats of integers: the factors are converted first, and no sum wraps.
  %8 = stablehlo.convolution(%image, %filter) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[0, b, f, 1], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x2x2x1xi8>, tensor<2x2x1x1xi8>) -> tensor<1x1x1x1xf32>
  check.expect_eq_const %8, dense<10614.0> : tensor<1x1x1x1xf32>
  %bytes = stablehlo.constant dense<[[[255, 200, 3]]]> : tensor<1x1x3xui8>
  %9 = stablehlo.convolution(%bytes, %bytes) dim_numbers = [b, f, 0]x[o, i, 0]->[b, f, 0], window = {pad = [[1, 0]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x1x3xui8>, tensor<1x1x3xui8>) -> tensor<1x1x2xbf16>
  check.expect_eq_const %9, dense<[[[51712.0, 105034.0]]]> : tensor<1x1x2xbf16>
  return
}
