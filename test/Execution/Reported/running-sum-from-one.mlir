// A running sum from a number that is not neutral takes it once for each place that a window has outside, too: it was taken once.
// RUN: forge verify %s --target cpu
// RUN: forge verify %s --target sim:sm_90a
// RUN: forge verify %s --target sim:gfx942
func.func @main() {
  %x0 = stablehlo.constant dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>
  %x = stablehlo.optimization_barrier %x0 : tensor<4xf32>
  %one = stablehlo.constant dense<1.0> : tensor<f32>
  %sums = "stablehlo.reduce_window"(%x, %one) <{padding = dense<[[3, 0]]> : tensor<1x2xi64>, window_dimensions = array<i64: 4>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  // 1 to begin with, and 3, 2, 1 and 0 places outside.
  check.expect_eq_const %sums, dense<[5.0, 6.0, 8.0, 11.0]> : tensor<4xf32>
  return
}
