// RUN: forge run %s --function main
// RUN: forge run %s --function unsigned_starts
// RUN: forge-interpret %s --function=main
// RUN: forge-interpret %s --function=unsigned_starts
// RUN: forge run %s --function unsigned_starts --target sim:sm_90a
// RUN: forge run %s --function main --tier correctness

// Forms of scatter, and starts of slices and gathers, each with its result worked out by hand.

func.func @main() {
  %x = stablehlo.constant dense<[[1, 2, 3], [4, 5, 6], [7, 8, 9]]> : tensor<3x3xi32>

  // Rows added; the row numbers -1 and 3 are out of bounds, 1 comes twice.
  %rows = stablehlo.constant dense<[1, -1, 3, 1]> : tensor<4xi32>
  %updates = stablehlo.constant dense<[[10, 10, 10], [20, 20, 20], [30, 30, 30], [40, 40, 40]]> : tensor<4x3xi32>
  %0 = "stablehlo.scatter"(%x, %rows, %updates) ({
  ^bb0(%old: tensor<i32>, %update: tensor<i32>):
    %sum = stablehlo.add %old, %update : tensor<i32>
    stablehlo.return %sum : tensor<i32>
  }) {scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>} : (tensor<3x3xi32>, tensor<4xi32>, tensor<4x3xi32>) -> tensor<3x3xi32>
  check.expect_eq_const %0, dense<[[1, 2, 3], [54, 55, 56], [7, 8, 9]]> : tensor<3x3xi32>

  // A window that hangs over the edge: none of it is written, as XLA has it. At the edge: all of it.
  %corner = stablehlo.constant dense<[2, -1]> : tensor<2xi64>
  %window = stablehlo.constant dense<[[10, 20], [30, 40]]> : tensor<2x2xi32>
  %1 = "stablehlo.scatter"(%x, %corner, %window) ({
  ^bb0(%old: tensor<i32>, %update: tensor<i32>):
    stablehlo.return %update : tensor<i32>
  }) {scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [0, 1], scatter_dims_to_operand_dims = [0, 1]>} : (tensor<3x3xi32>, tensor<2xi64>, tensor<2x2xi32>) -> tensor<3x3xi32>
  check.expect_eq_const %1, dense<[[1, 2, 3], [4, 5, 6], [7, 8, 9]]> : tensor<3x3xi32>
  %corners = stablehlo.constant dense<[[1, 2], [1, 1], [9223372036854775807, 0], [-9223372036854775808, 0]]> : tensor<4x2xi64>
  %four = stablehlo.broadcast_in_dim %window, dims = [1, 2] : (tensor<2x2xi32>) -> tensor<4x2x2xi32>
  %edge = "stablehlo.scatter"(%x, %corners, %four) ({
  ^bb0(%old: tensor<i32>, %update: tensor<i32>):
    stablehlo.return %update : tensor<i32>
  }) {scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1, 2], scatter_dims_to_operand_dims = [0, 1], index_vector_dim = 1>} : (tensor<3x3xi32>, tensor<4x2xi64>, tensor<4x2x2xi32>) -> tensor<3x3xi32>
  check.expect_eq_const %edge, dense<[[1, 2, 3], [4, 10, 20], [7, 30, 40]]> : tensor<3x3xi32>

  // Batching dimensions: row b of the indices writes into row b.
  %columns = stablehlo.constant dense<[[[0]], [[2]], [[1]]]> : tensor<3x1x1xui8>
  %ones = stablehlo.constant dense<[[-1], [-2], [-3]]> : tensor<3x1xi32>
  %2 = "stablehlo.scatter"(%x, %columns, %ones) ({
  ^bb0(%old: tensor<i32>, %update: tensor<i32>):
    %p = stablehlo.multiply %old, %update : tensor<i32>
    stablehlo.return %p : tensor<i32>
  }) {scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [1], input_batching_dims = [0], scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [1], index_vector_dim = 2>} : (tensor<3x3xi32>, tensor<3x1x1xui8>, tensor<3x1xi32>) -> tensor<3x3xi32>
  check.expect_eq_const %2, dense<[[-1, 2, 3], [4, 5, -12], [7, -24, 9]]> : tensor<3x3xi32>

  // Two operands, and a body that looks at both: the larger key wins, with its value.
  %keys = stablehlo.constant dense<[5.0, 1.0]> : tensor<2xf32>
  %values = stablehlo.constant dense<[50, 10]> : tensor<2xi32>
  %at = stablehlo.constant dense<[[0], [1], [1]]> : tensor<3x1xi32>
  %newKeys = stablehlo.constant dense<[4.0, 3.0, 2.0]> : tensor<3xf32>
  %newValues = stablehlo.constant dense<[40, 30, 20]> : tensor<3xi32>
  %3:2 = "stablehlo.scatter"(%keys, %values, %at, %newKeys, %newValues) ({
  ^bb0(%k: tensor<f32>, %v: tensor<i32>, %nk: tensor<f32>, %nv: tensor<i32>):
    %c = stablehlo.compare GT, %nk, %k : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %rk = stablehlo.select %c, %nk, %k : tensor<i1>, tensor<f32>
    %rv = stablehlo.select %c, %nv, %v : tensor<i1>, tensor<i32>
    stablehlo.return %rk, %rv : tensor<f32>, tensor<i32>
  }) {scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>} : (tensor<2xf32>, tensor<2xi32>, tensor<3x1xi32>, tensor<3xf32>, tensor<3xi32>) -> (tensor<2xf32>, tensor<2xi32>)
  check.expect_eq_const %3#0, dense<[5.0, 3.0]> : tensor<2xf32>
  check.expect_eq_const %3#1, dense<[50, 30]> : tensor<2xi32>

  // An unsigned index beyond the signed range is out of bounds, not negative.
  %huge = stablehlo.constant dense<18446744073709551615> : tensor<1xui64>
  %4 = "stablehlo.scatter"(%values, %huge, %values) ({
  ^bb0(%old: tensor<i32>, %update: tensor<i32>):
    stablehlo.return %update : tensor<i32>
  }) {scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [0], scatter_dims_to_operand_dims = [0]>} : (tensor<2xi32>, tensor<1xui64>, tensor<2xi32>) -> tensor<2xi32>
  check.expect_eq_const %4, dense<[50, 10]> : tensor<2xi32>
  return
}

// Starts beyond the signed range are at the end, not at the beginning.
func.func @unsigned_starts() {
  %x = stablehlo.constant dense<[1, 2, 3, 4, 5]> : tensor<5xi32>
  %huge = stablehlo.constant dense<18446744073709551615> : tensor<ui64>
  %0 = stablehlo.dynamic_slice %x, %huge, sizes = [2] : (tensor<5xi32>, tensor<ui64>) -> tensor<2xi32>
  check.expect_eq_const %0, dense<[4, 5]> : tensor<2xi32>
  %update = stablehlo.constant dense<[7, 8]> : tensor<2xi32>
  %1 = stablehlo.dynamic_update_slice %x, %update, %huge : (tensor<5xi32>, tensor<2xi32>, tensor<ui64>) -> tensor<5xi32>
  check.expect_eq_const %1, dense<[1, 2, 3, 7, 8]> : tensor<5xi32>
  %starts = stablehlo.constant dense<[[9223372036854775808], [1]]> : tensor<2x1xui64>
  %2 = "stablehlo.gather"(%x, %starts) {dimension_numbers = #stablehlo.gather<offset_dims = [1], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 2>} : (tensor<5xi32>, tensor<2x1xui64>) -> tensor<2x2xi32>
  check.expect_eq_const %2, dense<[[4, 5], [2, 3]]> : tensor<2x2xi32>
  return
}
