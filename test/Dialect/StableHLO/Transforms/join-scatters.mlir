// RUN: forge-opt %s --forge-join-scatters | FileCheck %s

// Of one table; places of the second lookup have two dimensions.
// CHECK-LABEL: func.func @two
// CHECK: %[[J:.*]] = stablehlo.reshape %arg1 : (tensor<2x3x1xi32>) -> tensor<6x1xi32>
// CHECK: %[[Y:.*]] = stablehlo.reshape %arg3 : (tensor<2x3x8xf32>) -> tensor<6x8xf32>
// CHECK: %[[K:.*]] = stablehlo.concatenate %arg0, %[[J]], dim = 0 : (tensor<4x1xi32>, tensor<6x1xi32>) -> tensor<10x1xi32>
// CHECK: %[[Z:.*]] = stablehlo.concatenate %arg2, %[[Y]], dim = 0 : (tensor<4x8xf32>, tensor<6x8xf32>) -> tensor<10x8xf32>
// CHECK: %[[S:.*]] = "stablehlo.scatter"(%{{.*}}, %[[K]], %[[Z]]) <{{.*}}update_window_dims = [1]{{.*}}index_vector_dim = 1
// CHECK-NOT: scatter"
// CHECK: return %[[S]]
func.func @two(%i: tensor<4x1xi32>, %j: tensor<2x3x1xi32>, %x: tensor<4x8xf32>, %y: tensor<2x3x8xf32>) -> tensor<100x8xf32> {
  %zeros = stablehlo.constant dense<0.0> : tensor<100x8xf32>
  %a = "stablehlo.scatter"(%zeros, %i, %x) ({
  ^bb0(%old: tensor<f32>, %new: tensor<f32>):
    %s = stablehlo.add %old, %new : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) {scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = true} : (tensor<100x8xf32>, tensor<4x1xi32>, tensor<4x8xf32>) -> tensor<100x8xf32>
  %b = "stablehlo.scatter"(%zeros, %j, %y) ({
  ^bb0(%old: tensor<f32>, %new: tensor<f32>):
    %s = stablehlo.add %old, %new : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) {scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [2], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 2>} : (tensor<100x8xf32>, tensor<2x3x1xi32>, tensor<2x3x8xf32>) -> tensor<100x8xf32>
  %sum = stablehlo.add %a, %b : tensor<100x8xf32>
  return %sum : tensor<100x8xf32>
}

// Of slices of a table: two lookups in the first one, one in the second, whose padding is another. Other terms stay.
// CHECK-LABEL: func.func @slices
// CHECK: %[[S:.*]] = "stablehlo.scatter"(%{{.*}}) <{{.*}}unique_indices = false
// CHECK: (tensor<10xf32>, tensor<6x1xi32>, tensor<6xf32>) -> tensor<10xf32>
// CHECK: %[[R:.*]] = stablehlo.reshape %[[S]] : (tensor<10xf32>) -> tensor<1x10xf32>
// CHECK: %[[P:.*]] = stablehlo.pad %[[R]], %{{.*}}, low = [0, 0], high = [1, 0]
// CHECK: %[[A:.*]] = stablehlo.add %[[P]], %{{.*}} : tensor<2x10xf32>
// CHECK: %[[B:.*]] = stablehlo.add %[[A]], %arg3 : tensor<2x10xf32>
// CHECK: return %[[B]]
func.func @slices(%i: tensor<3x1xi32>, %x: tensor<3xf32>, %y: tensor<3xf32>, %z: tensor<2x10xf32>) -> tensor<2x10xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %zeros = stablehlo.broadcast_in_dim %zero, dims = [] : (tensor<f32>) -> tensor<10xf32>
  %a = "stablehlo.scatter"(%zeros, %i, %x) ({
  ^bb0(%old: tensor<f32>, %new: tensor<f32>):
    %s = stablehlo.add %old, %new : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) {scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = true} : (tensor<10xf32>, tensor<3x1xi32>, tensor<3xf32>) -> tensor<10xf32>
  %b = "stablehlo.scatter"(%zeros, %i, %y) ({
  ^bb0(%old: tensor<f32>, %new: tensor<f32>):
    %s = stablehlo.add %new, %old : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) {scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = true} : (tensor<10xf32>, tensor<3x1xi32>, tensor<3xf32>) -> tensor<10xf32>
  %c = "stablehlo.scatter"(%zeros, %i, %y) ({
  ^bb0(%old: tensor<f32>, %new: tensor<f32>):
    %s = stablehlo.add %old, %new : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) {scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>} : (tensor<10xf32>, tensor<3x1xi32>, tensor<3xf32>) -> tensor<10xf32>
  %ra = stablehlo.reshape %a : (tensor<10xf32>) -> tensor<1x10xf32>
  %rb = stablehlo.reshape %b : (tensor<10xf32>) -> tensor<1x10xf32>
  %rc = stablehlo.reshape %c : (tensor<10xf32>) -> tensor<1x10xf32>
  %pa = stablehlo.pad %ra, %zero, low = [0, 0], high = [1, 0], interior = [0, 0] : (tensor<1x10xf32>, tensor<f32>) -> tensor<2x10xf32>
  %pb = stablehlo.pad %rb, %zero, low = [0, 0], high = [1, 0], interior = [0, 0] : (tensor<1x10xf32>, tensor<f32>) -> tensor<2x10xf32>
  %pc = stablehlo.pad %rc, %zero, low = [1, 0], high = [0, 0], interior = [0, 0] : (tensor<1x10xf32>, tensor<f32>) -> tensor<2x10xf32>
  %0 = stablehlo.add %pa, %pc : tensor<2x10xf32>
  %1 = stablehlo.add %0, %z : tensor<2x10xf32>
  %2 = stablehlo.add %1, %pb : tensor<2x10xf32>
  return %2 : tensor<2x10xf32>
}

// The largest of updates, a scatter that is read elsewhere, updates of other windows, and numbers that are not zero stay.
// CHECK-LABEL: func.func @stay
// CHECK-COUNT-4: "stablehlo.scatter"
// CHECK-NOT: concatenate
// CHECK: return
func.func @stay(%i: tensor<3x1xi32>, %x: tensor<3xf32>, %y: tensor<3x2xf32>, %t: tensor<10xf32>) -> (tensor<10xf32>, tensor<10xf32>) {
  %zeros = stablehlo.constant dense<0.0> : tensor<10xf32>
  %a = "stablehlo.scatter"(%zeros, %i, %x) ({
  ^bb0(%old: tensor<f32>, %new: tensor<f32>):
    %s = stablehlo.maximum %old, %new : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) {scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>} : (tensor<10xf32>, tensor<3x1xi32>, tensor<3xf32>) -> tensor<10xf32>
  %b = "stablehlo.scatter"(%zeros, %i, %x) ({
  ^bb0(%old: tensor<f32>, %new: tensor<f32>):
    %s = stablehlo.add %old, %new : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) {scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>} : (tensor<10xf32>, tensor<3x1xi32>, tensor<3xf32>) -> tensor<10xf32>
  %c = "stablehlo.scatter"(%zeros, %i, %y) ({
  ^bb0(%old: tensor<f32>, %new: tensor<f32>):
    %s = stablehlo.add %old, %new : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) {scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>} : (tensor<10xf32>, tensor<3x1xi32>, tensor<3x2xf32>) -> tensor<10xf32>
  %d = "stablehlo.scatter"(%t, %i, %x) ({
  ^bb0(%old: tensor<f32>, %new: tensor<f32>):
    %s = stablehlo.add %old, %new : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) {scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>} : (tensor<10xf32>, tensor<3x1xi32>, tensor<3xf32>) -> tensor<10xf32>
  %0 = stablehlo.add %a, %b : tensor<10xf32>
  %1 = stablehlo.add %0, %c : tensor<10xf32>
  %2 = stablehlo.add %1, %d : tensor<10xf32>
  return %2, %b : tensor<10xf32>, tensor<10xf32>
}
