// Activations, sums, products and embedding against the reference: every float type, static and dynamic.
// RUN: sed 's/T_/f32/g' %s > %t.f32.mlir && forge verify %t.f32.mlir --each-stage
// RUN: sed 's/T_/f64/g' %s > %t.f64.mlir && forge verify %t.f64.mlir
// RUN: sed 's/T_/f16/g' %s > %t.f16.mlir && forge verify %t.f16.mlir
// RUN: sed 's/T_/bf16/g' %s > %t.bf16.mlir && forge verify %t.bf16.mlir
// RUN: forge verify %t.f32.mlir --tier correctness
func.func @main(%x: tensor<3x37xT_>, %y: tensor<?x13xT_>, %t: tensor<11x5xT_>, %ids: tensor<2x3xi32>, %dyn: tensor<?xi64>)
    -> (tensor<3x37xT_>, tensor<3x37xT_>, tensor<3x37xT_>, tensor<3x37xT_>, tensor<3x37xT_>, tensor<3x37xT_>,
        tensor<3x37xT_>, tensor<?x13xT_>, tensor<?x13xT_>, tensor<2x3x5xT_>, tensor<?x5xT_>) {
  %0 = transformer.activation relu %x : tensor<3x37xT_>
  %1 = transformer.activation relu_squared %x : tensor<3x37xT_>
  %2 = transformer.activation gelu %x : tensor<3x37xT_>
  %3 = transformer.activation gelu_tanh %x : tensor<3x37xT_>
  %4 = transformer.activation silu %x : tensor<3x37xT_>
  %5 = transformer.activation sigmoid %x : tensor<3x37xT_>
  %6 = transformer.activation tanh %x : tensor<3x37xT_>
  %7 = transformer.add %y, %y : tensor<?x13xT_>
  %8 = transformer.multiply %7, %y : tensor<?x13xT_>
  %9 = transformer.embedding %t, %ids : (tensor<11x5xT_>, tensor<2x3xi32>) -> tensor<2x3x5xT_>
  %10 = transformer.embedding %t, %dyn : (tensor<11x5xT_>, tensor<?xi64>) -> tensor<?x5xT_>
  return %0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10
      : tensor<3x37xT_>, tensor<3x37xT_>, tensor<3x37xT_>, tensor<3x37xT_>, tensor<3x37xT_>, tensor<3x37xT_>,
        tensor<3x37xT_>, tensor<?x13xT_>, tensor<?x13xT_>, tensor<2x3x5xT_>, tensor<?x5xT_>
}
