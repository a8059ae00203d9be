// Conditions of loops are computed on the host, in every type of float and with any function.
// RUN: forge run %s --target cpu | FileCheck %s
// RUN: forge run %s --target sim:sm_90a | FileCheck %s
// RUN: forge run %s --target sim:gfx942 | FileCheck %s
// RUN: forge compile %s --target cuda:sm_90a -o %t.o

// 1.5, 3, 6, 12: log1p(12.1) is the first logarithm above 2, and 12 the first above 10.
// CHECK: result 0: tensor<f8E4M3FN> [12]
// CHECK: result 1: tensor<bf16> [6]
// CHECK: result 2: tensor<i32> [3]
func.func @main() -> (tensor<f8E4M3FN>, tensor<bf16>, tensor<i32>) {
  %start = stablehlo.constant dense<1.5> : tensor<f8E4M3FN>
  %half = stablehlo.constant dense<0.75> : tensor<bf16>
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %loop:3 = stablehlo.while(%a = %start, %b = %half, %i = %zero) : tensor<f8E4M3FN>, tensor<bf16>, tensor<i32>
    cond {
      %wide = stablehlo.convert %a : (tensor<f8E4M3FN>) -> tensor<f32>
      %tenth = stablehlo.constant dense<0.1> : tensor<f32>
      %sum = stablehlo.add %wide, %tenth : tensor<f32>
      %log = stablehlo.log_plus_one %sum : tensor<f32>
      %two = stablehlo.constant dense<2.0> : tensor<f32>
      %low = stablehlo.compare LT, %log, %two : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %tanh = stablehlo.tanh %b : tensor<bf16>
      %limit = stablehlo.constant dense<1.5> : tensor<bf16>
      %small = stablehlo.compare LT, %tanh, %limit : (tensor<bf16>, tensor<bf16>) -> tensor<i1>
      %ten = stablehlo.constant dense<10.0> : tensor<f8E4M3FN>
      %below = stablehlo.compare LT, %a, %ten : (tensor<f8E4M3FN>, tensor<f8E4M3FN>) -> tensor<i1>
      %both = stablehlo.and %low, %small : tensor<i1>
      %all = stablehlo.and %both, %below : tensor<i1>
      stablehlo.return %all : tensor<i1>
    } do {
      %a2 = stablehlo.add %a, %a : tensor<f8E4M3FN>
      %b2 = stablehlo.add %b, %b : tensor<bf16>
      %one = stablehlo.constant dense<1> : tensor<i32>
      %i2 = stablehlo.add %i, %one : tensor<i32>
      stablehlo.return %a2, %b2, %i2 : tensor<f8E4M3FN>, tensor<bf16>, tensor<i32>
    }
  return %loop#0, %loop#1, %loop#2 : tensor<f8E4M3FN>, tensor<bf16>, tensor<i32>
}
