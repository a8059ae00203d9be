// The interpreter runs a linalg operation at many points of its parallel loops together, and walks over its other loops in order.
// RUN: forge-interpret --every-function %s

// A digit for each step, in the order of the loops: the reduction loops are outside and inside of the parallel one.
func.func @order() {
  %empty = arith.constant dense<[1.0, 2.0, 3.0]> : tensor<3xf32>
  %x = arith.constant dense<[[[0.0, 1.0], [2.0, 3.0], [4.0, 5.0]], [[6.0, 7.0], [8.0, 9.0], [1.0, 0.0]]]> : tensor<2x3x2xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(a, p, b) -> (a, p, b)>, affine_map<(a, p, b) -> (p)>], iterator_types = ["reduction", "parallel", "reduction"]} ins(%x : tensor<2x3x2xf32>) outs(%empty : tensor<3xf32>) {
  ^bb0(%in: f32, %out: f32):
    %ten = arith.constant 10.0 : f32
    %1 = arith.mulf %out, %ten : f32
    %2 = arith.addf %1, %in : f32
    linalg.yield %2 : f32
  } -> tensor<3xf32>
  check.expect_eq_const %0, dense<[10167.0, 22389.0, 34510.0]> : tensor<3xf32>
  return
}

// Two results, one of them transposed, and the loops' own numbers.
func.func @indices() {
  %sums = arith.constant dense<0> : tensor<2x2xi32>
  %last = arith.constant dense<0> : tensor<2x2xi32>
  %x = arith.constant dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi32>
  %0:2 = linalg.generic {indexing_maps = [affine_map<(i, j, k) -> (i, k)>, affine_map<(i, j, k) -> (j, i)>, affine_map<(i, j, k) -> (i, j)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%x : tensor<2x3xi32>) outs(%sums, %last : tensor<2x2xi32>, tensor<2x2xi32>) {
  ^bb0(%in: i32, %sum: i32, %before: i32):
    %j = linalg.index 1 : index
    %k = linalg.index 2 : index
    %0 = arith.muli %j, %k : index
    %1 = arith.index_cast %0 : index to i32
    %2 = arith.addi %in, %1 : i32
    %3 = arith.addi %sum, %2 : i32
    linalg.yield %3, %2 : i32, i32
  } -> (tensor<2x2xi32>, tensor<2x2xi32>)
  check.expect_eq_const %0#0, dense<[[6, 15], [9, 18]]> : tensor<2x2xi32>
  check.expect_eq_const %0#1, dense<[[3, 5], [6, 8]]> : tensor<2x2xi32>
  return
}
