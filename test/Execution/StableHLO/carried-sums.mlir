// A loop carries what a loop over elements computes from nothing: running sums.
// RUN: forge verify %s
// RUN: forge verify %s --target sim:sm_90a
// RUN: forge verify %s --target sim:gfx942

func.func @main(%x: tensor<6xf32> {tf.aliasing_output = 0 : i32}, %y: tensor<6xf32> {tf.aliasing_output = 1 : i32}) -> (tensor<6xf32>, tensor<6xf32>) {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %two = stablehlo.constant dense<2> : tensor<i32>
  %none = stablehlo.constant dense<0.0> : tensor<f32>
  %0:3 = stablehlo.while(%i = %zero, %a = %x, %b = %y) : tensor<i32>, tensor<6xf32>, tensor<6xf32>
  cond {
    %more = stablehlo.compare LT, %i, %two : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %more : tensor<i1>
  } do {
    %t = stablehlo.tanh %a : tensor<6xf32>
    %sums = "stablehlo.reduce_window"(%t, %none) ({
    ^bb0(%p: tensor<f32>, %q: tensor<f32>):
      %s = stablehlo.add %p, %q : tensor<f32>
      stablehlo.return %s : tensor<f32>
    }) {padding = dense<[[5, 0]]> : tensor<1x2xi64>, window_dimensions = array<i64: 6>} : (tensor<6xf32>, tensor<f32>) -> tensor<6xf32>
    %sum = stablehlo.add %a, %b : tensor<6xf32>
    %next = stablehlo.add %i, %one : tensor<i32>
    stablehlo.return %next, %sums, %sum : tensor<i32>, tensor<6xf32>, tensor<6xf32>
  }
  return %0#1, %0#2 : tensor<6xf32>, tensor<6xf32>
}
