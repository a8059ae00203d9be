// Second derivatives of a block: gradients lowered to linalg are differentiated again, compiled, and compared with the reference.
// RUN: forge-opt %s --transformer-differentiate=name=first --convert-transformer-to-linalg --transformer-differentiate="function=first name=second" -o %t.mlir
// RUN: forge verify %t.mlir --function second
// RUN: forge verify %t.mlir --function second --tier correctness
func.func @main(%x: tensor<1x2x3x4xf32>, %w: tensor<4x4xf32>, %g: tensor<4xf32>) -> tensor<1x2x3x4xf32> {
  %n = transformer.rms_norm %x scale %g {epsilon = 1.0e-05 : f32} : (tensor<1x2x3x4xf32>, tensor<4xf32>) -> tensor<1x2x3x4xf32>
  %q = transformer.matmul %n, %w : (tensor<1x2x3x4xf32>, tensor<4x4xf32>) -> tensor<1x2x3x4xf32>
  %a = transformer.attention %q, %n, %n {causal} : (tensor<1x2x3x4xf32>, tensor<1x2x3x4xf32>, tensor<1x2x3x4xf32>) -> tensor<1x2x3x4xf32>
  %y = transformer.activation gelu %a : tensor<1x2x3x4xf32>
  %z = transformer.add %x, %y : tensor<1x2x3x4xf32>
  return %z : tensor<1x2x3x4xf32>
}
