// Factorizations and systems by blocks, with whole blocks and without, from either side and triangle, in batches.
// RUN: split-file %s %t
// RUN: forge verify %t/factors.mlir
// RUN: forge verify %t/factors.mlir --target sim:sm_90a
// RUN: forge verify %t/factors.mlir --target sim:gfx942
// RUN: forge verify %t/systems.mlir
// RUN: forge verify %t/systems.mlir --target sim:sm_90a
// RUN: forge run %t/not-positive.mlir
// RUN: forge run %t/not-positive.mlir --tier correctness

//--- factors.mlir
// Positive definite matrices, m m^T + 4 I, below the diagonal and above.
func.func @main(%m: tensor<2x70x70xf32>) -> (tensor<2x70x70xf32>, tensor<2x70x70xf32>) {
  %squares = stablehlo.dot_general %m, %m, batching_dims = [0] x [0], contracting_dims = [2] x [2], precision = [HIGHEST, HIGHEST] : (tensor<2x70x70xf32>, tensor<2x70x70xf32>) -> tensor<2x70x70xf32>
  %rows = stablehlo.iota dim = 1 : tensor<2x70x70xi32>
  %columns = stablehlo.iota dim = 2 : tensor<2x70x70xi32>
  %at = stablehlo.compare EQ, %rows, %columns : (tensor<2x70x70xi32>, tensor<2x70x70xi32>) -> tensor<2x70x70xi1>
  %four = stablehlo.constant dense<4.0> : tensor<2x70x70xf32>
  %none = stablehlo.constant dense<0.0> : tensor<2x70x70xf32>
  %diagonal = stablehlo.select %at, %four, %none : tensor<2x70x70xi1>, tensor<2x70x70xf32>
  %a = stablehlo.add %squares, %diagonal : tensor<2x70x70xf32>
  %l = stablehlo.cholesky %a, lower = true : tensor<2x70x70xf32>
  %u = stablehlo.cholesky %a, lower = false : tensor<2x70x70xf32>
  return %l, %u : tensor<2x70x70xf32>, tensor<2x70x70xf32>
}

//--- systems.mlir
// Triangles with numbers of up to 1/16 beside a diagonal of 2, and NaN on the side that is not read.
func.func @main(%m: tensor<96x96xf32>, %b: tensor<96x9xf32>, %c: tensor<9x96xf32>) -> (tensor<96x9xf32>, tensor<96x9xf32>, tensor<9x96xf32>, tensor<9x96xf32>) {
  %rows = stablehlo.iota dim = 0 : tensor<96x96xi32>
  %columns = stablehlo.iota dim = 1 : tensor<96x96xi32>
  %at = stablehlo.compare EQ, %rows, %columns : (tensor<96x96xi32>, tensor<96x96xi32>) -> tensor<96x96xi1>
  %below = stablehlo.compare GE, %rows, %columns : (tensor<96x96xi32>, tensor<96x96xi32>) -> tensor<96x96xi1>
  %share = stablehlo.constant dense<0.0625> : tensor<96x96xf32>
  %two = stablehlo.constant dense<2.0> : tensor<96x96xf32>
  %nan = stablehlo.constant dense<0x7FC00000> : tensor<96x96xf32>
  %small = stablehlo.multiply %m, %share : tensor<96x96xf32>
  %a = stablehlo.select %at, %two, %small : tensor<96x96xi1>, tensor<96x96xf32>
  %l = stablehlo.select %below, %a, %nan : tensor<96x96xi1>, tensor<96x96xf32>
  %u = stablehlo.transpose %l, dims = [1, 0] : (tensor<96x96xf32>) -> tensor<96x96xf32>
  %0 = "stablehlo.triangular_solve"(%l, %b) {left_side = true, lower = true, unit_diagonal = false, transpose_a = #stablehlo<transpose NO_TRANSPOSE>} : (tensor<96x96xf32>, tensor<96x9xf32>) -> tensor<96x9xf32>
  %1 = "stablehlo.triangular_solve"(%l, %b) {left_side = true, lower = true, unit_diagonal = true, transpose_a = #stablehlo<transpose TRANSPOSE>} : (tensor<96x96xf32>, tensor<96x9xf32>) -> tensor<96x9xf32>
  %2 = "stablehlo.triangular_solve"(%u, %c) {left_side = false, lower = false, unit_diagonal = false, transpose_a = #stablehlo<transpose NO_TRANSPOSE>} : (tensor<96x96xf32>, tensor<9x96xf32>) -> tensor<9x96xf32>
  %3 = "stablehlo.triangular_solve"(%u, %c) {left_side = false, lower = false, unit_diagonal = false, transpose_a = #stablehlo<transpose ADJOINT>} : (tensor<96x96xf32>, tensor<9x96xf32>) -> tensor<9x96xf32>
  return %0, %1, %2, %3 : tensor<96x9xf32>, tensor<96x9xf32>, tensor<9x96xf32>, tensor<9x96xf32>
}

//--- not-positive.mlir
// From the first pivot that is not positive on, the diagonal is NaN, and it is 2 before it: the call of LAPACK counts 40 pivots, and says 41.
func.func @main() {
  %rows = stablehlo.iota dim = 0 : tensor<96x96xi32>
  %columns = stablehlo.iota dim = 1 : tensor<96x96xi32>
  %at = stablehlo.compare EQ, %rows, %columns : (tensor<96x96xi32>, tensor<96x96xi32>) -> tensor<96x96xi1>
  %place = stablehlo.constant dense<40> : tensor<96x96xi32>
  %isBad = stablehlo.compare EQ, %rows, %place : (tensor<96x96xi32>, tensor<96x96xi32>) -> tensor<96x96xi1>
  %four = stablehlo.constant dense<4.0> : tensor<96x96xf32>
  %bad = stablehlo.constant dense<-4.0> : tensor<96x96xf32>
  %none = stablehlo.constant dense<0.0> : tensor<96x96xf32>
  %pivots = stablehlo.select %isBad, %bad, %four : tensor<96x96xi1>, tensor<96x96xf32>
  %a = stablehlo.select %at, %pivots, %none : tensor<96x96xi1>, tensor<96x96xf32>
  %0:2 = stablehlo.custom_call @lapack_spotrf_ffi(%a) {mhlo.backend_config = {uplo = 76 : ui8}} : (tensor<96x96xf32>) -> (tensor<96x96xf32>, tensor<i32>)
  check.expect_eq_const %0#1, dense<41> : tensor<i32>
  %first = stablehlo.slice %0#0 [39:40, 39:40] : (tensor<96x96xf32>) -> tensor<1x1xf32>
  check.expect_eq_const %first, dense<2.0> : tensor<1x1xf32>
  return
}
