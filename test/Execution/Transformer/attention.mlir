// Attention against the reference: every float type, sizes that divide no tile, every operand and attribute.
// RUN: sed 's/T_/f32/g; s/A_/f32/g' %s > %t.f32.mlir && forge verify %t.f32.mlir --function static --each-stage
// RUN: sed 's/T_/f64/g; s/A_/f64/g' %s > %t.f64.mlir && forge verify %t.f64.mlir --function static
// RUN: sed 's/T_/f16/g; s/A_/f32/g' %s > %t.f16.mlir && forge verify %t.f16.mlir --function static
// RUN: sed 's/T_/bf16/g; s/A_/f32/g' %s > %t.bf16.mlir && forge verify %t.bf16.mlir --function static
// RUN: forge verify %t.bf16.mlir --function static --tier correctness
// RUN: forge verify %t.f32.mlir --function dynamic --each-stage && forge verify %t.bf16.mlir --function dynamic
// RUN: forge verify %t.f32.mlir --function open --each-stage && forge verify %t.bf16.mlir --function open
// RUN: forge verify %t.f32.mlir --function one && forge verify %t.f16.mlir --function one
func.func @static(%q: tensor<2x6x7x10xT_>, %k: tensor<2x2x11x10xT_>, %v: tensor<2x2x11x13xT_>, %seen: tensor<2x1x7x11xi1>,
                  %bias: tensor<1x6x1x11xT_>, %n: tensor<2xi32>, %at: tensor<2xi64>, %sinks: tensor<6xT_>, %slopes: tensor<6xA_>)
    -> (tensor<2x6x7x13xT_>, tensor<2x6x7x13xT_>, tensor<2x6x7x13xT_>, tensor<2x6x7x13xT_>, tensor<2x6x7xA_>,
        tensor<2x6x7x13xT_>, tensor<2x6x7x13xT_>, tensor<2x6x7xA_>, tensor<2x6x7x13xT_>) {
  // Causal, in a window, with caps and sinks, as Gemma 2 and gpt-oss have them.
  %0 = transformer.attention %q, %k, %v {causal, window = 4 : i64, soft_cap = 5.0e+01 : f32}
      : (tensor<2x6x7x10xT_>, tensor<2x2x11x10xT_>, tensor<2x2x11x13xT_>) -> tensor<2x6x7x13xT_>
  %1 = transformer.attention %q, %k, %v mask %seen sinks %sinks {scale = 0.5 : f32}
      : (tensor<2x6x7x10xT_>, tensor<2x2x11x10xT_>, tensor<2x2x11x13xT_>, tensor<2x1x7x11xi1>, tensor<6xT_>) -> tensor<2x6x7x13xT_>
  // A window to both sides; the bias is one row per head.
  %2 = transformer.attention %q, %k, %v mask %bias {window = 3 : i64}
      : (tensor<2x6x7x10xT_>, tensor<2x2x11x10xT_>, tensor<2x2x11x13xT_>, tensor<1x6x1x11xT_>) -> tensor<2x6x7x13xT_>
  // Sequences of their own lengths, queries at positions of their own; some rows see nothing.
  %3, %lse3 = transformer.attention %q, %k, %v lengths %n offsets %at {causal}
      : (tensor<2x6x7x10xT_>, tensor<2x2x11x10xT_>, tensor<2x2x11x13xT_>, tensor<2xi32>, tensor<2xi64>)
        -> (tensor<2x6x7x13xT_>, tensor<2x6x7xA_>)
  %4 = transformer.attention %q, %k, %v lengths %n {causal}
      : (tensor<2x6x7x10xT_>, tensor<2x2x11x10xT_>, tensor<2x2x11x13xT_>, tensor<2xi32>) -> tensor<2x6x7x13xT_>
  // ALiBi's bias per head (Press et al. 2022), as a score region that reads a tensor from outside.
  %5, %lse5 = transformer.attention %q, %k, %v sinks %sinks {causal} score {
  ^bb0(%x: A_, %b: index, %h: index, %s: index, %t: index):
    %slope = tensor.extract %slopes[%h] : tensor<6xA_>
    %d = arith.subi %t, %s : index
    %i = arith.index_cast %d : index to i64
    %distance = arith.sitofp %i : i64 to A_
    %y = arith.mulf %slope, %distance : A_
    %z = arith.addf %x, %y : A_
    transformer.yield %z : A_
  } : (tensor<2x6x7x10xT_>, tensor<2x2x11x10xT_>, tensor<2x2x11x13xT_>, tensor<6xT_>)
      -> (tensor<2x6x7x13xT_>, tensor<2x6x7xA_>)
  %6 = transformer.attention %q, %k, %v {accumulate = f64}
      : (tensor<2x6x7x10xT_>, tensor<2x2x11x10xT_>, tensor<2x2x11x13xT_>) -> tensor<2x6x7x13xT_>
  return %0, %1, %2, %3, %lse3, %4, %5, %lse5, %6 : tensor<2x6x7x13xT_>, tensor<2x6x7x13xT_>, tensor<2x6x7x13xT_>,
      tensor<2x6x7x13xT_>, tensor<2x6x7xA_>, tensor<2x6x7x13xT_>, tensor<2x6x7x13xT_>, tensor<2x6x7xA_>, tensor<2x6x7x13xT_>
}

func.func @dynamic(%q: tensor<?x6x?x?xT_>, %k: tensor<?x3x?x?xT_>, %v: tensor<?x3x?x?xT_>, %seen: tensor<?x1x?x?xi1>,
                   %n: tensor<?xi32>)
    -> (tensor<?x6x?x?xT_>, tensor<?x?x?x?xT_>, tensor<?x6x?xA_>) {
  %0 = transformer.attention %q, %k, %v mask %seen {causal}
      : (tensor<?x6x?x?xT_>, tensor<?x3x?x?xT_>, tensor<?x3x?x?xT_>, tensor<?x1x?x?xi1>) -> tensor<?x6x?x?xT_>
  %1, %lse = transformer.attention %q, %k, %v lengths %n {causal, window = 2 : i64}
      : (tensor<?x6x?x?xT_>, tensor<?x3x?x?xT_>, tensor<?x3x?x?xT_>, tensor<?xi32>) -> (tensor<?x?x?x?xT_>, tensor<?x6x?xA_>)
  return %0, %1, %lse : tensor<?x6x?x?xT_>, tensor<?x?x?x?xT_>, tensor<?x6x?xA_>
}

// One query, one key, one head, one element.
func.func @one(%q: tensor<1x1x1x1xT_>, %k: tensor<1x1x1x1xT_>, %v: tensor<1x1x1x1xT_>, %n: tensor<1xi32>)
    -> (tensor<1x1x1x1xT_>, tensor<1x1x1xA_>) {
  %0, %lse = transformer.attention %q, %k, %v lengths %n {causal}
      : (tensor<1x1x1x1xT_>, tensor<1x1x1x1xT_>, tensor<1x1x1x1xT_>, tensor<1xi32>) -> (tensor<1x1x1x1xT_>, tensor<1x1x1xA_>)
  return %0, %lse : tensor<1x1x1x1xT_>, tensor<1x1x1xA_>
}

// An unknown number of heads.
func.func @open(%q: tensor<?x?x?x?xT_>, %k: tensor<?x?x?x?xT_>, %v: tensor<?x?x?x?xT_>, %m: tensor<?x?x?x?xT_>, %sinks: tensor<?xT_>)
    -> (tensor<?x?x?x?xT_>, tensor<?x?x?xA_>) {
  %0, %lse = transformer.attention %q, %k, %v mask %m sinks %sinks {causal}
      : (tensor<?x?x?x?xT_>, tensor<?x?x?x?xT_>, tensor<?x?x?x?xT_>, tensor<?x?x?x?xT_>, tensor<?xT_>) -> (tensor<?x?x?x?xT_>, tensor<?x?x?xA_>)
  return %0, %lse : tensor<?x?x?x?xT_>, tensor<?x?x?xA_>
}
