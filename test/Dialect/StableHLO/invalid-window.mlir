// RUN: forge-opt %s --split-input-file --verify-diagnostics

// One case per constraint of the ops that apply a region to windows; the name says which.

func.func @reduce_window_c1_results(%x: tensor<4xf32>, %i: tensor<f32>) {
  // expected-error @+1 {{expected 1 entries in the results, but got 2}}
  %0:2 = "stablehlo.reduce_window"(%x, %i) ({
  ^bb0(%p: tensor<f32>, %q: tensor<f32>):
    %sum = stablehlo.add %p, %q : tensor<f32>
    stablehlo.return %sum : tensor<f32>
  }) {window_dimensions = array<i64: 2>} : (tensor<4xf32>, tensor<f32>) -> (tensor<3xf32>, tensor<3xf32>)
  return
}

// -----

func.func @reduce_window_c2_shapes(%x: tensor<4xf32>, %y: tensor<5xf32>, %i: tensor<f32>) {
  // expected-error @+1 {{expected shape [4] for the inputs, but got [5]}}
  %0:2 = "stablehlo.reduce_window"(%x, %y, %i, %i) ({
  ^bb0(%p: tensor<f32>, %q: tensor<f32>):
    %sum = stablehlo.add %p, %q : tensor<f32>
    stablehlo.return %sum : tensor<f32>
  }) {window_dimensions = array<i64: 2>} : (tensor<4xf32>, tensor<5xf32>, tensor<f32>, tensor<f32>) -> (tensor<3xf32>, tensor<3xf32>)
  return
}

// -----

func.func @reduce_window_c3_types(%x: tensor<4x6xf32>, %i: tensor<f64>) {
  // expected-error @+1 {{expected element type 'f32' for an initial value, but got 'f64'}}
  %0 = "stablehlo.reduce_window"(%x, %i) ({
  ^bb0(%p: tensor<f32>, %q: tensor<f32>):
    %sum = stablehlo.add %p, %q : tensor<f32>
    stablehlo.return %sum : tensor<f32>
  }) {window_dimensions = array<i64: 2, 2>} : (tensor<4x6xf32>, tensor<f64>) -> tensor<3x5xf32>
  return
}

// -----

func.func @reduce_window_c4_window_count(%x: tensor<4x6xf32>, %i: tensor<f32>) {
  // expected-error @+1 {{expected 2 entries in window_dimensions, but got 1}}
  %0 = "stablehlo.reduce_window"(%x, %i) ({
  ^bb0(%p: tensor<f32>, %q: tensor<f32>):
    %sum = stablehlo.add %p, %q : tensor<f32>
    stablehlo.return %sum : tensor<f32>
  }) {window_dimensions = array<i64: 2>} : (tensor<4x6xf32>, tensor<f32>) -> tensor<3x5xf32>
  return
}

// -----

func.func @reduce_window_c5_window(%x: tensor<4x6xf32>, %i: tensor<f32>) {
  // expected-error @+1 {{expected positive window_dimensions, but got 0}}
  %0 = "stablehlo.reduce_window"(%x, %i) ({
  ^bb0(%p: tensor<f32>, %q: tensor<f32>):
    %sum = stablehlo.add %p, %q : tensor<f32>
    stablehlo.return %sum : tensor<f32>
  }) {window_dimensions = array<i64: 2, 0>} : (tensor<4x6xf32>, tensor<f32>) -> tensor<3x5xf32>
  return
}

// -----

func.func @reduce_window_c6_stride_count(%x: tensor<4x6xf32>, %i: tensor<f32>) {
  // expected-error @+1 {{expected 2 entries in window_strides, but got 3}}
  %0 = "stablehlo.reduce_window"(%x, %i) ({
  ^bb0(%p: tensor<f32>, %q: tensor<f32>):
    %sum = stablehlo.add %p, %q : tensor<f32>
    stablehlo.return %sum : tensor<f32>
  }) {window_dimensions = array<i64: 2, 2>, window_strides = array<i64: 1, 1, 1>} : (tensor<4x6xf32>, tensor<f32>) -> tensor<3x5xf32>
  return
}

// -----

func.func @reduce_window_c7_strides(%x: tensor<4x6xf32>, %i: tensor<f32>) {
  // expected-error @+1 {{expected positive window_strides, but got -1}}
  %0 = "stablehlo.reduce_window"(%x, %i) ({
  ^bb0(%p: tensor<f32>, %q: tensor<f32>):
    %sum = stablehlo.add %p, %q : tensor<f32>
    stablehlo.return %sum : tensor<f32>
  }) {window_dimensions = array<i64: 2, 2>, window_strides = array<i64: 1, -1>} : (tensor<4x6xf32>, tensor<f32>) -> tensor<3x5xf32>
  return
}

// -----

func.func @reduce_window_c8_base_count(%x: tensor<4x6xf32>, %i: tensor<f32>) {
  // expected-error @+1 {{expected 2 entries in base_dilations, but got 1}}
  %0 = "stablehlo.reduce_window"(%x, %i) ({
  ^bb0(%p: tensor<f32>, %q: tensor<f32>):
    %sum = stablehlo.add %p, %q : tensor<f32>
    stablehlo.return %sum : tensor<f32>
  }) {window_dimensions = array<i64: 2, 2>, base_dilations = array<i64: 1>} : (tensor<4x6xf32>, tensor<f32>) -> tensor<3x5xf32>
  return
}

// -----

func.func @reduce_window_c9_base(%x: tensor<4x6xf32>, %i: tensor<f32>) {
  // expected-error @+1 {{expected positive base_dilations, but got 0}}
  %0 = "stablehlo.reduce_window"(%x, %i) ({
  ^bb0(%p: tensor<f32>, %q: tensor<f32>):
    %sum = stablehlo.add %p, %q : tensor<f32>
    stablehlo.return %sum : tensor<f32>
  }) {window_dimensions = array<i64: 2, 2>, base_dilations = array<i64: 0, 1>} : (tensor<4x6xf32>, tensor<f32>) -> tensor<3x5xf32>
  return
}

// -----

func.func @reduce_window_c10_dilation_count(%x: tensor<4x6xf32>, %i: tensor<f32>) {
  // expected-error @+1 {{expected 2 entries in window_dilations, but got 1}}
  %0 = "stablehlo.reduce_window"(%x, %i) ({
  ^bb0(%p: tensor<f32>, %q: tensor<f32>):
    %sum = stablehlo.add %p, %q : tensor<f32>
    stablehlo.return %sum : tensor<f32>
  }) {window_dimensions = array<i64: 2, 2>, window_dilations = array<i64: 1>} : (tensor<4x6xf32>, tensor<f32>) -> tensor<3x5xf32>
  return
}

// -----

func.func @reduce_window_c11_dilations(%x: tensor<4x6xf32>, %i: tensor<f32>) {
  // expected-error @+1 {{expected positive window_dilations, but got 0}}
  %0 = "stablehlo.reduce_window"(%x, %i) ({
  ^bb0(%p: tensor<f32>, %q: tensor<f32>):
    %sum = stablehlo.add %p, %q : tensor<f32>
    stablehlo.return %sum : tensor<f32>
  }) {window_dimensions = array<i64: 2, 2>, window_dilations = array<i64: 1, 0>} : (tensor<4x6xf32>, tensor<f32>) -> tensor<3x5xf32>
  return
}

// -----

func.func @reduce_window_c12_padding(%x: tensor<4x6xf32>, %i: tensor<f32>) {
  // expected-error @+1 {{expected padding of shape [2, 2], but got [2, 3]}}
  %0 = "stablehlo.reduce_window"(%x, %i) ({
  ^bb0(%p: tensor<f32>, %q: tensor<f32>):
    %sum = stablehlo.add %p, %q : tensor<f32>
    stablehlo.return %sum : tensor<f32>
  }) {window_dimensions = array<i64: 2, 2>, padding = dense<0> : tensor<2x3xi64>} : (tensor<4x6xf32>, tensor<f32>) -> tensor<3x5xf32>
  return
}

// -----

func.func @reduce_window_c13_body(%x: tensor<4x6xf32>, %i: tensor<f32>) {
  // expected-error @+1 {{expected 'tensor<f32>' in the results of body at position 0, but got 'tensor<f64>'}}
  %0 = "stablehlo.reduce_window"(%x, %i) ({
  ^bb0(%p: tensor<f32>, %q: tensor<f32>):
    %sum = stablehlo.convert %p : (tensor<f32>) -> tensor<f64>
    stablehlo.return %sum : tensor<f64>
  }) {window_dimensions = array<i64: 2, 2>} : (tensor<4x6xf32>, tensor<f32>) -> tensor<3x5xf32>
  return
}

// -----

func.func @reduce_window_c15_shape(%x: tensor<4x6xf32>, %i: tensor<f32>) {
  // expected-error @+1 {{expected shape [3, 5] for a result, but got [4, 5]}}
  %0 = "stablehlo.reduce_window"(%x, %i) ({
  ^bb0(%p: tensor<f32>, %q: tensor<f32>):
    %sum = stablehlo.add %p, %q : tensor<f32>
    stablehlo.return %sum : tensor<f32>
  }) {window_dimensions = array<i64: 2, 2>} : (tensor<4x6xf32>, tensor<f32>) -> tensor<4x5xf32>
  return
}

// -----

func.func @reduce_window_c15_empty(%x: tensor<4x6xf32>, %i: tensor<f32>) {
  // expected-error @+1 {{expected shape [0, 5] for a result, but got [3, 5]}}
  %0 = "stablehlo.reduce_window"(%x, %i) ({
  ^bb0(%p: tensor<f32>, %q: tensor<f32>):
    %sum = stablehlo.add %p, %q : tensor<f32>
    stablehlo.return %sum : tensor<f32>
  }) {window_dimensions = array<i64: 2, 2>, padding = dense<[[-3, 0], [0, 0]]> : tensor<2x2xi64>} : (tensor<4x6xf32>, tensor<f32>) -> tensor<3x5xf32>
  return
}

// -----

func.func @reduce_window_c15_overflow(%x: tensor<4x6xf32>, %i: tensor<f32>) {
  // expected-error @+1 {{the padded size of dimension 0 does not fit in 63 bits}}
  %0 = "stablehlo.reduce_window"(%x, %i) ({
  ^bb0(%p: tensor<f32>, %q: tensor<f32>):
    %sum = stablehlo.add %p, %q : tensor<f32>
    stablehlo.return %sum : tensor<f32>
  }) {window_dimensions = array<i64: 2, 2>, base_dilations = array<i64: 9223372036854775807, 1>} : (tensor<4x6xf32>, tensor<f32>) -> tensor<3x5xf32>
  return
}

// -----

func.func @reduce_window_c16_types(%x: tensor<4x6xf32>, %i: tensor<f32>) {
  // expected-error @+1 {{expected a result 0 that 'f32' is promoted to, but got 'i32'}}
  %0 = "stablehlo.reduce_window"(%x, %i) ({
  ^bb0(%p: tensor<f32>, %q: tensor<f32>):
    %sum = stablehlo.add %p, %q : tensor<f32>
    stablehlo.return %sum : tensor<f32>
  }) {window_dimensions = array<i64: 2, 2>} : (tensor<4x6xf32>, tensor<f32>) -> tensor<3x5xi32>
  return
}

// -----

func.func @select_and_scatter_c1_types(%x: tensor<8xf32>, %s: tensor<4xf64>, %i: tensor<f32>) {
  // expected-error @+1 {{expected element type 'f32' for source, but got 'f64'}}
  %0 = "stablehlo.select_and_scatter"(%x, %s, %i) ({
  ^bb0(%p: tensor<f32>, %q: tensor<f32>):
    %c = stablehlo.compare GE, %p, %q : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  }, {
  ^bb0(%p: tensor<f32>, %q: tensor<f32>):
    %sum = stablehlo.add %p, %q : tensor<f32>
    stablehlo.return %sum : tensor<f32>
  }) {window_dimensions = array<i64: 2>, window_strides = array<i64: 2>} : (tensor<8xf32>, tensor<4xf64>, tensor<f32>) -> tensor<8xf32>
  return
}

// -----

func.func @select_and_scatter_c2_source(%x: tensor<8xf32>, %s: tensor<3xf32>, %i: tensor<f32>) {
  // expected-error @+1 {{expected shape [4] for source, but got [3]}}
  %0 = "stablehlo.select_and_scatter"(%x, %s, %i) ({
  ^bb0(%p: tensor<f32>, %q: tensor<f32>):
    %c = stablehlo.compare GE, %p, %q : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  }, {
  ^bb0(%p: tensor<f32>, %q: tensor<f32>):
    %sum = stablehlo.add %p, %q : tensor<f32>
    stablehlo.return %sum : tensor<f32>
  }) {window_dimensions = array<i64: 2>, window_strides = array<i64: 2>} : (tensor<8xf32>, tensor<3xf32>, tensor<f32>) -> tensor<8xf32>
  return
}

// -----

func.func @select_and_scatter_c3_init(%x: tensor<8xf32>, %s: tensor<4xf32>, %i: tensor<i32>) {
  // expected-error @+1 {{expected element type 'f32' for init_value, but got 'i32'}}
  %0 = "stablehlo.select_and_scatter"(%x, %s, %i) ({
  ^bb0(%p: tensor<f32>, %q: tensor<f32>):
    %c = stablehlo.compare GE, %p, %q : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  }, {
  ^bb0(%p: tensor<f32>, %q: tensor<f32>):
    %sum = stablehlo.add %p, %q : tensor<f32>
    stablehlo.return %sum : tensor<f32>
  }) {window_dimensions = array<i64: 2>, window_strides = array<i64: 2>} : (tensor<8xf32>, tensor<4xf32>, tensor<i32>) -> tensor<8xf32>
  return
}

// -----

func.func @select_and_scatter_c4_window_count(%x: tensor<8xf32>, %s: tensor<4xf32>, %i: tensor<f32>) {
  // expected-error @+1 {{expected 1 entries in window_dimensions, but got 0}}
  %0 = "stablehlo.select_and_scatter"(%x, %s, %i) ({
  ^bb0(%p: tensor<f32>, %q: tensor<f32>):
    %c = stablehlo.compare GE, %p, %q : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  }, {
  ^bb0(%p: tensor<f32>, %q: tensor<f32>):
    %sum = stablehlo.add %p, %q : tensor<f32>
    stablehlo.return %sum : tensor<f32>
  }) {} : (tensor<8xf32>, tensor<4xf32>, tensor<f32>) -> tensor<8xf32>
  return
}

// -----

func.func @select_and_scatter_c5_window(%x: tensor<8xf32>, %s: tensor<4xf32>, %i: tensor<f32>) {
  // expected-error @+1 {{expected positive window_dimensions, but got 0}}
  %0 = "stablehlo.select_and_scatter"(%x, %s, %i) ({
  ^bb0(%p: tensor<f32>, %q: tensor<f32>):
    %c = stablehlo.compare GE, %p, %q : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  }, {
  ^bb0(%p: tensor<f32>, %q: tensor<f32>):
    %sum = stablehlo.add %p, %q : tensor<f32>
    stablehlo.return %sum : tensor<f32>
  }) {window_dimensions = array<i64: 0>} : (tensor<8xf32>, tensor<4xf32>, tensor<f32>) -> tensor<8xf32>
  return
}

// -----

func.func @select_and_scatter_c6_stride_count(%x: tensor<8xf32>, %s: tensor<4xf32>, %i: tensor<f32>) {
  // expected-error @+1 {{expected 1 entries in window_strides, but got 2}}
  %0 = "stablehlo.select_and_scatter"(%x, %s, %i) ({
  ^bb0(%p: tensor<f32>, %q: tensor<f32>):
    %c = stablehlo.compare GE, %p, %q : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  }, {
  ^bb0(%p: tensor<f32>, %q: tensor<f32>):
    %sum = stablehlo.add %p, %q : tensor<f32>
    stablehlo.return %sum : tensor<f32>
  }) {window_dimensions = array<i64: 2>, window_strides = array<i64: 2, 2>} : (tensor<8xf32>, tensor<4xf32>, tensor<f32>) -> tensor<8xf32>
  return
}

// -----

func.func @select_and_scatter_c7_strides(%x: tensor<8xf32>, %s: tensor<4xf32>, %i: tensor<f32>) {
  // expected-error @+1 {{expected positive window_strides, but got 0}}
  %0 = "stablehlo.select_and_scatter"(%x, %s, %i) ({
  ^bb0(%p: tensor<f32>, %q: tensor<f32>):
    %c = stablehlo.compare GE, %p, %q : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  }, {
  ^bb0(%p: tensor<f32>, %q: tensor<f32>):
    %sum = stablehlo.add %p, %q : tensor<f32>
    stablehlo.return %sum : tensor<f32>
  }) {window_dimensions = array<i64: 2>, window_strides = array<i64: 0>} : (tensor<8xf32>, tensor<4xf32>, tensor<f32>) -> tensor<8xf32>
  return
}

// -----

func.func @select_and_scatter_c8_padding(%x: tensor<8xf32>, %s: tensor<4xf32>, %i: tensor<f32>) {
  // expected-error @+1 {{expected padding of shape [1, 2], but got [2, 2]}}
  %0 = "stablehlo.select_and_scatter"(%x, %s, %i) ({
  ^bb0(%p: tensor<f32>, %q: tensor<f32>):
    %c = stablehlo.compare GE, %p, %q : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  }, {
  ^bb0(%p: tensor<f32>, %q: tensor<f32>):
    %sum = stablehlo.add %p, %q : tensor<f32>
    stablehlo.return %sum : tensor<f32>
  }) {window_dimensions = array<i64: 2>, padding = dense<0> : tensor<2x2xi64>} : (tensor<8xf32>, tensor<4xf32>, tensor<f32>) -> tensor<8xf32>
  return
}

// -----

func.func @select_and_scatter_c9_select(%x: tensor<8xf32>, %s: tensor<4xf32>, %i: tensor<f32>) {
  // expected-error @+1 {{expected 'tensor<i1>' in the results of select at position 0, but got 'tensor<f32>'}}
  %0 = "stablehlo.select_and_scatter"(%x, %s, %i) ({
  ^bb0(%p: tensor<f32>, %q: tensor<f32>):
    %sum = stablehlo.add %p, %q : tensor<f32>
    stablehlo.return %sum : tensor<f32>
  }, {
  ^bb0(%p: tensor<f32>, %q: tensor<f32>):
    %sum = stablehlo.add %p, %q : tensor<f32>
    stablehlo.return %sum : tensor<f32>
  }) {window_dimensions = array<i64: 2>, window_strides = array<i64: 2>} : (tensor<8xf32>, tensor<4xf32>, tensor<f32>) -> tensor<8xf32>
  return
}

// -----

func.func @select_and_scatter_c10_scatter(%x: tensor<8xf32>, %s: tensor<4xf32>, %i: tensor<f32>) {
  // expected-error @+1 {{expected 2 arguments of scatter, but got 1}}
  %0 = "stablehlo.select_and_scatter"(%x, %s, %i) ({
  ^bb0(%p: tensor<f32>, %q: tensor<f32>):
    %c = stablehlo.compare GE, %p, %q : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  }, {
  ^bb0(%p: tensor<f32>):
    stablehlo.return %p : tensor<f32>
  }) {window_dimensions = array<i64: 2>, window_strides = array<i64: 2>} : (tensor<8xf32>, tensor<4xf32>, tensor<f32>) -> tensor<8xf32>
  return
}

// -----

func.func @select_and_scatter_c11_shape(%x: tensor<8xf32>, %s: tensor<4xf32>, %i: tensor<f32>) {
  // expected-error @+1 {{expected shape [8] for the result, but got [7]}}
  %0 = "stablehlo.select_and_scatter"(%x, %s, %i) ({
  ^bb0(%p: tensor<f32>, %q: tensor<f32>):
    %c = stablehlo.compare GE, %p, %q : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  }, {
  ^bb0(%p: tensor<f32>, %q: tensor<f32>):
    %sum = stablehlo.add %p, %q : tensor<f32>
    stablehlo.return %sum : tensor<f32>
  }) {window_dimensions = array<i64: 2>, window_strides = array<i64: 2>} : (tensor<8xf32>, tensor<4xf32>, tensor<f32>) -> tensor<7xf32>
  return
}

// -----

func.func @select_and_scatter_c12_types(%x: tensor<8xf32>, %s: tensor<4xf32>, %i: tensor<f32>) {
  // expected-error @+1 {{expected a result 0 that 'f32' is promoted to, but got 'bf16'}}
  %0 = "stablehlo.select_and_scatter"(%x, %s, %i) ({
  ^bb0(%p: tensor<f32>, %q: tensor<f32>):
    %c = stablehlo.compare GE, %p, %q : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  }, {
  ^bb0(%p: tensor<f32>, %q: tensor<f32>):
    %sum = stablehlo.add %p, %q : tensor<f32>
    stablehlo.return %sum : tensor<f32>
  }) {window_dimensions = array<i64: 2>, window_strides = array<i64: 2>} : (tensor<8xf32>, tensor<4xf32>, tensor<f32>) -> tensor<8xbf16>
  return
}
