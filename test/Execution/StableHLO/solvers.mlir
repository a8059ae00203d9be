// RUN: forge run %s
// RUN: forge run %s --tier correctness

// cholesky, triangular_solve and batch normalisation, on numbers that come out exactly.

func.func @main() {
  // l = [[2, 0, 0], [1, 3, 0], [4, 5, 6]], a = l * transpose(l); its other triangle is not read.
  %a = stablehlo.constant dense<[[4.0, 99.0, 99.0], [2.0, 10.0, 99.0], [8.0, 19.0, 77.0]]> : tensor<3x3xf64>
  %0 = stablehlo.cholesky %a, lower = true : tensor<3x3xf64>
  check.expect_eq_const %0, dense<[[2.0, 0.0, 0.0], [1.0, 3.0, 0.0], [4.0, 5.0, 6.0]]> : tensor<3x3xf64>
  %at = stablehlo.transpose %a, dims = [1, 0] : (tensor<3x3xf64>) -> tensor<3x3xf64>
  %1 = stablehlo.cholesky %at : tensor<3x3xf64>
  check.expect_eq_const %1, dense<[[2.0, 1.0, 4.0], [0.0, 3.0, 5.0], [0.0, 0.0, 6.0]]> : tensor<3x3xf64>

  // l * [1, 2, 3], transpose(l) * [1, 2, 3], and both from the right.
  %l = stablehlo.constant dense<[[2.0, 99.0, 99.0], [1.0, 3.0, 99.0], [4.0, 5.0, 6.0]]> : tensor<3x3xf32>
  %b = stablehlo.constant dense<[[2.0], [7.0], [32.0]]> : tensor<3x1xf32>
  %2 = "stablehlo.triangular_solve"(%l, %b) {left_side = true, lower = true, unit_diagonal = false, transpose_a = #stablehlo<transpose NO_TRANSPOSE>} : (tensor<3x3xf32>, tensor<3x1xf32>) -> tensor<3x1xf32>
  check.expect_eq_const %2, dense<[[1.0], [2.0], [3.0]]> : tensor<3x1xf32>
  %bt = stablehlo.constant dense<[[16.0], [21.0], [18.0]]> : tensor<3x1xf32>
  %3 = "stablehlo.triangular_solve"(%l, %bt) {left_side = true, lower = true, unit_diagonal = false, transpose_a = #stablehlo<transpose TRANSPOSE>} : (tensor<3x3xf32>, tensor<3x1xf32>) -> tensor<3x1xf32>
  check.expect_eq_const %3, dense<[[1.0], [2.0], [3.0]]> : tensor<3x1xf32>
  %row = stablehlo.reshape %bt : (tensor<3x1xf32>) -> tensor<1x3xf32>
  %4 = "stablehlo.triangular_solve"(%l, %row) {left_side = false, lower = true, unit_diagonal = false, transpose_a = #stablehlo<transpose NO_TRANSPOSE>} : (tensor<3x3xf32>, tensor<1x3xf32>) -> tensor<1x3xf32>
  check.expect_eq_const %4, dense<[[1.0, 2.0, 3.0]]> : tensor<1x3xf32>
  // Row 0 changes places with row 1, then row 1 with row 2, then row 2 with itself.
  %pivots = stablehlo.constant dense<[1, 2, 2]> : tensor<3xi32>
  %order = stablehlo.custom_call @cu_lu_pivots_to_permutation(%pivots) {mhlo.backend_config = {}} : (tensor<3xi32>) -> tensor<4xi32>
  check.expect_eq_const %order, dense<[1, 2, 0, 3]> : tensor<4xi32>
  // With ones for the diagonal, whatever is there: [[1, 0, 0], [1, 1, 0], [4, 5, 1]].
  %unit = stablehlo.constant dense<[[1.0], [3.0], [17.0]]> : tensor<3x1xf32>
  %5 = "stablehlo.triangular_solve"(%l, %unit) {left_side = true, lower = true, unit_diagonal = true, transpose_a = #stablehlo<transpose NO_TRANSPOSE>} : (tensor<3x3xf32>, tensor<3x1xf32>) -> tensor<3x1xf32>
  check.expect_eq_const %5, dense<[[1.0], [2.0], [3.0]]> : tensor<3x1xf32>

  // Features have mean 2 and 5, variance 1 and 16 with nothing added.
  %x = stablehlo.constant dense<[[1.0, 1.0], [3.0, 9.0]]> : tensor<2x2xf32>
  %scale = stablehlo.constant dense<[2.0, 10.0]> : tensor<2xf32>
  %offset = stablehlo.constant dense<[0.5, 100.0]> : tensor<2xf32>
  %6:3 = "stablehlo.batch_norm_training"(%x, %scale, %offset) {epsilon = 0.0 : f32, feature_index = 1 : i64} : (tensor<2x2xf32>, tensor<2xf32>, tensor<2xf32>) -> (tensor<2x2xf32>, tensor<2xf32>, tensor<2xf32>)
  check.expect_eq_const %6#0, dense<[[-1.5, 90.0], [2.5, 110.0]]> : tensor<2x2xf32>
  check.expect_eq_const %6#1, dense<[2.0, 5.0]> : tensor<2xf32>
  check.expect_eq_const %6#2, dense<[1.0, 16.0]> : tensor<2xf32>
  %7 = "stablehlo.batch_norm_inference"(%x, %scale, %offset, %6#1, %6#2) {epsilon = 0.0 : f32, feature_index = 1 : i64} : (tensor<2x2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<2x2xf32>
  check.expect_eq_const %7, dense<[[-1.5, 90.0], [2.5, 110.0]]> : tensor<2x2xf32>
  // Two elements per feature, as far from the mean as the deviation: moving one moves nothing.
  %g = stablehlo.constant dense<[[1.0, 4.0], [3.0, 8.0]]> : tensor<2x2xf32>
  %8:3 = "stablehlo.batch_norm_grad"(%x, %scale, %6#1, %6#2, %g) {epsilon = 0.0 : f32, feature_index = 1 : i64} : (tensor<2x2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2x2xf32>) -> (tensor<2x2xf32>, tensor<2xf32>, tensor<2xf32>)
  check.expect_eq_const %8#0, dense<0.0> : tensor<2x2xf32>
  check.expect_eq_const %8#1, dense<[2.0, 4.0]> : tensor<2xf32>
  check.expect_eq_const %8#2, dense<[4.0, 12.0]> : tensor<2xf32>
  return
}
