// RUN: forge-opt %s | forge-opt | FileCheck %s
// RUN: forge-opt %s --mlir-print-op-generic | forge-opt | FileCheck %s

// Products: the inline text of dimension numbers, precision, algorithm and window.

// CHECK-LABEL: @dot_general
func.func @dot_general(%a: tensor<2x3x4xf32>, %b: tensor<2x4x5xf32>) {
  // CHECK: stablehlo.dot_general %{{.*}}, %{{.*}}, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<2x3x4xf32>, tensor<2x4x5xf32>) -> tensor<2x3x5xf32>
  %0 = stablehlo.dot_general %a, %b, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<2x3x4xf32>, tensor<2x4x5xf32>) -> tensor<2x3x5xf32>
  // CHECK: stablehlo.dot_general %{{.*}}, contracting_dims = [] x [], precision = [HIGH, HIGHEST] :
  %1 = stablehlo.dot_general %a, %b, contracting_dims = [] x [], precision = [HIGH, HIGHEST] : (tensor<2x3x4xf32>, tensor<2x4x5xf32>) -> tensor<2x3x4x2x4x5xf32>
  // CHECK: precision = [DEFAULT, DEFAULT], algorithm = <lhs_precision_type = tf32, rhs_precision_type = tf32, accumulation_type = f32, lhs_component_count = 1, rhs_component_count = 1, num_primitive_operations = 1, allow_imprecise_accumulation = false> :
  %2 = stablehlo.dot_general %a, %b, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT], algorithm = <lhs_precision_type = tf32, rhs_precision_type = tf32, accumulation_type = f32, lhs_component_count = 1, rhs_component_count = 1, num_primitive_operations = 1, allow_imprecise_accumulation = false> : (tensor<2x3x4xf32>, tensor<2x4x5xf32>) -> tensor<2x3x5xf32>
  // CHECK: contracting_dims = [2] x [1], algorithm = <lhs_precision_type = bf16
  %3 = stablehlo.dot_general %a, %b, batching_dims = [0] x [0], contracting_dims = [2] x [1], algorithm = <lhs_precision_type = bf16, rhs_precision_type = bf16, accumulation_type = f32, lhs_component_count = 1, rhs_component_count = 1, num_primitive_operations = 6, allow_imprecise_accumulation = false> : (tensor<2x3x4xf32>, tensor<2x4x5xf32>) -> tensor<2x3x5xf32>
  // CHECK: stablehlo.dot_general %{{.*}}, batching_dims = [0] x [0], contracting_dims = [2] x [1] {mhlo.kept} :
  %4 = "stablehlo.dot_general"(%a, %b) {dot_dimension_numbers = #stablehlo.dot<rhs_contracting_dimensions = [1], lhs_contracting_dimensions = [2], rhs_batching_dimensions = [0], lhs_batching_dimensions = [0],>, mhlo.kept} : (tensor<2x3x4xf32>, tensor<2x4x5xf32>) -> tensor<2x3x5xf32>
  return
}

// CHECK-LABEL: @dot_general_types
func.func @dot_general_types(%a: tensor<?x4xi8>, %b: tensor<4x5xi8>, %c: tensor<3x4xf8E4M3FN>, %d: tensor<4x5xf8E5M2>) {
  // CHECK: (tensor<?x4xi8>, tensor<4x5xi8>) -> tensor<?x5xi32>
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<?x4xi8>, tensor<4x5xi8>) -> tensor<?x5xi32>
  // CHECK: (tensor<3x4xf8E4M3FN>, tensor<4x5xf8E5M2>) -> tensor<3x5xbf16>
  %1 = stablehlo.dot_general %c, %d, contracting_dims = [1] x [0] : (tensor<3x4xf8E4M3FN>, tensor<4x5xf8E5M2>) -> tensor<3x5xbf16>
  return
}

// CHECK-LABEL: @dot
func.func @dot(%a: tensor<2x3xf32>, %b: tensor<3xf32>) {
  // CHECK: stablehlo.dot %{{.*}}, %{{.*}} : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2xf32>
  %0 = stablehlo.dot %a, %b : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2xf32>
  // CHECK: stablehlo.dot %{{.*}}, %{{.*}}, precision = [HIGH, DEFAULT] : (tensor<3xf32>, tensor<3xf32>) -> tensor<f32>
  %1 = stablehlo.dot %b, %b, precision = [HIGH, DEFAULT] : (tensor<3xf32>, tensor<3xf32>) -> tensor<f32>
  return
}

// CHECK-LABEL: @convolution
func.func @convolution(%x: tensor<1x8x8x3xf32>, %k: tensor<3x3x3x4xf32>) {
  // CHECK: stablehlo.convolution(%{{[^ ]+}}, %{{[^ ]+}})
  // CHECK-SAME: dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]
  // CHECK-SAME: window = {stride = [2, 2], pad = {{\[\[}}1, 1], [1, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, true]}
  // CHECK-SAME: {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}
  // CHECK-SAME: (tensor<1x8x8x3xf32>, tensor<3x3x3x4xf32>) -> tensor<1x4x4x4xf32>
  %0 = stablehlo.convolution(%x, %k) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [2, 2], pad = [[1, 1], [1, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, true]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<1x8x8x3xf32>, tensor<3x3x3x4xf32>) -> tensor<1x4x4x4xf32>
  // CHECK: window = {}
  %1 = stablehlo.convolution(%x, %k) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x8x8x3xf32>, tensor<3x3x3x4xf32>) -> tensor<1x6x6x4xf32>
  // CHECK: window = {stride = [4, 4], pad = {{\[\[}}-1, 0], [0, 0]], reverse = [true, false]}
  %2 = stablehlo.convolution(%x, %k) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {reverse = [1, 0], pad = [[-1, 0], [0, 0]], stride = [4, 4]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x8x8x3xf32>, tensor<3x3x3x4xf32>) -> tensor<1x2x2x4xf32>
  return
}

// CHECK-LABEL: @dynamic_conv
func.func @dynamic_conv(%x: tensor<1x8x3xf32>, %k: tensor<3x3x4xf32>, %p: tensor<1x2xi64>) {
  // CHECK: "stablehlo.dynamic_conv"(%{{.*}}) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[b, 0, f]x[0, i, o]->[b, 0, f]>, feature_group_count = 1 : i64}>
  %0 = "stablehlo.dynamic_conv"(%x, %k, %p) {dimension_numbers = #stablehlo.conv<[b, 0, f]x[0, i, o]->[b, 0, f]>, feature_group_count = 1 : i64, batch_group_count = 1 : i64} : (tensor<1x8x3xf32>, tensor<3x3x4xf32>, tensor<1x2xi64>) -> tensor<1x?x4xf32>
  return
}

// CHECK-LABEL: @raw_dimension_numbers
func.func @raw_dimension_numbers() {
  // CHECK: return {dims = #stablehlo.conv<raw input_batch_dimension = 7, input_feature_dimension = 1, input_spatial_dimensions = [2], kernel_input_feature_dimension = 1, kernel_output_feature_dimension = 0, kernel_spatial_dimensions = [2], output_batch_dimension = 0, output_feature_dimension = 1, output_spatial_dimensions = []>}
  return {dims = #stablehlo.conv<raw input_batch_dimension = 7, input_feature_dimension = 1, input_spatial_dimensions = [2], kernel_input_feature_dimension = 1, kernel_spatial_dimensions = [2], output_feature_dimension = 1>}
}
