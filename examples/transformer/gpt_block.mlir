// One block of GPT-2, at transformer level; the same function as ../gpt_block.mlir. Bias, activation and residual are
// epilogues of the matrix products; heads are split by plain tensor operations.
module @gpt_block {
  func.func @main(
      %x: tensor<2x8x32xf32>,
      %ln1_scale: tensor<32xf32>, %ln1_shift: tensor<32xf32>,
      %w_qkv: tensor<32x96xf32>, %b_qkv: tensor<96xf32>, %w_out: tensor<32x32xf32>, %b_out: tensor<32xf32>,
      %ln2_scale: tensor<32xf32>, %ln2_shift: tensor<32xf32>,
      %w_up: tensor<32x128xf32>, %b_up: tensor<128xf32>, %w_down: tensor<128x32xf32>, %b_down: tensor<32xf32>) -> tensor<2x8x32xf32> {
    %h1 = transformer.layer_norm %x scale %ln1_scale shift %ln1_shift {epsilon = 1.0e-05 : f32}
        : (tensor<2x8x32xf32>, tensor<32xf32>, tensor<32xf32>) -> tensor<2x8x32xf32>
    %qkv = transformer.matmul %h1, %w_qkv bias %b_qkv : (tensor<2x8x32xf32>, tensor<32x96xf32>, tensor<96xf32>) -> tensor<2x8x96xf32>
    %heads = tensor.empty() : tensor<2x4x8x8xf32>
    %q_part = tensor.extract_slice %qkv[0, 0, 0] [2, 8, 32] [1, 1, 1] : tensor<2x8x96xf32> to tensor<2x8x32xf32>
    %q_split = tensor.expand_shape %q_part [[0], [1], [2, 3]] output_shape [2, 8, 4, 8] : tensor<2x8x32xf32> into tensor<2x8x4x8xf32>
    %q = linalg.transpose ins(%q_split : tensor<2x8x4x8xf32>) outs(%heads : tensor<2x4x8x8xf32>) permutation = [0, 2, 1, 3]
    %k_part = tensor.extract_slice %qkv[0, 0, 32] [2, 8, 32] [1, 1, 1] : tensor<2x8x96xf32> to tensor<2x8x32xf32>
    %k_split = tensor.expand_shape %k_part [[0], [1], [2, 3]] output_shape [2, 8, 4, 8] : tensor<2x8x32xf32> into tensor<2x8x4x8xf32>
    %k = linalg.transpose ins(%k_split : tensor<2x8x4x8xf32>) outs(%heads : tensor<2x4x8x8xf32>) permutation = [0, 2, 1, 3]
    %v_part = tensor.extract_slice %qkv[0, 0, 64] [2, 8, 32] [1, 1, 1] : tensor<2x8x96xf32> to tensor<2x8x32xf32>
    %v_split = tensor.expand_shape %v_part [[0], [1], [2, 3]] output_shape [2, 8, 4, 8] : tensor<2x8x32xf32> into tensor<2x8x4x8xf32>
    %v = linalg.transpose ins(%v_split : tensor<2x8x4x8xf32>) outs(%heads : tensor<2x4x8x8xf32>) permutation = [0, 2, 1, 3]
    %o = transformer.attention %q, %k, %v {causal} : (tensor<2x4x8x8xf32>, tensor<2x4x8x8xf32>, tensor<2x4x8x8xf32>) -> tensor<2x4x8x8xf32>
    %tokens = tensor.empty() : tensor<2x8x4x8xf32>
    %o_tokens = linalg.transpose ins(%o : tensor<2x4x8x8xf32>) outs(%tokens : tensor<2x8x4x8xf32>) permutation = [0, 2, 1, 3]
    %joined = tensor.collapse_shape %o_tokens [[0], [1], [2, 3]] : tensor<2x8x4x8xf32> into tensor<2x8x32xf32>
    %x1 = transformer.matmul %joined, %w_out bias %b_out residual %x
        : (tensor<2x8x32xf32>, tensor<32x32xf32>, tensor<32xf32>, tensor<2x8x32xf32>) -> tensor<2x8x32xf32>
    %h2 = transformer.layer_norm %x1 scale %ln2_scale shift %ln2_shift {epsilon = 1.0e-05 : f32}
        : (tensor<2x8x32xf32>, tensor<32xf32>, tensor<32xf32>) -> tensor<2x8x32xf32>
    %up = transformer.matmul %h2, %w_up bias %b_up {activation = #transformer.activation<gelu_tanh>}
        : (tensor<2x8x32xf32>, tensor<32x128xf32>, tensor<128xf32>) -> tensor<2x8x128xf32>
    %y = transformer.matmul %up, %w_down bias %b_down residual %x1
        : (tensor<2x8x128xf32>, tensor<128x32xf32>, tensor<32xf32>, tensor<2x8x32xf32>) -> tensor<2x8x32xf32>
    return %y : tensor<2x8x32xf32>
  }
}
