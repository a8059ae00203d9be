// RUN: forge-opt %s --convert-stablehlo-to-linalg | FileCheck %s

// Convolutions and windows: which of their forms is chosen.

// One group of floats: patches times kernel. The kernel already stands as [places, inputs, outputs].
// CHECK-LABEL: @conv_matmul
// CHECK-NOT: linalg.transpose
// CHECK: tensor.collapse_shape %arg1 {{\[\[}}0, 1, 2], [3]] : tensor<3x3x4x8xf32> into tensor<36x8xf32>
// CHECK: linalg.generic {{.*}}iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel", "parallel"]
// CHECK: tensor.collapse_shape {{.*}} {{\[\[}}0, 1, 2], [3, 4, 5]] : tensor<2x6x6x3x3x4xf32> into tensor<72x36xf32>
// CHECK: linalg.matmul ins({{.*}} : tensor<72x36xf32>, tensor<36x8xf32>)
// CHECK: tensor.expand_shape {{.*}} into tensor<2x6x6x8xf32>
func.func @conv_matmul(%x: tensor<2x8x8x4xf32>, %k: tensor<3x3x4x8xf32>) -> tensor<2x6x6x8xf32> {
  %0 = stablehlo.convolution(%x, %k) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x8x8x4xf32>, tensor<3x3x4x8xf32>) -> tensor<2x6x6x8xf32>
  return %0 : tensor<2x6x6x8xf32>
}

// Groups: the loops themselves, over the padded input. Each group has one feature, so that groups are features.
// CHECK-LABEL: @depthwise
// CHECK: %[[X:.*]] = tensor.insert_slice %arg0 into {{.*}} : tensor<1x8x4xf32> into tensor<1x10x4xf32>
// CHECK: %[[K:.*]] = tensor.collapse_shape %arg1 {{\[\[}}0], [1, 2]] : tensor<3x1x4xf32> into tensor<3x4xf32>
// CHECK-NOT: linalg.matmul
// CHECK: %[[R:.*]] = linalg.generic {{.*}}iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%[[X]], %[[K]] :
// CHECK: return %[[R]] : tensor<1x8x4xf32>
func.func @depthwise(%x: tensor<1x8x4xf32>, %k: tensor<3x1x4xf32>) -> tensor<1x8x4xf32> {
  %0 = stablehlo.convolution(%x, %k) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {pad = [[1, 1]]} {batch_group_count = 1 : i64, feature_group_count = 4 : i64} : (tensor<1x8x4xf32>, tensor<3x1x4xf32>) -> tensor<1x8x4xf32>
  return %0 : tensor<1x8x4xf32>
}

// Its gradient by the kernel: groups are images, of which the result has one.
// CHECK-LABEL: @depthwise_gradient
// CHECK: %[[R:.*]] = linalg.generic {{.*}}iterator_types = ["parallel", "parallel", "reduction", "reduction"]} ins(%arg0, %arg1 :
// CHECK: tensor.expand_shape %[[R]] {{.*}} : tensor<3x4xf32> into tensor<3x1x4xf32>
func.func @depthwise_gradient(%x: tensor<2x8x4xf32>, %dy: tensor<2x6x4xf32>) -> tensor<3x1x4xf32> {
  %0 = stablehlo.convolution(%x, %dy) dim_numbers = [f, 0, b]x[i, 0, o]->[0, b, f], window = {} {batch_group_count = 4 : i64, feature_group_count = 1 : i64} : (tensor<2x8x4xf32>, tensor<2x6x4xf32>) -> tensor<3x1x4xf32>
  return %0 : tensor<3x1x4xf32>
}

// Two groups of two features.
// CHECK-LABEL: @conv_groups
// CHECK: tensor.expand_shape %arg0 {{.*}} : tensor<1x8x4xf32> into tensor<1x8x2x2xf32>
// CHECK: tensor.expand_shape %arg1 {{.*}} : tensor<3x2x4xf32> into tensor<3x2x2x2xf32>
// CHECK: linalg.generic {{.*}}iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction"]
// CHECK: tensor.collapse_shape {{.*}} into tensor<1x6x4xf32>
func.func @conv_groups(%x: tensor<1x8x4xf32>, %k: tensor<3x2x4xf32>) -> tensor<1x6x4xf32> {
  %0 = stablehlo.convolution(%x, %k) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 2 : i64} : (tensor<1x8x4xf32>, tensor<3x2x4xf32>) -> tensor<1x6x4xf32>
  return %0 : tensor<1x6x4xf32>
}

// A running sum is one pass.
// CHECK-LABEL: @scan
// CHECK-NOT: linalg.generic
// CHECK: scf.for
// CHECK: scf.for
// CHECK-NOT: scf.for
// CHECK: tensor.extract %arg0
// CHECK: arith.addf
// CHECK: tensor.insert
func.func @scan(%x: tensor<2x64xf32>) -> tensor<2x64xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = "stablehlo.reduce_window"(%x, %zero) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) {window_dimensions = array<i64: 1, 64>, padding = dense<[[0, 0], [63, 0]]> : tensor<2x2xi64>} : (tensor<2x64xf32>, tensor<f32>) -> tensor<2x64xf32>
  return %0 : tensor<2x64xf32>
}

// What it begins with may be another number than zero, which each window takes for every place outside.
// CHECK-LABEL: @scan_from
// CHECK: linalg.generic {{.*}}iterator_types = ["parallel", "parallel", "reduction", "reduction"]
func.func @scan_from(%x: tensor<2x64xf32>, %first: tensor<f32>) -> tensor<2x64xf32> {
  %0 = "stablehlo.reduce_window"(%x, %first) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) {window_dimensions = array<i64: 1, 64>, padding = dense<[[0, 0], [63, 0]]> : tensor<2x2xi64>} : (tensor<2x64xf32>, tensor<f32>) -> tensor<2x64xf32>
  return %0 : tensor<2x64xf32>
}

// CHECK-LABEL: @pool
// CHECK: linalg.generic
// CHECK-SAME: iterator_types = ["parallel", "parallel", "reduction", "reduction"]
func.func @pool(%x: tensor<8x8xf32>, %low: tensor<f32>) -> tensor<4x4xf32> {
  %0 = "stablehlo.reduce_window"(%x, %low) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %m = stablehlo.maximum %a, %b : tensor<f32>
    stablehlo.return %m : tensor<f32>
  }) {window_dimensions = array<i64: 2, 2>, window_strides = array<i64: 2, 2>} : (tensor<8x8xf32>, tensor<f32>) -> tensor<4x4xf32>
  return %0 : tensor<4x4xf32>
}
