// What transformer-decompose leaves computes the same, and so does what transformer-fuse-epilogues makes of it again.
// RUN: sed 's/T_/bf16/g' %S/mlp.mlir > %t.mlp.mlir && forge-opt --transformer-decompose %t.mlp.mlir -o %t.mlp2.mlir && forge verify %t.mlp2.mlir
// RUN: forge-opt --transformer-fuse-epilogues %t.mlp2.mlir -o %t.mlp3.mlir && forge verify %t.mlp3.mlir
// RUN: sed 's/T_/f16/g' %S/linear.mlir > %t.linear.mlir && forge-opt --transformer-decompose %t.linear.mlir -o %t.linear2.mlir && forge verify %t.linear2.mlir
// RUN: sed 's/T_/f32/g' %S/matmul.mlir > %t.matmul.mlir && forge-opt --transformer-decompose %t.matmul.mlir -o %t.matmul2.mlir && forge verify %t.matmul2.mlir
