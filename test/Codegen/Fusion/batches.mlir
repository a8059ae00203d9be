// RUN: forge-opt %s --split-input-file --forge-fuse-elementwise | FileCheck %s

// Batches that a product sees as one are several again, so that nothing is reshaped between it and what follows.
// CHECK-LABEL: func.func @scores(
// CHECK-SAME: %[[Q:.*]]: tensor<2x3x4x8xf32>, %[[K:.*]]: tensor<6x5x8xf32>
// CHECK: %[[HEADS:.*]] = tensor.expand_shape %[[K]] {{\[\[}}0, 1], [2], [3]] output_shape [2, 3, 5, 8]
// CHECK: %[[SCORES:.*]] = linalg.generic {{.*}}iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%[[Q]], %[[HEADS]] : tensor<2x3x4x8xf32>, tensor<2x3x5x8xf32>) outs(%{{.*}} : tensor<2x3x4x5xf32>)
// CHECK: linalg.generic {{.*}} ins(%[[SCORES]] : tensor<2x3x4x5xf32>) outs(%{{.*}} : tensor<2x3x4xf32>)
#id = affine_map<(a, b, c, d) -> (a, b, c, d)>
#row = affine_map<(a, b, c, d) -> (a, b, c)>
func.func @scores(%q: tensor<2x3x4x8xf32>, %k: tensor<6x5x8xf32>, %z: tensor<6x4x5xf32>, %low: tensor<2x3x4xf32>) -> tensor<2x3x4xf32> {
  %q3 = tensor.collapse_shape %q [[0, 1], [2], [3]] : tensor<2x3x4x8xf32> into tensor<6x4x8xf32>
  %s = linalg.generic {indexing_maps = [affine_map<(b, i, j, k) -> (b, i, k)>, affine_map<(b, i, j, k) -> (b, j, k)>, affine_map<(b, i, j, k) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%q3, %k : tensor<6x4x8xf32>, tensor<6x5x8xf32>) outs(%z : tensor<6x4x5xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %0 = arith.mulf %a, %b : f32
    %1 = arith.addf %o, %0 : f32
    linalg.yield %1 : f32
  } -> tensor<6x4x5xf32>
  %s4 = tensor.expand_shape %s [[0, 1], [2], [3]] output_shape [2, 3, 4, 5] : tensor<6x4x5xf32> into tensor<2x3x4x5xf32>
  %m = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%s4 : tensor<2x3x4x5xf32>) outs(%low : tensor<2x3x4xf32>) {
  ^bb0(%a: f32, %o: f32):
    %0 = arith.maximumf %a, %o : f32
    linalg.yield %0 : f32
  } -> tensor<2x3x4xf32>
  return %m : tensor<2x3x4xf32>
}

// -----

// Rows stay one dimension: kernels of products know them so.
// CHECK-LABEL: func.func @rows(
// CHECK: tensor.collapse_shape
// CHECK: linalg.matmul
// CHECK: tensor.expand_shape
func.func @rows(%x: tensor<2x3x8xf32>, %w: tensor<8x5xf32>, %z: tensor<6x5xf32>) -> tensor<2x3x5xf32> {
  %x2 = tensor.collapse_shape %x [[0, 1], [2]] : tensor<2x3x8xf32> into tensor<6x8xf32>
  %s = linalg.matmul ins(%x2, %w : tensor<6x8xf32>, tensor<8x5xf32>) outs(%z : tensor<6x5xf32>) -> tensor<6x5xf32>
  %r = tensor.expand_shape %s [[0, 1], [2]] output_shape [2, 3, 5] : tensor<6x5xf32> into tensor<2x3x5xf32>
  return %r : tensor<2x3x5xf32>
}
