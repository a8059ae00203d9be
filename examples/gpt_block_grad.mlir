// The GPT-2 block of gpt_block.mlir with its gradients, as StableHLO: given dy, the gradient of a loss with respect to
// the result y, returns y and the gradients with respect to x and to every weight, in the order of the arguments.
//   forge verify examples/gpt_block_grad.mlir
module @gpt_block_grad {
  func.func @main(
      %x: tensor<2x8x32xf32>,
      %ln1_scale: tensor<32xf32>, %ln1_shift: tensor<32xf32>,
      %w_qkv: tensor<32x96xf32>, %b_qkv: tensor<96xf32>, %w_out: tensor<32x32xf32>, %b_out: tensor<32xf32>,
      %ln2_scale: tensor<32xf32>, %ln2_shift: tensor<32xf32>,
      %w_up: tensor<32x128xf32>, %b_up: tensor<128xf32>, %w_down: tensor<128x32xf32>, %b_down: tensor<32xf32>,
      %dy: tensor<2x8x32xf32>) -> (tensor<2x8x32xf32>, tensor<2x8x32xf32>, tensor<32xf32>, tensor<32xf32>, tensor<32x96xf32>, tensor<96xf32>, tensor<32x32xf32>, tensor<32xf32>, tensor<32xf32>, tensor<32xf32>, tensor<32x128xf32>, tensor<128xf32>, tensor<128x32xf32>, tensor<32xf32>) {
    // Attention.
    %h1 = call @layer_norm(%x, %ln1_scale, %ln1_shift) : (tensor<2x8x32xf32>, tensor<32xf32>, tensor<32xf32>) -> tensor<2x8x32xf32>
    %qkv_dot = stablehlo.dot_general %h1, %w_qkv, contracting_dims = [2] x [0] : (tensor<2x8x32xf32>, tensor<32x96xf32>) -> tensor<2x8x96xf32>
    %qkv_bias = stablehlo.broadcast_in_dim %b_qkv, dims = [2] : (tensor<96xf32>) -> tensor<2x8x96xf32>
    %qkv = stablehlo.add %qkv_dot, %qkv_bias : tensor<2x8x96xf32>
    %q_part = stablehlo.slice %qkv [0:2, 0:8, 0:32] : (tensor<2x8x96xf32>) -> tensor<2x8x32xf32>
    %q = call @split_heads(%q_part) : (tensor<2x8x32xf32>) -> tensor<2x4x8x8xf32>
    %k_part = stablehlo.slice %qkv [0:2, 0:8, 32:64] : (tensor<2x8x96xf32>) -> tensor<2x8x32xf32>
    %k = call @split_heads(%k_part) : (tensor<2x8x32xf32>) -> tensor<2x4x8x8xf32>
    %v_part = stablehlo.slice %qkv [0:2, 0:8, 64:96] : (tensor<2x8x96xf32>) -> tensor<2x8x32xf32>
    %v = call @split_heads(%v_part) : (tensor<2x8x32xf32>) -> tensor<2x4x8x8xf32>
    %o = call @attention(%q, %k, %v) : (tensor<2x4x8x8xf32>, tensor<2x4x8x8xf32>, tensor<2x4x8x8xf32>) -> tensor<2x4x8x8xf32>
    %joined = call @join_heads(%o) : (tensor<2x4x8x8xf32>) -> tensor<2x8x32xf32>
    %attended_dot = stablehlo.dot_general %joined, %w_out, contracting_dims = [2] x [0] : (tensor<2x8x32xf32>, tensor<32x32xf32>) -> tensor<2x8x32xf32>
    %attended_bias = stablehlo.broadcast_in_dim %b_out, dims = [2] : (tensor<32xf32>) -> tensor<2x8x32xf32>
    %attended = stablehlo.add %attended_dot, %attended_bias : tensor<2x8x32xf32>
    %x1 = stablehlo.add %x, %attended : tensor<2x8x32xf32>
    // Feed-forward.
    %h2 = call @layer_norm(%x1, %ln2_scale, %ln2_shift) : (tensor<2x8x32xf32>, tensor<32xf32>, tensor<32xf32>) -> tensor<2x8x32xf32>
    %up_dot = stablehlo.dot_general %h2, %w_up, contracting_dims = [2] x [0] : (tensor<2x8x32xf32>, tensor<32x128xf32>) -> tensor<2x8x128xf32>
    %up_bias = stablehlo.broadcast_in_dim %b_up, dims = [2] : (tensor<128xf32>) -> tensor<2x8x128xf32>
    %up = stablehlo.add %up_dot, %up_bias : tensor<2x8x128xf32>
    %act = call @gelu(%up) : (tensor<2x8x128xf32>) -> tensor<2x8x128xf32>
    %down_dot = stablehlo.dot_general %act, %w_down, contracting_dims = [2] x [0] : (tensor<2x8x128xf32>, tensor<128x32xf32>) -> tensor<2x8x32xf32>
    %down_bias = stablehlo.broadcast_in_dim %b_down, dims = [2] : (tensor<32xf32>) -> tensor<2x8x32xf32>
    %down = stablehlo.add %down_dot, %down_bias : tensor<2x8x32xf32>
    %y = stablehlo.add %x1, %down : tensor<2x8x32xf32>
    // Backwards: feed-forward.
    %zero = stablehlo.constant dense<0.0> : tensor<f32>
    %d_act = stablehlo.dot_general %dy, %w_down, contracting_dims = [2] x [1] : (tensor<2x8x32xf32>, tensor<128x32xf32>) -> tensor<2x8x128xf32>
    %d_w_down = stablehlo.dot_general %act, %dy, contracting_dims = [0, 1] x [0, 1] : (tensor<2x8x128xf32>, tensor<2x8x32xf32>) -> tensor<128x32xf32>
    %d_b_down = stablehlo.reduce(%dy init: %zero) applies stablehlo.add across dimensions = [0, 1] : (tensor<2x8x32xf32>, tensor<f32>) -> tensor<32xf32>
    %d_up = call @gelu_grad(%up, %d_act) : (tensor<2x8x128xf32>, tensor<2x8x128xf32>) -> tensor<2x8x128xf32>
    %d_h2 = stablehlo.dot_general %d_up, %w_up, contracting_dims = [2] x [1] : (tensor<2x8x128xf32>, tensor<32x128xf32>) -> tensor<2x8x32xf32>
    %d_w_up = stablehlo.dot_general %h2, %d_up, contracting_dims = [0, 1] x [0, 1] : (tensor<2x8x32xf32>, tensor<2x8x128xf32>) -> tensor<32x128xf32>
    %d_b_up = stablehlo.reduce(%d_up init: %zero) applies stablehlo.add across dimensions = [0, 1] : (tensor<2x8x128xf32>, tensor<f32>) -> tensor<128xf32>
    %d_x1_norm, %d_ln2_scale, %d_ln2_shift = call @layer_norm_grad(%x1, %ln2_scale, %d_h2) : (tensor<2x8x32xf32>, tensor<32xf32>, tensor<2x8x32xf32>) -> (tensor<2x8x32xf32>, tensor<32xf32>, tensor<32xf32>)
    %d_x1 = stablehlo.add %dy, %d_x1_norm : tensor<2x8x32xf32>
    // Backwards: attention.
    %d_joined = stablehlo.dot_general %d_x1, %w_out, contracting_dims = [2] x [1] : (tensor<2x8x32xf32>, tensor<32x32xf32>) -> tensor<2x8x32xf32>
    %d_w_out = stablehlo.dot_general %joined, %d_x1, contracting_dims = [0, 1] x [0, 1] : (tensor<2x8x32xf32>, tensor<2x8x32xf32>) -> tensor<32x32xf32>
    %d_b_out = stablehlo.reduce(%d_x1 init: %zero) applies stablehlo.add across dimensions = [0, 1] : (tensor<2x8x32xf32>, tensor<f32>) -> tensor<32xf32>
    %d_o = call @split_heads(%d_joined) : (tensor<2x8x32xf32>) -> tensor<2x4x8x8xf32>
    %d_q, %d_k, %d_v = call @attention_grad(%q, %k, %v, %d_o) : (tensor<2x4x8x8xf32>, tensor<2x4x8x8xf32>, tensor<2x4x8x8xf32>, tensor<2x4x8x8xf32>) -> (tensor<2x4x8x8xf32>, tensor<2x4x8x8xf32>, tensor<2x4x8x8xf32>)
    %d_q_part = call @join_heads(%d_q) : (tensor<2x4x8x8xf32>) -> tensor<2x8x32xf32>
    %d_k_part = call @join_heads(%d_k) : (tensor<2x4x8x8xf32>) -> tensor<2x8x32xf32>
    %d_v_part = call @join_heads(%d_v) : (tensor<2x4x8x8xf32>) -> tensor<2x8x32xf32>
    %d_qkv = stablehlo.concatenate %d_q_part, %d_k_part, %d_v_part, dim = 2 : (tensor<2x8x32xf32>, tensor<2x8x32xf32>, tensor<2x8x32xf32>) -> tensor<2x8x96xf32>
    %d_h1 = stablehlo.dot_general %d_qkv, %w_qkv, contracting_dims = [2] x [1] : (tensor<2x8x96xf32>, tensor<32x96xf32>) -> tensor<2x8x32xf32>
    %d_w_qkv = stablehlo.dot_general %h1, %d_qkv, contracting_dims = [0, 1] x [0, 1] : (tensor<2x8x32xf32>, tensor<2x8x96xf32>) -> tensor<32x96xf32>
    %d_b_qkv = stablehlo.reduce(%d_qkv init: %zero) applies stablehlo.add across dimensions = [0, 1] : (tensor<2x8x96xf32>, tensor<f32>) -> tensor<96xf32>
    %d_x_norm, %d_ln1_scale, %d_ln1_shift = call @layer_norm_grad(%x, %ln1_scale, %d_h1) : (tensor<2x8x32xf32>, tensor<32xf32>, tensor<2x8x32xf32>) -> (tensor<2x8x32xf32>, tensor<32xf32>, tensor<32xf32>)
    %d_x = stablehlo.add %d_x1, %d_x_norm : tensor<2x8x32xf32>
    return %y, %d_x, %d_ln1_scale, %d_ln1_shift, %d_w_qkv, %d_b_qkv, %d_w_out, %d_b_out, %d_ln2_scale, %d_ln2_shift, %d_w_up, %d_b_up, %d_w_down, %d_b_down
        : tensor<2x8x32xf32>, tensor<2x8x32xf32>, tensor<32xf32>, tensor<32xf32>, tensor<32x96xf32>, tensor<96xf32>, tensor<32x32xf32>, tensor<32xf32>, tensor<32xf32>, tensor<32xf32>, tensor<32x128xf32>, tensor<128xf32>, tensor<128x32xf32>, tensor<32xf32>
  }

  // (x - mean) / sqrt(variance + 1e-5) per row of 32, without scale and shift.
  func.func private @normalize(%x: tensor<2x8x32xf32>) -> (tensor<2x8x32xf32>, tensor<2x8xf32>) {
    %zero = stablehlo.constant dense<0.0> : tensor<f32>
    %n = stablehlo.constant dense<32.0> : tensor<2x8xf32>
    %eps = stablehlo.constant dense<1.0e-05> : tensor<2x8xf32>
    %sum = stablehlo.reduce(%x init: %zero) applies stablehlo.add across dimensions = [2] : (tensor<2x8x32xf32>, tensor<f32>) -> tensor<2x8xf32>
    %mean = stablehlo.divide %sum, %n : tensor<2x8xf32>
    %mean_rows = stablehlo.broadcast_in_dim %mean, dims = [0, 1] : (tensor<2x8xf32>) -> tensor<2x8x32xf32>
    %centered = stablehlo.subtract %x, %mean_rows : tensor<2x8x32xf32>
    %squares = stablehlo.multiply %centered, %centered : tensor<2x8x32xf32>
    %sum_squares = stablehlo.reduce(%squares init: %zero) applies stablehlo.add across dimensions = [2] : (tensor<2x8x32xf32>, tensor<f32>) -> tensor<2x8xf32>
    %var = stablehlo.divide %sum_squares, %n : tensor<2x8xf32>
    %var_eps = stablehlo.add %var, %eps : tensor<2x8xf32>
    %inverse = stablehlo.rsqrt %var_eps : tensor<2x8xf32>
    %inverse_rows = stablehlo.broadcast_in_dim %inverse, dims = [0, 1] : (tensor<2x8xf32>) -> tensor<2x8x32xf32>
    %normal = stablehlo.multiply %centered, %inverse_rows : tensor<2x8x32xf32>
    return %normal, %inverse : tensor<2x8x32xf32>, tensor<2x8xf32>
  }

  func.func private @layer_norm(%x: tensor<2x8x32xf32>, %scale: tensor<32xf32>, %shift: tensor<32xf32>) -> tensor<2x8x32xf32> {
    %normal, %inverse = call @normalize(%x) : (tensor<2x8x32xf32>) -> (tensor<2x8x32xf32>, tensor<2x8xf32>)
    %scale_rows = stablehlo.broadcast_in_dim %scale, dims = [2] : (tensor<32xf32>) -> tensor<2x8x32xf32>
    %shift_rows = stablehlo.broadcast_in_dim %shift, dims = [2] : (tensor<32xf32>) -> tensor<2x8x32xf32>
    %scaled = stablehlo.multiply %normal, %scale_rows : tensor<2x8x32xf32>
    %y = stablehlo.add %scaled, %shift_rows : tensor<2x8x32xf32>
    return %y : tensor<2x8x32xf32>
  }

  // tanh(sqrt(2 / pi) * (x + 0.044715 x^3)), which GELU and its gradient share.
  func.func private @gelu_tanh(%x: tensor<2x8x128xf32>) -> tensor<2x8x128xf32> {
    %cubic = stablehlo.constant dense<0.044715> : tensor<2x8x128xf32>
    %factor = stablehlo.constant dense<0.797884583> : tensor<2x8x128xf32>
    %x2 = stablehlo.multiply %x, %x : tensor<2x8x128xf32>
    %x3 = stablehlo.multiply %x2, %x : tensor<2x8x128xf32>
    %cx3 = stablehlo.multiply %x3, %cubic : tensor<2x8x128xf32>
    %inner = stablehlo.add %x, %cx3 : tensor<2x8x128xf32>
    %u = stablehlo.multiply %inner, %factor : tensor<2x8x128xf32>
    %t = stablehlo.tanh %u : tensor<2x8x128xf32>
    return %t : tensor<2x8x128xf32>
  }

  func.func private @gelu(%x: tensor<2x8x128xf32>) -> tensor<2x8x128xf32> {
    %half = stablehlo.constant dense<0.5> : tensor<2x8x128xf32>
    %one = stablehlo.constant dense<1.0> : tensor<2x8x128xf32>
    %t = call @gelu_tanh(%x) : (tensor<2x8x128xf32>) -> tensor<2x8x128xf32>
    %t1 = stablehlo.add %t, %one : tensor<2x8x128xf32>
    %xh = stablehlo.multiply %x, %half : tensor<2x8x128xf32>
    %y = stablehlo.multiply %xh, %t1 : tensor<2x8x128xf32>
    return %y : tensor<2x8x128xf32>
  }

  // One of the three parts (query, key, value) of 32 columns: [2, 8, 32] to heads [2, 4, 8, 8].
  func.func private @split_heads(%x: tensor<2x8x32xf32>) -> tensor<2x4x8x8xf32> {
    %r = stablehlo.reshape %x : (tensor<2x8x32xf32>) -> tensor<2x8x4x8xf32>
    %t = stablehlo.transpose %r, dims = [0, 2, 1, 3] : (tensor<2x8x4x8xf32>) -> tensor<2x4x8x8xf32>
    return %t : tensor<2x4x8x8xf32>
  }

  func.func private @join_heads(%x: tensor<2x4x8x8xf32>) -> tensor<2x8x32xf32> {
    %t = stablehlo.transpose %x, dims = [0, 2, 1, 3] : (tensor<2x4x8x8xf32>) -> tensor<2x8x4x8xf32>
    %r = stablehlo.reshape %t : (tensor<2x8x4x8xf32>) -> tensor<2x8x32xf32>
    return %r : tensor<2x8x32xf32>
  }

  // With n the normalised row and dn = dy * scale: dx = (dn - mean(dn) - n * mean(dn * n)) / sqrt(variance + eps).
  func.func private @layer_norm_grad(%x: tensor<2x8x32xf32>, %scale: tensor<32xf32>, %dy: tensor<2x8x32xf32>) -> (tensor<2x8x32xf32>, tensor<32xf32>, tensor<32xf32>) {
    %zero = stablehlo.constant dense<0.0> : tensor<f32>
    %n = stablehlo.constant dense<32.0> : tensor<2x8xf32>
    %normal, %inverse = call @normalize(%x) : (tensor<2x8x32xf32>) -> (tensor<2x8x32xf32>, tensor<2x8xf32>)
    %dy_normal = stablehlo.multiply %dy, %normal : tensor<2x8x32xf32>
    %d_scale = stablehlo.reduce(%dy_normal init: %zero) applies stablehlo.add across dimensions = [0, 1] : (tensor<2x8x32xf32>, tensor<f32>) -> tensor<32xf32>
    %d_shift = stablehlo.reduce(%dy init: %zero) applies stablehlo.add across dimensions = [0, 1] : (tensor<2x8x32xf32>, tensor<f32>) -> tensor<32xf32>
    %scale_rows = stablehlo.broadcast_in_dim %scale, dims = [2] : (tensor<32xf32>) -> tensor<2x8x32xf32>
    %dn = stablehlo.multiply %dy, %scale_rows : tensor<2x8x32xf32>
    %dn_normal = stablehlo.multiply %dn, %normal : tensor<2x8x32xf32>
    %sum = stablehlo.reduce(%dn init: %zero) applies stablehlo.add across dimensions = [2] : (tensor<2x8x32xf32>, tensor<f32>) -> tensor<2x8xf32>
    %sum_normal = stablehlo.reduce(%dn_normal init: %zero) applies stablehlo.add across dimensions = [2] : (tensor<2x8x32xf32>, tensor<f32>) -> tensor<2x8xf32>
    %mean = stablehlo.divide %sum, %n : tensor<2x8xf32>
    %mean_normal = stablehlo.divide %sum_normal, %n : tensor<2x8xf32>
    %mean_rows = stablehlo.broadcast_in_dim %mean, dims = [0, 1] : (tensor<2x8xf32>) -> tensor<2x8x32xf32>
    %mean_normal_rows = stablehlo.broadcast_in_dim %mean_normal, dims = [0, 1] : (tensor<2x8xf32>) -> tensor<2x8x32xf32>
    %inverse_rows = stablehlo.broadcast_in_dim %inverse, dims = [0, 1] : (tensor<2x8xf32>) -> tensor<2x8x32xf32>
    %along = stablehlo.multiply %normal, %mean_normal_rows : tensor<2x8x32xf32>
    %centered = stablehlo.subtract %dn, %mean_rows : tensor<2x8x32xf32>
    %direct = stablehlo.subtract %centered, %along : tensor<2x8x32xf32>
    %dx = stablehlo.multiply %direct, %inverse_rows : tensor<2x8x32xf32>
    return %dx, %d_scale, %d_shift : tensor<2x8x32xf32>, tensor<32xf32>, tensor<32xf32>
  }

  // With t the tanh: dy * ((1 + t) / 2 + x / 2 * (1 - t^2) * sqrt(2 / pi) * (1 + 3 * 0.044715 x^2)).
  func.func private @gelu_grad(%x: tensor<2x8x128xf32>, %dy: tensor<2x8x128xf32>) -> tensor<2x8x128xf32> {
    %half = stablehlo.constant dense<0.5> : tensor<2x8x128xf32>
    %one = stablehlo.constant dense<1.0> : tensor<2x8x128xf32>
    %factor = stablehlo.constant dense<0.797884583> : tensor<2x8x128xf32>
    %cubic3 = stablehlo.constant dense<0.134145> : tensor<2x8x128xf32>
    %t = call @gelu_tanh(%x) : (tensor<2x8x128xf32>) -> tensor<2x8x128xf32>
    %t1 = stablehlo.add %t, %one : tensor<2x8x128xf32>
    %outer = stablehlo.multiply %t1, %half : tensor<2x8x128xf32>
    %t2 = stablehlo.multiply %t, %t : tensor<2x8x128xf32>
    %sech2 = stablehlo.subtract %one, %t2 : tensor<2x8x128xf32>
    %x2 = stablehlo.multiply %x, %x : tensor<2x8x128xf32>
    %cx2 = stablehlo.multiply %x2, %cubic3 : tensor<2x8x128xf32>
    %slope1 = stablehlo.add %cx2, %one : tensor<2x8x128xf32>
    %slope = stablehlo.multiply %slope1, %factor : tensor<2x8x128xf32>
    %xh = stablehlo.multiply %x, %half : tensor<2x8x128xf32>
    %xs = stablehlo.multiply %xh, %sech2 : tensor<2x8x128xf32>
    %inner = stablehlo.multiply %xs, %slope : tensor<2x8x128xf32>
    %d = stablehlo.add %outer, %inner : tensor<2x8x128xf32>
    %dx = stablehlo.multiply %dy, %d : tensor<2x8x128xf32>
    return %dx : tensor<2x8x128xf32>
  }

  // With p the weights: dv = p^T do; dp = do v^T; ds = p * (dp - sum(dp * p)) / sqrt(8); dq = ds k; dk = ds^T q.
  func.func private @attention_grad(%q: tensor<2x4x8x8xf32>, %k: tensor<2x4x8x8xf32>, %v: tensor<2x4x8x8xf32>, %do: tensor<2x4x8x8xf32>) -> (tensor<2x4x8x8xf32>, tensor<2x4x8x8xf32>, tensor<2x4x8x8xf32>) {
    %zero = stablehlo.constant dense<0.0> : tensor<f32>
    %scale = stablehlo.constant dense<0.353553391> : tensor<2x4x8x8xf32>
    %p = call @attention_weights(%q, %k) : (tensor<2x4x8x8xf32>, tensor<2x4x8x8xf32>) -> tensor<2x4x8x8xf32>
    %dv = stablehlo.dot_general %p, %do, batching_dims = [0, 1] x [0, 1], contracting_dims = [2] x [2] : (tensor<2x4x8x8xf32>, tensor<2x4x8x8xf32>) -> tensor<2x4x8x8xf32>
    %dp = stablehlo.dot_general %do, %v, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [3] : (tensor<2x4x8x8xf32>, tensor<2x4x8x8xf32>) -> tensor<2x4x8x8xf32>
    %dp_p = stablehlo.multiply %dp, %p : tensor<2x4x8x8xf32>
    %sum = stablehlo.reduce(%dp_p init: %zero) applies stablehlo.add across dimensions = [3] : (tensor<2x4x8x8xf32>, tensor<f32>) -> tensor<2x4x8xf32>
    %sum_rows = stablehlo.broadcast_in_dim %sum, dims = [0, 1, 2] : (tensor<2x4x8xf32>) -> tensor<2x4x8x8xf32>
    %off = stablehlo.subtract %dp, %sum_rows : tensor<2x4x8x8xf32>
    %ds_p = stablehlo.multiply %p, %off : tensor<2x4x8x8xf32>
    %ds = stablehlo.multiply %ds_p, %scale : tensor<2x4x8x8xf32>
    %dq = stablehlo.dot_general %ds, %k, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [2] : (tensor<2x4x8x8xf32>, tensor<2x4x8x8xf32>) -> tensor<2x4x8x8xf32>
    %dk = stablehlo.dot_general %ds, %q, batching_dims = [0, 1] x [0, 1], contracting_dims = [2] x [2] : (tensor<2x4x8x8xf32>, tensor<2x4x8x8xf32>) -> tensor<2x4x8x8xf32>
    return %dq, %dk, %dv : tensor<2x4x8x8xf32>, tensor<2x4x8x8xf32>, tensor<2x4x8x8xf32>
  }

  // Causal attention of 4 heads of 8: softmax(q k^T / sqrt(8)) v, where query s sees the keys up to s.
  func.func private @attention(%q: tensor<2x4x8x8xf32>, %k: tensor<2x4x8x8xf32>, %v: tensor<2x4x8x8xf32>) -> tensor<2x4x8x8xf32> {
    %p = call @attention_weights(%q, %k) : (tensor<2x4x8x8xf32>, tensor<2x4x8x8xf32>) -> tensor<2x4x8x8xf32>
    %o = stablehlo.dot_general %p, %v, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [2]
        : (tensor<2x4x8x8xf32>, tensor<2x4x8x8xf32>) -> tensor<2x4x8x8xf32>
    return %o : tensor<2x4x8x8xf32>
  }

  func.func private @attention_weights(%q: tensor<2x4x8x8xf32>, %k: tensor<2x4x8x8xf32>) -> tensor<2x4x8x8xf32> {
    %scale = stablehlo.constant dense<0.353553391> : tensor<2x4x8x8xf32>
    %hidden = stablehlo.constant dense<0xFF800000> : tensor<2x4x8x8xf32>
    %lowest = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %zero = stablehlo.constant dense<0.0> : tensor<f32>
    %dots = stablehlo.dot_general %q, %k, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [3]
        : (tensor<2x4x8x8xf32>, tensor<2x4x8x8xf32>) -> tensor<2x4x8x8xf32>
    %scores = stablehlo.multiply %dots, %scale : tensor<2x4x8x8xf32>
    %at_query = stablehlo.iota dim = 2 : tensor<2x4x8x8xi32>
    %at_key = stablehlo.iota dim = 3 : tensor<2x4x8x8xi32>
    %seen = stablehlo.compare GE, %at_query, %at_key, SIGNED : (tensor<2x4x8x8xi32>, tensor<2x4x8x8xi32>) -> tensor<2x4x8x8xi1>
    %masked = stablehlo.select %seen, %scores, %hidden : tensor<2x4x8x8xi1>, tensor<2x4x8x8xf32>
    %max = stablehlo.reduce(%masked init: %lowest) applies stablehlo.maximum across dimensions = [3]
        : (tensor<2x4x8x8xf32>, tensor<f32>) -> tensor<2x4x8xf32>
    %max_rows = stablehlo.broadcast_in_dim %max, dims = [0, 1, 2] : (tensor<2x4x8xf32>) -> tensor<2x4x8x8xf32>
    %shifted = stablehlo.subtract %masked, %max_rows : tensor<2x4x8x8xf32>
    %exps = stablehlo.exponential %shifted : tensor<2x4x8x8xf32>
    %sum = stablehlo.reduce(%exps init: %zero) applies stablehlo.add across dimensions = [3]
        : (tensor<2x4x8x8xf32>, tensor<f32>) -> tensor<2x4x8xf32>
    %sum_rows = stablehlo.broadcast_in_dim %sum, dims = [0, 1, 2] : (tensor<2x4x8xf32>) -> tensor<2x4x8x8xf32>
    %p = stablehlo.divide %exps, %sum_rows : tensor<2x4x8x8xf32>
    return %p : tensor<2x4x8x8xf32>
  }
}
