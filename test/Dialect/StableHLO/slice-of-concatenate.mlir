// RUN: forge-opt %s --canonicalize | FileCheck %s

// Within one of the inputs a slice is one of that input; all of an input is the input.
// CHECK-LABEL: @within
// CHECK: %[[A:.*]] = stablehlo.slice %arg1 [1:2, 1:5:2] : (tensor<2x5xf32>) -> tensor<1x2xf32>
// CHECK: return %[[A]], %arg0
func.func @within(%a: tensor<2x3xf32>, %b: tensor<2x5xf32>) -> (tensor<1x2xf32>, tensor<2x3xf32>) {
  %0 = stablehlo.concatenate %a, %b, dim = 1 : (tensor<2x3xf32>, tensor<2x5xf32>) -> tensor<2x8xf32>
  %1 = stablehlo.slice %0 [1:2, 4:8:2] : (tensor<2x8xf32>) -> tensor<1x2xf32>
  %2 = stablehlo.slice %0 [0:2, 0:3] : (tensor<2x8xf32>) -> tensor<2x3xf32>
  return %1, %2 : tensor<1x2xf32>, tensor<2x3xf32>
}

// One that spans inputs stays, also where an input is empty or of unknown size.
// CHECK-LABEL: @spanning
// CHECK: stablehlo.slice {{.*}} [2:4]
// CHECK: stablehlo.slice {{.*}} [1:2]
func.func @spanning(%a: tensor<3xf32>, %e: tensor<0xf32>, %n: tensor<?xf32>) -> (tensor<2xf32>, tensor<1xf32>) {
  %0 = stablehlo.concatenate %a, %e, %a, dim = 0 : (tensor<3xf32>, tensor<0xf32>, tensor<3xf32>) -> tensor<6xf32>
  %1 = stablehlo.slice %0 [2:4] : (tensor<6xf32>) -> tensor<2xf32>
  %2 = stablehlo.concatenate %n, %a, dim = 0 : (tensor<?xf32>, tensor<3xf32>) -> tensor<6xf32>
  %3 = stablehlo.slice %2 [1:2] : (tensor<6xf32>) -> tensor<1xf32>
  return %1, %3 : tensor<2xf32>, tensor<1xf32>
}
