// RUN: forge-opt %s | FileCheck %s
// RUN: forge-opt %s | forge-opt | FileCheck %s
// RUN: forge-opt --mlir-print-op-generic %s | forge-opt | FileCheck %s
// RUN: forge-opt --emit-bytecode %s | forge-opt | FileCheck %s

// The examples of the operations' documentation.
// CHECK-LABEL: func.func @largest
func.func @largest(%x: tensor<4x32000xf32>, %y: tensor<4x256xf32>) -> (tensor<4xi32>, tensor<4x8xf32>, tensor<4x8xi32>) {
  // CHECK: transformer.argmax %{{.*}} : tensor<4x32000xf32> -> tensor<4xi32>
  %i = transformer.argmax %x : tensor<4x32000xf32> -> tensor<4xi32>
  // CHECK: transformer.top_k %{{.*}} {k = 8 : i64} : (tensor<4x256xf32>) -> (tensor<4x8xf32>, tensor<4x8xi32>)
  %v, %j = transformer.top_k %y {k = 8 : i64} : (tensor<4x256xf32>) -> (tensor<4x8xf32>, tensor<4x8xi32>)
  return %i, %v, %j : tensor<4xi32>, tensor<4x8xf32>, tensor<4x8xi32>
}

// CHECK-LABEL: func.func @sample
func.func @sample(%logits: tensor<4x32000xbf16>, %seeds: tensor<4xi64>, %steps: tensor<4xi64>, %t: tensor<4xf32>, %k: tensor<4xi32>,
                  %p: tensor<4xf32>) -> (tensor<4xi32>, tensor<4xi64>) {
  // CHECK: transformer.sample %{{.*}} seeds %{{.*}} steps %{{.*}} temperature %{{.*}} top_p %{{.*}} : (
  %token = transformer.sample %logits seeds %seeds steps %steps temperature %t top_p %p
      : (tensor<4x32000xbf16>, tensor<4xi64>, tensor<4xi64>, tensor<4xf32>, tensor<4xf32>) -> tensor<4xi32>
  // CHECK: transformer.sample %{{.*}} seeds %{{.*}} steps %{{.*}} top_k %{{.*}} : (
  %other = transformer.sample %logits seeds %seeds steps %steps top_k %k
      : (tensor<4x32000xbf16>, tensor<4xi64>, tensor<4xi64>, tensor<4xi32>) -> tensor<4xi64>
  return %token, %other : tensor<4xi32>, tensor<4xi64>
}

// CHECK-LABEL: func.func @cross_entropy
func.func @cross_entropy(%logits: tensor<8x32000xbf16>, %targets: tensor<8xi32>) -> (tensor<f32>, tensor<8xf64>, tensor<f32>) {
  // CHECK: transformer.cross_entropy mean %{{.*}}, %{{.*}} {ignore_index = -100 : i64}
  %loss = transformer.cross_entropy mean %logits, %targets {ignore_index = -100 : i64}
      : (tensor<8x32000xbf16>, tensor<8xi32>) -> tensor<f32>
  // CHECK: transformer.cross_entropy none %{{.*}}, %{{.*}} {accumulate = f64}
  %all = transformer.cross_entropy none %logits, %targets {accumulate = f64} : (tensor<8x32000xbf16>, tensor<8xi32>) -> tensor<8xf64>
  // CHECK: transformer.cross_entropy sum %{{.*}}, %{{.*}} {label_smoothing = 1.000000e-01 : f32}
  %sum = transformer.cross_entropy sum %logits, %targets {label_smoothing = 0.1 : f32}
      : (tensor<8x32000xbf16>, tensor<8xi32>) -> tensor<f32>
  return %loss, %all, %sum : tensor<f32>, tensor<8xf64>, tensor<f32>
}

// CHECK-LABEL: func.func @moe_route
func.func @moe_route(%logits: tensor<16x256xf32>, %bias: tensor<256xf32>, %few: tensor<?x8xbf16>)
    -> (tensor<16x8xf32>, tensor<16x8xi32>, tensor<?x2xbf16>, tensor<?x2xi64>) {
  // CHECK: transformer.moe_route sigmoid %{{.*}} bias %{{.*}} {group_score = #transformer.group_score<top2>, groups = 8 : i64, k = 8 : i64, normalize, scale = 2.500000e+00 : f32, top_groups = 4 : i64}
  %w, %e = transformer.moe_route sigmoid %logits bias %bias {k = 8 : i64, normalize, groups = 8 : i64,
      top_groups = 4 : i64, group_score = #transformer.group_score<top2>, scale = 2.5 : f32}
      : (tensor<16x256xf32>, tensor<256xf32>) -> (tensor<16x8xf32>, tensor<16x8xi32>)
  // CHECK: transformer.moe_route softmax %{{.*}} {k = 2 : i64}
  %w2, %e2 = transformer.moe_route softmax %few {k = 2 : i64} : (tensor<?x8xbf16>) -> (tensor<?x2xbf16>, tensor<?x2xi64>)
  return %w, %e, %w2, %e2 : tensor<16x8xf32>, tensor<16x8xi32>, tensor<?x2xbf16>, tensor<?x2xi64>
}
