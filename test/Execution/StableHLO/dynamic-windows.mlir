// RUN: forge verify %s --dynamic-size 7 --each-stage
// RUN: forge verify %s --dynamic-size 4
// RUN: forge verify %s --dynamic-size 7 --tier correctness

// Windows over sizes known only at run time, as jax.export prints them: running sums and pooling
// with SAME padding as custom calls, convolutions over dynamic batch, places and features, and the
// gradients' select_and_scatter.

func.func private @sum(%a: tensor<f32>, %b: tensor<f32>) -> tensor<f32> {
  %0 = stablehlo.add %a, %b : tensor<f32>
  return %0 : tensor<f32>
}

func.func private @largest(%a: tensor<f32>, %ai: tensor<i32>, %b: tensor<f32>, %bi: tensor<i32>) -> (tensor<f32>, tensor<i32>) {
  %c = stablehlo.compare GE, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
  %v = stablehlo.select %c, %a, %b : tensor<i1>, tensor<f32>
  %i = stablehlo.select %c, %ai, %bi : tensor<i1>, tensor<i32>
  return %v, %i : tensor<f32>, tensor<i32>
}

// Running sums, from both ends; and a window as long as the other dimension, which is none.
func.func private @running(%x: tensor<?x?xf32>) -> (tensor<?x?xf32>, tensor<?x?xf32>, tensor<?x?xf32>) {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %c0 = stablehlo.constant dense<0> : tensor<1xi32>
  %c1 = stablehlo.constant dense<1> : tensor<1xi32>
  %ones = stablehlo.constant dense<1> : tensor<2xi32>
  %none = stablehlo.constant dense<0> : tensor<1x2xi32>
  %n = stablehlo.get_dimension_size %x, dim = 1 : (tensor<?x?xf32>) -> tensor<i32>
  %n1 = stablehlo.reshape %n : (tensor<i32>) -> tensor<1xi32>
  %size = stablehlo.concatenate %c1, %n1, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
  %reach = stablehlo.subtract %n1, %c1 : tensor<1xi32>
  %low = stablehlo.concatenate %reach, %c0, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
  %high = stablehlo.concatenate %c0, %reach, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
  %low2 = stablehlo.reshape %low : (tensor<2xi32>) -> tensor<1x2xi32>
  %high2 = stablehlo.reshape %high : (tensor<2xi32>) -> tensor<1x2xi32>
  %forward = stablehlo.concatenate %none, %low2, dim = 0 : (tensor<1x2xi32>, tensor<1x2xi32>) -> tensor<2x2xi32>
  %backward = stablehlo.concatenate %none, %high2, dim = 0 : (tensor<1x2xi32>, tensor<1x2xi32>) -> tensor<2x2xi32>
  %0 = stablehlo.custom_call @stablehlo.dynamic_reduce_window(%x, %zero, %size, %ones, %ones, %ones, %forward) {called_computations = [@sum]} : (tensor<?x?xf32>, tensor<f32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>, tensor<2x2xi32>) -> tensor<?x?xf32>
  %1 = stablehlo.custom_call @stablehlo.dynamic_reduce_window(%x, %zero, %size, %ones, %ones, %ones, %backward) {called_computations = [@sum]} : (tensor<?x?xf32>, tensor<f32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>, tensor<2x2xi32>) -> tensor<?x?xf32>
  // One less than the dimension: the branch of the general form.
  %shorter = stablehlo.concatenate %c1, %reach, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
  %2 = stablehlo.custom_call @stablehlo.dynamic_reduce_window(%x, %zero, %shorter, %ones, %ones, %ones, %forward) {called_computations = [@sum]} : (tensor<?x?xf32>, tensor<f32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>, tensor<2x2xi32>) -> tensor<?x?xf32>
  return %0, %1, %2 : tensor<?x?xf32>, tensor<?x?xf32>, tensor<?x?xf32>
}

// Two operands, strides, both dilations and padding on one side that grows with the input.
func.func private @pooling(%x: tensor<?x?xf32>) -> (tensor<?x?xf32>, tensor<?x?xi32>, tensor<?x?xf32>) {
  %lowest = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %zeroF = stablehlo.constant dense<0.0> : tensor<f32>
  %m = stablehlo.get_dimension_size %x, dim = 0 : (tensor<?x?xf32>) -> tensor<i32>
  %n = stablehlo.get_dimension_size %x, dim = 1 : (tensor<?x?xf32>) -> tensor<i32>
  %m1 = stablehlo.reshape %m : (tensor<i32>) -> tensor<1xi32>
  %n1 = stablehlo.reshape %n : (tensor<i32>) -> tensor<1xi32>
  %shape = stablehlo.concatenate %m1, %n1, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
  %i = stablehlo.dynamic_iota %shape, dim = 1 : (tensor<2xi32>) -> tensor<?x?xi32>
  %size = stablehlo.constant dense<[1, 3]> : tensor<2xi32>
  %stride = stablehlo.constant dense<[1, 2]> : tensor<2xi32>
  %base = stablehlo.constant dense<[1, 2]> : tensor<2xi32>
  %window = stablehlo.constant dense<[1, 2]> : tensor<2xi32>
  %zeros = stablehlo.constant dense<0> : tensor<3xi32>
  %pads = stablehlo.concatenate %zeros, %n1, dim = 0 : (tensor<3xi32>, tensor<1xi32>) -> tensor<4xi32>
  %padding = stablehlo.reshape %pads : (tensor<4xi32>) -> tensor<2x2xi32>
  %0:2 = stablehlo.custom_call @stablehlo.dynamic_reduce_window(%x, %i, %lowest, %zero, %size, %stride, %base, %window, %padding) {called_computations = [@largest]} : (tensor<?x?xf32>, tensor<?x?xi32>, tensor<f32>, tensor<i32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>, tensor<2x2xi32>) -> (tensor<?x?xf32>, tensor<?x?xi32>)
  // The same geometry in the op itself, and a padding that cuts off.
  %1 = "stablehlo.reduce_window"(%x, %zeroF) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) {window_dimensions = array<i64: 1, 3>, window_strides = array<i64: 1, 2>, base_dilations = array<i64: 1, 2>, padding = dense<[[0, 0], [2, -1]]> : tensor<2x2xi64>} : (tensor<?x?xf32>, tensor<f32>) -> tensor<?x?xf32>
  return %0#0, %0#1, %1 : tensor<?x?xf32>, tensor<?x?xi32>, tensor<?x?xf32>
}

// Images and places unknown; two groups of features; the kernel read from its end.
func.func private @convolutions(%x: tensor<?x?x4xf32>, %k: tensor<3x2x6xf32>, %w: tensor<?x4x?xf32>) -> (tensor<?x?x6xf32>, tensor<?x?x6xf32>, tensor<?x?x?xf32>) {
  %0 = stablehlo.convolution(%x, %k) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {stride = [2], pad = [[1, 2]], lhs_dilate = [2], rhs_dilate = [2], reverse = [true]} {batch_group_count = 1 : i64, feature_group_count = 2 : i64} : (tensor<?x?x4xf32>, tensor<3x2x6xf32>) -> tensor<?x?x6xf32>
  %c1 = stablehlo.constant dense<1> : tensor<1xi32>
  %n = stablehlo.get_dimension_size %x, dim = 1 : (tensor<?x?x4xf32>) -> tensor<i32>
  %n1 = stablehlo.reshape %n : (tensor<i32>) -> tensor<1xi32>
  %pads = stablehlo.concatenate %c1, %n1, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
  %padding = stablehlo.reshape %pads : (tensor<2xi32>) -> tensor<1x2xi32>
  %1 = "stablehlo.dynamic_conv"(%x, %k, %padding) {dimension_numbers = #stablehlo.conv<[b, 0, f]x[0, i, o]->[b, 0, f]>, window_strides = array<i64: 3>, feature_group_count = 2 : i64, batch_group_count = 1 : i64} : (tensor<?x?x4xf32>, tensor<3x2x6xf32>, tensor<1x2xi32>) -> tensor<?x?x6xf32>
  // A kernel whose size and output features are unknown.
  %2 = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {pad = [[2, 2]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<?x?x4xf32>, tensor<?x4x?xf32>) -> tensor<?x?x?xf32>
  return %0, %1, %2 : tensor<?x?x6xf32>, tensor<?x?x6xf32>, tensor<?x?x?xf32>
}

// Only the number of images is unknown: a product of patches. In bf16, it is rounded once.
func.func private @images(%x: tensor<?x5x5x3xf32>, %k: tensor<3x3x3x4xf32>) -> (tensor<4x?x5x5xf32>, tensor<?x5x5x4xbf16>) {
  %0 = stablehlo.convolution(%x, %k) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[f, b, 0, 1], window = {pad = [[1, 1], [1, 1]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<?x5x5x3xf32>, tensor<3x3x3x4xf32>) -> tensor<4x?x5x5xf32>
  %xb = stablehlo.convert %x : (tensor<?x5x5x3xf32>) -> tensor<?x5x5x3xbf16>
  %kb = stablehlo.convert %k : (tensor<3x3x3x4xf32>) -> tensor<3x3x3x4xbf16>
  %1 = stablehlo.convolution(%xb, %kb) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {pad = [[1, 1], [1, 1]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<?x5x5x3xbf16>, tensor<3x3x3x4xbf16>) -> tensor<?x5x5x4xbf16>
  return %0, %1 : tensor<4x?x5x5xf32>, tensor<?x5x5x4xbf16>
}

// A convolution of groups of images, as the gradient of a kernel is.
func.func private @image_groups(%x: tensor<4x?x3xf32>, %k: tensor<?x3x4xf32>) -> tensor<2x?x4xf32> {
  %0 = stablehlo.convolution(%x, %k) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {} {batch_group_count = 2 : i64, feature_group_count = 1 : i64} : (tensor<4x?x3xf32>, tensor<?x3x4xf32>) -> tensor<2x?x4xf32>
  return %0 : tensor<2x?x4xf32>
}

// Where the largest of each window of two was; the source has the size of the pooled operand.
func.func private @scattered(%x: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %lowest = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %p = "stablehlo.reduce_window"(%x, %lowest) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.maximum %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) {window_dimensions = array<i64: 1, 2>, window_strides = array<i64: 1, 2>} : (tensor<?x?xf32>, tensor<f32>) -> tensor<?x?xf32>
  %0 = "stablehlo.select_and_scatter"(%x, %p, %zero) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %c = stablehlo.compare GE, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  }, {
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) {window_dimensions = array<i64: 1, 2>, window_strides = array<i64: 1, 2>} : (tensor<?x?xf32>, tensor<?x?xf32>, tensor<f32>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

func.func @main(%x: tensor<?x?xf32>, %x3: tensor<?x?x4xf32>, %k3: tensor<3x2x6xf32>, %w3: tensor<?x4x?xf32>, %x4: tensor<?x5x5x3xf32>, %k4: tensor<3x3x3x4xf32>, %xg: tensor<4x?x3xf32>, %kg: tensor<?x3x4xf32>)
    -> (tensor<?x?xf32>, tensor<?x?xf32>, tensor<?x?xf32>, tensor<?x?xf32>, tensor<?x?xi32>, tensor<?x?xf32>, tensor<?x?x6xf32>, tensor<?x?x6xf32>, tensor<?x?x?xf32>, tensor<4x?x5x5xf32>, tensor<?x5x5x4xbf16>, tensor<2x?x4xf32>, tensor<?x?xf32>) {
  %0:3 = call @running(%x) : (tensor<?x?xf32>) -> (tensor<?x?xf32>, tensor<?x?xf32>, tensor<?x?xf32>)
  %1:3 = call @pooling(%x) : (tensor<?x?xf32>) -> (tensor<?x?xf32>, tensor<?x?xi32>, tensor<?x?xf32>)
  %2:3 = call @convolutions(%x3, %k3, %w3) : (tensor<?x?x4xf32>, tensor<3x2x6xf32>, tensor<?x4x?xf32>) -> (tensor<?x?x6xf32>, tensor<?x?x6xf32>, tensor<?x?x?xf32>)
  %3:2 = call @images(%x4, %k4) : (tensor<?x5x5x3xf32>, tensor<3x3x3x4xf32>) -> (tensor<4x?x5x5xf32>, tensor<?x5x5x4xbf16>)
  %4 = call @image_groups(%xg, %kg) : (tensor<4x?x3xf32>, tensor<?x3x4xf32>) -> tensor<2x?x4xf32>
  %5 = call @scattered(%x) : (tensor<?x?xf32>) -> tensor<?x?xf32>
  return %0#0, %0#1, %0#2, %1#0, %1#1, %1#2, %2#0, %2#1, %2#2, %3#0, %3#1, %4, %5 : tensor<?x?xf32>, tensor<?x?xf32>, tensor<?x?xf32>, tensor<?x?xf32>, tensor<?x?xi32>, tensor<?x?xf32>, tensor<?x?x6xf32>, tensor<?x?x6xf32>, tensor<?x?x?xf32>, tensor<4x?x5x5xf32>, tensor<?x5x5x4xbf16>, tensor<2x?x4xf32>, tensor<?x?xf32>
}
