// A branch in a loop hands on another value that the loop carries: its buffer was overwritten before it was read.
// RUN: forge verify %s --target cpu
// RUN: forge verify %s --target sim:sm_90a
// RUN: forge verify %s --target sim:gfx942
func.func @main() {
  %x0 = stablehlo.constant dense<[1, 2, 3]> : tensor<3xi32>
  %y0 = stablehlo.constant dense<[10, 20, 30]> : tensor<3xi32>
  %x, %y = stablehlo.optimization_barrier %x0, %y0 : tensor<3xi32>, tensor<3xi32>
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %two = stablehlo.constant dense<2> : tensor<i32>
  %0:3 = stablehlo.while(%i = %zero, %a = %x, %b = %y) : tensor<i32>, tensor<3xi32>, tensor<3xi32>
  cond {
    %more = stablehlo.compare LT, %i, %two : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %more : tensor<i1>
  } do {
    %next = stablehlo.add %i, %one : tensor<i32>
    %first = stablehlo.compare EQ, %i, %zero : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %chosen = "stablehlo.if"(%first) ({
      stablehlo.return %a : tensor<3xi32>
    }, {
      stablehlo.return %b : tensor<3xi32>
    }) : (tensor<i1>) -> tensor<3xi32>
    %sum = stablehlo.add %a, %b : tensor<3xi32>
    stablehlo.return %next, %sum, %chosen : tensor<i32>, tensor<3xi32>, tensor<3xi32>
  }
  // (1, 10) -> (11, 1) -> (12, 1)
  check.expect_eq_const %0#1, dense<[12, 24, 36]> : tensor<3xi32>
  check.expect_eq_const %0#2, dense<[1, 2, 3]> : tensor<3xi32>
  return
}
