// Matrix products against the reference: every float type, sizes that divide no tile, static and dynamic.
// RUN: sed 's/T_/f32/g' %s > %t.f32.mlir && forge verify %t.f32.mlir --each-stage
// RUN: sed 's/T_/f64/g' %s > %t.f64.mlir && forge verify %t.f64.mlir
// RUN: sed 's/T_/f16/g' %s > %t.f16.mlir && forge verify %t.f16.mlir
// RUN: sed 's/T_/bf16/g' %s > %t.bf16.mlir && forge verify %t.bf16.mlir
// RUN: forge verify %t.bf16.mlir --tier correctness
func.func @main(%x: tensor<7x37xT_>, %w: tensor<37x13xT_>, %wt: tensor<13x37xT_>, %b: tensor<13xT_>, %r: tensor<7x13xT_>,
                %p: tensor<2x?x37xT_>, %q: tensor<2x37x5xT_>, %pt: tensor<2x37x?xT_>, %row: tensor<1x37xT_>)
    -> (tensor<7x13xT_>, tensor<7x13xT_>, tensor<7x13xT_>, tensor<2x?x5xT_>, tensor<2x?x13xT_>, tensor<2x?x5xT_>,
        tensor<1x13xT_>, tensor<7x13xT_>, tensor<7x13xf64>) {
  %0 = transformer.matmul %x, %w : (tensor<7x37xT_>, tensor<37x13xT_>) -> tensor<7x13xT_>
  %1 = transformer.matmul %x, %wt bias %b {transpose_rhs, activation = #transformer.activation<silu>}
      : (tensor<7x37xT_>, tensor<13x37xT_>, tensor<13xT_>) -> tensor<7x13xT_>
  %2 = transformer.matmul %x, %w bias %b residual %r {activation = #transformer.activation<gelu>}
      : (tensor<7x37xT_>, tensor<37x13xT_>, tensor<13xT_>, tensor<7x13xT_>) -> tensor<7x13xT_>
  %3 = transformer.matmul %p, %q : (tensor<2x?x37xT_>, tensor<2x37x5xT_>) -> tensor<2x?x5xT_>
  %4 = transformer.matmul %p, %wt {transpose_rhs} : (tensor<2x?x37xT_>, tensor<13x37xT_>) -> tensor<2x?x13xT_>
  %5 = transformer.matmul %p, %w residual %4 : (tensor<2x?x37xT_>, tensor<37x13xT_>, tensor<2x?x13xT_>) -> tensor<2x?x13xT_>
  %6 = transformer.matmul %pt, %q {transpose_lhs} : (tensor<2x37x?xT_>, tensor<2x37x5xT_>) -> tensor<2x?x5xT_>
  %7 = transformer.matmul %row, %w : (tensor<1x37xT_>, tensor<37x13xT_>) -> tensor<1x13xT_>
  %8 = transformer.matmul %x, %w {accumulate = f64} : (tensor<7x37xT_>, tensor<37x13xT_>) -> tensor<7x13xT_>
  %9 = transformer.matmul %x, %w {accumulate = f64} : (tensor<7x37xT_>, tensor<37x13xT_>) -> tensor<7x13xf64>
  return %0, %1, %2, %3, %5, %6, %7, %8, %9 : tensor<7x13xT_>, tensor<7x13xT_>, tensor<7x13xT_>, tensor<2x?x5xT_>,
      tensor<2x?x13xT_>, tensor<2x?x5xT_>, tensor<1x13xT_>, tensor<7x13xT_>, tensor<7x13xf64>
}
