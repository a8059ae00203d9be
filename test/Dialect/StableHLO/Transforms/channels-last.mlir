// RUN: forge-opt %s --forge-channels-last --canonicalize | FileCheck %s

// Two convolutions of PyTorch's form: one transpose in front, one behind; what is between is computed in the order of the convolutions.
// CHECK-LABEL: func.func @layers
// CHECK: %[[X:.*]] = stablehlo.transpose %arg0, dims = [0, 2, 3, 1]
// CHECK: %[[Y:.*]] = stablehlo.convolution(%[[X]], %{{.*}}) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]
// CHECK: %[[B:.*]] = stablehlo.broadcast_in_dim %arg3, dims = [3]
// CHECK: %[[S:.*]] = stablehlo.add %[[Y]], %[[B]] : tensor<2x16x16x16xbf16>
// CHECK: %[[Z:.*]] = stablehlo.convolution(%[[S]], %{{.*}}) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]
// CHECK: %[[T:.*]] = stablehlo.transpose %[[Z]], dims = [0, 3, 1, 2]
// CHECK-NOT: transpose
// CHECK: return %[[T]]
func.func @layers(%x: tensor<2x8x16x16xbf16>, %k: tensor<16x8x3x3xbf16>, %l: tensor<16x16x1x1xbf16>, %b: tensor<16xbf16>) -> tensor<2x16x16x16xbf16> {
  %0 = stablehlo.convolution(%x, %k) dim_numbers = [b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1], window = {pad = [[1, 1], [1, 1]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x8x16x16xbf16>, tensor<16x8x3x3xbf16>) -> tensor<2x16x16x16xbf16>
  %e = stablehlo.broadcast_in_dim %b, dims = [1] : (tensor<16xbf16>) -> tensor<2x16x16x16xbf16>
  %1 = stablehlo.add %0, %e : tensor<2x16x16x16xbf16>
  %2 = stablehlo.convolution(%1, %l) dim_numbers = [b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x16x16x16xbf16>, tensor<16x16x1x1xbf16>) -> tensor<2x16x16x16xbf16>
  return %2 : tensor<2x16x16x16xbf16>
}

// Pooling by windows, padding and sums over places are those of the other order; the result of the sums is [2, 16] either way.
// CHECK-LABEL: func.func @pooled
// CHECK: %[[P:.*]] = "stablehlo.reduce_window"
// CHECK-SAME: padding = dense<{{\[}}[0, 0], [0, 1], [0, 1], [0, 0]]>
// CHECK-SAME: window_dimensions = array<i64: 1, 3, 3, 1>
// CHECK-SAME: window_strides = array<i64: 1, 2, 2, 1>
// CHECK: stablehlo.pad %{{.*}} low = [0, 1, 0, 0], high = [0, 0, 2, 0], interior = [0, 0, 0, 0]
// CHECK: stablehlo.reduce(%{{.*}}) applies stablehlo.add across dimensions = [1, 2]
func.func @pooled(%x: tensor<2x8x16x16xbf16>, %k: tensor<16x8x1x1xbf16>) -> tensor<2x16xbf16> {
  %zero = stablehlo.constant dense<0.0> : tensor<bf16>
  %0 = stablehlo.convolution(%x, %k) dim_numbers = [b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x8x16x16xbf16>, tensor<16x8x1x1xbf16>) -> tensor<2x16x16x16xbf16>
  %1 = "stablehlo.reduce_window"(%0, %zero) <{window_dimensions = array<i64: 1, 1, 3, 3>, window_strides = array<i64: 1, 1, 2, 2>, padding = dense<[[0, 0], [0, 0], [0, 1], [0, 1]]> : tensor<4x2xi64>}> ({
  ^bb0(%p: tensor<bf16>, %q: tensor<bf16>):
    %m = stablehlo.maximum %p, %q : tensor<bf16>
    stablehlo.return %m : tensor<bf16>
  }) : (tensor<2x16x16x16xbf16>, tensor<bf16>) -> tensor<2x16x8x8xbf16>
  %2 = stablehlo.pad %1, %zero, low = [0, 0, 1, 0], high = [0, 0, 0, 2], interior = [0, 0, 0, 0] : (tensor<2x16x8x8xbf16>, tensor<bf16>) -> tensor<2x16x9x10xbf16>
  %3 = stablehlo.reduce(%2 init: %zero) applies stablehlo.add across dimensions = [2, 3] : (tensor<2x16x9x10xbf16>, tensor<bf16>) -> tensor<2x16xbf16>
  return %3 : tensor<2x16xbf16>
}

// Three features become eight.
// CHECK-LABEL: func.func @few
// CHECK: stablehlo.pad %arg0, %{{.*}}, low = [0, 0, 0, 0], high = [0, 0, 0, 5]
// CHECK: stablehlo.pad %arg1, %{{.*}}, low = [0, 0, 0, 0], high = [0, 0, 5, 0]
// CHECK: stablehlo.convolution{{.*}} : (tensor<2x16x16x8xbf16>, tensor<3x3x8x16xbf16>)
func.func @few(%x: tensor<2x16x16x3xbf16>, %k: tensor<3x3x3x16xbf16>) -> tensor<2x14x14x16xbf16> {
  %0 = stablehlo.convolution(%x, %k) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x16x16x3xbf16>, tensor<3x3x3x16xbf16>) -> tensor<2x14x14x16xbf16>
  return %0 : tensor<2x14x14x16xbf16>
}

// f32 is multiplied in pieces of 16 bits.
// CHECK-LABEL: func.func @wide
// CHECK: stablehlo.transpose %arg0, dims = [0, 2, 3, 1]
// CHECK: stablehlo.convolution{{.*}} dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]
func.func @wide(%x: tensor<2x8x16x16xf32>, %k: tensor<16x8x3x3xf32>) -> tensor<2x16x14x14xf32> {
  %0 = stablehlo.convolution(%x, %k) dim_numbers = [b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x8x16x16xf32>, tensor<16x8x3x3xf32>) -> tensor<2x16x14x14xf32>
  return %0 : tensor<2x16x14x14xf32>
}

// Three features of f32, groups, and the gradient of a kernel stay.
// CHECK-LABEL: func.func @stay
// CHECK-NOT: transpose
// CHECK: return
func.func @stay(%x: tensor<2x3x16x16xf32>, %k: tensor<16x3x1x1xf32>, %y: tensor<2x8x16x16xbf16>, %g: tensor<8x1x3x3xbf16>, %d: tensor<16x8x16x16xbf16>) -> (tensor<2x16x16x16xf32>, tensor<2x8x14x14xbf16>, tensor<2x16x1x1xbf16>) {
  %0 = stablehlo.convolution(%x, %k) dim_numbers = [b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x3x16x16xf32>, tensor<16x3x1x1xf32>) -> tensor<2x16x16x16xf32>
  %1 = stablehlo.convolution(%y, %g) dim_numbers = [b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1], window = {} {batch_group_count = 1 : i64, feature_group_count = 8 : i64} : (tensor<2x8x16x16xbf16>, tensor<8x1x3x3xbf16>) -> tensor<2x8x14x14xbf16>
  %2 = stablehlo.convolution(%y, %d) dim_numbers = [b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x8x16x16xbf16>, tensor<16x8x16x16xbf16>) -> tensor<2x16x1x1xbf16>
  return %0, %1, %2 : tensor<2x16x16x16xf32>, tensor<2x8x14x14xbf16>, tensor<2x16x1x1xbf16>
}
