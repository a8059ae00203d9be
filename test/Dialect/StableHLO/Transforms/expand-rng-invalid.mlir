// RUN: forge-opt %s --split-input-file --forge-expand-rng --verify-diagnostics

func.func @condition(%k: tensor<i32>, %a: tensor<i32>) -> tensor<i32> {
  %s = stablehlo.constant dense<> : tensor<0xi64>
  %r = stablehlo.while(%i = %k) : tensor<i32>
    cond {
      // expected-error @+1 {{unsupported stablehlo op 'stablehlo.rng' in the condition of 'stablehlo.while'}}
      %end = stablehlo.rng %i, %a, %s, distribution = UNIFORM : (tensor<i32>, tensor<i32>, tensor<0xi64>) -> tensor<i32>
      %go = stablehlo.compare LT, %i, %end : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %go : tensor<i1>
    } do {
      stablehlo.return %a : tensor<i32>
    }
  return %r : tensor<i32>
}

// -----

func.func @body(%x: tensor<4xf32>, %a: tensor<f32>) -> tensor<f32> {
  %r = "stablehlo.reduce"(%x, %a) ({
  ^bb0(%u: tensor<f32>, %v: tensor<f32>):
    %s = stablehlo.constant dense<> : tensor<0xi64>
    // expected-error @+1 {{unsupported stablehlo op 'stablehlo.rng' in 'stablehlo.reduce'}}
    %0 = stablehlo.rng %u, %v, %s, distribution = NORMAL : (tensor<f32>, tensor<f32>, tensor<0xi64>) -> tensor<f32>
    stablehlo.return %0 : tensor<f32>
  }) {dimensions = array<i64: 0>} : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
  return %r : tensor<f32>
}

// -----

func.func private @called(%a: tensor<f32>) -> tensor<f32> {
  %s = stablehlo.constant dense<> : tensor<0xi64>
  // expected-error @+1 {{unsupported stablehlo op 'stablehlo.rng' in a function that is not inlined, '@called'}}
  %0 = stablehlo.rng %a, %a, %s, distribution = NORMAL : (tensor<f32>, tensor<f32>, tensor<0xi64>) -> tensor<f32>
  return %0 : tensor<f32>
}
func.func @call(%a: tensor<f32>) -> tensor<f32> {
  %0 = func.call @called(%a) : (tensor<f32>) -> tensor<f32>
  return %0 : tensor<f32>
}
