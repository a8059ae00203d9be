// RUN: forge run %s
// RUN: forge run %s --tier correctness

// reduce_window as a scan and in its general form, and select_and_scatter.

func.func @main() {
  %x = stablehlo.constant dense<[1, 2, 3, 4]> : tensor<4xi32>
  %zero = stablehlo.constant dense<0> : tensor<i32>

  // Running sums, forward and backward.
  %0 = "stablehlo.reduce_window"(%x, %zero) ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %s = stablehlo.add %a, %b : tensor<i32>
    stablehlo.return %s : tensor<i32>
  }) {window_dimensions = array<i64: 4>, padding = dense<[[3, 0]]> : tensor<1x2xi64>} : (tensor<4xi32>, tensor<i32>) -> tensor<4xi32>
  check.expect_eq_const %0, dense<[1, 3, 6, 10]> : tensor<4xi32>
  %1 = "stablehlo.reduce_window"(%x, %zero) ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %s = stablehlo.add %a, %b : tensor<i32>
    stablehlo.return %s : tensor<i32>
  }) {window_dimensions = array<i64: 4>, padding = dense<[[0, 3]]> : tensor<1x2xi64>} : (tensor<4xi32>, tensor<i32>) -> tensor<4xi32>
  check.expect_eq_const %1, dense<[10, 9, 7, 4]> : tensor<4xi32>

  // A sum of bf16 is carried in f32 and rounded once: rounded after every addition it would be 0.15625.
  %h = stablehlo.constant dense<[-0.25, 1.8515625, 0.271484375, -1.71875]> : tensor<4xbf16>
  %zero_h = stablehlo.constant dense<0.0> : tensor<bf16>
  %sum_h = "stablehlo.reduce_window"(%h, %zero_h) ({
  ^bb0(%a: tensor<bf16>, %b: tensor<bf16>):
    %s = stablehlo.add %a, %b : tensor<bf16>
    stablehlo.return %s : tensor<bf16>
  }) {window_dimensions = array<i64: 4>} : (tensor<4xbf16>, tensor<bf16>) -> tensor<1xbf16>
  check.expect_eq_const %sum_h, dense<[0.154296875]> : tensor<1xbf16>

  // Strides, both dilations, padding on one side and cut off on the other: the input becomes
  // 0 1 0 2 0 3 0, and every second place begins a window of two elements, three apart.
  %2 = "stablehlo.reduce_window"(%x, %zero) ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %s = stablehlo.add %a, %b : tensor<i32>
    stablehlo.return %s : tensor<i32>
  }) {window_dimensions = array<i64: 2>, window_strides = array<i64: 2>, base_dilations = array<i64: 2>, window_dilations = array<i64: 3>, padding = dense<[[1, -1]]> : tensor<1x2xi64>} : (tensor<4xi32>, tensor<i32>) -> tensor<2xi32>
  check.expect_eq_const %2, dense<[2, 3]> : tensor<2xi32>

  // Two operands: the largest of each window, and where it was.
  %i = stablehlo.iota dim = 0 : tensor<4xi32>
  %low = stablehlo.constant dense<-100> : tensor<i32>
  %y = stablehlo.constant dense<[5, 9, 2, 7]> : tensor<4xi32>
  %3:2 = "stablehlo.reduce_window"(%y, %i, %low, %zero) ({
  ^bb0(%a: tensor<i32>, %ai: tensor<i32>, %b: tensor<i32>, %bi: tensor<i32>):
    %c = stablehlo.compare GE, %a, %b : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %v = stablehlo.select %c, %a, %b : tensor<i1>, tensor<i32>
    %j = stablehlo.select %c, %ai, %bi : tensor<i1>, tensor<i32>
    stablehlo.return %v, %j : tensor<i32>, tensor<i32>
  }) {window_dimensions = array<i64: 2>} : (tensor<4xi32>, tensor<4xi32>, tensor<i32>, tensor<i32>) -> (tensor<3xi32>, tensor<3xi32>)
  check.expect_eq_const %3#0, dense<[9, 9, 7]> : tensor<3xi32>
  check.expect_eq_const %3#1, dense<[1, 1, 3]> : tensor<3xi32>

  // Overlapping windows that select one element twice; one window is in the padding.
  %source = stablehlo.constant dense<[1, 10, 100, 1000]> : tensor<4xi32>
  %4 = "stablehlo.select_and_scatter"(%y, %source, %zero) ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %c = stablehlo.compare GE, %a, %b : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  }, {
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %s = stablehlo.add %a, %b : tensor<i32>
    stablehlo.return %s : tensor<i32>
  }) {window_dimensions = array<i64: 2>, padding = dense<[[2, -1]]> : tensor<1x2xi64>} : (tensor<4xi32>, tensor<4xi32>, tensor<i32>) -> tensor<4xi32>
  check.expect_eq_const %4, dense<[10, 1100, 0, 0]> : tensor<4xi32>
  return
}
