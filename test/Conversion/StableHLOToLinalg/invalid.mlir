// RUN: forge-opt %s --convert-stablehlo-to-linalg --split-input-file --verify-diagnostics

func.func @custom_call(%a: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{unsupported custom_call target '@foo'}}
  %0 = stablehlo.custom_call @foo(%a) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @map(%a: tensor<4xf32>) -> tensor<4xf32> {
  %0 = "stablehlo.map"(%a) <{dimensions = array<i64: 0>}> ({
  ^bb0(%x: tensor<f32>):
    // expected-error @+1 {{unsupported stablehlo op 'stablehlo.custom_call' in a scalar region}}
    %1 = stablehlo.custom_call @foo(%x) : (tensor<f32>) -> tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
