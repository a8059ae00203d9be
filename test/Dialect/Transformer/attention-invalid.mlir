// RUN: forge-opt --split-input-file --verify-diagnostics %s

// Constraints of attention; c1 to c8 are in invalid.mlir.

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

func.func @attention_c16_weights(%q: tensor<1x8x16x64xbf16>, %k: tensor<1x2x32x64xbf16>) {
  // expected-error @below {{expected weights to be 'bf16' or 'f32', but got 'f16'}}
  %0 = transformer.attention %q, %k, %k {weights = f16} : (tensor<1x8x16x64xbf16>, tensor<1x2x32x64xbf16>, tensor<1x2x32x64xbf16>) -> tensor<1x8x16x64xbf16>
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
