// RUN: forge-opt %s --convert-stablehlo-to-linalg --canonicalize --split-input-file | FileCheck %s

// Sizes that come from the same argument are known to be equal: no check, no branch.
// CHECK-LABEL: func.func @softmax_like
// CHECK-SAME: %[[X:.*]]: tensor<?x33xf32>
// CHECK-NOT: call
// CHECK: linalg.generic
// CHECK: return
func.func @softmax_like(%x: tensor<?x33xf32>) -> tensor<?x33xf32> {
  %c33 = stablehlo.constant dense<33> : tensor<1xi32>
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %n = stablehlo.get_dimension_size %x, dim = 0 : (tensor<?x33xf32>) -> tensor<i32>
  %n1 = stablehlo.reshape %n : (tensor<i32>) -> tensor<1xi32>
  %shape = stablehlo.concatenate %n1, %c33, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
  %e = stablehlo.exponential %x : tensor<?x33xf32>
  %s = stablehlo.reduce(%e init: %z) applies stablehlo.add across dimensions = [1] : (tensor<?x33xf32>, tensor<f32>) -> tensor<?xf32>
  %b = stablehlo.dynamic_broadcast_in_dim %s, %shape, dims = [0] : (tensor<?xf32>, tensor<2xi32>) -> tensor<?x33xf32>
  %r = stablehlo.divide %e, %b : tensor<?x33xf32>
  return %r : tensor<?x33xf32>
}

// -----

// Sizes of two arguments may differ: that is checked at run time.
// CHECK-LABEL: func.func @mismatch
// CHECK: %[[SAME:.*]] = arith.cmpi eq
// CHECK: call @forge_assert_0(%[[SAME]], %{{.*}}, %{{.*}}) : (i1, index, index) -> ()
// CHECK: func.func private @forge_assert_0(i1, index, index) attributes {forge.assert_message = "expected operands of one shape, but got sizes {0} and {1} along dimension 0"}
func.func @mismatch(%a: tensor<?xf32>, %b: tensor<?xf32>) -> tensor<?xf32> {
  %0 = stablehlo.add %a, %b : tensor<?xf32>
  return %0 : tensor<?xf32>
}

// -----

// CHECK-LABEL: func.func @shape_assertion
// CHECK: call @forge_assert_0(%{{.*}}, %{{.*}}) : (i1, i32) -> ()
// CHECK: forge.assert_message = "b is {0}"
func.func @shape_assertion(%p: tensor<i1>, %b: tensor<i32>) {
  stablehlo.custom_call @shape_assertion(%p, %b) {api_version = 2 : i32, error_message = "b is {0}", has_side_effect = true} : (tensor<i1>, tensor<i32>) -> ()
  return
}

// -----

// CHECK-LABEL: func.func @reshape
// CHECK: call @forge_assert
// CHECK: tensor.reshape
func.func @reshape(%a: tensor<?xf32>, %s: tensor<2xi32>) -> tensor<?x?xf32> {
  %0 = stablehlo.dynamic_reshape %a, %s : (tensor<?xf32>, tensor<2xi32>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}
