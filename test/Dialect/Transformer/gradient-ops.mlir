// RUN: forge-opt %s | FileCheck %s
// RUN: forge-opt %s | forge-opt | FileCheck %s
// RUN: forge-opt --mlir-print-op-generic %s | forge-opt | FileCheck %s
// RUN: forge-opt --emit-bytecode %s | forge-opt | FileCheck %s

// CHECK-LABEL: func.func @activation_grad
func.func @activation_grad(%dy: tensor<4x256xbf16>, %x: tensor<4x256xbf16>) -> tensor<4x256xbf16> {
  // CHECK: transformer.activation_grad gelu_tanh %{{.*}}, %{{.*}} : tensor<4x256xbf16>
  %dx = transformer.activation_grad gelu_tanh %dy, %x : tensor<4x256xbf16>
  return %dx : tensor<4x256xbf16>
}

// CHECK-LABEL: func.func @embedding_grad
func.func @embedding_grad(%dx: tensor<2x16x64xf32>, %ids: tensor<2x16xi32>, %wte: tensor<256x64xf32>) -> tensor<256x64xf32> {
  // CHECK: transformer.embedding_grad %{{.*}}, %{{.*}}, %{{.*}} : (tensor<2x16x64xf32>, tensor<2x16xi32>, tensor<256x64xf32>) -> tensor<256x64xf32>
  %dwte = transformer.embedding_grad %dx, %ids, %wte
      : (tensor<2x16x64xf32>, tensor<2x16xi32>, tensor<256x64xf32>) -> tensor<256x64xf32>
  return %dwte : tensor<256x64xf32>
}

// CHECK-LABEL: func.func @sum
func.func @sum(%dy: tensor<2x16x64xf32>, %d: tensor<?x?xf16>) -> (tensor<64xf32>, tensor<?xf16>) {
  // CHECK: transformer.sum %{{.*}} {dimensions = array<i64: 0, 1>} : tensor<2x16x64xf32> -> tensor<64xf32>
  %db = transformer.sum %dy {dimensions = array<i64: 0, 1>} : tensor<2x16x64xf32> -> tensor<64xf32>
  // CHECK: transformer.sum %{{.*}} {accumulate = f64, dimensions = array<i64: 0>} : tensor<?x?xf16> -> tensor<?xf16>
  %s = transformer.sum %d {dimensions = array<i64: 0>, accumulate = f64} : tensor<?x?xf16> -> tensor<?xf16>
  return %db, %s : tensor<64xf32>, tensor<?xf16>
}

// CHECK-LABEL: func.func @softmax_grad
func.func @softmax_grad(%dp: tensor<4x33xf32>, %p: tensor<4x33xf32>, %dl: tensor<4x33xf32>, %l: tensor<4x33xf32>) -> (tensor<4x33xf32>, tensor<4x33xf32>) {
  // CHECK: transformer.softmax_grad %{{.*}}, %{{.*}} {dimension = 1 : i64} : tensor<4x33xf32>
  %ds = transformer.softmax_grad %dp, %p {dimension = 1 : i64} : tensor<4x33xf32>
  // CHECK: transformer.log_softmax_grad %{{.*}}, %{{.*}} {dimension = 1 : i64} : tensor<4x33xf32>
  %dt = transformer.log_softmax_grad %dl, %l {dimension = 1 : i64} : tensor<4x33xf32>
  return %ds, %dt : tensor<4x33xf32>, tensor<4x33xf32>
}

// CHECK-LABEL: func.func @layer_norm_grad
func.func @layer_norm_grad(%dy: tensor<4x64xf32>, %x: tensor<4x64xf32>, %g: tensor<64xf32>) -> (tensor<4x64xf32>, tensor<64xf32>, tensor<64xf32>) {
  // CHECK: transformer.layer_norm_grad %{{.*}}, %{{.*}} scale %{{.*}} {epsilon = 9.99999974E-6 : f32}
  // CHECK-SAME: -> (tensor<4x64xf32>, tensor<64xf32>, tensor<64xf32>)
  %dx, %dg, %db = transformer.layer_norm_grad %dy, %x scale %g {epsilon = 1.0e-05 : f32}
      : (tensor<4x64xf32>, tensor<4x64xf32>, tensor<64xf32>) -> (tensor<4x64xf32>, tensor<64xf32>, tensor<64xf32>)
  return %dx, %dg, %db : tensor<4x64xf32>, tensor<64xf32>, tensor<64xf32>
}

// CHECK-LABEL: func.func @rms_norm_grad
func.func @rms_norm_grad(%dy: tensor<4x64xf32>, %x: tensor<4x64xf32>, %g: tensor<64xf32>) -> (tensor<4x64xf32>, tensor<64xf32>) {
  // CHECK: transformer.rms_norm_grad %{{.*}}, %{{.*}} scale %{{.*}} {epsilon = 9.99999997E-7 : f32}
  %dx, %dg = transformer.rms_norm_grad %dy, %x scale %g {epsilon = 1.0e-06 : f32}
      : (tensor<4x64xf32>, tensor<4x64xf32>, tensor<64xf32>) -> (tensor<4x64xf32>, tensor<64xf32>)
  return %dx, %dg : tensor<4x64xf32>, tensor<64xf32>
}

// CHECK-LABEL: func.func @attention_grad
func.func @attention_grad(%do: tensor<1x8x16x64xf32>, %q: tensor<1x8x16x64xf32>, %k: tensor<1x2x32x64xf32>, %v: tensor<1x2x32x64xf32>,
                          %dl: tensor<1x8x16xf32>, %m: tensor<1x1x16x32xf32>, %n: tensor<1xi32>, %s: tensor<8xf32>)
    -> (tensor<1x8x16x64xf32>, tensor<1x1x16x32xf32>, tensor<8xf32>) {
  // CHECK: transformer.attention_grad %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}} {causal}
  %dq, %dk, %dv = transformer.attention_grad %do, %q, %k, %v {causal}
      : (tensor<1x8x16x64xf32>, tensor<1x8x16x64xf32>, tensor<1x2x32x64xf32>, tensor<1x2x32x64xf32>)
      -> (tensor<1x8x16x64xf32>, tensor<1x2x32x64xf32>, tensor<1x2x32x64xf32>)
  // CHECK: transformer.attention_grad %{{.*}} lse %{{.*}} mask %{{.*}} lengths %{{.*}} sinks %{{.*}} {soft_cap = 5.000000e+00 : f32, window = 4 : i64}
  %0:5 = transformer.attention_grad %do, %dq, %dk, %dv lse %dl mask %m lengths %n sinks %s {soft_cap = 5.0 : f32, window = 4 : i64}
      : (tensor<1x8x16x64xf32>, tensor<1x8x16x64xf32>, tensor<1x2x32x64xf32>, tensor<1x2x32x64xf32>, tensor<1x8x16xf32>,
         tensor<1x1x16x32xf32>, tensor<1xi32>, tensor<8xf32>)
      -> (tensor<1x8x16x64xf32>, tensor<1x2x32x64xf32>, tensor<1x2x32x64xf32>, tensor<1x1x16x32xf32>, tensor<8xf32>)
  return %0#0, %0#3, %0#4 : tensor<1x8x16x64xf32>, tensor<1x1x16x32xf32>, tensor<8xf32>
}

// CHECK-LABEL: func.func @selection_grad
func.func @selection_grad(%dloss: tensor<f32>, %logits: tensor<8x32000xbf16>, %targets: tensor<8xi32>, %dw: tensor<16x2xf32>,
                          %x: tensor<16x8xf32>, %experts: tensor<16x2xi32>)
    -> (tensor<8x32000xbf16>, tensor<16x8xf32>, tensor<16x8xf32>) {
  // CHECK: transformer.cross_entropy_grad mean %{{.*}}, %{{.*}}, %{{.*}} {ignore_index = -100 : i64}
  %dx = transformer.cross_entropy_grad mean %dloss, %logits, %targets {ignore_index = -100 : i64}
      : (tensor<f32>, tensor<8x32000xbf16>, tensor<8xi32>) -> tensor<8x32000xbf16>
  // CHECK: transformer.moe_route_grad softmax %{{.*}}, %{{.*}}, %{{.*}} {normalize}
  %dr = transformer.moe_route_grad softmax %dw, %x, %experts {normalize}
      : (tensor<16x2xf32>, tensor<16x8xf32>, tensor<16x2xi32>) -> tensor<16x8xf32>
  // CHECK: transformer.top_k_grad %{{.*}}, %{{.*}}, %{{.*}} : (tensor<16x2xf32>, tensor<16x2xi32>, tensor<16x8xf32>) -> tensor<16x8xf32>
  %dt = transformer.top_k_grad %dw, %experts, %x : (tensor<16x2xf32>, tensor<16x2xi32>, tensor<16x8xf32>) -> tensor<16x8xf32>
  return %dx, %dr, %dt : tensor<8x32000xbf16>, tensor<16x8xf32>, tensor<16x8xf32>
}

// CHECK-LABEL: func.func @grouped_outer
func.func @grouped_outer(%x: tensor<12x16xf32>, %dy: tensor<12x8xf32>, %sizes: tensor<4xi32>, %at: tensor<5xi64>)
    -> (tensor<4x16x8xf32>, tensor<4x16x8xf32>) {
  // CHECK: transformer.grouped_outer %{{.*}}, %{{.*}} groups %{{.*}} : (tensor<12x16xf32>, tensor<12x8xf32>, tensor<4xi32>) -> tensor<4x16x8xf32>
  %dw = transformer.grouped_outer %x, %dy groups %sizes : (tensor<12x16xf32>, tensor<12x8xf32>, tensor<4xi32>) -> tensor<4x16x8xf32>
  // CHECK: transformer.grouped_outer %{{.*}}, %{{.*}} groups %{{.*}} {offsets} : (tensor<12x16xf32>, tensor<12x8xf32>, tensor<5xi64>) -> tensor<4x16x8xf32>
  %do = transformer.grouped_outer %x, %dy groups %at {offsets} : (tensor<12x16xf32>, tensor<12x8xf32>, tensor<5xi64>) -> tensor<4x16x8xf32>
  return %dw, %do : tensor<4x16x8xf32>, tensor<4x16x8xf32>
}

// CHECK-LABEL: func.func @score_grad
func.func @score_grad(%do: tensor<1x8x16x64xf32>, %q: tensor<1x8x16x64xf32>, %k: tensor<1x2x32x64xf32>, %v: tensor<1x2x32x64xf32>,
                      %slopes: tensor<8xf32>)
    -> (tensor<1x8x16x64xf32>, tensor<1x2x32x64xf32>, tensor<1x2x32x64xf32>, tensor<8xf32>) {
  // CHECK: transformer.attention_grad %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}} score {
  // CHECK-NEXT: ^bb0(%[[X:.*]]: f32, %{{.*}}: index, %{{.*}}: index, %{{.*}}: index, %{{.*}}: index):
  // CHECK-NEXT: arith.mulf %[[X]], %[[X]]
  // CHECK-NEXT: transformer.yield
  // CHECK-NEXT: } slope {
  // CHECK-NEXT: ^bb0(%[[Y:.*]]: f32, %{{.*}}: index, %{{.*}}: index, %{{.*}}: index, %{{.*}}: index):
  // CHECK-NEXT: arith.addf %[[Y]], %[[Y]]
  // CHECK-NEXT: transformer.yield
  // CHECK-NEXT: } : (
  %eq, %ek, %ev = transformer.attention_grad %do, %q, %k, %v score {
  ^bb0(%x: f32, %b: index, %h: index, %s: index, %t: index):
    %y = arith.mulf %x, %x : f32
    transformer.yield %y : f32
  } slope {
  ^bb0(%x: f32, %b: index, %h: index, %s: index, %t: index):
    %y = arith.addf %x, %x : f32
    transformer.yield %y : f32
  } : (tensor<1x8x16x64xf32>, tensor<1x8x16x64xf32>, tensor<1x2x32x64xf32>, tensor<1x2x32x64xf32>)
      -> (tensor<1x8x16x64xf32>, tensor<1x2x32x64xf32>, tensor<1x2x32x64xf32>)
  // CHECK: transformer.attention_grad %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}} tables %{{.*}} score {
  // CHECK: slope {
  // CHECK-NEXT: ^bb0(%[[X:.*]]: f32, %{{[^:]*}}: index, %[[H:[^:]*]]: index, %{{.*}}: index, %{{.*}}: index):
  // CHECK-NEXT: %[[S:.*]] = tensor.extract
  // CHECK-NEXT: transformer.yield %[[S]], %[[X]], %[[H]] : f32, f32, index
  // CHECK-NEXT: } : (
  %fq, %fk, %fv, %fslopes = transformer.attention_grad %do, %q, %k, %v tables %slopes score {
  ^bb0(%x: f32, %b: index, %h: index, %s: index, %t: index):
    %slope = tensor.extract %slopes[%h] : tensor<8xf32>
    %y = arith.mulf %x, %slope : f32
    transformer.yield %y : f32
  } slope {
  ^bb0(%x: f32, %b: index, %h: index, %s: index, %t: index):
    %slope = tensor.extract %slopes[%h] : tensor<8xf32>
    transformer.yield %slope, %x, %h : f32, f32, index
  } : (tensor<1x8x16x64xf32>, tensor<1x8x16x64xf32>, tensor<1x2x32x64xf32>, tensor<1x2x32x64xf32>, tensor<8xf32>)
      -> (tensor<1x8x16x64xf32>, tensor<1x2x32x64xf32>, tensor<1x2x32x64xf32>, tensor<8xf32>)
  return %eq, %ek, %ev, %fslopes : tensor<1x8x16x64xf32>, tensor<1x2x32x64xf32>, tensor<1x2x32x64xf32>, tensor<8xf32>
}

// CHECK-LABEL: func.func @kv_append_grad
func.func @kv_append_grad(%dcache: tensor<2x4x512x64xbf16>, %dpages: tensor<128x4x16x64xbf16>, %k: tensor<2x4x1x64xbf16>,
                          %n: tensor<2xi32>, %table: tensor<2x32xi32>) -> (tensor<2x4x1x64xbf16>, tensor<2x4x1x64xbf16>) {
  // CHECK: transformer.kv_append_grad %{{.*}}, %{{.*}} at %{{.*}} : (
  %dk = transformer.kv_append_grad %dcache, %k at %n
      : (tensor<2x4x512x64xbf16>, tensor<2x4x1x64xbf16>, tensor<2xi32>) -> tensor<2x4x1x64xbf16>
  // CHECK: transformer.kv_append_grad %{{.*}}, %{{.*}} at %{{.*}} table %{{.*}} : (
  %dp = transformer.kv_append_grad %dpages, %k at %n table %table
      : (tensor<128x4x16x64xbf16>, tensor<2x4x1x64xbf16>, tensor<2xi32>, tensor<2x32xi32>) -> tensor<2x4x1x64xbf16>
  return %dk, %dp : tensor<2x4x1x64xbf16>, tensor<2x4x1x64xbf16>
}
