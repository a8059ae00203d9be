// RUN: forge-opt %s --split-input-file --verify-diagnostics

// One case per constraint of scatter; the name says which.

func.func @scatter_c1_inputs(%x: tensor<10x8xf32>, %y: tensor<10x9xf32>, %i: tensor<4x1xi32>, %u: tensor<4x8xf32>, %v: tensor<4x8xf32>) {
  // expected-error @+1 {{expected shape [10, 8] for the inputs, but got [10, 9]}}
  %0:2 = "stablehlo.scatter"(%x, %y, %i, %u, %v) ({
  ^bb0(%p: tensor<f32>, %q: tensor<f32>, %pu: tensor<f32>, %qu: tensor<f32>):
    stablehlo.return %pu, %qu : tensor<f32>, tensor<f32>
  }) {scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>} : (tensor<10x8xf32>, tensor<10x9xf32>, tensor<4x1xi32>, tensor<4x8xf32>, tensor<4x8xf32>) -> (tensor<10x8xf32>, tensor<10x9xf32>)
  return
}

// -----

func.func @scatter_c2_parts(%x: tensor<10x8xf32>, %i: tensor<4x1xi32>, %u: tensor<4x8xf32>) {
  // expected-error @+1 {{expected update_window_dims, inserted_window_dims and input_batching_dims to cover the operand's rank 2, but got 1 dimensions}}
  %0 = "stablehlo.scatter"(%x, %i, %u) ({
  ^bb0(%p: tensor<f32>, %q: tensor<f32>):
    %sum = stablehlo.add %p, %q : tensor<f32>
    stablehlo.return %sum : tensor<f32>
  }) {scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [], input_batching_dims = [], scatter_indices_batching_dims = [], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>} : (tensor<10x8xf32>, tensor<4x1xi32>, tensor<4x8xf32>) -> tensor<10x8xf32>
  return
}

// -----

func.func @scatter_c3_updates(%x: tensor<10x8xf32>, %y: tensor<10x8xf32>, %i: tensor<4x1xi32>, %u: tensor<4x8xf32>, %v: tensor<4x7xf32>) {
  // expected-error @+1 {{expected shape [4, 8] for the updates, but got [4, 7]}}
  %0:2 = "stablehlo.scatter"(%x, %y, %i, %u, %v) ({
  ^bb0(%p: tensor<f32>, %q: tensor<f32>, %pu: tensor<f32>, %qu: tensor<f32>):
    stablehlo.return %pu, %qu : tensor<f32>, tensor<f32>
  }) {scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>} : (tensor<10x8xf32>, tensor<10x8xf32>, tensor<4x1xi32>, tensor<4x8xf32>, tensor<4x7xf32>) -> (tensor<10x8xf32>, tensor<10x8xf32>)
  return
}

// -----

func.func @scatter_c4_window(%x: tensor<10x8xf32>, %i: tensor<4x1xi32>, %u: tensor<4x9xf32>) {
  // expected-error @+1 {{expected at most 8 elements in dimension 1 of the updates, but got 9}}
  %0 = "stablehlo.scatter"(%x, %i, %u) ({
  ^bb0(%p: tensor<f32>, %q: tensor<f32>):
    %sum = stablehlo.add %p, %q : tensor<f32>
    stablehlo.return %sum : tensor<f32>
  }) {scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], input_batching_dims = [], scatter_indices_batching_dims = [], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>} : (tensor<10x8xf32>, tensor<4x1xi32>, tensor<4x9xf32>) -> tensor<10x8xf32>
  return
}

// -----

func.func @scatter_c4_places(%x: tensor<10x8xf32>, %i: tensor<4x1xi32>, %u: tensor<5x8xf32>) {
  // expected-error @+1 {{expected shape [4, 8] for the updates, but got [5, 8]}}
  %0 = "stablehlo.scatter"(%x, %i, %u) ({
  ^bb0(%p: tensor<f32>, %q: tensor<f32>):
    %sum = stablehlo.add %p, %q : tensor<f32>
    stablehlo.return %sum : tensor<f32>
  }) {scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], input_batching_dims = [], scatter_indices_batching_dims = [], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>} : (tensor<10x8xf32>, tensor<4x1xi32>, tensor<5x8xf32>) -> tensor<10x8xf32>
  return
}

// -----

func.func @scatter_c4_rank(%x: tensor<10x8xf32>, %i: tensor<4x1xi32>, %u: tensor<4x8x1xf32>) {
  // expected-error @+1 {{expected rank 2 for the updates, but got 3}}
  %0 = "stablehlo.scatter"(%x, %i, %u) ({
  ^bb0(%p: tensor<f32>, %q: tensor<f32>):
    %sum = stablehlo.add %p, %q : tensor<f32>
    stablehlo.return %sum : tensor<f32>
  }) {scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], input_batching_dims = [], scatter_indices_batching_dims = [], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>} : (tensor<10x8xf32>, tensor<4x1xi32>, tensor<4x8x1xf32>) -> tensor<10x8xf32>
  return
}

// -----

func.func @scatter_c5_results(%x: tensor<10x8xf32>, %i: tensor<4x1xi32>, %u: tensor<4x8xf32>) {
  // expected-error @+1 {{expected 1 entries in the results, but got 2}}
  %0:2 = "stablehlo.scatter"(%x, %i, %u) ({
  ^bb0(%p: tensor<f32>, %q: tensor<f32>):
    %sum = stablehlo.add %p, %q : tensor<f32>
    stablehlo.return %sum : tensor<f32>
  }) {scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>} : (tensor<10x8xf32>, tensor<4x1xi32>, tensor<4x8xf32>) -> (tensor<10x8xf32>, tensor<10x8xf32>)
  return
}

// -----

func.func @scatter_c6_types(%x: tensor<10x8xf32>, %i: tensor<4x1xi32>, %u: tensor<4x8xf64>) {
  // expected-error @+1 {{expected element type 'f32' for the updates, but got 'f64'}}
  %0 = "stablehlo.scatter"(%x, %i, %u) ({
  ^bb0(%p: tensor<f32>, %q: tensor<f32>):
    %sum = stablehlo.add %p, %q : tensor<f32>
    stablehlo.return %sum : tensor<f32>
  }) {scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], input_batching_dims = [], scatter_indices_batching_dims = [], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>} : (tensor<10x8xf32>, tensor<4x1xi32>, tensor<4x8xf64>) -> tensor<10x8xf32>
  return
}

// -----

func.func @scatter_c7_sorted(%x: tensor<10x8xf32>, %i: tensor<4x1xi32>, %u: tensor<4x8xf32>) {
  // expected-error @+1 {{expected sorted update_window_dims, but got [1, 0]}}
  %0 = "stablehlo.scatter"(%x, %i, %u) ({
  ^bb0(%p: tensor<f32>, %q: tensor<f32>):
    %sum = stablehlo.add %p, %q : tensor<f32>
    stablehlo.return %sum : tensor<f32>
  }) {scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1, 0], inserted_window_dims = [], input_batching_dims = [], scatter_indices_batching_dims = [], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>} : (tensor<10x8xf32>, tensor<4x1xi32>, tensor<4x8xf32>) -> tensor<10x8xf32>
  return
}

// -----

func.func @scatter_c7_twice(%x: tensor<10x8xf32>, %i: tensor<4x1xi32>, %u: tensor<4x8xf32>) {
  // expected-error @+1 {{expected distinct update_window_dims, but got 1 twice}}
  %0 = "stablehlo.scatter"(%x, %i, %u) ({
  ^bb0(%p: tensor<f32>, %q: tensor<f32>):
    %sum = stablehlo.add %p, %q : tensor<f32>
    stablehlo.return %sum : tensor<f32>
  }) {scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1, 1], inserted_window_dims = [], input_batching_dims = [], scatter_indices_batching_dims = [], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>} : (tensor<10x8xf32>, tensor<4x1xi32>, tensor<4x8xf32>) -> tensor<10x8xf32>
  return
}

// -----

func.func @scatter_c8_range(%x: tensor<10x8xf32>, %i: tensor<4x1xi32>, %u: tensor<4x8xf32>) {
  // expected-error @+1 {{expected update_window_dims in the range [0, 2), but got 2}}
  %0 = "stablehlo.scatter"(%x, %i, %u) ({
  ^bb0(%p: tensor<f32>, %q: tensor<f32>):
    %sum = stablehlo.add %p, %q : tensor<f32>
    stablehlo.return %sum : tensor<f32>
  }) {scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [2], inserted_window_dims = [0], input_batching_dims = [], scatter_indices_batching_dims = [], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>} : (tensor<10x8xf32>, tensor<4x1xi32>, tensor<4x8xf32>) -> tensor<10x8xf32>
  return
}

// -----

func.func @scatter_c9_twice(%x: tensor<3x10x8xf32>, %i: tensor<3x4x1xi32>, %u: tensor<3x4x8xf32>) {
  // expected-error @+1 {{expected distinct inserted_window_dims and input_batching_dims, but got 0 twice}}
  %0 = "stablehlo.scatter"(%x, %i, %u) ({
  ^bb0(%p: tensor<f32>, %q: tensor<f32>):
    %sum = stablehlo.add %p, %q : tensor<f32>
    stablehlo.return %sum : tensor<f32>
  }) {scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [2], inserted_window_dims = [0], input_batching_dims = [0], scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [1], index_vector_dim = 2>} : (tensor<3x10x8xf32>, tensor<3x4x1xi32>, tensor<3x4x8xf32>) -> tensor<3x10x8xf32>
  return
}

// -----

func.func @scatter_c10_sorted(%x: tensor<10x8xf32>, %i: tensor<4x1xi32>, %u: tensor<4xf32>) {
  // expected-error @+1 {{expected sorted inserted_window_dims, but got [1, 0]}}
  %0 = "stablehlo.scatter"(%x, %i, %u) ({
  ^bb0(%p: tensor<f32>, %q: tensor<f32>):
    %sum = stablehlo.add %p, %q : tensor<f32>
    stablehlo.return %sum : tensor<f32>
  }) {scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [], inserted_window_dims = [1, 0], input_batching_dims = [], scatter_indices_batching_dims = [], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>} : (tensor<10x8xf32>, tensor<4x1xi32>, tensor<4xf32>) -> tensor<10x8xf32>
  return
}

// -----

func.func @scatter_c11_range(%x: tensor<10x8xf32>, %i: tensor<4x1xi32>, %u: tensor<4x8xf32>) {
  // expected-error @+1 {{expected inserted_window_dims in the range [0, 2), but got -1}}
  %0 = "stablehlo.scatter"(%x, %i, %u) ({
  ^bb0(%p: tensor<f32>, %q: tensor<f32>):
    %sum = stablehlo.add %p, %q : tensor<f32>
    stablehlo.return %sum : tensor<f32>
  }) {scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [-1], input_batching_dims = [], scatter_indices_batching_dims = [], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>} : (tensor<10x8xf32>, tensor<4x1xi32>, tensor<4x8xf32>) -> tensor<10x8xf32>
  return
}

// -----

func.func @scatter_c12_sorted(%x: tensor<3x4x8xf32>, %i: tensor<3x4x0xi32>, %u: tensor<3x4x8xf32>) {
  // expected-error @+1 {{expected sorted input_batching_dims, but got [1, 0]}}
  %0 = "stablehlo.scatter"(%x, %i, %u) ({
  ^bb0(%p: tensor<f32>, %q: tensor<f32>):
    %sum = stablehlo.add %p, %q : tensor<f32>
    stablehlo.return %sum : tensor<f32>
  }) {scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [2], inserted_window_dims = [], input_batching_dims = [1, 0], scatter_indices_batching_dims = [1, 0], scatter_dims_to_operand_dims = [], index_vector_dim = 2>} : (tensor<3x4x8xf32>, tensor<3x4x0xi32>, tensor<3x4x8xf32>) -> tensor<3x4x8xf32>
  return
}

// -----

func.func @scatter_c13_range(%x: tensor<3x10x8xf32>, %i: tensor<3x4x1xi32>, %u: tensor<3x4x8xf32>) {
  // expected-error @+1 {{expected input_batching_dims in the range [0, 3), but got 5}}
  %0 = "stablehlo.scatter"(%x, %i, %u) ({
  ^bb0(%p: tensor<f32>, %q: tensor<f32>):
    %sum = stablehlo.add %p, %q : tensor<f32>
    stablehlo.return %sum : tensor<f32>
  }) {scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [2], inserted_window_dims = [1], input_batching_dims = [5], scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [1], index_vector_dim = 2>} : (tensor<3x10x8xf32>, tensor<3x4x1xi32>, tensor<3x4x8xf32>) -> tensor<3x10x8xf32>
  return
}

// -----

func.func @scatter_c14_twice(%x: tensor<3x10x8xf32>, %i: tensor<3x4x1xi32>, %u: tensor<3x4x8xf32>) {
  // expected-error @+1 {{expected distinct scatter_indices_batching_dims, but got 0 twice}}
  %0 = "stablehlo.scatter"(%x, %i, %u) ({
  ^bb0(%p: tensor<f32>, %q: tensor<f32>):
    %sum = stablehlo.add %p, %q : tensor<f32>
    stablehlo.return %sum : tensor<f32>
  }) {scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [2], inserted_window_dims = [1], input_batching_dims = [0], scatter_indices_batching_dims = [0, 0], scatter_dims_to_operand_dims = [1], index_vector_dim = 2>} : (tensor<3x10x8xf32>, tensor<3x4x1xi32>, tensor<3x4x8xf32>) -> tensor<3x10x8xf32>
  return
}

// -----

func.func @scatter_c15_range(%x: tensor<3x10x8xf32>, %i: tensor<3x4x1xi32>, %u: tensor<3x4x8xf32>) {
  // expected-error @+1 {{expected scatter_indices_batching_dims in the range [0, 3), but got 3}}
  %0 = "stablehlo.scatter"(%x, %i, %u) ({
  ^bb0(%p: tensor<f32>, %q: tensor<f32>):
    %sum = stablehlo.add %p, %q : tensor<f32>
    stablehlo.return %sum : tensor<f32>
  }) {scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [2], inserted_window_dims = [1], input_batching_dims = [0], scatter_indices_batching_dims = [3], scatter_dims_to_operand_dims = [1], index_vector_dim = 2>} : (tensor<3x10x8xf32>, tensor<3x4x1xi32>, tensor<3x4x8xf32>) -> tensor<3x10x8xf32>
  return
}

// -----

func.func @scatter_c16_index_vector(%x: tensor<3x10x8xf32>, %i: tensor<3x4x1xi32>, %u: tensor<3x4x8xf32>) {
  // expected-error @+1 {{expected scatter_indices_batching_dims without index_vector_dim 2}}
  %0 = "stablehlo.scatter"(%x, %i, %u) ({
  ^bb0(%p: tensor<f32>, %q: tensor<f32>):
    %sum = stablehlo.add %p, %q : tensor<f32>
    stablehlo.return %sum : tensor<f32>
  }) {scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [2], inserted_window_dims = [1], input_batching_dims = [0], scatter_indices_batching_dims = [2], scatter_dims_to_operand_dims = [1], index_vector_dim = 2>} : (tensor<3x10x8xf32>, tensor<3x4x1xi32>, tensor<3x4x8xf32>) -> tensor<3x10x8xf32>
  return
}

// -----

func.func @scatter_c17_counts(%x: tensor<3x10x8xf32>, %i: tensor<3x4x1xi32>, %u: tensor<3x4x8xf32>) {
  // expected-error @+1 {{expected 1 entries in scatter_indices_batching_dims, but got 0}}
  %0 = "stablehlo.scatter"(%x, %i, %u) ({
  ^bb0(%p: tensor<f32>, %q: tensor<f32>):
    %sum = stablehlo.add %p, %q : tensor<f32>
    stablehlo.return %sum : tensor<f32>
  }) {scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [2], inserted_window_dims = [1], input_batching_dims = [0], scatter_indices_batching_dims = [], scatter_dims_to_operand_dims = [1], index_vector_dim = 2>} : (tensor<3x10x8xf32>, tensor<3x4x1xi32>, tensor<3x4x8xf32>) -> tensor<3x10x8xf32>
  return
}

// -----

func.func @scatter_c18_sizes(%x: tensor<3x10x8xf32>, %i: tensor<3x4x1xi32>, %u: tensor<3x4x8xf32>) {
  // expected-error @+1 {{expected the indices' batching dimension to be 3 as the operand's batching dimension, but got 4}}
  %0 = "stablehlo.scatter"(%x, %i, %u) ({
  ^bb0(%p: tensor<f32>, %q: tensor<f32>):
    %sum = stablehlo.add %p, %q : tensor<f32>
    stablehlo.return %sum : tensor<f32>
  }) {scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [2], inserted_window_dims = [1], input_batching_dims = [0], scatter_indices_batching_dims = [1], scatter_dims_to_operand_dims = [1], index_vector_dim = 2>} : (tensor<3x10x8xf32>, tensor<3x4x1xi32>, tensor<3x4x8xf32>) -> tensor<3x10x8xf32>
  return
}

// -----

func.func @scatter_c19_components(%x: tensor<10x8xf32>, %i: tensor<4x1xi32>, %u: tensor<4x8xf32>) {
  // expected-error @+1 {{expected 1 entries in scatter_dims_to_operand_dims, but got 2}}
  %0 = "stablehlo.scatter"(%x, %i, %u) ({
  ^bb0(%p: tensor<f32>, %q: tensor<f32>):
    %sum = stablehlo.add %p, %q : tensor<f32>
    stablehlo.return %sum : tensor<f32>
  }) {scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], input_batching_dims = [], scatter_indices_batching_dims = [], scatter_dims_to_operand_dims = [0, 1], index_vector_dim = 1>} : (tensor<10x8xf32>, tensor<4x1xi32>, tensor<4x8xf32>) -> tensor<10x8xf32>
  return
}

// -----

func.func @scatter_c20_twice(%x: tensor<3x10x8xf32>, %i: tensor<3x4x1xi32>, %u: tensor<3x4x8xf32>) {
  // expected-error @+1 {{expected distinct scatter_dims_to_operand_dims and input_batching_dims, but got 0 twice}}
  %0 = "stablehlo.scatter"(%x, %i, %u) ({
  ^bb0(%p: tensor<f32>, %q: tensor<f32>):
    %sum = stablehlo.add %p, %q : tensor<f32>
    stablehlo.return %sum : tensor<f32>
  }) {scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [2], inserted_window_dims = [1], input_batching_dims = [0], scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 2>} : (tensor<3x10x8xf32>, tensor<3x4x1xi32>, tensor<3x4x8xf32>) -> tensor<3x10x8xf32>
  return
}

// -----

func.func @scatter_c21_range(%x: tensor<10x8xf32>, %i: tensor<4x1xi32>, %u: tensor<4x8xf32>) {
  // expected-error @+1 {{expected scatter_dims_to_operand_dims in the range [0, 2), but got 2}}
  %0 = "stablehlo.scatter"(%x, %i, %u) ({
  ^bb0(%p: tensor<f32>, %q: tensor<f32>):
    %sum = stablehlo.add %p, %q : tensor<f32>
    stablehlo.return %sum : tensor<f32>
  }) {scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], input_batching_dims = [], scatter_indices_batching_dims = [], scatter_dims_to_operand_dims = [2], index_vector_dim = 1>} : (tensor<10x8xf32>, tensor<4x1xi32>, tensor<4x8xf32>) -> tensor<10x8xf32>
  return
}

// -----

func.func @scatter_c22_index_vector_dim(%x: tensor<10x8xf32>, %i: tensor<4x1xi32>, %u: tensor<4x8xf32>) {
  // expected-error @+1 {{expected index_vector_dim in [0, 2], but got -1}}
  %0 = "stablehlo.scatter"(%x, %i, %u) ({
  ^bb0(%p: tensor<f32>, %q: tensor<f32>):
    %sum = stablehlo.add %p, %q : tensor<f32>
    stablehlo.return %sum : tensor<f32>
  }) {scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], input_batching_dims = [], scatter_indices_batching_dims = [], scatter_dims_to_operand_dims = [0], index_vector_dim = -1>} : (tensor<10x8xf32>, tensor<4x1xi32>, tensor<4x8xf32>) -> tensor<10x8xf32>
  return
}

// -----

func.func @scatter_c23_computation(%x: tensor<10x8xf32>, %i: tensor<4x1xi32>, %u: tensor<4x8xf32>) {
  // expected-error @+1 {{expected 2 arguments of update_computation, but got 1}}
  %0 = "stablehlo.scatter"(%x, %i, %u) ({
  ^bb0(%p: tensor<f32>):
    stablehlo.return %p : tensor<f32>
  }) {scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], input_batching_dims = [], scatter_indices_batching_dims = [], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>} : (tensor<10x8xf32>, tensor<4x1xi32>, tensor<4x8xf32>) -> tensor<10x8xf32>
  return
}

// -----

func.func @scatter_c24_shape(%x: tensor<10x8xf32>, %i: tensor<4x1xi32>, %u: tensor<4x8xf32>) {
  // expected-error @+1 {{expected shape [10, 8] for the results, but got [10, 9]}}
  %0 = "stablehlo.scatter"(%x, %i, %u) ({
  ^bb0(%p: tensor<f32>, %q: tensor<f32>):
    %sum = stablehlo.add %p, %q : tensor<f32>
    stablehlo.return %sum : tensor<f32>
  }) {scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], input_batching_dims = [], scatter_indices_batching_dims = [], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>} : (tensor<10x8xf32>, tensor<4x1xi32>, tensor<4x8xf32>) -> tensor<10x9xf32>
  return
}

// -----

func.func @scatter_c25_types(%x: tensor<10x8xf32>, %i: tensor<4x1xi32>, %u: tensor<4x8xf32>) {
  // expected-error @+1 {{expected a result 0 that 'f32' is promoted to, but got 'bf16'}}
  %0 = "stablehlo.scatter"(%x, %i, %u) ({
  ^bb0(%p: tensor<f32>, %q: tensor<f32>):
    %sum = stablehlo.add %p, %q : tensor<f32>
    stablehlo.return %sum : tensor<f32>
  }) {scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], input_batching_dims = [], scatter_indices_batching_dims = [], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>} : (tensor<10x8xf32>, tensor<4x1xi32>, tensor<4x8xf32>) -> tensor<10x8xbf16>
  return
}
