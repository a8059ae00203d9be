// Hand-computed values and edge cases, by the compiler and by the reference: what it does at infinities, NaN, empty
// groups, ties, and where it saturates.
// RUN: forge run %s
// RUN: forge run %s --tier correctness
// RUN: forge-interpret %s
func.func @main() {
  // softmax: large scores do not overflow, -inf gives 0.
  %s = stablehlo.constant dense<[[3.0e38, 3.0e38, 0xFF800000], [0.0, 0.0, 0.0]]> : tensor<2x3xf32>
  %0 = transformer.softmax %s {dimension = 1 : i64} : tensor<2x3xf32>
  check.expect_almost_eq_const %0, dense<[[0.5, 0.5, 0.0], [0.333333333, 0.333333333, 0.333333333]]> : tensor<2x3xf32>
  %hidden = stablehlo.constant dense<[[0xFF800000, 0xFF800000]]> : tensor<1x2xf32>
  %1 = transformer.softmax %hidden {dimension = 1 : i64} : tensor<1x2xf32>
  check.expect_eq_const %1, dense<0x7FC00000> : tensor<1x2xf32>
  %far = stablehlo.constant dense<[0.0, -1000.0, 0xFF800000]> : tensor<3xf32>
  %2 = transformer.log_softmax %far {dimension = 0 : i64} : tensor<3xf32>
  check.expect_eq_const %2, dense<[0.0, -1000.0, 0xFF800000]> : tensor<3xf32>

  // Norms: mean 2 and variance 1; mean of squares 12.5 and epsilon 12.5.
  %x = stablehlo.constant dense<[[1.0, 3.0, 1.0, 3.0]]> : tensor<1x4xf32>
  %3 = transformer.layer_norm %x {epsilon = 0.0 : f32} : (tensor<1x4xf32>) -> tensor<1x4xf32>
  check.expect_almost_eq_const %3, dense<[[-1.0, 1.0, -1.0, 1.0]]> : tensor<1x4xf32>
  %y = stablehlo.constant dense<[[3.0, 4.0]]> : tensor<1x2xf32>
  %g = stablehlo.constant dense<[1.0, -0.5]> : tensor<2xf32>
  %4 = transformer.rms_norm %y scale %g {epsilon = 12.5 : f32, unit_offset} : (tensor<1x2xf32>, tensor<2xf32>) -> tensor<1x2xf32>
  check.expect_almost_eq_const %4, dense<[[1.2, 0.4]]> : tensor<1x2xf32>
  %one = stablehlo.constant dense<[[7.0], [-7.0]]> : tensor<2x1xf32>
  %5 = transformer.layer_norm %one {epsilon = 1.0e-5 : f32} : (tensor<2x1xf32>) -> tensor<2x1xf32>
  check.expect_eq_const %5, dense<0.0> : tensor<2x1xf32>
  %zeros = stablehlo.constant dense<0.0> : tensor<2x2xf32>
  %6 = transformer.rms_norm %zeros {epsilon = 1.0e-6 : f32} : (tensor<2x2xf32>) -> tensor<2x2xf32>
  check.expect_eq_const %6, dense<0.0> : tensor<2x2xf32>

  // Activations at the ends.
  %ends = stablehlo.constant dense<[0xFF800000, 0x7F800000, 0x7FC00000, 0.0]> : tensor<4xf32>
  %7 = transformer.activation relu %ends : tensor<4xf32>
  check.expect_eq_const %7, dense<[0.0, 0x7F800000, 0x7FC00000, 0.0]> : tensor<4xf32>
  %8 = transformer.activation sigmoid %ends : tensor<4xf32>
  check.expect_eq_const %8, dense<[0.0, 1.0, 0x7FC00000, 0.5]> : tensor<4xf32>
  %9 = transformer.activation tanh %ends : tensor<4xf32>
  check.expect_eq_const %9, dense<[-1.0, 1.0, 0x7FC00000, 0.0]> : tensor<4xf32>

  // Tokens beside the table.
  %table = stablehlo.constant dense<[[1.0, 2.0], [3.0, 4.0]]> : tensor<2x2xf32>
  %ids = stablehlo.constant dense<[-1, 1, 99]> : tensor<3xi32>
  %10 = transformer.embedding %table, %ids : (tensor<2x2xf32>, tensor<3xi32>) -> tensor<3x2xf32>
  check.expect_eq_const %10, dense<[[1.0, 2.0], [3.0, 4.0], [3.0, 4.0]]> : tensor<3x2xf32>

  // quantize: ties to even, saturation, NaN.
  %n = stablehlo.constant dense<[0.5, 1.5, -2.5, 1000.0, 0xFF800000, 0x7FC00000]> : tensor<6xf32>
  %unit = stablehlo.constant dense<1.0> : tensor<f32>
  %z = stablehlo.constant dense<3> : tensor<i8>
  %11 = transformer.quantize %n scale %unit zero_point %z : (tensor<6xf32>, tensor<f32>, tensor<i8>) -> tensor<6xi8>
  check.expect_eq_const %11, dense<[3, 5, 1, 127, -128, 3]> : tensor<6xi8>
  %12 = transformer.quantize %n scale %unit : (tensor<6xf32>, tensor<f32>) -> tensor<6xi4>
  check.expect_eq_const %12, dense<[0, 2, -2, 7, -8, 0]> : tensor<6xi4>
  %13 = transformer.quantize %n scale %unit : (tensor<6xf32>, tensor<f32>) -> tensor<6xf8E4M3FN>
  %14 = transformer.dequantize %13 scale %unit : (tensor<6xf8E4M3FN>, tensor<f32>) -> tensor<6xf32>
  check.expect_eq_const %14, dense<[0.5, 1.5, -2.5, 448.0, -448.0, 0x7FC00000]> : tensor<6xf32>

  // Groups: an empty one, one that ends beyond the rows, rows in none.
  %rows = stablehlo.constant dense<[[1.0], [2.0], [3.0], [4.0]]> : tensor<4x1xf32>
  %w = stablehlo.constant dense<[[[1.0]], [[10.0]], [[100.0]]]> : tensor<3x1x1xf32>
  %sizes = stablehlo.constant dense<[1, -7, 2]> : tensor<3xi32>
  %15 = transformer.grouped_matmul %rows, %w groups %sizes : (tensor<4x1xf32>, tensor<3x1x1xf32>, tensor<3xi32>) -> tensor<4x1xf32>
  check.expect_eq_const %15, dense<[[1.0], [200.0], [300.0], [0.0]]> : tensor<4x1xf32>
  %offsets = stablehlo.constant dense<[-9, 3, 1, 99]> : tensor<4xi64>
  %16 = transformer.grouped_matmul %rows, %w groups %offsets {offsets} : (tensor<4x1xf32>, tensor<3x1x1xf32>, tensor<4xi64>) -> tensor<4x1xf32>
  check.expect_eq_const %16, dense<[[1.0], [200.0], [300.0], [400.0]]> : tensor<4x1xf32>

  // Weights with a scale per channel and zero points: rows [0, 1] and [8, 10].
  %in = stablehlo.constant dense<[[1.0, 10.0]]> : tensor<1x2xf32>
  %w8 = stablehlo.constant dense<[[1, 2], [3, 4]]> : tensor<2x2xi8>
  %c = stablehlo.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %cz = stablehlo.constant dense<[1, -1]> : tensor<2xi8>
  %17 = transformer.linear %in, %w8 scale %c zero_point %cz : (tensor<1x2xf32>, tensor<2x2xi8>, tensor<2xf32>, tensor<2xi8>) -> tensor<1x2xf32>
  check.expect_eq_const %17, dense<[[10.0, 108.0]]> : tensor<1x2xf32>

  // Nothing to sum, and integers to the bit.
  %e = stablehlo.constant dense<0.0> : tensor<2x0xf32>
  %f = stablehlo.constant dense<0.0> : tensor<0x3xf32>
  %18 = transformer.matmul %e, %f : (tensor<2x0xf32>, tensor<0x3xf32>) -> tensor<2x3xf32>
  check.expect_eq_const %18, dense<0.0> : tensor<2x3xf32>
  %i = stablehlo.constant dense<-128> : tensor<1x2xi8>
  %19 = transformer.matmul %i, %i {transpose_rhs} : (tensor<1x2xi8>, tensor<1x2xi8>) -> tensor<1x1xi32>
  check.expect_eq_const %19, dense<32768> : tensor<1x1xi32>

  // relu(3 - 1 + 5) = 7, then [14, -14] + [0.5, 0] + [1, -1].
  %h = stablehlo.constant dense<[[1.0, -1.0]]> : tensor<1x2xf32>
  %up = stablehlo.constant dense<[[3.0, 1.0]]> : tensor<1x2xf32>
  %bu = stablehlo.constant dense<[5.0]> : tensor<1xf32>
  %down = stablehlo.constant dense<[[2.0], [-2.0]]> : tensor<2x1xf32>
  %bd = stablehlo.constant dense<[0.5, 0.0]> : tensor<2xf32>
  %20 = transformer.mlp %h up %up bias %bu down %down bias %bd residual %h {activation = #transformer.activation<relu>, transpose_weights}
      : (tensor<1x2xf32>, tensor<1x2xf32>, tensor<1xf32>, tensor<2x1xf32>, tensor<2xf32>, tensor<1x2xf32>) -> tensor<1x2xf32>
  check.expect_eq_const %20, dense<[[15.5, -15.0]]> : tensor<1x2xf32>
  return
}
