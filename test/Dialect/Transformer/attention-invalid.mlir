// Constraints of attention, paged_attention, rope and kv_append; c1 to c8 of attention are in invalid.mlir.
// RUN: forge-opt --split-input-file --verify-diagnostics %s

func.func @attention_c5_lse(%q: tensor<1x8x16x64xf32>, %k: tensor<1x2x32x64xf32>) {
  // expected-error @below {{expected rank 3 for lse, but got 4}}
  %0:2 = transformer.attention %q, %k, %k : (tensor<1x8x16x64xf32>, tensor<1x2x32x64xf32>, tensor<1x2x32x64xf32>) -> (tensor<1x8x16x64xf32>, tensor<1x8x16x1xf32>)
  return
}

// -----

func.func @attention_c8_lse(%q: tensor<1x8x16x64xbf16>, %k: tensor<1x2x32x64xbf16>) {
  // expected-error @below {{expected element type 'f32' for lse, but got 'bf16'}}
  %0:2 = transformer.attention %q, %k, %k : (tensor<1x8x16x64xbf16>, tensor<1x2x32x64xbf16>, tensor<1x2x32x64xbf16>) -> (tensor<1x8x16x64xbf16>, tensor<1x8x16xbf16>)
  return
}

// -----

func.func @attention_c8_sinks(%q: tensor<1x8x16x64xbf16>, %k: tensor<1x2x32x64xbf16>, %s: tensor<8xf32>) {
  // expected-error @below {{expected element type 'bf16' throughout, but got 'f32'}}
  %0 = transformer.attention %q, %k, %k sinks %s : (tensor<1x8x16x64xbf16>, tensor<1x2x32x64xbf16>, tensor<1x2x32x64xbf16>, tensor<8xf32>) -> tensor<1x8x16x64xbf16>
  return
}

// -----

func.func @attention_c9_window(%q: tensor<1x8x16x64xf32>, %k: tensor<1x2x32x64xf32>) {
  // expected-error @below {{expected a window of 1 or more, but got -4}}
  %0 = transformer.attention %q, %k, %k {window = -4 : i64} : (tensor<1x8x16x64xf32>, tensor<1x2x32x64xf32>, tensor<1x2x32x64xf32>) -> tensor<1x8x16x64xf32>
  return
}

// -----

func.func @attention_c10_soft_cap(%q: tensor<1x8x16x64xf32>, %k: tensor<1x2x32x64xf32>) {
  // expected-error @below {{expected a soft_cap that is finite and above 0}}
  %0 = transformer.attention %q, %k, %k {soft_cap = 0.0 : f32} : (tensor<1x8x16x64xf32>, tensor<1x2x32x64xf32>, tensor<1x2x32x64xf32>) -> tensor<1x8x16x64xf32>
  return
}

// -----

func.func @attention_c11_sinks(%q: tensor<1x8x16x64xf32>, %k: tensor<1x2x32x64xf32>, %s: tensor<2xf32>) {
  // expected-error @below {{expected dimension 0 of sinks to be 8, but got 2}}
  %0 = transformer.attention %q, %k, %k sinks %s : (tensor<1x8x16x64xf32>, tensor<1x2x32x64xf32>, tensor<1x2x32x64xf32>, tensor<2xf32>) -> tensor<1x8x16x64xf32>
  return
}

// -----

func.func @attention_c12_lengths(%q: tensor<2x8x16x64xf32>, %k: tensor<2x2x32x64xf32>, %n: tensor<3xi32>) {
  // expected-error @below {{expected dimension 0 of lengths to be 2, but got 3}}
  %0 = transformer.attention %q, %k, %k lengths %n : (tensor<2x8x16x64xf32>, tensor<2x2x32x64xf32>, tensor<2x2x32x64xf32>, tensor<3xi32>) -> tensor<2x8x16x64xf32>
  return
}

// -----

func.func @attention_c12_offsets(%q: tensor<2x8x16x64xf32>, %k: tensor<2x2x32x64xf32>, %n: tensor<2x1xi32>) {
  // expected-error @below {{expected rank 1 for offsets, but got 2}}
  %0 = transformer.attention %q, %k, %k offsets %n : (tensor<2x8x16x64xf32>, tensor<2x2x32x64xf32>, tensor<2x2x32x64xf32>, tensor<2x1xi32>) -> tensor<2x8x16x64xf32>
  return
}

// -----

func.func @attention_c13_arguments(%q: tensor<1x8x16x64xbf16>, %k: tensor<1x2x32x64xbf16>) {
  // expected-error @below {{expected score to take 'f32' and four indices, but got ('bf16', 'index')}}
  %0 = transformer.attention %q, %k, %k score {
  ^bb0(%x: bf16, %h: index):
    transformer.yield %x : bf16
  } : (tensor<1x8x16x64xbf16>, tensor<1x2x32x64xbf16>, tensor<1x2x32x64xbf16>) -> tensor<1x8x16x64xbf16>
  return
}

// -----

func.func @attention_c13_yield(%q: tensor<1x8x16x64xf32>, %k: tensor<1x2x32x64xf32>) {
  %0 = transformer.attention %q, %k, %k score {
  ^bb0(%x: f32, %b: index, %h: index, %s: index, %t: index):
    %y = arith.extf %x : f32 to f64
    // expected-error @below {{expected 'f32', but got 'f64'}}
    transformer.yield %y : f64
  } : (tensor<1x8x16x64xf32>, tensor<1x2x32x64xf32>, tensor<1x2x32x64xf32>) -> tensor<1x8x16x64xf32>
  return
}

// -----

func.func @attention_c13_terminator(%q: tensor<1x8x16x64xf32>, %k: tensor<1x2x32x64xf32>) {
  // expected-error @below {{expected score to end in transformer.yield}}
  %0 = transformer.attention %q, %k, %k score {
  ^bb0(%x: f32, %b: index, %h: index, %s: index, %t: index):
    llvm.unreachable
  } : (tensor<1x8x16x64xf32>, tensor<1x2x32x64xf32>, tensor<1x2x32x64xf32>) -> tensor<1x8x16x64xf32>
  return
}

// -----

func.func private @log(f32)
func.func @attention_c14_effects(%q: tensor<1x8x16x64xf32>, %k: tensor<1x2x32x64xf32>) {
  // expected-note @below {{the region belongs to this operation}}
  %0 = transformer.attention %q, %k, %k score {
  ^bb0(%x: f32, %b: index, %h: index, %s: index, %t: index):
    // expected-error @below {{expected operations without effects and regions in score}}
    func.call @log(%x) : (f32) -> ()
    transformer.yield %x : f32
  } : (tensor<1x8x16x64xf32>, tensor<1x2x32x64xf32>, tensor<1x2x32x64xf32>) -> tensor<1x8x16x64xf32>
  return
}

// -----

func.func @attention_c15_accumulate(%q: tensor<1x8x16x64xf64>, %k: tensor<1x2x32x64xf64>) {
  // expected-error @below {{expected accumulate to be f64 for element type 'f64', but got 'f32'}}
  %0 = transformer.attention %q, %k, %k {accumulate = f32} : (tensor<1x8x16x64xf64>, tensor<1x2x32x64xf64>, tensor<1x2x32x64xf64>) -> tensor<1x8x16x64xf64>
  return
}

// -----

func.func @paged_attention_c1_rank(%q: tensor<2x8x1x64xf32>, %k: tensor<9x16x64xf32>, %t: tensor<2x4xi32>, %n: tensor<2xi32>) {
  // expected-error @below {{expected rank 4 for key_pages, but got 3}}
  %0 = transformer.paged_attention %q, %k, %k table %t lengths %n : (tensor<2x8x1x64xf32>, tensor<9x16x64xf32>, tensor<9x16x64xf32>, tensor<2x4xi32>, tensor<2xi32>) -> tensor<2x8x1x64xf32>
  return
}

// -----

func.func @paged_attention_c2_page_size(%q: tensor<2x8x1x64xf32>, %k: tensor<9x2x16x64xf32>, %v: tensor<9x2x8x64xf32>, %t: tensor<2x4xi32>, %n: tensor<2xi32>) {
  // expected-error @below {{expected page size of value_pages to be 16, but got 8}}
  %0 = transformer.paged_attention %q, %k, %v table %t lengths %n : (tensor<2x8x1x64xf32>, tensor<9x2x16x64xf32>, tensor<9x2x8x64xf32>, tensor<2x4xi32>, tensor<2xi32>) -> tensor<2x8x1x64xf32>
  return
}

// -----

func.func @paged_attention_c2_no_page(%q: tensor<2x8x1x64xf32>, %k: tensor<0x2x16x64xf32>, %t: tensor<2x4xi32>, %n: tensor<2xi32>) {
  // expected-error @below {{expected 1 page or more, but got 0}}
  %0 = transformer.paged_attention %q, %k, %k table %t lengths %n : (tensor<2x8x1x64xf32>, tensor<0x2x16x64xf32>, tensor<0x2x16x64xf32>, tensor<2x4xi32>, tensor<2xi32>) -> tensor<2x8x1x64xf32>
  return
}

// -----

func.func @paged_attention_c3_head_dim(%q: tensor<2x8x1x64xf32>, %k: tensor<9x2x16x32xf32>, %t: tensor<2x4xi32>, %n: tensor<2xi32>) {
  // expected-error @below {{expected head dim of key_pages to be 64, but got 32}}
  %0 = transformer.paged_attention %q, %k, %k table %t lengths %n : (tensor<2x8x1x64xf32>, tensor<9x2x16x32xf32>, tensor<9x2x16x32xf32>, tensor<2x4xi32>, tensor<2xi32>) -> tensor<2x8x1x32xf32>
  return
}

// -----

func.func @paged_attention_c4_groups(%q: tensor<2x8x1x64xf32>, %k: tensor<9x3x16x64xf32>, %t: tensor<2x4xi32>, %n: tensor<2xi32>) {
  // expected-error @below {{expected query heads to be a multiple of the 3 key heads, but got 8}}
  %0 = transformer.paged_attention %q, %k, %k table %t lengths %n : (tensor<2x8x1x64xf32>, tensor<9x3x16x64xf32>, tensor<9x3x16x64xf32>, tensor<2x4xi32>, tensor<2xi32>) -> tensor<2x8x1x64xf32>
  return
}

// -----

func.func @paged_attention_c5_result(%q: tensor<2x8x1x64xf32>, %k: tensor<9x2x16x64xf32>, %v: tensor<9x2x16x32xf32>, %t: tensor<2x4xi32>, %n: tensor<2xi32>) {
  // expected-error @below {{expected dimension 3 of result to be 32, but got 64}}
  %0 = transformer.paged_attention %q, %k, %v table %t lengths %n : (tensor<2x8x1x64xf32>, tensor<9x2x16x64xf32>, tensor<9x2x16x32xf32>, tensor<2x4xi32>, tensor<2xi32>) -> tensor<2x8x1x64xf32>
  return
}

// -----

func.func @paged_attention_c6_table(%q: tensor<2x8x1x64xf32>, %k: tensor<9x2x16x64xf32>, %t: tensor<3x4xi32>, %n: tensor<2xi32>) {
  // expected-error @below {{expected rows of block_table to be 2, but got 3}}
  %0 = transformer.paged_attention %q, %k, %k table %t lengths %n : (tensor<2x8x1x64xf32>, tensor<9x2x16x64xf32>, tensor<9x2x16x64xf32>, tensor<3x4xi32>, tensor<2xi32>) -> tensor<2x8x1x64xf32>
  return
}

// -----

func.func @paged_attention_c7_scale(%q: tensor<2x8x1x64xf32>, %k: tensor<9x2x16x64xf32>, %t: tensor<2x4xi32>, %n: tensor<2xi32>) {
  // expected-error @below {{expected a finite scale}}
  %0 = transformer.paged_attention %q, %k, %k table %t lengths %n {scale = 0x7FC00000 : f32} : (tensor<2x8x1x64xf32>, tensor<9x2x16x64xf32>, tensor<9x2x16x64xf32>, tensor<2x4xi32>, tensor<2xi32>) -> tensor<2x8x1x64xf32>
  return
}

// -----

func.func @paged_attention_c8_types(%q: tensor<2x8x1x64xf32>, %k: tensor<9x2x16x64xbf16>, %t: tensor<2x4xi32>, %n: tensor<2xi32>) {
  // expected-error @below {{expected element type 'f32' throughout, but got 'bf16'}}
  %0 = transformer.paged_attention %q, %k, %k table %t lengths %n : (tensor<2x8x1x64xf32>, tensor<9x2x16x64xbf16>, tensor<9x2x16x64xbf16>, tensor<2x4xi32>, tensor<2xi32>) -> tensor<2x8x1x64xf32>
  return
}

// -----

func.func @paged_attention_c9_window(%q: tensor<2x8x1x64xf32>, %k: tensor<9x2x16x64xf32>, %t: tensor<2x4xi32>, %n: tensor<2xi32>) {
  // expected-error @below {{expected a window of 1 or more, but got 0}}
  %0 = transformer.paged_attention %q, %k, %k table %t lengths %n {window = 0 : i64} : (tensor<2x8x1x64xf32>, tensor<9x2x16x64xf32>, tensor<9x2x16x64xf32>, tensor<2x4xi32>, tensor<2xi32>) -> tensor<2x8x1x64xf32>
  return
}

// -----

func.func @paged_attention_c10_soft_cap(%q: tensor<2x8x1x64xf32>, %k: tensor<9x2x16x64xf32>, %t: tensor<2x4xi32>, %n: tensor<2xi32>) {
  // expected-error @below {{expected a soft_cap that is finite and above 0}}
  %0 = transformer.paged_attention %q, %k, %k table %t lengths %n {soft_cap = -1.0 : f32} : (tensor<2x8x1x64xf32>, tensor<9x2x16x64xf32>, tensor<9x2x16x64xf32>, tensor<2x4xi32>, tensor<2xi32>) -> tensor<2x8x1x64xf32>
  return
}

// -----

func.func @paged_attention_c11_sinks(%q: tensor<2x8x1x64xf32>, %k: tensor<9x2x16x64xf32>, %t: tensor<2x4xi32>, %n: tensor<2xi32>, %s: tensor<2xf32>) {
  // expected-error @below {{expected dimension 0 of sinks to be 8, but got 2}}
  %0 = transformer.paged_attention %q, %k, %k table %t lengths %n sinks %s : (tensor<2x8x1x64xf32>, tensor<9x2x16x64xf32>, tensor<9x2x16x64xf32>, tensor<2x4xi32>, tensor<2xi32>, tensor<2xf32>) -> tensor<2x8x1x64xf32>
  return
}

// -----

func.func @paged_attention_c12_lengths(%q: tensor<2x8x1x64xf32>, %k: tensor<9x2x16x64xf32>, %t: tensor<2x4xi32>, %n: tensor<4xi32>) {
  // expected-error @below {{expected dimension 0 of lengths to be 2, but got 4}}
  %0 = transformer.paged_attention %q, %k, %k table %t lengths %n : (tensor<2x8x1x64xf32>, tensor<9x2x16x64xf32>, tensor<9x2x16x64xf32>, tensor<2x4xi32>, tensor<4xi32>) -> tensor<2x8x1x64xf32>
  return
}

// -----

func.func @paged_attention_c13_arguments(%q: tensor<2x8x1x64xf32>, %k: tensor<9x2x16x64xf32>, %t: tensor<2x4xi32>, %n: tensor<2xi32>) {
  // expected-error @below {{expected score to take 'f32' and four indices, but got ('f32')}}
  %0 = transformer.paged_attention %q, %k, %k table %t lengths %n score {
  ^bb0(%x: f32):
    transformer.yield %x : f32
  } : (tensor<2x8x1x64xf32>, tensor<9x2x16x64xf32>, tensor<9x2x16x64xf32>, tensor<2x4xi32>, tensor<2xi32>) -> tensor<2x8x1x64xf32>
  return
}

// -----

func.func @paged_attention_c14_regions(%q: tensor<2x8x1x64xf32>, %k: tensor<9x2x16x64xf32>, %t: tensor<2x4xi32>, %n: tensor<2xi32>, %c: i1) {
  // expected-note @below {{the region belongs to this operation}}
  %0 = transformer.paged_attention %q, %k, %k table %t lengths %n score {
  ^bb0(%x: f32, %b: index, %h: index, %s: index, %k0: index):
    // expected-error @below {{expected operations without effects and regions in score}}
    %y = scf.if %c -> f32 {
      scf.yield %x : f32
    } else {
      scf.yield %x : f32
    }
    transformer.yield %y : f32
  } : (tensor<2x8x1x64xf32>, tensor<9x2x16x64xf32>, tensor<9x2x16x64xf32>, tensor<2x4xi32>, tensor<2xi32>) -> tensor<2x8x1x64xf32>
  return
}

// -----

func.func @paged_attention_c15_accumulate(%q: tensor<2x8x1x64xf32>, %k: tensor<9x2x16x64xf32>, %t: tensor<2x4xi32>, %n: tensor<2xi32>) {
  // expected-error @below {{expected accumulate to be f32 or f64 for element type 'f32', but got 'f16'}}
  %0 = transformer.paged_attention %q, %k, %k table %t lengths %n {accumulate = f16} : (tensor<2x8x1x64xf32>, tensor<9x2x16x64xf32>, tensor<9x2x16x64xf32>, tensor<2x4xi32>, tensor<2xi32>) -> tensor<2x8x1x64xf32>
  return
}

// -----

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

func.func @rope_c4_frequencies(%x: tensor<2x8x16x64xbf16>, %p: tensor<16xi32>, %f: tensor<32xbf16>) {
  // expected-error @below {{expected element type 'f32' for frequencies, but got 'bf16'}}
  %0 = transformer.rope %x positions %p frequencies %f : (tensor<2x8x16x64xbf16>, tensor<16xi32>, tensor<32xbf16>) -> tensor<2x8x16x64xbf16>
  return
}

// -----

func.func @rope_c4_base(%x: tensor<2x8x16x64xbf16>, %p: tensor<16xi32>, %f: tensor<32xf32>) {
  // expected-error @below {{expected no base and no scaling beside frequencies}}
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

// expected-error @below {{expected linear, dynamic, yarn or llama3, but got ntk}}
func.func private @rope_scaling_kind() attributes {s = #transformer.rope_scaling<ntk, factor = 2.0>}

// -----

// expected-error @below {{expected a parameter of rope scaling, but got alpha}}
func.func private @rope_scaling_parameter() attributes {s = #transformer.rope_scaling<yarn, alpha = 2.0>}

// -----

// expected-error @below {{expected a factor that is finite and above 0, but got 0}}
func.func private @rope_scaling_factor() attributes {s = #transformer.rope_scaling<linear>}

// -----

// expected-error @below {{expected an original_length of 1 or more, but got 0}}
func.func private @rope_scaling_length() attributes {s = #transformer.rope_scaling<yarn, factor = 2.0>}

// -----

// expected-error @below {{expected a beta_slow that is finite and above 0, but got -1}}
func.func private @rope_scaling_beta() attributes {s = #transformer.rope_scaling<yarn, factor = 2.0, original_length = 9, beta_slow = -1.0>}

// -----

// expected-error @below {{expected a high_frequency_factor above the low one, 1.000000e+00, but got 5.000000e-01}}
func.func private @rope_scaling_order() attributes {s = #transformer.rope_scaling<llama3, factor = 2.0, original_length = 9, high_frequency_factor = 0.5>}

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
