// Two draft tokens for each of 5 sequences, as a server runs it that speculates: keys and values go into pages that all sequences share,
// the two queries see what is before them in a window of 20 tokens, with a logit of its own per head to rest on (gpt-oss) and capped scores
// (Gemma 2); the 4 most likely tokens after each draft are what the drafts are compared with. Weights are i8, with a scale for each output.
module @paged_step {
  func.func @main(%tokens: tensor<5x2xi32>, %table: tensor<5x6xi32>, %at: tensor<5xi32>,
                  %key_pages: tensor<31x2x8x16xf32> {tf.aliasing_output = 2 : i32},
                  %value_pages: tensor<31x2x8x16xf32> {tf.aliasing_output = 3 : i32},
                  %embedding: tensor<53x48xf32>, %norm: tensor<48xf32>, %wq: tensor<96x48xi8>, %sq: tensor<96xf32>,
                  %wk: tensor<32x48xi8>, %sk: tensor<32xf32>, %wv: tensor<32x48xi8>, %sv: tensor<32xf32>,
                  %wo: tensor<48x96xi8>, %so: tensor<48xf32>, %sinks: tensor<6xf32>, %last_norm: tensor<48xf32>)
      -> (tensor<5x2x4xf32>, tensor<5x2x4xi32>, tensor<31x2x8x16xf32>, tensor<31x2x8x16xf32>) {
    // 6 query heads share 2 heads of keys and values.
    %x = transformer.embedding %embedding, %tokens : (tensor<53x48xf32>, tensor<5x2xi32>) -> tensor<5x2x48xf32>
    %h = transformer.rms_norm %x scale %norm {epsilon = 1.0e-06 : f32, unit_offset} : (tensor<5x2x48xf32>, tensor<48xf32>) -> tensor<5x2x48xf32>
    %q0 = transformer.linear %h, %wq scale %sq : (tensor<5x2x48xf32>, tensor<96x48xi8>, tensor<96xf32>) -> tensor<5x2x96xf32>
    %k0 = transformer.linear %h, %wk scale %sk : (tensor<5x2x48xf32>, tensor<32x48xi8>, tensor<32xf32>) -> tensor<5x2x32xf32>
    %v0 = transformer.linear %h, %wv scale %sv : (tensor<5x2x48xf32>, tensor<32x48xi8>, tensor<32xf32>) -> tensor<5x2x32xf32>
    %q1 = tensor.expand_shape %q0 [[0], [1], [2, 3]] output_shape [5, 2, 6, 16] : tensor<5x2x96xf32> into tensor<5x2x6x16xf32>
    %k1 = tensor.expand_shape %k0 [[0], [1], [2, 3]] output_shape [5, 2, 2, 16] : tensor<5x2x32xf32> into tensor<5x2x2x16xf32>
    %v1 = tensor.expand_shape %v0 [[0], [1], [2, 3]] output_shape [5, 2, 2, 16] : tensor<5x2x32xf32> into tensor<5x2x2x16xf32>
    %query_heads = tensor.empty() : tensor<5x6x2x16xf32>
    %heads = tensor.empty() : tensor<5x2x2x16xf32>
    %q2 = linalg.transpose ins(%q1 : tensor<5x2x6x16xf32>) outs(%query_heads : tensor<5x6x2x16xf32>) permutation = [0, 2, 1, 3]
    %k2 = linalg.transpose ins(%k1 : tensor<5x2x2x16xf32>) outs(%heads : tensor<5x2x2x16xf32>) permutation = [0, 2, 1, 3]
    %v2 = linalg.transpose ins(%v1 : tensor<5x2x2x16xf32>) outs(%heads : tensor<5x2x2x16xf32>) permutation = [0, 2, 1, 3]

    // The drafts of a sequence are at its next two positions.
    %at1 = tensor.expand_shape %at [[0, 1]] output_shape [5, 1] : tensor<5xi32> into tensor<5x1xi32>
    %two_positions = tensor.empty() : tensor<5x2xi32>
    %starts = linalg.broadcast ins(%at : tensor<5xi32>) outs(%two_positions : tensor<5x2xi32>) dimensions = [1]
    %steps = arith.constant dense<[[0, 1], [0, 1], [0, 1], [0, 1], [0, 1]]> : tensor<5x2xi32>
    %positions = arith.addi %starts, %steps : tensor<5x2xi32>
    %two = arith.constant dense<2> : tensor<5xi32>
    %lengths = arith.addi %at, %two : tensor<5xi32>
    %q = transformer.rope %q2 positions %positions {base = 1.5e+05 : f64, interleaved} : (tensor<5x6x2x16xf32>, tensor<5x2xi32>) -> tensor<5x6x2x16xf32>
    %k = transformer.rope %k2 positions %positions {base = 1.5e+05 : f64, interleaved} : (tensor<5x2x2x16xf32>, tensor<5x2xi32>) -> tensor<5x2x2x16xf32>
    %new_keys = transformer.kv_append %k into %key_pages at %at table %table
        : (tensor<5x2x2x16xf32>, tensor<31x2x8x16xf32>, tensor<5xi32>, tensor<5x6xi32>) -> tensor<31x2x8x16xf32>
    %new_values = transformer.kv_append %v2 into %value_pages at %at table %table
        : (tensor<5x2x2x16xf32>, tensor<31x2x8x16xf32>, tensor<5xi32>, tensor<5x6xi32>) -> tensor<31x2x8x16xf32>
    %o = transformer.paged_attention %q, %new_keys, %new_values table %table lengths %lengths sinks %sinks
        {causal, window = 20 : i64, soft_cap = 5.0e+01 : f32}
        : (tensor<5x6x2x16xf32>, tensor<31x2x8x16xf32>, tensor<31x2x8x16xf32>, tensor<5x6xi32>, tensor<5xi32>, tensor<6xf32>)
        -> tensor<5x6x2x16xf32>

    // Back to the residual stream, and through the table of the embedding to logits.
    %token_order = tensor.empty() : tensor<5x2x6x16xf32>
    %o1 = linalg.transpose ins(%o : tensor<5x6x2x16xf32>) outs(%token_order : tensor<5x2x6x16xf32>) permutation = [0, 2, 1, 3]
    %joined = tensor.collapse_shape %o1 [[0], [1], [2, 3]] : tensor<5x2x6x16xf32> into tensor<5x2x96xf32>
    %y = transformer.linear %joined, %wo scale %so residual %x
        : (tensor<5x2x96xf32>, tensor<48x96xi8>, tensor<48xf32>, tensor<5x2x48xf32>) -> tensor<5x2x48xf32>
    %z = transformer.rms_norm %y scale %last_norm {epsilon = 1.0e-06 : f32, unit_offset} : (tensor<5x2x48xf32>, tensor<48xf32>) -> tensor<5x2x48xf32>
    %logits = transformer.matmul %z, %embedding {transpose_rhs} : (tensor<5x2x48xf32>, tensor<53x48xf32>) -> tensor<5x2x53xf32>
    %scores = transformer.log_softmax %logits {dimension = 2 : i64} : tensor<5x2x53xf32>
    %best, %best_tokens = transformer.top_k %scores {k = 4 : i64} : (tensor<5x2x53xf32>) -> (tensor<5x2x4xf32>, tensor<5x2x4xi32>)
    return %best, %best_tokens, %new_keys, %new_values : tensor<5x2x4xf32>, tensor<5x2x4xi32>, tensor<31x2x8x16xf32>, tensor<31x2x8x16xf32>
  }
}
