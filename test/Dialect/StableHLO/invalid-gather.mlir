// RUN: forge-opt %s --split-input-file --verify-diagnostics

// One case per constraint of gather; the name says which.

func.func @gather_c1_parts(%x: tensor<10x8xf32>, %i: tensor<4x1xi32>) {
  // expected-error @+1 {{expected offset_dims, collapsed_slice_dims and operand_batching_dims to cover the operand's rank 2, but got 1 dimensions}}
  %0 = "stablehlo.gather"(%x, %i) {dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [], operand_batching_dims = [], start_indices_batching_dims = [], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 8>} : (tensor<10x8xf32>, tensor<4x1xi32>) -> tensor<4x8xf32>
  return
}

// -----

func.func @gather_c2_index_vector_dim(%x: tensor<10x8xf32>, %i: tensor<4x1xi32>) {
  // expected-error @+1 {{expected index_vector_dim in [0, 2], but got 3}}
  %0 = "stablehlo.gather"(%x, %i) {dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], operand_batching_dims = [], start_indices_batching_dims = [], start_index_map = [0], index_vector_dim = 3>, slice_sizes = array<i64: 1, 8>} : (tensor<10x8xf32>, tensor<4x1xi32>) -> tensor<4x8xf32>
  return
}

// -----

func.func @gather_c3_components(%x: tensor<10x8xf32>, %i: tensor<4x1xi32>) {
  // expected-error @+1 {{expected 1 entries in start_index_map, but got 2}}
  %0 = "stablehlo.gather"(%x, %i) {dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], operand_batching_dims = [], start_indices_batching_dims = [], start_index_map = [0, 1], index_vector_dim = 1>, slice_sizes = array<i64: 1, 8>} : (tensor<10x8xf32>, tensor<4x1xi32>) -> tensor<4x8xf32>
  return
}

// -----

func.func @gather_c4_twice(%x: tensor<10x8xf32>, %i: tensor<4x1xi32>) {
  // expected-error @+1 {{expected distinct offset_dims, but got 1 twice}}
  %0 = "stablehlo.gather"(%x, %i) {dimension_numbers = #stablehlo.gather<offset_dims = [1, 1], collapsed_slice_dims = [], operand_batching_dims = [], start_indices_batching_dims = [], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 8>} : (tensor<10x8xf32>, tensor<4x1xi32>) -> tensor<4x8xf32>
  return
}

// -----

func.func @gather_c4_sorted(%x: tensor<10x8xf32>, %i: tensor<4x1xi32>) {
  // expected-error @+1 {{expected sorted offset_dims, but got [2, 1]}}
  %0 = "stablehlo.gather"(%x, %i) {dimension_numbers = #stablehlo.gather<offset_dims = [2, 1], collapsed_slice_dims = [], operand_batching_dims = [], start_indices_batching_dims = [], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 8>} : (tensor<10x8xf32>, tensor<4x1xi32>) -> tensor<4x1x8xf32>
  return
}

// -----

func.func @gather_c5_range(%x: tensor<10x8xf32>, %i: tensor<4x1xi32>) {
  // expected-error @+1 {{expected offset_dims in the range [0, 2), but got 2}}
  %0 = "stablehlo.gather"(%x, %i) {dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [0], operand_batching_dims = [], start_indices_batching_dims = [], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 8>} : (tensor<10x8xf32>, tensor<4x1xi32>) -> tensor<4x8xf32>
  return
}

// -----

func.func @gather_c6_twice(%x: tensor<3x10x8xf32>, %i: tensor<3x4x1xi32>) {
  // expected-error @+1 {{expected distinct collapsed_slice_dims and operand_batching_dims, but got 0 twice}}
  %0 = "stablehlo.gather"(%x, %i) {dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [0], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1], index_vector_dim = 2>, slice_sizes = array<i64: 1, 1, 8>} : (tensor<3x10x8xf32>, tensor<3x4x1xi32>) -> tensor<3x4x8xf32>
  return
}

// -----

func.func @gather_c7_sorted(%x: tensor<10x8xf32>, %i: tensor<4x1xi32>) {
  // expected-error @+1 {{expected sorted collapsed_slice_dims, but got [1, 0]}}
  %0 = "stablehlo.gather"(%x, %i) {dimension_numbers = #stablehlo.gather<offset_dims = [], collapsed_slice_dims = [1, 0], operand_batching_dims = [], start_indices_batching_dims = [], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 1>} : (tensor<10x8xf32>, tensor<4x1xi32>) -> tensor<4xf32>
  return
}

// -----

func.func @gather_c8_range(%x: tensor<10x8xf32>, %i: tensor<4x1xi32>) {
  // expected-error @+1 {{expected collapsed_slice_dims in the range [0, 2), but got 2}}
  %0 = "stablehlo.gather"(%x, %i) {dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [2], operand_batching_dims = [], start_indices_batching_dims = [], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 8>} : (tensor<10x8xf32>, tensor<4x1xi32>) -> tensor<4x8xf32>
  return
}

// -----

func.func @gather_c9_size(%x: tensor<10x8xf32>, %i: tensor<4x1xi32>) {
  // expected-error @+1 {{expected slice size 0 or 1 in dimension 0, which the slice has not, but got 2}}
  %0 = "stablehlo.gather"(%x, %i) {dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], operand_batching_dims = [], start_indices_batching_dims = [], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 2, 8>} : (tensor<10x8xf32>, tensor<4x1xi32>) -> tensor<4x8xf32>
  return
}

// -----

func.func @gather_c10_sorted(%x: tensor<3x4x8xf32>, %i: tensor<3x4x0xi32>) {
  // expected-error @+1 {{expected sorted operand_batching_dims, but got [1, 0]}}
  %0 = "stablehlo.gather"(%x, %i) {dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [], operand_batching_dims = [1, 0], start_indices_batching_dims = [1, 0], start_index_map = [], index_vector_dim = 2>, slice_sizes = array<i64: 1, 1, 8>} : (tensor<3x4x8xf32>, tensor<3x4x0xi32>) -> tensor<3x4x8xf32>
  return
}

// -----

func.func @gather_c11_range(%x: tensor<3x10x8xf32>, %i: tensor<3x4x1xi32>) {
  // expected-error @+1 {{expected operand_batching_dims in the range [0, 3), but got 3}}
  %0 = "stablehlo.gather"(%x, %i) {dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [1], operand_batching_dims = [3], start_indices_batching_dims = [0], start_index_map = [1], index_vector_dim = 2>, slice_sizes = array<i64: 1, 1, 8>} : (tensor<3x10x8xf32>, tensor<3x4x1xi32>) -> tensor<3x4x8xf32>
  return
}

// -----

func.func @gather_c12_size(%x: tensor<3x10x8xf32>, %i: tensor<3x4x1xi32>) {
  // expected-error @+1 {{expected slice size 0 or 1 in dimension 0, which the slice has not, but got 3}}
  %0 = "stablehlo.gather"(%x, %i) {dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1], index_vector_dim = 2>, slice_sizes = array<i64: 3, 1, 8>} : (tensor<3x10x8xf32>, tensor<3x4x1xi32>) -> tensor<3x4x8xf32>
  return
}

// -----

func.func @gather_c13_twice(%x: tensor<3x10x8xf32>, %i: tensor<3x4x1xi32>) {
  // expected-error @+1 {{expected distinct start_indices_batching_dims, but got 0 twice}}
  %0 = "stablehlo.gather"(%x, %i) {dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [0, 0], start_index_map = [1], index_vector_dim = 2>, slice_sizes = array<i64: 1, 1, 8>} : (tensor<3x10x8xf32>, tensor<3x4x1xi32>) -> tensor<3x4x8xf32>
  return
}

// -----

func.func @gather_c14_range(%x: tensor<3x10x8xf32>, %i: tensor<3x4x1xi32>) {
  // expected-error @+1 {{expected start_indices_batching_dims in the range [0, 3), but got 3}}
  %0 = "stablehlo.gather"(%x, %i) {dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [3], start_index_map = [1], index_vector_dim = 2>, slice_sizes = array<i64: 1, 1, 8>} : (tensor<3x10x8xf32>, tensor<3x4x1xi32>) -> tensor<3x4x8xf32>
  return
}

// -----

func.func @gather_c15_index_vector(%x: tensor<3x10x8xf32>, %i: tensor<3x4x1xi32>) {
  // expected-error @+1 {{expected start_indices_batching_dims without index_vector_dim 2}}
  %0 = "stablehlo.gather"(%x, %i) {dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [2], start_index_map = [1], index_vector_dim = 2>, slice_sizes = array<i64: 1, 1, 8>} : (tensor<3x10x8xf32>, tensor<3x4x1xi32>) -> tensor<3x4x8xf32>
  return
}

// -----

func.func @gather_c16_counts(%x: tensor<3x10x8xf32>, %i: tensor<3x4x1xi32>) {
  // expected-error @+1 {{expected 1 entries in start_indices_batching_dims, but got 2}}
  %0 = "stablehlo.gather"(%x, %i) {dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [0, 1], start_index_map = [1], index_vector_dim = 2>, slice_sizes = array<i64: 1, 1, 8>} : (tensor<3x10x8xf32>, tensor<3x4x1xi32>) -> tensor<3x4x8xf32>
  return
}

// -----

func.func @gather_c17_sizes(%x: tensor<3x10x8xf32>, %i: tensor<3x4x1xi32>) {
  // expected-error @+1 {{expected the indices' batching dimension to be 3 as the operand's batching dimension, but got 4}}
  %0 = "stablehlo.gather"(%x, %i) {dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [1], start_index_map = [1], index_vector_dim = 2>, slice_sizes = array<i64: 1, 1, 8>} : (tensor<3x10x8xf32>, tensor<3x4x1xi32>) -> tensor<3x4x8xf32>
  return
}

// -----

func.func @gather_c18_twice(%x: tensor<3x10x8xf32>, %i: tensor<3x4x1xi32>) {
  // expected-error @+1 {{expected distinct start_index_map and operand_batching_dims, but got 0 twice}}
  %0 = "stablehlo.gather"(%x, %i) {dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [0], index_vector_dim = 2>, slice_sizes = array<i64: 1, 1, 8>} : (tensor<3x10x8xf32>, tensor<3x4x1xi32>) -> tensor<3x4x8xf32>
  return
}

// -----

func.func @gather_c19_range(%x: tensor<10x8xf32>, %i: tensor<4x1xi32>) {
  // expected-error @+1 {{expected start_index_map in the range [0, 2), but got -1}}
  %0 = "stablehlo.gather"(%x, %i) {dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], operand_batching_dims = [], start_indices_batching_dims = [], start_index_map = [-1], index_vector_dim = 1>, slice_sizes = array<i64: 1, 8>} : (tensor<10x8xf32>, tensor<4x1xi32>) -> tensor<4x8xf32>
  return
}

// -----

func.func @gather_c20_sizes(%x: tensor<10x8xf32>, %i: tensor<4x1xi32>) {
  // expected-error @+1 {{expected 2 entries in slice_sizes, but got 1}}
  %0 = "stablehlo.gather"(%x, %i) {dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], operand_batching_dims = [], start_indices_batching_dims = [], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1>} : (tensor<10x8xf32>, tensor<4x1xi32>) -> tensor<4x8xf32>
  return
}

// -----

func.func @gather_c21_size(%x: tensor<10x8xf32>, %i: tensor<4x1xi32>) {
  // expected-error @+1 {{expected slice size in [0, 8] in dimension 1, but got 9}}
  %0 = "stablehlo.gather"(%x, %i) {dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], operand_batching_dims = [], start_indices_batching_dims = [], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 9>} : (tensor<10x8xf32>, tensor<4x1xi32>) -> tensor<4x8xf32>
  return
}

// -----

func.func @gather_c21_negative(%x: tensor<10x8xf32>, %i: tensor<4x1xi32>) {
  // expected-error @+1 {{expected a slice size of 0 or more in dimension 1, but got -1}}
  %0 = "stablehlo.gather"(%x, %i) {dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], operand_batching_dims = [], start_indices_batching_dims = [], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, -1>} : (tensor<10x8xf32>, tensor<4x1xi32>) -> tensor<4x8xf32>
  return
}

// -----

func.func @gather_c22_shape(%x: tensor<10x8xf32>, %i: tensor<4x1xi32>) {
  // expected-error @+1 {{expected shape [4, 8] for the result, but got [4, 7]}}
  %0 = "stablehlo.gather"(%x, %i) {dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], operand_batching_dims = [], start_indices_batching_dims = [], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 8>} : (tensor<10x8xf32>, tensor<4x1xi32>) -> tensor<4x7xf32>
  return
}

// -----

func.func @gather_c22_rank(%x: tensor<10x8xf32>, %i: tensor<4x1xi32>) {
  // expected-error @+1 {{expected rank 2 for the result, but got 3}}
  %0 = "stablehlo.gather"(%x, %i) {dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], operand_batching_dims = [], start_indices_batching_dims = [], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 8>} : (tensor<10x8xf32>, tensor<4x1xi32>) -> tensor<4x8x1xf32>
  return
}

// -----

func.func @gather_c23_type(%x: tensor<10x8xf32>, %i: tensor<4x1xi32>) {
  // expected-error @+1 {{expected element type 'f32' for the result, but got 'f64'}}
  %0 = "stablehlo.gather"(%x, %i) {dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], operand_batching_dims = [], start_indices_batching_dims = [], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 8>} : (tensor<10x8xf32>, tensor<4x1xi32>) -> tensor<4x8xf64>
  return
}

// -----

func.func @gather_text_field(%x: tensor<10x8xf32>, %i: tensor<4x1xi32>) {
  // expected-error @+1 {{unknown field 'offsets'}}
  %0 = "stablehlo.gather"(%x, %i) {dimension_numbers = #stablehlo.gather<offsets = [1]>, slice_sizes = array<i64: 1, 8>} : (tensor<10x8xf32>, tensor<4x1xi32>) -> tensor<4x8xf32>
  return
}

// -----

func.func @gather_text_twice(%x: tensor<10x8xf32>, %i: tensor<4x1xi32>) {
  // expected-error @+1 {{field 'offset_dims' appears twice}}
  %0 = "stablehlo.gather"(%x, %i) {dimension_numbers = #stablehlo.gather<offset_dims = [1], offset_dims = [1]>, slice_sizes = array<i64: 1, 8>} : (tensor<10x8xf32>, tensor<4x1xi32>) -> tensor<4x8xf32>
  return
}

// -----

func.func @dynamic_gather_c8_size(%x: tensor<10x8xf32>, %i: tensor<4x1xi32>) {
  %s = stablehlo.constant dense<[2, 8]> : tensor<2xi32>
  // expected-error @+1 {{expected slice size 0 or 1 in dimension 0, which the slice has not, but got 2}}
  %0 = "stablehlo.dynamic_gather"(%x, %i, %s) {dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>} : (tensor<10x8xf32>, tensor<4x1xi32>, tensor<2xi32>) -> tensor<4x?xf32>
  return
}

// -----

func.func @dynamic_gather_c11_sizes(%x: tensor<10x8xf32>, %i: tensor<4x1xi32>, %s: tensor<3xi32>) {
  // expected-error @+1 {{expected shape [2] for slice_sizes, but got [3]}}
  %0 = "stablehlo.dynamic_gather"(%x, %i, %s) {dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>} : (tensor<10x8xf32>, tensor<4x1xi32>, tensor<3xi32>) -> tensor<4x?xf32>
  return
}

// -----

func.func @dynamic_gather_c12_size(%x: tensor<10x8xf32>, %i: tensor<4x1xi32>) {
  %s = stablehlo.constant dense<[1, 9]> : tensor<2xi32>
  // expected-error @+1 {{expected slice size in [0, 8] in dimension 1, but got 9}}
  %0 = "stablehlo.dynamic_gather"(%x, %i, %s) {dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>} : (tensor<10x8xf32>, tensor<4x1xi32>, tensor<2xi32>) -> tensor<4x?xf32>
  return
}

// -----

func.func @dynamic_gather_c13_shape(%x: tensor<10x8xf32>, %i: tensor<4x1xi32>) {
  %s = stablehlo.constant dense<[1, 8]> : tensor<2xi32>
  // expected-error @+1 {{expected shape [4, 8] for the result, but got [4, 7]}}
  %0 = "stablehlo.dynamic_gather"(%x, %i, %s) {dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>} : (tensor<10x8xf32>, tensor<4x1xi32>, tensor<2xi32>) -> tensor<4x7xf32>
  return
}

// -----

func.func @dynamic_gather_c14_type(%x: tensor<10x8xf32>, %i: tensor<4x1xi32>, %s: tensor<2xi32>) {
  // expected-error @+1 {{expected element type 'f32' for the result, but got 'i32'}}
  %0 = "stablehlo.dynamic_gather"(%x, %i, %s) {dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>} : (tensor<10x8xf32>, tensor<4x1xi32>, tensor<2xi32>) -> tensor<4x?xi32>
  return
}
