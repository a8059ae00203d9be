// A branch in a kernel hands on what it was given: GPUs copied an uninitialised buffer.
// RUN: forge verify %s --target cpu
// RUN: forge verify %s --target sim:sm_90a
// RUN: forge verify %s --target sim:gfx942
func.func @main(%x: tensor<11x6xf32>, %p: tensor<i1>) -> tensor<11x6xf32> {
  %r = "stablehlo.if"(%p) ({
    stablehlo.return %x : tensor<11x6xf32>
  }, {
    %zero = stablehlo.constant dense<0.0> : tensor<f32>
    %s = "stablehlo.reduce_window"(%x, %zero) <{padding = dense<[[10, 0], [0, 0]]> : tensor<2x2xi64>, window_dimensions = array<i64: 11, 1>}> ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %t = stablehlo.add %a, %b : tensor<f32>
      stablehlo.return %t : tensor<f32>
    }) : (tensor<11x6xf32>, tensor<f32>) -> tensor<11x6xf32>
    stablehlo.return %s : tensor<11x6xf32>
  }) : (tensor<i1>) -> tensor<11x6xf32>
  return %r : tensor<11x6xf32>
}
