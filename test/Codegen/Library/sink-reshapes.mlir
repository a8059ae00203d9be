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

// -----

// Other operands are reshaped: a residual as a whole, a bias by the dimensions it has.
// CHECK-LABEL: func.func @linear(
// CHECK-SAME: %[[X:.*]]: tensor<6x8xf32>, %[[W:.*]]: tensor<8x8xf32>, %[[Z:.*]]: tensor<6x8xf32>, %[[RESIDUAL:.*]]: tensor<2x3x8xf32>, %[[BIAS:.*]]: tensor<8xf32>)
// CHECK: %[[SUMS:.*]] = linalg.matmul
// CHECK: %[[ROWS:.*]] = tensor.collapse_shape %[[RESIDUAL]] {{\[\[}}0, 1], [2]] : tensor<2x3x8xf32> into tensor<6x8xf32>
// CHECK: %[[SUM:.*]] = linalg.generic {indexing_maps = [#[[ID:.*]], #[[ID]], #[[COLUMN:.*]], #[[ID]]], {{.*}} ins(%[[SUMS]], %[[ROWS]], %[[BIAS]] : tensor<6x8xf32>, tensor<6x8xf32>, tensor<8xf32>) outs(%{{.*}} : tensor<6x8xf32>)
// CHECK: %[[RESULT:.*]] = tensor.expand_shape %[[SUM]] {{\[\[}}0, 1], [2]] output_shape [2, 3, 8]
// CHECK: return %[[RESULT]]
#id = affine_map<(a, b, c) -> (a, b, c)>
#column = affine_map<(a, b, c) -> (c)>
func.func @linear(%x: tensor<6x8xf32>, %w: tensor<8x8xf32>, %z: tensor<6x8xf32>, %residual: tensor<2x3x8xf32>, %bias: tensor<8xf32>) -> tensor<2x3x8xf32> {
  %sums = linalg.matmul ins(%x, %w : tensor<6x8xf32>, tensor<8x8xf32>) outs(%z : tensor<6x8xf32>) -> tensor<6x8xf32>
  %rows = tensor.expand_shape %sums [[0, 1], [2]] output_shape [2, 3, 8] : tensor<6x8xf32> into tensor<2x3x8xf32>
  %e = tensor.empty() : tensor<2x3x8xf32>
  %r = linalg.generic {indexing_maps = [#id, #id, #column, #id], iterator_types = ["parallel", "parallel", "parallel"]} ins(%rows, %residual, %bias : tensor<2x3x8xf32>, tensor<2x3x8xf32>, tensor<8xf32>) outs(%e : tensor<2x3x8xf32>) {
  ^bb0(%s: f32, %a: f32, %b: f32, %o: f32):
    %0 = arith.addf %s, %b : f32
    %1 = arith.addf %0, %a : f32
    linalg.yield %1 : f32
  } -> tensor<2x3x8xf32>
  return %r : tensor<2x3x8xf32>
}

// -----

// The other way about: what a collapsed result is computed with is divided.
// CHECK-LABEL: func.func @batched(
// CHECK: %[[SUMS:.*]] = linalg.batch_matmul
// CHECK: %[[ROWS:.*]] = tensor.expand_shape %{{.*}} {{\[\[}}0, 1]] output_shape [2, 3] : tensor<6xf32> into tensor<2x3xf32>
// CHECK: linalg.generic {{.*}} ins(%[[SUMS]], %[[ROWS]] : tensor<2x3x8xf32>, tensor<2x3xf32>)
// CHECK: tensor.collapse_shape {{.*}} : tensor<2x3x8xf32> into tensor<6x8xf32>
#id = affine_map<(a, b) -> (a, b)>
#row = affine_map<(a, b) -> (a)>
func.func @batched(%x: tensor<2x3x4xf32>, %w: tensor<2x4x8xf32>, %z: tensor<2x3x8xf32>, %scale: tensor<6xf32>) -> tensor<6x8xf32> {
  %sums = linalg.batch_matmul ins(%x, %w : tensor<2x3x4xf32>, tensor<2x4x8xf32>) outs(%z : tensor<2x3x8xf32>) -> tensor<2x3x8xf32>
  %rows = tensor.collapse_shape %sums [[0, 1], [2]] : tensor<2x3x8xf32> into tensor<6x8xf32>
  %e = tensor.empty() : tensor<6x8xf32>
  %r = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]} ins(%rows, %scale : tensor<6x8xf32>, tensor<6xf32>) outs(%e : tensor<6x8xf32>) {
  ^bb0(%s: f32, %a: f32, %o: f32):
    %0 = arith.mulf %s, %a : f32
    linalg.yield %0 : f32
  } -> tensor<6x8xf32>
  return %r : tensor<6x8xf32>
}

// -----

// An operand with a part of a divided dimension, and what a row's reduction may join, stay.
// CHECK-LABEL: func.func @part(
// CHECK: linalg.generic {{.*}} ins(%{{.*}}, %{{.*}} : tensor<4x4x2xf32>, tensor<4xf32>)
// CHECK-LABEL: func.func @before_reduction(
// CHECK: linalg.generic {{.*}} ins(%{{.*}} : tensor<4x4x2xf32>)
#id = affine_map<(a, b, c) -> (a, b, c)>
#head = affine_map<(a, b, c) -> (b)>
#rows = affine_map<(a, b, c) -> (a, b)>
func.func @part(%x: tensor<4x8xf32>, %w: tensor<8x8xf32>, %z: tensor<4x8xf32>, %scale: tensor<4xf32>) -> tensor<4x4x2xf32> {
  %sums = linalg.matmul ins(%x, %w : tensor<4x8xf32>, tensor<8x8xf32>) outs(%z : tensor<4x8xf32>) -> tensor<4x8xf32>
  %heads = tensor.expand_shape %sums [[0], [1, 2]] output_shape [4, 4, 2] : tensor<4x8xf32> into tensor<4x4x2xf32>
  %e = tensor.empty() : tensor<4x4x2xf32>
  %r = linalg.generic {indexing_maps = [#id, #head, #id], iterator_types = ["parallel", "parallel", "parallel"]} ins(%heads, %scale : tensor<4x4x2xf32>, tensor<4xf32>) outs(%e : tensor<4x4x2xf32>) {
  ^bb0(%s: f32, %a: f32, %o: f32):
    %0 = arith.mulf %s, %a : f32
    linalg.yield %0 : f32
  } -> tensor<4x4x2xf32>
  return %r : tensor<4x4x2xf32>
}
func.func @before_reduction(%x: tensor<4x8xf32>, %w: tensor<8x8xf32>, %z: tensor<4x8xf32>, %zeros: tensor<4x4xf32>) -> (tensor<4x4x2xf32>, tensor<4x4xf32>) {
  %sums = linalg.matmul ins(%x, %w : tensor<4x8xf32>, tensor<8x8xf32>) outs(%z : tensor<4x8xf32>) -> tensor<4x8xf32>
  %heads = tensor.expand_shape %sums [[0], [1, 2]] output_shape [4, 4, 2] : tensor<4x8xf32> into tensor<4x4x2xf32>
  %e = tensor.empty() : tensor<4x4x2xf32>
  %r = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel"]} ins(%heads : tensor<4x4x2xf32>) outs(%e : tensor<4x4x2xf32>) {
  ^bb0(%s: f32, %o: f32):
    %0 = arith.negf %s : f32
    linalg.yield %0 : f32
  } -> tensor<4x4x2xf32>
  %n = linalg.generic {indexing_maps = [#id, #rows], iterator_types = ["parallel", "parallel", "reduction"]} ins(%r : tensor<4x4x2xf32>) outs(%zeros : tensor<4x4xf32>) {
  ^bb0(%s: f32, %o: f32):
    %0 = arith.addf %s, %o : f32
    linalg.yield %0 : f32
  } -> tensor<4x4xf32>
  return %r, %n : tensor<4x4x2xf32>, tensor<4x4xf32>
}

// -----

// What reads narrow results, though a reduction, does not keep them.
// CHECK-LABEL: func.func @narrow_before_reduction(
// CHECK: linalg.generic {{.*}} ins(%{{.*}} : tensor<4x8xf32>) outs(%{{.*}} : tensor<4x8xbf16>)
// CHECK: tensor.expand_shape {{.*}} : tensor<4x8xbf16> into tensor<4x4x2xbf16>
#id = affine_map<(a, b, c) -> (a, b, c)>
#rows = affine_map<(a, b, c) -> (a, b)>
func.func @narrow_before_reduction(%x: tensor<4x8xf32>, %w: tensor<8x8xf32>, %z: tensor<4x8xf32>, %zeros: tensor<4x4xbf16>) -> (tensor<4x4x2xbf16>, tensor<4x4xbf16>) {
  %sums = linalg.matmul ins(%x, %w : tensor<4x8xf32>, tensor<8x8xf32>) outs(%z : tensor<4x8xf32>) -> tensor<4x8xf32>
  %heads = tensor.expand_shape %sums [[0], [1, 2]] output_shape [4, 4, 2] : tensor<4x8xf32> into tensor<4x4x2xf32>
  %e = tensor.empty() : tensor<4x4x2xbf16>
  %r = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel"]} ins(%heads : tensor<4x4x2xf32>) outs(%e : tensor<4x4x2xbf16>) {
  ^bb0(%s: f32, %o: bf16):
    %0 = arith.truncf %s : f32 to bf16
    linalg.yield %0 : bf16
  } -> tensor<4x4x2xbf16>
  %n = linalg.generic {indexing_maps = [#id, #rows], iterator_types = ["parallel", "parallel", "reduction"]} ins(%r : tensor<4x4x2xbf16>) outs(%zeros : tensor<4x4xbf16>) {
  ^bb0(%s: bf16, %o: bf16):
    %0 = arith.maximumf %s, %o : bf16
    linalg.yield %0 : bf16
  } -> tensor<4x4xbf16>
  return %r, %n : tensor<4x4x2xbf16>, tensor<4x4xbf16>
}

// -----

// Of two products one is reshaped: what joins both stands by the other, whose shape it has (a shortcut of ResNet, by a kernel of one place).
// CHECK-LABEL: func.func @two_products(
// CHECK: tensor.expand_shape {{.*}} : tensor<16x8xf32> into tensor<4x4x8xf32>
// CHECK: linalg.generic {{.*}} outs(%{{.*}} : tensor<4x4x8xf32>) {
// CHECK: arith.addf
// CHECK: return {{.*}} : tensor<4x4x8xf32>
#id = affine_map<(a, b, c) -> (a, b, c)>
func.func @two_products(%x: tensor<16x8xf32>, %w: tensor<8x8xf32>, %z: tensor<16x8xf32>, %y: tensor<4x4x8xf32>, %v: tensor<4x8x8xf32>, %zero: tensor<4x4x8xf32>) -> tensor<4x4x8xf32> {
  %flat = linalg.matmul ins(%x, %w : tensor<16x8xf32>, tensor<8x8xf32>) outs(%z : tensor<16x8xf32>) -> tensor<16x8xf32>
  %rows = tensor.expand_shape %flat [[0, 1], [2]] output_shape [4, 4, 8] : tensor<16x8xf32> into tensor<4x4x8xf32>
  %other = linalg.batch_matmul ins(%y, %v : tensor<4x4x8xf32>, tensor<4x8x8xf32>) outs(%zero : tensor<4x4x8xf32>) -> tensor<4x4x8xf32>
  %e = tensor.empty() : tensor<4x4x8xf32>
  %r = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel", "parallel"]} ins(%rows, %other : tensor<4x4x8xf32>, tensor<4x4x8xf32>) outs(%e : tensor<4x4x8xf32>) {
  ^bb0(%s: f32, %t: f32, %o: f32):
    %0 = arith.addf %s, %t : f32
    linalg.yield %0 : f32
  } -> tensor<4x4x8xf32>
  return %r : tensor<4x4x8xf32>
}
