// Constraints of argmax, top_k, sample, cross_entropy and moe_route.
// RUN: forge-opt --split-input-file --verify-diagnostics %s

func.func @argmax_c1_rank(%x: tensor<f32>) {
  // expected-error @below {{expected rank 1 or more for input, but got 0}}
  %0 = transformer.argmax %x : tensor<f32> -> tensor<i32>
  return
}

// -----

func.func @argmax_c2_result(%x: tensor<4x8xf32>) {
  // expected-error @below {{expected dimension 0 of result to be 4, but got 8}}
  %0 = transformer.argmax %x : tensor<4x8xf32> -> tensor<8xi32>
  return
}

// -----

func.func @top_k_c1_rank(%x: tensor<f32>) {
  // expected-error @below {{expected rank 1 or more for input, but got 0}}
  %0:2 = transformer.top_k %x {k = 1 : i64} : (tensor<f32>) -> (tensor<1xf32>, tensor<1xi32>)
  return
}

// -----

func.func @top_k_c2_large(%x: tensor<4x8xf32>) {
  // expected-error @below {{expected k to be 1 or more and at most 8, but got 9}}
  %0:2 = transformer.top_k %x {k = 9 : i64} : (tensor<4x8xf32>) -> (tensor<4x9xf32>, tensor<4x9xi32>)
  return
}

// -----

func.func @top_k_c2_none(%x: tensor<4x?xf32>) {
  // expected-error @below {{expected k to be 1 or more, but got 0}}
  %0:2 = transformer.top_k %x {k = 0 : i64} : (tensor<4x?xf32>) -> (tensor<4x0xf32>, tensor<4x0xi32>)
  return
}

// -----

func.func @top_k_c3_indices(%x: tensor<4x8xf32>) {
  // expected-error @below {{expected dimension 1 of indices to be 2, but got 3}}
  %0:2 = transformer.top_k %x {k = 2 : i64} : (tensor<4x8xf32>) -> (tensor<4x2xf32>, tensor<4x3xi32>)
  return
}

// -----

func.func @top_k_c4_types(%x: tensor<4x8xbf16>) {
  // expected-error @below {{expected element type 'bf16' throughout, but got 'f32'}}
  %0:2 = transformer.top_k %x {k = 2 : i64} : (tensor<4x8xbf16>) -> (tensor<4x2xf32>, tensor<4x2xi32>)
  return
}

// -----

func.func @sample_c1_rank(%x: tensor<8xf32>, %s: tensor<8xi64>) {
  // expected-error @below {{expected rank 2 for logits, but got 1}}
  %0 = transformer.sample %x seeds %s steps %s : (tensor<8xf32>, tensor<8xi64>, tensor<8xi64>) -> tensor<8xi32>
  return
}

// -----

func.func @sample_c1_empty(%x: tensor<8x0xf32>, %s: tensor<8xi64>) {
  // expected-error @below {{expected 1 token or more, but got 0}}
  %0 = transformer.sample %x seeds %s steps %s : (tensor<8x0xf32>, tensor<8xi64>, tensor<8xi64>) -> tensor<8xi32>
  return
}

// -----

func.func @sample_c2_top_p(%x: tensor<4x8xf32>, %s: tensor<4xi64>, %p: tensor<1xf32>) {
  // expected-error @below {{expected dimension 0 of top_p to be 4, but got 1}}
  %0 = transformer.sample %x seeds %s steps %s top_p %p : (tensor<4x8xf32>, tensor<4xi64>, tensor<4xi64>, tensor<1xf32>) -> tensor<4xi32>
  return
}

// -----

func.func @sample_c3_result(%x: tensor<4x8xf32>, %s: tensor<4xi64>) {
  // expected-error @below {{expected rank 1 for result, but got 2}}
  %0 = transformer.sample %x seeds %s steps %s : (tensor<4x8xf32>, tensor<4xi64>, tensor<4xi64>) -> tensor<4x1xi32>
  return
}

// -----

func.func @cross_entropy_c1_rank(%x: tensor<f32>, %c: tensor<i32>) {
  // expected-error @below {{expected rank 1 or more for logits, but got 0}}
  %0 = transformer.cross_entropy sum %x, %c : (tensor<f32>, tensor<i32>) -> tensor<f32>
  return
}

// -----

func.func @cross_entropy_c1_classes(%x: tensor<4x0xf32>, %c: tensor<4xi32>) {
  // expected-error @below {{expected 1 class or more, but got 0}}
  %0 = transformer.cross_entropy sum %x, %c : (tensor<4x0xf32>, tensor<4xi32>) -> tensor<f32>
  return
}

// -----

func.func @cross_entropy_c2_targets(%x: tensor<4x8xf32>, %c: tensor<8xi32>) {
  // expected-error @below {{expected dimension 0 of targets to be 4, but got 8}}
  %0 = transformer.cross_entropy sum %x, %c : (tensor<4x8xf32>, tensor<8xi32>) -> tensor<f32>
  return
}

// -----

func.func @cross_entropy_c3_mean(%x: tensor<4x8xf32>, %c: tensor<4xi32>) {
  // expected-error @below {{expected rank 0 for result, but got 1}}
  %0 = transformer.cross_entropy mean %x, %c : (tensor<4x8xf32>, tensor<4xi32>) -> tensor<4xf32>
  return
}

// -----

func.func @cross_entropy_c4_result(%x: tensor<4x8xbf16>, %c: tensor<4xi32>) {
  // expected-error @below {{expected element type 'f32' for result, but got 'bf16'}}
  %0 = transformer.cross_entropy none %x, %c : (tensor<4x8xbf16>, tensor<4xi32>) -> tensor<4xbf16>
  return
}

// -----

func.func @cross_entropy_c5_smoothing(%x: tensor<4x8xf32>, %c: tensor<4xi32>) {
  // expected-error @below {{expected a label_smoothing from 0 to 1, but got 1.5}}
  %0 = transformer.cross_entropy mean %x, %c {label_smoothing = 1.5 : f32} : (tensor<4x8xf32>, tensor<4xi32>) -> tensor<f32>
  return
}

// -----

func.func @cross_entropy_c6_accumulate(%x: tensor<4x8xf64>, %c: tensor<4xi32>) {
  // expected-error @below {{expected accumulate to be f64 for element type 'f64', but got 'f32'}}
  %0 = transformer.cross_entropy mean %x, %c {accumulate = f32} : (tensor<4x8xf64>, tensor<4xi32>) -> tensor<f32>
  return
}

// -----

func.func @cross_entropy_name(%x: tensor<4x8xf32>, %c: tensor<4xi32>) {
  // expected-error @below {{expected none, mean or sum, but got average}}
  %0 = transformer.cross_entropy average %x, %c : (tensor<4x8xf32>, tensor<4xi32>) -> tensor<f32>
  return
}

// -----

func.func @moe_route_c1_experts(%x: tensor<4x?xf32>) {
  // expected-error @below {{expected a static number of experts}}
  %0:2 = transformer.moe_route softmax %x {k = 2 : i64} : (tensor<4x?xf32>) -> (tensor<4x2xf32>, tensor<4x2xi32>)
  return
}

// -----

func.func @moe_route_c2_bias(%x: tensor<4x8xf32>, %b: tensor<4xf32>) {
  // expected-error @below {{expected dimension 0 of bias to be 8, but got 4}}
  %0:2 = transformer.moe_route softmax %x bias %b {k = 2 : i64} : (tensor<4x8xf32>, tensor<4xf32>) -> (tensor<4x2xf32>, tensor<4x2xi32>)
  return
}

// -----

func.func @moe_route_c3_k(%x: tensor<4x8xf32>) {
  // expected-error @below {{expected k from 1 to 2, but got 3}}
  %0:2 = transformer.moe_route softmax %x {k = 3 : i64, groups = 4 : i64, top_groups = 1 : i64} : (tensor<4x8xf32>) -> (tensor<4x3xf32>, tensor<4x3xi32>)
  return
}

// -----

func.func @moe_route_c4_weights(%x: tensor<4x8xf32>) {
  // expected-error @below {{expected dimension 1 of weights to be 2, but got 3}}
  %0:2 = transformer.moe_route softmax %x {k = 2 : i64} : (tensor<4x8xf32>) -> (tensor<4x3xf32>, tensor<4x2xi32>)
  return
}

// -----

func.func @moe_route_c5_together(%x: tensor<4x8xf32>) {
  // expected-error @below {{expected groups and top_groups together}}
  %0:2 = transformer.moe_route softmax %x {k = 2 : i64, groups = 2 : i64} : (tensor<4x8xf32>) -> (tensor<4x2xf32>, tensor<4x2xi32>)
  return
}

// -----

func.func @moe_route_c5_divide(%x: tensor<4x8xf32>) {
  // expected-error @below {{expected groups to divide the 8 experts, but got 3}}
  %0:2 = transformer.moe_route softmax %x {k = 2 : i64, groups = 3 : i64, top_groups = 1 : i64} : (tensor<4x8xf32>) -> (tensor<4x2xf32>, tensor<4x2xi32>)
  return
}

// -----

func.func @moe_route_c5_top_groups(%x: tensor<4x8xf32>) {
  // expected-error @below {{expected top_groups from 1 to 2, but got 3}}
  %0:2 = transformer.moe_route softmax %x {k = 2 : i64, groups = 2 : i64, top_groups = 3 : i64} : (tensor<4x8xf32>) -> (tensor<4x2xf32>, tensor<4x2xi32>)
  return
}

// -----

func.func @moe_route_c6_top2(%x: tensor<4x8xf32>) {
  // expected-error @below {{expected groups of 2 experts or more for top2, but got 1}}
  %0:2 = transformer.moe_route softmax %x {k = 2 : i64, groups = 8 : i64, top_groups = 4 : i64, group_score = #transformer.group_score<top2>} : (tensor<4x8xf32>) -> (tensor<4x2xf32>, tensor<4x2xi32>)
  return
}

// -----

func.func @moe_route_c7_weights(%x: tensor<4x8xbf16>) {
  // expected-error @below {{expected element type 'bf16' throughout, but got 'f32'}}
  %0:2 = transformer.moe_route softmax %x {k = 2 : i64} : (tensor<4x8xbf16>) -> (tensor<4x2xf32>, tensor<4x2xi32>)
  return
}

// -----

func.func @moe_route_c7_bias(%x: tensor<4x8xbf16>, %b: tensor<8xf16>) {
  // expected-error @below {{expected element type 'bf16' or 'f32' for bias, but got 'f16'}}
  %0:2 = transformer.moe_route softmax %x bias %b {k = 2 : i64} : (tensor<4x8xbf16>, tensor<8xf16>) -> (tensor<4x2xbf16>, tensor<4x2xi32>)
  return
}

// -----

func.func @moe_route_c8_scale(%x: tensor<4x8xf32>) {
  // expected-error @below {{expected a finite scale}}
  %0:2 = transformer.moe_route softmax %x {k = 2 : i64, scale = 0x7F800000 : f32} : (tensor<4x8xf32>) -> (tensor<4x2xf32>, tensor<4x2xi32>)
  return
}

// -----

func.func @moe_route_c9_accumulate(%x: tensor<4x8xf64>) {
  // expected-error @below {{expected accumulate to be f64 for element type 'f64', but got 'f32'}}
  %0:2 = transformer.moe_route softmax %x {k = 2 : i64, accumulate = f32} : (tensor<4x8xf64>) -> (tensor<4x2xf64>, tensor<4x2xi32>)
  return
}

// -----

func.func @moe_route_name(%x: tensor<4x8xf32>) {
  // expected-error @below {{expected softmax or sigmoid, but got relu}}
  %0:2 = transformer.moe_route relu %x {k = 2 : i64} : (tensor<4x8xf32>) -> (tensor<4x2xf32>, tensor<4x2xi32>)
  return
}
