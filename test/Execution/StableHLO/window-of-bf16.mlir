// Windows of bf16 that leave the SLP vectoriser a load of 17 elements, which LLVM cannot select on processors with
// AVX512-BF16.
// RUN: forge verify %s

func.func @main(%x: tensor<1x5xbf16>) -> tensor<2x5xbf16> {
  %one = stablehlo.constant dense<1.0> : tensor<bf16>
  %0 = "stablehlo.reduce_window"(%x, %one) ({
  ^bb0(%a: tensor<bf16>, %b: tensor<bf16>):
    %p = stablehlo.multiply %a, %b : tensor<bf16>
    stablehlo.return %p : tensor<bf16>
  }) {padding = dense<[[2, 1], [2, 2]]> : tensor<2x2xi64>, window_dilations = array<i64: 2, 2>, window_dimensions = array<i64: 1, 3>, window_strides = array<i64: 2, 1>} : (tensor<1x5xbf16>, tensor<bf16>) -> tensor<2x5xbf16>
  return %0 : tensor<2x5xbf16>
}
