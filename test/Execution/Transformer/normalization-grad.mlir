// Gradients of softmax and norms against the reference: every float type, sizes that divide no tile, static and dynamic.
// RUN: sed 's/T_/f32/g' %s > %t.f32.mlir && forge verify %t.f32.mlir --each-stage
// RUN: sed 's/T_/f64/g' %s > %t.f64.mlir && forge verify %t.f64.mlir
// RUN: sed 's/T_/f16/g' %s > %t.f16.mlir && forge verify %t.f16.mlir
// RUN: sed 's/T_/bf16/g' %s > %t.bf16.mlir && forge verify %t.bf16.mlir
// RUN: forge verify %t.f32.mlir --tier correctness
func.func @main(%dy: tensor<3x37xT_>, %x: tensor<3x37xT_>, %dz: tensor<2x?x13xT_>, %z: tensor<2x?x13xT_>,
                %d1: tensor<5x1xT_>, %one: tensor<5x1xT_>, %g: tensor<37xT_>, %h: tensor<13xT_>, %v: tensor<37xT_>)
    -> (tensor<3x37xT_>, tensor<3x37xT_>, tensor<2x?x13xT_>, tensor<3x37xT_>, tensor<2x?x13xT_>, tensor<3x37xT_>,
        tensor<37xT_>, tensor<37xT_>, tensor<2x?x13xT_>, tensor<13xT_>, tensor<13xT_>, tensor<5x1xT_>, tensor<1xT_>,
        tensor<3x37xT_>, tensor<37xT_>, tensor<2x?x13xT_>, tensor<13xT_>, tensor<37xT_>, tensor<37xT_>) {
  %p = transformer.softmax %x {dimension = 1 : i64} : tensor<3x37xT_>
  %0 = transformer.softmax_grad %dy, %p {dimension = 1 : i64} : tensor<3x37xT_>
  %1 = transformer.softmax_grad %dy, %p {dimension = 0 : i64, accumulate = f64} : tensor<3x37xT_>
  %2 = transformer.softmax_grad %dz, %z {dimension = 1 : i64} : tensor<2x?x13xT_>
  %3 = transformer.log_softmax_grad %dy, %x {dimension = 1 : i64} : tensor<3x37xT_>
  %4 = transformer.log_softmax_grad %dz, %z {dimension = 1 : i64} : tensor<2x?x13xT_>
  %5:3 = transformer.layer_norm_grad %dy, %x scale %g {epsilon = 1.0e-05 : f32}
      : (tensor<3x37xT_>, tensor<3x37xT_>, tensor<37xT_>) -> (tensor<3x37xT_>, tensor<37xT_>, tensor<37xT_>)
  %6:3 = transformer.layer_norm_grad %dz, %z {epsilon = 1.0e-05 : f32, accumulate = f64}
      : (tensor<2x?x13xT_>, tensor<2x?x13xT_>) -> (tensor<2x?x13xT_>, tensor<13xT_>, tensor<13xT_>)
  %7:3 = transformer.layer_norm_grad %d1, %one {epsilon = 1.0e-05 : f32}
      : (tensor<5x1xT_>, tensor<5x1xT_>) -> (tensor<5x1xT_>, tensor<1xT_>, tensor<1xT_>)
  %8:2 = transformer.rms_norm_grad %dy, %x scale %g {epsilon = 1.0e-06 : f32}
      : (tensor<3x37xT_>, tensor<3x37xT_>, tensor<37xT_>) -> (tensor<3x37xT_>, tensor<37xT_>)
  %9:2 = transformer.rms_norm_grad %dz, %z scale %h {epsilon = 1.0e-06 : f32, unit_offset}
      : (tensor<2x?x13xT_>, tensor<2x?x13xT_>, tensor<13xT_>) -> (tensor<2x?x13xT_>, tensor<13xT_>)
  %10:2 = transformer.rms_norm_grad %g, %v {epsilon = 1.0e-06 : f32} : (tensor<37xT_>, tensor<37xT_>) -> (tensor<37xT_>, tensor<37xT_>)
  return %0, %1, %2, %3, %4, %5#0, %5#1, %5#2, %6#0, %6#1, %6#2, %7#0, %7#1, %8#0, %8#1, %9#0, %9#1, %10#0, %10#1
      : tensor<3x37xT_>, tensor<3x37xT_>, tensor<2x?x13xT_>, tensor<3x37xT_>, tensor<2x?x13xT_>, tensor<3x37xT_>,
        tensor<37xT_>, tensor<37xT_>, tensor<2x?x13xT_>, tensor<13xT_>, tensor<13xT_>, tensor<5x1xT_>, tensor<1xT_>,
        tensor<3x37xT_>, tensor<37xT_>, tensor<2x?x13xT_>, tensor<13xT_>, tensor<37xT_>, tensor<37xT_>
}
