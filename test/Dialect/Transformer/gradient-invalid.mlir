// RUN: forge-opt %s --split-input-file --verify-diagnostics

func.func @activation_grad_c1_types(%dy: tensor<4xf32>, %x: tensor<5xf32>) {
  // expected-error @+1 {{'transformer.activation_grad' op requires the same type for all operands and results}}
  %0 = "transformer.activation_grad"(%dy, %x) <{kind = #transformer.activation<relu>}> : (tensor<4xf32>, tensor<5xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @activation_grad_kind(%dy: tensor<4xf32>, %x: tensor<4xf32>) {
  // expected-error @+1 {{expected relu, relu_squared, gelu, gelu_tanh, silu, sigmoid or tanh, but got swish}}
  %0 = transformer.activation_grad swish %dy, %x : tensor<4xf32>
  return
}

// -----

func.func @embedding_grad_c1_rank(%dy: tensor<2x4xf32>, %ids: tensor<2xi32>, %t: tensor<4xf32>) {
  // expected-error @+1 {{expected rank 2 for table, but got 1}}
  %0 = transformer.embedding_grad %dy, %ids, %t : (tensor<2x4xf32>, tensor<2xi32>, tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @embedding_grad_c2_width(%dy: tensor<2x5xf32>, %ids: tensor<2xi32>, %t: tensor<3x4xf32>) {
  // expected-error @+1 {{expected dimension 1 of cotangent to be 4, but got 5}}
  %0 = transformer.embedding_grad %dy, %ids, %t : (tensor<2x5xf32>, tensor<2xi32>, tensor<3x4xf32>) -> tensor<3x4xf32>
  return
}

// -----

func.func @embedding_grad_c3_elements(%dy: tensor<2x4xf32>, %ids: tensor<2xi32>, %t: tensor<3x4xf16>) {
  // expected-error @+1 {{expected element type 'f16' throughout, but got 'f32'}}
  %0 = transformer.embedding_grad %dy, %ids, %t : (tensor<2x4xf32>, tensor<2xi32>, tensor<3x4xf16>) -> tensor<3x4xf16>
  return
}

// -----

func.func @embedding_grad_c4_accumulate(%dy: tensor<2x4xf64>, %ids: tensor<2xi32>, %t: tensor<3x4xf64>) {
  // expected-error @+1 {{accumulat}}
  %0 = transformer.embedding_grad %dy, %ids, %t {accumulate = f32} : (tensor<2x4xf64>, tensor<2xi32>, tensor<3x4xf64>) -> tensor<3x4xf64>
  return
}

// -----

func.func @sum_c1_order(%x: tensor<2x3x4xf32>) {
  // expected-error @+1 {{expected ascending dimensions from 0 to 2, but got [1, 0]}}
  %0 = transformer.sum %x {dimensions = array<i64: 1, 0>} : tensor<2x3x4xf32> -> tensor<4xf32>
  return
}

// -----

func.func @sum_c1_range(%x: tensor<2x3x4xf32>) {
  // expected-error @+1 {{expected ascending dimensions from 0 to 2, but got [3]}}
  %0 = transformer.sum %x {dimensions = array<i64: 3>} : tensor<2x3x4xf32> -> tensor<2x3xf32>
  return
}

// -----

func.func @sum_c1_none(%x: tensor<2x3x4xf32>) {
  // expected-error @+1 {{expected a dimension to sum over, but got none}}
  %0 = transformer.sum %x {dimensions = array<i64>} : tensor<2x3x4xf32> -> tensor<2x3x4xf32>
  return
}

// -----

func.func @sum_c2_shape(%x: tensor<2x3x4xf32>) {
  // expected-error @+1 {{expected dimension 0 of result to be 3, but got 2}}
  %0 = transformer.sum %x {dimensions = array<i64: 0>} : tensor<2x3x4xf32> -> tensor<2x4xf32>
  return
}

// -----

func.func @sum_c3_elements(%x: tensor<2x3xf32>) {
  // expected-error @+1 {{expected element type 'f32' throughout, but got 'f16'}}
  %0 = transformer.sum %x {dimensions = array<i64: 0>} : tensor<2x3xf32> -> tensor<3xf16>
  return
}

// -----

func.func @sum_c4_accumulate(%x: tensor<2x3xf64>) {
  // expected-error @+1 {{accumulat}}
  %0 = transformer.sum %x {dimensions = array<i64: 0>, accumulate = f32} : tensor<2x3xf64> -> tensor<3xf64>
  return
}

// -----

func.func @cross_entropy_grad_c1_rank(%d: tensor<f32>, %x: tensor<f32>, %t: tensor<i32>) {
  // expected-error @+1 {{expected rank 1 or more for logits, but got 0}}
  %0 = transformer.cross_entropy_grad sum %d, %x, %t : (tensor<f32>, tensor<f32>, tensor<i32>) -> tensor<f32>
  return
}

// -----

func.func @cross_entropy_grad_c2_targets(%d: tensor<f32>, %x: tensor<3x5xf32>, %t: tensor<4xi32>) {
  // expected-error @+1 {{expected dimension 0 of targets to be 3, but got 4}}
  %0 = transformer.cross_entropy_grad sum %d, %x, %t : (tensor<f32>, tensor<3x5xf32>, tensor<4xi32>) -> tensor<3x5xf32>
  return
}

// -----

func.func @cross_entropy_grad_c3_cotangent(%d: tensor<f32>, %x: tensor<3x5xf32>, %t: tensor<3xi32>) {
  // expected-error @+1 {{expected rank 1 for cotangent, but got 0}}
  %0 = transformer.cross_entropy_grad none %d, %x, %t : (tensor<f32>, tensor<3x5xf32>, tensor<3xi32>) -> tensor<3x5xf32>
  return
}

// -----

func.func @cross_entropy_grad_c4_type(%d: tensor<bf16>, %x: tensor<3x5xbf16>, %t: tensor<3xi32>) {
  // expected-error @+1 {{expected element type 'f32' for cotangent, but got 'bf16'}}
  %0 = transformer.cross_entropy_grad sum %d, %x, %t : (tensor<bf16>, tensor<3x5xbf16>, tensor<3xi32>) -> tensor<3x5xbf16>
  return
}

// -----

func.func @cross_entropy_grad_c5_smoothing(%d: tensor<f32>, %x: tensor<3x5xf32>, %t: tensor<3xi32>) {
  // expected-error @+1 {{expected label_smoothing from 0 to 1}}
  %0 = transformer.cross_entropy_grad sum %d, %x, %t {label_smoothing = 1.5 : f32} : (tensor<f32>, tensor<3x5xf32>, tensor<3xi32>) -> tensor<3x5xf32>
  return
}

// -----

func.func @moe_route_grad_c1_rank(%d: tensor<3x2xf32>, %x: tensor<3xf32>, %e: tensor<3x2xi32>) {
  // expected-error @+1 {{expected rank 2 for logits, but got 1}}
  %0 = transformer.moe_route_grad softmax %d, %x, %e : (tensor<3x2xf32>, tensor<3xf32>, tensor<3x2xi32>) -> tensor<3xf32>
  return
}

// -----

func.func @moe_route_grad_c2_experts(%d: tensor<3x2xf32>, %x: tensor<3x8xf32>, %e: tensor<3x4xi32>) {
  // expected-error @+1 {{expected dimension 1 of experts to be 2, but got 4}}
  %0 = transformer.moe_route_grad softmax %d, %x, %e : (tensor<3x2xf32>, tensor<3x8xf32>, tensor<3x4xi32>) -> tensor<3x8xf32>
  return
}

// -----

func.func @moe_route_grad_c3_types(%d: tensor<3x2xf16>, %x: tensor<3x8xf32>, %e: tensor<3x2xi32>) {
  // expected-error @+1 {{expected element type 'f32' throughout, but got 'f16'}}
  %0 = transformer.moe_route_grad softmax %d, %x, %e : (tensor<3x2xf16>, tensor<3x8xf32>, tensor<3x2xi32>) -> tensor<3x8xf32>
  return
}

// -----

func.func @moe_route_grad_c4_scale(%d: tensor<3x2xf32>, %x: tensor<3x8xf32>, %e: tensor<3x2xi32>) {
  // expected-error @+1 {{expected a finite scale}}
  %0 = transformer.moe_route_grad softmax %d, %x, %e {scale = 0x7F800000 : f32} : (tensor<3x2xf32>, tensor<3x8xf32>, tensor<3x2xi32>) -> tensor<3x8xf32>
  return
}

// -----

func.func @top_k_grad_c1_rank(%d: tensor<f32>, %i: tensor<i32>) {
  // expected-error @+1 {{expected rank 1 or more for input, but got 0}}
  %0 = transformer.top_k_grad %d, %i, %d : (tensor<f32>, tensor<i32>, tensor<f32>) -> tensor<f32>
  return
}

// -----

func.func @top_k_grad_c2_rows(%d: tensor<3x2xf32>, %i: tensor<3x2xi32>, %x: tensor<4x8xf32>) {
  // expected-error @+1 {{expected dimension 0 of cotangent to be 4, but got 3}}
  %0 = transformer.top_k_grad %d, %i, %x : (tensor<3x2xf32>, tensor<3x2xi32>, tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}

// -----

func.func @top_k_grad_c3_types(%d: tensor<4x2xf16>, %i: tensor<4x2xi32>, %x: tensor<4x8xf32>) {
  // expected-error @+1 {{expected element type 'f32' throughout, but got 'f16'}}
  %0 = transformer.top_k_grad %d, %i, %x : (tensor<4x2xf16>, tensor<4x2xi32>, tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}

// -----

func.func @grouped_outer_c1_rows(%x: tensor<5x2xf32>, %y: tensor<6x3xf32>, %g: tensor<4xi32>) {
  // expected-error @+1 {{expected dimension 0 of rhs to be 5, but got 6}}
  %0 = transformer.grouped_outer %x, %y groups %g : (tensor<5x2xf32>, tensor<6x3xf32>, tensor<4xi32>) -> tensor<4x2x3xf32>
  return
}

// -----

func.func @grouped_outer_c2_groups(%x: tensor<5x2xf32>, %y: tensor<5x3xf32>, %g: tensor<2x2xi32>) {
  // expected-error @+1 {{expected rank 1 for groups, but got 2}}
  %0 = transformer.grouped_outer %x, %y groups %g : (tensor<5x2xf32>, tensor<5x3xf32>, tensor<2x2xi32>) -> tensor<4x2x3xf32>
  return
}

// -----

func.func @grouped_outer_c3_result(%x: tensor<5x2xf32>, %y: tensor<5x3xf32>, %g: tensor<4xi32>) {
  // expected-error @+1 {{expected dimension 2 of result to be 3, but got 2}}
  %0 = transformer.grouped_outer %x, %y groups %g : (tensor<5x2xf32>, tensor<5x3xf32>, tensor<4xi32>) -> tensor<4x2x2xf32>
  return
}

// -----

func.func @grouped_outer_c4_types(%x: tensor<5x2xf32>, %y: tensor<5x3xf16>, %g: tensor<4xi32>) {
  // expected-error @+1 {{expected element type 'f32' throughout, but got 'f16'}}
  %0 = transformer.grouped_outer %x, %y groups %g : (tensor<5x2xf32>, tensor<5x3xf16>, tensor<4xi32>) -> tensor<4x2x3xf32>
  return
}

// -----

func.func @grouped_outer_c5_accumulate(%x: tensor<5x2xf64>, %y: tensor<5x3xf64>, %g: tensor<4xi32>) {
  // expected-error @+1 {{accumulat}}
  %0 = transformer.grouped_outer %x, %y groups %g {accumulate = f32} : (tensor<5x2xf64>, tensor<5x3xf64>, tensor<4xi32>) -> tensor<4x2x3xf64>
  return
}

// -----

func.func @cross_entropy_grad_c6_accumulate(%d: tensor<f32>, %x: tensor<3x5xf64>, %t: tensor<3xi32>) {
  // expected-error @+1 {{accumulat}}
  %0 = transformer.cross_entropy_grad sum %d, %x, %t {accumulate = f32} : (tensor<f32>, tensor<3x5xf64>, tensor<3xi32>) -> tensor<3x5xf64>
  return
}

// -----

func.func @moe_route_grad_c5_accumulate(%d: tensor<3x2xf64>, %x: tensor<3x8xf64>, %e: tensor<3x2xi32>) {
  // expected-error @+1 {{accumulat}}
  %0 = transformer.moe_route_grad softmax %d, %x, %e {accumulate = f32} : (tensor<3x2xf64>, tensor<3x8xf64>, tensor<3x2xi32>) -> tensor<3x8xf64>
  return
}

// -----

func.func @top_k_grad_c4_accumulate(%d: tensor<4x2xf64>, %i: tensor<4x2xi32>, %x: tensor<4x8xf64>) {
  // expected-error @+1 {{accumulat}}
  %0 = transformer.top_k_grad %d, %i, %x {accumulate = f32} : (tensor<4x2xf64>, tensor<4x2xi32>, tensor<4x8xf64>) -> tensor<4x8xf64>
  return
}

// -----

func.func @grouped_outer_c2_positions(%x: tensor<5x2xf32>, %y: tensor<5x3xf32>, %g: tensor<0xi32>) {
  // expected-error @+1 {{expected one position or more, but got 0}}
  %0 = transformer.grouped_outer %x, %y groups %g {offsets} : (tensor<5x2xf32>, tensor<5x3xf32>, tensor<0xi32>) -> tensor<0x2x3xf32>
  return
}

// -----

func.func @grouped_outer_c3_offsets(%x: tensor<5x2xf32>, %y: tensor<5x3xf32>, %g: tensor<4xi32>) {
  // expected-error @+1 {{expected dimension 0 of result to be 3, but got 4}}
  %0 = transformer.grouped_outer %x, %y groups %g {offsets} : (tensor<5x2xf32>, tensor<5x3xf32>, tensor<4xi32>) -> tensor<4x2x3xf32>
  return
}

// -----

func.func @sum_c1_scalar(%x: tensor<f32>) {
  // expected-error @below {{expected rank 1 or more for input, but got 0}}
  %0 = transformer.sum %x {dimensions = array<i64: 0>} : tensor<f32> -> tensor<f32>
  return
}
