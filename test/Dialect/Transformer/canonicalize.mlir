// RUN: forge-opt %s --canonicalize --split-input-file | FileCheck %s

// What a cast hid is known again; users see the type they had.
// CHECK-LABEL: @casts
// CHECK-SAME: (%[[X:.*]]: tensor<4x8xf32>, %[[W:.*]]: tensor<8x2xf32>)
// CHECK: %[[P:.*]] = transformer.matmul %[[X]], %[[W]] : (tensor<4x8xf32>, tensor<8x2xf32>) -> tensor<4x2xf32>
// CHECK: %[[S:.*]] = transformer.softmax %[[P]] {dimension = 1 : i64} : tensor<4x2xf32>
// CHECK: %[[R:.*]] = tensor.cast %[[S]] : tensor<4x2xf32> to tensor<?x?xf32>
// CHECK: return %[[R]]
func.func @casts(%x: tensor<4x8xf32>, %w: tensor<8x2xf32>) -> tensor<?x?xf32> {
  %0 = tensor.cast %x : tensor<4x8xf32> to tensor<?x8xf32>
  %1 = tensor.cast %w : tensor<8x2xf32> to tensor<8x?xf32>
  %2 = transformer.matmul %0, %1 : (tensor<?x8xf32>, tensor<8x?xf32>) -> tensor<?x?xf32>
  %3 = transformer.softmax %2 {dimension = 1 : i64} : tensor<?x?xf32>
  return %3 : tensor<?x?xf32>
}

// -----

// A cast that loses nothing known is no reason to change anything.
// CHECK-LABEL: @cast_to_better_known
// CHECK: %[[C:.*]] = tensor.cast
// CHECK: transformer.activation silu %[[C]] : tensor<4x8xf32>
func.func @cast_to_better_known(%x: tensor<?x8xf32>) -> tensor<4x8xf32> {
  %0 = tensor.cast %x : tensor<?x8xf32> to tensor<4x8xf32>
  %1 = transformer.activation silu %0 : tensor<4x8xf32>
  return %1 : tensor<4x8xf32>
}

// -----

// CHECK-LABEL: @casts_of_others
// CHECK: transformer.embedding %{{.*}} : (tensor<5x8xf32>, tensor<3xi32>) -> tensor<3x8xf32>
// CHECK: transformer.rms_norm %{{.*}} : (tensor<3x8xf32>, tensor<8xf32>) -> tensor<3x8xf32>
// CHECK: transformer.quantize %{{.*}} : (tensor<3x8xf32>, tensor<f32>) -> tensor<3x8xi8>
// CHECK: transformer.linear %{{.*}} : (tensor<3x8xf32>, tensor<2x8xi8>, tensor<f32>) -> tensor<3x2xf32>
// CHECK: tensor.cast %{{.*}} : tensor<3x2xf32> to tensor<?x?xf32>
func.func @casts_of_others(%t: tensor<5x8xf32>, %i: tensor<3xi32>, %g: tensor<8xf32>, %s: tensor<f32>, %w: tensor<2x8xi8>)
    -> (tensor<?x?xf32>, tensor<?x8xi8>) {
  %0 = tensor.cast %i : tensor<3xi32> to tensor<?xi32>
  %1 = transformer.embedding %t, %0 : (tensor<5x8xf32>, tensor<?xi32>) -> tensor<?x8xf32>
  %2 = transformer.rms_norm %1 scale %g {epsilon = 1.0e-6 : f32} : (tensor<?x8xf32>, tensor<8xf32>) -> tensor<?x8xf32>
  %3 = transformer.quantize %2 scale %s : (tensor<?x8xf32>, tensor<f32>) -> tensor<?x8xi8>
  %4 = tensor.cast %w : tensor<2x8xi8> to tensor<?x8xi8>
  %5 = transformer.linear %2, %4 scale %s : (tensor<?x8xf32>, tensor<?x8xi8>, tensor<f32>) -> tensor<?x?xf32>
  return %5, %3 : tensor<?x?xf32>, tensor<?x8xi8>
}

// -----

// A transpose of the last two dimensions is an attribute; two of them are none.
// CHECK-LABEL: @transposes
// CHECK-SAME: (%[[X:.*]]: tensor<8x4xf32>, %[[W:.*]]: tensor<8x2xf32>,
// CHECK: transformer.matmul %[[X]], %[[W]] {transpose_lhs} : (tensor<8x4xf32>, tensor<8x2xf32>) -> tensor<4x2xf32>
// CHECK: transformer.matmul %{{.*}}, %{{.*}} : (tensor<3x4x8xf32>, tensor<3x8x2xf32>) -> tensor<3x4x2xf32>
func.func @transposes(%x: tensor<8x4xf32>, %w: tensor<8x2xf32>, %p: tensor<3x4x8xf32>, %q: tensor<3x8x2xf32>)
    -> (tensor<4x2xf32>, tensor<3x4x2xf32>) {
  %e0 = tensor.empty() : tensor<4x8xf32>
  %0 = linalg.transpose ins(%x : tensor<8x4xf32>) outs(%e0 : tensor<4x8xf32>) permutation = [1, 0]
  %1 = transformer.matmul %0, %w : (tensor<4x8xf32>, tensor<8x2xf32>) -> tensor<4x2xf32>
  %e1 = tensor.empty() : tensor<3x2x8xf32>
  %2 = linalg.transpose ins(%q : tensor<3x8x2xf32>) outs(%e1 : tensor<3x2x8xf32>) permutation = [0, 2, 1]
  %3 = transformer.matmul %p, %2 {transpose_rhs} : (tensor<3x4x8xf32>, tensor<3x2x8xf32>) -> tensor<3x4x2xf32>
  return %1, %3 : tensor<4x2xf32>, tensor<3x4x2xf32>
}

// -----

// Another permutation is not.
// CHECK-LABEL: @other_permutation
// CHECK: linalg.transpose
// CHECK: transformer.matmul %{{.*}}, %{{.*}} : (tensor<3x4x8xf32>
func.func @other_permutation(%x: tensor<4x3x8xf32>, %w: tensor<8x2xf32>) -> tensor<3x4x2xf32> {
  %e = tensor.empty() : tensor<3x4x8xf32>
  %0 = linalg.transpose ins(%x : tensor<4x3x8xf32>) outs(%e : tensor<3x4x8xf32>) permutation = [1, 0, 2]
  %1 = transformer.matmul %0, %w : (tensor<3x4x8xf32>, tensor<8x2xf32>) -> tensor<3x4x2xf32>
  return %1 : tensor<3x4x2xf32>
}

// -----

// Blocks change the layout of all weights, or of none.
// CHECK-LABEL: @block_transposes
// CHECK-SAME: (%[[X:.*]]: tensor<3x4xf32>, %[[U:.*]]: tensor<8x4xf32>, %[[D:.*]]: tensor<4x8xf32>,
// CHECK: transformer.mlp %[[X]] up %[[U]] down %[[D]] {activation = #transformer.activation<relu>, transpose_weights}
// CHECK: transformer.mlp %[[X]] up %{{.*}} down %{{.*}} {activation = #transformer.activation<relu>} :
func.func @block_transposes(%x: tensor<3x4xf32>, %u: tensor<8x4xf32>, %d: tensor<4x8xf32>, %plain: tensor<8x4xf32>)
    -> (tensor<3x4xf32>, tensor<3x4xf32>) {
  %e0 = tensor.empty() : tensor<4x8xf32>
  %0 = linalg.transpose ins(%u : tensor<8x4xf32>) outs(%e0 : tensor<4x8xf32>) permutation = [1, 0]
  %e1 = tensor.empty() : tensor<8x4xf32>
  %1 = linalg.transpose ins(%d : tensor<4x8xf32>) outs(%e1 : tensor<8x4xf32>) permutation = [1, 0]
  %2 = transformer.mlp %x up %0 down %1 {activation = #transformer.activation<relu>}
      : (tensor<3x4xf32>, tensor<4x8xf32>, tensor<8x4xf32>) -> tensor<3x4xf32>
  %3 = transformer.mlp %x up %0 down %plain {activation = #transformer.activation<relu>}
      : (tensor<3x4xf32>, tensor<4x8xf32>, tensor<8x4xf32>) -> tensor<3x4xf32>
  return %2, %3 : tensor<3x4xf32>, tensor<3x4xf32>
}

// -----

// CHECK-LABEL: @grouped_transpose
// CHECK: transformer.grouped_matmul %{{.*}}, %arg1 groups %{{.*}} {transpose_rhs}
func.func @grouped_transpose(%x: tensor<12x16xf32>, %w: tensor<4x8x16xf32>, %g: tensor<4xi32>) -> tensor<12x8xf32> {
  %e = tensor.empty() : tensor<4x16x8xf32>
  %0 = linalg.transpose ins(%w : tensor<4x8x16xf32>) outs(%e : tensor<4x16x8xf32>) permutation = [0, 2, 1]
  %1 = transformer.grouped_matmul %x, %0 groups %g : (tensor<12x16xf32>, tensor<4x16x8xf32>, tensor<4xi32>) -> tensor<12x8xf32>
  return %1 : tensor<12x8xf32>
}

// -----

// CHECK-LABEL: @relu_of_relu
// CHECK-SAME: (%[[X:.*]]: tensor<4xf32>)
// CHECK-NEXT: %[[R:.*]] = transformer.activation relu %[[X]]
// CHECK-NEXT: %[[S:.*]] = transformer.activation relu_squared %[[X]]
// CHECK-NEXT: return %[[R]], %[[S]], %[[S]]
func.func @relu_of_relu(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) {
  %0 = transformer.activation relu %x : tensor<4xf32>
  %1 = transformer.activation relu %0 : tensor<4xf32>
  %2 = transformer.activation relu_squared %1 : tensor<4xf32>
  %3 = transformer.activation relu %2 : tensor<4xf32>
  return %1, %2, %3 : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
}

// -----

// Neutral elements that leave every bit, the sign of zero included: -0 + 0 is 0, so 0 stays.
// CHECK-LABEL: @neutral
// CHECK-SAME: (%[[X:.*]]: tensor<4xbf16>)
// CHECK: %[[Z:.*]] = transformer.add %[[X]], %{{.*}}
// CHECK-NEXT: return %[[X]], %[[X]], %[[Z]]
func.func @neutral(%x: tensor<4xbf16>) -> (tensor<4xbf16>, tensor<4xbf16>, tensor<4xbf16>) {
  %one = arith.constant dense<1.0> : tensor<4xbf16>
  %minus = arith.constant dense<-0.0> : tensor<4xbf16>
  %plus = arith.constant dense<0.0> : tensor<4xbf16>
  %0 = transformer.multiply %one, %x : tensor<4xbf16>
  %1 = transformer.add %x, %minus : tensor<4xbf16>
  %2 = transformer.add %x, %plus : tensor<4xbf16>
  return %0, %1, %2 : tensor<4xbf16>, tensor<4xbf16>, tensor<4xbf16>
}

// -----

// What nothing uses goes: the operations have no effects.
// CHECK-LABEL: @unused
// CHECK-NEXT: return
func.func @unused(%x: tensor<4x8xf32>, %w: tensor<8x2xf32>, %s: tensor<f32>) {
  %0 = transformer.matmul %x, %w : (tensor<4x8xf32>, tensor<8x2xf32>) -> tensor<4x2xf32>
  %1 = transformer.quantize %0 scale %s : (tensor<4x2xf32>, tensor<f32>) -> tensor<4x2xi4>
  return
}

// -----

// Operations with regions and several results.
// CHECK-LABEL: @casts_of_many
// CHECK: transformer.kv_append %{{.*}} : (tensor<2x2x1x8xf32>, tensor<2x2x9x8xf32>, tensor<2xi32>) -> tensor<2x2x9x8xf32>
// CHECK: transformer.rope %{{.*}} : (tensor<2x4x1x8xf32>, tensor<1xi32>) -> tensor<2x4x1x8xf32>
// CHECK: transformer.attention %{{.*}} score {
// CHECK: } : (tensor<2x4x1x8xf32>, tensor<2x2x9x8xf32>, tensor<2x2x9x8xf32>) -> (tensor<2x4x1x8xf32>, tensor<2x4x1xf32>)
// CHECK-DAG: tensor.cast %{{.*}} : tensor<2x4x1x8xf32> to tensor<?x?x?x?xf32>
// CHECK-DAG: tensor.cast %{{.*}} : tensor<2x4x1xf32> to tensor<?x?x?xf32>
func.func @casts_of_many(%q: tensor<2x4x1x8xf32>, %k: tensor<2x2x1x8xf32>, %c: tensor<2x2x9x8xf32>, %n: tensor<2xi32>, %p: tensor<1xi32>)
    -> (tensor<?x?x?x?xf32>, tensor<?x?x?xf32>) {
  %0 = tensor.cast %c : tensor<2x2x9x8xf32> to tensor<?x?x?x8xf32>
  %1 = transformer.kv_append %k into %0 at %n : (tensor<2x2x1x8xf32>, tensor<?x?x?x8xf32>, tensor<2xi32>) -> tensor<?x?x?x8xf32>
  %2 = tensor.cast %q : tensor<2x4x1x8xf32> to tensor<?x?x?x8xf32>
  %3 = transformer.rope %2 positions %p : (tensor<?x?x?x8xf32>, tensor<1xi32>) -> tensor<?x?x?x8xf32>
  %4, %5 = transformer.attention %3, %1, %1 score {
  ^bb0(%x: f32, %b: index, %h: index, %s: index, %t: index):
    %y = arith.negf %x : f32
    transformer.yield %y : f32
  } : (tensor<?x?x?x8xf32>, tensor<?x?x?x8xf32>, tensor<?x?x?x8xf32>) -> (tensor<?x?x?x8xf32>, tensor<?x?x?xf32>)
  %6 = tensor.cast %4 : tensor<?x?x?x8xf32> to tensor<?x?x?x?xf32>
  return %6, %5 : tensor<?x?x?x?xf32>, tensor<?x?x?xf32>
}

// -----

// CHECK-LABEL: @casts_of_choices
// CHECK: transformer.moe_route softmax %{{.*}} : (tensor<3x8xf32>) -> (tensor<3x2xf32>, tensor<3x2xi32>)
// CHECK: transformer.top_k %{{.*}} : (tensor<3x2xf32>) -> (tensor<3x1xf32>, tensor<3x1xi32>)
// CHECK: transformer.cross_entropy none %{{.*}} : (tensor<3x1xf32>, tensor<?xi32>) -> tensor<3xf32>
// CHECK: tensor.cast %{{.*}} : tensor<3xf32> to tensor<?xf32>
func.func @casts_of_choices(%x: tensor<3x8xf32>, %t: tensor<?xi32>) -> tensor<?xf32> {
  %0 = tensor.cast %x : tensor<3x8xf32> to tensor<?x8xf32>
  %1, %2 = transformer.moe_route softmax %0 {k = 2 : i64} : (tensor<?x8xf32>) -> (tensor<?x2xf32>, tensor<?x2xi32>)
  %3, %4 = transformer.top_k %1 {k = 1 : i64} : (tensor<?x2xf32>) -> (tensor<?x1xf32>, tensor<?x1xi32>)
  %5 = transformer.cross_entropy none %3, %t : (tensor<?x1xf32>, tensor<?xi32>) -> tensor<?xf32>
  return %5 : tensor<?xf32>
}
