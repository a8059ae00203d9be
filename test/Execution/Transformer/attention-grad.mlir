// The gradients of attention against the reference: every float type, every option, static and dynamic.
// RUN: sed 's/T_/f32/g;s/A_/f32/g' %s > %t.f32.mlir && forge verify %t.f32.mlir --each-stage
// RUN: sed 's/T_/f64/g;s/A_/f64/g' %s > %t.f64.mlir && forge verify %t.f64.mlir
// RUN: sed 's/T_/f16/g;s/A_/f32/g' %s > %t.f16.mlir && forge verify %t.f16.mlir
// RUN: sed 's/T_/bf16/g;s/A_/f32/g' %s > %t.bf16.mlir && forge verify %t.bf16.mlir
// RUN: forge verify %t.f32.mlir --tier correctness
func.func @main(%q: tensor<2x6x5x7xT_>, %k: tensor<2x2x9x7xT_>, %v: tensor<2x2x9x3xT_>, %do: tensor<2x6x5x3xT_>, %dl: tensor<2x6x5xA_>,
                %m: tensor<1x6x1x9xT_>, %n: tensor<2x1x5x9xi1>, %s: tensor<6xT_>,
                %dq: tensor<?x4x?x5xT_>, %dk: tensor<?x2x?x5xT_>, %eq: tensor<2x?x3x5xT_>, %ek: tensor<2x?x4x5xT_>)
    -> (tensor<2x6x5x7xT_>, tensor<2x2x9x7xT_>, tensor<2x2x9x3xT_>, tensor<2x6x5x7xT_>, tensor<2x2x9x7xT_>, tensor<2x2x9x3xT_>,
        tensor<1x6x1x9xT_>, tensor<6xT_>, tensor<2x6x5x7xT_>, tensor<2x2x9x7xT_>, tensor<2x2x9x3xT_>,
        tensor<?x4x?x5xT_>, tensor<?x2x?x5xT_>, tensor<?x2x?x5xT_>,
        tensor<2x?x3x5xT_>, tensor<2x?x4x5xT_>, tensor<2x?x4x5xT_>) {
  %lengths = arith.constant dense<[7, 4]> : tensor<2xi32>
  %offsets = arith.constant dense<[3, 1]> : tensor<2xi64>
  %0:3 = transformer.attention_grad %do, %q, %k, %v {causal}
      : (tensor<2x6x5x3xT_>, tensor<2x6x5x7xT_>, tensor<2x2x9x7xT_>, tensor<2x2x9x3xT_>)
      -> (tensor<2x6x5x7xT_>, tensor<2x2x9x7xT_>, tensor<2x2x9x3xT_>)
  %1:5 = transformer.attention_grad %do, %q, %k, %v lse %dl mask %m sinks %s {soft_cap = 2.0 : f32, scale = 0.5 : f32, window = 4 : i64}
      : (tensor<2x6x5x3xT_>, tensor<2x6x5x7xT_>, tensor<2x2x9x7xT_>, tensor<2x2x9x3xT_>, tensor<2x6x5xA_>, tensor<1x6x1x9xT_>, tensor<6xT_>)
      -> (tensor<2x6x5x7xT_>, tensor<2x2x9x7xT_>, tensor<2x2x9x3xT_>, tensor<1x6x1x9xT_>, tensor<6xT_>)
  %2:3 = transformer.attention_grad %do, %q, %k, %v mask %n lengths %lengths offsets %offsets {causal, accumulate = f64}
      : (tensor<2x6x5x3xT_>, tensor<2x6x5x7xT_>, tensor<2x2x9x7xT_>, tensor<2x2x9x3xT_>, tensor<2x1x5x9xi1>, tensor<2xi32>, tensor<2xi64>)
      -> (tensor<2x6x5x7xT_>, tensor<2x2x9x7xT_>, tensor<2x2x9x3xT_>)
  %3:3 = transformer.attention_grad %dq, %dq, %dk, %dk {causal}
      : (tensor<?x4x?x5xT_>, tensor<?x4x?x5xT_>, tensor<?x2x?x5xT_>, tensor<?x2x?x5xT_>)
      -> (tensor<?x4x?x5xT_>, tensor<?x2x?x5xT_>, tensor<?x2x?x5xT_>)
  %4:3 = transformer.attention_grad %eq, %eq, %ek, %ek
      : (tensor<2x?x3x5xT_>, tensor<2x?x3x5xT_>, tensor<2x?x4x5xT_>, tensor<2x?x4x5xT_>)
      -> (tensor<2x?x3x5xT_>, tensor<2x?x4x5xT_>, tensor<2x?x4x5xT_>)
  return %0#0, %0#1, %0#2, %1#0, %1#1, %1#2, %1#3, %1#4, %2#0, %2#1, %2#2, %3#0, %3#1, %3#2, %4#0, %4#1, %4#2
      : tensor<2x6x5x7xT_>, tensor<2x2x9x7xT_>, tensor<2x2x9x3xT_>, tensor<2x6x5x7xT_>, tensor<2x2x9x7xT_>, tensor<2x2x9x3xT_>,
        tensor<1x6x1x9xT_>, tensor<6xT_>, tensor<2x6x5x7xT_>, tensor<2x2x9x7xT_>, tensor<2x2x9x3xT_>,
        tensor<?x4x?x5xT_>, tensor<?x2x?x5xT_>, tensor<?x2x?x5xT_>,
        tensor<2x?x3x5xT_>, tensor<2x?x4x5xT_>, tensor<2x?x4x5xT_>
}
