// Sizes that one operand knows and another does not: heads are split by what either says.
// RUN: forge verify %s --function heads --dynamic-size 4
// RUN: forge verify %s --function keys --dynamic-size 4
// RUN: forge verify %s --function gradients --dynamic-size 4
func.func @heads(%q: tensor<4x?x3x4xf32>, %k: tensor<?x2x4x?xf32>, %v: tensor<4x2x?x6xf32>, %s: tensor<4xf32>, %m: tensor<1x4x3x4xf32>) -> tensor<?x?x3x6xf32> {
  %0 = transformer.attention %q, %k, %v mask %m sinks %s
      : (tensor<4x?x3x4xf32>, tensor<?x2x4x?xf32>, tensor<4x2x?x6xf32>, tensor<1x4x3x4xf32>, tensor<4xf32>) -> tensor<?x?x3x6xf32>
  return %0 : tensor<?x?x3x6xf32>
}
func.func @keys(%q: tensor<4x8x3x?xf32>, %k: tensor<?x?x5x4xf32>, %v: tensor<?x?x5x6xf32>, %s: tensor<8xf32>, %m: tensor<?x8x1x5xi1>) -> tensor<4x8x3x6xf32> {
  %0 = transformer.attention %q, %k, %v mask %m sinks %s
      : (tensor<4x8x3x?xf32>, tensor<?x?x5x4xf32>, tensor<?x?x5x6xf32>, tensor<?x8x1x5xi1>, tensor<8xf32>) -> tensor<4x8x3x6xf32>
  return %0 : tensor<4x8x3x6xf32>
}
func.func @gradients(%do: tensor<4x4x?x4xf32>, %q: tensor<4x?x4x8xf32>, %k: tensor<?x2x?x8xf32>, %v: tensor<4x2x4x?xf32>, %lse: tensor<?x4x4xf32>,
                     %m: tensor<1x4x4x1xf32>, %s: tensor<4xf32>)
    -> (tensor<4x?x4x8xf32>, tensor<?x2x?x8xf32>, tensor<4x2x4x?xf32>, tensor<1x4x4x1xf32>, tensor<4xf32>) {
  %0:5 = transformer.attention_grad %do, %q, %k, %v lse %lse mask %m sinks %s
      : (tensor<4x4x?x4xf32>, tensor<4x?x4x8xf32>, tensor<?x2x?x8xf32>, tensor<4x2x4x?xf32>, tensor<?x4x4xf32>, tensor<1x4x4x1xf32>, tensor<4xf32>)
        -> (tensor<4x?x4x8xf32>, tensor<?x2x?x8xf32>, tensor<4x2x4x?xf32>, tensor<1x4x4x1xf32>, tensor<4xf32>)
  return %0#0, %0#1, %0#2, %0#3, %0#4 : tensor<4x?x4x8xf32>, tensor<?x2x?x8xf32>, tensor<4x2x4x?xf32>, tensor<1x4x4x1xf32>, tensor<4xf32>
}
