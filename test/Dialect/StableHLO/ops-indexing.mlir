// RUN: forge-opt %s | forge-opt | FileCheck %s
// RUN: forge-opt %s --mlir-print-op-generic | forge-opt | FileCheck %s

// gather and scatter; the fields of their dimension numbers are in any order and empty ones may be
// left out.

// CHECK-LABEL: @gather
func.func @gather(%table: tensor<100x8xf32>, %ids: tensor<4x1xi32>, %scalar: tensor<i32>) {
  // CHECK: "stablehlo.gather"(%{{.*}}) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1, 8>}>
  %0 = "stablehlo.gather"(%table, %ids) {dimension_numbers = #stablehlo.gather<index_vector_dim = 1, start_index_map = [0], collapsed_slice_dims = [0], operand_batching_dims = [], offset_dims = [1],>, slice_sizes = array<i64: 1, 8>, indices_are_sorted = false} : (tensor<100x8xf32>, tensor<4x1xi32>) -> tensor<4x8xf32>
  // CHECK: dimension_numbers = #stablehlo.gather<offset_dims = [0, 1], start_index_map = [0]>
  %1 = "stablehlo.gather"(%table, %scalar) {dimension_numbers = #stablehlo.gather<offset_dims = [0, 1], start_index_map = [0], index_vector_dim = 0>, slice_sizes = array<i64: 5, 8>} : (tensor<100x8xf32>, tensor<i32>) -> tensor<5x8xf32>
  return
}

// CHECK-LABEL: @gather_batching
func.func @gather_batching(%x: tensor<3x100x8xf32>, %ids: tensor<4x3x1xui8>) -> tensor<4x3x8xf32> {
  // CHECK: #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [1], start_index_map = [1], index_vector_dim = 2>
  %0 = "stablehlo.gather"(%x, %ids) {dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [1], start_index_map = [1], index_vector_dim = 2>, slice_sizes = array<i64: 1, 1, 8>} : (tensor<3x100x8xf32>, tensor<4x3x1xui8>) -> tensor<4x3x8xf32>
  return %0 : tensor<4x3x8xf32>
}

// CHECK-LABEL: @gather_scalar
func.func @gather_scalar(%x: tensor<f32>, %ids: tensor<0xi32>) -> tensor<f32> {
  // CHECK: #stablehlo.gather<>
  %0 = "stablehlo.gather"(%x, %ids) {dimension_numbers = #stablehlo.gather<>, slice_sizes = array<i64>} : (tensor<f32>, tensor<0xi32>) -> tensor<f32>
  return %0 : tensor<f32>
}

// CHECK-LABEL: @dynamic_gather
func.func @dynamic_gather(%table: tensor<100x8xf32>, %ids: tensor<4x1xi32>, %sizes: tensor<2xi32>) -> tensor<4x?xf32> {
  // CHECK: "stablehlo.dynamic_gather"(%{{.*}})
  %0 = "stablehlo.dynamic_gather"(%table, %ids, %sizes) {dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>} : (tensor<100x8xf32>, tensor<4x1xi32>, tensor<2xi32>) -> tensor<4x?xf32>
  return %0 : tensor<4x?xf32>
}

// CHECK-LABEL: @scatter
func.func @scatter(%table: tensor<100x8xf32>, %ids: tensor<4x1xi32>, %rows: tensor<4x8xf32>) -> tensor<100x8xf32> {
  // CHECK: "stablehlo.scatter"(%{{.*}}) <{indices_are_sorted = true, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = true}> ({
  %0 = "stablehlo.scatter"(%table, %ids, %rows) <{indices_are_sorted = true, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = true}> ({
  ^bb0(%old: tensor<f32>, %update: tensor<f32>):
    %sum = stablehlo.add %old, %update : tensor<f32>
    stablehlo.return %sum : tensor<f32>
  }) : (tensor<100x8xf32>, tensor<4x1xi32>, tensor<4x8xf32>) -> tensor<100x8xf32>
  return %0 : tensor<100x8xf32>
}

// CHECK-LABEL: @scatter_two
func.func @scatter_two(%x: tensor<3x100xf32>, %y: tensor<3x100xi32>, %ids: tensor<3x5x1xi32>, %u: tensor<3x5xf32>, %v: tensor<3x5xi32>) {
  // CHECK: #stablehlo.scatter<inserted_window_dims = [1], input_batching_dims = [0], scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [1], index_vector_dim = 2>
  %0:2 = "stablehlo.scatter"(%x, %y, %ids, %u, %v) ({
  ^bb0(%a: tensor<f32>, %b: tensor<i32>, %c: tensor<f32>, %d: tensor<i32>):
    stablehlo.return %c, %d : tensor<f32>, tensor<i32>
  }) {scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [1], input_batching_dims = [0], scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [1], index_vector_dim = 2>} : (tensor<3x100xf32>, tensor<3x100xi32>, tensor<3x5x1xi32>, tensor<3x5xf32>, tensor<3x5xi32>) -> (tensor<3x100xf32>, tensor<3x100xi32>)
  return
}
