// Scores in more dimensions than their product has, between it and the weighted sum: a softmax becomes one of the product's dimensions.
// RUN: forge-opt %s --split-input-file --pass-pipeline="builtin.module(func.func(forge-join-scores))" | FileCheck %s

#qk = affine_map<(h, q, k, d) -> (h, q, d)>
#kk = affine_map<(h, q, k, d) -> (h, k, d)>
#s = affine_map<(h, q, k, d) -> (h, q, k)>
#all = affine_map<(h, q, y, x) -> (h, q, y, x)>
#row = affine_map<(h, q, y, x) -> (h, q)>
#lines = affine_map<(h, q, y, x) -> (q, y)>
#keys = affine_map<(h, q, y, x) -> (y, x)>

// CHECK-LABEL: func.func @softmax
// CHECK: %[[SCORES:.*]] = linalg.generic {{.*}} ins(%arg0, %arg1 :
// A bias of all of a key is read as it is; one of its line is looked up.
// CHECK: %[[KEYS:.*]] = tensor.collapse_shape %arg4 {{\[\[}}0, 1]] : tensor<6x5xf32> into tensor<30xf32>
// CHECK: %[[LOGITS:.*]] = linalg.generic {{.*}} ins(%[[SCORES]], %[[KEYS]] : tensor<2x8x30xf32>, tensor<30xf32>)
// CHECK: %[[Q:.*]] = linalg.index 1
// CHECK: %[[K:.*]] = linalg.index 2
// CHECK: %[[LINE:.*]] = arith.divui %[[K]], %c5
// CHECK: tensor.extract %arg3[%[[Q]], %[[LINE]]]
// CHECK: %[[LARGEST:.*]] = linalg.generic {{.*}} ["parallel", "parallel", "reduction"]} ins(%[[LOGITS]] : tensor<2x8x30xf32>)
// CHECK: %[[WEIGHTS:.*]] = linalg.generic {{.*}} ins(%[[LOGITS]], %[[LARGEST]] : tensor<2x8x30xf32>, tensor<2x8xf32>)
// CHECK: linalg.generic {{.*}} ins(%[[WEIGHTS]], %arg2 : tensor<2x8x30xf32>, tensor<2x30x16xbf16>)
func.func @softmax(%q: tensor<2x8x16xbf16>, %k: tensor<2x30x16xbf16>, %v: tensor<2x30x16xbf16>, %lines: tensor<8x6xf32>, %keys: tensor<6x5xf32>) -> tensor<2x8x16xf32> {
  %zero = arith.constant 0.0 : f32
  %least = arith.constant 0xFF800000 : f32
  %e = tensor.empty() : tensor<2x8x30xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<2x8x30xf32>) -> tensor<2x8x30xf32>
  %scores = linalg.generic {indexing_maps = [#qk, #kk, #s], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%q, %k : tensor<2x8x16xbf16>, tensor<2x30x16xbf16>) outs(%f : tensor<2x8x30xf32>) {
  ^bb0(%a: bf16, %b: bf16, %c: f32):
    %0 = arith.extf %a : bf16 to f32
    %1 = arith.extf %b : bf16 to f32
    %2 = arith.mulf %0, %1 : f32
    %3 = arith.addf %c, %2 : f32
    linalg.yield %3 : f32
  } -> tensor<2x8x30xf32>
  %split = tensor.expand_shape %scores [[0], [1], [2, 3]] output_shape [2, 8, 6, 5] : tensor<2x8x30xf32> into tensor<2x8x6x5xf32>
  %e1 = tensor.empty() : tensor<2x8x6x5xf32>
  %logits = linalg.generic {indexing_maps = [#all, #lines, #keys, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%split, %lines, %keys : tensor<2x8x6x5xf32>, tensor<8x6xf32>, tensor<6x5xf32>) outs(%e1 : tensor<2x8x6x5xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32, %o: f32):
    %0 = arith.addf %a, %b : f32
    %1 = arith.addf %0, %c : f32
    linalg.yield %1 : f32
  } -> tensor<2x8x6x5xf32>
  %e2 = tensor.empty() : tensor<2x8xf32>
  %f2 = linalg.fill ins(%least : f32) outs(%e2 : tensor<2x8xf32>) -> tensor<2x8xf32>
  %largest = linalg.generic {indexing_maps = [#all, #row], iterator_types = ["parallel", "parallel", "reduction", "reduction"]} ins(%logits : tensor<2x8x6x5xf32>) outs(%f2 : tensor<2x8xf32>) {
  ^bb0(%a: f32, %o: f32):
    %0 = arith.maximumf %o, %a : f32
    linalg.yield %0 : f32
  } -> tensor<2x8xf32>
  %weights = linalg.generic {indexing_maps = [#all, #row, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%logits, %largest : tensor<2x8x6x5xf32>, tensor<2x8xf32>) outs(%e1 : tensor<2x8x6x5xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %0 = arith.subf %a, %b : f32
    %1 = math.exp %0 : f32
    linalg.yield %1 : f32
  } -> tensor<2x8x6x5xf32>
  %joined = tensor.collapse_shape %weights [[0], [1], [2, 3]] : tensor<2x8x6x5xf32> into tensor<2x8x30xf32>
  %e3 = tensor.empty() : tensor<2x8x16xf32>
  %f3 = linalg.fill ins(%zero : f32) outs(%e3 : tensor<2x8x16xf32>) -> tensor<2x8x16xf32>
  %out = linalg.generic {indexing_maps = [affine_map<(h, q, d, k) -> (h, q, k)>, affine_map<(h, q, d, k) -> (h, k, d)>, affine_map<(h, q, d, k) -> (h, q, d)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%joined, %v : tensor<2x8x30xf32>, tensor<2x30x16xbf16>) outs(%f3 : tensor<2x8x16xf32>) {
  ^bb0(%a: f32, %b: bf16, %c: f32):
    %0 = arith.extf %b : bf16 to f32
    %1 = arith.mulf %a, %0 : f32
    %2 = arith.addf %c, %1 : f32
    linalg.yield %2 : f32
  } -> tensor<2x8x16xf32>
  return %out : tensor<2x8x16xf32>
}

// -----

#qk = affine_map<(h, q, k, d) -> (h, q, d)>
#kk = affine_map<(h, q, k, d) -> (h, k, d)>
#s = affine_map<(h, q, k, d) -> (h, q, k)>
#all = affine_map<(h, q, y, x) -> (h, q, y, x)>
#line = affine_map<(h, q, y, x) -> (h, q, y)>

// A softmax of each line alone is none of all keys.
// CHECK-LABEL: func.func @lines
// CHECK: tensor.expand_shape
// CHECK: ["parallel", "parallel", "parallel", "reduction"]} ins(%{{.*}} : tensor<2x8x6x5xf32>)
// CHECK: tensor.collapse_shape
func.func @lines(%q: tensor<2x8x16xbf16>, %k: tensor<2x30x16xbf16>, %v: tensor<2x30x16xbf16>) -> tensor<2x8x16xf32> {
  %zero = arith.constant 0.0 : f32
  %least = arith.constant 0xFF800000 : f32
  %e = tensor.empty() : tensor<2x8x30xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<2x8x30xf32>) -> tensor<2x8x30xf32>
  %scores = linalg.generic {indexing_maps = [#qk, #kk, #s], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%q, %k : tensor<2x8x16xbf16>, tensor<2x30x16xbf16>) outs(%f : tensor<2x8x30xf32>) {
  ^bb0(%a: bf16, %b: bf16, %c: f32):
    %0 = arith.extf %a : bf16 to f32
    %1 = arith.extf %b : bf16 to f32
    %2 = arith.mulf %0, %1 : f32
    %3 = arith.addf %c, %2 : f32
    linalg.yield %3 : f32
  } -> tensor<2x8x30xf32>
  %split = tensor.expand_shape %scores [[0], [1], [2, 3]] output_shape [2, 8, 6, 5] : tensor<2x8x30xf32> into tensor<2x8x6x5xf32>
  %e2 = tensor.empty() : tensor<2x8x6xf32>
  %f2 = linalg.fill ins(%least : f32) outs(%e2 : tensor<2x8x6xf32>) -> tensor<2x8x6xf32>
  %largest = linalg.generic {indexing_maps = [#all, #line], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%split : tensor<2x8x6x5xf32>) outs(%f2 : tensor<2x8x6xf32>) {
  ^bb0(%a: f32, %o: f32):
    %0 = arith.maximumf %o, %a : f32
    linalg.yield %0 : f32
  } -> tensor<2x8x6xf32>
  %e1 = tensor.empty() : tensor<2x8x6x5xf32>
  %weights = linalg.generic {indexing_maps = [#all, #line, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%split, %largest : tensor<2x8x6x5xf32>, tensor<2x8x6xf32>) outs(%e1 : tensor<2x8x6x5xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %0 = arith.subf %a, %b : f32
    %1 = math.exp %0 : f32
    linalg.yield %1 : f32
  } -> tensor<2x8x6x5xf32>
  %joined = tensor.collapse_shape %weights [[0], [1], [2, 3]] : tensor<2x8x6x5xf32> into tensor<2x8x30xf32>
  %e3 = tensor.empty() : tensor<2x8x16xf32>
  %f3 = linalg.fill ins(%zero : f32) outs(%e3 : tensor<2x8x16xf32>) -> tensor<2x8x16xf32>
  %out = linalg.generic {indexing_maps = [affine_map<(h, q, d, k) -> (h, q, k)>, affine_map<(h, q, d, k) -> (h, k, d)>, affine_map<(h, q, d, k) -> (h, q, d)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%joined, %v : tensor<2x8x30xf32>, tensor<2x30x16xbf16>) outs(%f3 : tensor<2x8x16xf32>) {
  ^bb0(%a: f32, %b: bf16, %c: f32):
    %0 = arith.extf %b : bf16 to f32
    %1 = arith.mulf %a, %0 : f32
    %2 = arith.addf %c, %1 : f32
    linalg.yield %2 : f32
  } -> tensor<2x8x16xf32>
  return %out : tensor<2x8x16xf32>
}
