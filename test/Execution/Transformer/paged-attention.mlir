// Attention over pages against the reference: pages in any order, lengths of their own, every float type.
// RUN: sed 's/T_/f32/g; s/A_/f32/g' %s > %t.f32.mlir && forge verify %t.f32.mlir --function static --each-stage
// RUN: sed 's/T_/f64/g; s/A_/f64/g' %s > %t.f64.mlir && forge verify %t.f64.mlir --function static
// RUN: sed 's/T_/f16/g; s/A_/f32/g' %s > %t.f16.mlir && forge verify %t.f16.mlir --function static
// RUN: sed 's/T_/bf16/g; s/A_/f32/g' %s > %t.bf16.mlir && forge verify %t.bf16.mlir --function static
// RUN: forge verify %t.bf16.mlir --function static --tier correctness
// RUN: forge verify %t.f32.mlir --function dynamic --each-stage && forge verify %t.bf16.mlir --function dynamic
func.func @static(%q: tensor<3x4x1x10xT_>, %p: tensor<3x4x5x10xT_>, %k: tensor<7x2x3x10xT_>, %v: tensor<7x2x3x13xT_>, %table: tensor<3x5xi32>,
                  %n: tensor<3xi32>, %at: tensor<3xi32>, %sinks: tensor<4xT_>)
    -> (tensor<3x4x1x13xT_>, tensor<3x4x1xA_>, tensor<3x4x5x13xT_>, tensor<3x4x5x13xT_>) {
  // Decoding: one query per sequence, at its last key.
  %0, %lse = transformer.paged_attention %q, %k, %v table %table lengths %n {causal}
      : (tensor<3x4x1x10xT_>, tensor<7x2x3x10xT_>, tensor<7x2x3x13xT_>, tensor<3x5xi32>, tensor<3xi32>)
        -> (tensor<3x4x1x13xT_>, tensor<3x4x1xA_>)
  %1 = transformer.paged_attention %p, %k, %v table %table lengths %n offsets %at sinks %sinks
      {causal, window = 4 : i64, scale = 0.25 : f32, soft_cap = 3.0 : f32}
      : (tensor<3x4x5x10xT_>, tensor<7x2x3x10xT_>, tensor<7x2x3x13xT_>, tensor<3x5xi32>, tensor<3xi32>, tensor<3xi32>, tensor<4xT_>)
        -> tensor<3x4x5x13xT_>
  %two = arith.constant 2.0 : A_
  %2 = transformer.paged_attention %p, %k, %v table %table lengths %n score {
  ^bb0(%x: A_, %b: index, %h: index, %s: index, %t: index):
    %y = arith.mulf %x, %two : A_
    transformer.yield %y : A_
  } : (tensor<3x4x5x10xT_>, tensor<7x2x3x10xT_>, tensor<7x2x3x13xT_>, tensor<3x5xi32>, tensor<3xi32>) -> tensor<3x4x5x13xT_>
  return %0, %lse, %1, %2 : tensor<3x4x1x13xT_>, tensor<3x4x1xA_>, tensor<3x4x5x13xT_>, tensor<3x4x5x13xT_>
}

func.func @dynamic(%q: tensor<?x4x?x?xT_>, %k: tensor<?x2x?x?xT_>, %v: tensor<?x2x?x?xT_>, %table: tensor<?x?xi64>, %n: tensor<?xi64>)
    -> tensor<?x4x?x?xT_> {
  %0 = transformer.paged_attention %q, %k, %v table %table lengths %n {causal}
      : (tensor<?x4x?x?xT_>, tensor<?x2x?x?xT_>, tensor<?x2x?x?xT_>, tensor<?x?xi64>, tensor<?xi64>) -> tensor<?x4x?x?xT_>
  return %0 : tensor<?x4x?x?xT_>
}
