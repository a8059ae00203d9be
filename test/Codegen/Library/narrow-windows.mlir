// Convolutions of few features are read by threads where they are, without loops of one iteration.
// RUN: forge-opt %s --split-input-file --forge-fold-windows=chip=sm_90a | FileCheck %s
// RUN: forge-opt %s --split-input-file --forge-fold-windows=chip=gfx942 | FileCheck %s

#windows = affine_map<(n, h, w, i, j, c) -> (n, h + i, w + j, c)>
#all = affine_map<(n, h, w, i, j, c) -> (n, h, w, i, j, c)>

// A stencil: neither channels nor features have a loop, and reshapes that only they need go.
// CHECK-DAG: #[[IMAGE:.*]] = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1 + d3, d2 + d4)>
// CHECK-DAG: #[[KERNEL:.*]] = affine_map<(d0, d1, d2, d3, d4) -> (d3, d4)>
// CHECK-DAG: #[[SUMS:.*]] = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2)>
// CHECK-LABEL: func.func @stencil
// CHECK-NOT: linalg.matmul
// CHECK: %[[Y:.*]] = linalg.generic {indexing_maps = [#[[IMAGE]], #[[KERNEL]], #[[SUMS]]]
// CHECK-SAME: ins(%arg0, %{{.*}} : tensor<2x34x34xf32>, tensor<3x3xf32>)
// CHECK: arith.mulf {{.*}} fastmath<reassoc,contract>
// CHECK: return %[[Y]] : tensor<2x32x32xf32>
func.func @stencil(%x: tensor<2x34x34xf32>, %k: tensor<9x1xf32>) -> tensor<2x32x32xf32> {
  %zero = arith.constant 0.0 : f32
  %w = tensor.expand_shape %x [[0], [1], [2, 3]] output_shape [2, 34, 34, 1] : tensor<2x34x34xf32> into tensor<2x34x34x1xf32>
  %p0 = tensor.empty() : tensor<2x32x32x3x3x1xf32>
  %p = linalg.generic {indexing_maps = [#windows, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%w : tensor<2x34x34x1xf32>) outs(%p0 : tensor<2x32x32x3x3x1xf32>) {
  ^bb0(%a: f32, %b: f32):
    linalg.yield %a : f32
  } -> tensor<2x32x32x3x3x1xf32>
  %m = tensor.collapse_shape %p [[0, 1, 2], [3, 4, 5]] : tensor<2x32x32x3x3x1xf32> into tensor<2048x9xf32>
  %e = tensor.empty() : tensor<2048x1xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<2048x1xf32>) -> tensor<2048x1xf32>
  %y = linalg.matmul ins(%m, %k : tensor<2048x9xf32>, tensor<9x1xf32>) outs(%f : tensor<2048x1xf32>) -> tensor<2048x1xf32>
  %r = tensor.expand_shape %y [[0, 1, 2], [3]] output_shape [2, 32, 32, 1] : tensor<2048x1xf32> into tensor<2x32x32x1xf32>
  %s = tensor.collapse_shape %r [[0], [1], [2, 3]] : tensor<2x32x32x1xf32> into tensor<2x32x32xf32>
  return %s : tensor<2x32x32xf32>
}

// -----

#windows = affine_map<(n, h, w, i, j, c) -> (n, h * 2 + i * 3, w * 2 + j * 3, c)>
#all = affine_map<(n, h, w, i, j, c) -> (n, h, w, i, j, c)>

// Strides and dilations are as good; of three channels and two features all loops stay.
// CHECK-DAG: #[[IMAGE:.*]] = affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d0, d1 * 2 + d4 * 3, d2 * 2 + d5 * 3, d6)>
// CHECK-LABEL: func.func @strided
// CHECK-NOT: linalg.matmul
// CHECK: linalg.generic {indexing_maps = [#[[IMAGE]],
// CHECK-SAME: ins(%arg0, %{{.*}} : tensor<2x69x69x3xf32>, tensor<3x3x3x2xf32>)
func.func @strided(%x: tensor<2x69x69x3xf32>, %k: tensor<27x2xf32>) -> tensor<2x32x32x2xf32> {
  %zero = arith.constant 0.0 : f32
  %p0 = tensor.empty() : tensor<2x32x32x3x3x3xf32>
  %p = linalg.generic {indexing_maps = [#windows, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%x : tensor<2x69x69x3xf32>) outs(%p0 : tensor<2x32x32x3x3x3xf32>) {
  ^bb0(%a: f32, %b: f32):
    linalg.yield %a : f32
  } -> tensor<2x32x32x3x3x3xf32>
  %m = tensor.collapse_shape %p [[0, 1, 2], [3, 4, 5]] : tensor<2x32x32x3x3x3xf32> into tensor<2048x27xf32>
  %e = tensor.empty() : tensor<2048x2xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<2048x2xf32>) -> tensor<2048x2xf32>
  %y = linalg.matmul ins(%m, %k : tensor<2048x27xf32>, tensor<27x2xf32>) outs(%f : tensor<2048x2xf32>) -> tensor<2048x2xf32>
  %r = tensor.expand_shape %y [[0, 1, 2], [3]] output_shape [2, 32, 32, 2] : tensor<2048x2xf32> into tensor<2x32x32x2xf32>
  return %r : tensor<2x32x32x2xf32>
}

// -----

#windows = affine_map<(n, h, w, i, j, c) -> (n, h + i, w + j, c)>
#all = affine_map<(n, h, w, i, j, c) -> (n, h, w, i, j, c)>

// Patches stay of sixteen features, each number of them is multiplied often enough, and where few results are sums of many terms, which one
// thread would add up.
// CHECK-LABEL: func.func @many_features
// CHECK: linalg.matmul
// CHECK-LABEL: func.func @long_sums
// CHECK: linalg.matmul
func.func @many_features(%x: tensor<2x34x34x1xf32>, %k: tensor<9x16xf32>) -> tensor<2x32x32x16xf32> {
  %zero = arith.constant 0.0 : f32
  %p0 = tensor.empty() : tensor<2x32x32x3x3x1xf32>
  %p = linalg.generic {indexing_maps = [#windows, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%x : tensor<2x34x34x1xf32>) outs(%p0 : tensor<2x32x32x3x3x1xf32>) {
  ^bb0(%a: f32, %b: f32):
    linalg.yield %a : f32
  } -> tensor<2x32x32x3x3x1xf32>
  %m = tensor.collapse_shape %p [[0, 1, 2], [3, 4, 5]] : tensor<2x32x32x3x3x1xf32> into tensor<2048x9xf32>
  %e = tensor.empty() : tensor<2048x16xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<2048x16xf32>) -> tensor<2048x16xf32>
  %y = linalg.matmul ins(%m, %k : tensor<2048x9xf32>, tensor<9x16xf32>) outs(%f : tensor<2048x16xf32>) -> tensor<2048x16xf32>
  %r = tensor.expand_shape %y [[0, 1, 2], [3]] output_shape [2, 32, 32, 16] : tensor<2048x16xf32> into tensor<2x32x32x16xf32>
  return %r : tensor<2x32x32x16xf32>
}

func.func @long_sums(%x: tensor<1x66x66x1xf32>, %k: tensor<4096x1xf32>) -> tensor<1x3x3x1xf32> {
  %zero = arith.constant 0.0 : f32
  %p0 = tensor.empty() : tensor<1x3x3x64x64x1xf32>
  %p = linalg.generic {indexing_maps = [#windows, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%x : tensor<1x66x66x1xf32>) outs(%p0 : tensor<1x3x3x64x64x1xf32>) {
  ^bb0(%a: f32, %b: f32):
    linalg.yield %a : f32
  } -> tensor<1x3x3x64x64x1xf32>
  %m = tensor.collapse_shape %p [[0, 1, 2], [3, 4, 5]] : tensor<1x3x3x64x64x1xf32> into tensor<9x4096xf32>
  %e = tensor.empty() : tensor<9x1xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<9x1xf32>) -> tensor<9x1xf32>
  %y = linalg.matmul ins(%m, %k : tensor<9x4096xf32>, tensor<4096x1xf32>) outs(%f : tensor<9x1xf32>) -> tensor<9x1xf32>
  %r = tensor.expand_shape %y [[0, 1, 2], [3]] output_shape [1, 3, 3, 1] : tensor<9x1xf32> into tensor<1x3x3x1xf32>
  return %r : tensor<1x3x3x1xf32>
}
