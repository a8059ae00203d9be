// Gradients of the loss, of routing, of selection and of grouped products against the reference.
// RUN: sed 's/T_/f32/g;s/A_/f32/g' %s > %t.f32.mlir && forge verify %t.f32.mlir --each-stage
// RUN: sed 's/T_/f64/g;s/A_/f64/g' %s > %t.f64.mlir && forge verify %t.f64.mlir
// RUN: sed 's/T_/f16/g;s/A_/f32/g' %s > %t.f16.mlir && forge verify %t.f16.mlir
// RUN: sed 's/T_/bf16/g;s/A_/f32/g' %s > %t.bf16.mlir && forge verify %t.bf16.mlir
// RUN: forge verify %t.f32.mlir --tier correctness
func.func @main(%x: tensor<5x13xT_>, %t: tensor<5xi32>, %g: tensor<5xA_>, %one: tensor<A_>, %y: tensor<2x?x7xT_>, %u: tensor<2x?xi64>,
                %dw: tensor<5x3xT_>, %e: tensor<5x3xi32>, %dz: tensor<?x3xT_>, %f: tensor<?x3xi64>, %z: tensor<?x13xT_>,
                %l: tensor<11x3xT_>, %r: tensor<11x5xT_>, %n: tensor<4xi32>)
    -> (tensor<5x13xT_>, tensor<5x13xT_>, tensor<2x?x7xT_>, tensor<5x13xT_>, tensor<5x13xT_>, tensor<?x13xT_>, tensor<5x13xT_>,
        tensor<?x13xT_>, tensor<4x3x5xT_>) {
  %0 = transformer.cross_entropy_grad none %g, %x, %t {label_smoothing = 0.1 : f32}
      : (tensor<5xA_>, tensor<5x13xT_>, tensor<5xi32>) -> tensor<5x13xT_>
  %1 = transformer.cross_entropy_grad mean %one, %x, %t {ignore_index = 1 : i64} : (tensor<A_>, tensor<5x13xT_>, tensor<5xi32>) -> tensor<5x13xT_>
  %2 = transformer.cross_entropy_grad sum %one, %y, %u : (tensor<A_>, tensor<2x?x7xT_>, tensor<2x?xi64>) -> tensor<2x?x7xT_>
  %3 = transformer.moe_route_grad softmax %dw, %x, %e {normalize} : (tensor<5x3xT_>, tensor<5x13xT_>, tensor<5x3xi32>) -> tensor<5x13xT_>
  %4 = transformer.moe_route_grad sigmoid %dw, %x, %e {scale = 2.5 : f32} : (tensor<5x3xT_>, tensor<5x13xT_>, tensor<5x3xi32>) -> tensor<5x13xT_>
  %5 = transformer.moe_route_grad softmax %dz, %z, %f : (tensor<?x3xT_>, tensor<?x13xT_>, tensor<?x3xi64>) -> tensor<?x13xT_>
  %6 = transformer.top_k_grad %dw, %e, %x : (tensor<5x3xT_>, tensor<5x3xi32>, tensor<5x13xT_>) -> tensor<5x13xT_>
  %7 = transformer.top_k_grad %dz, %f, %z : (tensor<?x3xT_>, tensor<?x3xi64>, tensor<?x13xT_>) -> tensor<?x13xT_>
  %8 = transformer.grouped_outer %l, %r groups %n : (tensor<11x3xT_>, tensor<11x5xT_>, tensor<4xi32>) -> tensor<4x3x5xT_>
  return %0, %1, %2, %3, %4, %5, %6, %7, %8
      : tensor<5x13xT_>, tensor<5x13xT_>, tensor<2x?x7xT_>, tensor<5x13xT_>, tensor<5x13xT_>, tensor<?x13xT_>, tensor<5x13xT_>,
        tensor<?x13xT_>, tensor<4x3x5xT_>
}
