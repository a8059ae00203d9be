// Scatters of one element into each row of zeros are choices.
// RUN: forge-opt %s --forge-select-scatters | FileCheck %s
// RUN: forge verify %s --function along --target cpu
// RUN: forge verify %s --function along --target sim:sm_90a
// RUN: forge verify %s --function turned --target cpu
// RUN: forge run %s --function check

// CHECK-LABEL: func.func @along
// CHECK: %[[IDS:.*]] = stablehlo.broadcast_in_dim %{{.*}}, dims = [0, 1] : (tensor<2x3xi32>) -> tensor<2x3x5xi32>
// CHECK: %[[X:.*]] = stablehlo.broadcast_in_dim %{{.*}}, dims = [0, 1] : (tensor<2x3xf32>) -> tensor<2x3x5xf32>
// CHECK: %[[I:.*]] = stablehlo.iota dim = 2 : tensor<2x3x5xi32>
// CHECK: %[[C:.*]] = stablehlo.compare EQ, %[[I]], %[[IDS]]
// CHECK: %[[SUM:.*]] = stablehlo.add %{{.*}}, %[[X]]
// CHECK: stablehlo.select %[[C]], %[[SUM]]
// CHECK-NOT: stablehlo.scatter
func.func @along(%ids: tensor<2x3x1x1xi32>, %x: tensor<2x3x1xf32>) -> tensor<2x3x5xf32> {
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.broadcast_in_dim %z, dims = [] : (tensor<f32>) -> tensor<2x3x5xf32>
  %1 = "stablehlo.scatter"(%0, %ids, %x) <{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [2], input_batching_dims = [0, 1], scatter_indices_batching_dims = [0, 1], scatter_dims_to_operand_dims = [2], index_vector_dim = 3>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<2x3x5xf32>, tensor<2x3x1x1xi32>, tensor<2x3x1xf32>) -> tensor<2x3x5xf32>
  return %1 : tensor<2x3x5xf32>
}

// Batching dimensions in another order; the last update counts, which there is one of.
// CHECK-LABEL: func.func @turned
// CHECK: stablehlo.broadcast_in_dim %{{.*}}, dims = [2, 0] : (tensor<3x2xi64>) -> tensor<2x4x3xi64>
// CHECK: stablehlo.iota dim = 1 : tensor<2x4x3xi64>
// CHECK-NOT: stablehlo.scatter
func.func @turned(%ids: tensor<3x2xi64>, %x: tensor<3x2xi32>) -> tensor<2x4x3xi32> {
  %0 = stablehlo.constant dense<0> : tensor<2x4x3xi32>
  %1 = "stablehlo.scatter"(%0, %ids, %x) <{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [1], input_batching_dims = [0, 2], scatter_indices_batching_dims = [1, 0], scatter_dims_to_operand_dims = [1], index_vector_dim = 2>}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    stablehlo.return %b : tensor<i32>
  }) : (tensor<2x4x3xi32>, tensor<3x2xi64>, tensor<3x2xi32>) -> tensor<2x4x3xi32>
  return %1 : tensor<2x4x3xi32>
}

// Two elements a row; not into zeros; a product; indices that cannot count the places.
// CHECK-LABEL: func.func @others
// CHECK-COUNT-4: stablehlo.scatter
func.func @others(%two: tensor<3x2x1xi32>, %x2: tensor<3x2xf32>, %one: tensor<3x1xi32>, %x1: tensor<3xf32>, %of: tensor<3x300xf32>, %narrow: tensor<3x1xi8>)
    -> (tensor<3x300xf32>, tensor<3x300xf32>, tensor<3x300xf32>, tensor<3x300xf32>) {
  %z = stablehlo.constant dense<0.0> : tensor<3x300xf32>
  %0 = "stablehlo.scatter"(%z, %two, %x2) <{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [1], input_batching_dims = [0], scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [1], index_vector_dim = 2>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<3x300xf32>, tensor<3x2x1xi32>, tensor<3x2xf32>) -> tensor<3x300xf32>
  %1 = "stablehlo.scatter"(%of, %one, %x1) <{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [1], input_batching_dims = [0], scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [1], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<3x300xf32>, tensor<3x1xi32>, tensor<3xf32>) -> tensor<3x300xf32>
  %2 = "stablehlo.scatter"(%z, %one, %x1) <{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [1], input_batching_dims = [0], scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [1], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.multiply %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<3x300xf32>, tensor<3x1xi32>, tensor<3xf32>) -> tensor<3x300xf32>
  %3 = "stablehlo.scatter"(%z, %narrow, %x1) <{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [1], input_batching_dims = [0], scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [1], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<3x300xf32>, tensor<3x1xi8>, tensor<3xf32>) -> tensor<3x300xf32>
  return %0, %1, %2, %3 : tensor<3x300xf32>, tensor<3x300xf32>, tensor<3x300xf32>, tensor<3x300xf32>
}

// Places below 0 and beyond the row are in no row.
func.func @check() {
  %ids = stablehlo.constant dense<[[[[4]], [[-1]], [[5]]], [[[0]], [[2]], [[1]]]]> : tensor<2x3x1x1xi32>
  %x = stablehlo.constant dense<[[[1.0], [2.0], [3.0]], [[4.0], [-0.0], [6.0]]]> : tensor<2x3x1xf32>
  %0 = call @along(%ids, %x) : (tensor<2x3x1x1xi32>, tensor<2x3x1xf32>) -> tensor<2x3x5xf32>
  check.expect_eq_const %0, dense<[[[0.0, 0.0, 0.0, 0.0, 1.0], [0.0, 0.0, 0.0, 0.0, 0.0], [0.0, 0.0, 0.0, 0.0, 0.0]],
                                   [[4.0, 0.0, 0.0, 0.0, 0.0], [0.0, 0.0, 0.0, 0.0, 0.0], [0.0, 6.0, 0.0, 0.0, 0.0]]]> : tensor<2x3x5xf32>
  return
}
