// Gradients of activations and embedding, and sums, against the reference.
// RUN: sed 's/T_/f32/g' %s > %t.f32.mlir && forge verify %t.f32.mlir --each-stage
// RUN: sed 's/T_/f64/g' %s > %t.f64.mlir && forge verify %t.f64.mlir
// RUN: sed 's/T_/f16/g' %s > %t.f16.mlir && forge verify %t.f16.mlir
// RUN: sed 's/T_/bf16/g' %s > %t.bf16.mlir && forge verify %t.bf16.mlir
// RUN: forge verify %t.f32.mlir --tier correctness
func.func @main(%dy: tensor<3x37xT_>, %x: tensor<3x37xT_>, %rows: tensor<2x7x13xT_>, %ids: tensor<2x7xi32>, %table: tensor<11x13xT_>,
                %some: tensor<?x13xT_>, %which: tensor<?xi64>, %row: tensor<13xT_>, %id: tensor<i32>, %d: tensor<?x5x3xT_>)
    -> (tensor<3x37xT_>, tensor<3x37xT_>, tensor<3x37xT_>, tensor<3x37xT_>, tensor<3x37xT_>, tensor<3x37xT_>, tensor<3x37xT_>,
        tensor<11x13xT_>, tensor<11x13xT_>, tensor<11x13xT_>, tensor<37xT_>, tensor<3xT_>, tensor<T_>, tensor<5xT_>, tensor<?x3xT_>) {
  %0 = transformer.activation_grad relu %dy, %x : tensor<3x37xT_>
  %1 = transformer.activation_grad relu_squared %dy, %x : tensor<3x37xT_>
  %2 = transformer.activation_grad gelu %dy, %x : tensor<3x37xT_>
  %3 = transformer.activation_grad gelu_tanh %dy, %x : tensor<3x37xT_>
  %4 = transformer.activation_grad silu %dy, %x : tensor<3x37xT_>
  %5 = transformer.activation_grad sigmoid %dy, %x : tensor<3x37xT_>
  %6 = transformer.activation_grad tanh %dy, %x : tensor<3x37xT_>
  %7 = transformer.embedding_grad %rows, %ids, %table : (tensor<2x7x13xT_>, tensor<2x7xi32>, tensor<11x13xT_>) -> tensor<11x13xT_>
  %8 = transformer.embedding_grad %some, %which, %table {accumulate = f64} : (tensor<?x13xT_>, tensor<?xi64>, tensor<11x13xT_>) -> tensor<11x13xT_>
  %9 = transformer.embedding_grad %row, %id, %table : (tensor<13xT_>, tensor<i32>, tensor<11x13xT_>) -> tensor<11x13xT_>
  %10 = transformer.sum %x {dimensions = array<i64: 0>} : tensor<3x37xT_> -> tensor<37xT_>
  %11 = transformer.sum %x {dimensions = array<i64: 1>, accumulate = f64} : tensor<3x37xT_> -> tensor<3xT_>
  %12 = transformer.sum %x {dimensions = array<i64: 0, 1>} : tensor<3x37xT_> -> tensor<T_>
  %13 = transformer.sum %d {dimensions = array<i64: 0, 2>} : tensor<?x5x3xT_> -> tensor<5xT_>
  %14 = transformer.sum %d {dimensions = array<i64: 1>} : tensor<?x5x3xT_> -> tensor<?x3xT_>
  return %0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14
      : tensor<3x37xT_>, tensor<3x37xT_>, tensor<3x37xT_>, tensor<3x37xT_>, tensor<3x37xT_>, tensor<3x37xT_>, tensor<3x37xT_>,
        tensor<11x13xT_>, tensor<11x13xT_>, tensor<11x13xT_>, tensor<37xT_>, tensor<3xT_>, tensor<T_>, tensor<5xT_>, tensor<?x3xT_>
}
