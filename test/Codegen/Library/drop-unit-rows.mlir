// Products whose unit dimensions nothing sees.
// RUN: forge-opt %s --pass-pipeline="builtin.module(func.func(forge-drop-unit-rows))" | FileCheck %s

// CHECK-DAG: #[[X:.*]] = affine_map<(d0, d1) -> (d1)>
// CHECK-DAG: #[[W:.*]] = affine_map<(d0, d1) -> (d1, d0)>
// CHECK-DAG: #[[O:.*]] = affine_map<(d0, d1) -> (d0)>

// CHECK-LABEL: @row(
// CHECK-DAG: %[[X1:.*]] = tensor.collapse_shape %arg0 {{\[\[}}0, 1]] : tensor<1x64xf32> into tensor<64xf32>
// CHECK-DAG: %[[EMPTY:.*]] = tensor.collapse_shape %arg2 {{\[\[}}0, 1]] : tensor<1x32xf32> into tensor<32xf32>
// CHECK: %[[FILL:.*]] = linalg.fill ins(%{{.*}}) outs(%[[EMPTY]] : tensor<32xf32>)
// CHECK: %[[SUM:.*]] = linalg.generic {indexing_maps = [#[[X]], #[[W]], #[[O]]], iterator_types = ["parallel", "reduction"]} ins(%[[X1]], %arg1 : tensor<64xf32>, tensor<64x32xf32>) outs(%[[FILL]] : tensor<32xf32>)
// CHECK: return %[[SUM]]
func.func @row(%x: tensor<1x64xf32>, %w: tensor<64x32xf32>, %o: tensor<1x32xf32>) -> tensor<32xf32> {
  %zero = arith.constant 0.0 : f32
  %z = linalg.fill ins(%zero : f32) outs(%o : tensor<1x32xf32>) -> tensor<1x32xf32>
  %0 = linalg.matmul ins(%x, %w : tensor<1x64xf32>, tensor<64x32xf32>) outs(%z : tensor<1x32xf32>) -> tensor<1x32xf32>
  %1 = tensor.collapse_shape %0 [[0, 1]] : tensor<1x32xf32> into tensor<32xf32>
  return %1 : tensor<32xf32>
}

// The batch of one and the row of one; the sums that it goes on with lose them too.
// CHECK-LABEL: @batch_and_row(
// CHECK-DAG: tensor.collapse_shape %arg0 {{\[\[}}0, 1, 2]] : tensor<1x1x64xf32> into tensor<64xf32>
// CHECK-DAG: tensor.collapse_shape %arg1 {{\[\[}}0, 1], [2]] : tensor<1x64x32xf32> into tensor<64x32xf32>
// CHECK-DAG: %[[OLD:.*]] = tensor.collapse_shape %arg2 {{\[\[}}0, 1, 2]] : tensor<1x1x32xf32> into tensor<32xf32>
// CHECK: linalg.generic {{.*}} outs(%[[OLD]] : tensor<32xf32>)
func.func @batch_and_row(%x: tensor<1x1x64xf32>, %w: tensor<1x64x32xf32>, %o: tensor<1x1x32xf32>) -> tensor<32xf32> {
  %0 = linalg.batch_matmul ins(%x, %w : tensor<1x1x64xf32>, tensor<1x64x32xf32>) outs(%o : tensor<1x1x32xf32>) -> tensor<1x1x32xf32>
  %1 = tensor.collapse_shape %0 [[0, 1, 2]] : tensor<1x1x32xf32> into tensor<32xf32>
  return %1 : tensor<32xf32>
}

// CHECK-LABEL: @dot(
// CHECK: linalg.generic {{.*}} ins({{.*}} : tensor<64xf32>, tensor<64xf32>) outs({{.*}} : tensor<f32>)
func.func @dot(%x: tensor<1x64xf32>, %w: tensor<64x1xf32>, %o: tensor<1x1xf32>) -> tensor<f32> {
  %0 = linalg.matmul ins(%x, %w : tensor<1x64xf32>, tensor<64x1xf32>) outs(%o : tensor<1x1xf32>) -> tensor<1x1xf32>
  %1 = tensor.collapse_shape %0 [] : tensor<1x1xf32> into tensor<f32>
  return %1 : tensor<f32>
}

// A reshape that joins rows, a result that is used twice, and one that nothing reshapes: they stay.
// CHECK-LABEL: @stays(
// CHECK-NOT: linalg.generic
// CHECK-COUNT-3: linalg.matmul
func.func @stays(%x: tensor<4x64xf32>, %y: tensor<1x64xf32>, %w: tensor<64x32xf32>, %o: tensor<4x32xf32>, %p: tensor<1x32xf32>) -> (tensor<128xf32>, tensor<32xf32>, tensor<1x32xf32>, tensor<1x32xf32>) {
  %0 = linalg.matmul ins(%x, %w : tensor<4x64xf32>, tensor<64x32xf32>) outs(%o : tensor<4x32xf32>) -> tensor<4x32xf32>
  %1 = tensor.collapse_shape %0 [[0, 1]] : tensor<4x32xf32> into tensor<128xf32>
  %2 = linalg.matmul ins(%y, %w : tensor<1x64xf32>, tensor<64x32xf32>) outs(%p : tensor<1x32xf32>) -> tensor<1x32xf32>
  %3 = tensor.collapse_shape %2 [[0, 1]] : tensor<1x32xf32> into tensor<32xf32>
  %4 = linalg.matmul ins(%y, %w : tensor<1x64xf32>, tensor<64x32xf32>) outs(%2 : tensor<1x32xf32>) -> tensor<1x32xf32>
  return %1, %3, %2, %4 : tensor<128xf32>, tensor<32xf32>, tensor<1x32xf32>, tensor<1x32xf32>
}

// One reshape is both operands.
// CHECK-LABEL: @square(
// CHECK-NOT: tensor.expand_shape
// CHECK: linalg.generic {{.*}} ins(%arg0, %arg0 : tensor<64xf32>, tensor<64xf32>)
func.func @square(%x: tensor<64xf32>, %o: tensor<1x1xf32>) -> tensor<f32> {
  %row = tensor.expand_shape %x [[0, 1]] output_shape [1, 64] : tensor<64xf32> into tensor<1x64xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%row, %row : tensor<1x64xf32>, tensor<1x64xf32>) outs(%o : tensor<1x1xf32>) {
  ^bb0(%a: f32, %b: f32, %sum: f32):
    %p = arith.mulf %a, %b : f32
    %s = arith.addf %sum, %p : f32
    linalg.yield %s : f32
  } -> tensor<1x1xf32>
  %1 = tensor.collapse_shape %0 [] : tensor<1x1xf32> into tensor<f32>
  return %1 : tensor<f32>
}
