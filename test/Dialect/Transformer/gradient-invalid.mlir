// RUN: forge-opt %s --split-input-file --verify-diagnostics

func.func @activation_grad_c1_types(%dy: tensor<4xf32>, %x: tensor<5xf32>) {
  // expected-error @+1 {{'transformer.activation_grad' op requires the same type for all operands and results}}
  %0 = "transformer.activation_grad"(%dy, %x) <{kind = #transformer.activation<relu>}> : (tensor<4xf32>, tensor<5xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @activation_grad_kind(%dy: tensor<4xf32>, %x: tensor<4xf32>) {
  // expected-error @+1 {{expected relu, relu_squared, gelu, gelu_tanh, silu, sigmoid or tanh, but got swish}}
  %0 = transformer.activation_grad swish %dy, %x : tensor<4xf32>
  return
}

// -----

func.func @embedding_grad_c1_rank(%dy: tensor<2x4xf32>, %ids: tensor<2xi32>, %t: tensor<4xf32>) {
  // expected-error @+1 {{expected rank 2 for table, but got 1}}
  %0 = transformer.embedding_grad %dy, %ids, %t : (tensor<2x4xf32>, tensor<2xi32>, tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @embedding_grad_c2_width(%dy: tensor<2x5xf32>, %ids: tensor<2xi32>, %t: tensor<3x4xf32>) {
  // expected-error @+1 {{expected dimension 1 of cotangent to be 4, but got 5}}
  %0 = transformer.embedding_grad %dy, %ids, %t : (tensor<2x5xf32>, tensor<2xi32>, tensor<3x4xf32>) -> tensor<3x4xf32>
  return
}

// -----

func.func @embedding_grad_c3_elements(%dy: tensor<2x4xf32>, %ids: tensor<2xi32>, %t: tensor<3x4xf16>) {
  // expected-error @+1 {{expected element type 'f16' throughout, but got 'f32'}}
  %0 = transformer.embedding_grad %dy, %ids, %t : (tensor<2x4xf32>, tensor<2xi32>, tensor<3x4xf16>) -> tensor<3x4xf16>
  return
}

// -----

func.func @embedding_grad_c4_accumulate(%dy: tensor<2x4xf64>, %ids: tensor<2xi32>, %t: tensor<3x4xf64>) {
  // expected-error @+1 {{accumulat}}
  %0 = transformer.embedding_grad %dy, %ids, %t {accumulate = f32} : (tensor<2x4xf64>, tensor<2xi32>, tensor<3x4xf64>) -> tensor<3x4xf64>
  return
}

// -----

func.func @sum_c1_order(%x: tensor<2x3x4xf32>) {
  // expected-error @+1 {{expected ascending dimensions from 0 to 2, but got [1, 0]}}
  %0 = transformer.sum %x {dimensions = array<i64: 1, 0>} : tensor<2x3x4xf32> -> tensor<4xf32>
  return
}

// -----

func.func @sum_c1_range(%x: tensor<2x3x4xf32>) {
  // expected-error @+1 {{expected ascending dimensions from 0 to 2, but got [3]}}
  %0 = transformer.sum %x {dimensions = array<i64: 3>} : tensor<2x3x4xf32> -> tensor<2x3xf32>
  return
}

// -----

func.func @sum_c1_none(%x: tensor<2x3x4xf32>) {
  // expected-error @+1 {{expected a dimension to sum over, but got none}}
  %0 = transformer.sum %x {dimensions = array<i64>} : tensor<2x3x4xf32> -> tensor<2x3x4xf32>
  return
}

// -----

func.func @sum_c2_shape(%x: tensor<2x3x4xf32>) {
  // expected-error @+1 {{expected dimension 0 of result to be 3, but got 2}}
  %0 = transformer.sum %x {dimensions = array<i64: 0>} : tensor<2x3x4xf32> -> tensor<2x4xf32>
  return
}

// -----

func.func @sum_c3_elements(%x: tensor<2x3xf32>) {
  // expected-error @+1 {{expected element type 'f32' throughout, but got 'f16'}}
  %0 = transformer.sum %x {dimensions = array<i64: 0>} : tensor<2x3xf32> -> tensor<3xf16>
  return
}

// -----

func.func @sum_c4_accumulate(%x: tensor<2x3xf64>) {
  // expected-error @+1 {{accumulat}}
  %0 = transformer.sum %x {dimensions = array<i64: 0>, accumulate = f32} : tensor<2x3xf64> -> tensor<3xf64>
  return
}

// -----

func.func @softmax_grad_c1_dimension(%x: tensor<2x3xf32>) {
  // expected-error @+1 {{expected dimension from 0 to 1, but got 2}}
  %0 = transformer.softmax_grad %x, %x {dimension = 2 : i64} : tensor<2x3xf32>
  return
}

// -----

func.func @log_softmax_grad_c1_dimension(%x: tensor<2x3xf32>) {
  // expected-error @+1 {{expected dimension from 0 to 1, but got -1}}
  %0 = transformer.log_softmax_grad %x, %x {dimension = -1 : i64} : tensor<2x3xf32>
  return
}

// -----

func.func @softmax_grad_c3_accumulate(%x: tensor<2x3xf64>) {
  // expected-error @+1 {{accumulat}}
  %0 = transformer.softmax_grad %x, %x {dimension = 1 : i64, accumulate = f32} : tensor<2x3xf64>
  return
}

// -----

func.func @layer_norm_grad_c1_rank(%x: tensor<f32>) {
  // expected-error @+1 {{expected rank 1 or more for input, but got 0}}
  %0:3 = transformer.layer_norm_grad %x, %x {epsilon = 0.0 : f32} : (tensor<f32>, tensor<f32>) -> (tensor<f32>, tensor<f32>, tensor<f32>)
  return
}

// -----

func.func @layer_norm_grad_c2_scale(%x: tensor<2x3xf32>, %g: tensor<4xf32>) {
  // expected-error @+1 {{expected dimension 0 of scale to be 3, but got 4}}
  %0:3 = transformer.layer_norm_grad %x, %x scale %g {epsilon = 0.0 : f32}
      : (tensor<2x3xf32>, tensor<2x3xf32>, tensor<4xf32>) -> (tensor<2x3xf32>, tensor<3xf32>, tensor<3xf32>)
  return
}

// -----

func.func @layer_norm_grad_c3_elements(%x: tensor<2x3xf32>, %g: tensor<3xf16>) {
  // expected-error @+1 {{expected element type 'f32' throughout, but got 'f16'}}
  %0:3 = transformer.layer_norm_grad %x, %x scale %g {epsilon = 0.0 : f32}
      : (tensor<2x3xf32>, tensor<2x3xf32>, tensor<3xf16>) -> (tensor<2x3xf32>, tensor<3xf32>, tensor<3xf32>)
  return
}

// -----

func.func @layer_norm_grad_c4_epsilon(%x: tensor<2x3xf32>) {
  // expected-error @+1 {{expected an epsilon that is finite and not below 0}}
  %0:3 = transformer.layer_norm_grad %x, %x {epsilon = -1.0 : f32}
      : (tensor<2x3xf32>, tensor<2x3xf32>) -> (tensor<2x3xf32>, tensor<3xf32>, tensor<3xf32>)
  return
}

// -----

func.func @rms_norm_grad_c2_scale(%x: tensor<2x3xf32>, %g: tensor<4xf32>) {
  // expected-error @+1 {{expected dimension 0 of scale to be 3, but got 4}}
  %0:2 = transformer.rms_norm_grad %x, %x scale %g {epsilon = 0.0 : f32}
      : (tensor<2x3xf32>, tensor<2x3xf32>, tensor<4xf32>) -> (tensor<2x3xf32>, tensor<3xf32>)
  return
}

// -----

func.func @rms_norm_grad_c5_accumulate(%x: tensor<2x3xf64>) {
  // expected-error @+1 {{accumulat}}
  %0:2 = transformer.rms_norm_grad %x, %x {epsilon = 0.0 : f32, accumulate = f32}
      : (tensor<2x3xf64>, tensor<2x3xf64>) -> (tensor<2x3xf64>, tensor<3xf64>)
  return
}
