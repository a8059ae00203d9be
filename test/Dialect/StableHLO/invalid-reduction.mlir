// RUN: forge-opt %s --split-input-file --verify-diagnostics

// One case per constraint of the ops that apply a region along dimensions; the name says which.

func.func @reduce_c1_shapes(%x: tensor<4xf32>, %y: tensor<5xf32>, %i: tensor<f32>) {
  // expected-error @+1 {{expected shape [4] for the inputs, but got [5]}}
  "stablehlo.reduce"(%x, %y, %i, %i) ({
  ^bb0(%p: tensor<f32>, %q: tensor<f32>):
    %sum = stablehlo.add %p, %q : tensor<f32>
    stablehlo.return %sum : tensor<f32>
  }) {dimensions = array<i64: 0>} : (tensor<4xf32>, tensor<5xf32>, tensor<f32>, tensor<f32>) -> (tensor<f32>, tensor<f32>)
  return
}

// -----

func.func @reduce_c2_types(%x: tensor<4xf32>, %i: tensor<i32>) {
  // expected-error @+1 {{expected element type 'f32' for an initial value, but got 'i32'}}
  "stablehlo.reduce"(%x, %i) ({
  ^bb0(%p: tensor<f32>, %q: tensor<f32>):
    %sum = stablehlo.add %p, %q : tensor<f32>
    stablehlo.return %sum : tensor<f32>
  }) {dimensions = array<i64: 0>} : (tensor<4xf32>, tensor<i32>) -> tensor<f32>
  return
}

// -----

func.func @reduce_c2_scalar(%x: tensor<4xf32>, %i: tensor<1xf32>) {
  // expected-error @+1 {{expected shape [] for an initial value, but got [1]}}
  "stablehlo.reduce"(%x, %i) ({
  ^bb0(%p: tensor<f32>, %q: tensor<f32>):
    %sum = stablehlo.add %p, %q : tensor<f32>
    stablehlo.return %sum : tensor<f32>
  }) {dimensions = array<i64: 0>} : (tensor<4xf32>, tensor<1xf32>) -> tensor<f32>
  return
}

// -----

func.func @reduce_c3_results(%x: tensor<4xf32>, %i: tensor<f32>) {
  // expected-error @+1 {{expected 1 entries in the results, but got 2}}
  "stablehlo.reduce"(%x, %i) ({
  ^bb0(%p: tensor<f32>, %q: tensor<f32>):
    %sum = stablehlo.add %p, %q : tensor<f32>
    stablehlo.return %sum : tensor<f32>
  }) {dimensions = array<i64: 0>} : (tensor<4xf32>, tensor<f32>) -> (tensor<f32>, tensor<f32>)
  return
}

// -----

func.func @reduce_c3_none() {
  // expected-error @+1 {{expected at least one input}}
  "stablehlo.reduce"() ({
  ^bb0(%p: tensor<f32>, %q: tensor<f32>):
    %sum = stablehlo.add %p, %q : tensor<f32>
    stablehlo.return %sum : tensor<f32>
  }) {dimensions = array<i64: 0>} : () -> ()
  return
}

// -----

func.func @reduce_c4_range(%x: tensor<4xf32>, %i: tensor<f32>) {
  // expected-error @+1 {{expected dimensions in the range [0, 1), but got 1}}
  "stablehlo.reduce"(%x, %i) ({
  ^bb0(%p: tensor<f32>, %q: tensor<f32>):
    %sum = stablehlo.add %p, %q : tensor<f32>
    stablehlo.return %sum : tensor<f32>
  }) {dimensions = array<i64: 1>} : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
  return
}

// -----

func.func @reduce_c5_twice(%x: tensor<4xf32>, %i: tensor<f32>) {
  // expected-error @+1 {{expected distinct dimensions, but got 0 twice}}
  "stablehlo.reduce"(%x, %i) ({
  ^bb0(%p: tensor<f32>, %q: tensor<f32>):
    %sum = stablehlo.add %p, %q : tensor<f32>
    stablehlo.return %sum : tensor<f32>
  }) {dimensions = array<i64: 0, 0>} : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
  return
}

// -----

func.func @reduce_c6_arguments(%x: tensor<4xf32>, %i: tensor<f32>) {
  // expected-error @+1 {{expected 2 arguments of body, but got 1}}
  "stablehlo.reduce"(%x, %i) ({
  ^bb0(%p: tensor<f32>):
    stablehlo.return %p : tensor<f32>
  }) {dimensions = array<i64: 0>} : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
  return
}

// -----

func.func @reduce_c6_argument_type(%x: tensor<4xf32>, %i: tensor<f32>) {
  // expected-error @+1 {{expected 'tensor<f32>' in the arguments of body at position 1, but got 'tensor<f64>'}}
  "stablehlo.reduce"(%x, %i) ({
  ^bb0(%p: tensor<f32>, %q: tensor<f64>):
    stablehlo.return %p : tensor<f32>
  }) {dimensions = array<i64: 0>} : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
  return
}

// -----

func.func @reduce_c6_results(%x: tensor<4xf32>, %i: tensor<f32>) {
  // expected-error @+1 {{expected 1 results of body, but got 0}}
  "stablehlo.reduce"(%x, %i) ({
  ^bb0(%p: tensor<f32>, %q: tensor<f32>):
    stablehlo.return
  }) {dimensions = array<i64: 0>} : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
  return
}

// -----

func.func @reduce_c7_shape(%x: tensor<4x3xf32>, %i: tensor<f32>) {
  // expected-error @+1 {{expected shape [3] for a result, but got [4]}}
  "stablehlo.reduce"(%x, %i) ({
  ^bb0(%p: tensor<f32>, %q: tensor<f32>):
    %sum = stablehlo.add %p, %q : tensor<f32>
    stablehlo.return %sum : tensor<f32>
  }) {dimensions = array<i64: 0>} : (tensor<4x3xf32>, tensor<f32>) -> tensor<4xf32>
  return
}

// -----

func.func @reduce_c8_types(%x: tensor<4xf32>, %i: tensor<f32>) {
  // expected-error @+1 {{expected a result 0 that 'f32' is promoted to, but got 'f16'}}
  "stablehlo.reduce"(%x, %i) ({
  ^bb0(%p: tensor<f32>, %q: tensor<f32>):
    %sum = stablehlo.add %p, %q : tensor<f32>
    stablehlo.return %sum : tensor<f32>
  }) {dimensions = array<i64: 0>} : (tensor<4xf32>, tensor<f32>) -> tensor<f16>
  return
}

// -----

func.func @reduce_text_op(%x: tensor<4xf32>, %i: tensor<f32>) {
  // expected-error @+1 {{expected a commutative op of two operands from the stablehlo dialect, but got 'stablehlo.subtract'}}
  %0 = stablehlo.reduce(%x init: %i) applies stablehlo.subtract across dimensions = [0] : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
  return
}

// -----

func.func @sort_c1_none() {
  // expected-error @+1 {{expected at least one input}}
  "stablehlo.sort"() ({
  ^bb0(%p: tensor<f32>, %q: tensor<f32>):
    %c = stablehlo.compare LT, %p, %q : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  }) {dimension = 0 : i64} : () -> ()
  return
}

// -----

func.func @sort_c2_types(%x: tensor<4xf32>) {
  // expected-error @+1 {{expected results of the types of the inputs}}
  "stablehlo.sort"(%x) ({
  ^bb0(%p: tensor<f32>, %q: tensor<f32>):
    %c = stablehlo.compare LT, %p, %q : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  }) {dimension = 0 : i64} : (tensor<4xf32>) -> tensor<4xf64>
  return
}

// -----

func.func @sort_c3_shapes(%x: tensor<4xf32>, %y: tensor<5xf32>) {
  // expected-error @+1 {{expected shape [4] for the inputs, but got [5]}}
  "stablehlo.sort"(%x, %y) ({
  ^bb0(%p: tensor<f32>, %q: tensor<f32>):
    %c = stablehlo.compare LT, %p, %q : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  }) {dimension = 0 : i64} : (tensor<4xf32>, tensor<5xf32>) -> (tensor<4xf32>, tensor<5xf32>)
  return
}

// -----

func.func @sort_c4_dimension(%x: tensor<4xf32>) {
  // expected-error @+1 {{expected dimension in [-1, 1), but got 1}}
  "stablehlo.sort"(%x) ({
  ^bb0(%p: tensor<f32>, %q: tensor<f32>):
    %c = stablehlo.compare LT, %p, %q : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  }) {dimension = 1 : i64} : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @sort_c5_comparator(%x: tensor<4xf32>) {
  // expected-error @+1 {{expected 'tensor<i1>' in the results of comparator at position 0, but got 'tensor<f32>'}}
  "stablehlo.sort"(%x) ({
  ^bb0(%p: tensor<f32>, %q: tensor<f32>):
    %sum = stablehlo.add %p, %q : tensor<f32>
    stablehlo.return %sum : tensor<f32>
  }) {dimension = 0 : i64} : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @sort_c5_arguments(%x: tensor<4xf32>) {
  // expected-error @+1 {{expected 4 arguments of comparator, but got 2}}
  "stablehlo.sort"(%x, %x) ({
  ^bb0(%p: tensor<f32>, %q: tensor<f32>):
    %c = stablehlo.compare LT, %p, %q : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  }) {dimension = 0 : i64} : (tensor<4xf32>, tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>)
  return
}

// -----

func.func @map_c1_shapes(%x: tensor<4xf32>) {
  // expected-error @+1 {{expected shape [4] for the inputs and the result, but got [5]}}
  "stablehlo.map"(%x, %x) ({
  ^bb0(%p: tensor<f32>, %q: tensor<f32>):
    %sum = stablehlo.add %p, %q : tensor<f32>
    stablehlo.return %sum : tensor<f32>
  }) {dimensions = array<i64: 0>} : (tensor<4xf32>, tensor<4xf32>) -> tensor<5xf32>
  return
}

// -----

func.func @map_c2_none() {
  // expected-error @+1 {{expected at least one input}}
  "stablehlo.map"() ({
  ^bb0(%p: tensor<f32>, %q: tensor<f32>):
    %sum = stablehlo.add %p, %q : tensor<f32>
    stablehlo.return %sum : tensor<f32>
  }) {dimensions = array<i64: 0>} : () -> tensor<4xf32>
  return
}

// -----

func.func @map_c3_dimensions(%x: tensor<4xf32>) {
  // expected-error @+1 {{expected all 1 dimensions in order, but got []}}
  "stablehlo.map"(%x, %x) ({
  ^bb0(%p: tensor<f32>, %q: tensor<f32>):
    %sum = stablehlo.add %p, %q : tensor<f32>
    stablehlo.return %sum : tensor<f32>
  }) {dimensions = array<i64>} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @map_c4_computation(%x: tensor<4xf32>) {
  // expected-error @+1 {{expected 1 arguments of computation, but got 2}}
  "stablehlo.map"(%x) ({
  ^bb0(%p: tensor<f32>, %q: tensor<f32>):
    %sum = stablehlo.add %p, %q : tensor<f32>
    stablehlo.return %sum : tensor<f32>
  }) {dimensions = array<i64: 0>} : (tensor<4xf32>) -> tensor<4xf32>
  return
}
