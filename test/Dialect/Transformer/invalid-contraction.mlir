// RUN: forge-opt --split-input-file --verify-diagnostics %s

func.func @grouped_matmul_c1_lhs(%x: tensor<2x3x16xf32>, %w: tensor<4x16x8xf32>, %g: tensor<4xi32>) {
  // expected-error @below {{expected rank 2 for lhs, but got 3}}
  %0 = transformer.grouped_matmul %x, %w groups %g : (tensor<2x3x16xf32>, tensor<4x16x8xf32>, tensor<4xi32>) -> tensor<3x8xf32>
  return
}

// -----

func.func @grouped_matmul_c1_rhs(%x: tensor<3x16xf32>, %w: tensor<16x8xf32>, %g: tensor<4xi32>) {
  // expected-error @below {{expected rank 3 for rhs, but got 2}}
  %0 = transformer.grouped_matmul %x, %w groups %g : (tensor<3x16xf32>, tensor<16x8xf32>, tensor<4xi32>) -> tensor<3x8xf32>
  return
}

// -----

func.func @grouped_matmul_c2_contraction(%x: tensor<3x16xf32>, %w: tensor<4x8x16xf32>, %g: tensor<4xi32>) {
  // expected-error @below {{expected dimension 1 of rhs, which is summed over, to be 16, but got 8}}
  %0 = transformer.grouped_matmul %x, %w groups %g : (tensor<3x16xf32>, tensor<4x8x16xf32>, tensor<4xi32>) -> tensor<3x8xf32>
  return
}

// -----

func.func @grouped_matmul_c3_sizes(%x: tensor<3x16xf32>, %w: tensor<4x16x8xf32>, %g: tensor<5xi32>) {
  // expected-error @below {{expected dimension 0 of groups to be 4, but got 5}}
  %0 = transformer.grouped_matmul %x, %w groups %g : (tensor<3x16xf32>, tensor<4x16x8xf32>, tensor<5xi32>) -> tensor<3x8xf32>
  return
}

// -----

func.func @grouped_matmul_c3_offsets(%x: tensor<3x16xf32>, %w: tensor<4x16x8xf32>, %g: tensor<4xi32>) {
  // expected-error @below {{expected dimension 0 of groups to be 5, but got 4}}
  %0 = transformer.grouped_matmul %x, %w groups %g {offsets} : (tensor<3x16xf32>, tensor<4x16x8xf32>, tensor<4xi32>) -> tensor<3x8xf32>
  return
}

// -----

func.func @grouped_matmul_c4_bias(%x: tensor<3x16xf32>, %w: tensor<4x16x8xf32>, %g: tensor<4xi32>, %b: tensor<3x8xf32>) {
  // expected-error @below {{expected dimension 0 of bias to be 4, but got 3}}
  %0 = transformer.grouped_matmul %x, %w groups %g bias %b : (tensor<3x16xf32>, tensor<4x16x8xf32>, tensor<4xi32>, tensor<3x8xf32>) -> tensor<3x8xf32>
  return
}

// -----

func.func @grouped_matmul_c5_result(%x: tensor<3x16xf32>, %w: tensor<4x16x8xf32>, %g: tensor<4xi32>) {
  // expected-error @below {{expected dimension 0 of result to be 3, but got 4}}
  %0 = transformer.grouped_matmul %x, %w groups %g : (tensor<3x16xf32>, tensor<4x16x8xf32>, tensor<4xi32>) -> tensor<4x8xf32>
  return
}

// -----

func.func @grouped_matmul_c6_factors(%x: tensor<3x16xf32>, %w: tensor<4x16x8xf16>, %g: tensor<4xi32>) {
  // expected-error @below {{expected element type 'f32' for rhs, but got 'f16'}}
  %0 = transformer.grouped_matmul %x, %w groups %g : (tensor<3x16xf32>, tensor<4x16x8xf16>, tensor<4xi32>) -> tensor<3x8xf32>
  return
}

// -----

func.func @grouped_matmul_c7_result(%x: tensor<3x16xi8>, %w: tensor<4x16x8xi8>, %g: tensor<4xi32>) {
  // expected-error @below {{expected element type i32 for result, but got 'f32'}}
  %0 = transformer.grouped_matmul %x, %w groups %g : (tensor<3x16xi8>, tensor<4x16x8xi8>, tensor<4xi32>) -> tensor<3x8xf32>
  return
}

// -----

func.func @grouped_matmul_c8_bias(%x: tensor<3x16xbf16>, %w: tensor<4x16x8xbf16>, %g: tensor<4xi32>, %b: tensor<4x8xf32>) {
  // expected-error @below {{expected element type 'bf16' throughout, but got 'f32'}}
  %0 = transformer.grouped_matmul %x, %w groups %g bias %b : (tensor<3x16xbf16>, tensor<4x16x8xbf16>, tensor<4xi32>, tensor<4x8xf32>) -> tensor<3x8xbf16>
  return
}

// -----

func.func @grouped_matmul_c9_accumulate(%x: tensor<3x16xbf16>, %w: tensor<4x16x8xbf16>, %g: tensor<4xi32>) {
  // expected-error @below {{expected accumulate to be f32 or f64 for element type 'bf16', but got 'i32'}}
  %0 = transformer.grouped_matmul %x, %w groups %g {accumulate = i32} : (tensor<3x16xbf16>, tensor<4x16x8xbf16>, tensor<4xi32>) -> tensor<3x8xbf16>
  return
}

// -----

func.func @grouped_matmul_c10_activation(%x: tensor<3x16xi8>, %w: tensor<4x16x8xi8>, %g: tensor<4xi32>) {
  // expected-error @below {{expected no activation of a product of integers}}
  %0 = transformer.grouped_matmul %x, %w groups %g {activation = #transformer.activation<relu>} : (tensor<3x16xi8>, tensor<4x16x8xi8>, tensor<4xi32>) -> tensor<3x8xi32>
  return
}

// -----

func.func @linear_c1_input(%x: tensor<64xbf16>, %w: tensor<24x64xi8>, %s: tensor<24xf32>) {
  // expected-error @below {{expected rank 2 or more for input, but got 1}}
  %0 = transformer.linear %x, %w scale %s : (tensor<64xbf16>, tensor<24x64xi8>, tensor<24xf32>) -> tensor<24xbf16>
  return
}

// -----

func.func @linear_c1_weights(%x: tensor<4x64xbf16>, %w: tensor<1x24x64xi8>, %s: tensor<24xf32>) {
  // expected-error @below {{expected rank 2 for weights, but got 3}}
  %0 = transformer.linear %x, %w scale %s : (tensor<4x64xbf16>, tensor<1x24x64xi8>, tensor<24xf32>) -> tensor<4x24xbf16>
  return
}

// -----

func.func @linear_c2_contraction(%x: tensor<4x64xbf16>, %w: tensor<24x32xi8>, %s: tensor<24xf32>) {
  // expected-error @below {{expected dimension 1 of weights, which is summed over, to be 64, but got 32}}
  %0 = transformer.linear %x, %w scale %s : (tensor<4x64xbf16>, tensor<24x32xi8>, tensor<24xf32>) -> tensor<4x24xbf16>
  return
}

// -----

func.func @linear_c3_result(%x: tensor<4x64xbf16>, %w: tensor<24x64xi8>, %s: tensor<24xf32>) {
  // expected-error @below {{expected dimension 1 of result to be 24, but got 64}}
  %0 = transformer.linear %x, %w scale %s : (tensor<4x64xbf16>, tensor<24x64xi8>, tensor<24xf32>) -> tensor<4x64xbf16>
  return
}

// -----

func.func @linear_c3_residual(%x: tensor<4x64xbf16>, %w: tensor<24x64xi8>, %s: tensor<24xf32>, %r: tensor<5x24xbf16>) {
  // expected-error @below {{expected dimension 0 of residual to be 4, but got 5}}
  %0 = transformer.linear %x, %w scale %s residual %r : (tensor<4x64xbf16>, tensor<24x64xi8>, tensor<24xf32>, tensor<5x24xbf16>) -> tensor<4x24xbf16>
  return
}

// -----

func.func @linear_c4_bias(%x: tensor<4x64xbf16>, %w: tensor<24x64xi8>, %s: tensor<24xf32>, %b: tensor<64xbf16>) {
  // expected-error @below {{expected dimension 0 of bias to be 24, but got 64}}
  %0 = transformer.linear %x, %w scale %s bias %b : (tensor<4x64xbf16>, tensor<24x64xi8>, tensor<24xf32>, tensor<64xbf16>) -> tensor<4x24xbf16>
  return
}

// -----

func.func @linear_c5_no_scale(%x: tensor<4x64xbf16>, %w: tensor<24x64xi8>) {
  // expected-error @below {{expected a scale for weights of element type 'i8'}}
  %0 = transformer.linear %x, %w : (tensor<4x64xbf16>, tensor<24x64xi8>) -> tensor<4x24xbf16>
  return
}

// -----

func.func @linear_c5_scale_of_floats(%x: tensor<4x64xbf16>, %w: tensor<24x64xbf16>, %s: tensor<24xf32>) {
  // expected-error @below {{expected no scale, zero point or block for weights of element type 'bf16'}}
  %0 = transformer.linear %x, %w scale %s : (tensor<4x64xbf16>, tensor<24x64xbf16>, tensor<24xf32>) -> tensor<4x24xbf16>
  return
}

// -----

func.func @linear_c5_types(%x: tensor<4x64xbf16>, %w: tensor<24x64xf32>) {
  // expected-error @below {{expected element type 'bf16' for weights, but got 'f32'}}
  %0 = transformer.linear %x, %w : (tensor<4x64xbf16>, tensor<24x64xf32>) -> tensor<4x24xbf16>
  return
}

// -----

func.func @linear_c6_channels(%x: tensor<4x64xbf16>, %w: tensor<24x64xi8>, %s: tensor<64xf32>) {
  // expected-error @below {{expected dimension 0 of scale to be 24, but got 64}}
  %0 = transformer.linear %x, %w scale %s : (tensor<4x64xbf16>, tensor<24x64xi8>, tensor<64xf32>) -> tensor<4x24xbf16>
  return
}

// -----

func.func @linear_c6_blocks(%x: tensor<4x64xbf16>, %w: tensor<24x64xi8>, %s: tensor<24x2xf32>) {
  // expected-error @below {{expected dimension 1 of scale to be 3, but got 2}}
  %0 = transformer.linear %x, %w scale %s {block = array<i64: 1, 30>} : (tensor<4x64xbf16>, tensor<24x64xi8>, tensor<24x2xf32>) -> tensor<4x24xbf16>
  return
}

// -----

func.func @linear_c6_block_size(%x: tensor<4x64xbf16>, %w: tensor<24x64xi8>, %s: tensor<24x2xf32>) {
  // expected-error @below {{expected positive sizes for block, but got 0}}
  %0 = transformer.linear %x, %w scale %s {block = array<i64: 1, 0>} : (tensor<4x64xbf16>, tensor<24x64xi8>, tensor<24x2xf32>) -> tensor<4x24xbf16>
  return
}

// -----

func.func @linear_c6_block_rank(%x: tensor<4x64xbf16>, %w: tensor<24x64xi8>, %s: tensor<24x2xf32>) {
  // expected-error @below {{expected 2 sizes for block, but got 1}}
  %0 = transformer.linear %x, %w scale %s {block = array<i64: 32>} : (tensor<4x64xbf16>, tensor<24x64xi8>, tensor<24x2xf32>) -> tensor<4x24xbf16>
  return
}

// -----

func.func @linear_c7_shape(%x: tensor<4x64xbf16>, %w: tensor<24x64xi8>, %s: tensor<24xf32>, %z: tensor<i8>) {
  // expected-error @below {{expected rank 1 for zero_point, but got 0}}
  %0 = transformer.linear %x, %w scale %s zero_point %z : (tensor<4x64xbf16>, tensor<24x64xi8>, tensor<24xf32>, tensor<i8>) -> tensor<4x24xbf16>
  return
}

// -----

func.func @linear_c7_type(%x: tensor<4x64xbf16>, %w: tensor<24x64xi8>, %s: tensor<24xf32>, %z: tensor<24xi4>) {
  // expected-error @below {{expected element type 'i8' for zero_point, but got 'i4'}}
  %0 = transformer.linear %x, %w scale %s zero_point %z : (tensor<4x64xbf16>, tensor<24x64xi8>, tensor<24xf32>, tensor<24xi4>) -> tensor<4x24xbf16>
  return
}

// -----

func.func @linear_c7_of_floats(%x: tensor<4x64xbf16>, %w: tensor<24x64xf8E5M2>, %s: tensor<24xf32>, %z: tensor<24xi8>) {
  // expected-error @below {{expected element type 'f8E5M2' for zero_point, but got 'i8'}}
  %0 = transformer.linear %x, %w scale %s zero_point %z : (tensor<4x64xbf16>, tensor<24x64xf8E5M2>, tensor<24xf32>, tensor<24xi8>) -> tensor<4x24xbf16>
  return
}

// -----

func.func @linear_c8_scale(%x: tensor<4x64xbf16>, %w: tensor<24x64xi8>, %s: tensor<24xf16>) {
  // expected-error @below {{expected element type f32 or 'bf16' for scale, but got 'f16'}}
  %0 = transformer.linear %x, %w scale %s : (tensor<4x64xbf16>, tensor<24x64xi8>, tensor<24xf16>) -> tensor<4x24xbf16>
  return
}

// -----

func.func @linear_c9_result(%x: tensor<4x64xbf16>, %w: tensor<24x64xi8>, %s: tensor<24xf32>) {
  // expected-error @below {{expected element type 'bf16' or 'f32' for result, but got 'f16'}}
  %0 = transformer.linear %x, %w scale %s : (tensor<4x64xbf16>, tensor<24x64xi8>, tensor<24xf32>) -> tensor<4x24xf16>
  return
}

// -----

func.func @linear_c9_bias(%x: tensor<4x64xbf16>, %w: tensor<24x64xi8>, %s: tensor<24xf32>, %b: tensor<24xf32>) {
  // expected-error @below {{expected element type 'bf16' throughout, but got 'f32'}}
  %0 = transformer.linear %x, %w scale %s bias %b : (tensor<4x64xbf16>, tensor<24x64xi8>, tensor<24xf32>, tensor<24xf32>) -> tensor<4x24xbf16>
  return
}

// -----

func.func @linear_c10_accumulate(%x: tensor<4x64xbf16>, %w: tensor<24x64xi8>, %s: tensor<24xf32>) {
  // expected-error @below {{expected accumulate to be f32 or f64 for element type 'bf16', but got 'bf16'}}
  %0 = transformer.linear %x, %w scale %s {accumulate = bf16} : (tensor<4x64xbf16>, tensor<24x64xi8>, tensor<24xf32>) -> tensor<4x24xbf16>
  return
}

// -----

func.func @linear_c8_of_f8(%x: tensor<4x64xf8E4M3FN>, %w: tensor<24x64xf8E4M3FN>, %s: tensor<24xbf16>, %i: tensor<4xf32>) {
  // expected-error @below {{expected element type f32 for scale, but got 'bf16'}}
  %0 = transformer.linear %x, %w scale %s input_scale %i : (tensor<4x64xf8E4M3FN>, tensor<24x64xf8E4M3FN>, tensor<24xbf16>, tensor<4xf32>) -> tensor<4x24xbf16>
  return
}

// -----

func.func @linear_c9_of_f8(%x: tensor<4x64xf8E4M3FN>, %w: tensor<24x64xf8E4M3FN>, %s: tensor<24xf32>, %i: tensor<4xf32>) {
  // expected-error @below {{expected element type bf16, f16 or f32 for result, but got 'f64'}}
  %0 = transformer.linear %x, %w scale %s input_scale %i : (tensor<4x64xf8E4M3FN>, tensor<24x64xf8E4M3FN>, tensor<24xf32>, tensor<4xf32>) -> tensor<4x24xf64>
  return
}

// -----

func.func @linear_c11_missing(%x: tensor<4x64xf8E4M3FN>, %w: tensor<24x64xf8E4M3FN>, %s: tensor<24xf32>) {
  // expected-error @below {{expected an input_scale for input of element type 'f8E4M3FN'}}
  %0 = transformer.linear %x, %w scale %s : (tensor<4x64xf8E4M3FN>, tensor<24x64xf8E4M3FN>, tensor<24xf32>) -> tensor<4x24xbf16>
  return
}

// -----

func.func @linear_c11_unexpected(%x: tensor<4x64xbf16>, %w: tensor<24x64xf8E4M3FN>, %s: tensor<24xf32>, %i: tensor<4xf32>) {
  // expected-error @below {{expected no input_scale for input of element type 'bf16'}}
  %0 = transformer.linear %x, %w scale %s input_scale %i : (tensor<4x64xbf16>, tensor<24x64xf8E4M3FN>, tensor<24xf32>, tensor<4xf32>) -> tensor<4x24xbf16>
  return
}

// -----

func.func @linear_c11_weights(%x: tensor<4x64xf8E4M3FN>, %w: tensor<24x64xi8>, %s: tensor<24xf32>, %i: tensor<4xf32>) {
  // expected-error @below {{expected weights of f8 without block for an input of f8}}
  %0 = transformer.linear %x, %w scale %s input_scale %i : (tensor<4x64xf8E4M3FN>, tensor<24x64xi8>, tensor<24xf32>, tensor<4xf32>) -> tensor<4x24xbf16>
  return
}

// -----

func.func @linear_c11_block(%x: tensor<4x64xf8E4M3FN>, %w: tensor<24x64xf8E4M3FN>, %s: tensor<24x2xf32>, %i: tensor<4xf32>) {
  // expected-error @below {{expected weights of f8 without block for an input of f8}}
  %0 = transformer.linear %x, %w scale %s input_scale %i {block = array<i64: 1, 32>} : (tensor<4x64xf8E4M3FN>, tensor<24x64xf8E4M3FN>, tensor<24x2xf32>, tensor<4xf32>) -> tensor<4x24xbf16>
  return
}

// -----

func.func @linear_c11_shape(%x: tensor<4x64xf8E4M3FN>, %w: tensor<24x64xf8E4M3FN>, %s: tensor<24xf32>, %i: tensor<5xf32>) {
  // expected-error @below {{expected dimension 0 of input_scale to be 4, but got 5}}
  %0 = transformer.linear %x, %w scale %s input_scale %i : (tensor<4x64xf8E4M3FN>, tensor<24x64xf8E4M3FN>, tensor<24xf32>, tensor<5xf32>) -> tensor<4x24xbf16>
  return
}

// -----

func.func @linear_c11_type(%x: tensor<4x64xf8E4M3FN>, %w: tensor<24x64xf8E4M3FN>, %s: tensor<24xf32>, %i: tensor<4xbf16>) {
  // expected-error @below {{expected element type 'f32' for input_scale, but got 'bf16'}}
  %0 = transformer.linear %x, %w scale %s input_scale %i : (tensor<4x64xf8E4M3FN>, tensor<24x64xf8E4M3FN>, tensor<24xf32>, tensor<4xbf16>) -> tensor<4x24xbf16>
  return
}
