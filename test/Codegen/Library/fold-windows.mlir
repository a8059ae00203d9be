// RUN: forge-opt %s --forge-fold-windows=chip=sm_90a | FileCheck %s
// RUN: forge-opt %s --forge-fold-windows=chip=gfx942 | FileCheck %s --check-prefix=OTHER
// RUN: not forge-opt %s --forge-fold-windows=chip=sm_1 2>&1 | FileCheck %s --check-prefix=CHIP
// CHIP: error: unknown chip 'sm_1'
// RUN: forge-opt %s --forge-fold-windows | FileCheck %s --check-prefix=HOST

#windows = affine_map<(n, h, w, i, j, c) -> (n, h + i, w + j, c)>
#all = affine_map<(n, h, w, i, j, c) -> (n, h, w, i, j, c)>

// CHECK-DAG: #[[IMAGE:.*]] = affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d0, d1 + d4, d2 + d5, d6)>
// CHECK-DAG: #[[KERNEL:.*]] = affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d4, d5, d6, d3)>
// CHECK-DAG: #[[SUMS:.*]] = affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d0, d1, d2, d3)>

// The patches go, and the reshape of the sums too.
// CHECK-LABEL: func.func @convolution
// CHECK-NOT: linalg.matmul
// CHECK: %[[K:.*]] = tensor.expand_shape %arg1 {{\[}}[0, 1, 2], [3]] output_shape [3, 3, 64, 128]
// CHECK: %[[Y:.*]] = linalg.generic {indexing_maps = [#[[IMAGE]], #[[KERNEL]], #[[SUMS]]]
// CHECK-SAME: ins(%arg0, %[[K]] : tensor<2x16x16x64xbf16>, tensor<3x3x64x128xbf16>)
// CHECK: return %[[Y]] : tensor<2x14x14x128xf32>
// No chip without tensor maps reads windows so.
// OTHER-LABEL: func.func @convolution
// OTHER: linalg.matmul
// The CPU pairs bf16 in panels: patches as well.
// HOST-LABEL: func.func @convolution
// HOST: linalg.matmul
func.func @convolution(%x: tensor<2x16x16x64xbf16>, %k: tensor<576x128xbf16>) -> tensor<2x14x14x128xf32> {
  %zero = arith.constant 0.0 : f32
  %p0 = tensor.empty() : tensor<2x14x14x3x3x64xbf16>
  %p = linalg.generic {indexing_maps = [#windows, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%x : tensor<2x16x16x64xbf16>) outs(%p0 : tensor<2x14x14x3x3x64xbf16>) {
  ^bb0(%a: bf16, %b: bf16):
    linalg.yield %a : bf16
  } -> tensor<2x14x14x3x3x64xbf16>
  %m = tensor.collapse_shape %p [[0, 1, 2], [3, 4, 5]] : tensor<2x14x14x3x3x64xbf16> into tensor<392x576xbf16>
  %e = tensor.empty() : tensor<392x128xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<392x128xf32>) -> tensor<392x128xf32>
  %y = linalg.matmul ins(%m, %k : tensor<392x576xbf16>, tensor<576x128xbf16>) outs(%f : tensor<392x128xf32>) -> tensor<392x128xf32>
  %r = tensor.expand_shape %y [[0, 1, 2], [3]] output_shape [2, 14, 14, 128] : tensor<392x128xf32> into tensor<2x14x14x128xf32>
  return %r : tensor<2x14x14x128xf32>
}

// Products of f32 are not for these matrix units.
// CHECK-LABEL: func.func @wide
// CHECK: linalg.matmul
// On the CPU rows of 14 places are few for 128 columns.
// HOST-LABEL: func.func @wide
// HOST: linalg.matmul
func.func @wide(%x: tensor<2x16x16x64xf32>, %k: tensor<576x128xf32>) -> tensor<392x128xf32> {
  %zero = arith.constant 0.0 : f32
  %p0 = tensor.empty() : tensor<2x14x14x3x3x64xf32>
  %p = linalg.generic {indexing_maps = [#windows, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%x : tensor<2x16x16x64xf32>) outs(%p0 : tensor<2x14x14x3x3x64xf32>) {
  ^bb0(%a: f32, %b: f32):
    linalg.yield %a : f32
  } -> tensor<2x14x14x3x3x64xf32>
  %m = tensor.collapse_shape %p [[0, 1, 2], [3, 4, 5]] : tensor<2x14x14x3x3x64xf32> into tensor<392x576xf32>
  %e = tensor.empty() : tensor<392x128xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<392x128xf32>) -> tensor<392x128xf32>
  %y = linalg.matmul ins(%m, %k : tensor<392x576xf32>, tensor<576x128xf32>) outs(%f : tensor<392x128xf32>) -> tensor<392x128xf32>
  return %y : tensor<392x128xf32>
}

// Six features are 12 bytes, by which tensor maps do not step.
// CHECK-LABEL: func.func @narrow
// CHECK: linalg.matmul
func.func @narrow(%x: tensor<2x16x16x6xbf16>, %k: tensor<54x128xbf16>) -> tensor<392x128xf32> {
  %zero = arith.constant 0.0 : f32
  %p0 = tensor.empty() : tensor<2x14x14x3x3x6xbf16>
  %p = linalg.generic {indexing_maps = [#windows, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%x : tensor<2x16x16x6xbf16>) outs(%p0 : tensor<2x14x14x3x3x6xbf16>) {
  ^bb0(%a: bf16, %b: bf16):
    linalg.yield %a : bf16
  } -> tensor<2x14x14x3x3x6xbf16>
  %m = tensor.collapse_shape %p [[0, 1, 2], [3, 4, 5]] : tensor<2x14x14x3x3x6xbf16> into tensor<392x54xbf16>
  %e = tensor.empty() : tensor<392x128xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<392x128xf32>) -> tensor<392x128xf32>
  %y = linalg.matmul ins(%m, %k : tensor<392x54xbf16>, tensor<54x128xbf16>) outs(%f : tensor<392x128xf32>) -> tensor<392x128xf32>
  return %y : tensor<392x128xf32>
}
