// RUN: forge-opt %s | forge-opt | FileCheck %s
// RUN: forge-opt %s --mlir-print-op-generic | forge-opt | FileCheck %s

// CHECK-LABEL: @functions
func.func @functions(%x: tensor<4xf32>, %y: tensor<4xf32>, %i: tensor<4xi32>) {
  // CHECK: chlo.acos %{{.*}} : tensor<4xf32> -> tensor<4xf32>
  %0 = chlo.acos %x : tensor<4xf32> -> tensor<4xf32>
  // CHECK: chlo.acosh %{{.*}} : tensor<4xf32> -> tensor<4xf32>
  %1 = chlo.acosh %x : tensor<4xf32> -> tensor<4xf32>
  // CHECK: chlo.asin %{{.*}} : tensor<4xf32> -> tensor<4xf32>
  %2 = chlo.asin %x : tensor<4xf32> -> tensor<4xf32>
  // CHECK: chlo.asinh %{{.*}} : tensor<4xf32> -> tensor<4xf32>
  %3 = chlo.asinh %x : tensor<4xf32> -> tensor<4xf32>
  // CHECK: chlo.atan %{{.*}} : tensor<4xf32> -> tensor<4xf32>
  %4 = chlo.atan %x : tensor<4xf32> -> tensor<4xf32>
  // CHECK: chlo.atanh %{{.*}} : tensor<4xf32> -> tensor<4xf32>
  %5 = chlo.atanh %x : tensor<4xf32> -> tensor<4xf32>
  // CHECK: chlo.bessel_i1e %{{.*}} : tensor<4xf32> -> tensor<4xf32>
  %6 = chlo.bessel_i1e %x : tensor<4xf32> -> tensor<4xf32>
  // CHECK: chlo.cosh %{{.*}} : tensor<4xf32> -> tensor<4xf32>
  %7 = chlo.cosh %x : tensor<4xf32> -> tensor<4xf32>
  // CHECK: chlo.digamma %{{.*}} : tensor<4xf32> -> tensor<4xf32>
  %8 = chlo.digamma %x : tensor<4xf32> -> tensor<4xf32>
  // CHECK: chlo.erf %{{.*}} : tensor<4xf32> -> tensor<4xf32>
  %9 = chlo.erf %x : tensor<4xf32> -> tensor<4xf32>
  // CHECK: chlo.erf_inv %{{.*}} : tensor<4xf32> -> tensor<4xf32>
  %10 = chlo.erf_inv %x : tensor<4xf32> -> tensor<4xf32>
  // CHECK: chlo.erfc %{{.*}} : tensor<4xf32> -> tensor<4xf32>
  %11 = chlo.erfc %x : tensor<4xf32> -> tensor<4xf32>
  // CHECK: chlo.lgamma %{{.*}} : tensor<4xf32> -> tensor<4xf32>
  %12 = chlo.lgamma %x : tensor<4xf32> -> tensor<4xf32>
  // CHECK: chlo.sinh %{{.*}} : tensor<4xf32> -> tensor<4xf32>
  %13 = chlo.sinh %x : tensor<4xf32> -> tensor<4xf32>
  // CHECK: chlo.square %{{.*}} : tensor<4xf32> -> tensor<4xf32>
  %14 = chlo.square %x : tensor<4xf32> -> tensor<4xf32>
  // CHECK: chlo.tan %{{.*}} : tensor<4xf32> -> tensor<4xf32>
  %15 = chlo.tan %x : tensor<4xf32> -> tensor<4xf32>
  // CHECK: chlo.is_inf %{{.*}} : tensor<4xf32> -> tensor<4xi1>
  %16 = chlo.is_inf %x : tensor<4xf32> -> tensor<4xi1>
  // CHECK: chlo.is_neg_inf %{{.*}} : tensor<4xf32> -> tensor<4xi1>
  %17 = chlo.is_neg_inf %x : tensor<4xf32> -> tensor<4xi1>
  // CHECK: chlo.is_pos_inf %{{.*}} : tensor<4xf32> -> tensor<4xi1>
  %18 = chlo.is_pos_inf %x : tensor<4xf32> -> tensor<4xi1>
  // CHECK: chlo.next_after %{{.*}}, %{{.*}} : tensor<4xf32>, tensor<4xf32> -> tensor<4xf32>
  %19 = chlo.next_after %x, %y : tensor<4xf32>, tensor<4xf32> -> tensor<4xf32>
  // CHECK: chlo.polygamma %{{.*}}, %{{.*}} : tensor<4xf32>, tensor<4xf32> -> tensor<4xf32>
  %20 = chlo.polygamma %x, %y : tensor<4xf32>, tensor<4xf32> -> tensor<4xf32>
  // CHECK: chlo.zeta %{{.*}}, %{{.*}} : tensor<4xf32>, tensor<4xf32> -> tensor<4xf32>
  %21 = chlo.zeta %x, %y : tensor<4xf32>, tensor<4xf32> -> tensor<4xf32>
  // CHECK: chlo.mulhi %{{.*}}, %{{.*}} : tensor<4xi32>, tensor<4xi32> -> tensor<4xi32>
  %22 = chlo.mulhi %i, %i : tensor<4xi32>, tensor<4xi32> -> tensor<4xi32>
  return
}

// CHECK-LABEL: @broadcast
func.func @broadcast(%x: tensor<4x1xf32>, %y: tensor<3xf32>, %i: tensor<?x3xi32>, %j: tensor<?xi32>, %p: tensor<3xi1>) {
  // CHECK: chlo.broadcast_add %{{.*}}, %{{.*}} : (tensor<4x1xf32>, tensor<3xf32>) -> tensor<4x3xf32>
  %0 = chlo.broadcast_add %x, %y : (tensor<4x1xf32>, tensor<3xf32>) -> tensor<4x3xf32>
  // CHECK: chlo.broadcast_atan2 %{{.*}}, %{{.*}} : (tensor<4x1xf32>, tensor<3xf32>) -> tensor<4x3xf32>
  %1 = chlo.broadcast_atan2 %x, %y : (tensor<4x1xf32>, tensor<3xf32>) -> tensor<4x3xf32>
  // CHECK: chlo.broadcast_divide %{{.*}}, %{{.*}} : (tensor<4x1xf32>, tensor<3xf32>) -> tensor<4x3xf32>
  %2 = chlo.broadcast_divide %x, %y : (tensor<4x1xf32>, tensor<3xf32>) -> tensor<4x3xf32>
  // CHECK: chlo.broadcast_maximum %{{.*}}, %{{.*}} : (tensor<4x1xf32>, tensor<3xf32>) -> tensor<4x3xf32>
  %3 = chlo.broadcast_maximum %x, %y : (tensor<4x1xf32>, tensor<3xf32>) -> tensor<4x3xf32>
  // CHECK: chlo.broadcast_minimum %{{.*}}, %{{.*}} : (tensor<4x1xf32>, tensor<3xf32>) -> tensor<4x3xf32>
  %4 = chlo.broadcast_minimum %x, %y : (tensor<4x1xf32>, tensor<3xf32>) -> tensor<4x3xf32>
  // CHECK: chlo.broadcast_multiply %{{.*}}, %{{.*}} : (tensor<4x1xf32>, tensor<3xf32>) -> tensor<4x3xf32>
  %5 = chlo.broadcast_multiply %x, %y : (tensor<4x1xf32>, tensor<3xf32>) -> tensor<4x3xf32>
  // CHECK: chlo.broadcast_next_after %{{.*}}, %{{.*}} : (tensor<4x1xf32>, tensor<3xf32>) -> tensor<4x3xf32>
  %6 = chlo.broadcast_next_after %x, %y : (tensor<4x1xf32>, tensor<3xf32>) -> tensor<4x3xf32>
  // CHECK: chlo.broadcast_polygamma %{{.*}}, %{{.*}} : (tensor<4x1xf32>, tensor<3xf32>) -> tensor<4x3xf32>
  %7 = chlo.broadcast_polygamma %x, %y : (tensor<4x1xf32>, tensor<3xf32>) -> tensor<4x3xf32>
  // CHECK: chlo.broadcast_power %{{.*}}, %{{.*}} : (tensor<4x1xf32>, tensor<3xf32>) -> tensor<4x3xf32>
  %8 = chlo.broadcast_power %x, %y : (tensor<4x1xf32>, tensor<3xf32>) -> tensor<4x3xf32>
  // CHECK: chlo.broadcast_remainder %{{.*}}, %{{.*}} : (tensor<4x1xf32>, tensor<3xf32>) -> tensor<4x3xf32>
  %9 = chlo.broadcast_remainder %x, %y : (tensor<4x1xf32>, tensor<3xf32>) -> tensor<4x3xf32>
  // CHECK: chlo.broadcast_subtract %{{.*}}, %{{.*}} : (tensor<4x1xf32>, tensor<3xf32>) -> tensor<4x3xf32>
  %10 = chlo.broadcast_subtract %x, %y : (tensor<4x1xf32>, tensor<3xf32>) -> tensor<4x3xf32>
  // CHECK: chlo.broadcast_zeta %{{.*}}, %{{.*}} : (tensor<4x1xf32>, tensor<3xf32>) -> tensor<4x3xf32>
  %11 = chlo.broadcast_zeta %x, %y : (tensor<4x1xf32>, tensor<3xf32>) -> tensor<4x3xf32>
  // CHECK: chlo.broadcast_and %{{.*}}, %{{.*}} {broadcast_dimensions = array<i64: 0>} : (tensor<?x3xi32>, tensor<?xi32>) -> tensor<?x3xi32>
  %12 = chlo.broadcast_and %i, %j {broadcast_dimensions = array<i64: 0>} : (tensor<?x3xi32>, tensor<?xi32>) -> tensor<?x3xi32>
  // CHECK: chlo.broadcast_or %{{.*}}, %{{.*}} {broadcast_dimensions = array<i64: 0>} : (tensor<?x3xi32>, tensor<?xi32>) -> tensor<?x3xi32>
  %13 = chlo.broadcast_or %i, %j {broadcast_dimensions = array<i64: 0>} : (tensor<?x3xi32>, tensor<?xi32>) -> tensor<?x3xi32>
  // CHECK: chlo.broadcast_xor %{{.*}}, %{{.*}} {broadcast_dimensions = array<i64: 0>} : (tensor<?x3xi32>, tensor<?xi32>) -> tensor<?x3xi32>
  %14 = chlo.broadcast_xor %i, %j {broadcast_dimensions = array<i64: 0>} : (tensor<?x3xi32>, tensor<?xi32>) -> tensor<?x3xi32>
  // CHECK: chlo.broadcast_shift_left %{{.*}}, %{{.*}} {broadcast_dimensions = array<i64: 0>} : (tensor<?x3xi32>, tensor<?xi32>) -> tensor<?x3xi32>
  %15 = chlo.broadcast_shift_left %i, %j {broadcast_dimensions = array<i64: 0>} : (tensor<?x3xi32>, tensor<?xi32>) -> tensor<?x3xi32>
  // CHECK: chlo.broadcast_shift_right_arithmetic %{{.*}}, %{{.*}} {broadcast_dimensions = array<i64: 0>} : (tensor<?x3xi32>, tensor<?xi32>) -> tensor<?x3xi32>
  %16 = chlo.broadcast_shift_right_arithmetic %i, %j {broadcast_dimensions = array<i64: 0>} : (tensor<?x3xi32>, tensor<?xi32>) -> tensor<?x3xi32>
  // CHECK: chlo.broadcast_shift_right_logical %{{.*}}, %{{.*}} {broadcast_dimensions = array<i64: 0>} : (tensor<?x3xi32>, tensor<?xi32>) -> tensor<?x3xi32>
  %17 = chlo.broadcast_shift_right_logical %i, %j {broadcast_dimensions = array<i64: 0>} : (tensor<?x3xi32>, tensor<?xi32>) -> tensor<?x3xi32>
  // CHECK: chlo.broadcast_compare %{{.*}}, %{{.*}} {compare_type = #chlo<comparison_type FLOAT>, comparison_direction = #chlo<comparison_direction LT>} : (tensor<4x1xf32>, tensor<3xf32>) -> tensor<4x3xi1>
  %18 = chlo.broadcast_compare %x, %y {compare_type = #chlo<comparison_type FLOAT>, comparison_direction = #chlo<comparison_direction LT>} : (tensor<4x1xf32>, tensor<3xf32>) -> tensor<4x3xi1>
  // CHECK: chlo.broadcast_select %{{.*}}, %{{.*}}, %{{.*}} : (tensor<3xi1>, tensor<4x1xf32>, tensor<3xf32>) -> tensor<4x3xf32>
  %19 = chlo.broadcast_select %p, %x, %y : (tensor<3xi1>, tensor<4x1xf32>, tensor<3xf32>) -> tensor<4x3xf32>
  return
}

// CHECK-LABEL: @others
func.func @others(%x: tensor<2x8xf32>, %d: tensor<?x4xbf16>) {
  // CHECK: chlo.top_k(%{{.*}}, k = 3) : tensor<2x8xf32> -> (tensor<2x3xf32>, tensor<2x3xi32>)
  %0:2 = chlo.top_k(%x, k = 3) : tensor<2x8xf32> -> (tensor<2x3xf32>, tensor<2x3xi32>)
  // CHECK: chlo.top_k(%{{.*}}, k = 8, is_stable = false) : tensor<2x8xf32> -> (tensor<2x8xf32>, tensor<2x8xi32>)
  %1:2 = chlo.top_k(%x, k = 8, is_stable = false) : tensor<2x8xf32> -> (tensor<2x8xf32>, tensor<2x8xi32>)
  // CHECK: chlo.constant dense<[1, 2]> : tensor<2xi32>
  %2 = chlo.constant dense<[1, 2]> : tensor<2xi32>
  // CHECK: "chlo.constant_like"(%{{.*}}) <{value = 0.000000e+00 : f32}> : (tensor<?x4xbf16>) -> tensor<?x4xf32>
  %3 = "chlo.constant_like"(%d) {value = 0.0 : f32} : (tensor<?x4xbf16>) -> tensor<?x4xf32>
  return
}

// CHECK-LABEL: @checks
func.func @checks(%x: tensor<2xf32>, %i: tensor<2xi32>) {
  // CHECK: check.expect_eq %{{.*}}, %{{.*}} : tensor<2xi32>
  check.expect_eq %i, %i : tensor<2xi32>
  // CHECK: check.expect_eq_const %{{.*}}, dense<[1, 2]> : tensor<2xi32>
  check.expect_eq_const %i, dense<[1, 2]> : tensor<2xi32>
  // CHECK: check.expect_almost_eq %{{.*}}, %{{.*}}, tolerance = 1.000000e-01 : tensor<2xf32>
  check.expect_almost_eq %x, %x, tolerance = 0.1 : tensor<2xf32>
  // CHECK: check.expect_almost_eq_const %{{.*}}, dense<1.000000e+00> : tensor<2xf32>
  check.expect_almost_eq_const %x, dense<1.0> : tensor<2xf32>
  // CHECK: check.expect_close %{{.*}}, %{{.*}}, max_ulp_difference = 3 : tensor<2xf32>, tensor<2xf32>
  check.expect_close %x, %x, max_ulp_difference = 3 : tensor<2xf32>, tensor<2xf32>
  // CHECK: max_ulp_difference = 3, min_ulp_difference = 1 :
  check.expect_close %x, %x, max_ulp_difference = 3, min_ulp_difference = 1 : tensor<2xf32>, tensor<2xf32>
  return
}

// CHECK-LABEL: @ragged_dot
func.func @ragged_dot(%x: tensor<6x4xf32>, %w: tensor<3x4x5xf32>, %s: tensor<3xi32>) {
  // CHECK: "chlo.ragged_dot"(%{{.*}}, %{{.*}}, %{{.*}}) <{precision_config = [#chlo<precision DEFAULT>, #chlo<precision HIGHEST>], ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1], lhs_ragged_dimensions = [0], rhs_group_dimensions = [0]>}> : (tensor<6x4xf32>, tensor<3x4x5xf32>, tensor<3xi32>) -> tensor<6x5xf32>
  %0 = "chlo.ragged_dot"(%x, %w, %s) <{precision_config = [#chlo<precision DEFAULT>, #chlo<precision HIGHEST>], ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_ragged_dimensions = [0], rhs_group_dimensions = [0], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]>}> : (tensor<6x4xf32>, tensor<3x4x5xf32>, tensor<3xi32>) -> tensor<6x5xf32>
  return
}
