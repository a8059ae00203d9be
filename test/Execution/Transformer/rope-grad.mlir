// The backward function of a rotation by a table of frequencies, by input and table, against the reference.
// RUN: sed 's/T_/f32/g' %s | forge-opt --transformer-differentiate -o %t.f32.mlir && forge verify %t.f32.mlir --function main_grad --each-stage
// RUN: sed 's/T_/bf16/g' %s | forge-opt --transformer-differentiate -o %t.bf16.mlir && forge verify %t.bf16.mlir --function main_grad
// RUN: forge verify %t.f32.mlir --function main_grad --tier correctness
func.func @main(%x: tensor<2x3x5x14xT_>, %y: tensor<?x2x?x8xT_>, %p: tensor<?x?xi64>, %f: tensor<7xf32>, %g: tensor<3xf32>)
    -> (tensor<2x3x5x14xT_>, tensor<?x2x?x8xT_>) {
  %at = arith.constant dense<[0, 7, 2, 31, 5]> : tensor<5xi32>
  %0 = transformer.rope %x positions %at frequencies %f : (tensor<2x3x5x14xT_>, tensor<5xi32>, tensor<7xf32>) -> tensor<2x3x5x14xT_>
  %1 = transformer.rope %y positions %p frequencies %g {interleaved, rotary_dims = 6 : i64, inverse}
      : (tensor<?x2x?x8xT_>, tensor<?x?xi64>, tensor<3xf32>) -> tensor<?x2x?x8xT_>
  return %0, %1 : tensor<2x3x5x14xT_>, tensor<?x2x?x8xT_>
}
