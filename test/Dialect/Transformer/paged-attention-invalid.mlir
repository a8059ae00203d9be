// RUN: forge-opt --split-input-file --verify-diagnostics %s

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

func.func @paged_attention_c16_weights(%q: tensor<2x8x1x64xf16>, %k: tensor<9x2x16x64xf16>, %t: tensor<2x4xi32>, %n: tensor<2xi32>) {
  // expected-error @below {{expected weights to be 'f16' or 'f32', but got 'f64'}}
  %0 = transformer.paged_attention %q, %k, %k table %t lengths %n {weights = f64} : (tensor<2x8x1x64xf16>, tensor<9x2x16x64xf16>, tensor<9x2x16x64xf16>, tensor<2x4xi32>, tensor<2xi32>) -> tensor<2x8x1x64xf16>
  return
}
