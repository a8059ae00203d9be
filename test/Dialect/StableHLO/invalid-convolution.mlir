// RUN: forge-opt %s --split-input-file --verify-diagnostics

// One case per constraint of convolutions; the name says which.

func.func @convolution_c1_ranks(%x: tensor<1x8x8x4xf32>, %k: tensor<3x4x2xf32>) {
  // expected-error @+1 {{expected rank 4 for rhs as for lhs, but got 3}}
  %0 = "stablehlo.convolution"(%x, %k) {dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64, batch_group_count = 1 : i64} : (tensor<1x8x8x4xf32>, tensor<3x4x2xf32>) -> tensor<1x6x6x2xf32>
  return
}

// -----

func.func @convolution_c2_stride_count(%x: tensor<1x8x8x4xf32>, %k: tensor<3x3x4x2xf32>) {
  // expected-error @+1 {{expected 2 entries in window_strides, but got 1}}
  %0 = "stablehlo.convolution"(%x, %k) {dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, window_strides = array<i64: 1>, feature_group_count = 1 : i64, batch_group_count = 1 : i64} : (tensor<1x8x8x4xf32>, tensor<3x3x4x2xf32>) -> tensor<1x6x6x2xf32>
  return
}

// -----

func.func @convolution_c3_strides(%x: tensor<1x8x8x4xf32>, %k: tensor<3x3x4x2xf32>) {
  // expected-error @+1 {{expected positive window_strides, but got 0}}
  %0 = "stablehlo.convolution"(%x, %k) {dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, window_strides = array<i64: 1, 0>, feature_group_count = 1 : i64, batch_group_count = 1 : i64} : (tensor<1x8x8x4xf32>, tensor<3x3x4x2xf32>) -> tensor<1x6x6x2xf32>
  return
}

// -----

func.func @convolution_c4_padding(%x: tensor<1x8x8x4xf32>, %k: tensor<3x3x4x2xf32>) {
  // expected-error @+1 {{expected padding of shape [2, 2], but got [3, 2]}}
  %0 = "stablehlo.convolution"(%x, %k) {dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, padding = dense<0> : tensor<3x2xi64>, feature_group_count = 1 : i64, batch_group_count = 1 : i64} : (tensor<1x8x8x4xf32>, tensor<3x3x4x2xf32>) -> tensor<1x6x6x2xf32>
  return
}

// -----

func.func @convolution_c5_lhs_dilation_count(%x: tensor<1x8x8x4xf32>, %k: tensor<3x3x4x2xf32>) {
  // expected-error @+1 {{expected 2 entries in lhs_dilation, but got 3}}
  %0 = "stablehlo.convolution"(%x, %k) {dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, lhs_dilation = array<i64: 1, 1, 1>, feature_group_count = 1 : i64, batch_group_count = 1 : i64} : (tensor<1x8x8x4xf32>, tensor<3x3x4x2xf32>) -> tensor<1x6x6x2xf32>
  return
}

// -----

func.func @convolution_c6_lhs_dilation(%x: tensor<1x8x8x4xf32>, %k: tensor<3x3x4x2xf32>) {
  // expected-error @+1 {{expected positive lhs_dilation, but got -1}}
  %0 = "stablehlo.convolution"(%x, %k) {dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, lhs_dilation = array<i64: -1, 1>, feature_group_count = 1 : i64, batch_group_count = 1 : i64} : (tensor<1x8x8x4xf32>, tensor<3x3x4x2xf32>) -> tensor<1x6x6x2xf32>
  return
}

// -----

func.func @convolution_c7_rhs_dilation_count(%x: tensor<1x8x8x4xf32>, %k: tensor<3x3x4x2xf32>) {
  // expected-error @+1 {{expected 2 entries in rhs_dilation, but got 1}}
  %0 = "stablehlo.convolution"(%x, %k) {dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, rhs_dilation = array<i64: 1>, feature_group_count = 1 : i64, batch_group_count = 1 : i64} : (tensor<1x8x8x4xf32>, tensor<3x3x4x2xf32>) -> tensor<1x6x6x2xf32>
  return
}

// -----

func.func @convolution_c8_rhs_dilation(%x: tensor<1x8x8x4xf32>, %k: tensor<3x3x4x2xf32>) {
  // expected-error @+1 {{expected positive rhs_dilation, but got 0}}
  %0 = "stablehlo.convolution"(%x, %k) {dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, rhs_dilation = array<i64: 0, 1>, feature_group_count = 1 : i64, batch_group_count = 1 : i64} : (tensor<1x8x8x4xf32>, tensor<3x3x4x2xf32>) -> tensor<1x6x6x2xf32>
  return
}

// -----

func.func @convolution_c9_reversal_count(%x: tensor<1x8x8x4xf32>, %k: tensor<3x3x4x2xf32>) {
  // expected-error @+1 {{expected 2 entries in window_reversal, but got 1}}
  %0 = "stablehlo.convolution"(%x, %k) {dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, window_reversal = array<i1: true>, feature_group_count = 1 : i64, batch_group_count = 1 : i64} : (tensor<1x8x8x4xf32>, tensor<3x3x4x2xf32>) -> tensor<1x6x6x2xf32>
  return
}

// -----

func.func @convolution_c10_batch_groups(%x: tensor<1x8x8x4xf32>, %k: tensor<3x3x4x2xf32>) {
  // expected-error @+1 {{expected the input batch size to be a multiple of batch_group_count 2, but got 1}}
  %0 = "stablehlo.convolution"(%x, %k) {dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64, batch_group_count = 2 : i64} : (tensor<1x8x8x4xf32>, tensor<3x3x4x2xf32>) -> tensor<1x6x6x2xf32>
  return
}

// -----

func.func @convolution_c11_feature_groups(%x: tensor<1x8x8x4xf32>, %k: tensor<3x3x4x2xf32>) {
  // expected-error @+1 {{expected the number of input features to be a multiple of feature_group_count 3, but got 4}}
  %0 = "stablehlo.convolution"(%x, %k) {dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 3 : i64, batch_group_count = 1 : i64} : (tensor<1x8x8x4xf32>, tensor<3x3x4x2xf32>) -> tensor<1x6x6x2xf32>
  return
}

// -----

func.func @convolution_c12_input_spatial(%x: tensor<1x8x8x4xf32>, %k: tensor<3x3x4x2xf32>) {
  // expected-error @+1 {{expected 2 entries in input_spatial_dimensions, but got 1}}
  %0 = "stablehlo.convolution"(%x, %k) {dimension_numbers = #stablehlo.conv<raw input_batch_dimension = 0, input_feature_dimension = 3, input_spatial_dimensions = [1], kernel_input_feature_dimension = 2, kernel_output_feature_dimension = 3, kernel_spatial_dimensions = [0, 1], output_batch_dimension = 0, output_feature_dimension = 3, output_spatial_dimensions = [1, 2]>, feature_group_count = 1 : i64, batch_group_count = 1 : i64} : (tensor<1x8x8x4xf32>, tensor<3x3x4x2xf32>) -> tensor<1x6x6x2xf32>
  return
}

// -----

func.func @convolution_c13_input_twice(%x: tensor<1x8x8x4xf32>, %k: tensor<3x3x4x2xf32>) {
  // expected-error @+1 {{expected distinct input dimensions, but got 1 twice}}
  %0 = "stablehlo.convolution"(%x, %k) {dimension_numbers = #stablehlo.conv<raw input_batch_dimension = 0, input_feature_dimension = 3, input_spatial_dimensions = [1, 1], kernel_input_feature_dimension = 2, kernel_output_feature_dimension = 3, kernel_spatial_dimensions = [0, 1], output_batch_dimension = 0, output_feature_dimension = 3, output_spatial_dimensions = [1, 2]>, feature_group_count = 1 : i64, batch_group_count = 1 : i64} : (tensor<1x8x8x4xf32>, tensor<3x3x4x2xf32>) -> tensor<1x6x6x2xf32>
  return
}

// -----

func.func @convolution_c13_input_range(%x: tensor<1x8x8x4xf32>, %k: tensor<3x3x4x2xf32>) {
  // expected-error @+1 {{expected input dimensions in the range [0, 4), but got 4}}
  %0 = "stablehlo.convolution"(%x, %k) {dimension_numbers = #stablehlo.conv<raw input_batch_dimension = 4, input_feature_dimension = 3, input_spatial_dimensions = [1, 2], kernel_input_feature_dimension = 2, kernel_output_feature_dimension = 3, kernel_spatial_dimensions = [0, 1], output_batch_dimension = 0, output_feature_dimension = 3, output_spatial_dimensions = [1, 2]>, feature_group_count = 1 : i64, batch_group_count = 1 : i64} : (tensor<1x8x8x4xf32>, tensor<3x3x4x2xf32>) -> tensor<1x6x6x2xf32>
  return
}

// -----

func.func @convolution_c14_features(%x: tensor<1x8x8x4xf32>, %k: tensor<3x3x5x2xf32>) {
  // expected-error @+1 {{expected the kernel's input feature dimension to be 4 as the input features of a group, but got 5}}
  %0 = "stablehlo.convolution"(%x, %k) {dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64, batch_group_count = 1 : i64} : (tensor<1x8x8x4xf32>, tensor<3x3x5x2xf32>) -> tensor<1x6x6x2xf32>
  return
}

// -----

func.func @convolution_c15_output_batch_groups(%x: tensor<4x8x8x4xf32>, %k: tensor<3x3x4x2xf32>) {
  // expected-error @+1 {{expected the number of output features to be a multiple of batch_group_count 4, but got 2}}
  %0 = "stablehlo.convolution"(%x, %k) {dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64, batch_group_count = 4 : i64} : (tensor<4x8x8x4xf32>, tensor<3x3x4x2xf32>) -> tensor<1x6x6x2xf32>
  return
}

// -----

func.func @convolution_c16_output_feature_groups(%x: tensor<1x8x8x4xf32>, %k: tensor<3x3x1x2xf32>) {
  // expected-error @+1 {{expected the number of output features to be a multiple of feature_group_count 4, but got 2}}
  %0 = "stablehlo.convolution"(%x, %k) {dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 4 : i64, batch_group_count = 1 : i64} : (tensor<1x8x8x4xf32>, tensor<3x3x1x2xf32>) -> tensor<1x6x6x2xf32>
  return
}

// -----

func.func @convolution_c17_kernel_spatial(%x: tensor<1x8x8x4xf32>, %k: tensor<3x3x4x2xf32>) {
  // expected-error @+1 {{expected 2 entries in kernel_spatial_dimensions, but got 3}}
  %0 = "stablehlo.convolution"(%x, %k) {dimension_numbers = #stablehlo.conv<raw input_batch_dimension = 0, input_feature_dimension = 3, input_spatial_dimensions = [1, 2], kernel_input_feature_dimension = 2, kernel_output_feature_dimension = 3, kernel_spatial_dimensions = [0, 1, 2], output_batch_dimension = 0, output_feature_dimension = 3, output_spatial_dimensions = [1, 2]>, feature_group_count = 1 : i64, batch_group_count = 1 : i64} : (tensor<1x8x8x4xf32>, tensor<3x3x4x2xf32>) -> tensor<1x6x6x2xf32>
  return
}

// -----

func.func @convolution_c18_kernel_twice(%x: tensor<1x8x8x4xf32>, %k: tensor<3x3x4x2xf32>) {
  // expected-error @+1 {{expected distinct kernel dimensions, but got 2 twice}}
  %0 = "stablehlo.convolution"(%x, %k) {dimension_numbers = #stablehlo.conv<raw input_batch_dimension = 0, input_feature_dimension = 3, input_spatial_dimensions = [1, 2], kernel_input_feature_dimension = 2, kernel_output_feature_dimension = 2, kernel_spatial_dimensions = [0, 1], output_batch_dimension = 0, output_feature_dimension = 3, output_spatial_dimensions = [1, 2]>, feature_group_count = 1 : i64, batch_group_count = 1 : i64} : (tensor<1x8x8x4xf32>, tensor<3x3x4x2xf32>) -> tensor<1x6x6x2xf32>
  return
}

// -----

func.func @convolution_c19_output_spatial(%x: tensor<1x8x8x4xf32>, %k: tensor<3x3x4x2xf32>) {
  // expected-error @+1 {{expected 2 entries in output_spatial_dimensions, but got 0}}
  %0 = "stablehlo.convolution"(%x, %k) {dimension_numbers = #stablehlo.conv<raw input_batch_dimension = 0, input_feature_dimension = 3, input_spatial_dimensions = [1, 2], kernel_input_feature_dimension = 2, kernel_output_feature_dimension = 3, kernel_spatial_dimensions = [0, 1], output_batch_dimension = 0, output_feature_dimension = 3, output_spatial_dimensions = []>, feature_group_count = 1 : i64, batch_group_count = 1 : i64} : (tensor<1x8x8x4xf32>, tensor<3x3x4x2xf32>) -> tensor<1x6x6x2xf32>
  return
}

// -----

func.func @convolution_c20_output_range(%x: tensor<1x8x8x4xf32>, %k: tensor<3x3x4x2xf32>) {
  // expected-error @+1 {{expected output dimensions in the range [0, 4), but got -1}}
  %0 = "stablehlo.convolution"(%x, %k) {dimension_numbers = #stablehlo.conv<raw input_batch_dimension = 0, input_feature_dimension = 3, input_spatial_dimensions = [1, 2], kernel_input_feature_dimension = 2, kernel_output_feature_dimension = 3, kernel_spatial_dimensions = [0, 1], output_batch_dimension = 0, output_feature_dimension = -1, output_spatial_dimensions = [1, 2]>, feature_group_count = 1 : i64, batch_group_count = 1 : i64} : (tensor<1x8x8x4xf32>, tensor<3x3x4x2xf32>) -> tensor<1x6x6x2xf32>
  return
}

// -----

func.func @convolution_c21_feature_count(%x: tensor<1x8x8x4xf32>, %k: tensor<3x3x4x2xf32>) {
  // expected-error @+1 {{expected positive feature_group_count, but got 0}}
  %0 = "stablehlo.convolution"(%x, %k) {dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 0 : i64, batch_group_count = 1 : i64} : (tensor<1x8x8x4xf32>, tensor<3x3x4x2xf32>) -> tensor<1x6x6x2xf32>
  return
}

// -----

func.func @convolution_c22_batch_count(%x: tensor<1x8x8x4xf32>, %k: tensor<3x3x4x2xf32>) {
  // expected-error @+1 {{expected positive batch_group_count, but got -2}}
  %0 = "stablehlo.convolution"(%x, %k) {dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64, batch_group_count = -2 : i64} : (tensor<1x8x8x4xf32>, tensor<3x3x4x2xf32>) -> tensor<1x6x6x2xf32>
  return
}

// -----

func.func @convolution_c23_both_counts(%x: tensor<1x8x8x4xf32>, %k: tensor<3x3x4x2xf32>) {
  // expected-error @+1 {{expected feature_group_count or batch_group_count to be 1, but got 2 and 2}}
  %0 = "stablehlo.convolution"(%x, %k) {dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 2 : i64, batch_group_count = 2 : i64} : (tensor<1x8x8x4xf32>, tensor<3x3x4x2xf32>) -> tensor<1x6x6x2xf32>
  return
}

// -----

func.func @convolution_c24_precisions(%x: tensor<1x8x8x4xf32>, %k: tensor<3x3x4x2xf32>) {
  // expected-error @+1 {{expected at most 2 entries in precision_config, but got 3}}
  %0 = "stablehlo.convolution"(%x, %k) {dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, precision_config = [#stablehlo<precision HIGH>, #stablehlo<precision HIGH>, #stablehlo<precision HIGH>], feature_group_count = 1 : i64, batch_group_count = 1 : i64} : (tensor<1x8x8x4xf32>, tensor<3x3x4x2xf32>) -> tensor<1x6x6x2xf32>
  return
}

// -----

func.func @convolution_c25_shape(%x: tensor<1x8x8x4xf32>, %k: tensor<3x3x4x2xf32>) {
  // expected-error @+1 {{expected shape [1, 6, 6, 2] for the result, but got [1, 8, 6, 2]}}
  %0 = "stablehlo.convolution"(%x, %k) {dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64, batch_group_count = 1 : i64} : (tensor<1x8x8x4xf32>, tensor<3x3x4x2xf32>) -> tensor<1x8x6x2xf32>
  return
}

// -----

func.func @convolution_c25_overflow(%x: tensor<1x8x8x4xf32>, %k: tensor<3x3x4x2xf32>) {
  // expected-error @+1 {{the padded size of input dimension 1 does not fit in 63 bits}}
  %0 = "stablehlo.convolution"(%x, %k) {dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, padding = dense<[[9223372036854775807, 9223372036854775807], [0, 0]]> : tensor<2x2xi64>, feature_group_count = 1 : i64, batch_group_count = 1 : i64} : (tensor<1x8x8x4xf32>, tensor<3x3x4x2xf32>) -> tensor<1x6x6x2xf32>
  return
}

// -----

func.func @convolution_c26_rank(%x: tensor<1x8x8x4xf32>, %k: tensor<3x3x4x2xf32>) {
  // expected-error @+1 {{expected shape [1, 6, 6, 2] for the result, but got [1, 6, 6]}}
  %0 = "stablehlo.convolution"(%x, %k) {dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64, batch_group_count = 1 : i64} : (tensor<1x8x8x4xf32>, tensor<3x3x4x2xf32>) -> tensor<1x6x6xf32>
  return
}

// -----

func.func @convolution_c27_widths(%x: tensor<1x8x8x4xi64>, %k: tensor<3x3x4x2xi32>) {
  // expected-error @+1 {{expected integers of one width to multiply, but got 'i64' and 'i32'}}
  %0 = "stablehlo.convolution"(%x, %k) {dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64, batch_group_count = 1 : i64} : (tensor<1x8x8x4xi64>, tensor<3x3x4x2xi32>) -> tensor<1x6x6x2xi64>
  return
}

// -----

func.func @convolution_c27_types(%x: tensor<1x8x8x4xf32>, %k: tensor<3x3x4x2xi32>) {
  // expected-error @+1 {{expected element types of one kind, but got 'f32' and 'i32'}}
  %0 = "stablehlo.convolution"(%x, %k) {dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64, batch_group_count = 1 : i64} : (tensor<1x8x8x4xf32>, tensor<3x3x4x2xi32>) -> tensor<1x6x6x2xf32>
  return
}

// -----

func.func @convolution_c27_result(%x: tensor<1x8x8x4xf32>, %k: tensor<3x3x4x2xf32>) {
  // expected-error @+1 {{expected element types of one kind, but got 'f32' and 'i32'}}
  %0 = "stablehlo.convolution"(%x, %k) {dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64, batch_group_count = 1 : i64} : (tensor<1x8x8x4xf32>, tensor<3x3x4x2xf32>) -> tensor<1x6x6x2xi32>
  return
}

// -----

func.func @convolution_text_letter(%x: tensor<1x8x4xf32>, %k: tensor<3x4x2xf32>) {
  // expected-error @+1 {{expected a spatial dimension, 'b' or 'f', but got 'o'}}
  %0 = stablehlo.convolution(%x, %k) dim_numbers = [b, 0, o]x[0, i, o]->[b, 0, f], window = {} {feature_group_count = 1 : i64, batch_group_count = 1 : i64} : (tensor<1x8x4xf32>, tensor<3x4x2xf32>) -> tensor<1x6x2xf32>
  return
}

// -----

func.func @convolution_text_letter_twice(%x: tensor<1x8x4xf32>, %k: tensor<3x4x2xf32>) {
  // expected-error @+1 {{dimension 'b' appears twice}}
  %0 = stablehlo.convolution(%x, %k) dim_numbers = [b, b, f]x[0, i, o]->[b, 0, f], window = {} {feature_group_count = 1 : i64, batch_group_count = 1 : i64} : (tensor<1x8x4xf32>, tensor<3x4x2xf32>) -> tensor<1x6x2xf32>
  return
}

// -----

func.func @convolution_text_letter_missing(%x: tensor<1x8x4xf32>, %k: tensor<3x4x2xf32>) {
  // expected-error @+1 {{dimension 'f' is missing}}
  %0 = stablehlo.convolution(%x, %k) dim_numbers = [b, 0, 1]x[0, i, o]->[b, 0, f], window = {} {feature_group_count = 1 : i64, batch_group_count = 1 : i64} : (tensor<1x8x4xf32>, tensor<3x4x2xf32>) -> tensor<1x6x2xf32>
  return
}

// -----

func.func @convolution_text_spatial(%x: tensor<1x8x4xf32>, %k: tensor<3x4x2xf32>) {
  // expected-error @+1 {{expected spatial dimensions 0 to 0, each once, but got 1}}
  %0 = stablehlo.convolution(%x, %k) dim_numbers = [b, 1, f]x[0, i, o]->[b, 0, f], window = {} {feature_group_count = 1 : i64, batch_group_count = 1 : i64} : (tensor<1x8x4xf32>, tensor<3x4x2xf32>) -> tensor<1x6x2xf32>
  return
}

// -----

func.func @convolution_text_window_twice(%x: tensor<1x8x4xf32>, %k: tensor<3x4x2xf32>) {
  // expected-error @+1 {{window setting 'stride' appears twice}}
  %0 = stablehlo.convolution(%x, %k) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {stride = [1], stride = [1]} {feature_group_count = 1 : i64, batch_group_count = 1 : i64} : (tensor<1x8x4xf32>, tensor<3x4x2xf32>) -> tensor<1x6x2xf32>
  return
}

// -----

func.func @convolution_text_window_name(%x: tensor<1x8x4xf32>, %k: tensor<3x4x2xf32>) {
  // expected-error @+1 {{unknown window setting 'strides'}}
  %0 = stablehlo.convolution(%x, %k) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {strides = [1]} {feature_group_count = 1 : i64, batch_group_count = 1 : i64} : (tensor<1x8x4xf32>, tensor<3x4x2xf32>) -> tensor<1x6x2xf32>
  return
}

// -----

func.func @convolution_text_padding(%x: tensor<1x8x4xf32>, %k: tensor<3x4x2xf32>) {
  // expected-error @+1 {{expected a low and a high padding, but got 3 numbers}}
  %0 = stablehlo.convolution(%x, %k) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {pad = [[1, 2, 3]]} {feature_group_count = 1 : i64, batch_group_count = 1 : i64} : (tensor<1x8x4xf32>, tensor<3x4x2xf32>) -> tensor<1x6x2xf32>
  return
}

// -----

func.func @dynamic_conv_c4_padding(%x: tensor<1x8x4xf32>, %k: tensor<3x4x2xf32>, %p: tensor<2x2xi64>) {
  // expected-error @+1 {{expected shape [1, 2] for padding, but got [2, 2]}}
  %0 = "stablehlo.dynamic_conv"(%x, %k, %p) {dimension_numbers = #stablehlo.conv<[b, 0, f]x[0, i, o]->[b, 0, f]>, feature_group_count = 1 : i64, batch_group_count = 1 : i64} : (tensor<1x8x4xf32>, tensor<3x4x2xf32>, tensor<2x2xi64>) -> tensor<1x?x2xf32>
  return
}

// -----

func.func @dynamic_conv_c25_shape(%x: tensor<1x8x4xf32>, %k: tensor<3x4x2xf32>, %p: tensor<1x2xi64>) {
  // expected-error @+1 {{expected shape [1, ?, 2] for the result, but got [1, ?, 3]}}
  %0 = "stablehlo.dynamic_conv"(%x, %k, %p) {dimension_numbers = #stablehlo.conv<[b, 0, f]x[0, i, o]->[b, 0, f]>, feature_group_count = 1 : i64, batch_group_count = 1 : i64} : (tensor<1x8x4xf32>, tensor<3x4x2xf32>, tensor<1x2xi64>) -> tensor<1x?x3xf32>
  return
}

// -----

func.func @convolution_empty_kernel(%x: tensor<1x8x4xf32>, %k: tensor<0x4x2xf32>) {
  // expected-error @+1 {{op expected kernel dimension 0 of size 1 or more, but got 0}}
  %0 = "stablehlo.convolution"(%x, %k) {dimension_numbers = #stablehlo.conv<[b, 0, f]x[0, i, o]->[b, 0, f]>, feature_group_count = 1 : i64, batch_group_count = 1 : i64} : (tensor<1x8x4xf32>, tensor<0x4x2xf32>) -> tensor<1x9x2xf32>
  return
}

// -----

func.func @dynamic_conv_empty_kernel(%x: tensor<1x8x4xf32>, %k: tensor<0x4x2xf32>, %p: tensor<1x2xi64>) {
  // expected-error @+1 {{op expected kernel dimension 0 of size 1 or more, but got 0}}
  %0 = "stablehlo.dynamic_conv"(%x, %k, %p) {dimension_numbers = #stablehlo.conv<[b, 0, f]x[0, i, o]->[b, 0, f]>, feature_group_count = 1 : i64, batch_group_count = 1 : i64} : (tensor<1x8x4xf32>, tensor<0x4x2xf32>, tensor<1x2xi64>) -> tensor<1x?x2xf32>
  return
}

// -----

func.func @dynamic_conv_c25_constant_padding(%x: tensor<1x8x4xf32>, %k: tensor<3x4x2xf32>) {
  %p = stablehlo.constant dense<[[1, 2]]> : tensor<1x2xi64>
  // expected-error @+1 {{op expected shape [1, 9, 2] for the result, but got [1, 8, 2]}}
  %0 = "stablehlo.dynamic_conv"(%x, %k, %p) {dimension_numbers = #stablehlo.conv<[b, 0, f]x[0, i, o]->[b, 0, f]>, feature_group_count = 1 : i64, batch_group_count = 1 : i64} : (tensor<1x8x4xf32>, tensor<3x4x2xf32>, tensor<1x2xi64>) -> tensor<1x8x2xf32>
  return
}
