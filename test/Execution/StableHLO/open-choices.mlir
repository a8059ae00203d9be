// RUN: forge run %s
// RUN: forge-interpret %s
// RUN: forge run %s --target sim:sm_90a

// What Forge and XLA (JAX 0.10.2 on the CPU) do differently, since the specification leaves it open or says otherwise
// than XLA: docs/conformance.md.

func.func @main() {
  // Initial values that are not neutral count for each element of the padding, as specified; XLA's results are 2, 3, 4, 5.
  %x = stablehlo.constant dense<1.0> : tensor<5xf32>
  %two = stablehlo.constant dense<2.0> : tensor<f32>
  %0 = "stablehlo.reduce_window"(%x, %two) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %sum = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %sum : tensor<f32>
  }) {window_dimensions = array<i64: 3>, padding = dense<[[3, -2]]> : tensor<1x2xi64>} : (tensor<5xf32>, tensor<f32>) -> tensor<4xf32>
  check.expect_eq_const %0, dense<[8.0, 7.0, 6.0, 5.0]> : tensor<4xf32>

  // An initial value of a reduction counts once; XLA's result is 333.
  %ones = stablehlo.constant dense<1.0> : tensor<300xf32>
  %three = stablehlo.constant dense<3.0> : tensor<f32>
  %1 = stablehlo.reduce(%ones init: %three) applies stablehlo.add across dimensions = [0] : (tensor<300xf32>, tensor<f32>) -> tensor<f32>
  check.expect_eq_const %1, dense<303.0> : tensor<f32>

  // Without mantissa bits NaN becomes an infinity, as in StableHLO's own interpreter; XLA keeps NaN.
  %nan = stablehlo.constant dense<0x7FC00000> : tensor<f32>
  %2 = stablehlo.reduce_precision %nan, format = e8m0 : tensor<f32>
  check.expect_eq_const %2, dense<0x7F800000> : tensor<f32>

  // Subnormal numbers are numbers; to XLA they are zero: its sign of this one is 0.
  %small = stablehlo.constant dense<1.0e-40> : tensor<f32>
  %3 = stablehlo.sign %small : tensor<f32>
  check.expect_eq_const %3, dense<1.0> : tensor<f32>
  return
}
