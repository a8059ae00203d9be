// A misspelled attribute is an error, in the custom and in the generic form; what other dialects attach stays.
// RUN: forge-opt %s --split-input-file --verify-diagnostics

func.func @misspelled(%q: tensor<1x2x4x8xf32>) -> tensor<1x2x4x8xf32> {
  // expected-error @below {{expected no attribute 'casual'; it has 'accumulate', 'causal', 'scale', 'soft_cap', 'weights', 'window'}}
  %0 = transformer.attention %q, %q, %q {casual} : (tensor<1x2x4x8xf32>, tensor<1x2x4x8xf32>, tensor<1x2x4x8xf32>) -> tensor<1x2x4x8xf32>
  return %0 : tensor<1x2x4x8xf32>
}

// -----

func.func @generic(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  // expected-error @below {{expected no attribute 'axis'; it has 'accumulate', 'dimension'}}
  %0 = "transformer.softmax"(%x) <{dimension = 1 : i64}> {axis = 0 : i64} : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

// -----

func.func @another_dialects(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %0 = transformer.softmax %x {dimension = 1 : i64, forge.cluster = 0 : i64} : tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}
