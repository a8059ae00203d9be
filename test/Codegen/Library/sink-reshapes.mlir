// RUN: forge-opt %s --split-input-file --forge-sink-reshapes | FileCheck %s

// Behind two reshapes: both are done after the rounding.
// CHECK-LABEL: func.func @heads(
// CHECK: %[[SUMS:.*]] = linalg.matmul
// CHECK: %[[NARROW:.*]] = linalg.generic {{.*}} ins(%[[SUMS]] : tensor<4x1024xf32>) outs(%{{.*}} : tensor<4x1024xbf16>)
// CHECK: arith.truncf
// CHECK: %[[HEADS:.*]] = tensor.expand_shape %[[NARROW]] {{.*}} : tensor<4x1024xbf16> into tensor<4x1x16x64xbf16>
// CHECK: %[[RESULT:.*]] = tensor.collapse_shape %[[HEADS]] {{.*}} : tensor<4x1x16x64xbf16> into tensor<4x16x64xbf16>
// CHECK: return %[[RESULT]]
#id = affine_map<(a, b, c) -> (a, b, c)>
func.func @heads(%x: tensor<4x1024xbf16>, %w: tensor<1024x1024xbf16>, %z: tensor<4x1024xf32>) -> tensor<4x16x64xbf16> {
  %sums = linalg.matmul ins(%x, %w : tensor<4x1024xbf16>, tensor<1024x1024xbf16>) outs(%z : tensor<4x1024xf32>) -> tensor<4x1024xf32>
  %wide = tensor.expand_shape %sums [[0, 1], [2, 3]] output_shape [4, 1, 16, 64] : tensor<4x1024xf32> into tensor<4x1x16x64xf32>
  %heads = tensor.collapse_shape %wide [[0, 1], [2], [3]] : tensor<4x1x16x64xf32> into tensor<4x16x64xf32>
  %e = tensor.empty() : tensor<4x16x64xbf16>
  %narrow = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel"]} ins(%heads : tensor<4x16x64xf32>) outs(%e : tensor<4x16x64xbf16>) {
  ^bb0(%s: f32, %o: bf16):
    %0 = arith.truncf %s : f32 to bf16
    linalg.yield %0 : bf16
  } -> tensor<4x16x64xbf16>
  return %narrow : tensor<4x16x64xbf16>
}

// -----

// What sees the place of an element, what is transposed, sums that something else reads too, and what is no product stay.
// CHECK-LABEL: func.func @place(
// CHECK: linalg.generic {{.*}} ins(%{{.*}} : tensor<4x4x2xf32>)
// CHECK-LABEL: func.func @transposed(
// CHECK: linalg.generic {{.*}} ins(%{{.*}} : tensor<4x4x2xf32>)
// CHECK-LABEL: func.func @used(
// CHECK: linalg.generic {{.*}} ins(%{{.*}} : tensor<4x4x2xf32>)
// CHECK-LABEL: func.func @no_product(
// CHECK: linalg.generic {{.*}} ins(%{{.*}} : tensor<4x4x2xf32>)
#id = affine_map<(a, b, c) -> (a, b, c)>
#t = affine_map<(a, b, c) -> (b, a, c)>
func.func @place(%x: tensor<4x8xf32>, %w: tensor<8x8xf32>, %z: tensor<4x8xf32>) -> tensor<4x4x2xf32> {
  %sums = linalg.matmul ins(%x, %w : tensor<4x8xf32>, tensor<8x8xf32>) outs(%z : tensor<4x8xf32>) -> tensor<4x8xf32>
  %heads = tensor.expand_shape %sums [[0], [1, 2]] output_shape [4, 4, 2] : tensor<4x8xf32> into tensor<4x4x2xf32>
  %e = tensor.empty() : tensor<4x4x2xf32>
  %r = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel"]} ins(%heads : tensor<4x4x2xf32>) outs(%e : tensor<4x4x2xf32>) {
  ^bb0(%s: f32, %o: f32):
    %i = linalg.index 2 : index
    %j = arith.index_cast %i : index to i32
    %f = arith.sitofp %j : i32 to f32
    %0 = arith.addf %s, %f : f32
    linalg.yield %0 : f32
  } -> tensor<4x4x2xf32>
  return %r : tensor<4x4x2xf32>
}
func.func @transposed(%x: tensor<4x8xf32>, %w: tensor<8x8xf32>, %z: tensor<4x8xf32>) -> tensor<4x4x2xf32> {
  %sums = linalg.matmul ins(%x, %w : tensor<4x8xf32>, tensor<8x8xf32>) outs(%z : tensor<4x8xf32>) -> tensor<4x8xf32>
  %heads = tensor.expand_shape %sums [[0], [1, 2]] output_shape [4, 4, 2] : tensor<4x8xf32> into tensor<4x4x2xf32>
  %e = tensor.empty() : tensor<4x4x2xf32>
  %r = linalg.generic {indexing_maps = [#t, #id], iterator_types = ["parallel", "parallel", "parallel"]} ins(%heads : tensor<4x4x2xf32>) outs(%e : tensor<4x4x2xf32>) {
  ^bb0(%s: f32, %o: f32):
    %0 = arith.negf %s : f32
    linalg.yield %0 : f32
  } -> tensor<4x4x2xf32>
  return %r : tensor<4x4x2xf32>
}
func.func @used(%x: tensor<4x8xf32>, %w: tensor<8x8xf32>, %z: tensor<4x8xf32>) -> (tensor<4x4x2xf32>, tensor<4x8xf32>) {
  %sums = linalg.matmul ins(%x, %w : tensor<4x8xf32>, tensor<8x8xf32>) outs(%z : tensor<4x8xf32>) -> tensor<4x8xf32>
  %heads = tensor.expand_shape %sums [[0], [1, 2]] output_shape [4, 4, 2] : tensor<4x8xf32> into tensor<4x4x2xf32>
  %e = tensor.empty() : tensor<4x4x2xf32>
  %r = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel"]} ins(%heads : tensor<4x4x2xf32>) outs(%e : tensor<4x4x2xf32>) {
  ^bb0(%s: f32, %o: f32):
    %0 = arith.negf %s : f32
    linalg.yield %0 : f32
  } -> tensor<4x4x2xf32>
  return %r, %sums : tensor<4x4x2xf32>, tensor<4x8xf32>
}
func.func @no_product(%x: tensor<4x8xf32>) -> tensor<4x4x2xf32> {
  %heads = tensor.expand_shape %x [[0], [1, 2]] output_shape [4, 4, 2] : tensor<4x8xf32> into tensor<4x4x2xf32>
  %e = tensor.empty() : tensor<4x4x2xf32>
  %r = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel"]} ins(%heads : tensor<4x4x2xf32>) outs(%e : tensor<4x4x2xf32>) {
  ^bb0(%s: f32, %o: f32):
    %0 = arith.negf %s : f32
    linalg.yield %0 : f32
  } -> tensor<4x4x2xf32>
  return %r : tensor<4x4x2xf32>
}
