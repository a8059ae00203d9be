// RUN: forge-opt %s --split-input-file --verify-diagnostics

func.func @attention_grad_c1_batch(%d: tensor<1x4x3x5xf32>, %q: tensor<1x4x3x6xf32>, %k: tensor<2x2x7x6xf32>, %v: tensor<2x2x7x5xf32>) {
  // expected-error @+1 {{expected batch of key to be 1, but got 2}}
  %0:3 = transformer.attention_grad %d, %q, %k, %v : (tensor<1x4x3x5xf32>, tensor<1x4x3x6xf32>, tensor<2x2x7x6xf32>, tensor<2x2x7x5xf32>) -> (tensor<1x4x3x6xf32>, tensor<2x2x7x6xf32>, tensor<2x2x7x5xf32>)
  return
}

// -----

func.func @attention_grad_c2_length(%d: tensor<1x4x3x5xf32>, %q: tensor<1x4x3x6xf32>, %k: tensor<1x2x7x6xf32>, %v: tensor<1x2x8x5xf32>) {
  // expected-error @+1 {{expected length of value to be 7, but got 8}}
  %0:3 = transformer.attention_grad %d, %q, %k, %v : (tensor<1x4x3x5xf32>, tensor<1x4x3x6xf32>, tensor<1x2x7x6xf32>, tensor<1x2x8x5xf32>) -> (tensor<1x4x3x6xf32>, tensor<1x2x7x6xf32>, tensor<1x2x8x5xf32>)
  return
}

// -----

func.func @attention_grad_c3_depth(%d: tensor<1x4x3x5xf32>, %q: tensor<1x4x3x6xf32>, %k: tensor<1x2x7x8xf32>, %v: tensor<1x2x7x5xf32>) {
  // expected-error @+1 {{expected head dim of key to be 6, but got 8}}
  %0:3 = transformer.attention_grad %d, %q, %k, %v : (tensor<1x4x3x5xf32>, tensor<1x4x3x6xf32>, tensor<1x2x7x8xf32>, tensor<1x2x7x5xf32>) -> (tensor<1x4x3x6xf32>, tensor<1x2x7x8xf32>, tensor<1x2x7x5xf32>)
  return
}

// -----

func.func @attention_grad_c4_uneven_groups(%d: tensor<1x4x3x5xf32>, %q: tensor<1x4x3x6xf32>, %k: tensor<1x3x7x6xf32>, %v: tensor<1x3x7x5xf32>) {
  // expected-error @+1 {{expected query heads to be a multiple of the 3 key heads, but got 4}}
  %0:3 = transformer.attention_grad %d, %q, %k, %v : (tensor<1x4x3x5xf32>, tensor<1x4x3x6xf32>, tensor<1x3x7x6xf32>, tensor<1x3x7x5xf32>) -> (tensor<1x4x3x6xf32>, tensor<1x3x7x6xf32>, tensor<1x3x7x5xf32>)
  return
}

// -----

func.func @attention_grad_c5_cotangent(%d: tensor<1x4x3x6xf32>, %q: tensor<1x4x3x6xf32>, %k: tensor<1x2x7x6xf32>, %v: tensor<1x2x7x5xf32>) {
  // expected-error @+1 {{expected dimension 3 of cotangent to be 5, but got 6}}
  %0:3 = transformer.attention_grad %d, %q, %k, %v : (tensor<1x4x3x6xf32>, tensor<1x4x3x6xf32>, tensor<1x2x7x6xf32>, tensor<1x2x7x5xf32>) -> (tensor<1x4x3x6xf32>, tensor<1x2x7x6xf32>, tensor<1x2x7x5xf32>)
  return
}

// -----

func.func @attention_grad_c5_lse(%d: tensor<1x4x3x5xf32>, %q: tensor<1x4x3x6xf32>, %k: tensor<1x2x7x6xf32>, %v: tensor<1x2x7x5xf32>, %l: tensor<1x4x4xf32>) {
  // expected-error @+1 {{expected dimension 2 of lse_cotangent to be 3, but got 4}}
  %0:3 = transformer.attention_grad %d, %q, %k, %v lse %l : (tensor<1x4x3x5xf32>, tensor<1x4x3x6xf32>, tensor<1x2x7x6xf32>, tensor<1x2x7x5xf32>, tensor<1x4x4xf32>) -> (tensor<1x4x3x6xf32>, tensor<1x2x7x6xf32>, tensor<1x2x7x5xf32>)
  return
}

// -----

func.func @attention_grad_c6_mask(%d: tensor<1x4x3x5xf32>, %q: tensor<1x4x3x6xf32>, %k: tensor<1x2x7x6xf32>, %v: tensor<1x2x7x5xf32>, %m: tensor<1x1x3x6xi1>) {
  // expected-error @+1 {{expected dimension 3 of mask to be 7, but got 6}}
  %0:3 = transformer.attention_grad %d, %q, %k, %v mask %m : (tensor<1x4x3x5xf32>, tensor<1x4x3x6xf32>, tensor<1x2x7x6xf32>, tensor<1x2x7x5xf32>, tensor<1x1x3x6xi1>) -> (tensor<1x4x3x6xf32>, tensor<1x2x7x6xf32>, tensor<1x2x7x5xf32>)
  return
}

// -----

func.func @attention_grad_c7_scale(%d: tensor<1x4x3x5xf32>, %q: tensor<1x4x3x6xf32>, %k: tensor<1x2x7x6xf32>, %v: tensor<1x2x7x5xf32>) {
  // expected-error @+1 {{expected a finite scale}}
  %0:3 = transformer.attention_grad %d, %q, %k, %v {scale = 0x7F800000 : f32} : (tensor<1x4x3x5xf32>, tensor<1x4x3x6xf32>, tensor<1x2x7x6xf32>, tensor<1x2x7x5xf32>) -> (tensor<1x4x3x6xf32>, tensor<1x2x7x6xf32>, tensor<1x2x7x5xf32>)
  return
}

// -----

func.func @attention_grad_c8_lse_type(%d: tensor<1x4x3x5xf32>, %q: tensor<1x4x3x6xf32>, %k: tensor<1x2x7x6xf32>, %v: tensor<1x2x7x5xf32>, %l: tensor<1x4x3xf64>) {
  // expected-error @+1 {{expected element type 'f32' for lse_cotangent, but got 'f64'}}
  %0:3 = transformer.attention_grad %d, %q, %k, %v lse %l : (tensor<1x4x3x5xf32>, tensor<1x4x3x6xf32>, tensor<1x2x7x6xf32>, tensor<1x2x7x5xf32>, tensor<1x4x3xf64>) -> (tensor<1x4x3x6xf32>, tensor<1x2x7x6xf32>, tensor<1x2x7x5xf32>)
  return
}

// -----

func.func @attention_grad_c9_window(%d: tensor<1x4x3x5xf32>, %q: tensor<1x4x3x6xf32>, %k: tensor<1x2x7x6xf32>, %v: tensor<1x2x7x5xf32>) {
  // expected-error @+1 {{expected a window of 1 or more, but got 0}}
  %0:3 = transformer.attention_grad %d, %q, %k, %v {window = 0 : i64} : (tensor<1x4x3x5xf32>, tensor<1x4x3x6xf32>, tensor<1x2x7x6xf32>, tensor<1x2x7x5xf32>) -> (tensor<1x4x3x6xf32>, tensor<1x2x7x6xf32>, tensor<1x2x7x5xf32>)
  return
}

// -----

func.func @attention_grad_c10_cap(%d: tensor<1x4x3x5xf32>, %q: tensor<1x4x3x6xf32>, %k: tensor<1x2x7x6xf32>, %v: tensor<1x2x7x5xf32>) {
  // expected-error @+1 {{expected a soft_cap that is finite and above 0}}
  %0:3 = transformer.attention_grad %d, %q, %k, %v {soft_cap = 0.0 : f32} : (tensor<1x4x3x5xf32>, tensor<1x4x3x6xf32>, tensor<1x2x7x6xf32>, tensor<1x2x7x5xf32>) -> (tensor<1x4x3x6xf32>, tensor<1x2x7x6xf32>, tensor<1x2x7x5xf32>)
  return
}

// -----

func.func @attention_grad_c11_sinks(%d: tensor<1x4x3x5xf32>, %q: tensor<1x4x3x6xf32>, %k: tensor<1x2x7x6xf32>, %v: tensor<1x2x7x5xf32>, %s: tensor<3xf32>) {
  // expected-error @+1 {{expected dimension 0 of sinks to be 4, but got 3}}
  %0:3 = transformer.attention_grad %d, %q, %k, %v sinks %s : (tensor<1x4x3x5xf32>, tensor<1x4x3x6xf32>, tensor<1x2x7x6xf32>, tensor<1x2x7x5xf32>, tensor<3xf32>) -> (tensor<1x4x3x6xf32>, tensor<1x2x7x6xf32>, tensor<1x2x7x5xf32>)
  return
}

// -----

func.func @attention_grad_c12_lengths(%d: tensor<1x4x3x5xf32>, %q: tensor<1x4x3x6xf32>, %k: tensor<1x2x7x6xf32>, %v: tensor<1x2x7x5xf32>, %n: tensor<2xi32>) {
  // expected-error @+1 {{expected dimension 0 of lengths to be 1, but got 2}}
  %0:3 = transformer.attention_grad %d, %q, %k, %v lengths %n : (tensor<1x4x3x5xf32>, tensor<1x4x3x6xf32>, tensor<1x2x7x6xf32>, tensor<1x2x7x5xf32>, tensor<2xi32>) -> (tensor<1x4x3x6xf32>, tensor<1x2x7x6xf32>, tensor<1x2x7x5xf32>)
  return
}

// -----

func.func @attention_grad_c13_missing(%d: tensor<1x4x3x5xf32>, %q: tensor<1x4x3x6xf32>, %k: tensor<1x2x7x6xf32>, %v: tensor<1x2x7x5xf32>, %m: tensor<1x1x3x7xf32>) {
  // expected-error @+1 {{expected 4 results, but got 3}}
  %0:3 = transformer.attention_grad %d, %q, %k, %v mask %m : (tensor<1x4x3x5xf32>, tensor<1x4x3x6xf32>, tensor<1x2x7x6xf32>, tensor<1x2x7x5xf32>, tensor<1x1x3x7xf32>) -> (tensor<1x4x3x6xf32>, tensor<1x2x7x6xf32>, tensor<1x2x7x5xf32>)
  return
}

// -----

func.func @attention_grad_c14_accumulate(%d: tensor<1x4x3x5xf32>, %q: tensor<1x4x3x6xf32>, %k: tensor<1x2x7x6xf32>, %v: tensor<1x2x7x5xf32>) {
  // expected-error @+1 {{accumulat}}
  %0:3 = transformer.attention_grad %d, %q, %k, %v {accumulate = f16} : (tensor<1x4x3x5xf32>, tensor<1x4x3x6xf32>, tensor<1x2x7x6xf32>, tensor<1x2x7x5xf32>) -> (tensor<1x4x3x6xf32>, tensor<1x2x7x6xf32>, tensor<1x2x7x5xf32>)
  return
}

// -----

func.func @attention_grad_c13_type(%d: tensor<1x4x3x5xf32>, %q: tensor<1x4x3x6xf32>, %k: tensor<1x2x7x6xf32>, %v: tensor<1x2x7x5xf32>, %s: tensor<4xf32>) {
  // expected-error @+1 {{expected type 'tensor<4xf32>' for the gradient of sinks, but got 'tensor<3xf32>'}}
  %0:4 = transformer.attention_grad %d, %q, %k, %v sinks %s
      : (tensor<1x4x3x5xf32>, tensor<1x4x3x6xf32>, tensor<1x2x7x6xf32>, tensor<1x2x7x5xf32>, tensor<4xf32>)
      -> (tensor<1x4x3x6xf32>, tensor<1x2x7x6xf32>, tensor<1x2x7x5xf32>, tensor<3xf32>)
  return
}

// -----

func.func @attention_grad_c15_alone(%d: tensor<1x4x3x5xf32>, %q: tensor<1x4x3x6xf32>, %k: tensor<1x2x7x6xf32>, %v: tensor<1x2x7x5xf32>) {
  // expected-error @+1 {{expected score and slope together, but got score alone}}
  %0:3 = transformer.attention_grad %d, %q, %k, %v score {
  ^bb0(%x: f32, %b: index, %h: index, %s: index, %t: index):
    transformer.yield %x : f32
  } : (tensor<1x4x3x5xf32>, tensor<1x4x3x6xf32>, tensor<1x2x7x6xf32>, tensor<1x2x7x5xf32>) -> (tensor<1x4x3x6xf32>, tensor<1x2x7x6xf32>, tensor<1x2x7x5xf32>)
  return
}

// -----

func.func @attention_grad_c15_slope(%d: tensor<1x4x3x5xf32>, %q: tensor<1x4x3x6xf32>, %k: tensor<1x2x7x6xf32>, %v: tensor<1x2x7x5xf32>) {
  // expected-error @+1 {{expected slope to take 'f32' and four indices, but got ('f32', 'index')}}
  %0:3 = transformer.attention_grad %d, %q, %k, %v score {
  ^bb0(%x: f32, %b: index, %h: index, %s: index, %t: index):
    transformer.yield %x : f32
  } slope {
  ^bb0(%x: f32, %b: index):
    transformer.yield %x : f32
  } : (tensor<1x4x3x5xf32>, tensor<1x4x3x6xf32>, tensor<1x2x7x6xf32>, tensor<1x2x7x5xf32>) -> (tensor<1x4x3x6xf32>, tensor<1x2x7x6xf32>, tensor<1x2x7x5xf32>)
  return
}

// -----

func.func @attention_grad_c16_effects(%d: tensor<1x4x3x5xf32>, %q: tensor<1x4x3x6xf32>, %k: tensor<1x2x7x6xf32>, %v: tensor<1x2x7x5xf32>, %m: memref<f32>) {
  // expected-note @+1 {{the region belongs to this operation}}
  %0:3 = transformer.attention_grad %d, %q, %k, %v score {
  ^bb0(%x: f32, %b: index, %h: index, %s: index, %t: index):
    transformer.yield %x : f32
  } slope {
  ^bb0(%x: f32, %b: index, %h: index, %s: index, %t: index):
    // expected-error @+1 {{expected operations without effects and regions in slope}}
    memref.store %x, %m[] : memref<f32>
    transformer.yield %x : f32
  } : (tensor<1x4x3x5xf32>, tensor<1x4x3x6xf32>, tensor<1x2x7x6xf32>, tensor<1x2x7x5xf32>) -> (tensor<1x4x3x6xf32>, tensor<1x2x7x6xf32>, tensor<1x2x7x5xf32>)
  return
}

// -----

func.func @kv_append_grad_c1_rank(%d: tensor<2x4x8xf32>, %r: tensor<2x4x3x5xf32>, %n: tensor<2xi32>) {
  // expected-error @+1 {{expected rank 4 for cotangent, but got 3}}
  %0 = transformer.kv_append_grad %d, %r at %n : (tensor<2x4x8xf32>, tensor<2x4x3x5xf32>, tensor<2xi32>) -> tensor<2x4x3x5xf32>
  return
}

// -----

func.func @kv_append_grad_c1_heads(%d: tensor<2x6x8x5xf32>, %r: tensor<2x4x3x5xf32>, %n: tensor<2xi32>) {
  // expected-error @+1 {{expected heads of rows to be 6, but got 4}}
  %0 = transformer.kv_append_grad %d, %r at %n : (tensor<2x6x8x5xf32>, tensor<2x4x3x5xf32>, tensor<2xi32>) -> tensor<2x4x3x5xf32>
  return
}

// -----

func.func @kv_append_grad_c2_positions(%d: tensor<2x4x8x5xf32>, %r: tensor<2x4x3x5xf32>, %n: tensor<3xi32>) {
  // expected-error @+1 {{expected dimension 0 of positions to be 2, but got 3}}
  %0 = transformer.kv_append_grad %d, %r at %n : (tensor<2x4x8x5xf32>, tensor<2x4x3x5xf32>, tensor<3xi32>) -> tensor<2x4x3x5xf32>
  return
}

// -----

func.func @kv_append_grad_c3_batch(%d: tensor<7x4x8x5xf32>, %r: tensor<2x4x3x5xf32>, %n: tensor<2xi32>) {
  // expected-error @+1 {{expected batch of rows to be 7, but got 2}}
  %0 = transformer.kv_append_grad %d, %r at %n : (tensor<7x4x8x5xf32>, tensor<2x4x3x5xf32>, tensor<2xi32>) -> tensor<2x4x3x5xf32>
  return
}

// -----

func.func @kv_append_grad_c3_table(%d: tensor<7x4x8x5xf32>, %r: tensor<2x4x3x5xf32>, %n: tensor<2xi32>, %t: tensor<1x3xi32>) {
  // expected-error @+1 {{expected dimension 0 of block_table to be 2, but got 1}}
  %0 = transformer.kv_append_grad %d, %r at %n table %t : (tensor<7x4x8x5xf32>, tensor<2x4x3x5xf32>, tensor<2xi32>, tensor<1x3xi32>) -> tensor<2x4x3x5xf32>
  return
}

// -----

func.func @kv_append_grad_c4_types(%d: tensor<2x4x8x5xf16>, %r: tensor<2x4x3x5xf32>, %n: tensor<2xi32>) {
  // expected-error @+1 {{expected element type 'f32' throughout, but got 'f16'}}
  %0 = transformer.kv_append_grad %d, %r at %n : (tensor<2x4x8x5xf16>, tensor<2x4x3x5xf32>, tensor<2xi32>) -> tensor<2x4x3x5xf32>
  return
}

// -----

func.func @kv_append_grad_c5_pages(%d: tensor<7x4x0x5xf32>, %r: tensor<2x4x3x5xf32>, %n: tensor<2xi32>, %t: tensor<2x3xi32>) {
  // expected-error @+1 {{expected pages, and rows in them, but got 0}}
  %0 = transformer.kv_append_grad %d, %r at %n table %t : (tensor<7x4x0x5xf32>, tensor<2x4x3x5xf32>, tensor<2xi32>, tensor<2x3xi32>) -> tensor<2x4x3x5xf32>
  return
}

// -----

func.func @attention_grad_c13_table(%x: tensor<1x2x3x4xf32>, %m: tensor<2xf32>) {
  // expected-error @+1 {{expected type 'tensor<2xf32>' for the gradient of a table, but got 'tensor<3xf32>'}}
  %0:4 = transformer.attention_grad %x, %x, %x, %x tables %m score {
  ^bb0(%y: f32, %b: index, %h: index, %s: index, %t: index):
    transformer.yield %y : f32
  } slope {
  ^bb0(%y: f32, %b: index, %h: index, %s: index, %t: index):
    transformer.yield %y, %y, %h : f32, f32, index
  } : (tensor<1x2x3x4xf32>, tensor<1x2x3x4xf32>, tensor<1x2x3x4xf32>, tensor<1x2x3x4xf32>, tensor<2xf32>)
      -> (tensor<1x2x3x4xf32>, tensor<1x2x3x4xf32>, tensor<1x2x3x4xf32>, tensor<3xf32>)
  return
}

// -----

func.func @attention_grad_c17_reads(%x: tensor<1x2x3x4xf32>, %m: tensor<2x5xf32>) {
  %0:4 = transformer.attention_grad %x, %x, %x, %x tables %m score {
  ^bb0(%y: f32, %b: index, %h: index, %s: index, %t: index):
    transformer.yield %y : f32
  } slope {
  ^bb0(%y: f32, %b: index, %h: index, %s: index, %t: index):
    // expected-error @+1 {{expected ('f32', 'index', 'index') behind the value, but got ('f32', 'index')}}
    transformer.yield %y, %y, %h : f32, f32, index
  } : (tensor<1x2x3x4xf32>, tensor<1x2x3x4xf32>, tensor<1x2x3x4xf32>, tensor<1x2x3x4xf32>, tensor<2x5xf32>)
      -> (tensor<1x2x3x4xf32>, tensor<1x2x3x4xf32>, tensor<1x2x3x4xf32>, tensor<2x5xf32>)
  return
}

// -----

func.func @attention_grad_c17_score(%x: tensor<1x2x3x4xf32>, %m: tensor<2xf32>) {
  %0:4 = transformer.attention_grad %x, %x, %x, %x tables %m score {
  ^bb0(%y: f32, %b: index, %h: index, %s: index, %t: index):
    // expected-error @+1 {{expected () behind the value, but got ('index')}}
    transformer.yield %y, %h : f32, index
  } slope {
  ^bb0(%y: f32, %b: index, %h: index, %s: index, %t: index):
    transformer.yield %y, %y, %h : f32, f32, index
  } : (tensor<1x2x3x4xf32>, tensor<1x2x3x4xf32>, tensor<1x2x3x4xf32>, tensor<1x2x3x4xf32>, tensor<2xf32>)
      -> (tensor<1x2x3x4xf32>, tensor<1x2x3x4xf32>, tensor<1x2x3x4xf32>, tensor<2xf32>)
  return
}

// -----

func.func @attention_grad_c17_regions(%x: tensor<1x2x3x4xf32>, %m: tensor<2xf32>) {
  // expected-error @+1 {{expected score and slope with tables}}
  %0:4 = transformer.attention_grad %x, %x, %x, %x tables %m
      : (tensor<1x2x3x4xf32>, tensor<1x2x3x4xf32>, tensor<1x2x3x4xf32>, tensor<1x2x3x4xf32>, tensor<2xf32>)
      -> (tensor<1x2x3x4xf32>, tensor<1x2x3x4xf32>, tensor<1x2x3x4xf32>, tensor<2xf32>)
  return
}
