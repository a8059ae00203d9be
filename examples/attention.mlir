// Causal multi-head attention, as StableHLO: 2 sequences of 8 tokens, 4 heads of 8.
//   forge verify examples/attention.mlir
module @attention {
  func.func @main(%q: tensor<2x4x8x8xf32>, %k: tensor<2x4x8x8xf32>, %v: tensor<2x4x8x8xf32>) -> tensor<2x4x8x8xf32> {
    %o = call @attention(%q, %k, %v) : (tensor<2x4x8x8xf32>, tensor<2x4x8x8xf32>, tensor<2x4x8x8xf32>) -> tensor<2x4x8x8xf32>
    return %o : tensor<2x4x8x8xf32>
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
