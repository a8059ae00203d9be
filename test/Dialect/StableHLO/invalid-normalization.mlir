// RUN: forge-opt %s --split-input-file --verify-diagnostics

// One case per constraint of batch normalisation; the name says which.

func.func @batch_norm_inference_c1_feature(%x: tensor<8x4xf32>, %s: tensor<4xf32>, %o: tensor<4xf32>, %m: tensor<4xf32>, %v: tensor<4xf32>) {
  // expected-error @+1 {{expected feature_index in the range [0, 2), but got 2}}
  %0 = "stablehlo.batch_norm_inference"(%x, %s, %o, %m, %v) {epsilon = 0.001 : f32, feature_index = 2 : i64} : (tensor<8x4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<8x4xf32>
  return
}

// -----

func.func @batch_norm_inference_c2_types(%x: tensor<8x4xf32>, %s: tensor<4xf64>, %o: tensor<4xf32>, %m: tensor<4xf32>, %v: tensor<4xf32>) {
  // expected-error @+1 {{expected element type 'f32' for scale, but got 'f64'}}
  %0 = "stablehlo.batch_norm_inference"(%x, %s, %o, %m, %v) {epsilon = 0.001 : f32, feature_index = 1 : i64} : (tensor<8x4xf32>, tensor<4xf64>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<8x4xf32>
  return
}

// -----

func.func @batch_norm_inference_c3_scale(%x: tensor<8x4xf32>, %s: tensor<5xf32>, %o: tensor<4xf32>, %m: tensor<4xf32>, %v: tensor<4xf32>) {
  // expected-error @+1 {{expected shape [4] for scale, but got [5]}}
  %0 = "stablehlo.batch_norm_inference"(%x, %s, %o, %m, %v) {epsilon = 0.001 : f32, feature_index = 1 : i64} : (tensor<8x4xf32>, tensor<5xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<8x4xf32>
  return
}

// -----

func.func @batch_norm_inference_c4_offset(%x: tensor<8x4xf32>, %s: tensor<4xf32>, %o: tensor<5xf32>, %m: tensor<4xf32>, %v: tensor<4xf32>) {
  // expected-error @+1 {{expected shape [4] for offset, but got [5]}}
  %0 = "stablehlo.batch_norm_inference"(%x, %s, %o, %m, %v) {epsilon = 0.001 : f32, feature_index = 1 : i64} : (tensor<8x4xf32>, tensor<4xf32>, tensor<5xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<8x4xf32>
  return
}

// -----

func.func @batch_norm_inference_c5_mean(%x: tensor<8x4xf32>, %s: tensor<4xf32>, %o: tensor<4xf32>, %m: tensor<5xf32>, %v: tensor<4xf32>) {
  // expected-error @+1 {{expected shape [4] for mean, but got [5]}}
  %0 = "stablehlo.batch_norm_inference"(%x, %s, %o, %m, %v) {epsilon = 0.001 : f32, feature_index = 1 : i64} : (tensor<8x4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<5xf32>, tensor<4xf32>) -> tensor<8x4xf32>
  return
}

// -----

func.func @batch_norm_inference_c6_variance(%x: tensor<8x4xf32>, %s: tensor<4xf32>, %o: tensor<4xf32>, %m: tensor<4xf32>, %v: tensor<5xf32>) {
  // expected-error @+1 {{expected shape [4] for variance, but got [5]}}
  %0 = "stablehlo.batch_norm_inference"(%x, %s, %o, %m, %v) {epsilon = 0.001 : f32, feature_index = 1 : i64} : (tensor<8x4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<5xf32>) -> tensor<8x4xf32>
  return
}

// -----

func.func @batch_norm_inference_c7_type(%x: tensor<8x4xf32>, %s: tensor<4xf32>, %o: tensor<4xf32>, %m: tensor<4xf32>, %v: tensor<4xf32>) {
  // expected-error @+1 {{expected type 'tensor<8x4xf32>' for the result as for operand, but got 'tensor<8x5xf32>'}}
  %0 = "stablehlo.batch_norm_inference"(%x, %s, %o, %m, %v) {epsilon = 0.001 : f32, feature_index = 1 : i64} : (tensor<8x4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<8x5xf32>
  return
}

// -----

func.func @batch_norm_training_c1_feature(%x: tensor<8x4xf32>, %s: tensor<4xf32>, %o: tensor<4xf32>) {
  // expected-error @+1 {{expected feature_index in the range [0, 2), but got -1}}
  %0:3 = "stablehlo.batch_norm_training"(%x, %s, %o) {epsilon = 0.001 : f32, feature_index = -1 : i64} : (tensor<8x4xf32>, tensor<4xf32>, tensor<4xf32>) -> (tensor<8x4xf32>, tensor<4xf32>, tensor<4xf32>)
  return
}

// -----

func.func @batch_norm_training_c2_types(%x: tensor<8x4xf32>, %s: tensor<4xf32>, %o: tensor<4xf16>) {
  // expected-error @+1 {{expected element type 'f32' for offset, but got 'f16'}}
  %0:3 = "stablehlo.batch_norm_training"(%x, %s, %o) {epsilon = 0.001 : f32, feature_index = 1 : i64} : (tensor<8x4xf32>, tensor<4xf32>, tensor<4xf16>) -> (tensor<8x4xf32>, tensor<4xf32>, tensor<4xf32>)
  return
}

// -----

func.func @batch_norm_training_c3_scale(%x: tensor<8x4xf32>, %s: tensor<8xf32>, %o: tensor<4xf32>) {
  // expected-error @+1 {{expected shape [4] for scale, but got [8]}}
  %0:3 = "stablehlo.batch_norm_training"(%x, %s, %o) {epsilon = 0.001 : f32, feature_index = 1 : i64} : (tensor<8x4xf32>, tensor<8xf32>, tensor<4xf32>) -> (tensor<8x4xf32>, tensor<4xf32>, tensor<4xf32>)
  return
}

// -----

func.func @batch_norm_training_c4_offset(%x: tensor<8x4xf32>, %s: tensor<4xf32>, %o: tensor<4x1xf32>) {
  // expected-error @+1 {{expected shape [4] for offset, but got [4, 1]}}
  %0:3 = "stablehlo.batch_norm_training"(%x, %s, %o) {epsilon = 0.001 : f32, feature_index = 1 : i64} : (tensor<8x4xf32>, tensor<4xf32>, tensor<4x1xf32>) -> (tensor<8x4xf32>, tensor<4xf32>, tensor<4xf32>)
  return
}

// -----

func.func @batch_norm_training_c5_mean(%x: tensor<8x4xf32>, %s: tensor<4xf32>, %o: tensor<4xf32>) {
  // expected-error @+1 {{expected shape [4] for batch_mean, but got [5]}}
  %0:3 = "stablehlo.batch_norm_training"(%x, %s, %o) {epsilon = 0.001 : f32, feature_index = 1 : i64} : (tensor<8x4xf32>, tensor<4xf32>, tensor<4xf32>) -> (tensor<8x4xf32>, tensor<5xf32>, tensor<4xf32>)
  return
}

// -----

func.func @batch_norm_training_c6_variance(%x: tensor<8x4xf32>, %s: tensor<4xf32>, %o: tensor<4xf32>) {
  // expected-error @+1 {{expected shape [4] for batch_var, but got [5]}}
  %0:3 = "stablehlo.batch_norm_training"(%x, %s, %o) {epsilon = 0.001 : f32, feature_index = 1 : i64} : (tensor<8x4xf32>, tensor<4xf32>, tensor<4xf32>) -> (tensor<8x4xf32>, tensor<4xf32>, tensor<5xf32>)
  return
}

// -----

func.func @batch_norm_training_c7_type(%x: tensor<8x4xf32>, %s: tensor<4xf32>, %o: tensor<4xf32>) {
  // expected-error @+1 {{expected type 'tensor<8x4xf32>' for output as for operand, but got 'tensor<4x8xf32>'}}
  %0:3 = "stablehlo.batch_norm_training"(%x, %s, %o) {epsilon = 0.001 : f32, feature_index = 1 : i64} : (tensor<8x4xf32>, tensor<4xf32>, tensor<4xf32>) -> (tensor<4x8xf32>, tensor<4xf32>, tensor<4xf32>)
  return
}

// -----

func.func @batch_norm_grad_c1_feature(%x: tensor<8x4xf32>, %s: tensor<4xf32>, %m: tensor<4xf32>, %g: tensor<8x4xf32>) {
  // expected-error @+1 {{expected feature_index in the range [0, 2), but got 7}}
  %0:3 = "stablehlo.batch_norm_grad"(%x, %s, %m, %m, %g) {epsilon = 0.001 : f32, feature_index = 7 : i64} : (tensor<8x4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<8x4xf32>) -> (tensor<8x4xf32>, tensor<4xf32>, tensor<4xf32>)
  return
}

// -----

func.func @batch_norm_grad_c2_types(%x: tensor<8x4xf32>, %s: tensor<4xbf16>, %m: tensor<4xf32>, %g: tensor<8x4xf32>) {
  // expected-error @+1 {{expected element type 'f32' for scale, but got 'bf16'}}
  %0:3 = "stablehlo.batch_norm_grad"(%x, %s, %m, %m, %g) {epsilon = 0.001 : f32, feature_index = 1 : i64} : (tensor<8x4xf32>, tensor<4xbf16>, tensor<4xf32>, tensor<4xf32>, tensor<8x4xf32>) -> (tensor<8x4xf32>, tensor<4xf32>, tensor<4xf32>)
  return
}

// -----

func.func @batch_norm_grad_c3_shapes(%x: tensor<8x4xf32>, %s: tensor<4xf32>, %m: tensor<4xf32>, %g: tensor<8x5xf32>) {
  // expected-error @+1 {{expected type 'tensor<8x4xf32>' for grad_output as for operand, but got 'tensor<8x5xf32>'}}
  %0:3 = "stablehlo.batch_norm_grad"(%x, %s, %m, %m, %g) {epsilon = 0.001 : f32, feature_index = 1 : i64} : (tensor<8x4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<8x5xf32>) -> (tensor<8x4xf32>, tensor<4xf32>, tensor<4xf32>)
  return
}

// -----

func.func @batch_norm_grad_c4_sizes(%x: tensor<8x4xf32>, %s: tensor<4xf32>, %m: tensor<4xf32>, %g: tensor<8x4xf32>) {
  // expected-error @+1 {{expected shape [4] for grad_scale, but got [3]}}
  %0:3 = "stablehlo.batch_norm_grad"(%x, %s, %m, %m, %g) {epsilon = 0.001 : f32, feature_index = 1 : i64} : (tensor<8x4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<8x4xf32>) -> (tensor<8x4xf32>, tensor<3xf32>, tensor<4xf32>)
  return
}

// -----

func.func @batch_norm_grad_c5_scale(%x: tensor<8x4xf32>, %s: tensor<8xf32>, %m: tensor<4xf32>, %g: tensor<8x4xf32>) {
  // expected-error @+1 {{expected shape [4] for scale, but got [8]}}
  %0:3 = "stablehlo.batch_norm_grad"(%x, %s, %m, %m, %g) {epsilon = 0.001 : f32, feature_index = 1 : i64} : (tensor<8x4xf32>, tensor<8xf32>, tensor<4xf32>, tensor<4xf32>, tensor<8x4xf32>) -> (tensor<8x4xf32>, tensor<4xf32>, tensor<4xf32>)
  return
}
