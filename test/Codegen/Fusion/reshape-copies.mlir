// RUN: forge-opt %s --forge-reshape-copies --split-input-file | FileCheck %s

#nchw = affine_map<(n, y, x, c) -> (n, c, y, x)>
#nhwc = affine_map<(n, y, x, c) -> (n, y, x, c)>
#patches = affine_map<(n, y, x, i, j, c) -> (n, c, y + i, x + j)>
#all = affine_map<(n, y, x, i, j, c) -> (n, y, x, i, j, c)>

// Images of one place, and their patches for a convolution of one place.
// CHECK-LABEL: func.func @one_place(
// CHECK-SAME:    %[[X:.*]]: tensor<16x512x1x1xbf16>)
// CHECK-NOT:     linalg.generic
// CHECK:         %[[P:.*]] = tensor.collapse_shape %[[X]] {{\[\[}}0], [1, 2, 3]] : tensor<16x512x1x1xbf16> into tensor<16x512xbf16>
// CHECK:         %[[A:.*]] = tensor.expand_shape %[[P]] {{\[\[}}0], [1, 2, 3]] output_shape [16, 1, 1, 512]
// CHECK:         %[[Q:.*]] = tensor.collapse_shape %[[X]]
// CHECK:         %[[B:.*]] = tensor.expand_shape %[[Q]] {{\[\[}}0], [1, 2, 3, 4, 5]] output_shape [16, 1, 1, 1, 1, 512]
// CHECK:         return %[[A]], %[[B]]
func.func @one_place(%x: tensor<16x512x1x1xbf16>) -> (tensor<16x1x1x512xbf16>, tensor<16x1x1x1x1x512xbf16>) {
  %e = tensor.empty() : tensor<16x1x1x512xbf16>
  %a = linalg.generic {indexing_maps = [#nchw, #nhwc], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%x : tensor<16x512x1x1xbf16>) outs(%e : tensor<16x1x1x512xbf16>) {
  ^bb0(%in: bf16, %out: bf16):
    linalg.yield %in : bf16
  } -> tensor<16x1x1x512xbf16>
  %f = tensor.empty() : tensor<16x1x1x1x1x512xbf16>
  %b = linalg.generic {indexing_maps = [#patches, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%x : tensor<16x512x1x1xbf16>) outs(%f : tensor<16x1x1x1x1x512xbf16>) {
  ^bb0(%in: bf16, %out: bf16):
    linalg.yield %in : bf16
  } -> tensor<16x1x1x1x1x512xbf16>
  return %a, %b : tensor<16x1x1x512xbf16>, tensor<16x1x1x1x1x512xbf16>
}

// -----

#nchw = affine_map<(n, y, x, c) -> (n, c, y, x)>
#nhwc = affine_map<(n, y, x, c) -> (n, y, x, c)>

// Seven places are moved; a body that computes is no copy; a reshape of a part of a tensor may be a copy itself.
// CHECK-LABEL: func.func @others(
// CHECK-COUNT-3: linalg.generic
func.func @others(%x: tensor<16x512x1x7xbf16>, %y: tensor<16x512x1x1xbf16>, %z: tensor<16x600x1x1xbf16>)
    -> (tensor<16x1x7x512xbf16>, tensor<16x1x1x512xbf16>, tensor<16x1x1x512xbf16>) {
  %e = tensor.empty() : tensor<16x1x7x512xbf16>
  %a = linalg.generic {indexing_maps = [#nchw, #nhwc], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%x : tensor<16x512x1x7xbf16>) outs(%e : tensor<16x1x7x512xbf16>) {
  ^bb0(%in: bf16, %out: bf16):
    linalg.yield %in : bf16
  } -> tensor<16x1x7x512xbf16>
  %f = tensor.empty() : tensor<16x1x1x512xbf16>
  %b = linalg.generic {indexing_maps = [#nchw, #nhwc], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%y : tensor<16x512x1x1xbf16>) outs(%f : tensor<16x1x1x512xbf16>) {
  ^bb0(%in: bf16, %out: bf16):
    %n = arith.negf %in : bf16
    linalg.yield %n : bf16
  } -> tensor<16x1x1x512xbf16>
  %s = tensor.extract_slice %z[0, 0, 0, 0] [16, 512, 1, 1] [1, 1, 1, 1] : tensor<16x600x1x1xbf16> to tensor<16x512x1x1xbf16>
  %c = linalg.generic {indexing_maps = [#nchw, #nhwc], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%s : tensor<16x512x1x1xbf16>) outs(%f : tensor<16x1x1x512xbf16>) {
  ^bb0(%in: bf16, %out: bf16):
    linalg.yield %in : bf16
  } -> tensor<16x1x1x512xbf16>
  return %a, %b, %c : tensor<16x1x7x512xbf16>, tensor<16x1x1x512xbf16>, tensor<16x1x1x512xbf16>
}
