// Sizes of gradients come from the operands that they are gradients of.
// RUN: forge-opt %s --resolve-ranked-shaped-type-result-dims --canonicalize --cse | FileCheck %s

// CHECK-LABEL: @attention_grad
// CHECK-SAME: %[[D:.*]]: tensor<?x8x?x64xf32>, %[[Q:.*]]: tensor<?x8x?x64xf32>, %[[K:.*]]: tensor<?x2x?x64xf32>, %[[V:.*]]: tensor<?x2x?x64xf32>, %[[M:.*]]: tensor<?x1x1x?xf32>, %[[S:.*]]: tensor<?xf32>, %[[E:.*]]: tensor<4x?xf32>
// CHECK-DAG: %[[QD:.*]] = tensor.dim %[[Q]], %c2
// CHECK-DAG: %[[KD:.*]] = tensor.dim %[[K]], %c2
// CHECK-DAG: %[[VD:.*]] = tensor.dim %[[V]], %c0
// CHECK-DAG: %[[MD:.*]] = tensor.dim %[[M]], %c3
// CHECK-DAG: %[[SD:.*]] = tensor.dim %[[S]], %c0
// CHECK-DAG: %[[ED:.*]] = tensor.dim %[[E]], %c1
// CHECK-NOT: transformer.
// CHECK: return %[[QD]], %[[KD]], %[[VD]], %[[MD]], %[[SD]], %[[ED]]
func.func @attention_grad(%d: tensor<?x8x?x64xf32>, %q: tensor<?x8x?x64xf32>, %k: tensor<?x2x?x64xf32>, %v: tensor<?x2x?x64xf32>,
                          %m: tensor<?x1x1x?xf32>, %s: tensor<?xf32>, %e: tensor<4x?xf32>) -> (index, index, index, index, index, index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %0:6 = transformer.attention_grad %d, %q, %k, %v mask %m sinks %s tables %e score {
  ^bb0(%x: f32, %i: index, %h: index, %t: index, %u: index):
    %y = tensor.extract %e[%c1, %t] : tensor<4x?xf32>
    transformer.yield %y : f32
  } slope {
  ^bb0(%x: f32, %i: index, %h: index, %t: index, %u: index):
    %zero = arith.constant 0.0 : f32
    %one = arith.constant 1.0 : f32
    transformer.yield %zero, %one, %c1, %t : f32, f32, index, index
  } : (tensor<?x8x?x64xf32>, tensor<?x8x?x64xf32>, tensor<?x2x?x64xf32>, tensor<?x2x?x64xf32>, tensor<?x1x1x?xf32>, tensor<?xf32>, tensor<4x?xf32>)
      -> (tensor<?x8x?x64xf32>, tensor<?x2x?x64xf32>, tensor<?x2x?x64xf32>, tensor<?x1x1x?xf32>, tensor<?xf32>, tensor<4x?xf32>)
  %a = tensor.dim %0#0, %c2 : tensor<?x8x?x64xf32>
  %b = tensor.dim %0#1, %c2 : tensor<?x2x?x64xf32>
  %c = tensor.dim %0#2, %c0 : tensor<?x2x?x64xf32>
  %j = tensor.dim %0#3, %c3 : tensor<?x1x1x?xf32>
  %f = tensor.dim %0#4, %c0 : tensor<?xf32>
  %g = tensor.dim %0#5, %c1 : tensor<4x?xf32>
  return %a, %b, %c, %j, %f, %g : index, index, index, index, index, index
}

// CHECK-LABEL: @kv_append_grad
// CHECK-SAME: %[[D:.*]]: tensor<?x4x?x64xf32>, %[[R:.*]]: tensor<?x4x?x64xf32>
// CHECK: %[[N:.*]] = tensor.dim %[[R]], %c2
// CHECK-NEXT: return %[[N]]
func.func @kv_append_grad(%d: tensor<?x4x?x64xf32>, %r: tensor<?x4x?x64xf32>, %p: tensor<?xi32>) -> index {
  %c2 = arith.constant 2 : index
  %0 = transformer.kv_append_grad %d, %r at %p : (tensor<?x4x?x64xf32>, tensor<?x4x?x64xf32>, tensor<?xi32>) -> tensor<?x4x?x64xf32>
  %n = tensor.dim %0, %c2 : tensor<?x4x?x64xf32>
  return %n : index
}

// CHECK-LABEL: @grouped_outer
// CHECK-SAME: %[[X:.*]]: tensor<?x?xf32>, %[[Y:.*]]: tensor<?x?xf32>, %[[G:.*]]: tensor<?xi32>
// CHECK-DAG: %[[E:.*]] = tensor.dim %[[G]], %c0
// CHECK-DAG: %[[M:.*]] = tensor.dim %[[X]], %c1
// CHECK-DAG: %[[N:.*]] = tensor.dim %[[Y]], %c1
// CHECK-DAG: %[[L:.*]] = arith.subi %[[E]], %c1
// CHECK: return %[[E]], %[[M]], %[[N]], %[[L]]
func.func @grouped_outer(%x: tensor<?x?xf32>, %y: tensor<?x?xf32>, %g: tensor<?xi32>) -> (index, index, index, index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %0 = transformer.grouped_outer %x, %y groups %g : (tensor<?x?xf32>, tensor<?x?xf32>, tensor<?xi32>) -> tensor<?x?x?xf32>
  %1 = transformer.grouped_outer %x, %y groups %g {offsets} : (tensor<?x?xf32>, tensor<?x?xf32>, tensor<?xi32>) -> tensor<?x?x?xf32>
  %e = tensor.dim %0, %c0 : tensor<?x?x?xf32>
  %m = tensor.dim %0, %c1 : tensor<?x?x?xf32>
  %n = tensor.dim %0, %c2 : tensor<?x?x?xf32>
  %l = tensor.dim %1, %c0 : tensor<?x?x?xf32>
  return %e, %m, %n, %l : index, index, index, index
}

// CHECK-LABEL: @norms
// CHECK-SAME: %[[D:.*]]: tensor<?x?xf32>, %[[X:.*]]: tensor<?x?xf32>
// CHECK-DAG: %[[M:.*]] = tensor.dim %[[X]], %c0
// CHECK-DAG: %[[N:.*]] = tensor.dim %[[X]], %c1
// CHECK-NOT: transformer.
// CHECK: return %[[M]], %[[N]], %[[N]], %[[M]], %[[N]]
func.func @norms(%d: tensor<?x?xf32>, %x: tensor<?x?xf32>) -> (index, index, index, index, index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %0:3 = transformer.layer_norm_grad %d, %x {epsilon = 1.0e-05 : f32}
      : (tensor<?x?xf32>, tensor<?x?xf32>) -> (tensor<?x?xf32>, tensor<?xf32>, tensor<?xf32>)
  %1:2 = transformer.rms_norm_grad %d, %x {epsilon = 1.0e-05 : f32} : (tensor<?x?xf32>, tensor<?x?xf32>) -> (tensor<?x?xf32>, tensor<?xf32>)
  %a = tensor.dim %0#0, %c0 : tensor<?x?xf32>
  %b = tensor.dim %0#1, %c0 : tensor<?xf32>
  %c = tensor.dim %0#2, %c0 : tensor<?xf32>
  %e = tensor.dim %1#0, %c0 : tensor<?x?xf32>
  %f = tensor.dim %1#1, %c0 : tensor<?xf32>
  return %a, %b, %c, %e, %f : index, index, index, index, index
}

// CHECK-LABEL: @rows
// CHECK-SAME: %[[D:.*]]: tensor<?x?xf32>, %[[X:.*]]: tensor<?x?xf32>
// CHECK-DAG: %[[M:.*]] = tensor.dim %[[X]], %c0
// CHECK-DAG: %[[N:.*]] = tensor.dim %[[X]], %c1
// CHECK-NOT: transformer.
// CHECK: return %[[M]], %[[N]], %[[N]]
func.func @rows(%d: tensor<?x?xf32>, %x: tensor<?x?xf32>) -> (index, index, index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %0 = transformer.softmax_grad %d, %x {dimension = 1 : i64} : tensor<?x?xf32>
  %1 = transformer.log_softmax_grad %0, %x {dimension = 1 : i64} : tensor<?x?xf32>
  %2 = transformer.activation_grad silu %1, %x : tensor<?x?xf32>
  %3 = transformer.sum %2 {dimensions = array<i64: 0>} : tensor<?x?xf32> -> tensor<?xf32>
  %m = tensor.dim %2, %c0 : tensor<?x?xf32>
  %n = tensor.dim %2, %c1 : tensor<?x?xf32>
  %s = tensor.dim %3, %c0 : tensor<?xf32>
  return %m, %n, %s : index, index, index
}

// CHECK-LABEL: @selection
// CHECK-SAME: %[[D:.*]]: tensor<?x?xf32>, %[[X:.*]]: tensor<?x?xf32>
// CHECK-DAG: %[[M:.*]] = tensor.dim %[[X]], %c0
// CHECK-DAG: %[[N:.*]] = tensor.dim %[[X]], %c1
// CHECK-NOT: transformer.
// CHECK: return %[[M]], %[[N]], %[[N]], %[[M]]
func.func @selection(%d: tensor<?x?xf32>, %x: tensor<?x?xf32>, %i: tensor<?x?xi32>, %l: tensor<f32>, %t: tensor<?xi32>)
    -> (index, index, index, index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %0 = transformer.top_k_grad %d, %i, %x : (tensor<?x?xf32>, tensor<?x?xi32>, tensor<?x?xf32>) -> tensor<?x?xf32>
  %1 = transformer.moe_route_grad softmax %d, %x, %i : (tensor<?x?xf32>, tensor<?x?xf32>, tensor<?x?xi32>) -> tensor<?x?xf32>
  %2 = transformer.cross_entropy_grad sum %l, %x, %t : (tensor<f32>, tensor<?x?xf32>, tensor<?xi32>) -> tensor<?x?xf32>
  %3 = transformer.embedding_grad %d, %t, %x : (tensor<?x?xf32>, tensor<?xi32>, tensor<?x?xf32>) -> tensor<?x?xf32>
  %m = tensor.dim %0, %c0 : tensor<?x?xf32>
  %n = tensor.dim %1, %c1 : tensor<?x?xf32>
  %o = tensor.dim %2, %c1 : tensor<?x?xf32>
  %p = tensor.dim %3, %c0 : tensor<?x?xf32>
  return %m, %n, %o, %p : index, index, index, index
}
