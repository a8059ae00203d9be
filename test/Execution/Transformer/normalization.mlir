// Softmax and norms against the reference: every float type, sizes that divide no tile, static and dynamic.
// RUN: sed 's/T_/f32/g' %s > %t.f32.mlir && forge verify %t.f32.mlir --each-stage
// RUN: sed 's/T_/f64/g' %s > %t.f64.mlir && forge verify %t.f64.mlir
// RUN: sed 's/T_/f16/g' %s > %t.f16.mlir && forge verify %t.f16.mlir
// RUN: sed 's/T_/bf16/g' %s > %t.bf16.mlir && forge verify %t.bf16.mlir
// RUN: forge verify %t.f32.mlir --tier correctness
func.func @main(%x: tensor<3x37xT_>, %y: tensor<2x?x13xT_>, %one: tensor<5x1xT_>, %g: tensor<37xT_>, %s: tensor<37xT_>,
                %h: tensor<13xT_>)
    -> (tensor<3x37xT_>, tensor<3x37xT_>, tensor<2x?x13xT_>, tensor<5x1xT_>, tensor<3x37xT_>, tensor<3x37xT_>,
        tensor<2x?x13xT_>, tensor<3x37xT_>, tensor<3x37xT_>, tensor<2x?x13xT_>, tensor<3x37xT_>, tensor<2x?x13xT_>,
        tensor<5x1xT_>, tensor<3x37xT_>, tensor<3x37xT_>) {
  %0 = transformer.softmax %x {dimension = 1 : i64} : tensor<3x37xT_>
  %1 = transformer.softmax %x {dimension = 0 : i64} : tensor<3x37xT_>
  %2 = transformer.softmax %y {dimension = 1 : i64} : tensor<2x?x13xT_>
  %3 = transformer.softmax %one {dimension = 1 : i64} : tensor<5x1xT_>
  %4 = transformer.softmax %x {dimension = 1 : i64, accumulate = f64} : tensor<3x37xT_>
  %5 = transformer.log_softmax %x {dimension = 1 : i64} : tensor<3x37xT_>
  %6 = transformer.log_softmax %y {dimension = 1 : i64} : tensor<2x?x13xT_>
  %7 = transformer.layer_norm %x scale %g shift %s {epsilon = 1.0e-05 : f32}
      : (tensor<3x37xT_>, tensor<37xT_>, tensor<37xT_>) -> tensor<3x37xT_>
  %8 = transformer.layer_norm %x {epsilon = 1.0e-05 : f32, accumulate = f64} : (tensor<3x37xT_>) -> tensor<3x37xT_>
  %9 = transformer.layer_norm %y scale %h {epsilon = 1.0e-05 : f32} : (tensor<2x?x13xT_>, tensor<13xT_>) -> tensor<2x?x13xT_>
  %10 = transformer.rms_norm %x scale %g {epsilon = 1.0e-06 : f32} : (tensor<3x37xT_>, tensor<37xT_>) -> tensor<3x37xT_>
  %11 = transformer.rms_norm %y scale %h {epsilon = 1.0e-06 : f32, unit_offset} : (tensor<2x?x13xT_>, tensor<13xT_>) -> tensor<2x?x13xT_>
  %12 = transformer.layer_norm %one {epsilon = 1.0e-05 : f32} : (tensor<5x1xT_>) -> tensor<5x1xT_>
  %13 = transformer.rms_norm %x {epsilon = 1.0e-06 : f32} : (tensor<3x37xT_>) -> tensor<3x37xT_>
  %14 = transformer.rms_norm %x {epsilon = 1.0e-06 : f32, accumulate = f64} : (tensor<3x37xT_>) -> tensor<3x37xT_>
  return %0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14
      : tensor<3x37xT_>, tensor<3x37xT_>, tensor<2x?x13xT_>, tensor<5x1xT_>, tensor<3x37xT_>, tensor<3x37xT_>,
        tensor<2x?x13xT_>, tensor<3x37xT_>, tensor<3x37xT_>, tensor<2x?x13xT_>, tensor<3x37xT_>, tensor<2x?x13xT_>,
        tensor<5x1xT_>, tensor<3x37xT_>, tensor<3x37xT_>
}
