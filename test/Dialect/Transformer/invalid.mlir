// RUN: forge-opt --split-input-file --verify-diagnostics %s

func.func @matmul_c1_rank(%x: tensor<64xf32>, %w: tensor<64x64xf32>) {
  // expected-error @below {{expected rank 2 or more for lhs, but got 1}}
  %0 = transformer.matmul %x, %w : (tensor<64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
  return
}

// -----

func.func @matmul_c2_batch(%x: tensor<2x4x64xf32>, %w: tensor<3x64x64xf32>) {
  // expected-error @below {{expected batch dimension 0 of rhs to be 2, but got 3}}
  %0 = transformer.matmul %x, %w : (tensor<2x4x64xf32>, tensor<3x64x64xf32>) -> tensor<2x4x64xf32>
  return
}

// -----

func.func @matmul_c3_contraction(%x: tensor<4x64xf32>, %w: tensor<64x32xf32>) {
  // expected-error @below {{expected dimension 1 of rhs, which is summed over, to be 64, but got 32}}
  %0 = transformer.matmul %x, %w {transpose_rhs} : (tensor<4x64xf32>, tensor<64x32xf32>) -> tensor<4x64xf32>
  return
}

// -----

func.func @matmul_c4_result(%x: tensor<4x64xf32>, %w: tensor<64x32xf32>) {
  // expected-error @below {{expected dimension 1 of result to be 32, but got 64}}
  %0 = transformer.matmul %x, %w : (tensor<4x64xf32>, tensor<64x32xf32>) -> tensor<4x64xf32>
  return
}

// -----

func.func @matmul_c5_bias(%x: tensor<4x64xf32>, %w: tensor<64x32xf32>, %b: tensor<64xf32>) {
  // expected-error @below {{expected dimension 0 of bias to be 32, but got 64}}
  %0 = transformer.matmul %x, %w bias %b : (tensor<4x64xf32>, tensor<64x32xf32>, tensor<64xf32>) -> tensor<4x32xf32>
  return
}

// -----

func.func @matmul_c6_types(%x: tensor<4x64xf32>, %w: tensor<64x32xbf16>) {
  // expected-error @below {{expected element type 'f32' for rhs, but got 'bf16'}}
  %0 = transformer.matmul %x, %w : (tensor<4x64xf32>, tensor<64x32xbf16>) -> tensor<4x32xf32>
  return
}

// -----

func.func @attention_c1_rank(%q: tensor<8x16x64xf32>, %k: tensor<1x2x32x64xf32>) {
  // expected-error @below {{expected rank 4 for query, but got 3}}
  %0 = transformer.attention %q, %k, %k : (tensor<8x16x64xf32>, tensor<1x2x32x64xf32>, tensor<1x2x32x64xf32>) -> tensor<8x16x64xf32>
  return
}

// -----

func.func @attention_c2_length(%q: tensor<1x8x16x64xf32>, %k: tensor<1x2x32x64xf32>, %v: tensor<1x2x31x64xf32>) {
  // expected-error @below {{expected length of value to be 32, but got 31}}
  %0 = transformer.attention %q, %k, %v : (tensor<1x8x16x64xf32>, tensor<1x2x32x64xf32>, tensor<1x2x31x64xf32>) -> tensor<1x8x16x64xf32>
  return
}

// -----

func.func @attention_c3_head_dim(%q: tensor<1x8x16x64xf32>, %k: tensor<1x2x32x128xf32>) {
  // expected-error @below {{expected head dim of key to be 64, but got 128}}
  %0 = transformer.attention %q, %k, %k : (tensor<1x8x16x64xf32>, tensor<1x2x32x128xf32>, tensor<1x2x32x128xf32>) -> tensor<1x8x16x128xf32>
  return
}

// -----

func.func @attention_c4_uneven_groups(%q: tensor<1x8x16x64xf32>, %k: tensor<1x3x32x64xf32>) {
  // expected-error @below {{expected query heads to be a multiple of the 3 key heads, but got 8}}
  %0 = transformer.attention %q, %k, %k : (tensor<1x8x16x64xf32>, tensor<1x3x32x64xf32>, tensor<1x3x32x64xf32>) -> tensor<1x8x16x64xf32>
  return
}

// -----

func.func @attention_c5_result(%q: tensor<1x8x16x64xf32>, %k: tensor<1x2x32x64xf32>) {
  // expected-error @below {{expected dimension 1 of result to be 8, but got 2}}
  %0 = transformer.attention %q, %k, %k : (tensor<1x8x16x64xf32>, tensor<1x2x32x64xf32>, tensor<1x2x32x64xf32>) -> tensor<1x2x16x64xf32>
  return
}

// -----

func.func @attention_c6_mask(%q: tensor<1x8x16x64xf32>, %k: tensor<1x2x32x64xf32>, %m: tensor<1x1x32x16xi1>) {
  // expected-error @below {{expected dimension 2 of mask to be 16, but got 32}}
  %0 = transformer.attention %q, %k, %k mask %m : (tensor<1x8x16x64xf32>, tensor<1x2x32x64xf32>, tensor<1x2x32x64xf32>, tensor<1x1x32x16xi1>) -> tensor<1x8x16x64xf32>
  return
}

// -----

func.func @attention_c7_scale(%q: tensor<1x8x16x64xf32>, %k: tensor<1x2x32x64xf32>) {
  // expected-error @below {{expected a finite scale}}
  %0 = transformer.attention %q, %k, %k {scale = 0x7F800000 : f32} : (tensor<1x8x16x64xf32>, tensor<1x2x32x64xf32>, tensor<1x2x32x64xf32>) -> tensor<1x8x16x64xf32>
  return
}

// -----

func.func @softmax_c1_dimension(%x: tensor<4x33xf32>) {
  // expected-error @below {{expected dimension from 0 to 1, but got 2}}
  %0 = transformer.softmax %x {dimension = 2 : i64} : tensor<4x33xf32>
  return
}

// -----

func.func @layer_norm_c2_scale(%x: tensor<4x33xf32>, %g: tensor<4xf32>) {
  // expected-error @below {{expected dimension 0 of scale to be 33, but got 4}}
  %0 = transformer.layer_norm %x scale %g {epsilon = 1.0e-5 : f32} : (tensor<4x33xf32>, tensor<4xf32>) -> tensor<4x33xf32>
  return
}

// -----

func.func @layer_norm_c4_epsilon(%x: tensor<4x33xf32>) {
  // expected-error @below {{expected an epsilon that is finite and not below 0}}
  %0 = transformer.layer_norm %x {epsilon = -1.0e-5 : f32} : (tensor<4x33xf32>) -> tensor<4x33xf32>
  return
}

// -----

func.func @rms_norm_c3_types(%x: tensor<4x33xbf16>, %g: tensor<33xf32>) {
  // expected-error @below {{expected element type 'bf16' throughout, but got 'f32'}}
  %0 = transformer.rms_norm %x scale %g {epsilon = 1.0e-5 : f32} : (tensor<4x33xbf16>, tensor<33xf32>) -> tensor<4x33xbf16>
  return
}

// -----

func.func @activation_name(%x: tensor<4x33xbf16>) {
  // expected-error @below {{expected relu, relu_squared, gelu, gelu_tanh, silu, sigmoid or tanh, but got swish}}
  %0 = transformer.activation swish %x : tensor<4x33xbf16>
  return
}

// -----

func.func @embedding_c2_result(%wte: tensor<256x64xf32>, %ids: tensor<2x16xi32>) {
  // expected-error @below {{expected rank 3 for result, but got 2}}
  %0 = transformer.embedding %wte, %ids : (tensor<256x64xf32>, tensor<2x16xi32>) -> tensor<2x64xf32>
  return
}

// -----

func.func @matmul_c7_result_of_floats(%x: tensor<4x64xbf16>, %w: tensor<64x32xbf16>) {
  // expected-error @below {{expected element type 'bf16' or 'f32' for result, but got 'f16'}}
  %0 = transformer.matmul %x, %w : (tensor<4x64xbf16>, tensor<64x32xbf16>) -> tensor<4x32xf16>
  return
}

// -----

func.func @matmul_c7_result_of_f8(%x: tensor<4x64xf8E4M3FN>, %w: tensor<64x32xf8E5M2>) {
  // expected-error @below {{expected element type bf16, f16 or f32 for result, but got 'f64'}}
  %0 = transformer.matmul %x, %w : (tensor<4x64xf8E4M3FN>, tensor<64x32xf8E5M2>) -> tensor<4x32xf64>
  return
}

// -----

func.func @matmul_c7_result_of_i8(%x: tensor<4x64xi8>, %w: tensor<64x32xi8>) {
  // expected-error @below {{expected element type i32 for result, but got 'f32'}}
  %0 = transformer.matmul %x, %w : (tensor<4x64xi8>, tensor<64x32xi8>) -> tensor<4x32xf32>
  return
}

// -----

func.func @matmul_c8_bias(%x: tensor<4x64xbf16>, %w: tensor<64x32xbf16>, %b: tensor<32xf32>) {
  // expected-error @below {{expected element type 'bf16' throughout, but got 'f32'}}
  %0 = transformer.matmul %x, %w bias %b : (tensor<4x64xbf16>, tensor<64x32xbf16>, tensor<32xf32>) -> tensor<4x32xbf16>
  return
}

// -----

func.func @matmul_c9_accumulate(%x: tensor<4x64xf64>, %w: tensor<64x32xf64>) {
  // expected-error @below {{expected accumulate to be f64 for element type 'f64', but got 'f32'}}
  %0 = transformer.matmul %x, %w {accumulate = f32} : (tensor<4x64xf64>, tensor<64x32xf64>) -> tensor<4x32xf64>
  return
}

// -----

func.func @matmul_c9_accumulate_integers(%x: tensor<4x64xi8>, %w: tensor<64x32xi8>) {
  // expected-error @below {{expected accumulate to be i32 for element type 'i8', but got 'f32'}}
  %0 = transformer.matmul %x, %w {accumulate = f32} : (tensor<4x64xi8>, tensor<64x32xi8>) -> tensor<4x32xi32>
  return
}

// -----

func.func @matmul_c10_activation(%x: tensor<4x64xi8>, %w: tensor<64x32xi8>) {
  // expected-error @below {{expected no activation of a product of integers}}
  %0 = transformer.matmul %x, %w {activation = #transformer.activation<relu>} : (tensor<4x64xi8>, tensor<64x32xi8>) -> tensor<4x32xi32>
  return
}

// -----

func.func @softmax_c2_accumulate(%x: tensor<4x33xbf16>) {
  // expected-error @below {{expected accumulate to be f32 or f64 for element type 'bf16', but got 'bf16'}}
  %0 = transformer.softmax %x {dimension = 1 : i64, accumulate = bf16} : tensor<4x33xbf16>
  return
}

// -----

func.func @log_softmax_c1_dimension(%x: tensor<4x33xf32>) {
  // expected-error @below {{expected dimension from 0 to 1, but got -1}}
  %0 = transformer.log_softmax %x {dimension = -1 : i64} : tensor<4x33xf32>
  return
}

// -----

func.func @log_softmax_c2_accumulate(%x: tensor<4x33xf64>) {
  // expected-error @below {{expected accumulate to be f64 for element type 'f64', but got 'f32'}}
  %0 = transformer.log_softmax %x {dimension = 1 : i64, accumulate = f32} : tensor<4x33xf64>
  return
}

// -----

func.func @layer_norm_c1_rank(%x: tensor<f32>) {
  // expected-error @below {{expected rank 1 or more for input, but got 0}}
  %0 = transformer.layer_norm %x {epsilon = 1.0e-5 : f32} : (tensor<f32>) -> tensor<f32>
  return
}

// -----

func.func @layer_norm_c3_types(%x: tensor<4x33xbf16>, %g: tensor<33xf32>) {
  // expected-error @below {{expected element type 'bf16' throughout, but got 'f32'}}
  %0 = transformer.layer_norm %x scale %g {epsilon = 1.0e-5 : f32} : (tensor<4x33xbf16>, tensor<33xf32>) -> tensor<4x33xbf16>
  return
}

// -----

func.func @layer_norm_c5_accumulate(%x: tensor<4x33xf32>) {
  // expected-error @below {{expected accumulate to be f32 or f64 for element type 'f32', but got 'i32'}}
  %0 = transformer.layer_norm %x {epsilon = 1.0e-5 : f32, accumulate = i32} : (tensor<4x33xf32>) -> tensor<4x33xf32>
  return
}

// -----

func.func @rms_norm_c1_rank(%x: tensor<f32>) {
  // expected-error @below {{expected rank 1 or more for input, but got 0}}
  %0 = transformer.rms_norm %x {epsilon = 1.0e-5 : f32} : (tensor<f32>) -> tensor<f32>
  return
}

// -----

func.func @rms_norm_c2_scale(%x: tensor<4x33xf32>, %g: tensor<4xf32>) {
  // expected-error @below {{expected dimension 0 of scale to be 33, but got 4}}
  %0 = transformer.rms_norm %x scale %g {epsilon = 1.0e-5 : f32} : (tensor<4x33xf32>, tensor<4xf32>) -> tensor<4x33xf32>
  return
}

// -----

func.func @rms_norm_c4_epsilon(%x: tensor<4x33xf32>) {
  // expected-error @below {{expected an epsilon that is finite and not below 0}}
  %0 = transformer.rms_norm %x {epsilon = 0x7FC00000 : f32} : (tensor<4x33xf32>) -> tensor<4x33xf32>
  return
}

// -----

func.func @rms_norm_c5_unit_offset(%x: tensor<4x33xf32>) {
  // expected-error @below {{expected a scale with unit_offset}}
  %0 = transformer.rms_norm %x {epsilon = 1.0e-5 : f32, unit_offset} : (tensor<4x33xf32>) -> tensor<4x33xf32>
  return
}

// -----

func.func @rms_norm_c6_accumulate(%x: tensor<4x33xf16>) {
  // expected-error @below {{expected accumulate to be f32 or f64 for element type 'f16', but got 'f16'}}
  %0 = transformer.rms_norm %x {epsilon = 1.0e-5 : f32, accumulate = f16} : (tensor<4x33xf16>) -> tensor<4x33xf16>
  return
}

// -----

func.func @attention_c8_types(%q: tensor<1x8x16x64xf32>, %k: tensor<1x2x32x64xbf16>) {
  // expected-error @below {{expected element type 'f32' throughout, but got 'bf16'}}
  %0 = transformer.attention %q, %k, %k : (tensor<1x8x16x64xf32>, tensor<1x2x32x64xbf16>, tensor<1x2x32x64xbf16>) -> tensor<1x8x16x64xf32>
  return
}

// -----

func.func @embedding_c1_rank(%wte: tensor<2x256x64xf32>, %ids: tensor<16xi32>) {
  // expected-error @below {{expected rank 2 for table, but got 3}}
  %0 = transformer.embedding %wte, %ids : (tensor<2x256x64xf32>, tensor<16xi32>) -> tensor<16x64xf32>
  return
}

// -----

func.func @embedding_c3_types(%wte: tensor<256x64xf32>, %ids: tensor<16xi32>) {
  // expected-error @below {{expected element type 'f32' throughout, but got 'f16'}}
  %0 = transformer.embedding %wte, %ids : (tensor<256x64xf32>, tensor<16xi32>) -> tensor<16x64xf16>
  return
}

// -----

func.func @add_c1_shapes(%x: tensor<4x64xf32>, %b: tensor<64xf32>) {
  // expected-error @below {{requires the same type for all operands and results}}
  %0 = "transformer.add"(%x, %b) : (tensor<4x64xf32>, tensor<64xf32>) -> tensor<4x64xf32>
  return
}

// -----

func.func @multiply_c1_types(%x: tensor<4x64xf32>, %b: tensor<4x64xf16>) {
  // expected-error @below {{requires the same type for all operands and results}}
  %0 = "transformer.multiply"(%x, %b) : (tensor<4x64xf32>, tensor<4x64xf16>) -> tensor<4x64xf32>
  return
}

// -----

func.func @operand_types(%x: tensor<4x64xi8>) {
  // expected-error @below {{operand #0 must be scores, any shape of rank 1 or more: tensor of f64, f32, f16 or bf16, but got 'tensor<4x64xi8>'}}
  %0 = "transformer.softmax"(%x) {dimension = 1 : i64} : (tensor<4x64xi8>) -> tensor<4x64xi8>
  return
}

// -----

func.func @embedding_c4_empty(%wte: tensor<0x64xf32>, %ids: tensor<16xi32>) {
  // expected-error @below {{expected one row or more for table, but got none}}
  %0 = transformer.embedding %wte, %ids : (tensor<0x64xf32>, tensor<16xi32>) -> tensor<16x64xf32>
  return
}

// -----

func.func @softmax_c1_scalar(%x: tensor<f32>) {
  // expected-error @below {{expected rank 1 or more for input, but got 0}}
  %0 = transformer.softmax %x {dimension = 0 : i64} : tensor<f32>
  return
}
