// A block of a mobile network: features are computed as they are padded for a convolution of each by itself, and the gates of features,
// products of images of one place, are no copies.
// RUN: forge verify %s --target sim:sm_90a --reproducer-dir %t
// RUN: forge verify %s --target sim:gfx942 --reproducer-dir %t
// RUN: forge verify %s --target cpu --reproducer-dir %t
// RUN: forge compile %s --target cuda:sm_90a --to kernels -o - | FileCheck %s

// CHECK: func.func private @[[PADDED:.*]](%{{.*}}: tensor<{{.*}}x10x10x64xbf16>) -> tensor<{{.*}}x10x10x64xbf16>
// CHECK: math.exp
// CHECK: return
// CHECK: func.func @main

func.func @main(%x: tensor<2x32x8x8xbf16>, %w: tensor<64x32x1x1xbf16>, %scale: tensor<64xbf16>, %k: tensor<64x1x3x3xbf16>, %g: tensor<64x64x1x1xbf16>) -> tensor<2x64x8x8xbf16> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %count = stablehlo.constant dense<64.0> : tensor<2x64xf32>
  %y = stablehlo.convolution(%x, %w) dim_numbers = [b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x32x8x8xbf16>, tensor<64x32x1x1xbf16>) -> tensor<2x64x8x8xbf16>
  %s = stablehlo.broadcast_in_dim %scale, dims = [1] : (tensor<64xbf16>) -> tensor<2x64x8x8xbf16>
  %a = stablehlo.multiply %y, %s : tensor<2x64x8x8xbf16>
  %l = stablehlo.logistic %a : tensor<2x64x8x8xbf16>
  %b = stablehlo.multiply %a, %l : tensor<2x64x8x8xbf16>
  %d = stablehlo.convolution(%b, %k) dim_numbers = [b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1], window = {pad = [[1, 1], [1, 1]]} {batch_group_count = 1 : i64, feature_group_count = 64 : i64} : (tensor<2x64x8x8xbf16>, tensor<64x1x3x3xbf16>) -> tensor<2x64x8x8xbf16>
  %f = stablehlo.convert %d : (tensor<2x64x8x8xbf16>) -> tensor<2x64x8x8xf32>
  %m = stablehlo.reduce(%f init: %zero) applies stablehlo.add across dimensions = [2, 3] : (tensor<2x64x8x8xf32>, tensor<f32>) -> tensor<2x64xf32>
  %n = stablehlo.divide %m, %count : tensor<2x64xf32>
  %o = stablehlo.convert %n : (tensor<2x64xf32>) -> tensor<2x64xbf16>
  %p = stablehlo.reshape %o : (tensor<2x64xbf16>) -> tensor<2x64x1x1xbf16>
  %q = stablehlo.convolution(%p, %g) dim_numbers = [b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x64x1x1xbf16>, tensor<64x64x1x1xbf16>) -> tensor<2x64x1x1xbf16>
  %r = stablehlo.logistic %q : tensor<2x64x1x1xbf16>
  %t = stablehlo.broadcast_in_dim %r, dims = [0, 1, 2, 3] : (tensor<2x64x1x1xbf16>) -> tensor<2x64x8x8xbf16>
  %u = stablehlo.multiply %d, %t : tensor<2x64x8x8xbf16>
  return %u : tensor<2x64x8x8xbf16>
}
