// RUN: forge-opt %s | forge-opt | FileCheck %s
// RUN: forge-opt %s --mlir-print-op-generic | forge-opt | FileCheck %s

// Every elementwise op, on types of every kind.

// CHECK-LABEL: @unary_float
func.func @unary_float(%x: tensor<4xf32>) {
  // CHECK: stablehlo.cbrt %arg0 : tensor<4xf32>
  %0 = stablehlo.cbrt %x : tensor<4xf32>
  // CHECK: stablehlo.ceil %arg0 : tensor<4xf32>
  %1 = stablehlo.ceil %x : tensor<4xf32>
  // CHECK: stablehlo.cosine %arg0 : tensor<4xf32>
  %2 = stablehlo.cosine %x : tensor<4xf32>
  // CHECK: stablehlo.exponential %arg0 : tensor<4xf32>
  %3 = stablehlo.exponential %x : tensor<4xf32>
  // CHECK: stablehlo.exponential_minus_one %arg0 : tensor<4xf32>
  %4 = stablehlo.exponential_minus_one %x : tensor<4xf32>
  // CHECK: stablehlo.floor %arg0 : tensor<4xf32>
  %5 = stablehlo.floor %x : tensor<4xf32>
  // CHECK: stablehlo.log %arg0 : tensor<4xf32>
  %6 = stablehlo.log %x : tensor<4xf32>
  // CHECK: stablehlo.log_plus_one %arg0 : tensor<4xf32>
  %7 = stablehlo.log_plus_one %x : tensor<4xf32>
  // CHECK: stablehlo.logistic %arg0 : tensor<4xf32>
  %8 = stablehlo.logistic %x : tensor<4xf32>
  // CHECK: stablehlo.negate %arg0 : tensor<4xf32>
  %9 = stablehlo.negate %x : tensor<4xf32>
  // CHECK: stablehlo.round_nearest_afz %arg0 : tensor<4xf32>
  %10 = stablehlo.round_nearest_afz %x : tensor<4xf32>
  // CHECK: stablehlo.round_nearest_even %arg0 : tensor<4xf32>
  %11 = stablehlo.round_nearest_even %x : tensor<4xf32>
  // CHECK: stablehlo.rsqrt %arg0 : tensor<4xf32>
  %12 = stablehlo.rsqrt %x : tensor<4xf32>
  // CHECK: stablehlo.sign %arg0 : tensor<4xf32>
  %13 = stablehlo.sign %x : tensor<4xf32>
  // CHECK: stablehlo.sine %arg0 : tensor<4xf32>
  %14 = stablehlo.sine %x : tensor<4xf32>
  // CHECK: stablehlo.sqrt %arg0 : tensor<4xf32>
  %15 = stablehlo.sqrt %x : tensor<4xf32>
  // CHECK: stablehlo.tan %arg0 : tensor<4xf32>
  %16 = stablehlo.tan %x : tensor<4xf32>
  // CHECK: stablehlo.tanh %arg0 : tensor<4xf32>
  %17 = stablehlo.tanh %x : tensor<4xf32>
  // CHECK: stablehlo.abs %arg0 : tensor<4xf32>
  %18 = stablehlo.abs %x : tensor<4xf32>
  return
}

// CHECK-LABEL: @unary_integer
func.func @unary_integer(%x: tensor<?x3xui8>) {
  // CHECK: stablehlo.count_leading_zeros %arg0 : tensor<?x3xui8>
  %0 = stablehlo.count_leading_zeros %x : tensor<?x3xui8>
  // CHECK: stablehlo.popcnt %arg0 : tensor<?x3xui8>
  %1 = stablehlo.popcnt %x : tensor<?x3xui8>
  // CHECK: stablehlo.not %arg0 : tensor<?x3xui8>
  %2 = stablehlo.not %x : tensor<?x3xui8>
  // CHECK: stablehlo.negate %arg0 : tensor<?x3xui8>
  %3 = stablehlo.negate %x : tensor<?x3xui8>
  return
}

// CHECK-LABEL: @binary_float
func.func @binary_float(%x: tensor<4xf32>, %y: tensor<4xf32>) {
  // CHECK: stablehlo.add %arg0, %arg1 : tensor<4xf32>
  %0 = stablehlo.add %x, %y : tensor<4xf32>
  // CHECK: stablehlo.atan2 %arg0, %arg1 : tensor<4xf32>
  %1 = stablehlo.atan2 %x, %y : tensor<4xf32>
  // CHECK: stablehlo.divide %arg0, %arg1 : tensor<4xf32>
  %2 = stablehlo.divide %x, %y : tensor<4xf32>
  // CHECK: stablehlo.maximum %arg0, %arg1 : tensor<4xf32>
  %3 = stablehlo.maximum %x, %y : tensor<4xf32>
  // CHECK: stablehlo.minimum %arg0, %arg1 : tensor<4xf32>
  %4 = stablehlo.minimum %x, %y : tensor<4xf32>
  // CHECK: stablehlo.multiply %arg0, %arg1 : tensor<4xf32>
  %5 = stablehlo.multiply %x, %y : tensor<4xf32>
  // CHECK: stablehlo.power %arg0, %arg1 : tensor<4xf32>
  %6 = stablehlo.power %x, %y : tensor<4xf32>
  // CHECK: stablehlo.remainder %arg0, %arg1 : tensor<4xf32>
  %7 = stablehlo.remainder %x, %y : tensor<4xf32>
  // CHECK: stablehlo.subtract %arg0, %arg1 : tensor<4xf32>
  %8 = stablehlo.subtract %x, %y : tensor<4xf32>
  return
}

// CHECK-LABEL: @binary_integer
func.func @binary_integer(%x: tensor<i32>, %y: tensor<i32>) {
  // CHECK: stablehlo.and %arg0, %arg1 : tensor<i32>
  %0 = stablehlo.and %x, %y : tensor<i32>
  // CHECK: stablehlo.or %arg0, %arg1 : tensor<i32>
  %1 = stablehlo.or %x, %y : tensor<i32>
  // CHECK: stablehlo.xor %arg0, %arg1 : tensor<i32>
  %2 = stablehlo.xor %x, %y : tensor<i32>
  // CHECK: stablehlo.shift_left %arg0, %arg1 : tensor<i32>
  %3 = stablehlo.shift_left %x, %y : tensor<i32>
  // CHECK: stablehlo.shift_right_arithmetic %arg0, %arg1 : tensor<i32>
  %4 = stablehlo.shift_right_arithmetic %x, %y : tensor<i32>
  // CHECK: stablehlo.shift_right_logical %arg0, %arg1 : tensor<i32>
  %5 = stablehlo.shift_right_logical %x, %y : tensor<i32>
  // CHECK: stablehlo.add %arg0, %arg1 : tensor<i32>
  %6 = stablehlo.add %x, %y : tensor<i32>
  // CHECK: stablehlo.divide %arg0, %arg1 : tensor<i32>
  %7 = stablehlo.divide %x, %y : tensor<i32>
  // CHECK: stablehlo.maximum %arg0, %arg1 : tensor<i32>
  %8 = stablehlo.maximum %x, %y : tensor<i32>
  // CHECK: stablehlo.minimum %arg0, %arg1 : tensor<i32>
  %9 = stablehlo.minimum %x, %y : tensor<i32>
  // CHECK: stablehlo.multiply %arg0, %arg1 : tensor<i32>
  %10 = stablehlo.multiply %x, %y : tensor<i32>
  // CHECK: stablehlo.power %arg0, %arg1 : tensor<i32>
  %11 = stablehlo.power %x, %y : tensor<i32>
  // CHECK: stablehlo.remainder %arg0, %arg1 : tensor<i32>
  %12 = stablehlo.remainder %x, %y : tensor<i32>
  // CHECK: stablehlo.subtract %arg0, %arg1 : tensor<i32>
  %13 = stablehlo.subtract %x, %y : tensor<i32>
  return
}

// CHECK-LABEL: @binary_boolean
func.func @binary_boolean(%x: tensor<2xi1>, %y: tensor<2xi1>) {
  // CHECK: stablehlo.add %arg0, %arg1 : tensor<2xi1>
  %0 = stablehlo.add %x, %y : tensor<2xi1>
  // CHECK: stablehlo.maximum %arg0, %arg1 : tensor<2xi1>
  %1 = stablehlo.maximum %x, %y : tensor<2xi1>
  // CHECK: stablehlo.minimum %arg0, %arg1 : tensor<2xi1>
  %2 = stablehlo.minimum %x, %y : tensor<2xi1>
  // CHECK: stablehlo.multiply %arg0, %arg1 : tensor<2xi1>
  %3 = stablehlo.multiply %x, %y : tensor<2xi1>
  // CHECK: stablehlo.and %arg0, %arg1 : tensor<2xi1>
  %4 = stablehlo.and %x, %y : tensor<2xi1>
  // CHECK: stablehlo.or %arg0, %arg1 : tensor<2xi1>
  %5 = stablehlo.or %x, %y : tensor<2xi1>
  // CHECK: stablehlo.xor %arg0, %arg1 : tensor<2xi1>
  %6 = stablehlo.xor %x, %y : tensor<2xi1>
  return
}

// CHECK-LABEL: @convert(
func.func @convert(%x: tensor<2xf32>) {
  // CHECK: stablehlo.convert %arg0 : (tensor<2xf32>) -> tensor<2xf64>
  %0 = stablehlo.convert %x : (tensor<2xf32>) -> tensor<2xf64>
  // CHECK: stablehlo.convert %arg0 : tensor<2xf32>
  %1 = stablehlo.convert %x : tensor<2xf32>
  // CHECK: stablehlo.convert %arg0 : (tensor<2xf32>) -> tensor<2xf16>
  %2 = stablehlo.convert %x : (tensor<2xf32>) -> tensor<2xf16>
  // CHECK: stablehlo.convert %arg0 : (tensor<2xf32>) -> tensor<2xbf16>
  %3 = stablehlo.convert %x : (tensor<2xf32>) -> tensor<2xbf16>
  // CHECK: stablehlo.convert %arg0 : (tensor<2xf32>) -> tensor<2xf8E4M3FN>
  %4 = stablehlo.convert %x : (tensor<2xf32>) -> tensor<2xf8E4M3FN>
  // CHECK: stablehlo.convert %arg0 : (tensor<2xf32>) -> tensor<2xf8E5M2>
  %5 = stablehlo.convert %x : (tensor<2xf32>) -> tensor<2xf8E5M2>
  // CHECK: stablehlo.convert %arg0 : (tensor<2xf32>) -> tensor<2xi1>
  %6 = stablehlo.convert %x : (tensor<2xf32>) -> tensor<2xi1>
  // CHECK: stablehlo.convert %arg0 : (tensor<2xf32>) -> tensor<2xi4>
  %7 = stablehlo.convert %x : (tensor<2xf32>) -> tensor<2xi4>
  // CHECK: stablehlo.convert %arg0 : (tensor<2xf32>) -> tensor<2xui4>
  %8 = stablehlo.convert %x : (tensor<2xf32>) -> tensor<2xui4>
  // CHECK: stablehlo.convert %arg0 : (tensor<2xf32>) -> tensor<2xi8>
  %9 = stablehlo.convert %x : (tensor<2xf32>) -> tensor<2xi8>
  // CHECK: stablehlo.convert %arg0 : (tensor<2xf32>) -> tensor<2xui8>
  %10 = stablehlo.convert %x : (tensor<2xf32>) -> tensor<2xui8>
  // CHECK: stablehlo.convert %arg0 : (tensor<2xf32>) -> tensor<2xi16>
  %11 = stablehlo.convert %x : (tensor<2xf32>) -> tensor<2xi16>
  // CHECK: stablehlo.convert %arg0 : (tensor<2xf32>) -> tensor<2xui16>
  %12 = stablehlo.convert %x : (tensor<2xf32>) -> tensor<2xui16>
  // CHECK: stablehlo.convert %arg0 : (tensor<2xf32>) -> tensor<2xi32>
  %13 = stablehlo.convert %x : (tensor<2xf32>) -> tensor<2xi32>
  // CHECK: stablehlo.convert %arg0 : (tensor<2xf32>) -> tensor<2xui32>
  %14 = stablehlo.convert %x : (tensor<2xf32>) -> tensor<2xui32>
  // CHECK: stablehlo.convert %arg0 : (tensor<2xf32>) -> tensor<2xi64>
  %15 = stablehlo.convert %x : (tensor<2xf32>) -> tensor<2xi64>
  // CHECK: stablehlo.convert %arg0 : (tensor<2xf32>) -> tensor<2xui64>
  %16 = stablehlo.convert %x : (tensor<2xf32>) -> tensor<2xui64>
  return
}

// CHECK-LABEL: @dynamic_and_static
func.func @dynamic_and_static(%x: tensor<?xf32>, %y: tensor<4xf32>) {
  // CHECK: stablehlo.add %arg0, %arg1 : (tensor<?xf32>, tensor<4xf32>) -> tensor<4xf32>
  %0 = stablehlo.add %x, %y : (tensor<?xf32>, tensor<4xf32>) -> tensor<4xf32>
  // CHECK: stablehlo.abs %arg0 : (tensor<?xf32>) -> tensor<4xf32>
  %1 = stablehlo.abs %x : (tensor<?xf32>) -> tensor<4xf32>
  // CHECK: stablehlo.add %arg0, %arg0 : tensor<?xf32>
  %2 = stablehlo.add %x, %x : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
  return
}

// CHECK-LABEL: @result_accuracy
func.func @result_accuracy(%x: tensor<4xf32>) {
  // CHECK: stablehlo.exponential %arg0 {result_accuracy = #stablehlo.result_accuracy<mode = #stablehlo.result_accuracy_mode<HIGHEST>>} : tensor<4xf32>
  %0 = stablehlo.exponential %x {result_accuracy = #stablehlo.result_accuracy<mode = #stablehlo.result_accuracy_mode<HIGHEST>>} : tensor<4xf32>
  // CHECK: stablehlo.tanh %arg0 {result_accuracy = #stablehlo.result_accuracy<atol = 1.000000e-05, rtol = 1.000000e-03, ulps = 2, mode = #stablehlo.result_accuracy_mode<TOLERANCE>>} : tensor<4xf32>
  %1 = stablehlo.tanh %x {result_accuracy = #stablehlo.result_accuracy<atol = 1.000000e-05, rtol = 1.000000e-03, ulps = 2, mode = #stablehlo.result_accuracy_mode<TOLERANCE>>} : tensor<4xf32>
  // CHECK: stablehlo.tan %arg0 {mhlo.note = "kept", result_accuracy = #stablehlo.result_accuracy<mode = #stablehlo.result_accuracy_mode<DEFAULT>>} : tensor<4xf32>
  %2 = stablehlo.tan %x {mhlo.note = "kept", result_accuracy = #stablehlo.result_accuracy<mode = #stablehlo.result_accuracy_mode<DEFAULT>>} : tensor<4xf32>
  return
}

// CHECK-LABEL: @compare(
func.func @compare(%x: tensor<4xf32>, %y: tensor<4xf32>) {
  // CHECK: stablehlo.compare EQ, %arg0, %arg1 : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
  %0 = stablehlo.compare EQ, %x, %y : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
  // CHECK: stablehlo.compare NE, %arg0, %arg1 : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
  %1 = stablehlo.compare NE, %x, %y : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
  // CHECK: stablehlo.compare GE, %arg0, %arg1 : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
  %2 = stablehlo.compare GE, %x, %y : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
  // CHECK: stablehlo.compare GT, %arg0, %arg1 : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
  %3 = stablehlo.compare GT, %x, %y : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
  // CHECK: stablehlo.compare LE, %arg0, %arg1 : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
  %4 = stablehlo.compare LE, %x, %y : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
  // CHECK: stablehlo.compare LT, %arg0, %arg1 : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
  %5 = stablehlo.compare LT, %x, %y : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
  // CHECK: stablehlo.compare LT, %arg0, %arg1, FLOAT : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
  %6 = stablehlo.compare LT, %x, %y, FLOAT : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
  // CHECK: stablehlo.compare LT, %arg0, %arg1, TOTALORDER : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
  %7 = stablehlo.compare LT, %x, %y, TOTALORDER : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
  // CHECK: stablehlo.compare LT, %arg0, %arg1, NOTYPE : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
  %8 = "stablehlo.compare"(%x, %y) {compare_type = #stablehlo<comparison_type NOTYPE>, comparison_direction = #stablehlo<comparison_direction LT>} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
  // CHECK: stablehlo.is_finite %arg0 : (tensor<4xf32>) -> tensor<4xi1>
  %9 = stablehlo.is_finite %x : (tensor<4xf32>) -> tensor<4xi1>
  return
}

// CHECK-LABEL: @compare_integers
func.func @compare_integers(%x: tensor<i32>, %y: tensor<ui32>, %p: tensor<i1>) {
  // CHECK: stablehlo.compare LT, %arg0, %arg0, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
  %0 = stablehlo.compare LT, %x, %x, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
  // CHECK: stablehlo.compare LT, %arg1, %arg1, UNSIGNED : (tensor<ui32>, tensor<ui32>) -> tensor<i1>
  %1 = stablehlo.compare LT, %y, %y, UNSIGNED : (tensor<ui32>, tensor<ui32>) -> tensor<i1>
  // CHECK: stablehlo.compare EQ, %arg2, %arg2, UNSIGNED : (tensor<i1>, tensor<i1>) -> tensor<i1>
  %2 = stablehlo.compare EQ, %p, %p, UNSIGNED : (tensor<i1>, tensor<i1>) -> tensor<i1>
  return
}

// CHECK-LABEL: @select_and_clamp
func.func @select_and_clamp(%x: tensor<4xf32>, %y: tensor<4xf32>, %p: tensor<i1>, %m: tensor<f32>, %d: tensor<?xf32>) {
  // CHECK: stablehlo.select %arg2, %arg0, %arg1 : tensor<i1>, tensor<4xf32>
  %0 = stablehlo.select %p, %x, %y : tensor<i1>, tensor<4xf32>
  %q = stablehlo.compare LT, %x, %y : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
  // CHECK: stablehlo.select %{{.*}}, %arg0, %arg1 : tensor<4xi1>, tensor<4xf32>
  %1 = stablehlo.select %q, %x, %y : (tensor<4xi1>, tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  // CHECK: stablehlo.clamp %arg0, %arg1, %arg0 : tensor<4xf32>
  %2 = stablehlo.clamp %x, %y, %x : tensor<4xf32>
  // CHECK: stablehlo.clamp %arg3, %arg1, %arg3 : (tensor<f32>, tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %3 = stablehlo.clamp %m, %y, %m : (tensor<f32>, tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  // CHECK: stablehlo.select %arg2, %arg4, %arg0 : (tensor<i1>, tensor<?xf32>, tensor<4xf32>) -> tensor<4xf32>
  %4 = stablehlo.select %p, %d, %x : (tensor<i1>, tensor<?xf32>, tensor<4xf32>) -> tensor<4xf32>
  return
}

// CHECK-LABEL: @bits
func.func @bits(%x: tensor<2xf64>, %y: tensor<?x2xf32>) {
  // CHECK: stablehlo.bitcast_convert %arg0 : (tensor<2xf64>) -> tensor<2xi64>
  %0 = stablehlo.bitcast_convert %x : (tensor<2xf64>) -> tensor<2xi64>
  // CHECK: stablehlo.bitcast_convert %arg0 : (tensor<2xf64>) -> tensor<2x4xui16>
  %1 = stablehlo.bitcast_convert %x : (tensor<2xf64>) -> tensor<2x4xui16>
  // CHECK: stablehlo.bitcast_convert %arg1 : (tensor<?x2xf32>) -> tensor<?xf64>
  %2 = stablehlo.bitcast_convert %y : (tensor<?x2xf32>) -> tensor<?xf64>
  // CHECK: stablehlo.reduce_precision %arg0, format = e5m10 : tensor<2xf64>
  %3 = stablehlo.reduce_precision %x, format = e5m10 : tensor<2xf64>
  return
}
