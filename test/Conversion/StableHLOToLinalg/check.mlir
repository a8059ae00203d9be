// RUN: forge-opt %s --convert-stablehlo-to-linalg --canonicalize | FileCheck %s

// CHECK-LABEL: func.func @checks
// CHECK: call @forge_rt_expect_eq_ui8(%{{.*}}, %{{.*}}) : (tensor<*xi8>, tensor<*xi8>) -> ()
// CHECK: call @forge_rt_expect_close_f32(%{{.*}}, %{{.*}}, %c0_i64, %c3_i64)
// CHECK: call @forge_rt_expect_almost_eq_f32
// CHECK: func.func private @forge_rt_expect_eq_ui8(tensor<*xi8> {bufferization.access = "read"}, tensor<*xi8> {bufferization.access = "read"})
func.func @checks(%a: tensor<4xui8>, %b: tensor<4xui8>, %x: tensor<4xf32>, %y: tensor<4xf32>) {
  check.expect_eq %a, %b : tensor<4xui8>
  stablehlo.custom_call @check.expect_close(%x, %y) {has_side_effect = true} : (tensor<4xf32>, tensor<4xf32>) -> ()
  stablehlo.custom_call @check.expect_almost_eq(%x, %y) {has_side_effect = true} : (tensor<4xf32>, tensor<4xf32>) -> ()
  return
}
