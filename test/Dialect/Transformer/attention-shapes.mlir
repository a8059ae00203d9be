// Sizes of results of attention, positions and selection come from operands.
// RUN: forge-opt %s --resolve-ranked-shaped-type-result-dims --canonicalize | FileCheck %s

// CHECK-LABEL: @attention
// CHECK-SAME: (%[[Q:.*]]: tensor<?x?x?x?xf32>, %[[K:.*]]: tensor<?x?x?x?xf32>, %[[V:.*]]: tensor<?x?x?x?xf32>)
// CHECK-DAG: %[[C1:.*]] = arith.constant 1 : index
// CHECK-DAG: %[[C2:.*]] = arith.constant 2 : index
// CHECK-DAG: %[[C3:.*]] = arith.constant 3 : index
// CHECK-DAG: %[[H:.*]] = tensor.dim %[[Q]], %[[C1]]
// CHECK-DAG: %[[S:.*]] = tensor.dim %[[Q]], %[[C2]]
// CHECK-DAG: %[[W:.*]] = tensor.dim %[[V]], %[[C3]]
// CHECK-NOT: transformer.
// CHECK: return %[[H]], %[[W]], %[[S]]
func.func @attention(%q: tensor<?x?x?x?xf32>, %k: tensor<?x?x?x?xf32>, %v: tensor<?x?x?x?xf32>) -> (index, index, index) {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %0, %lse = transformer.attention %q, %k, %v
      : (tensor<?x?x?x?xf32>, tensor<?x?x?x?xf32>, tensor<?x?x?x?xf32>) -> (tensor<?x?x?x?xf32>, tensor<?x?x?xf32>)
  %h = tensor.dim %0, %c1 : tensor<?x?x?x?xf32>
  %w = tensor.dim %0, %c3 : tensor<?x?x?x?xf32>
  %s = tensor.dim %lse, %c2 : tensor<?x?x?xf32>
  return %h, %w, %s : index, index, index
}

// CHECK-LABEL: @pages
// CHECK-SAME: (%[[Q:.*]]: tensor<?x8x?x64xf32>,
// CHECK-DAG: %[[C0:.*]] = arith.constant 0 : index
// CHECK-DAG: %[[C2:.*]] = arith.constant 2 : index
// CHECK-DAG: %[[B:.*]] = tensor.dim %[[Q]], %[[C0]]
// CHECK-DAG: %[[S:.*]] = tensor.dim %[[Q]], %[[C2]]
// CHECK-NOT: transformer.
// CHECK: return %[[B]], %[[S]]
func.func @pages(%q: tensor<?x8x?x64xf32>, %k: tensor<?x2x16x64xf32>, %t: tensor<?x?xi32>, %n: tensor<?xi32>) -> (index, index) {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %0 = transformer.paged_attention %q, %k, %k table %t lengths %n
      : (tensor<?x8x?x64xf32>, tensor<?x2x16x64xf32>, tensor<?x2x16x64xf32>, tensor<?x?xi32>, tensor<?xi32>) -> tensor<?x8x?x64xf32>
  %b = tensor.dim %0, %c0 : tensor<?x8x?x64xf32>
  %s = tensor.dim %0, %c2 : tensor<?x8x?x64xf32>
  return %b, %s : index, index
}

// CHECK-LABEL: @positions
// CHECK-SAME: (%[[X:.*]]: tensor<2x8x?x64xf32>, %[[C:.*]]: tensor<2x8x?x64xf32>,
// CHECK-DAG: %[[C2:.*]] = arith.constant 2 : index
// CHECK-DAG: %[[S:.*]] = tensor.dim %[[X]], %[[C2]]
// CHECK-DAG: %[[T:.*]] = tensor.dim %[[C]], %[[C2]]
// CHECK-NOT: transformer.
// CHECK: return %[[S]], %[[T]]
func.func @positions(%x: tensor<2x8x?x64xf32>, %cache: tensor<2x8x?x64xf32>, %p: tensor<?xi32>, %at: tensor<2xi32>) -> (index, index) {
  %c2 = arith.constant 2 : index
  %0 = transformer.rope %x positions %p : (tensor<2x8x?x64xf32>, tensor<?xi32>) -> tensor<2x8x?x64xf32>
  %1 = transformer.kv_append %0 into %cache at %at : (tensor<2x8x?x64xf32>, tensor<2x8x?x64xf32>, tensor<2xi32>) -> tensor<2x8x?x64xf32>
  %s = tensor.dim %0, %c2 : tensor<2x8x?x64xf32>
  %t = tensor.dim %1, %c2 : tensor<2x8x?x64xf32>
  return %s, %t : index, index
}

// CHECK-LABEL: @selection
// CHECK-SAME: (%[[X:.*]]: tensor<?x37xf32>,
// CHECK: %[[C0:.*]] = arith.constant 0 : index
// CHECK-COUNT-5: tensor.dim %[[X]], %[[C0]]
// CHECK-NOT: transformer.
// CHECK: return
func.func @selection(%x: tensor<?x37xf32>, %s: tensor<?xi64>, %c: tensor<?xi32>) -> (index, index, index, index, index) {
  %c0 = arith.constant 0 : index
  %0 = transformer.argmax %x : tensor<?x37xf32> -> tensor<?xi32>
  %1, %2 = transformer.top_k %x {k = 3 : i64} : (tensor<?x37xf32>) -> (tensor<?x3xf32>, tensor<?x3xi32>)
  %3 = transformer.sample %x seeds %s steps %s : (tensor<?x37xf32>, tensor<?xi64>, tensor<?xi64>) -> tensor<?xi32>
  %4 = transformer.cross_entropy none %x, %c : (tensor<?x37xf32>, tensor<?xi32>) -> tensor<?xf32>
  %5, %6 = transformer.moe_route softmax %x {k = 2 : i64} : (tensor<?x37xf32>) -> (tensor<?x2xf32>, tensor<?x2xi32>)
  %d0 = tensor.dim %0, %c0 : tensor<?xi32>
  %d1 = tensor.dim %2, %c0 : tensor<?x3xi32>
  %d2 = tensor.dim %3, %c0 : tensor<?xi32>
  %d3 = tensor.dim %4, %c0 : tensor<?xf32>
  %d4 = tensor.dim %6, %c0 : tensor<?x2xi32>
  return %d0, %d1, %d2, %d3, %d4 : index, index, index, index, index
}
