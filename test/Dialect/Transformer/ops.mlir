// RUN: forge-opt %s | FileCheck %s
// RUN: forge-opt %s | forge-opt | FileCheck %s
// RUN: forge-opt --mlir-print-op-generic %s | forge-opt | FileCheck %s
// RUN: forge-opt --emit-bytecode %s | forge-opt | FileCheck %s

// CHECK-LABEL: func.func @matmul
func.func @matmul(%x: tensor<2x128x64xf32>, %w: tensor<64x64xf32>, %b: tensor<64xf32>) -> tensor<2x128x64xf32> {
  // CHECK: transformer.matmul %{{.*}}, %{{.*}} : (tensor<2x128x64xf32>, tensor<64x64xf32>) -> tensor<2x128x64xf32>
  %0 = transformer.matmul %x, %w : (tensor<2x128x64xf32>, tensor<64x64xf32>) -> tensor<2x128x64xf32>
  // CHECK: transformer.matmul %{{.*}}, %{{.*}} bias %{{.*}} residual %{{.*}} {activation = #transformer.activation<gelu_tanh>, transpose_rhs}
  %1 = transformer.matmul %0, %w bias %b residual %x {activation = #transformer.activation<gelu_tanh>, transpose_rhs}
      : (tensor<2x128x64xf32>, tensor<64x64xf32>, tensor<64xf32>, tensor<2x128x64xf32>) -> tensor<2x128x64xf32>
  return %1 : tensor<2x128x64xf32>
}

// CHECK-LABEL: func.func @batched
func.func @batched(%x: tensor<?x8x?xbf16>, %y: tensor<?x8x?xbf16>) -> tensor<?x?x?xbf16> {
  // CHECK: transformer.matmul %{{.*}}, %{{.*}} {transpose_lhs}
  %0 = transformer.matmul %x, %y {transpose_lhs} : (tensor<?x8x?xbf16>, tensor<?x8x?xbf16>) -> tensor<?x?x?xbf16>
  return %0 : tensor<?x?x?xbf16>
}

// CHECK-LABEL: func.func @attention
func.func @attention(%q: tensor<1x8x16x64xf32>, %k: tensor<1x2x32x64xf32>, %m: tensor<1x1x16x32xi1>) -> tensor<1x8x16x64xf32> {
  // CHECK: transformer.attention %{{.*}}, %{{.*}}, %{{.*}} {causal}
  %0 = transformer.attention %q, %k, %k {causal}
      : (tensor<1x8x16x64xf32>, tensor<1x2x32x64xf32>, tensor<1x2x32x64xf32>) -> tensor<1x8x16x64xf32>
  // CHECK: transformer.attention %{{.*}}, %{{.*}}, %{{.*}} mask %{{.*}} {scale = 1.250000e-01 : f32}
  %1 = transformer.attention %0, %k, %k mask %m {scale = 0.125 : f32}
      : (tensor<1x8x16x64xf32>, tensor<1x2x32x64xf32>, tensor<1x2x32x64xf32>, tensor<1x1x16x32xi1>) -> tensor<1x8x16x64xf32>
  return %1 : tensor<1x8x16x64xf32>
}

// CHECK-LABEL: func.func @norms
func.func @norms(%x: tensor<4x64xf32>, %g: tensor<64xf32>) -> tensor<4x64xf32> {
  // CHECK: transformer.softmax %{{.*}} {dimension = 1 : i64} : tensor<4x64xf32>
  %0 = transformer.softmax %x {dimension = 1 : i64} : tensor<4x64xf32>
  // CHECK: transformer.layer_norm %{{.*}} scale %{{.*}} shift %{{.*}} {epsilon = 9.99999974E-6 : f32}
  %1 = transformer.layer_norm %0 scale %g shift %g {epsilon = 1.0e-05 : f32}
      : (tensor<4x64xf32>, tensor<64xf32>, tensor<64xf32>) -> tensor<4x64xf32>
  // CHECK: transformer.rms_norm %{{.*}} scale %{{.*}} {epsilon = 9.99999997E-7 : f32, unit_offset}
  %2 = transformer.rms_norm %1 scale %g {epsilon = 1.0e-06 : f32, unit_offset} : (tensor<4x64xf32>, tensor<64xf32>) -> tensor<4x64xf32>
  return %2 : tensor<4x64xf32>
}

// CHECK-LABEL: func.func @elementwise
func.func @elementwise(%wte: tensor<256x64xf32>, %ids: tensor<2x16xi32>) -> tensor<2x16x64xf32> {
  // CHECK: transformer.embedding %{{.*}}, %{{.*}} : (tensor<256x64xf32>, tensor<2x16xi32>) -> tensor<2x16x64xf32>
  %0 = transformer.embedding %wte, %ids : (tensor<256x64xf32>, tensor<2x16xi32>) -> tensor<2x16x64xf32>
  // CHECK: transformer.activation silu %{{.*}} : tensor<2x16x64xf32>
  %1 = transformer.activation silu %0 : tensor<2x16x64xf32>
  // CHECK: transformer.add %{{.*}}, %{{.*}} : tensor<2x16x64xf32>
  %2 = transformer.add %0, %1 : tensor<2x16x64xf32>
  return %2 : tensor<2x16x64xf32>
}

// CHECK-LABEL: func.func @narrow_factors
func.func @narrow_factors(%a: tensor<4x8xf8E4M3FN>, %b: tensor<8x2xf8E5M2>, %i: tensor<4x8xi8>, %j: tensor<8x2xi8>)
    -> (tensor<4x2xbf16>, tensor<4x2xi32>) {
  // CHECK: transformer.matmul %{{.*}}, %{{.*}} {accumulate = f32} : (tensor<4x8xf8E4M3FN>, tensor<8x2xf8E5M2>) -> tensor<4x2xbf16>
  %0 = transformer.matmul %a, %b {accumulate = f32} : (tensor<4x8xf8E4M3FN>, tensor<8x2xf8E5M2>) -> tensor<4x2xbf16>
  // CHECK: transformer.matmul %{{.*}}, %{{.*}} : (tensor<4x8xi8>, tensor<8x2xi8>) -> tensor<4x2xi32>
  %1 = transformer.matmul %i, %j : (tensor<4x8xi8>, tensor<8x2xi8>) -> tensor<4x2xi32>
  return %0, %1 : tensor<4x2xbf16>, tensor<4x2xi32>
}

// CHECK-LABEL: func.func @log_softmax
func.func @log_softmax(%s: tensor<4x33xf32>, %gate: tensor<2x16x64xf32>) -> (tensor<4x33xf32>, tensor<2x16x64xf32>) {
  // CHECK: transformer.log_softmax %{{.*}} {dimension = 1 : i64} : tensor<4x33xf32>
  %l = transformer.log_softmax %s {dimension = 1 : i64} : tensor<4x33xf32>
  // CHECK: transformer.log_softmax %{{.*}} {accumulate = f64, dimension = 0 : i64} : tensor<4x33xf32>
  %m = transformer.log_softmax %l {accumulate = f64, dimension = 0 : i64} : tensor<4x33xf32>
  // CHECK: transformer.multiply %{{.*}}, %{{.*}} : tensor<2x16x64xf32>
  %y = transformer.multiply %gate, %gate : tensor<2x16x64xf32>
  return %m, %y : tensor<4x33xf32>, tensor<2x16x64xf32>
}

// CHECK-LABEL: func.func @grouped_matmul
func.func @grouped_matmul(%x: tensor<12x16xf32>, %w: tensor<4x8x16xf32>, %sizes: tensor<4xi32>, %at: tensor<5xi64>,
                          %b: tensor<4x8xf32>) -> (tensor<12x8xf32>, tensor<12x8xf32>) {
  // CHECK: transformer.grouped_matmul %{{.*}}, %{{.*}} groups %{{.*}} {transpose_rhs} : (tensor<12x16xf32>, tensor<4x8x16xf32>, tensor<4xi32>) -> tensor<12x8xf32>
  %y = transformer.grouped_matmul %x, %w groups %sizes {transpose_rhs}
      : (tensor<12x16xf32>, tensor<4x8x16xf32>, tensor<4xi32>) -> tensor<12x8xf32>
  // CHECK: transformer.grouped_matmul %{{.*}}, %{{.*}} groups %{{.*}} bias %{{.*}} {activation = #transformer.activation<relu>, offsets, transpose_rhs}
  %z = transformer.grouped_matmul %x, %w groups %at bias %b {offsets, transpose_rhs, activation = #transformer.activation<relu>}
      : (tensor<12x16xf32>, tensor<4x8x16xf32>, tensor<5xi64>, tensor<4x8xf32>) -> tensor<12x8xf32>
  return %y, %z : tensor<12x8xf32>, tensor<12x8xf32>
}

// CHECK-LABEL: func.func @linear
func.func @linear(%x: tensor<4x64xbf16>, %w: tensor<24x64xi4>, %s: tensor<24x2xf32>, %z: tensor<24x2xi4>, %b: tensor<24xbf16>,
                  %f8: tensor<24x64xf8E4M3FN>, %c: tensor<24xbf16>, %r: tensor<4x24xbf16>) -> (tensor<4x24xbf16>, tensor<4x24xbf16>) {
  // CHECK: transformer.linear %{{.*}}, %{{.*}} scale %{{.*}} zero_point %{{.*}} bias %{{.*}} {block = array<i64: 1, 32>}
  %y = transformer.linear %x, %w scale %s zero_point %z bias %b {block = array<i64: 1, 32>}
      : (tensor<4x64xbf16>, tensor<24x64xi4>, tensor<24x2xf32>, tensor<24x2xi4>, tensor<24xbf16>) -> tensor<4x24xbf16>
  // CHECK: transformer.linear %{{.*}}, %{{.*}} scale %{{.*}} residual %{{.*}} {activation = #transformer.activation<silu>}
  %1 = transformer.linear %x, %f8 scale %c residual %r {activation = #transformer.activation<silu>}
      : (tensor<4x64xbf16>, tensor<24x64xf8E4M3FN>, tensor<24xbf16>, tensor<4x24xbf16>) -> tensor<4x24xbf16>
  return %y, %1 : tensor<4x24xbf16>, tensor<4x24xbf16>
}

// CHECK-LABEL: func.func @mlp
func.func @mlp(%x: tensor<2x8x16xf32>, %wi: tensor<16x64xf32>, %bi: tensor<64xf32>, %wo: tensor<64x16xf32>, %bo: tensor<16xf32>)
    -> tensor<2x8x16xf32> {
  // CHECK: transformer.mlp %{{.*}} up %{{.*}} bias %{{.*}} down %{{.*}} bias %{{.*}} residual %{{.*}} {activation = #transformer.activation<gelu>}
  %y = transformer.mlp %x up %wi bias %bi down %wo bias %bo residual %x {activation = #transformer.activation<gelu>}
      : (tensor<2x8x16xf32>, tensor<16x64xf32>, tensor<64xf32>, tensor<64x16xf32>, tensor<16xf32>, tensor<2x8x16xf32>)
        -> tensor<2x8x16xf32>
  return %y : tensor<2x8x16xf32>
}

// CHECK-LABEL: func.func @gated_mlp
func.func @gated_mlp(%x: tensor<2x8x16xbf16>, %wg: tensor<40x16xbf16>, %wu: tensor<40x16xbf16>, %wd: tensor<16x40xbf16>)
    -> tensor<2x8x16xbf16> {
  // CHECK: transformer.gated_mlp %{{.*}} gate %{{.*}} up %{{.*}} down %{{.*}} residual %{{.*}} {activation = #transformer.activation<silu>, transpose_weights}
  %y = transformer.gated_mlp %x gate %wg up %wu down %wd residual %x
      {activation = #transformer.activation<silu>, transpose_weights}
      : (tensor<2x8x16xbf16>, tensor<40x16xbf16>, tensor<40x16xbf16>, tensor<16x40xbf16>, tensor<2x8x16xbf16>)
        -> tensor<2x8x16xbf16>
  return %y : tensor<2x8x16xbf16>
}

// CHECK-LABEL: func.func @quantization
func.func @quantization(%x: tensor<4x64xf32>, %s: tensor<4xf32>, %bs: tensor<4x2xf32>, %z: tensor<4x2xi4>, %q4: tensor<4x64xi4>)
    -> (tensor<4x64xi8>, tensor<4x64xf32>) {
  // CHECK: transformer.quantize %{{.*}} scale %{{.*}} {axis = 0 : i64} : (tensor<4x64xf32>, tensor<4xf32>) -> tensor<4x64xi8>
  %q = transformer.quantize %x scale %s {axis = 0 : i64} : (tensor<4x64xf32>, tensor<4xf32>) -> tensor<4x64xi8>
  // CHECK: transformer.dequantize %{{.*}} scale %{{.*}} zero_point %{{.*}} {block = array<i64: 1, 32>} : (tensor<4x64xi4>, tensor<4x2xf32>, tensor<4x2xi4>) -> tensor<4x64xf32>
  %y = transformer.dequantize %q4 scale %bs zero_point %z {block = array<i64: 1, 32>}
      : (tensor<4x64xi4>, tensor<4x2xf32>, tensor<4x2xi4>) -> tensor<4x64xf32>
  return %q, %y : tensor<4x64xi8>, tensor<4x64xf32>
}
