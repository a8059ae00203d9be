// Padded images that stay kernels of their own: what surrounds them is not zero, or is between their elements too, or they are cut; something
// else reads them; or tensor maps do not have what is inside. Products read them from memory then.
// RUN: forge-opt %s --split-input-file --forge-pipeline="target=cuda:sm_90a tier=optimized to=kernels" | FileCheck %s

// Ones.
// CHECK-LABEL: func.func @ones
// CHECK: call @elementwise
// CHECK: call @contraction
func.func @ones(%x: tensor<2x14x16x64xbf16>, %k: tensor<3x3x64x128xbf16>) -> tensor<2x14x16x128xbf16> {
  %one = stablehlo.constant dense<1.0> : tensor<bf16>
  %p = stablehlo.pad %x, %one, low = [0, 1, 1, 0], high = [0, 1, 1, 0], interior = [0, 0, 0, 0] : (tensor<2x14x16x64xbf16>, tensor<bf16>) -> tensor<2x16x18x64xbf16>
  %y = stablehlo.convolution(%p, %k) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x16x18x64xbf16>, tensor<3x3x64x128xbf16>) -> tensor<2x14x16x128xbf16>
  return %y : tensor<2x14x16x128xbf16>
}

// -----

// A negative zero is one: sums begin with the positive one, which it does not change.
// CHECK-LABEL: func.func @negative_zeros
// CHECK-NOT: call @elementwise
// CHECK: call @contraction
// CHECK-NOT: call
func.func @negative_zeros(%x: tensor<2x14x16x64xbf16>, %k: tensor<3x3x64x128xbf16>) -> tensor<2x14x16x128xbf16> {
  %zero = stablehlo.constant dense<-0.0> : tensor<bf16>
  %p = stablehlo.pad %x, %zero, low = [0, 1, 1, 0], high = [0, 1, 1, 0], interior = [0, 0, 0, 0] : (tensor<2x14x16x64xbf16>, tensor<bf16>) -> tensor<2x16x18x64xbf16>
  %y = stablehlo.convolution(%p, %k) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x16x18x64xbf16>, tensor<3x3x64x128xbf16>) -> tensor<2x14x16x128xbf16>
  return %y : tensor<2x14x16x128xbf16>
}

// -----

// Zeros between elements, as in the gradient by the image of a convolution of every second place.
// CHECK-LABEL: func.func @interior
// CHECK: call @elementwise
// CHECK: call @contraction
func.func @interior(%x: tensor<2x8x8x64xbf16>, %k: tensor<3x3x64x128xbf16>) -> tensor<2x15x15x128xbf16> {
  %y = stablehlo.convolution(%x, %k) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {pad = [[1, 1], [1, 1]], lhs_dilate = [2, 2]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x8x8x64xbf16>, tensor<3x3x64x128xbf16>) -> tensor<2x15x15x128xbf16>
  return %y : tensor<2x15x15x128xbf16>
}

// -----

// The first row of places is cut off.
// CHECK-LABEL: func.func @crop
// CHECK: call @elementwise
// CHECK: call @contraction
func.func @crop(%x: tensor<2x15x16x64xbf16>, %k: tensor<3x3x64x128xbf16>) -> tensor<2x13x16x128xbf16> {
  %y = stablehlo.convolution(%x, %k) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {pad = [[-1, 1], [1, 1]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x15x16x64xbf16>, tensor<3x3x64x128xbf16>) -> tensor<2x13x16x128xbf16>
  return %y : tensor<2x13x16x128xbf16>
}

// -----

// The padded image is a result, too.
// CHECK-LABEL: func.func @two_readers
// CHECK: call @elementwise
// CHECK: call @contraction
func.func @two_readers(%x: tensor<2x14x16x64xbf16>, %k: tensor<3x3x64x128xbf16>) -> (tensor<2x14x16x128xbf16>, tensor<2x16x18x64xbf16>) {
  %zero = stablehlo.constant dense<0.0> : tensor<bf16>
  %p = stablehlo.pad %x, %zero, low = [0, 1, 1, 0], high = [0, 1, 1, 0], interior = [0, 0, 0, 0] : (tensor<2x14x16x64xbf16>, tensor<bf16>) -> tensor<2x16x18x64xbf16>
  %y = stablehlo.convolution(%p, %k) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x16x18x64xbf16>, tensor<3x3x64x128xbf16>) -> tensor<2x14x16x128xbf16>
  return %y, %p : tensor<2x14x16x128xbf16>, tensor<2x16x18x64xbf16>
}

// -----

// Pairs of 15 rows would go on in the next image.
// CHECK-LABEL: func.func @odd_rows
// CHECK: call @elementwise
// CHECK: call @contraction
func.func @odd_rows(%x: tensor<2x15x16x64xbf16>, %k: tensor<3x3x64x128xbf16>) -> tensor<2x8x8x128xbf16> {
  %y = stablehlo.convolution(%x, %k) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [2, 2], pad = [[1, 1], [1, 1]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x15x16x64xbf16>, tensor<3x3x64x128xbf16>) -> tensor<2x8x8x128xbf16>
  return %y : tensor<2x8x8x128xbf16>
}

// -----

// Images, rows and columns in pairs and features, which are no multiple of what a copy has: six dimensions.
// CHECK-LABEL: func.func @six_dimensions
// CHECK: call @elementwise
// CHECK: call @contraction
func.func @six_dimensions(%x: tensor<2x16x16x96xbf16>, %k: tensor<3x3x96x128xbf16>) -> tensor<2x8x8x128xbf16> {
  %y = stablehlo.convolution(%x, %k) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [2, 2], pad = [[1, 1], [1, 1]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x16x16x96xbf16>, tensor<3x3x96x128xbf16>) -> tensor<2x8x8x128xbf16>
  return %y : tensor<2x8x8x128xbf16>
}

// -----

// Rows of windows of few features are read at once from a padded image: three steps of a sum, for nine that each have 8 terms of 64.
// CHECK-LABEL: func.func @few_features
// CHECK: call @elementwise
// CHECK: call @contraction
func.func @few_features(%x: tensor<32x56x56x8xbf16>, %k: tensor<3x3x8x128xbf16>) -> tensor<32x56x56x128xbf16> {
  %y = stablehlo.convolution(%x, %k) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {pad = [[1, 1], [1, 1]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<32x56x56x8xbf16>, tensor<3x3x8x128xbf16>) -> tensor<32x56x56x128xbf16>
  return %y : tensor<32x56x56x128xbf16>
}

// -----

// Copies begin at multiples of 16 bytes along what is side by side.
// CHECK-LABEL: func.func @features_in_front
// CHECK: call @elementwise
// CHECK: call @contraction
func.func @features_in_front(%x: tensor<2x8x8x56xbf16>, %k: tensor<3x3x64x128xbf16>) -> tensor<2x8x8x128xbf16> {
  %zero = stablehlo.constant dense<0.0> : tensor<bf16>
  %p = stablehlo.pad %x, %zero, low = [0, 1, 1, 3], high = [0, 1, 1, 5], interior = [0, 0, 0, 0] : (tensor<2x8x8x56xbf16>, tensor<bf16>) -> tensor<2x10x10x64xbf16>
  %y = stablehlo.convolution(%p, %k) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x10x10x64xbf16>, tensor<3x3x64x128xbf16>) -> tensor<2x8x8x128xbf16>
  return %y : tensor<2x8x8x128xbf16>
}

// -----

// What is computed of an image is written with its zeros.
// CHECK-LABEL: func.func @computed
// CHECK: call @elementwise
// CHECK-SAME: tensor<2x16x18x64xbf16>
// CHECK: call @contraction
func.func @computed(%x: tensor<2x14x16x64xbf16>, %k: tensor<3x3x64x128xbf16>) -> tensor<2x14x16x128xbf16> {
  %t = stablehlo.tanh %x : tensor<2x14x16x64xbf16>
  %y = stablehlo.convolution(%t, %k) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {pad = [[1, 1], [1, 1]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x14x16x64xbf16>, tensor<3x3x64x128xbf16>) -> tensor<2x14x16x128xbf16>
  return %y : tensor<2x14x16x128xbf16>
}
