// RUN: forge run %s
// RUN: forge run %s --tier correctness
// RUN: forge-interpret %s
// RUN: forge verify %s --function experts --target cpu
// RUN: forge verify %s --function experts --target sim:sm_90a
// RUN: forge verify %s --function experts --target sim:gfx942
// RUN: forge verify %s --function gradient --target cpu
// RUN: forge verify %s --function gradient --target sim:sm_90a

// Products of groups; the expected values are JAX's.

func.func @experts(%x: tensor<9x8xbf16>, %w: tensor<4x8x6xbf16>) -> tensor<9x6xf32> {
  %sizes = stablehlo.constant dense<[3, 0, 1, 4]> : tensor<4xi32>
  %0 = "chlo.ragged_dot"(%x, %w, %sizes) <{precision_config = [#chlo<precision HIGHEST>, #chlo<precision DEFAULT>], ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1], lhs_ragged_dimensions = [0], rhs_group_dimensions = [0]>}> : (tensor<9x8xbf16>, tensor<4x8x6xbf16>, tensor<4xi32>) -> tensor<9x6xf32>
  return %0 : tensor<9x6xf32>
}

func.func @gradient(%x: tensor<9x8xf32>, %y: tensor<9x6xf32>) -> tensor<4x8x6xf32> {
  %sizes = stablehlo.constant dense<[3, 0, 1, 4]> : tensor<4xui8>
  %0 = "chlo.ragged_dot"(%x, %y, %sizes) <{ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_contracting_dimensions = [0], rhs_contracting_dimensions = [0], lhs_ragged_dimensions = [0]>}> : (tensor<9x8xf32>, tensor<9x6xf32>, tensor<4xui8>) -> tensor<4x8x6xf32>
  return %0 : tensor<4x8x6xf32>
}

func.func @main() {
  %sizes = stablehlo.constant dense<[2, 0, 3]> : tensor<3xi32>
  %six = stablehlo.constant dense<[[1.0, 2.0], [3.0, 4.0], [5.0, 6.0], [7.0, 8.0], [9.0, 10.0], [11.0, 12.0]]> : tensor<6x2xf32>
  %w = stablehlo.constant dense<[[[-5.0, -4.0], [-3.0, -2.0]], [[-1.0, 0.0], [1.0, 2.0]], [[3.0, 4.0], [5.0, 6.0]]]> : tensor<3x2x2xf32>

  // A matrix for each group of rows; the last row is in none.
  %0 = "chlo.ragged_dot"(%six, %w, %sizes) <{ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1], lhs_ragged_dimensions = [0], rhs_group_dimensions = [0]>}> : (tensor<6x2xf32>, tensor<3x2x2xf32>, tensor<3xi32>) -> tensor<6x2xf32>
  check.expect_eq_const %0, dense<[[-11.0, -8.0], [-27.0, -20.0], [45.0, 56.0], [61.0, 76.0], [77.0, 96.0], [0.0, 0.0]]> : tensor<6x2xf32>

  // A sum for each group.
  %y = stablehlo.constant dense<[[-2.0, -1.0], [0.0, 1.0], [2.0, 3.0], [4.0, 5.0], [6.0, 7.0], [8.0, 9.0]]> : tensor<6x2xf32>
  %1 = "chlo.ragged_dot"(%six, %y, %sizes) <{ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_contracting_dimensions = [0], rhs_contracting_dimensions = [0], lhs_ragged_dimensions = [0]>}> : (tensor<6x2xf32>, tensor<6x2xf32>, tensor<3xi32>) -> tensor<3x2x2xf32>
  check.expect_eq_const %1, dense<[[[-2.0, 2.0], [-4.0, 2.0]], [[0.0, 0.0], [0.0, 0.0]], [[92.0, 113.0], [104.0, 128.0]]]> : tensor<3x2x2xf32>

  // Groups of its own for each index of a batch.
  %xb = stablehlo.constant dense<[[[0, 1], [2, 3], [4, 5]], [[6, 7], [8, 9], [10, 11]]]> : tensor<2x3x2xi32>
  %flat = stablehlo.iota dim = 0 : tensor<24xi32>
  %wb = stablehlo.reshape %flat : (tensor<24xi32>) -> tensor<2x3x2x2xi32>
  %gb = stablehlo.constant dense<[[1, 1, 0], [0, 0, 3]]> : tensor<2x3xi64>
  %2 = "chlo.ragged_dot"(%xb, %wb, %gb) <{ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [2], lhs_ragged_dimensions = [1], rhs_group_dimensions = [1]>}> : (tensor<2x3x2xi32>, tensor<2x3x2x2xi32>, tensor<2x3xi64>) -> tensor<2x3x2xi32>
  check.expect_eq_const %2, dense<[[[2, 3], [26, 31], [0, 0]], [[274, 287], [358, 375], [442, 463]]]> : tensor<2x3x2xi32>

  // And for each index of the contracting dimension in front of the ragged one.
  %line = stablehlo.iota dim = 0 : tensor<16xf32>
  %xc = stablehlo.reshape %line : (tensor<16xf32>) -> tensor<2x2x2x2xf32>
  %five = stablehlo.constant dense<5.0> : tensor<2x2x2x2xf32>
  %yc = stablehlo.subtract %xc, %five : tensor<2x2x2x2xf32>
  %gc = stablehlo.constant dense<[[[1, 1], [0, 2]], [[2, 0], [1, 0]]]> : tensor<2x2x2xi32>
  %3 = "chlo.ragged_dot"(%xc, %yc, %gc) <{ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [1, 2], rhs_contracting_dimensions = [1, 2], lhs_ragged_dimensions = [2]>}> : (tensor<2x2x2x2xf32>, tensor<2x2x2x2xf32>, tensor<2x2x2xi32>) -> tensor<2x2x2x2xf32>
  check.expect_eq_const %3, dense<[[[[0.0, 0.0], [-5.0, -4.0]], [[158.0, 188.0], [173.0, 206.0]]], [[[-4.0, 8.0], [-7.0, 8.0]], [[0.0, 0.0], [0.0, 0.0]]]]> : tensor<2x2x2x2xf32>

  // A ragged batching dimension changes nothing.
  %eight = stablehlo.iota dim = 0 : tensor<8xi32>
  %yb = stablehlo.reshape %eight : (tensor<8xi32>) -> tensor<2x2x2xi32>
  %ones = stablehlo.constant dense<1> : tensor<2xi32>
  %4 = "chlo.ragged_dot"(%xb, %yb, %ones) <{ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1], lhs_ragged_dimensions = [0]>}> : (tensor<2x3x2xi32>, tensor<2x2x2xi32>, tensor<2xi32>) -> tensor<2x3x2xi32>
  check.expect_eq_const %4, dense<[[[2, 3], [6, 11], [10, 19]], [[66, 79], [86, 103], [106, 127]]]> : tensor<2x3x2xi32>
  return
}
