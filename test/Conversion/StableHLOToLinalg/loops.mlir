// RUN: forge-opt %s --convert-stablehlo-to-linalg | FileCheck %s

// What is lowered to sequential loops carries its results through them, so that bufferization
// updates them in place.

// CHECK-LABEL: @scatter
// CHECK: scf.for %[[I:.*]] = {{.*}} iter_args(%[[R:.*]] = %arg0) -> (tensor<100x8xf32>)
// CHECK: %[[ROW:.*]] = tensor.extract %arg1[%[[I]], {{.*}}]
// CHECK: scf.if
// CHECK: scf.for {{.*}} iter_args(%[[IN:.*]] = %[[R]])
// CHECK: %[[OLD:.*]] = tensor.extract %[[IN]]
// CHECK: %[[UPDATE:.*]] = tensor.extract %arg2
// CHECK: %[[SUM:.*]] = arith.addf %[[OLD]], %[[UPDATE]]
// CHECK: tensor.insert %[[SUM]] into %[[IN]]
func.func @scatter(%table: tensor<100x8xf32>, %ids: tensor<4x1xi32>, %rows: tensor<4x8xf32>) -> tensor<100x8xf32> {
  %0 = "stablehlo.scatter"(%table, %ids, %rows) ({
  ^bb0(%old: tensor<f32>, %update: tensor<f32>):
    %sum = stablehlo.add %old, %update : tensor<f32>
    stablehlo.return %sum : tensor<f32>
  }) {scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>} : (tensor<100x8xf32>, tensor<4x1xi32>, tensor<4x8xf32>) -> tensor<100x8xf32>
  return %0 : tensor<100x8xf32>
}

// One line, one scratch line; two merges per pass.
// CHECK-LABEL: @sort
// CHECK: %[[SCRATCH:.*]] = tensor.empty() : tensor<8xf32>
// CHECK: math.ctlz
// CHECK: scf.for {{.*}} iter_args(%{{.*}} = %arg0, %{{.*}} = %[[SCRATCH]])
// CHECK-COUNT-2: arith.cmpf olt
// CHECK-NOT: arith.cmpf
func.func @sort(%x: tensor<8xf32>) -> tensor<8xf32> {
  %0 = "stablehlo.sort"(%x) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %c = stablehlo.compare LT, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  }) {dimension = 0 : i64} : (tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

// CHECK-LABEL: @top_k
// CHECK: arith.bitcast
// CHECK: tensor.extract_slice {{.*}} : tensor<2x8xf32> to tensor<2x3xf32>
// CHECK: tensor.extract_slice {{.*}} : tensor<2x8xi32> to tensor<2x3xi32>
func.func @top_k(%x: tensor<2x8xf32>) -> (tensor<2x3xf32>, tensor<2x3xi32>) {
  %0:2 = chlo.top_k(%x, k = 3) : tensor<2x8xf32> -> (tensor<2x3xf32>, tensor<2x3xi32>)
  return %0#0, %0#1 : tensor<2x3xf32>, tensor<2x3xi32>
}

// Loops trust sizes that go together; those known only at run time are compared first.
// CHECK-LABEL: @sort_dynamic
// CHECK: %[[Y:.*]] = tensor.dim %arg1
// CHECK: %[[X:.*]] = tensor.dim %arg0
// CHECK: %[[SAME:.*]] = arith.cmpi eq, %[[Y]], %[[X]]
// CHECK: call @forge_assert{{.*}}(%[[SAME]], %[[Y]], %[[X]])
// CHECK: scf.for
func.func @sort_dynamic(%x: tensor<?xi32>, %y: tensor<?xi32>) -> (tensor<?xi32>, tensor<?xi32>) {
  %0:2 = "stablehlo.sort"(%x, %y) ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>, %c: tensor<i32>, %d: tensor<i32>):
    %e = stablehlo.compare LT, %a, %b : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %e : tensor<i1>
  }) {dimension = 0 : i64} : (tensor<?xi32>, tensor<?xi32>) -> (tensor<?xi32>, tensor<?xi32>)
  return %0#0, %0#1 : tensor<?xi32>, tensor<?xi32>
}
