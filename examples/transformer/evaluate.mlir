// What an evaluation makes of the logits of a language model: the loss of the next tokens, where a prompt's count for nothing, each token's own
// loss, the model's choice, its 5 best, and the logarithms of all probabilities. Logits are here without what computes them, so that equal ones
// are equal and the order of choices is exact.
module @evaluate {
  func.func @main(%logits: tensor<4x13x37xf32>, %targets: tensor<4x13xi32>)
      -> (tensor<f32>, tensor<4x13xf32>, tensor<4x13xi32>, tensor<4x13x5xf32>, tensor<4x13x5xi32>, tensor<4x13x37xf32>) {
    %loss = transformer.cross_entropy mean %logits, %targets {ignore_index = 7 : i64, label_smoothing = 0.1 : f32}
        : (tensor<4x13x37xf32>, tensor<4x13xi32>) -> tensor<f32>
    %losses = transformer.cross_entropy none %logits, %targets : (tensor<4x13x37xf32>, tensor<4x13xi32>) -> tensor<4x13xf32>
    %choice = transformer.argmax %logits : tensor<4x13x37xf32> -> tensor<4x13xi32>
    %best, %best_tokens = transformer.top_k %logits {k = 5 : i64} : (tensor<4x13x37xf32>) -> (tensor<4x13x5xf32>, tensor<4x13x5xi32>)
    %scores = transformer.log_softmax %logits {dimension = 2 : i64} : tensor<4x13x37xf32>
    return %loss, %losses, %choice, %best, %best_tokens, %scores
        : tensor<f32>, tensor<4x13xf32>, tensor<4x13xi32>, tensor<4x13x5xf32>, tensor<4x13x5xi32>, tensor<4x13x37xf32>
  }
}
