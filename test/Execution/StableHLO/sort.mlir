// RUN: forge run %s
// RUN: forge run %s --tier correctness

// sort and top_k: order, stability, several operands, any dimension, odd lengths.

func.func @main() {
  %keys = stablehlo.constant dense<[3, 1, 2, 3, 1, 2, 3]> : tensor<7xi32>
  %place = stablehlo.iota dim = 0 : tensor<7xi64>
  // Falling, stable: equal keys keep their order.
  %0:2 = "stablehlo.sort"(%keys, %place) ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>, %pa: tensor<i64>, %pb: tensor<i64>):
    %c = stablehlo.compare GT, %a, %b : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  }) {dimension = 0 : i64, is_stable = true} : (tensor<7xi32>, tensor<7xi64>) -> (tensor<7xi32>, tensor<7xi64>)
  check.expect_eq_const %0#0, dense<[3, 3, 3, 2, 2, 1, 1]> : tensor<7xi32>
  check.expect_eq_const %0#1, dense<[0, 3, 6, 2, 5, 1, 4]> : tensor<7xi64>

  // Along the first dimension, counted from the end.
  %m = stablehlo.constant dense<[[3.0, -1.0], [0.5, 7.0], [2.0, -4.0]]> : tensor<3x2xf32>
  %1 = "stablehlo.sort"(%m) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %c = stablehlo.compare LT, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  }) {dimension = -2 : i64} : (tensor<3x2xf32>) -> tensor<3x2xf32>
  check.expect_eq_const %1, dense<[[0.5, -4.0], [2.0, -1.0], [3.0, 7.0]]> : tensor<3x2xf32>

  // One element, and none.
  %one = stablehlo.constant dense<9> : tensor<1xi32>
  %none = stablehlo.constant dense<0> : tensor<0xi32>
  %2 = "stablehlo.sort"(%one) ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %c = stablehlo.compare LT, %a, %b : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  }) {dimension = 0 : i64} : (tensor<1xi32>) -> tensor<1xi32>
  check.expect_eq_const %2, dense<9> : tensor<1xi32>
  %3 = "stablehlo.sort"(%none) ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %c = stablehlo.compare LT, %a, %b : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  }) {dimension = 0 : i64} : (tensor<0xi32>) -> tensor<0xi32>
  check.expect_eq %3, %none : tensor<0xi32>

  // NaN is the largest, +0 above -0; the earlier of equal elements comes first.
  %x = stablehlo.constant dense<[[0x80000000, 1.0, 0x7FC00000, 0.0], [2.0, 2.0, -1.0, 0xFF800000]]> : tensor<2x4xf32>
  %v, %i = chlo.top_k(%x, k = 4) : tensor<2x4xf32> -> (tensor<2x4xf32>, tensor<2x4xi32>)
  check.expect_eq_const %i, dense<[[2, 1, 3, 0], [0, 1, 2, 3]]> : tensor<2x4xi32>
  check.expect_eq_const %v, dense<[[0x7FC00000, 1.0, 0.0, 0x80000000], [2.0, 2.0, -1.0, 0xFF800000]]> : tensor<2x4xf32>

  // The call that older printers write; the smallest instead of the largest.
  %u = stablehlo.constant dense<[200, 7, 255, 7]> : tensor<4xui8>
  %s:2 = stablehlo.custom_call @mhlo.topk(%u) {mhlo.attributes = {k = 2 : i64, largest = false}} : (tensor<4xui8>) -> (tensor<2xui8>, tensor<2xi32>)
  check.expect_eq_const %s#0, dense<[7, 7]> : tensor<2xui8>
  check.expect_eq_const %s#1, dense<[1, 3]> : tensor<2xi32>
  return
}
