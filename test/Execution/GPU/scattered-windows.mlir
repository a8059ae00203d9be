// A loop over a batch of dynamic_update_slice, as JAX batches it: each sequence has one window, so that all of its elements are written side
// by side; windows that are not inside are skipped. Several windows of a sequence may overlap, and are written in their order.
// RUN: forge verify %s --function windows --target sim:sm_90a
// RUN: forge verify %s --function windows --target sim:gfx942
// RUN: forge verify %s --function windows --target cpu
// RUN: forge verify %s --function added --target sim:sm_90a
// RUN: forge verify %s --function several --target sim:sm_90a
// RUN: forge compile %s --function windows --target cuda:sm_90a --to linalg -o - | FileCheck %s --check-prefix=APART
// RUN: forge compile %s --function added --target cuda:sm_90a --to linalg -o - | FileCheck %s --check-prefix=APART
// RUN: forge compile %s --function several --target cuda:sm_90a --to linalg -o - | FileCheck %s --check-prefix=ORDERED

// APART: forge.independent
// ORDERED: scf.for
// ORDERED-NOT: forge.independent
func.func @windows(%x: tensor<3x40x2x8xf32>, %i: tensor<3x3xi32>, %u: tensor<3x5x2x8xf32>) -> tensor<3x40x2x8xf32> {
  %0 = "stablehlo.scatter"(%x, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1, 2, 3], input_batching_dims = [0], scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [1, 2, 3], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    stablehlo.return %b : tensor<f32>
  }) : (tensor<3x40x2x8xf32>, tensor<3x3xi32>, tensor<3x5x2x8xf32>) -> tensor<3x40x2x8xf32>
  return %0 : tensor<3x40x2x8xf32>
}
func.func @added(%x: tensor<40x8xf32>, %i: tensor<1xi32>, %u: tensor<5x8xf32>) -> tensor<40x8xf32> {
  %0 = "stablehlo.scatter"(%x, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [0, 1], scatter_dims_to_operand_dims = [0]>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<40x8xf32>, tensor<1xi32>, tensor<5x8xf32>) -> tensor<40x8xf32>
  return %0 : tensor<40x8xf32>
}
func.func @several(%x: tensor<3x40x8xf32>, %i: tensor<3x4x1xi32>, %u: tensor<3x4x5x8xf32>) -> tensor<3x40x8xf32> {
  %0 = "stablehlo.scatter"(%x, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [2, 3], input_batching_dims = [0], scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [1], index_vector_dim = 2>, unique_indices = true}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    stablehlo.return %b : tensor<f32>
  }) : (tensor<3x40x8xf32>, tensor<3x4x1xi32>, tensor<3x4x5x8xf32>) -> tensor<3x40x8xf32>
  return %0 : tensor<3x40x8xf32>
}
