// RUN: forge-opt --canonicalize %s | FileCheck %s

// CHECK-LABEL: @unused_lse
// CHECK: %[[O:.*]] = transformer.attention %{{.*}}, %{{.*}}, %{{.*}} {causal} : ({{.*}}) -> tensor<1x8x16x64xf32>
func.func @unused_lse(%q: tensor<1x8x16x64xf32>, %k: tensor<1x2x32x64xf32>) -> tensor<1x8x16x64xf32> {
  %o, %lse = transformer.attention %q, %k, %k {causal}
      : (tensor<1x8x16x64xf32>, tensor<1x2x32x64xf32>, tensor<1x2x32x64xf32>) -> (tensor<1x8x16x64xf32>, tensor<1x8x16xf32>)
  return %o : tensor<1x8x16x64xf32>
}

// One query at the last key sees all of them; with offsets it need not.
// CHECK-LABEL: @decode
// CHECK: transformer.attention %{{.*}}, %{{.*}}, %{{.*}} : (
// CHECK: transformer.attention %{{.*}}, %{{.*}}, %{{.*}} offsets %{{.*}} {causal} : (
func.func @decode(%q: tensor<1x8x1x64xf32>, %k: tensor<1x2x32x64xf32>, %at: tensor<1xi32>) -> (tensor<1x8x1x64xf32>, tensor<1x8x1x64xf32>) {
  %0 = transformer.attention %q, %k, %k {causal} : (tensor<1x8x1x64xf32>, tensor<1x2x32x64xf32>, tensor<1x2x32x64xf32>) -> tensor<1x8x1x64xf32>
  %1 = transformer.attention %q, %k, %k offsets %at {causal}
      : (tensor<1x8x1x64xf32>, tensor<1x2x32x64xf32>, tensor<1x2x32x64xf32>, tensor<1xi32>) -> tensor<1x8x1x64xf32>
  return %0, %1 : tensor<1x8x1x64xf32>, tensor<1x8x1x64xf32>
}

// CHECK-LABEL: @windows
// CHECK: transformer.attention %{{.*}}, %{{.*}}, %{{.*}} {causal} : (
// CHECK: transformer.attention %{{.*}}, %{{.*}}, %{{.*}} {causal, window = 31 : i64} : (
func.func @windows(%q: tensor<1x8x16x64xf32>, %k: tensor<1x2x32x64xf32>) -> (tensor<1x8x16x64xf32>, tensor<1x8x16x64xf32>) {
  %0 = transformer.attention %q, %k, %k {causal, window = 32 : i64}
      : (tensor<1x8x16x64xf32>, tensor<1x2x32x64xf32>, tensor<1x2x32x64xf32>) -> tensor<1x8x16x64xf32>
  %1 = transformer.attention %q, %k, %k {causal, window = 31 : i64}
      : (tensor<1x8x16x64xf32>, tensor<1x2x32x64xf32>, tensor<1x2x32x64xf32>) -> tensor<1x8x16x64xf32>
  return %0, %1 : tensor<1x8x16x64xf32>, tensor<1x8x16x64xf32>
}

// CHECK-LABEL: @masks
// CHECK: transformer.attention %{{.*}}, %{{.*}}, %{{.*}} : (
// CHECK: transformer.attention %{{.*}}, %{{.*}}, %{{.*}} : (
// CHECK: transformer.attention %{{.*}}, %{{.*}}, %{{.*}} mask
func.func @masks(%q: tensor<1x2x4x8xf32>, %k: tensor<1x2x4x8xf32>) -> (tensor<1x2x4x8xf32>, tensor<1x2x4x8xf32>, tensor<1x2x4x8xf32>) {
  %all = arith.constant dense<true> : tensor<1x1x4x4xi1>
  %nothing = arith.constant dense<0.0> : tensor<1x1x1x4xf32>
  %none = arith.constant dense<false> : tensor<1x1x4x4xi1>
  %0 = transformer.attention %q, %k, %k mask %all
      : (tensor<1x2x4x8xf32>, tensor<1x2x4x8xf32>, tensor<1x2x4x8xf32>, tensor<1x1x4x4xi1>) -> tensor<1x2x4x8xf32>
  %1 = transformer.attention %q, %k, %k mask %nothing
      : (tensor<1x2x4x8xf32>, tensor<1x2x4x8xf32>, tensor<1x2x4x8xf32>, tensor<1x1x1x4xf32>) -> tensor<1x2x4x8xf32>
  %2 = transformer.attention %q, %k, %k mask %none
      : (tensor<1x2x4x8xf32>, tensor<1x2x4x8xf32>, tensor<1x2x4x8xf32>, tensor<1x1x4x4xi1>) -> tensor<1x2x4x8xf32>
  return %0, %1, %2 : tensor<1x2x4x8xf32>, tensor<1x2x4x8xf32>, tensor<1x2x4x8xf32>
}

// CHECK-LABEL: @lengths
// CHECK: transformer.attention %{{.*}}, %{{.*}}, %{{.*}} : (
// CHECK: transformer.attention %{{.*}}, %{{.*}}, %{{.*}} lengths
func.func @lengths(%q: tensor<2x2x4x8xf32>) -> (tensor<2x2x4x8xf32>, tensor<2x2x4x8xf32>) {
  %full = arith.constant dense<[4, 9]> : tensor<2xi32>
  %short = arith.constant dense<[4, 3]> : tensor<2xi32>
  %0 = transformer.attention %q, %q, %q lengths %full
      : (tensor<2x2x4x8xf32>, tensor<2x2x4x8xf32>, tensor<2x2x4x8xf32>, tensor<2xi32>) -> tensor<2x2x4x8xf32>
  %1 = transformer.attention %q, %q, %q lengths %short
      : (tensor<2x2x4x8xf32>, tensor<2x2x4x8xf32>, tensor<2x2x4x8xf32>, tensor<2xi32>) -> tensor<2x2x4x8xf32>
  return %0, %1 : tensor<2x2x4x8xf32>, tensor<2x2x4x8xf32>
}

// CHECK-LABEL: @score
// CHECK: transformer.attention %{{.*}}, %{{.*}}, %{{.*}} : (
func.func @score(%q: tensor<2x2x4x8xf32>) -> tensor<2x2x4x8xf32> {
  %0 = transformer.attention %q, %q, %q score {
  ^bb0(%x: f32, %b: index, %h: index, %s: index, %t: index):
    transformer.yield %x : f32
  } : (tensor<2x2x4x8xf32>, tensor<2x2x4x8xf32>, tensor<2x2x4x8xf32>) -> tensor<2x2x4x8xf32>
  return %0 : tensor<2x2x4x8xf32>
}

// CHECK-LABEL: @pages
// CHECK: transformer.paged_attention %{{.*}}, %{{.*}}, %{{.*}} table %{{.*}} lengths %{{.*}} : ({{.*}}) -> tensor<2x8x1x64xf32>
func.func @pages(%q: tensor<2x8x1x64xf32>, %k: tensor<9x2x16x64xf32>, %t: tensor<2x4xi32>, %n: tensor<2xi32>) -> tensor<2x8x1x64xf32> {
  %0:2 = transformer.paged_attention %q, %k, %k table %t lengths %n {causal} score {
  ^bb0(%x: f32, %b: index, %h: index, %s: index, %k0: index):
    transformer.yield %x : f32
  } : (tensor<2x8x1x64xf32>, tensor<9x2x16x64xf32>, tensor<9x2x16x64xf32>, tensor<2x4xi32>, tensor<2xi32>) -> (tensor<2x8x1x64xf32>, tensor<2x8x1xf32>)
  return %0#0 : tensor<2x8x1x64xf32>
}

// CHECK-LABEL: @no_rows
// CHECK-SAME: %[[CACHE:[a-z0-9]+]]: tensor<2x4x8x16xf32>
// CHECK-NEXT: return %[[CACHE]]
func.func @no_rows(%cache: tensor<2x4x8x16xf32>, %x: tensor<2x4x0x16xf32>, %at: tensor<2xi32>) -> tensor<2x4x8x16xf32> {
  %0 = transformer.kv_append %x into %cache at %at : (tensor<2x4x0x16xf32>, tensor<2x4x8x16xf32>, tensor<2xi32>) -> tensor<2x4x8x16xf32>
  return %0 : tensor<2x4x8x16xf32>
}

// CHECK-LABEL: @cold
// CHECK: transformer.argmax
// CHECK-NEXT: return
func.func @cold(%x: tensor<4x37xf32>, %s: tensor<4xi64>) -> tensor<4xi32> {
  %t = arith.constant dense<0.0> : tensor<4xf32>
  %0 = transformer.sample %x seeds %s steps %s temperature %t : (tensor<4x37xf32>, tensor<4xi64>, tensor<4xi64>, tensor<4xf32>) -> tensor<4xi32>
  return %0 : tensor<4xi32>
}

// CHECK-LABEL: @all_groups
// CHECK: transformer.moe_route sigmoid %{{.*}} {k = 2 : i64} : (
func.func @all_groups(%x: tensor<4x8xf32>) -> (tensor<4x2xf32>, tensor<4x2xi32>) {
  %0:2 = transformer.moe_route sigmoid %x {k = 2 : i64, groups = 4 : i64, top_groups = 4 : i64, group_score = #transformer.group_score<top2>}
      : (tensor<4x8xf32>) -> (tensor<4x2xf32>, tensor<4x2xi32>)
  return %0#0, %0#1 : tensor<4x2xf32>, tensor<4x2xi32>
}
