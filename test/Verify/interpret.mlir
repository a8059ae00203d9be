// RUN: split-file %s %t
// RUN: forge-interpret %t/holds.mlir | FileCheck %s --check-prefix=HOLDS
// RUN: forge-interpret --every-function %t/holds.mlir | FileCheck %s --check-prefix=EVERY
// RUN: not forge-interpret %t/fails.mlir 2>&1 | FileCheck %s --check-prefix=FAILS
// RUN: not forge-interpret %t/unsupported.mlir 2>&1 | FileCheck %s --check-prefix=TARGET
// RUN: not forge-interpret %t/assertion.mlir 2>&1 | FileCheck %s --check-prefix=ASSERTION
// RUN: not forge-interpret %t/holds.mlir --function absent 2>&1 | FileCheck %s --check-prefix=ABSENT
// EVERY: @main: 2 checks hold
// ABSENT: module has no function 'absent'

// HOLDS: @main: 2 checks hold
//--- holds.mlir
func.func @main() {
  %a = stablehlo.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %b = stablehlo.add %a, %a : tensor<2xf32>
  check.expect_eq_const %b, dense<[2.0, 4.0]> : tensor<2xf32>
  stablehlo.custom_call @check.expect_close(%b, %b) {has_side_effect = true} : (tensor<2xf32>, tensor<2xf32>) -> ()
  return
}

// FAILS: fails.mlir:4:3: error: check.expect_eq_const does not hold: 1 of 2 elements differ, first at [1]: expected 5, but got 4
//--- fails.mlir
func.func @main() {
  %a = stablehlo.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %b = stablehlo.add %a, %a : tensor<2xf32>
  check.expect_eq_const %b, dense<[2.0, 5.0]> : tensor<2xf32>
  return
}

// TARGET: unsupported.mlir:2:8: error: unsupported custom_call target 'mystery'
//--- unsupported.mlir
func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
  %y = stablehlo.custom_call @mystery(%x) : (tensor<2xf32>) -> tensor<2xf32>
  return %y : tensor<2xf32>
}

// ASSERTION: error: expected b >= 8, got 5
//--- assertion.mlir
func.func @main(%x: tensor<?xf32>) -> tensor<?xf32> {
  %c = stablehlo.constant dense<8> : tensor<i32>
  %n = stablehlo.get_dimension_size %x, dim = 0 : (tensor<?xf32>) -> tensor<i32>
  %ok = stablehlo.compare GE, %n, %c : (tensor<i32>, tensor<i32>) -> tensor<i1>
  stablehlo.custom_call @shape_assertion(%ok, %n) {error_message = "expected b >= 8, got {0}", has_side_effect = true} : (tensor<i1>, tensor<i32>) -> ()
  return %x : tensor<?xf32>
}
