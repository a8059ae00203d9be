// RUN: forge-opt %s --split-input-file --forge-fuse-elementwise | FileCheck %s

// What a product's kernel can round is not read wide by what that kernel cannot compute.

// Heads in another order read rounded sums.
// CHECK-LABEL: func.func @heads(
// CHECK: %[[SUMS:.*]] = linalg.matmul
// CHECK: %[[WIDE:.*]] = tensor.expand_shape %[[SUMS]]
// CHECK: %[[NARROW:.*]] = linalg.generic {{.*}} ins(%[[WIDE]] : tensor<4x2x8xf32>) outs(%{{.*}} : tensor<4x2x8xbf16>)
// CHECK: linalg.generic {{.*}} ins(%[[NARROW]] : tensor<4x2x8xbf16>) outs(%{{.*}} : tensor<2x4x8xbf16>)
#id = affine_map<(a, b) -> (a, b)>
func.func @heads(%x: tensor<4x8xbf16>, %w: tensor<8x16xbf16>, %z: tensor<4x16xf32>) -> tensor<2x4x8xbf16> {
  %sums = linalg.matmul ins(%x, %w : tensor<4x8xbf16>, tensor<8x16xbf16>) outs(%z : tensor<4x16xf32>) -> tensor<4x16xf32>
  %e = tensor.empty() : tensor<4x16xbf16>
  %narrow = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%sums : tensor<4x16xf32>) outs(%e : tensor<4x16xbf16>) {
  ^bb0(%s: f32, %o: bf16):
    %0 = arith.truncf %s : f32 to bf16
    linalg.yield %0 : bf16
  } -> tensor<4x16xbf16>
  %wide = tensor.expand_shape %narrow [[0], [1, 2]] output_shape [4, 2, 8] : tensor<4x16xbf16> into tensor<4x2x8xbf16>
  %to = tensor.empty() : tensor<2x4x8xbf16>
  %heads = linalg.transpose ins(%wide : tensor<4x2x8xbf16>) outs(%to : tensor<2x4x8xbf16>) permutation = [1, 0, 2]
  return %heads : tensor<2x4x8xbf16>
}

// -----

// Several readers that widen it again: each does it by itself.
// CHECK-LABEL: func.func @readers(
// CHECK: %[[SUMS:.*]] = linalg.matmul
// CHECK: %[[NARROW:.*]] = linalg.generic {{.*}} ins(%[[SUMS]] : tensor<4x8xf32>) outs(%{{.*}} : tensor<4x8xbf16>)
// CHECK: linalg.generic {{.*}} ins(%[[NARROW]] : tensor<4x8xbf16>) outs(%{{.*}} : tensor<4xf32>)
// CHECK: linalg.generic {{.*}} ins(%[[NARROW]], %{{.*}} : tensor<4x8xbf16>, tensor<4xf32>)
#id = affine_map<(a, b) -> (a, b)>
#row = affine_map<(a, b) -> (a)>
func.func @readers(%x: tensor<4x8xbf16>, %w: tensor<8x8xbf16>, %z: tensor<4x8xf32>, %zeros: tensor<4xf32>) -> tensor<4x8xf32> {
  %sums = linalg.matmul ins(%x, %w : tensor<4x8xbf16>, tensor<8x8xbf16>) outs(%z : tensor<4x8xf32>) -> tensor<4x8xf32>
  %e = tensor.empty() : tensor<4x8xbf16>
  %narrow = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%sums : tensor<4x8xf32>) outs(%e : tensor<4x8xbf16>) {
  ^bb0(%s: f32, %o: bf16):
    %0 = arith.truncf %s : f32 to bf16
    linalg.yield %0 : bf16
  } -> tensor<4x8xbf16>
  %f = tensor.empty() : tensor<4x8xf32>
  %wide = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%narrow : tensor<4x8xbf16>) outs(%f : tensor<4x8xf32>) {
  ^bb0(%s: bf16, %o: f32):
    %0 = arith.extf %s : bf16 to f32
    linalg.yield %0 : f32
  } -> tensor<4x8xf32>
  %n = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]} ins(%wide : tensor<4x8xf32>) outs(%zeros : tensor<4xf32>) {
  ^bb0(%s: f32, %o: f32):
    %0 = arith.addf %s, %o : f32
    linalg.yield %0 : f32
  } -> tensor<4xf32>
  %r = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]} ins(%wide, %n : tensor<4x8xf32>, tensor<4xf32>) outs(%f : tensor<4x8xf32>) {
  ^bb0(%s: f32, %m: f32, %o: f32):
    %0 = arith.divf %s, %m : f32
    linalg.yield %0 : f32
  } -> tensor<4x8xf32>
  return %r : tensor<4x8xf32>
}

// -----

// A residual is added where the product is: rounding, widening, the sum and its rounding are one.
// CHECK-LABEL: func.func @residual(
// CHECK: %[[SUMS:.*]] = linalg.matmul
// CHECK-NEXT: tensor.empty
// CHECK-NEXT: linalg.generic {{.*}} ins(%[[SUMS]], %{{.*}} : tensor<4x8xf32>, tensor<4x8xbf16>) outs(%{{.*}} : tensor<4x8xbf16>)
// CHECK-NOT: linalg.generic
// CHECK: return
#id = affine_map<(a, b) -> (a, b)>
func.func @residual(%x: tensor<4x8xbf16>, %w: tensor<8x8xbf16>, %z: tensor<4x8xf32>, %residual: tensor<4x8xbf16>) -> tensor<4x8xbf16> {
  %sums = linalg.matmul ins(%x, %w : tensor<4x8xbf16>, tensor<8x8xbf16>) outs(%z : tensor<4x8xf32>) -> tensor<4x8xf32>
  %e = tensor.empty() : tensor<4x8xbf16>
  %narrow = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%sums : tensor<4x8xf32>) outs(%e : tensor<4x8xbf16>) {
  ^bb0(%s: f32, %o: bf16):
    %0 = arith.truncf %s : f32 to bf16
    linalg.yield %0 : bf16
  } -> tensor<4x8xbf16>
  %f = tensor.empty() : tensor<4x8xf32>
  %wide = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%narrow : tensor<4x8xbf16>) outs(%f : tensor<4x8xf32>) {
  ^bb0(%s: bf16, %o: f32):
    %0 = arith.extf %s : bf16 to f32
    linalg.yield %0 : f32
  } -> tensor<4x8xf32>
  %r = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]} ins(%wide, %residual : tensor<4x8xf32>, tensor<4x8xbf16>) outs(%e : tensor<4x8xbf16>) {
  ^bb0(%s: f32, %a: bf16, %o: bf16):
    %0 = arith.extf %a : bf16 to f32
    %1 = arith.addf %s, %0 : f32
    %2 = arith.truncf %1 : f32 to bf16
    linalg.yield %2 : bf16
  } -> tensor<4x8xbf16>
  return %r : tensor<4x8xbf16>
}

// -----

// An elementwise operation that another one reads twice, once backwards, is computed once.
// CHECK-LABEL: func.func @twice(
// CHECK: %[[EXP:.*]] = linalg.generic
// CHECK: math.exp
// CHECK: linalg.generic {{.*}} ins(%[[EXP]], %[[EXP]] : tensor<8xf32>, tensor<8xf32>)
// CHECK-NOT: math.exp
// CHECK: return
#id = affine_map<(a) -> (a)>
#back = affine_map<(a) -> (7 - a)>
func.func @twice(%x: tensor<8xf32>) -> tensor<8xf32> {
  %e = tensor.empty() : tensor<8xf32>
  %exp = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%x : tensor<8xf32>) outs(%e : tensor<8xf32>) {
  ^bb0(%s: f32, %o: f32):
    %0 = math.exp %s : f32
    linalg.yield %0 : f32
  } -> tensor<8xf32>
  %r = linalg.generic {indexing_maps = [#id, #back, #id], iterator_types = ["parallel"]} ins(%exp, %exp : tensor<8xf32>, tensor<8xf32>) outs(%e : tensor<8xf32>) {
  ^bb0(%s: f32, %a: f32, %o: f32):
    %0 = arith.addf %s, %a : f32
    linalg.yield %0 : f32
  } -> tensor<8xf32>
  return %r : tensor<8xf32>
}
