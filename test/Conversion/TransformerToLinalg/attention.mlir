// RUN: forge-opt --convert-transformer-to-linalg %s | FileCheck %s

// In this order: scale, cap, region, mask; then what is not seen becomes -inf.
// CHECK-LABEL: func.func @order
// CHECK: linalg.generic
// CHECK: arith.mulf %{{.*}} fastmath<reassoc,contract>
// CHECK: linalg.generic
// CHECK: %[[SCALED:.*]] = arith.mulf
// CHECK: %[[CAP:.*]] = arith.constant 5.000000e+01 : f32
// CHECK: %[[SMALL:.*]] = arith.divf %[[SCALED]], %[[CAP]]
// CHECK: %[[TANH:.*]] = math.tanh %[[SMALL]]
// CHECK: %[[CAPPED:.*]] = arith.mulf %[[TANH]], %[[CAP]]
// CHECK: %[[SLOPE:.*]] = tensor.extract
// CHECK: %[[CHANGED:.*]] = arith.addf %[[CAPPED]], %[[SLOPE]]
// CHECK: arith.cmpi sle
// CHECK: arith.cmpi slt
// CHECK: %[[SEEN:.*]] = arith.andi
// CHECK: %[[MASKED:.*]] = arith.addf %[[CHANGED]]
// CHECK: %[[INF:.*]] = arith.constant 0xFF800000 : f32
// CHECK: arith.select %[[SEEN]], %[[MASKED]], %[[INF]]
func.func @order(%q: tensor<1x8x16x64xf32>, %k: tensor<1x2x32x64xf32>, %m: tensor<1x1x16x32xf32>, %slopes: tensor<8xf32>) -> tensor<1x8x16x64xf32> {
  %0 = transformer.attention %q, %k, %k mask %m {causal, window = 8 : i64, soft_cap = 50.0 : f32} score {
  ^bb0(%x: f32, %b: index, %h: index, %s: index, %t: index):
    %slope = tensor.extract %slopes[%h] : tensor<8xf32>
    %y = arith.addf %x, %slope : f32
    transformer.yield %y : f32
  } : (tensor<1x8x16x64xf32>, tensor<1x2x32x64xf32>, tensor<1x2x32x64xf32>, tensor<1x1x16x32xf32>) -> tensor<1x8x16x64xf32>
  return %0 : tensor<1x8x16x64xf32>
}

// Lengths are clamped; what is beyond them is -inf among the scores, and zero among the values. Weights have the values' type.
// CHECK-LABEL: func.func @lengths
// CHECK: arith.maxsi
// CHECK-NEXT: arith.minsi
// CHECK: arith.cmpi slt
// CHECK: math.exp
// CHECK: linalg.generic
// CHECK: arith.truncf %{{.*}} : f32 to bf16
// CHECK: arith.maxsi
// CHECK-NEXT: arith.minsi
// CHECK-NEXT: %[[USED:.*]] = arith.cmpi slt
// CHECK-NEXT: %[[ZERO:.*]] = arith.constant 0.000000e+00 : bf16
// CHECK-NEXT: arith.select %[[USED]], %{{.*}}, %[[ZERO]]
func.func @lengths(%q: tensor<2x8x1x64xbf16>, %k: tensor<2x2x32x64xbf16>, %n: tensor<2xi32>) -> tensor<2x8x1x64xbf16> {
  %0 = transformer.attention %q, %k, %k lengths %n
      : (tensor<2x8x1x64xbf16>, tensor<2x2x32x64xbf16>, tensor<2x2x32x64xbf16>, tensor<2xi32>) -> tensor<2x8x1x64xbf16>
  return %0 : tensor<2x8x1x64xbf16>
}

// A sink is one more logit of every row: in the maximum, and in the sum. The log-sum-exp is not rounded.
// CHECK-LABEL: func.func @sinks
// CHECK: tensor.expand_shape %{{.*}} : tensor<8xbf16> into tensor<2x4xbf16>
// CHECK: arith.maximumf
// CHECK: math.exp
// CHECK: arith.addf
// CHECK: math.exp
// CHECK: arith.addf
// CHECK: math.log
// CHECK: tensor.collapse_shape %{{.*}} : tensor<1x2x4x16xf32> into tensor<1x8x16xf32>
func.func @sinks(%q: tensor<1x8x16x64xbf16>, %k: tensor<1x2x32x64xbf16>, %s: tensor<8xbf16>) -> (tensor<1x8x16x64xbf16>, tensor<1x8x16xf32>) {
  %0, %lse = transformer.attention %q, %k, %k sinks %s
      : (tensor<1x8x16x64xbf16>, tensor<1x2x32x64xbf16>, tensor<1x2x32x64xbf16>, tensor<8xbf16>) -> (tensor<1x8x16x64xbf16>, tensor<1x8x16xf32>)
  return %0, %lse : tensor<1x8x16x64xbf16>, tensor<1x8x16xf32>
}

// Pages are read where the table says, held inside the pool.
// CHECK-LABEL: func.func @pages
// CHECK: tensor.empty() : tensor<2x2x64x64xf32>
// CHECK: %[[PLACE:.*]] = arith.divui
// CHECK: tensor.extract %{{.*}}[%{{.*}}, %[[PLACE]]] : tensor<2x4xi32>
// CHECK: arith.maxsi
// CHECK-NEXT: %[[PAGE:.*]] = arith.minsi
// CHECK-NEXT: %[[ROW:.*]] = arith.remui
// CHECK: tensor.extract %{{.*}}[%[[PAGE]], %{{.*}}, %[[ROW]], %{{.*}}] : tensor<9x2x16x64xf32>
// CHECK-NOT: transformer.
func.func @pages(%q: tensor<2x8x1x64xf32>, %k: tensor<9x2x16x64xf32>, %t: tensor<2x4xi32>, %n: tensor<2xi32>) -> tensor<2x8x1x64xf32> {
  %0 = transformer.paged_attention %q, %k, %k table %t lengths %n {causal}
      : (tensor<2x8x1x64xf32>, tensor<9x2x16x64xf32>, tensor<9x2x16x64xf32>, tensor<2x4xi32>, tensor<2xi32>) -> tensor<2x8x1x64xf32>
  return %0 : tensor<2x8x1x64xf32>
}

// One operation: the other element of a pair is read at a place that is computed; what is not rotated is the input itself.
// CHECK-LABEL: func.func @rope
// CHECK: arith.constant dense<{{.*}}> : tensor<16xf32>
// CHECK: math.cos
// CHECK: math.sin
// CHECK: linalg.generic {{.*}} ins(%[[X:[a-z0-9]+]] : tensor<2x8x16x64xbf16>)
// CHECK: tensor.extract %[[X]][{{.*}}] : tensor<2x8x16x64xbf16>
// CHECK: arith.negf
// CHECK: arith.addf
// CHECK: arith.select
// CHECK-NOT: insert_slice
// CHECK: return
func.func @rope(%x: tensor<2x8x16x64xbf16>, %p: tensor<2x16xi32>) -> tensor<2x8x16x64xbf16> {
  %0 = transformer.rope %x positions %p {rotary_dims = 32 : i64} : (tensor<2x8x16x64xbf16>, tensor<2x16xi32>) -> tensor<2x8x16x64xbf16>
  return %0 : tensor<2x8x16x64xbf16>
}

// Halves that make up the whole head: each reads itself and the other, in one operation.
// CHECK-LABEL: func.func @whole_head
// CHECK: %[[HALVES:.*]] = tensor.expand_shape %{{.*}} {{\[}}[0], [1], [2], [3, 4]] output_shape [2, 8, 16, 2, 32]
// CHECK-NOT: tensor.extract_slice
// CHECK: linalg.generic {{.*}} ins(%[[HALVES]], %[[HALVES]],
// CHECK: linalg.index 3
// CHECK: arith.negf
// CHECK: tensor.collapse_shape
// CHECK-NOT: tensor.insert_slice
func.func @whole_head(%x: tensor<2x8x16x64xf32>, %p: tensor<16xi32>) -> tensor<2x8x16x64xf32> {
  %0 = transformer.rope %x positions %p : (tensor<2x8x16x64xf32>, tensor<16xi32>) -> tensor<2x8x16x64xf32>
  return %0 : tensor<2x8x16x64xf32>
}

// Neighbours are a dimension of their own.
// CHECK-LABEL: func.func @interleaved
// CHECK: %[[PAIRS:.*]] = tensor.expand_shape %{{.*}} into tensor<2x8x16x32x2xf32>
// CHECK: linalg.generic {{.*}} ins(%[[PAIRS]], %[[PAIRS]], {{.*}}) outs(%{{.*}} : tensor<2x8x16x32x2xf32>)
// CHECK-NOT: insert_slice
// CHECK: tensor.collapse_shape
func.func @interleaved(%x: tensor<2x8x16x64xf32>, %p: tensor<16xi32>) -> tensor<2x8x16x64xf32> {
  %0 = transformer.rope %x positions %p {interleaved} : (tensor<2x8x16x64xf32>, tensor<16xi32>) -> tensor<2x8x16x64xf32>
  return %0 : tensor<2x8x16x64xf32>
}

// A loop over sequences carries the cache; each inserts the rows that lie within it.
// CHECK-LABEL: func.func @append
// CHECK: scf.for %[[B:.*]] = {{.*}} iter_args(%[[CACHE:.*]] = %{{.*}}) -> (tensor<2x4x512x64xbf16>)
// CHECK: tensor.extract_slice %{{.*}}[%[[B]], 0, %{{.*}}, 0] [1, 4, %[[N:.*]], 64]
// CHECK: tensor.insert_slice %{{.*}} into %[[CACHE]][%[[B]], 0, %{{.*}}, 0] [1, 4, %[[N]], 64]
// CHECK-NEXT: scf.yield
func.func @append(%k: tensor<2x4x1x64xbf16>, %cache: tensor<2x4x512x64xbf16>, %n: tensor<2xi32>) -> tensor<2x4x512x64xbf16> {
  %0 = transformer.kv_append %k into %cache at %n : (tensor<2x4x1x64xbf16>, tensor<2x4x512x64xbf16>, tensor<2xi32>) -> tensor<2x4x512x64xbf16>
  return %0 : tensor<2x4x512x64xbf16>
}
