// Products of integers with float results are those of the converted integers.
// RUN: forge run %s | FileCheck %s
// RUN: forge run %s --target sim:sm_90a | FileCheck %s
// RUN: forge run %s --target sim:gfx942 | FileCheck %s
// RUN: forge verify %s --function product | FileCheck %s --check-prefix=VERIFY
// CHECK: 3 checks hold
// VERIFY: whole: result 0 agrees
func.func @main() {
  %a = stablehlo.constant dense<[[100, 120, -128], [127, -3, 9]]> : tensor<2x3xi8>
  %b = stablehlo.constant dense<[127, 127, -128]> : tensor<3xi8>
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<2x3xi8>, tensor<3xi8>) -> tensor<2xf32>
  check.expect_almost_eq_const %0, dense<[44324.0, 14596.0]> : tensor<2xf32>
  %c = stablehlo.constant dense<[40000, 65535, 1]> : tensor<3xui16>
  %1 = stablehlo.dot %c, %c : (tensor<3xui16>, tensor<3xui16>) -> tensor<f64>
  check.expect_almost_eq_const %1, dense<5894836226.0> : tensor<f64>
  %d = stablehlo.constant dense<[2000, -300, 7]> : tensor<3xi16>
  %2 = stablehlo.dot_general %d, %d, contracting_dims = [0] x [0] : (tensor<3xi16>, tensor<3xi16>) -> tensor<bf16>
  check.expect_almost_eq_const %2, dense<4.090049e+06> : tensor<bf16>
  return
}
func.func @product(%a: tensor<33x40xi8>, %b: tensor<40x17xui8>) -> tensor<33x17xf32> {
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<33x40xi8>, tensor<40x17xui8>) -> tensor<33x17xf32>
  return %0 : tensor<33x17xf32>
}
