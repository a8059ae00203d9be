// RUN: forge-opt %s --forge-legalize-chlo --split-input-file | FileCheck %s

// CHECK-LABEL: func.func @static
// CHECK-SAME: %[[A:.*]]: tensor<4x1xi32>, %[[B:.*]]: tensor<3xi32>
// CHECK: %[[X:.*]] = stablehlo.broadcast_in_dim %[[A]], dims = [0, 1]
// CHECK: %[[Y:.*]] = stablehlo.broadcast_in_dim %[[B]], dims = [1]
// CHECK: stablehlo.add %[[X]], %[[Y]] : tensor<4x3xi32>
func.func @static(%a: tensor<4x1xi32>, %b: tensor<3xi32>) -> tensor<4x3xi32> {
  %0 = chlo.broadcast_add %a, %b : (tensor<4x1xi32>, tensor<3xi32>) -> tensor<4x3xi32>
  return %0 : tensor<4x3xi32>
}

// -----

// CHECK-LABEL: func.func @dynamic
// CHECK: stablehlo.get_dimension_size
// CHECK: stablehlo.select
// CHECK: stablehlo.concatenate
// CHECK-COUNT-2: stablehlo.dynamic_broadcast_in_dim
// CHECK: stablehlo.multiply
func.func @dynamic(%a: tensor<?xf32>, %b: tensor<?xf32>) -> tensor<?xf32> {
  %0 = chlo.broadcast_multiply %a, %b : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}

// -----

// CHECK-LABEL: func.func @compare
// CHECK: stablehlo.compare LT
func.func @compare(%a: tensor<4xf32>, %b: tensor<f32>) -> tensor<4xi1> {
  %0 = chlo.broadcast_compare %a, %b {comparison_direction = #chlo<comparison_direction LT>} : (tensor<4xf32>, tensor<f32>) -> tensor<4xi1>
  return %0 : tensor<4xi1>
}

// -----

// Where each group begins and ends, its rows alone, and one product over groups and columns.
// CHECK-LABEL: func.func @ragged_dot
// CHECK-SAME: %[[X:.*]]: tensor<6x4xf32>, %[[W:.*]]: tensor<3x4x5xf32>, %[[S:.*]]: tensor<3xi32>
// CHECK: %[[SIZES:.*]] = stablehlo.convert %[[S]] : (tensor<3xi32>) -> tensor<3xi64>
// CHECK: %[[ENDS:.*]] = stablehlo.reduce({{.*}}) applies stablehlo.add across dimensions = [1]
// CHECK: %[[STARTS:.*]] = stablehlo.subtract %[[ENDS]], %[[SIZES]]
// CHECK: %[[PLACE:.*]] = stablehlo.iota dim = 1 : tensor<3x6x4xi64>
// CHECK: %[[INSIDE:.*]] = stablehlo.and
// CHECK: %[[ROWS:.*]] = stablehlo.select %[[INSIDE]]
// CHECK: stablehlo.dot_general %[[ROWS]], %[[W]], contracting_dims = [2, 0] x [1, 0], precision = [HIGHEST, DEFAULT]
func.func @ragged_dot(%x: tensor<6x4xf32>, %w: tensor<3x4x5xf32>, %s: tensor<3xi32>) -> tensor<6x5xf32> {
  %0 = "chlo.ragged_dot"(%x, %w, %s) <{precision_config = [#chlo<precision HIGHEST>, #chlo<precision DEFAULT>], ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1], lhs_ragged_dimensions = [0], rhs_group_dimensions = [0]>}> : (tensor<6x4xf32>, tensor<3x4x5xf32>, tensor<3xi32>) -> tensor<6x5xf32>
  return %0 : tensor<6x5xf32>
}

// -----

// CHECK-LABEL: func.func @ragged_contracting
// CHECK: stablehlo.dot_general %{{.*}}, %{{.*}}, batching_dims = [0] x [0], contracting_dims = [1] x [1] : (tensor<3x6x4xf32>, tensor<3x6x5xf32>) -> tensor<3x4x5xf32>
func.func @ragged_contracting(%x: tensor<6x4xf32>, %y: tensor<6x5xf32>, %s: tensor<3xi32>) -> tensor<3x4x5xf32> {
  %0 = "chlo.ragged_dot"(%x, %y, %s) <{ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_contracting_dimensions = [0], rhs_contracting_dimensions = [0], lhs_ragged_dimensions = [0]>}> : (tensor<6x4xf32>, tensor<6x5xf32>, tensor<3xi32>) -> tensor<3x4x5xf32>
  return %0 : tensor<3x4x5xf32>
}
