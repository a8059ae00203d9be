// Sizes of results come from operands, so that nothing has to be computed to know them.
// RUN: forge-opt %s --resolve-ranked-shaped-type-result-dims --canonicalize | FileCheck %s

// CHECK-LABEL: @matmul
// CHECK-SAME: (%[[X:.*]]: tensor<?x?x?xf32>, %[[W:.*]]: tensor<?x?xf32>)
// CHECK-DAG: %[[C0:.*]] = arith.constant 0 : index
// CHECK-DAG: %[[C2:.*]] = arith.constant 2 : index
// CHECK-DAG: %[[B:.*]] = tensor.dim %[[X]], %[[C0]]
// CHECK-DAG: %[[M:.*]] = tensor.dim %[[X]], %[[C2]]
// CHECK-DAG: %[[N:.*]] = tensor.dim %[[W]], %[[C0]]
// CHECK-NOT: transformer.
// CHECK: return %[[B]], %[[M]], %[[N]]
func.func @matmul(%x: tensor<?x?x?xf32>, %w: tensor<?x?xf32>) -> (index, index, index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %0 = transformer.matmul %x, %w {transpose_lhs, transpose_rhs} : (tensor<?x?x?xf32>, tensor<?x?xf32>) -> tensor<?x?x?xf32>
  %b = tensor.dim %0, %c0 : tensor<?x?x?xf32>
  %m = tensor.dim %0, %c1 : tensor<?x?x?xf32>
  %n = tensor.dim %0, %c2 : tensor<?x?x?xf32>
  return %b, %m, %n : index, index, index
}

// CHECK-LABEL: @blocks
// CHECK-SAME: (%[[X:.*]]: tensor<?x?x16xf32>, %[[U:.*]]: tensor<?x16xf32>, %[[D:.*]]: tensor<?x?xf32>, %[[Q:.*]]: tensor<?x?xi8>,
// CHECK-DAG: %[[C0:.*]] = arith.constant 0 : index
// CHECK-DAG: %[[S:.*]] = tensor.dim %[[X]], %{{.*}}
// CHECK-DAG: %[[O:.*]] = tensor.dim %[[D]], %[[C0]]
// CHECK-DAG: %[[N:.*]] = tensor.dim %[[Q]], %[[C0]]
// CHECK-NOT: transformer.
// CHECK: return %[[S]], %[[O]], %[[N]]
func.func @blocks(%x: tensor<?x?x16xf32>, %u: tensor<?x16xf32>, %d: tensor<?x?xf32>, %q: tensor<?x?xi8>, %s: tensor<f32>)
    -> (index, index, index) {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %0 = transformer.gated_mlp %x gate %u up %u down %d {activation = #transformer.activation<silu>, transpose_weights}
      : (tensor<?x?x16xf32>, tensor<?x16xf32>, tensor<?x16xf32>, tensor<?x?xf32>) -> tensor<?x?x?xf32>
  %1 = transformer.linear %0, %q scale %s : (tensor<?x?x?xf32>, tensor<?x?xi8>, tensor<f32>) -> tensor<?x?x?xf32>
  %a = tensor.dim %1, %c1 : tensor<?x?x?xf32>
  %b = tensor.dim %0, %c2 : tensor<?x?x?xf32>
  %c = tensor.dim %1, %c2 : tensor<?x?x?xf32>
  return %a, %b, %c : index, index, index
}

// CHECK-LABEL: @groups_and_rows
// CHECK-SAME: (%[[X:.*]]: tensor<?x16xf32>, %[[W:.*]]: tensor<4x16x?xf32>,
// CHECK-DAG: %[[T:.*]] = tensor.dim %[[X]], %{{.*}}
// CHECK-DAG: %[[N:.*]] = tensor.dim %[[W]], %{{.*}}
// CHECK-NOT: transformer.
// CHECK: return %[[T]], %[[N]]
func.func @groups_and_rows(%x: tensor<?x16xf32>, %w: tensor<4x16x?xf32>, %g: tensor<4xi32>, %s: tensor<f32>) -> (index, index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %0 = transformer.grouped_matmul %x, %w groups %g : (tensor<?x16xf32>, tensor<4x16x?xf32>, tensor<4xi32>) -> tensor<?x?xf32>
  %1 = transformer.log_softmax %0 {dimension = 1 : i64} : tensor<?x?xf32>
  %2 = transformer.quantize %1 scale %s : (tensor<?x?xf32>, tensor<f32>) -> tensor<?x?xi8>
  %3 = transformer.dequantize %2 scale %s : (tensor<?x?xi8>, tensor<f32>) -> tensor<?x?xf32>
  %t = tensor.dim %3, %c0 : tensor<?x?xf32>
  %n = tensor.dim %3, %c1 : tensor<?x?xf32>
  return %t, %n : index, index
}

// CHECK-LABEL: @elementwise
// CHECK-SAME: (%[[X:.*]]: tensor<?x?xf32>, %[[T:.*]]: tensor<?x?xf32>, %[[I:.*]]: tensor<?xi32>)
// CHECK-DAG: %[[M:.*]] = tensor.dim %[[X]], %c0
// CHECK-DAG: %[[S:.*]] = tensor.dim %[[I]], %c0
// CHECK-DAG: %[[D:.*]] = tensor.dim %[[T]], %c1
// CHECK-NOT: transformer.
// CHECK: return %[[M]], %[[S]], %[[D]]
func.func @elementwise(%x: tensor<?x?xf32>, %t: tensor<?x?xf32>, %i: tensor<?xi32>) -> (index, index, index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %0 = transformer.add %x, %x : tensor<?x?xf32>
  %1 = transformer.multiply %0, %x : tensor<?x?xf32>
  %2 = transformer.activation relu %1 : tensor<?x?xf32>
  %3 = transformer.layer_norm %2 {epsilon = 1.0e-05 : f32} : (tensor<?x?xf32>) -> tensor<?x?xf32>
  %4 = transformer.rms_norm %3 {epsilon = 1.0e-05 : f32} : (tensor<?x?xf32>) -> tensor<?x?xf32>
  %5 = transformer.softmax %4 {dimension = 0 : i64} : tensor<?x?xf32>
  %6 = transformer.embedding %t, %i : (tensor<?x?xf32>, tensor<?xi32>) -> tensor<?x?xf32>
  %m = tensor.dim %5, %c0 : tensor<?x?xf32>
  %s = tensor.dim %6, %c0 : tensor<?x?xf32>
  %d = tensor.dim %6, %c1 : tensor<?x?xf32>
  return %m, %s, %d : index, index, index
}

// CHECK-LABEL: @mlp
// CHECK-SAME: (%[[X:.*]]: tensor<?x?xf32>, %[[U:.*]]: tensor<?x?xf32>, %[[D:.*]]: tensor<?x?xf32>)
// CHECK-DAG: %[[M:.*]] = tensor.dim %[[X]], %c0
// CHECK-DAG: %[[O:.*]] = tensor.dim %[[D]], %c1
// CHECK-NOT: transformer.
// CHECK: return %[[M]], %[[O]]
func.func @mlp(%x: tensor<?x?xf32>, %u: tensor<?x?xf32>, %d: tensor<?x?xf32>) -> (index, index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %0 = transformer.mlp %x up %u down %d {activation = #transformer.activation<relu>}
      : (tensor<?x?xf32>, tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
  %m = tensor.dim %0, %c0 : tensor<?x?xf32>
  %o = tensor.dim %0, %c1 : tensor<?x?xf32>
  return %m, %o : index, index
}

// CHECK-LABEL: @quantized_rows
// CHECK-SAME: (%[[X:.*]]: tensor<?x?x?xbf16>)
// CHECK-DAG: %[[B:.*]] = tensor.dim %[[X]], %c0
// CHECK-DAG: %[[M:.*]] = tensor.dim %[[X]], %c1
// CHECK-DAG: %[[K:.*]] = tensor.dim %[[X]], %c2
// CHECK-NOT: transformer.
// CHECK: return %[[B]], %[[M]], %[[K]]
func.func @quantized_rows(%x: tensor<?x?x?xbf16>) -> (index, index, index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %q, %s = transformer.quantize_rows %x : (tensor<?x?x?xbf16>) -> (tensor<?x?x?xf8E4M3FN>, tensor<?x?xf32>)
  %b = tensor.dim %s, %c0 : tensor<?x?xf32>
  %m = tensor.dim %s, %c1 : tensor<?x?xf32>
  %k = tensor.dim %q, %c2 : tensor<?x?x?xf8E4M3FN>
  return %b, %m, %k : index, index, index
}
