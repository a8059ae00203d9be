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
