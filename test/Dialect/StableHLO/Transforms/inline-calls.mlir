// RUN: forge-opt %s --forge-inline-calls --split-input-file --verify-diagnostics | FileCheck %s

// CHECK-LABEL: func.func @main
// CHECK-NOT: call
// CHECK: stablehlo.add
// CHECK: stablehlo.multiply
// CHECK-NOT: @inner
func.func @main(%a: tensor<4xf32>) -> tensor<4xf32> {
  %0 = call @outer(%a) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
func.func private @outer(%a: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.composite "x.square" %a {decomposition = @inner} : (tensor<4xf32>) -> tensor<4xf32>
  %1 = stablehlo.multiply %0, %a : tensor<4xf32>
  return %1 : tensor<4xf32>
}
func.func private @inner(%a: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.add %a, %a : tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @main(%a: tensor<4xf32>) -> tensor<4xf32> {
  %0 = call @again(%a) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
func.func private @again(%a: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{unsupported recursive call of '@again'}}
  %0 = call @again(%a) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
