// Unsigned starts beyond the signed range are clamped to the end; compiled code took the beginning.
// RUN: forge verify %s --target cpu
// RUN: forge verify %s --target sim:sm_90a
// RUN: forge verify %s --target sim:gfx942
func.func @main() {
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
