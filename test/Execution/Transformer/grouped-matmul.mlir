// Products of groups of rows against the reference: sizes and offsets, empty groups, rows in no group.
// RUN: sed 's/T_/f32/g' %s > %t.f32.mlir && forge verify %t.f32.mlir --each-stage
// RUN: sed 's/T_/f64/g' %s > %t.f64.mlir && forge verify %t.f64.mlir --seed 1
// RUN: sed 's/T_/f16/g' %s > %t.f16.mlir && forge verify %t.f16.mlir --seed 2
// RUN: sed 's/T_/bf16/g' %s > %t.bf16.mlir && forge verify %t.bf16.mlir --seed 3
// RUN: forge verify %t.bf16.mlir --tier correctness
// RUN: forge verify %t.f32.mlir --target sim:sm_90a
// RUN: forge verify %t.bf16.mlir --target sim:gfx942 --seed 5
func.func @main(%x: tensor<23x17xT_>, %d: tensor<?x17xT_>, %w: tensor<5x17x11xT_>, %wt: tensor<5x11x17xT_>, %b: tensor<5x11xT_>,
                %sizes: tensor<5xi32>, %offsets: tensor<6xi64>, %i: tensor<23x17xi8>, %wi: tensor<5x17x11xi8>,
                %we: tensor<?x17x11xT_>, %dsizes: tensor<?xi64>)
    -> (tensor<23x11xT_>, tensor<?x11xT_>, tensor<23x11xT_>, tensor<23x11xi32>, tensor<?x11xT_>) {
  %0 = transformer.grouped_matmul %x, %w groups %sizes : (tensor<23x17xT_>, tensor<5x17x11xT_>, tensor<5xi32>) -> tensor<23x11xT_>
  %1 = transformer.grouped_matmul %d, %wt groups %offsets bias %b
      {offsets, transpose_rhs, activation = #transformer.activation<silu>}
      : (tensor<?x17xT_>, tensor<5x11x17xT_>, tensor<6xi64>, tensor<5x11xT_>) -> tensor<?x11xT_>
  %2 = transformer.grouped_matmul %x, %wt groups %offsets {offsets, transpose_rhs, accumulate = f64}
      : (tensor<23x17xT_>, tensor<5x11x17xT_>, tensor<6xi64>) -> tensor<23x11xT_>
  %3 = transformer.grouped_matmul %i, %wi groups %sizes : (tensor<23x17xi8>, tensor<5x17x11xi8>, tensor<5xi32>) -> tensor<23x11xi32>
  %4 = transformer.grouped_matmul %d, %we groups %dsizes : (tensor<?x17xT_>, tensor<?x17x11xT_>, tensor<?xi64>) -> tensor<?x11xT_>
  return %0, %1, %2, %3, %4 : tensor<23x11xT_>, tensor<?x11xT_>, tensor<23x11xT_>, tensor<23x11xi32>, tensor<?x11xT_>
}
