// One step of decoding, as a Mistral does it for a batch of 19 sequences: a token each, whose keys and values are appended to caches that
// the caller gives away, attention over the last 24 tokens of what each sequence has so far, and the next token drawn from the logits. The
// logits are a result too: in a token, what comes before the draw shows only where it changes the choice.
module @decode_step {
  func.func @main(%x: tensor<19x32xf32>, %at: tensor<19xi32>, %seeds: tensor<19xi64>, %temperature: tensor<19xf32>, %top_k: tensor<19xi32>,
                  %top_p: tensor<19xf32>, %keys: tensor<19x2x40x8xf32> {tf.aliasing_output = 1 : i32},
                  %values: tensor<19x2x40x8xf32> {tf.aliasing_output = 2 : i32}, %norm: tensor<32xf32>, %wq: tensor<32x32xf32>,
                  %wk: tensor<16x32xf32>, %wv: tensor<16x32xf32>, %wo: tensor<32x32xf32>, %head: tensor<97x32xf32>)
      -> (tensor<19xi32>, tensor<19x2x40x8xf32>, tensor<19x2x40x8xf32>, tensor<19x97xf32>) {
    // Queries of 4 heads, keys and values of 2, for one token each.
    %h = transformer.rms_norm %x scale %norm {epsilon = 1.0e-05 : f32} : (tensor<19x32xf32>, tensor<32xf32>) -> tensor<19x32xf32>
    %q0 = transformer.matmul %h, %wq {transpose_rhs} : (tensor<19x32xf32>, tensor<32x32xf32>) -> tensor<19x32xf32>
    %k0 = transformer.matmul %h, %wk {transpose_rhs} : (tensor<19x32xf32>, tensor<16x32xf32>) -> tensor<19x16xf32>
    %v0 = transformer.matmul %h, %wv {transpose_rhs} : (tensor<19x32xf32>, tensor<16x32xf32>) -> tensor<19x16xf32>
    %q1 = tensor.expand_shape %q0 [[0], [1, 2, 3]] output_shape [19, 4, 1, 8] : tensor<19x32xf32> into tensor<19x4x1x8xf32>
    %k1 = tensor.expand_shape %k0 [[0], [1, 2, 3]] output_shape [19, 2, 1, 8] : tensor<19x16xf32> into tensor<19x2x1x8xf32>
    %v1 = tensor.expand_shape %v0 [[0], [1, 2, 3]] output_shape [19, 2, 1, 8] : tensor<19x16xf32> into tensor<19x2x1x8xf32>

    // Where each sequence stands; its keys so far are one more, so that its query is at the last of them.
    %positions = tensor.expand_shape %at [[0, 1]] output_shape [19, 1] : tensor<19xi32> into tensor<19x1xi32>
    %one = arith.constant dense<1> : tensor<19xi32>
    %lengths = arith.addi %at, %one : tensor<19xi32>
    %q = transformer.rope %q1 positions %positions {base = 5.0e+05 : f64} : (tensor<19x4x1x8xf32>, tensor<19x1xi32>) -> tensor<19x4x1x8xf32>
    %k = transformer.rope %k1 positions %positions {base = 5.0e+05 : f64} : (tensor<19x2x1x8xf32>, tensor<19x1xi32>) -> tensor<19x2x1x8xf32>
    %new_keys = transformer.kv_append %k into %keys at %at
        : (tensor<19x2x1x8xf32>, tensor<19x2x40x8xf32>, tensor<19xi32>) -> tensor<19x2x40x8xf32>
    %new_values = transformer.kv_append %v1 into %values at %at
        : (tensor<19x2x1x8xf32>, tensor<19x2x40x8xf32>, tensor<19xi32>) -> tensor<19x2x40x8xf32>
    %o = transformer.attention %q, %new_keys, %new_values lengths %lengths {window = 24 : i64}
        : (tensor<19x4x1x8xf32>, tensor<19x2x40x8xf32>, tensor<19x2x40x8xf32>, tensor<19xi32>) -> tensor<19x4x1x8xf32>

    // Back to the residual stream, and to a token.
    %joined = tensor.collapse_shape %o [[0], [1, 2, 3]] : tensor<19x4x1x8xf32> into tensor<19x32xf32>
    %y = transformer.matmul %joined, %wo residual %x {transpose_rhs}
        : (tensor<19x32xf32>, tensor<32x32xf32>, tensor<19x32xf32>) -> tensor<19x32xf32>
    %logits = transformer.matmul %y, %head {transpose_rhs} : (tensor<19x32xf32>, tensor<97x32xf32>) -> tensor<19x97xf32>
    %steps = arith.extsi %lengths : tensor<19xi32> to tensor<19xi64>
    %token = transformer.sample %logits seeds %seeds steps %steps temperature %temperature top_k %top_k top_p %top_p
        : (tensor<19x97xf32>, tensor<19xi64>, tensor<19xi64>, tensor<19xf32>, tensor<19xi32>, tensor<19xf32>) -> tensor<19xi32>
    return %token, %new_keys, %new_values, %logits : tensor<19xi32>, tensor<19x2x40x8xf32>, tensor<19x2x40x8xf32>, tensor<19x97xf32>
  }
}
