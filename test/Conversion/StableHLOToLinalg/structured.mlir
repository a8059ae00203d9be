// RUN: forge-opt %s --convert-stablehlo-to-linalg --canonicalize --split-input-file | FileCheck %s

// CHECK-LABEL: func.func @matmul
// CHECK: linalg.matmul ins(%{{.*}}, %{{.*}} : tensor<4x8xbf16>, tensor<8x3xbf16>) outs(%{{.*}} : tensor<4x3xf32>)
// CHECK: arith.truncf %{{.*}} : f32 to bf16
func.func @matmul(%a: tensor<4x8xbf16>, %b: tensor<8x3xbf16>) -> tensor<4x3xbf16> {
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<4x8xbf16>, tensor<8x3xbf16>) -> tensor<4x3xbf16>
  return %0 : tensor<4x3xbf16>
}

// -----

// CHECK-LABEL: func.func @batch_matmul
// CHECK: linalg.batch_matmul
func.func @batch_matmul(%a: tensor<2x4x8xf32>, %b: tensor<2x8x3xf32>) -> tensor<2x4x3xf32> {
  %0 = stablehlo.dot_general %a, %b, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<2x4x8xf32>, tensor<2x8x3xf32>) -> tensor<2x4x3xf32>
  return %0 : tensor<2x4x3xf32>
}

// -----

// Other dimension numbers: loops are batch, rows, columns, contracted.
// CHECK-DAG: #[[LHS:.*]] = affine_map<(d0, d1, d2, d3) -> (d0, d1, d3)>
// CHECK-DAG: #[[RHS:.*]] = affine_map<(d0, d1, d2, d3) -> (d0, d2, d3)>
// CHECK-DAG: #[[OUT:.*]] = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
// CHECK-LABEL: func.func @transposed_rhs
// CHECK: linalg.generic {indexing_maps = [#[[LHS]], #[[RHS]], #[[OUT]]], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
// CHECK: arith.mulf {{.*}} fastmath<reassoc,contract>
// CHECK: arith.addf {{.*}} fastmath<reassoc,contract>
func.func @transposed_rhs(%a: tensor<2x4x8xf32>, %b: tensor<2x3x8xf32>) -> tensor<2x4x3xf32> {
  %0 = stablehlo.dot_general %a, %b, batching_dims = [0] x [0], contracting_dims = [2] x [2] : (tensor<2x4x8xf32>, tensor<2x3x8xf32>) -> tensor<2x4x3xf32>
  return %0 : tensor<2x4x3xf32>
}

// -----

// Unsigned operands are widened as such.
// CHECK-LABEL: func.func @dot_ui8
// CHECK: arith.extui
// CHECK: arith.muli
func.func @dot_ui8(%a: tensor<4xui8>, %b: tensor<4xui8>) -> tensor<ui32> {
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [0] x [0] : (tensor<4xui8>, tensor<4xui8>) -> tensor<ui32>
  return %0 : tensor<ui32>
}

// Bytes of two signs: each is extended by its own.
// CHECK-LABEL: @dot_of_mixed_bytes
// CHECK: ^bb0(%[[X:.*]]: i8, %[[Y:.*]]: i8, %[[ACC:.*]]: i32):
// CHECK-DAG: %[[A:.*]] = arith.extsi %[[X]] : i8 to i32
// CHECK-DAG: %[[B:.*]] = arith.extui %[[Y]] : i8 to i32
// CHECK: %[[P:.*]] = arith.muli %[[A]], %[[B]] : i32
// CHECK: arith.addi %[[ACC]], %[[P]] : i32
func.func @dot_of_mixed_bytes(%a: tensor<2x3xi8>, %b: tensor<3x4xui8>) -> tensor<2x4xi32> {
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<2x3xi8>, tensor<3x4xui8>) -> tensor<2x4xi32>
  return %0 : tensor<2x4xi32>
}

// -----

// A sum may be taken in any order; one of bf16 is taken in f32.
// CHECK-LABEL: func.func @reduce_add_bf16
// CHECK: linalg.generic {{.*}} iterator_types = ["parallel", "reduction"]} ins(%{{.*}} : tensor<4x8xbf16>) outs(%{{.*}} : tensor<4xf32>)
// CHECK: arith.addf {{.*}} fastmath<reassoc> : f32
// CHECK: arith.truncf
func.func @reduce_add_bf16(%a: tensor<4x8xbf16>) -> tensor<4xbf16> {
  %z = stablehlo.constant dense<0.0> : tensor<bf16>
  %0 = stablehlo.reduce(%a init: %z) applies stablehlo.add across dimensions = [1] : (tensor<4x8xbf16>, tensor<bf16>) -> tensor<4xbf16>
  return %0 : tensor<4xbf16>
}

// -----

// Any body, several operands.
// CHECK-LABEL: func.func @argmax
// CHECK: linalg.generic {{.*}} ins(%{{.*}}, %{{.*}} : tensor<8xf32>, tensor<8xi32>)
// CHECK: arith.cmpf ogt
// CHECK: arith.select
// CHECK: arith.select
// CHECK: linalg.yield %{{.*}}, %{{.*}} : f32, i32
func.func @argmax(%a: tensor<8xf32>, %i: tensor<8xi32>) -> (tensor<f32>, tensor<i32>) {
  %z = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %c = stablehlo.constant dense<0> : tensor<i32>
  %0:2 = stablehlo.reduce(%a init: %z), (%i init: %c) across dimensions = [0] : (tensor<8xf32>, tensor<8xi32>, tensor<f32>, tensor<i32>) -> (tensor<f32>, tensor<i32>)
   reducer(%x: tensor<f32>, %y: tensor<f32>) (%p: tensor<i32>, %q: tensor<i32>) {
    %g = stablehlo.compare GT, %x, %y, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %v = stablehlo.select %g, %x, %y : tensor<i1>, tensor<f32>
    %w = stablehlo.select %g, %p, %q : tensor<i1>, tensor<i32>
    stablehlo.return %v, %w : tensor<f32>, tensor<i32>
  }
  return %0#0, %0#1 : tensor<f32>, tensor<i32>
}

// -----

// Rows of a table: the start index is clamped.
// CHECK-LABEL: func.func @gather
// CHECK-SAME: %[[TABLE:.*]]: tensor<10x4xf32>
// CHECK: linalg.generic
// CHECK: %[[ROW:.*]] = arith.minsi %{{.*}}, %c9
// CHECK: tensor.extract %[[TABLE]][%[[ROW]], %{{.*}}]
func.func @gather(%table: tensor<10x4xf32>, %ids: tensor<3x1xi32>) -> tensor<3x4xf32> {
  %0 = "stablehlo.gather"(%table, %ids) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 4>}> : (tensor<10x4xf32>, tensor<3x1xi32>) -> tensor<3x4xf32>
  return %0 : tensor<3x4xf32>
}

// -----

// Loop counters are scalars; the loop carries no rank-0 tensor.
// CHECK-LABEL: func.func @while
// CHECK: scf.while (%{{.*}} = %{{.*}}, %{{.*}} = %{{.*}}) : (i32, tensor<16xf32>) -> (i32, tensor<16xf32>)
// CHECK: arith.cmpi slt
// CHECK: scf.condition
// CHECK: tensor.insert_slice
// CHECK: scf.yield %{{.*}}, %{{.*}} : i32, tensor<16xf32>
func.func @while(%a: tensor<16xf32>, %u: tensor<1xf32>, %n: tensor<i32>) -> tensor<16xf32> {
  %c0 = stablehlo.constant dense<0> : tensor<i32>
  %c1 = stablehlo.constant dense<1> : tensor<i32>
  %0:2 = stablehlo.while(%i = %c0, %x = %a) : tensor<i32>, tensor<16xf32>
   cond {
    %p = stablehlo.compare LT, %i, %n, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  } do {
    %y = stablehlo.dynamic_update_slice %x, %u, %i : (tensor<16xf32>, tensor<1xf32>, tensor<i32>) -> tensor<16xf32>
    %j = stablehlo.add %i, %c1 : tensor<i32>
    stablehlo.return %j, %y : tensor<i32>, tensor<16xf32>
  }
  return %0#1 : tensor<16xf32>
}

// -----

// An index out of range takes the last branch.
// CHECK-LABEL: func.func @case
// CHECK: scf.index_switch
// CHECK: case 0
// CHECK: default
func.func @case(%i: tensor<i32>, %a: tensor<4xui8>, %b: tensor<4xui8>) -> tensor<4xui8> {
  %0 = "stablehlo.case"(%i) ({
    %1 = stablehlo.add %a, %b : tensor<4xui8>
    stablehlo.return %1 : tensor<4xui8>
  }, {
    stablehlo.return %b : tensor<4xui8>
  }) : (tensor<i32>) -> tensor<4xui8>
  return %0 : tensor<4xui8>
}
