// Loops that a transpose leaves side by side become one; nothing is copied for it.
// RUN: forge-opt %s --forge-collapse-transposes --split-input-file | FileCheck %s

// A scale of each feature, and images from [n, c, h, w] to [n, h, w, c].
// CHECK-LABEL: func.func @scaled
// CHECK: %[[X:.*]] = tensor.collapse_shape %arg1 {{\[\[}}0], [1], [2, 3]] : tensor<16x960x14x14xbf16> into tensor<16x960x196xbf16>
// CHECK: %[[Y:.*]] = linalg.generic
// CHECK-SAME: ins(%arg0, %[[X]] : tensor<16x960xbf16>, tensor<16x960x196xbf16>)
// CHECK-SAME: outs(%{{.*}} : tensor<16x196x960xbf16>)
// CHECK: tensor.expand_shape %[[Y]] {{\[\[}}0], [1, 2], [3]]
func.func @scaled(%s: tensor<16x960xbf16>, %x: tensor<16x960x14x14xbf16>) -> tensor<16x14x14x960xbf16> {
  %e = tensor.empty() : tensor<16x14x14x960xbf16>
  %0 = linalg.generic {indexing_maps = [affine_map<(n, h, w, c) -> (n, c)>, affine_map<(n, h, w, c) -> (n, c, h, w)>,
                                        affine_map<(n, h, w, c) -> (n, h, w, c)>],
                       iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%s, %x : tensor<16x960xbf16>, tensor<16x960x14x14xbf16>) outs(%e : tensor<16x14x14x960xbf16>) {
  ^bb0(%a: bf16, %b: bf16, %out: bf16):
    %p = arith.mulf %a, %b : bf16
    linalg.yield %p : bf16
  } -> tensor<16x14x14x960xbf16>
  return %0 : tensor<16x14x14x960xbf16>
}

// -----

// All in one order: rows, which are left alone. A part of a tensor would be copied; sums are no transposes.
// CHECK-LABEL: func.func @stay
// CHECK-NOT: tensor.collapse_shape
func.func @stay(%x: tensor<16x64x14x14xf32>, %big: tensor<16x64x16x14xf32>)
    -> (tensor<16x64x14x14xf32>, tensor<16x14x14x64xf32>, tensor<14x14x64xf32>) {
  %e = tensor.empty() : tensor<16x64x14x14xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(n, c, h, w) -> (n, c, h, w)>, affine_map<(n, c, h, w) -> (n, c, h, w)>],
                       iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%x : tensor<16x64x14x14xf32>) outs(%e : tensor<16x64x14x14xf32>) {
  ^bb0(%a: f32, %out: f32):
    %p = arith.negf %a : f32
    linalg.yield %p : f32
  } -> tensor<16x64x14x14xf32>
  %part = tensor.extract_slice %big[0, 0, 0, 0] [16, 64, 14, 14] [1, 1, 1, 1] : tensor<16x64x16x14xf32> to tensor<16x64x14x14xf32>
  %f = tensor.empty() : tensor<16x14x14x64xf32>
  %1 = linalg.generic {indexing_maps = [affine_map<(n, h, w, c) -> (n, c, h, w)>, affine_map<(n, h, w, c) -> (n, h, w, c)>],
                       iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%part : tensor<16x64x14x14xf32>) outs(%f : tensor<16x14x14x64xf32>) {
  ^bb0(%a: f32, %out: f32):
    linalg.yield %a : f32
  } -> tensor<16x14x14x64xf32>
  %g = tensor.empty() : tensor<14x14x64xf32>
  %zero = arith.constant 0.0 : f32
  %h = linalg.fill ins(%zero : f32) outs(%g : tensor<14x14x64xf32>) -> tensor<14x14x64xf32>
  %2 = linalg.generic {indexing_maps = [affine_map<(h, w, c, n) -> (n, c, h, w)>, affine_map<(h, w, c, n) -> (h, w, c)>],
                       iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%x : tensor<16x64x14x14xf32>) outs(%h : tensor<14x14x64xf32>) {
  ^bb0(%a: f32, %out: f32):
    %s = arith.addf %out, %a : f32
    linalg.yield %s : f32
  } -> tensor<14x14x64xf32>
  return %0, %1, %2 : tensor<16x64x14x14xf32>, tensor<16x14x14x64xf32>, tensor<14x14x64xf32>
}

// -----

// Computed in a part of another tensor, where it stays.
// CHECK-LABEL: func.func @inserted
// CHECK-NOT: tensor.collapse_shape
func.func @inserted(%x: tensor<16x64x14x14xf32>, %into: tensor<16x14x14x128xf32>) -> tensor<16x14x14x128xf32> {
  %f = tensor.empty() : tensor<16x14x14x64xf32>
  %1 = linalg.generic {indexing_maps = [affine_map<(n, h, w, c) -> (n, c, h, w)>, affine_map<(n, h, w, c) -> (n, h, w, c)>],
                       iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%x : tensor<16x64x14x14xf32>) outs(%f : tensor<16x14x14x64xf32>) {
  ^bb0(%a: f32, %out: f32):
    linalg.yield %a : f32
  } -> tensor<16x14x14x64xf32>
  %2 = tensor.insert_slice %1 into %into[0, 0, 0, 64] [16, 14, 14, 64] [1, 1, 1, 1] : tensor<16x14x14x64xf32> into tensor<16x14x14x128xf32>
  return %2 : tensor<16x14x14x128xf32>
}
