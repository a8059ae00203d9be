// Linear layers against the reference: weights of every type, scales per tensor, channel and block.
// RUN: sed 's/T_/f32/g' %s > %t.f32.mlir && forge verify %t.f32.mlir --each-stage
// RUN: sed 's/T_/f64/g' %s > %t.f64.mlir && forge verify %t.f64.mlir
// RUN: sed 's/T_/f16/g' %s > %t.f16.mlir && forge verify %t.f16.mlir
// RUN: sed 's/T_/bf16/g' %s > %t.bf16.mlir && forge verify %t.bf16.mlir
// RUN: forge verify %t.bf16.mlir --tier correctness
func.func @main(%x: tensor<2x3x37xT_>, %d: tensor<?x37xT_>, %w: tensor<13x37xT_>, %w8: tensor<13x37xi8>, %w4: tensor<13x37xi4>,
                %f8: tensor<13x37xf8E4M3FN>, %s: tensor<f32>, %c: tensor<13xT_>, %z: tensor<13xi8>, %bs: tensor<13x3xf32>,
                %bz: tensor<13x3xi4>, %ds: tensor<4x10xf32>, %b: tensor<13xT_>, %r: tensor<2x3x13xT_>)
    -> (tensor<2x3x13xT_>, tensor<2x3x13xT_>, tensor<?x13xT_>, tensor<?x13xT_>, tensor<2x3x13xT_>) {
  %0 = transformer.linear %x, %w bias %b residual %r {activation = #transformer.activation<gelu_tanh>}
      : (tensor<2x3x37xT_>, tensor<13x37xT_>, tensor<13xT_>, tensor<2x3x13xT_>) -> tensor<2x3x13xT_>
  %1 = transformer.linear %x, %w8 scale %c zero_point %z bias %b
      : (tensor<2x3x37xT_>, tensor<13x37xi8>, tensor<13xT_>, tensor<13xi8>, tensor<13xT_>) -> tensor<2x3x13xT_>
  %2 = transformer.linear %d, %w4 scale %bs zero_point %bz {block = array<i64: 1, 16>}
      : (tensor<?x37xT_>, tensor<13x37xi4>, tensor<13x3xf32>, tensor<13x3xi4>) -> tensor<?x13xT_>
  %3 = transformer.linear %d, %f8 scale %ds {block = array<i64: 4, 4>}
      : (tensor<?x37xT_>, tensor<13x37xf8E4M3FN>, tensor<4x10xf32>) -> tensor<?x13xT_>
  %4 = transformer.linear %x, %w8 scale %s residual %r {activation = #transformer.activation<relu>, accumulate = f64}
      : (tensor<2x3x37xT_>, tensor<13x37xi8>, tensor<f32>, tensor<2x3x13xT_>) -> tensor<2x3x13xT_>
  return %0, %1, %2, %3, %4 : tensor<2x3x13xT_>, tensor<2x3x13xT_>, tensor<?x13xT_>, tensor<?x13xT_>, tensor<2x3x13xT_>
}
