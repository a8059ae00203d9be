// RUN: forge-opt %s --split-input-file --verify-diagnostics

// One case per constraint of chlo and check; the name says which.

func.func @broadcast_c1_count(%x: tensor<4x3xf32>, %y: tensor<3xf32>) {
  // expected-error @+1 {{expected 1 entries in broadcast_dimensions, but got 2}}
  %0 = chlo.broadcast_add %x, %y {broadcast_dimensions = array<i64: 0, 1>} : (tensor<4x3xf32>, tensor<3xf32>) -> tensor<4x3xf32>
  return
}

// -----

func.func @broadcast_c1_range(%x: tensor<4x3xf32>, %y: tensor<3xf32>) {
  // expected-error @+1 {{expected broadcast_dimensions in the range [0, 2), but got 2}}
  %0 = chlo.broadcast_add %x, %y {broadcast_dimensions = array<i64: 2>} : (tensor<4x3xf32>, tensor<3xf32>) -> tensor<4x3xf32>
  return
}

// -----

func.func @broadcast_c1_sorted(%x: tensor<4x3xf32>, %y: tensor<3x4xf32>) {
  // expected-error @+1 {{expected sorted broadcast_dimensions, but got [1, 0]}}
  %0 = chlo.broadcast_add %x, %y {broadcast_dimensions = array<i64: 1, 0>} : (tensor<4x3xf32>, tensor<3x4xf32>) -> tensor<4x3xf32>
  return
}

// -----

func.func @broadcast_c2_sizes(%x: tensor<4x3xf32>, %y: tensor<2xf32>) {
  // expected-error @+1 {{expected sizes that can be broadcast in dimension 1, but got 3 and 2}}
  %0 = chlo.broadcast_add %x, %y : (tensor<4x3xf32>, tensor<2xf32>) -> tensor<4x3xf32>
  return
}

// -----

func.func @broadcast_c2_result(%x: tensor<4x1xf32>, %y: tensor<3xf32>) {
  // expected-error @+1 {{expected shape [4, 3] for the result, but got [4, 1]}}
  %0 = chlo.broadcast_compare %x, %y {comparison_direction = #chlo<comparison_direction EQ>} : (tensor<4x1xf32>, tensor<3xf32>) -> tensor<4x1xi1>
  return
}

// -----

func.func @broadcast_select_c1_sizes(%p: tensor<2xi1>, %x: tensor<3xf32>) {
  // expected-error @+1 {{expected sizes that can be broadcast in dimension 0, but got 2 and 3}}
  %0 = chlo.broadcast_select %p, %x, %x : (tensor<2xi1>, tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
  return
}

// -----

func.func @broadcast_select_c2_types(%p: tensor<3xi1>, %x: tensor<3xf32>, %y: tensor<3xi32>) {
  // expected-error @+1 {{expected element type 'f32' for on_false, but got 'i32'}}
  %0 = chlo.broadcast_select %p, %x, %y : (tensor<3xi1>, tensor<3xf32>, tensor<3xi32>) -> tensor<3xf32>
  return
}

// -----

func.func @constant_c1_type() {
  // expected-error @+1 {{expected result type 'tensor<2xi32>', but got 'tensor<3xi32>'}}
  %0 = "chlo.constant"() {value = dense<1> : tensor<2xi32>} : () -> tensor<3xi32>
  return
}

// -----

func.func @constant_like_c1_type(%x: tensor<3xf32>) {
  // expected-error @+1 {{expected element type 'i32' for the result, but got 'f32'}}
  %0 = "chlo.constant_like"(%x) {value = 1 : i32} : (tensor<3xf32>) -> tensor<3xf32>
  return
}

// -----

func.func @top_k_c1_rank(%x: tensor<f32>) {
  // expected-error @+1 {{expected rank 1 or more for operand, but got 0}}
  %0:2 = chlo.top_k(%x, k = 1) : tensor<f32> -> (tensor<1xf32>, tensor<1xi32>)
  return
}

// -----

func.func @top_k_c2_k(%x: tensor<4xf32>) {
  // expected-error @+1 {{expected k in [0, 4], but got 5}}
  %0:2 = chlo.top_k(%x, k = 5) : tensor<4xf32> -> (tensor<5xf32>, tensor<5xi32>)
  return
}

// -----

func.func @top_k_c2_negative(%x: tensor<4xf32>) {
  // expected-error @+1 {{expected k in [0, 4], but got -1}}
  %0:2 = chlo.top_k(%x, k = -1) : tensor<4xf32> -> (tensor<4xf32>, tensor<4xi32>)
  return
}

// -----

func.func @top_k_c3_shape(%x: tensor<2x4xf32>) {
  // expected-error @+1 {{expected shape [2, 3] for indices, but got [2, 4]}}
  %0:2 = chlo.top_k(%x, k = 3) : tensor<2x4xf32> -> (tensor<2x3xf32>, tensor<2x4xi32>)
  return
}

// -----

func.func @top_k_c4_types(%x: tensor<4xf32>) {
  // expected-error @+1 {{expected element type 'i32' for indices, but got 'i64'}}
  %0:2 = chlo.top_k(%x, k = 3) : tensor<4xf32> -> (tensor<3xf32>, tensor<3xi64>)
  return
}

// -----

func.func @function_types(%x: tensor<4xi32>) {
  // expected-error @+1 {{operand #0 must be ranked tensor of float values, but got 'tensor<4xi32>'}}
  %0 = chlo.erf %x : tensor<4xi32> -> tensor<4xi32>
  return
}

// -----

func.func @function_complex(%x: tensor<4xcomplex<f16>>) {
  // expected-error @+1 {{unsupported stablehlo op 'chlo.tan': element type 'complex<f16>'}}
  %0 = chlo.tan %x : tensor<4xcomplex<f16>> -> tensor<4xcomplex<f16>>
  return
}

// -----

func.func @expect_eq_const_type(%x: tensor<4xf32>) {
  // expected-error @+1 {{failed to verify that all of {lhs, value} have same type}}
  "check.expect_eq_const"(%x) {value = dense<1> : tensor<4xi32>} : (tensor<4xf32>) -> ()
  return
}

// -----

func.func @expect_close_types(%x: tensor<4xf32>, %y: tensor<4xf64>) {
  // expected-error @+1 {{failed to verify that all of {actual, expected} have same type}}
  check.expect_close %x, %y, max_ulp_difference = 3 : tensor<4xf32>, tensor<4xf64>
  return
}
