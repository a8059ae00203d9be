// RUN: forge-opt --split-input-file --verify-diagnostics %s

func.func @rope_c1_rank(%x: tensor<8x16x64xf32>, %p: tensor<16xi32>) {
  // expected-error @below {{expected rank 4 for input, but got 3}}
  %0 = transformer.rope %x positions %p : (tensor<8x16x64xf32>, tensor<16xi32>) -> tensor<8x16x64xf32>
  return
}

// -----

func.func @rope_c2_positions(%x: tensor<2x8x16x64xf32>, %p: tensor<2x15xi32>) {
  // expected-error @below {{expected dimension 1 of positions to be 16, but got 15}}
  %0 = transformer.rope %x positions %p : (tensor<2x8x16x64xf32>, tensor<2x15xi32>) -> tensor<2x8x16x64xf32>
  return
}

// -----

func.func @rope_c2_rank(%x: tensor<2x8x16x64xf32>, %p: tensor<i32>) {
  // expected-error @below {{expected rank 1 or 2 for positions, but got 0}}
  %0 = transformer.rope %x positions %p : (tensor<2x8x16x64xf32>, tensor<i32>) -> tensor<2x8x16x64xf32>
  return
}

// -----

func.func @rope_c3_odd(%x: tensor<2x8x16x65xf32>, %p: tensor<16xi32>) {
  // expected-error @below {{expected an even number of rotary dimensions, 2 or more, but got 65}}
  %0 = transformer.rope %x positions %p : (tensor<2x8x16x65xf32>, tensor<16xi32>) -> tensor<2x8x16x65xf32>
  return
}

// -----

func.func @rope_c3_large(%x: tensor<2x8x16x64xf32>, %p: tensor<16xi32>) {
  // expected-error @below {{expected at most 64 rotary dimensions, but got 66}}
  %0 = transformer.rope %x positions %p {rotary_dims = 66 : i64} : (tensor<2x8x16x64xf32>, tensor<16xi32>) -> tensor<2x8x16x64xf32>
  return
}

// -----

func.func @rope_c3_dynamic(%x: tensor<2x8x16x?xf32>, %p: tensor<16xi32>) {
  // expected-error @below {{expected rotary_dims where the head dimension is dynamic}}
  %0 = transformer.rope %x positions %p : (tensor<2x8x16x?xf32>, tensor<16xi32>) -> tensor<2x8x16x?xf32>
  return
}

// -----

func.func @rope_c4_sequences(%x: tensor<2x8x16x64xbf16>, %p: tensor<16xi32>, %f: tensor<3x32xf32>) {
  // expected-error @below {{expected dimension 0 of frequencies to be 2, but got 3}}
  %0 = transformer.rope %x positions %p frequencies %f : (tensor<2x8x16x64xbf16>, tensor<16xi32>, tensor<3x32xf32>) -> tensor<2x8x16x64xbf16>
  return
}

// -----

func.func @rope_c4_rank(%x: tensor<2x8x16x64xbf16>, %p: tensor<16xi32>, %f: tensor<1x2x32xf32>) {
  // expected-error @below {{expected rank 1 or 2 for frequencies, but got 3}}
  %0 = transformer.rope %x positions %p frequencies %f : (tensor<2x8x16x64xbf16>, tensor<16xi32>, tensor<1x2x32xf32>) -> tensor<2x8x16x64xbf16>
  return
}

// -----

func.func @rope_c4_frequencies(%x: tensor<2x8x16x64xbf16>, %p: tensor<16xi32>, %f: tensor<32xbf16>) {
  // expected-error @below {{expected element type 'f32' for frequencies, but got 'bf16'}}
  %0 = transformer.rope %x positions %p frequencies %f : (tensor<2x8x16x64xbf16>, tensor<16xi32>, tensor<32xbf16>) -> tensor<2x8x16x64xbf16>
  return
}

// -----

func.func @rope_c4_base(%x: tensor<2x8x16x64xbf16>, %p: tensor<16xi32>, %f: tensor<32xf32>) {
  // expected-error @below {{expected no base and no scaling with frequencies}}
  %0 = transformer.rope %x positions %p frequencies %f {base = 500.0 : f64} : (tensor<2x8x16x64xbf16>, tensor<16xi32>, tensor<32xf32>) -> tensor<2x8x16x64xbf16>
  return
}

// -----

func.func @rope_c5_base(%x: tensor<2x8x16x64xf32>, %p: tensor<16xi32>) {
  // expected-error @below {{expected a base that is finite and above 1}}
  %0 = transformer.rope %x positions %p {base = 1.0 : f64} : (tensor<2x8x16x64xf32>, tensor<16xi32>) -> tensor<2x8x16x64xf32>
  return
}

// -----

func.func @rope_c6_accumulate(%x: tensor<2x8x16x64xf32>, %p: tensor<16xi32>) {
  // expected-error @below {{expected accumulate to be f32 or f64 for element type 'f32', but got 'bf16'}}
  %0 = transformer.rope %x positions %p {accumulate = bf16} : (tensor<2x8x16x64xf32>, tensor<16xi32>) -> tensor<2x8x16x64xf32>
  return
}

// -----

func.func @rope_c7_dynamic_scaling(%x: tensor<2x8x16x64xf32>, %p: tensor<16xi32>) {
  // expected-error @below {{expected more than 2 rotary dimensions for dynamic scaling, but got 2}}
  %0 = transformer.rope %x positions %p {rotary_dims = 2 : i64, scaling = #transformer.rope_scaling<dynamic, factor = 2.0, original_length = 9>} : (tensor<2x8x16x64xf32>, tensor<16xi32>) -> tensor<2x8x16x64xf32>
  return
}

// -----

func.func @kv_append_c1_heads(%x: tensor<2x4x1x64xf32>, %c: tensor<2x8x32x64xf32>, %p: tensor<2xi32>) {
  // expected-error @below {{expected heads of rows to be 8, but got 4}}
  %0 = transformer.kv_append %x into %c at %p : (tensor<2x4x1x64xf32>, tensor<2x8x32x64xf32>, tensor<2xi32>) -> tensor<2x8x32x64xf32>
  return
}

// -----

func.func @kv_append_c1_rank(%x: tensor<2x4x64xf32>, %c: tensor<2x4x32x64xf32>, %p: tensor<2xi32>) {
  // expected-error @below {{expected rank 4 for rows, but got 3}}
  %0 = transformer.kv_append %x into %c at %p : (tensor<2x4x64xf32>, tensor<2x4x32x64xf32>, tensor<2xi32>) -> tensor<2x4x32x64xf32>
  return
}

// -----

func.func @kv_append_c2_positions(%x: tensor<2x4x1x64xf32>, %c: tensor<2x4x32x64xf32>, %p: tensor<1xi32>) {
  // expected-error @below {{expected dimension 0 of positions to be 2, but got 1}}
  %0 = transformer.kv_append %x into %c at %p : (tensor<2x4x1x64xf32>, tensor<2x4x32x64xf32>, tensor<1xi32>) -> tensor<2x4x32x64xf32>
  return
}

// -----

func.func @kv_append_c3_batch(%x: tensor<2x4x1x64xf32>, %c: tensor<3x4x32x64xf32>, %p: tensor<2xi32>) {
  // expected-error @below {{expected batch of rows to be 3, but got 2}}
  %0 = transformer.kv_append %x into %c at %p : (tensor<2x4x1x64xf32>, tensor<3x4x32x64xf32>, tensor<2xi32>) -> tensor<3x4x32x64xf32>
  return
}

// -----

func.func @kv_append_c3_table(%x: tensor<2x4x1x64xf32>, %c: tensor<9x4x16x64xf32>, %p: tensor<2xi32>, %t: tensor<8xi32>) {
  // expected-error @below {{expected rank 2 for block_table, but got 1}}
  %0 = transformer.kv_append %x into %c at %p table %t : (tensor<2x4x1x64xf32>, tensor<9x4x16x64xf32>, tensor<2xi32>, tensor<8xi32>) -> tensor<9x4x16x64xf32>
  return
}

// -----

func.func @kv_append_c4_types(%x: tensor<2x4x1x64xf32>, %c: tensor<2x4x32x64xbf16>, %p: tensor<2xi32>) {
  // expected-error @below {{expected element type 'f32' throughout, but got 'bf16'}}
  %0 = transformer.kv_append %x into %c at %p : (tensor<2x4x1x64xf32>, tensor<2x4x32x64xbf16>, tensor<2xi32>) -> tensor<2x4x32x64xbf16>
  return
}

// -----

func.func @kv_append_c5_empty(%x: tensor<2x4x1x64xf32>, %c: tensor<9x4x16x64xf32>, %p: tensor<2xi32>, %t: tensor<2x0xi32>) {
  // expected-error @below {{expected pages, and rows in them, but got 0}}
  %0 = transformer.kv_append %x into %c at %p table %t : (tensor<2x4x1x64xf32>, tensor<9x4x16x64xf32>, tensor<2xi32>, tensor<2x0xi32>) -> tensor<9x4x16x64xf32>
  return
}

// -----

func.func @rope_scaling_twice(%x: tensor<2x8x16x64xf32>, %p: tensor<16xi32>) {
  // expected-error @below {{expected factor once}}
  %0 = transformer.rope %x positions %p {scaling = #transformer.rope_scaling<linear, factor = 2.0, factor = 4.0>} : (tensor<2x8x16x64xf32>, tensor<16xi32>) -> tensor<2x8x16x64xf32>
  return
}

// -----

func.func @rope_scaling_parameter_of_another_rule(%x: tensor<2x8x16x64xf32>, %p: tensor<16xi32>) {
  // expected-error @below {{expected a parameter of linear, but got beta_fast}}
  %0 = transformer.rope %x positions %p {scaling = #transformer.rope_scaling<linear, factor = 2.0, beta_fast = 16.0>} : (tensor<2x8x16x64xf32>, tensor<16xi32>) -> tensor<2x8x16x64xf32>
  return
}

// -----

func.func @rope_scaling_attention_factor(%x: tensor<2x8x16x64xf32>, %p: tensor<16xi32>) {
  // expected-error @below {{expected an attention_factor that is finite and above 0, but got 0}}
  %0 = transformer.rope %x positions %p {scaling = #transformer.rope_scaling<yarn, factor = 2.0, original_length = 9, attention_factor = 0.0>} : (tensor<2x8x16x64xf32>, tensor<16xi32>) -> tensor<2x8x16x64xf32>
  return
}
