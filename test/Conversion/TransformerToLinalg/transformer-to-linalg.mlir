// RUN: forge-opt --convert-transformer-to-linalg %s | FileCheck %s
// RUN: forge-opt --forge-pipeline="to=bufferize" %s | FileCheck %s --check-prefix=BUFFERS

// BUFFERS-NOT: transformer.

// CHECK-DAG: #[[LHS:.*]] = affine_map<(d0, d1, d2, d3) -> (d0, d1, d3)>
// CHECK-DAG: #[[RHS_T:.*]] = affine_map<(d0, d1, d2, d3) -> (d2, d3)>
// CHECK-DAG: #[[OUT:.*]] = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>

// The transpose is an indexing map; bias, activation and residual are one body after the sums.
// CHECK-LABEL: func.func @matmul
// CHECK: linalg.generic {indexing_maps = [#[[LHS]], #[[RHS_T]], #[[OUT]]], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
// CHECK: arith.mulf %{{.*}} fastmath<reassoc,contract>
// CHECK: linalg.generic
// CHECK: arith.addf
// CHECK: math.tanh
// CHECK: arith.addf
func.func @matmul(%x: tensor<2x8x64xf32>, %w: tensor<64x64xf32>, %b: tensor<64xf32>) -> tensor<2x8x64xf32> {
  %0 = transformer.matmul %x, %w bias %b residual %x {activation = #transformer.activation<gelu_tanh>, transpose_rhs}
      : (tensor<2x8x64xf32>, tensor<64x64xf32>, tensor<64xf32>, tensor<2x8x64xf32>) -> tensor<2x8x64xf32>
  return %0 : tensor<2x8x64xf32>
}

// Narrow factors, sums in f32, one rounding.
// CHECK-LABEL: func.func @bf16
// CHECK: arith.extf %{{.*}} : bf16 to f32
// CHECK: arith.addf %{{.*}} : f32
// CHECK: arith.truncf %{{.*}} : f32 to bf16
// CHECK-NOT: arith.truncf
// CHECK: return
func.func @bf16(%x: tensor<?x?xbf16>, %w: tensor<?x?xbf16>) -> tensor<?x?xbf16> {
  %0 = transformer.matmul %x, %w : (tensor<?x?xbf16>, tensor<?x?xbf16>) -> tensor<?x?xbf16>
  return %0 : tensor<?x?xbf16>
}

// The largest element is subtracted before the exponential.
// CHECK-LABEL: func.func @softmax
// CHECK: arith.maximumf
// CHECK: arith.subf
// CHECK-NEXT: math.exp
// CHECK: arith.addf
// CHECK: arith.divf
func.func @softmax(%x: tensor<?x33xf32>) -> tensor<?x33xf32> {
  %0 = transformer.softmax %x {dimension = 1 : i64} : tensor<?x33xf32>
  return %0 : tensor<?x33xf32>
}

// The biased variance of the centred row: divided by N, not by N - 1.
// CHECK-LABEL: func.func @layer_norm
// CHECK-DAG: %[[N:.*]] = arith.constant 6.400000e+01 : f32
// CHECK: arith.addf
// CHECK: arith.divf %{{.*}}, %[[N]]
// CHECK: arith.subf
// CHECK: arith.mulf
// CHECK: arith.divf %{{.*}}, %[[N]]
// CHECK: math.sqrt
func.func @layer_norm(%x: tensor<4x64xf32>, %g: tensor<64xf32>) -> tensor<4x64xf32> {
  %0 = transformer.layer_norm %x scale %g shift %g {epsilon = 1.0e-05 : f32}
      : (tensor<4x64xf32>, tensor<64xf32>, tensor<64xf32>) -> tensor<4x64xf32>
  return %0 : tensor<4x64xf32>
}

// CHECK-LABEL: func.func @rms_norm
// CHECK: math.sqrt
// CHECK: %[[ONE:.*]] = arith.constant 1.000000e+00 : f32
// CHECK: arith.addf %{{.*}}, %[[ONE]]
func.func @rms_norm(%x: tensor<4x64xbf16>, %g: tensor<64xbf16>) -> tensor<4x64xbf16> {
  %0 = transformer.rms_norm %x scale %g {epsilon = 1.0e-06 : f32, unit_offset} : (tensor<4x64xbf16>, tensor<64xbf16>) -> tensor<4x64xbf16>
  return %0 : tensor<4x64xbf16>
}

// Query heads are split in groups; keys are not repeated. 1 / sqrt(64) = 0.125.
// CHECK-LABEL: func.func @attention
// CHECK: tensor.expand_shape %{{.*}} : tensor<1x8x16x64xf32> into tensor<1x2x4x16x64xf32>
// CHECK: linalg.generic
// CHECK-DAG: %[[SCALE:.*]] = arith.constant 1.250000e-01 : f32
// CHECK: arith.mulf %{{.*}}, %[[SCALE]]
// CHECK: arith.cmpi sle
// CHECK: math.exp
// CHECK: tensor.collapse_shape %{{.*}} : tensor<1x2x4x16x32xf32> into tensor<1x8x16x32xf32>
func.func @attention(%q: tensor<1x8x16x64xf32>, %k: tensor<1x2x32x64xf32>, %v: tensor<1x2x32x32xf32>) -> tensor<1x8x16x32xf32> {
  %0 = transformer.attention %q, %k, %v {causal}
      : (tensor<1x8x16x64xf32>, tensor<1x2x32x64xf32>, tensor<1x2x32x32xf32>) -> tensor<1x8x16x32xf32>
  return %0 : tensor<1x8x16x32xf32>
}

// CHECK-LABEL: func.func @attention_dynamic
// CHECK: math.sqrt
// CHECK: tensor.cast
func.func @attention_dynamic(%q: tensor<?x?x?x?xbf16>, %k: tensor<?x?x?x?xbf16>, %v: tensor<?x?x?x?xbf16>,
                             %m: tensor<?x1x?x?xi1>) -> tensor<?x8x?x?xbf16> {
  %0 = transformer.attention %q, %k, %v mask %m
      : (tensor<?x?x?x?xbf16>, tensor<?x?x?x?xbf16>, tensor<?x?x?x?xbf16>, tensor<?x1x?x?xi1>) -> tensor<?x8x?x?xbf16>
  return %0 : tensor<?x8x?x?xbf16>
}

// A token outside the table reads its first or last row.
// CHECK-LABEL: func.func @embedding
// CHECK: arith.maxsi
// CHECK: arith.minsi
// CHECK: tensor.extract
func.func @embedding(%wte: tensor<256x64xf32>, %ids: tensor<2x16xi32>) -> tensor<2x16x64xf32> {
  %0 = transformer.embedding %wte, %ids : (tensor<256x64xf32>, tensor<2x16xi32>) -> tensor<2x16x64xf32>
  %1 = transformer.activation silu %0 : tensor<2x16x64xf32>
  %2 = transformer.add %0, %1 : tensor<2x16x64xf32>
  return %2 : tensor<2x16x64xf32>
}

// What builders make of a number is a fill.
// CHECK-LABEL: func.func @splat
// CHECK: %[[EMPTY:.*]] = tensor.empty(%arg1) : tensor<?x4xf32>
// CHECK: linalg.fill ins(%arg0 : f32) outs(%[[EMPTY]] : tensor<?x4xf32>)
func.func @splat(%x: f32, %n: index) -> tensor<?x4xf32> {
  %0 = tensor.splat %x[%n] : tensor<?x4xf32>
  return %0 : tensor<?x4xf32>
}
