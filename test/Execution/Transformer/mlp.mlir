// Feed-forward blocks against the reference, in both layouts of the weights.
// RUN: sed 's/T_/f32/g' %s > %t.f32.mlir && forge verify %t.f32.mlir --each-stage
// RUN: sed 's/T_/f64/g' %s > %t.f64.mlir && forge verify %t.f64.mlir
// RUN: sed 's/T_/f16/g' %s > %t.f16.mlir && forge verify %t.f16.mlir
// RUN: sed 's/T_/bf16/g' %s > %t.bf16.mlir && forge verify %t.bf16.mlir
// RUN: forge verify %t.bf16.mlir --tier correctness
func.func @main(%x: tensor<2x3x17xT_>, %d: tensor<?x17xT_>, %up: tensor<17x29xT_>, %upT: tensor<29x17xT_>, %bu: tensor<29xT_>,
                %down: tensor<29x17xT_>, %downT: tensor<11x29xT_>, %bd: tensor<17xT_>)
    -> (tensor<2x3x17xT_>, tensor<?x11xT_>, tensor<2x3x17xT_>, tensor<?x11xT_>) {
  %0 = transformer.mlp %x up %up bias %bu down %down bias %bd residual %x {activation = #transformer.activation<gelu>}
      : (tensor<2x3x17xT_>, tensor<17x29xT_>, tensor<29xT_>, tensor<29x17xT_>, tensor<17xT_>, tensor<2x3x17xT_>) -> tensor<2x3x17xT_>
  %1 = transformer.mlp %d up %upT down %downT {activation = #transformer.activation<relu_squared>, transpose_weights}
      : (tensor<?x17xT_>, tensor<29x17xT_>, tensor<11x29xT_>) -> tensor<?x11xT_>
  %2 = transformer.gated_mlp %x gate %up bias %bu up %up down %down residual %x {activation = #transformer.activation<silu>}
      : (tensor<2x3x17xT_>, tensor<17x29xT_>, tensor<29xT_>, tensor<17x29xT_>, tensor<29x17xT_>, tensor<2x3x17xT_>) -> tensor<2x3x17xT_>
  %3 = transformer.gated_mlp %d gate %upT up %upT bias %bu down %downT
      {activation = #transformer.activation<gelu_tanh>, transpose_weights, accumulate = f64}
      : (tensor<?x17xT_>, tensor<29x17xT_>, tensor<29x17xT_>, tensor<29xT_>, tensor<11x29xT_>) -> tensor<?x11xT_>
  return %0, %1, %2, %3 : tensor<2x3x17xT_>, tensor<?x11xT_>, tensor<2x3x17xT_>, tensor<?x11xT_>
}
