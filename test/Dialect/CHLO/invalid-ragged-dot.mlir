// RUN: forge-opt %s --split-input-file --verify-diagnostics

// One case per constraint of chlo.ragged_dot; the name says which.

func.func @ragged_dot_c1_count(%x: tensor<6x4xf32>, %w: tensor<3x4x5xf32>, %s: tensor<3xi32>) {
  // expected-error @+1 {{expected 1 entries in rhs_contracting_dimensions, but got 0}}
  %0 = "chlo.ragged_dot"(%x, %w, %s) <{ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_contracting_dimensions = [1], lhs_ragged_dimensions = [0], rhs_group_dimensions = [0]>}> : (tensor<6x4xf32>, tensor<3x4x5xf32>, tensor<3xi32>) -> tensor<6x5xf32>
  return
}

// -----

func.func @ragged_dot_c1_range(%x: tensor<6x4xf32>, %w: tensor<3x4x5xf32>, %s: tensor<3xi32>) {
  // expected-error @+1 {{expected lhs_contracting_dimensions in the range [0, 2), but got 2}}
  %0 = "chlo.ragged_dot"(%x, %w, %s) <{ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1], lhs_ragged_dimensions = [0], rhs_group_dimensions = [0]>}> : (tensor<6x4xf32>, tensor<3x4x5xf32>, tensor<3xi32>) -> tensor<6x5xf32>
  return
}

// -----

func.func @ragged_dot_c1_sizes(%x: tensor<6x4xf32>, %w: tensor<3x3x5xf32>, %s: tensor<3xi32>) {
  // expected-error @+1 {{the rhs contracting dimension}}
  %0 = "chlo.ragged_dot"(%x, %w, %s) <{ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1], lhs_ragged_dimensions = [0], rhs_group_dimensions = [0]>}> : (tensor<6x4xf32>, tensor<3x3x5xf32>, tensor<3xi32>) -> tensor<6x5xf32>
  return
}

// -----

func.func @ragged_dot_c1_distinct(%x: tensor<6x4xf32>, %w: tensor<3x4x5xf32>, %s: tensor<3xi32>) {
  // expected-error @+1 {{lhs dimensions}}
  %0 = "chlo.ragged_dot"(%x, %w, %s) <{ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_batching_dimensions = [1], rhs_batching_dimensions = [1], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1], lhs_ragged_dimensions = [0], rhs_group_dimensions = [0]>}> : (tensor<6x4xf32>, tensor<3x4x5xf32>, tensor<3xi32>) -> tensor<6x5xf32>
  return
}

// -----

func.func @ragged_dot_c2_count(%x: tensor<6x4xf32>, %w: tensor<3x4x5xf32>, %s: tensor<3xi32>) {
  // expected-error @+1 {{expected 1 entries in lhs_ragged_dimensions, but got 0}}
  %0 = "chlo.ragged_dot"(%x, %w, %s) <{ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1], rhs_group_dimensions = [0]>}> : (tensor<6x4xf32>, tensor<3x4x5xf32>, tensor<3xi32>) -> tensor<6x5xf32>
  return
}

// -----

func.func @ragged_dot_c2_range(%x: tensor<6x4xf32>, %w: tensor<3x4x5xf32>, %s: tensor<3xi32>) {
  // expected-error @+1 {{expected lhs_ragged_dimensions in the range [0, 2), but got 5}}
  %0 = "chlo.ragged_dot"(%x, %w, %s) <{ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1], lhs_ragged_dimensions = [5], rhs_group_dimensions = [0]>}> : (tensor<6x4xf32>, tensor<3x4x5xf32>, tensor<3xi32>) -> tensor<6x5xf32>
  return
}

// -----

func.func @ragged_dot_c3_missing(%x: tensor<6x4xf32>, %w: tensor<3x4x5xf32>, %s: tensor<3xi32>) {
  // expected-error @+1 {{expected 1 entries in rhs_group_dimensions, but got 0}}
  %0 = "chlo.ragged_dot"(%x, %w, %s) <{ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1], lhs_ragged_dimensions = [0]>}> : (tensor<6x4xf32>, tensor<3x4x5xf32>, tensor<3xi32>) -> tensor<6x5xf32>
  return
}

// -----

func.func @ragged_dot_c3_none(%x: tensor<6x4xf32>, %w: tensor<6x5xf32>, %s: tensor<3xi32>) {
  // expected-error @+1 {{expected 0 entries in rhs_group_dimensions, but got 1}}
  %0 = "chlo.ragged_dot"(%x, %w, %s) <{ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_contracting_dimensions = [0], rhs_contracting_dimensions = [0], lhs_ragged_dimensions = [0], rhs_group_dimensions = [1]>}> : (tensor<6x4xf32>, tensor<6x5xf32>, tensor<3xi32>) -> tensor<3x4x5xf32>
  return
}

// -----

func.func @ragged_dot_c3_taken(%x: tensor<6x4xf32>, %w: tensor<3x4x5xf32>, %s: tensor<3xi32>) {
  // expected-error @+1 {{rhs dimensions}}
  %0 = "chlo.ragged_dot"(%x, %w, %s) <{ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1], lhs_ragged_dimensions = [0], rhs_group_dimensions = [1]>}> : (tensor<6x4xf32>, tensor<3x4x5xf32>, tensor<3xi32>) -> tensor<6x5xf32>
  return
}

// -----

func.func @ragged_dot_c3_size(%x: tensor<6x4xf32>, %w: tensor<3x4x5xf32>, %s: tensor<2xi32>) {
  // expected-error @+1 {{the last dimension of group_sizes}}
  %0 = "chlo.ragged_dot"(%x, %w, %s) <{ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1], lhs_ragged_dimensions = [0], rhs_group_dimensions = [0]>}> : (tensor<6x4xf32>, tensor<3x4x5xf32>, tensor<2xi32>) -> tensor<6x5xf32>
  return
}

// -----

func.func @ragged_dot_c4_rank(%x: tensor<6x4xf32>, %w: tensor<3x4x5xf32>, %s: tensor<i32>) {
  // expected-error @+1 {{expected rank 1 or more for group_sizes, but got 0}}
  %0 = "chlo.ragged_dot"(%x, %w, %s) <{ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1], lhs_ragged_dimensions = [0], rhs_group_dimensions = [0]>}> : (tensor<6x4xf32>, tensor<3x4x5xf32>, tensor<i32>) -> tensor<6x5xf32>
  return
}

// -----

func.func @ragged_dot_c4_shape(%x: tensor<6x4xf32>, %w: tensor<3x4x5xf32>, %s: tensor<6x3xi32>) {
  // expected-error @+1 {{expected shape [3] for group_sizes, but got [6, 3]}}
  %0 = "chlo.ragged_dot"(%x, %w, %s) <{ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1], lhs_ragged_dimensions = [0], rhs_group_dimensions = [0]>}> : (tensor<6x4xf32>, tensor<3x4x5xf32>, tensor<6x3xi32>) -> tensor<6x5xf32>
  return
}

// -----

func.func @ragged_dot_c4_type(%x: tensor<6x4xf32>, %w: tensor<3x4x5xf32>, %s: tensor<3xf32>) {
  // expected-error @+1 {{must be ranked tensor of integer values}}
  %0 = "chlo.ragged_dot"(%x, %w, %s) <{ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1], lhs_ragged_dimensions = [0], rhs_group_dimensions = [0]>}> : (tensor<6x4xf32>, tensor<3x4x5xf32>, tensor<3xf32>) -> tensor<6x5xf32>
  return
}

// -----

func.func @ragged_dot_c5_shape(%x: tensor<6x4xf32>, %w: tensor<3x4x5xf32>, %s: tensor<3xi32>) {
  // expected-error @+1 {{expected shape [6, 5] for the result, but got [6, 4]}}
  %0 = "chlo.ragged_dot"(%x, %w, %s) <{ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1], lhs_ragged_dimensions = [0], rhs_group_dimensions = [0]>}> : (tensor<6x4xf32>, tensor<3x4x5xf32>, tensor<3xi32>) -> tensor<6x4xf32>
  return
}

// -----

func.func @ragged_dot_c5_groups(%x: tensor<6x4xf32>, %w: tensor<6x5xf32>, %s: tensor<3xi32>) {
  // expected-error @+1 {{expected shape [3, 4, 5] for the result, but got [4, 5]}}
  %0 = "chlo.ragged_dot"(%x, %w, %s) <{ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_contracting_dimensions = [0], rhs_contracting_dimensions = [0], lhs_ragged_dimensions = [0]>}> : (tensor<6x4xf32>, tensor<6x5xf32>, tensor<3xi32>) -> tensor<4x5xf32>
  return
}

// -----

func.func @ragged_dot_c5_type(%x: tensor<6x4xf32>, %w: tensor<3x4x5xf32>, %s: tensor<3xi32>) {
  // expected-error @+1 {{expected element types of one kind, but got 'f32' and 'i32'}}
  %0 = "chlo.ragged_dot"(%x, %w, %s) <{ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1], lhs_ragged_dimensions = [0], rhs_group_dimensions = [0]>}> : (tensor<6x4xf32>, tensor<3x4x5xf32>, tensor<3xi32>) -> tensor<6x5xi32>
  return
}

// -----

func.func @ragged_dot_c6(%x: tensor<?x4xf32>, %w: tensor<3x4x5xf32>, %s: tensor<3xi32>) {
  // expected-error @+1 {{expected a static shape for lhs, but got 'tensor<?x4xf32>'}}
  %0 = "chlo.ragged_dot"(%x, %w, %s) <{ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1], lhs_ragged_dimensions = [0], rhs_group_dimensions = [0]>}> : (tensor<?x4xf32>, tensor<3x4x5xf32>, tensor<3xi32>) -> tensor<6x5xf32>
  return
}

// -----

func.func @ragged_dot_precision(%x: tensor<6x4xf32>, %w: tensor<3x4x5xf32>, %s: tensor<3xi32>) {
  // expected-error @+1 {{expected at most 2 entries in precision_config, but got 3}}
  %0 = "chlo.ragged_dot"(%x, %w, %s) <{precision_config = [#chlo<precision DEFAULT>, #chlo<precision DEFAULT>, #chlo<precision DEFAULT>], ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1], lhs_ragged_dimensions = [0], rhs_group_dimensions = [0]>}> : (tensor<6x4xf32>, tensor<3x4x5xf32>, tensor<3xi32>) -> tensor<6x5xf32>
  return
}
