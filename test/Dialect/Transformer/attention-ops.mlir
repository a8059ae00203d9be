// RUN: forge-opt %s | FileCheck %s
// RUN: forge-opt %s | forge-opt | FileCheck %s
// RUN: forge-opt --mlir-print-op-generic %s | forge-opt | FileCheck %s
// RUN: forge-opt --emit-bytecode %s | forge-opt | FileCheck %s

// The example of transformer.attention.
// CHECK-LABEL: func.func @attention
func.func @attention(%q: tensor<1x8x16x64xf32>, %k: tensor<1x2x32x64xf32>, %v: tensor<1x2x32x64xf32>, %n: tensor<1xi32>,
                     %sinks: tensor<8xf32>, %slopes: tensor<8xf32>)
    -> (tensor<1x8x16x64xf32>, tensor<1x8x16x64xf32>, tensor<1x8x16xf32>) {
  // CHECK: transformer.attention %{{.*}}, %{{.*}}, %{{.*}} {causal} :
  %o = transformer.attention %q, %k, %v {causal}
      : (tensor<1x8x16x64xf32>, tensor<1x2x32x64xf32>, tensor<1x2x32x64xf32>) -> tensor<1x8x16x64xf32>
  // CHECK: %{{.*}}, %{{.*}} = transformer.attention %{{.*}}, %{{.*}}, %{{.*}} lengths %{{.*}} sinks %{{.*}} {causal, window = 8 : i64} score {
  // CHECK-NEXT: ^bb0(%[[X:.*]]: f32, %{{.*}}: index, %[[H:.*]]: index, %{{.*}}: index, %{{.*}}: index):
  // CHECK-NEXT: tensor.extract %{{.*}}[%[[H]]]
  // CHECK-NEXT: %[[Y:.*]] = arith.addf %[[X]]
  // CHECK-NEXT: transformer.yield %[[Y]] : f32
  // CHECK-NEXT: } : (
  %a, %lse = transformer.attention %q, %k, %v lengths %n sinks %sinks {causal, window = 8 : i64} score {
  ^bb0(%x: f32, %b: index, %h: index, %s: index, %t: index):
    %slope = tensor.extract %slopes[%h] : tensor<8xf32>
    %y = arith.addf %x, %slope : f32
    transformer.yield %y : f32
  } : (tensor<1x8x16x64xf32>, tensor<1x2x32x64xf32>, tensor<1x2x32x64xf32>, tensor<1xi32>, tensor<8xf32>)
      -> (tensor<1x8x16x64xf32>, tensor<1x8x16xf32>)
  return %o, %a, %lse : tensor<1x8x16x64xf32>, tensor<1x8x16x64xf32>, tensor<1x8x16xf32>
}

// CHECK-LABEL: func.func @everything
func.func @everything(%q: tensor<?x8x?x64xbf16>, %k: tensor<?x2x?x64xbf16>, %m: tensor<?x1x?x?xi1>, %n: tensor<?xi32>,
                      %at: tensor<?xi64>, %sinks: tensor<8xbf16>) -> (tensor<?x8x?x64xbf16>, tensor<?x8x?xf64>) {
  // CHECK: mask %{{.*}} lengths %{{.*}} offsets %{{.*}} sinks %{{.*}} {accumulate = f64, scale = 1.250000e-01 : f32, soft_cap = 5.000000e+01 : f32}
  %o, %lse = transformer.attention %q, %k, %k mask %m lengths %n offsets %at sinks %sinks
      {scale = 0.125 : f32, soft_cap = 50.0 : f32, accumulate = f64}
      : (tensor<?x8x?x64xbf16>, tensor<?x2x?x64xbf16>, tensor<?x2x?x64xbf16>, tensor<?x1x?x?xi1>, tensor<?xi32>, tensor<?xi64>,
         tensor<8xbf16>) -> (tensor<?x8x?x64xbf16>, tensor<?x8x?xf64>)
  return %o, %lse : tensor<?x8x?x64xbf16>, tensor<?x8x?xf64>
}

// The example of transformer.paged_attention.
// CHECK-LABEL: func.func @paged_attention
func.func @paged_attention(%q: tensor<2x8x1x64xbf16>, %key_pages: tensor<128x2x16x64xbf16>, %value_pages: tensor<128x2x16x64xbf16>,
                           %table: tensor<2x40xi32>, %n: tensor<2xi32>) -> tensor<2x8x1x64xbf16> {
  // CHECK: transformer.paged_attention %{{.*}}, %{{.*}}, %{{.*}} table %{{.*}} lengths %{{.*}} {causal} : (
  %o = transformer.paged_attention %q, %key_pages, %value_pages table %table lengths %n {causal}
      : (tensor<2x8x1x64xbf16>, tensor<128x2x16x64xbf16>, tensor<128x2x16x64xbf16>, tensor<2x40xi32>, tensor<2xi32>)
      -> tensor<2x8x1x64xbf16>
  return %o : tensor<2x8x1x64xbf16>
}

// The example of transformer.rope, and every scaling rule.
// CHECK-LABEL: func.func @rope
func.func @rope(%x: tensor<2x8x16x64xbf16>, %p: tensor<2x16xi32>, %f: tensor<32xf32>) -> tensor<2x8x16x64xbf16> {
  // CHECK: transformer.rope %{{.*}} positions %{{.*}} {base = 5.000000e+05 : f64, rotary_dims = 32 : i64, scaling = #transformer.rope_scaling<llama3, factor = 8.000000e+00, original_length = 8192>}
  %y = transformer.rope %x positions %p {base = 5.0e+05 : f64, rotary_dims = 32 : i64,
      scaling = #transformer.rope_scaling<llama3, factor = 8.0, original_length = 8192>}
      : (tensor<2x8x16x64xbf16>, tensor<2x16xi32>) -> tensor<2x8x16x64xbf16>
  // CHECK: #transformer.rope_scaling<linear, factor = 2.500000e+00>
  %0 = transformer.rope %y positions %p {scaling = #transformer.rope_scaling<linear, factor = 2.5>}
      : (tensor<2x8x16x64xbf16>, tensor<2x16xi32>) -> tensor<2x8x16x64xbf16>
  // CHECK: #transformer.rope_scaling<dynamic, factor = 2.000000e+00, original_length = 4096>
  %1 = transformer.rope %0 positions %p {scaling = #transformer.rope_scaling<dynamic, factor = 2.0, original_length = 4096>}
      : (tensor<2x8x16x64xbf16>, tensor<2x16xi32>) -> tensor<2x8x16x64xbf16>
  // CHECK: #transformer.rope_scaling<yarn, factor = 4.000000e+00, original_length = 4096, beta_fast = 1.600000e+01, beta_slow = 2.000000e+00, attention_factor = 1.500000e+00>
  %2 = transformer.rope %1 positions %p {scaling = #transformer.rope_scaling<yarn, factor = 4.0, original_length = 4096,
      beta_fast = 16.0, beta_slow = 2.0, attention_factor = 1.5>}
      : (tensor<2x8x16x64xbf16>, tensor<2x16xi32>) -> tensor<2x8x16x64xbf16>
  // CHECK: #transformer.rope_scaling<linear, factor = 2.000000e+00, original_length = 9223372036854775807>
  %long = transformer.rope %2 positions %p {scaling = #transformer.rope_scaling<linear, factor = 2.0, original_length = 9223372036854775807>}
      : (tensor<2x8x16x64xbf16>, tensor<2x16xi32>) -> tensor<2x8x16x64xbf16>
  // CHECK: transformer.rope %{{.*}} positions %{{.*}} frequencies %{{.*}} {interleaved}
  %3 = transformer.rope %long positions %p frequencies %f {interleaved}
      : (tensor<2x8x16x64xbf16>, tensor<2x16xi32>, tensor<32xf32>) -> tensor<2x8x16x64xbf16>
  return %3 : tensor<2x8x16x64xbf16>
}

// The examples of transformer.kv_append.
// CHECK-LABEL: func.func @kv_append
func.func @kv_append(%k: tensor<2x4x1x64xbf16>, %cache: tensor<2x4x512x64xbf16>, %pages: tensor<128x4x16x64xbf16>, %n: tensor<2xi32>,
                     %table: tensor<2x32xi32>) -> (tensor<2x4x512x64xbf16>, tensor<128x4x16x64xbf16>) {
  // CHECK: transformer.kv_append %{{.*}} into %{{.*}} at %{{.*}} : (
  %k1 = transformer.kv_append %k into %cache at %n
      : (tensor<2x4x1x64xbf16>, tensor<2x4x512x64xbf16>, tensor<2xi32>) -> tensor<2x4x512x64xbf16>
  // CHECK: transformer.kv_append %{{.*}} into %{{.*}} at %{{.*}} table %{{.*}} : (
  %p1 = transformer.kv_append %k into %pages at %n table %table
      : (tensor<2x4x1x64xbf16>, tensor<128x4x16x64xbf16>, tensor<2xi32>, tensor<2x32xi32>) -> tensor<128x4x16x64xbf16>
  return %k1, %p1 : tensor<2x4x512x64xbf16>, tensor<128x4x16x64xbf16>
}
