// RUN: forge run %s
// RUN: forge run %s --tier correctness

// The greatest and the smallest of rows with NaNs of either sign, infinities and zeros of either sign, at a place of the
// wide loop, of the single vectors and of the masked rest, in every width.

func.func @main() {
  %low = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %high = stablehlo.constant dense<0x7F800000> : tensor<f32>
  %one = stablehlo.constant dense<1.0> : tensor<3x8xf32>
  %base = stablehlo.constant dense<[-5.0, -5.0, -0.0, 0xFF800000, 0x7F800000, 0xFF800000, 3.0, 0.0]> : tensor<8xf32>
  %special = stablehlo.constant dense<[0x7FC00000, 0xFFC00000, 0x00000000, -1.0, 1.0, 0xFF800000, -7.0, 0x80000000]> : tensor<8xf32>
  // [place, row, column]: the special element is in columns 70, 140 and 146 of 147.
  %places = stablehlo.constant dense<[70, 140, 146]> : tensor<3xi32>
  %i = stablehlo.iota dim = 2 : tensor<3x8x147xi32>
  %p = stablehlo.broadcast_in_dim %places, dims = [0] : (tensor<3xi32>) -> tensor<3x8x147xi32>
  %here = stablehlo.compare EQ, %i, %p : (tensor<3x8x147xi32>, tensor<3x8x147xi32>) -> tensor<3x8x147xi1>
  %b = stablehlo.broadcast_in_dim %base, dims = [1] : (tensor<8xf32>) -> tensor<3x8x147xf32>
  %s = stablehlo.broadcast_in_dim %special, dims = [1] : (tensor<8xf32>) -> tensor<3x8x147xf32>
  %chosen = stablehlo.select %here, %s, %b : tensor<3x8x147xi1>, tensor<3x8x147xf32>
  %x = stablehlo.optimization_barrier %chosen : tensor<3x8x147xf32>

  // In f32.
  %max_f32 = stablehlo.reduce(%x init: %low) applies stablehlo.maximum across dimensions = [2] : (tensor<3x8x147xf32>, tensor<f32>) -> tensor<3x8xf32>
  %nan_max_f32 = stablehlo.compare NE, %max_f32, %max_f32 : (tensor<3x8xf32>, tensor<3x8xf32>) -> tensor<3x8xi1>
  check.expect_eq_const %nan_max_f32, dense<[[true, true, false, false, false, false, false, false], [true, true, false, false, false, false, false, false], [true, true, false, false, false, false, false, false]]> : tensor<3x8xi1>
  // NaNs aside; a zero's sign is that of its reciprocal.
  %number_max_f32 = stablehlo.select %nan_max_f32, %one, %max_f32 : tensor<3x8xi1>, tensor<3x8xf32>
  %sign_max_f32 = stablehlo.divide %one, %number_max_f32 : tensor<3x8xf32>
  check.expect_eq_const %number_max_f32, dense<[[1.0, 1.0, 0.0, -1.0, 0x7F800000, 0xFF800000, 3.0, 0.0], [1.0, 1.0, 0.0, -1.0, 0x7F800000, 0xFF800000, 3.0, 0.0], [1.0, 1.0, 0.0, -1.0, 0x7F800000, 0xFF800000, 3.0, 0.0]]> : tensor<3x8xf32>
  check.expect_eq_const %sign_max_f32, dense<[[1.0, 1.0, 0x7F800000, -1.0, 0.0, 0.0, 0.333333343, 0x7F800000], [1.0, 1.0, 0x7F800000, -1.0, 0.0, 0.0, 0.333333343, 0x7F800000], [1.0, 1.0, 0x7F800000, -1.0, 0.0, 0.0, 0.333333343, 0x7F800000]]> : tensor<3x8xf32>
  %min_f32 = stablehlo.reduce(%x init: %high) applies stablehlo.minimum across dimensions = [2] : (tensor<3x8x147xf32>, tensor<f32>) -> tensor<3x8xf32>
  %nan_min_f32 = stablehlo.compare NE, %min_f32, %min_f32 : (tensor<3x8xf32>, tensor<3x8xf32>) -> tensor<3x8xi1>
  check.expect_eq_const %nan_min_f32, dense<[[true, true, false, false, false, false, false, false], [true, true, false, false, false, false, false, false], [true, true, false, false, false, false, false, false]]> : tensor<3x8xi1>
  // NaNs aside; a zero's sign is that of its reciprocal.
  %number_min_f32 = stablehlo.select %nan_min_f32, %one, %min_f32 : tensor<3x8xi1>, tensor<3x8xf32>
  %sign_min_f32 = stablehlo.divide %one, %number_min_f32 : tensor<3x8xf32>
  check.expect_eq_const %number_min_f32, dense<[[1.0, 1.0, 0.0, 0xFF800000, 1.0, 0xFF800000, -7.0, 0.0], [1.0, 1.0, 0.0, 0xFF800000, 1.0, 0xFF800000, -7.0, 0.0], [1.0, 1.0, 0.0, 0xFF800000, 1.0, 0xFF800000, -7.0, 0.0]]> : tensor<3x8xf32>
  check.expect_eq_const %sign_min_f32, dense<[[1.0, 1.0, 0xFF800000, 0.0, 1.0, 0.0, -0.142857149, 0xFF800000], [1.0, 1.0, 0xFF800000, 0.0, 1.0, 0.0, -0.142857149, 0xFF800000], [1.0, 1.0, 0xFF800000, 0.0, 1.0, 0.0, -0.142857149, 0xFF800000]]> : tensor<3x8xf32>

  // In f16.
  %x_f16 = stablehlo.convert %x : (tensor<3x8x147xf32>) -> tensor<3x8x147xf16>
  %low_f16 = stablehlo.convert %low : (tensor<f32>) -> tensor<f16>
  %max_f16 = stablehlo.reduce(%x_f16 init: %low_f16) applies stablehlo.maximum across dimensions = [2] : (tensor<3x8x147xf16>, tensor<f16>) -> tensor<3x8xf16>
  %max_f16_f32 = stablehlo.convert %max_f16 : (tensor<3x8xf16>) -> tensor<3x8xf32>
  %nan_max_f16 = stablehlo.compare NE, %max_f16_f32, %max_f16_f32 : (tensor<3x8xf32>, tensor<3x8xf32>) -> tensor<3x8xi1>
  check.expect_eq_const %nan_max_f16, dense<[[true, true, false, false, false, false, false, false], [true, true, false, false, false, false, false, false], [true, true, false, false, false, false, false, false]]> : tensor<3x8xi1>
  // NaNs aside; a zero's sign is that of its reciprocal.
  %number_max_f16 = stablehlo.select %nan_max_f16, %one, %max_f16_f32 : tensor<3x8xi1>, tensor<3x8xf32>
  %sign_max_f16 = stablehlo.divide %one, %number_max_f16 : tensor<3x8xf32>
  check.expect_eq_const %number_max_f16, dense<[[1.0, 1.0, 0.0, -1.0, 0x7F800000, 0xFF800000, 3.0, 0.0], [1.0, 1.0, 0.0, -1.0, 0x7F800000, 0xFF800000, 3.0, 0.0], [1.0, 1.0, 0.0, -1.0, 0x7F800000, 0xFF800000, 3.0, 0.0]]> : tensor<3x8xf32>
  check.expect_eq_const %sign_max_f16, dense<[[1.0, 1.0, 0x7F800000, -1.0, 0.0, 0.0, 0.333333343, 0x7F800000], [1.0, 1.0, 0x7F800000, -1.0, 0.0, 0.0, 0.333333343, 0x7F800000], [1.0, 1.0, 0x7F800000, -1.0, 0.0, 0.0, 0.333333343, 0x7F800000]]> : tensor<3x8xf32>
  %high_f16 = stablehlo.convert %high : (tensor<f32>) -> tensor<f16>
  %min_f16 = stablehlo.reduce(%x_f16 init: %high_f16) applies stablehlo.minimum across dimensions = [2] : (tensor<3x8x147xf16>, tensor<f16>) -> tensor<3x8xf16>
  %min_f16_f32 = stablehlo.convert %min_f16 : (tensor<3x8xf16>) -> tensor<3x8xf32>
  %nan_min_f16 = stablehlo.compare NE, %min_f16_f32, %min_f16_f32 : (tensor<3x8xf32>, tensor<3x8xf32>) -> tensor<3x8xi1>
  check.expect_eq_const %nan_min_f16, dense<[[true, true, false, false, false, false, false, false], [true, true, false, false, false, false, false, false], [true, true, false, false, false, false, false, false]]> : tensor<3x8xi1>
  // NaNs aside; a zero's sign is that of its reciprocal.
  %number_min_f16 = stablehlo.select %nan_min_f16, %one, %min_f16_f32 : tensor<3x8xi1>, tensor<3x8xf32>
  %sign_min_f16 = stablehlo.divide %one, %number_min_f16 : tensor<3x8xf32>
  check.expect_eq_const %number_min_f16, dense<[[1.0, 1.0, 0.0, 0xFF800000, 1.0, 0xFF800000, -7.0, 0.0], [1.0, 1.0, 0.0, 0xFF800000, 1.0, 0xFF800000, -7.0, 0.0], [1.0, 1.0, 0.0, 0xFF800000, 1.0, 0xFF800000, -7.0, 0.0]]> : tensor<3x8xf32>
  check.expect_eq_const %sign_min_f16, dense<[[1.0, 1.0, 0xFF800000, 0.0, 1.0, 0.0, -0.142857149, 0xFF800000], [1.0, 1.0, 0xFF800000, 0.0, 1.0, 0.0, -0.142857149, 0xFF800000], [1.0, 1.0, 0xFF800000, 0.0, 1.0, 0.0, -0.142857149, 0xFF800000]]> : tensor<3x8xf32>

  // In bf16.
  %x_bf16 = stablehlo.convert %x : (tensor<3x8x147xf32>) -> tensor<3x8x147xbf16>
  %low_bf16 = stablehlo.convert %low : (tensor<f32>) -> tensor<bf16>
  %max_bf16 = stablehlo.reduce(%x_bf16 init: %low_bf16) applies stablehlo.maximum across dimensions = [2] : (tensor<3x8x147xbf16>, tensor<bf16>) -> tensor<3x8xbf16>
  %max_bf16_f32 = stablehlo.convert %max_bf16 : (tensor<3x8xbf16>) -> tensor<3x8xf32>
  %nan_max_bf16 = stablehlo.compare NE, %max_bf16_f32, %max_bf16_f32 : (tensor<3x8xf32>, tensor<3x8xf32>) -> tensor<3x8xi1>
  check.expect_eq_const %nan_max_bf16, dense<[[true, true, false, false, false, false, false, false], [true, true, false, false, false, false, false, false], [true, true, false, false, false, false, false, false]]> : tensor<3x8xi1>
  // NaNs aside; a zero's sign is that of its reciprocal.
  %number_max_bf16 = stablehlo.select %nan_max_bf16, %one, %max_bf16_f32 : tensor<3x8xi1>, tensor<3x8xf32>
  %sign_max_bf16 = stablehlo.divide %one, %number_max_bf16 : tensor<3x8xf32>
  check.expect_eq_const %number_max_bf16, dense<[[1.0, 1.0, 0.0, -1.0, 0x7F800000, 0xFF800000, 3.0, 0.0], [1.0, 1.0, 0.0, -1.0, 0x7F800000, 0xFF800000, 3.0, 0.0], [1.0, 1.0, 0.0, -1.0, 0x7F800000, 0xFF800000, 3.0, 0.0]]> : tensor<3x8xf32>
  check.expect_eq_const %sign_max_bf16, dense<[[1.0, 1.0, 0x7F800000, -1.0, 0.0, 0.0, 0.333333343, 0x7F800000], [1.0, 1.0, 0x7F800000, -1.0, 0.0, 0.0, 0.333333343, 0x7F800000], [1.0, 1.0, 0x7F800000, -1.0, 0.0, 0.0, 0.333333343, 0x7F800000]]> : tensor<3x8xf32>
  %high_bf16 = stablehlo.convert %high : (tensor<f32>) -> tensor<bf16>
  %min_bf16 = stablehlo.reduce(%x_bf16 init: %high_bf16) applies stablehlo.minimum across dimensions = [2] : (tensor<3x8x147xbf16>, tensor<bf16>) -> tensor<3x8xbf16>
  %min_bf16_f32 = stablehlo.convert %min_bf16 : (tensor<3x8xbf16>) -> tensor<3x8xf32>
  %nan_min_bf16 = stablehlo.compare NE, %min_bf16_f32, %min_bf16_f32 : (tensor<3x8xf32>, tensor<3x8xf32>) -> tensor<3x8xi1>
  check.expect_eq_const %nan_min_bf16, dense<[[true, true, false, false, false, false, false, false], [true, true, false, false, false, false, false, false], [true, true, false, false, false, false, false, false]]> : tensor<3x8xi1>
  // NaNs aside; a zero's sign is that of its reciprocal.
  %number_min_bf16 = stablehlo.select %nan_min_bf16, %one, %min_bf16_f32 : tensor<3x8xi1>, tensor<3x8xf32>
  %sign_min_bf16 = stablehlo.divide %one, %number_min_bf16 : tensor<3x8xf32>
  check.expect_eq_const %number_min_bf16, dense<[[1.0, 1.0, 0.0, 0xFF800000, 1.0, 0xFF800000, -7.0, 0.0], [1.0, 1.0, 0.0, 0xFF800000, 1.0, 0xFF800000, -7.0, 0.0], [1.0, 1.0, 0.0, 0xFF800000, 1.0, 0xFF800000, -7.0, 0.0]]> : tensor<3x8xf32>
  check.expect_eq_const %sign_min_bf16, dense<[[1.0, 1.0, 0xFF800000, 0.0, 1.0, 0.0, -0.142857149, 0xFF800000], [1.0, 1.0, 0xFF800000, 0.0, 1.0, 0.0, -0.142857149, 0xFF800000], [1.0, 1.0, 0xFF800000, 0.0, 1.0, 0.0, -0.142857149, 0xFF800000]]> : tensor<3x8xf32>

  // In f64.
  %x_f64 = stablehlo.convert %x : (tensor<3x8x147xf32>) -> tensor<3x8x147xf64>
  %low_f64 = stablehlo.convert %low : (tensor<f32>) -> tensor<f64>
  %max_f64 = stablehlo.reduce(%x_f64 init: %low_f64) applies stablehlo.maximum across dimensions = [2] : (tensor<3x8x147xf64>, tensor<f64>) -> tensor<3x8xf64>
  %max_f64_f32 = stablehlo.convert %max_f64 : (tensor<3x8xf64>) -> tensor<3x8xf32>
  %nan_max_f64 = stablehlo.compare NE, %max_f64_f32, %max_f64_f32 : (tensor<3x8xf32>, tensor<3x8xf32>) -> tensor<3x8xi1>
  check.expect_eq_const %nan_max_f64, dense<[[true, true, false, false, false, false, false, false], [true, true, false, false, false, false, false, false], [true, true, false, false, false, false, false, false]]> : tensor<3x8xi1>
  // NaNs aside; a zero's sign is that of its reciprocal.
  %number_max_f64 = stablehlo.select %nan_max_f64, %one, %max_f64_f32 : tensor<3x8xi1>, tensor<3x8xf32>
  %sign_max_f64 = stablehlo.divide %one, %number_max_f64 : tensor<3x8xf32>
  check.expect_eq_const %number_max_f64, dense<[[1.0, 1.0, 0.0, -1.0, 0x7F800000, 0xFF800000, 3.0, 0.0], [1.0, 1.0, 0.0, -1.0, 0x7F800000, 0xFF800000, 3.0, 0.0], [1.0, 1.0, 0.0, -1.0, 0x7F800000, 0xFF800000, 3.0, 0.0]]> : tensor<3x8xf32>
  check.expect_eq_const %sign_max_f64, dense<[[1.0, 1.0, 0x7F800000, -1.0, 0.0, 0.0, 0.333333343, 0x7F800000], [1.0, 1.0, 0x7F800000, -1.0, 0.0, 0.0, 0.333333343, 0x7F800000], [1.0, 1.0, 0x7F800000, -1.0, 0.0, 0.0, 0.333333343, 0x7F800000]]> : tensor<3x8xf32>
  %high_f64 = stablehlo.convert %high : (tensor<f32>) -> tensor<f64>
  %min_f64 = stablehlo.reduce(%x_f64 init: %high_f64) applies stablehlo.minimum across dimensions = [2] : (tensor<3x8x147xf64>, tensor<f64>) -> tensor<3x8xf64>
  %min_f64_f32 = stablehlo.convert %min_f64 : (tensor<3x8xf64>) -> tensor<3x8xf32>
  %nan_min_f64 = stablehlo.compare NE, %min_f64_f32, %min_f64_f32 : (tensor<3x8xf32>, tensor<3x8xf32>) -> tensor<3x8xi1>
  check.expect_eq_const %nan_min_f64, dense<[[true, true, false, false, false, false, false, false], [true, true, false, false, false, false, false, false], [true, true, false, false, false, false, false, false]]> : tensor<3x8xi1>
  // NaNs aside; a zero's sign is that of its reciprocal.
  %number_min_f64 = stablehlo.select %nan_min_f64, %one, %min_f64_f32 : tensor<3x8xi1>, tensor<3x8xf32>
  %sign_min_f64 = stablehlo.divide %one, %number_min_f64 : tensor<3x8xf32>
  check.expect_eq_const %number_min_f64, dense<[[1.0, 1.0, 0.0, 0xFF800000, 1.0, 0xFF800000, -7.0, 0.0], [1.0, 1.0, 0.0, 0xFF800000, 1.0, 0xFF800000, -7.0, 0.0], [1.0, 1.0, 0.0, 0xFF800000, 1.0, 0xFF800000, -7.0, 0.0]]> : tensor<3x8xf32>
  check.expect_eq_const %sign_min_f64, dense<[[1.0, 1.0, 0xFF800000, 0.0, 1.0, 0.0, -0.142857149, 0xFF800000], [1.0, 1.0, 0xFF800000, 0.0, 1.0, 0.0, -0.142857149, 0xFF800000], [1.0, 1.0, 0xFF800000, 0.0, 1.0, 0.0, -0.142857149, 0xFF800000]]> : tensor<3x8xf32>
  return
}
