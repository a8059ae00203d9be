// The examples of the operations' documentation, word by word, that are in no other file: the test `operations` looks
// for each.
// RUN: forge-opt %s | FileCheck %s
// RUN: forge-opt %s | forge-opt | FileCheck %s
// RUN: forge-opt --mlir-print-op-generic %s | forge-opt | FileCheck %s
// RUN: forge-opt --emit-bytecode %s | forge-opt | FileCheck %s

// CHECK-LABEL: func.func @elementwise
func.func @elementwise(%x: tensor<2x16x64xf32>, %branch: tensor<2x16x64xf32>) -> tensor<2x16x64xf32> {
  // CHECK: transformer.add %{{.*}}, %{{.*}} : tensor<2x16x64xf32>
  %y = transformer.add %x, %branch : tensor<2x16x64xf32>
  return %y : tensor<2x16x64xf32>
}

// CHECK-LABEL: func.func @multiply
func.func @multiply(%gate: tensor<2x16x64xf32>, %branch: tensor<2x16x64xf32>) -> tensor<2x16x64xf32> {
  // CHECK: transformer.multiply %{{.*}}, %{{.*}} : tensor<2x16x64xf32>
  %y = transformer.multiply %gate, %branch : tensor<2x16x64xf32>
  return %y : tensor<2x16x64xf32>
}

// CHECK-LABEL: func.func @activation
func.func @activation(%x: tensor<4x256xbf16>) -> tensor<4x256xbf16> {
  // CHECK: transformer.activation gelu_tanh %{{.*}} : tensor<4x256xbf16>
  %y = transformer.activation gelu_tanh %x : tensor<4x256xbf16>
  return %y : tensor<4x256xbf16>
}

// CHECK-LABEL: func.func @embedding
func.func @embedding(%wte: tensor<256x64xf32>, %ids: tensor<2x16xi32>) -> tensor<2x16x64xf32> {
  // CHECK: transformer.embedding %{{.*}}, %{{.*}} : (tensor<256x64xf32>, tensor<2x16xi32>) -> tensor<2x16x64xf32>
  %x = transformer.embedding %wte, %ids : (tensor<256x64xf32>, tensor<2x16xi32>) -> tensor<2x16x64xf32>
  return %x : tensor<2x16x64xf32>
}

// CHECK-LABEL: func.func @dequantize
func.func @dequantize(%q: tensor<4x64xi4>, %s: tensor<4x2xf32>, %z: tensor<4x2xi4>) -> tensor<4x64xf32> {
  // CHECK: transformer.dequantize %{{.*}} scale %{{.*}} zero_point %{{.*}} {block = array<i64: 1, 32>} : (
  %x = transformer.dequantize %q scale %s zero_point %z {block = array<i64: 1, 32>}
      : (tensor<4x64xi4>, tensor<4x2xf32>, tensor<4x2xi4>) -> tensor<4x64xf32>
  return %x : tensor<4x64xf32>
}

// CHECK-LABEL: func.func @quantize_rows
func.func @quantize_rows(%x: tensor<4x64xbf16>) -> (tensor<4x64xf8E4M3FN>, tensor<4xf32>) {
  // CHECK: transformer.quantize_rows %{{.*}} : (tensor<4x64xbf16>) -> (tensor<4x64xf8E4M3FN>, tensor<4xf32>)
  %q, %s = transformer.quantize_rows %x : (tensor<4x64xbf16>) -> (tensor<4x64xf8E4M3FN>, tensor<4xf32>)
  return %q, %s : tensor<4x64xf8E4M3FN>, tensor<4xf32>
}

// CHECK-LABEL: func.func @layer_norm
func.func @layer_norm(%x: tensor<4x64xf32>, %g: tensor<64xf32>, %b: tensor<64xf32>) -> tensor<4x64xf32> {
  // CHECK: transformer.layer_norm %{{.*}} scale %{{.*}} shift %{{.*}} {epsilon = 9.99999974E-6 : f32} : (
  %y = transformer.layer_norm %x scale %g shift %b {epsilon = 1.0e-05 : f32}
      : (tensor<4x64xf32>, tensor<64xf32>, tensor<64xf32>) -> tensor<4x64xf32>
  return %y : tensor<4x64xf32>
}

// CHECK-LABEL: func.func @rms_norm
func.func @rms_norm(%x: tensor<4x64xf32>, %w: tensor<64xf32>) -> tensor<4x64xf32> {
  // CHECK: transformer.rms_norm %{{.*}} scale %{{.*}} {epsilon = 9.99999997E-7 : f32} : (
  %y = transformer.rms_norm %x scale %w {epsilon = 1.0e-06 : f32} : (tensor<4x64xf32>, tensor<64xf32>) -> tensor<4x64xf32>
  return %y : tensor<4x64xf32>
}

// CHECK-LABEL: func.func @softmax
func.func @softmax(%s: tensor<4x33xf32>) -> tensor<4x33xf32> {
  // CHECK: transformer.softmax %{{.*}} {dimension = 1 : i64} : tensor<4x33xf32>
  %p = transformer.softmax %s {dimension = 1 : i64} : tensor<4x33xf32>
  return %p : tensor<4x33xf32>
}

// CHECK-LABEL: func.func @log_softmax_grad
func.func @log_softmax_grad(%dl: tensor<4x33xf32>, %l: tensor<4x33xf32>) -> tensor<4x33xf32> {
  // CHECK: transformer.log_softmax_grad %{{.*}}, %{{.*}} {dimension = 1 : i64} : tensor<4x33xf32>
  %ds = transformer.log_softmax_grad %dl, %l {dimension = 1 : i64} : tensor<4x33xf32>
  return %ds : tensor<4x33xf32>
}

// CHECK-LABEL: func.func @matmul
func.func @matmul(%x: tensor<2x128x64xf32>, %w: tensor<64x64xf32>, %b: tensor<64xf32>) -> tensor<2x128x64xf32> {
  // CHECK: transformer.matmul %{{.*}}, %{{.*}} bias %{{.*}} residual %{{.*}} {activation = #transformer.activation<gelu_tanh>, transpose_rhs} : (
  %y = transformer.matmul %x, %w bias %b residual %x {activation = #transformer.activation<gelu_tanh>, transpose_rhs}
      : (tensor<2x128x64xf32>, tensor<64x64xf32>, tensor<64xf32>, tensor<2x128x64xf32>) -> tensor<2x128x64xf32>
  return %y : tensor<2x128x64xf32>
}

// CHECK-LABEL: func.func @moe_route_grad
func.func @moe_route_grad(%dw: tensor<16x2xf32>, %logits: tensor<16x8xf32>, %experts: tensor<16x2xi32>) -> tensor<16x8xf32> {
  // CHECK: transformer.moe_route_grad softmax %{{.*}}, %{{.*}}, %{{.*}} {normalize} : (
  %dx = transformer.moe_route_grad softmax %dw, %logits, %experts {normalize}
      : (tensor<16x2xf32>, tensor<16x8xf32>, tensor<16x2xi32>) -> tensor<16x8xf32>
  return %dx : tensor<16x8xf32>
}

// CHECK-LABEL: func.func @top_k
func.func @top_k(%x: tensor<4x256xf32>) -> (tensor<4x8xf32>, tensor<4x8xi32>) {
  // CHECK: transformer.top_k %{{.*}} {k = 8 : i64} : (tensor<4x256xf32>) -> (tensor<4x8xf32>, tensor<4x8xi32>)
  %v, %i = transformer.top_k %x {k = 8 : i64} : (tensor<4x256xf32>) -> (tensor<4x8xf32>, tensor<4x8xi32>)
  return %v, %i : tensor<4x8xf32>, tensor<4x8xi32>
}

// CHECK-LABEL: func.func @top_k_grad
func.func @top_k_grad(%dv: tensor<4x8xf32>, %i: tensor<4x8xi32>, %x: tensor<4x256xf32>) -> tensor<4x256xf32> {
  // CHECK: transformer.top_k_grad %{{.*}}, %{{.*}}, %{{.*}} : (tensor<4x8xf32>, tensor<4x8xi32>, tensor<4x256xf32>) -> tensor<4x256xf32>
  %dx = transformer.top_k_grad %dv, %i, %x : (tensor<4x8xf32>, tensor<4x8xi32>, tensor<4x256xf32>) -> tensor<4x256xf32>
  return %dx : tensor<4x256xf32>
}
