// RUN: forge-opt %s --split-input-file --verify-diagnostics

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

// -----

func.func @log_softmax_grad_c3_accumulate(%x: tensor<2x3xf64>) {
  // expected-error @+1 {{accumulat}}
  %0 = transformer.log_softmax_grad %x, %x {dimension = 1 : i64, accumulate = f32} : tensor<2x3xf64>
  return
}

// -----

func.func @softmax_grad_c2_types(%x: tensor<2x3xf32>, %y: tensor<2x4xf32>) {
  // expected-error @+1 {{requires the same type for all operands and results}}
  %0 = "transformer.softmax_grad"(%x, %y) <{dimension = 1 : i64}> : (tensor<2x3xf32>, tensor<2x4xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @log_softmax_grad_c2_types(%x: tensor<2x3xf32>, %y: tensor<2x4xf32>) {
  // expected-error @+1 {{requires the same type for all operands and results}}
  %0 = "transformer.log_softmax_grad"(%x, %y) <{dimension = 1 : i64}> : (tensor<2x3xf32>, tensor<2x4xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @layer_norm_grad_c5_accumulate(%x: tensor<2x3xf64>) {
  // expected-error @+1 {{accumulat}}
  %0:3 = transformer.layer_norm_grad %x, %x {epsilon = 0.0 : f32, accumulate = f32}
      : (tensor<2x3xf64>, tensor<2x3xf64>) -> (tensor<2x3xf64>, tensor<3xf64>, tensor<3xf64>)
  return
}

// -----

func.func @rms_norm_grad_c1_rank(%x: tensor<f32>) {
  // expected-error @+1 {{expected rank 1 or more for input, but got 0}}
  %0:2 = transformer.rms_norm_grad %x, %x {epsilon = 0.0 : f32} : (tensor<f32>, tensor<f32>) -> (tensor<f32>, tensor<f32>)
  return
}

// -----

func.func @rms_norm_grad_c3_elements(%x: tensor<2x3xf32>, %g: tensor<3xf16>) {
  // expected-error @+1 {{expected element type 'f32' throughout, but got 'f16'}}
  %0:2 = transformer.rms_norm_grad %x, %x scale %g {epsilon = 0.0 : f32}
      : (tensor<2x3xf32>, tensor<2x3xf32>, tensor<3xf16>) -> (tensor<2x3xf32>, tensor<3xf32>)
  return
}

// -----

func.func @rms_norm_grad_c4_epsilon(%x: tensor<2x3xf32>) {
  // expected-error @+1 {{expected an epsilon that is finite and not below 0}}
  %0:2 = transformer.rms_norm_grad %x, %x {epsilon = -1.0 : f32} : (tensor<2x3xf32>, tensor<2x3xf32>) -> (tensor<2x3xf32>, tensor<3xf32>)
  return
}
