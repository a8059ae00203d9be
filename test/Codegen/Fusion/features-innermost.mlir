// Depthwise convolutions of images with features in front of their places, and what is around them, have features innermost where less is read across memory then.
// RUN: forge-opt %s --split-input-file --forge-features-innermost | FileCheck %s
// RUN: forge verify %S/Inputs/features-first.mlir --function block --target sim:sm_90a
// RUN: forge verify %S/Inputs/features-first.mlir --function block --target sim:gfx942
// RUN: forge verify %S/Inputs/features-first.mlir --function sequence --target sim:sm_90a
// RUN: forge-opt %S/Inputs/features-first.mlir --forge-pipeline="target=cuda:sm_90a tier=optimized to=kernels" | FileCheck %s --check-prefix=WHOLE

// What pads reads features innermost and writes them so; the kernel is copied; the reader, which transposed, does no more.
// CHECK-LABEL: @transposed
// CHECK-DAG: %[[K:.*]] = linalg.generic {{.*}} ins(%arg1 : tensor<8x3x3xf32>) outs({{.*}} : tensor<3x3x8xf32>)
// CHECK-DAG: %[[PAD:.*]] = linalg.generic {indexing_maps = [#[[ID:.*]]], {{.*}} outs({{.*}} : tensor<2x6x6x8xf32>)
// CHECK: %[[FEATURE:.*]] = linalg.index 3
// CHECK: tensor.extract %arg0[%{{.*}}, %{{.*}}, %{{.*}}, %[[FEATURE]]]
// CHECK: linalg.fill {{.*}} tensor<2x4x4x8xf32>
// CHECK: %[[SUMS:.*]] = linalg.generic {{.*}} ins(%[[PAD]], %[[K]] : tensor<2x6x6x8xf32>, tensor<3x3x8xf32>) outs({{.*}} : tensor<2x4x4x8xf32>)
// CHECK: linalg.generic {indexing_maps = [#[[ID]], #[[ID]]], {{.*}} ins(%[[SUMS]] : tensor<2x4x4x8xf32>) outs({{.*}} : tensor<2x4x4x8xf32>)
// CHECK-NOT: linalg.generic
#image = affine_map<(n, c, h, w, i, j) -> (n, c, h + i, w + j)>
#kernel = affine_map<(n, c, h, w, i, j) -> (c, i, j)>
#places = affine_map<(n, c, h, w, i, j) -> (n, c, h, w)>
#id = affine_map<(a, b, c, d) -> (a, b, c, d)>
#inner = affine_map<(n, h, w, c) -> (n, c, h, w)>
func.func @transposed(%x: tensor<2x4x4x8xf32>, %k: tensor<8x3x3xf32>) -> tensor<2x4x4x8xf32> {
  %zero = arith.constant 0.0 : f32
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %e = tensor.empty() : tensor<2x8x6x6xf32>
  %padded = linalg.generic {indexing_maps = [#id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} outs(%e : tensor<2x8x6x6xf32>) {
  ^bb0(%out: f32):
    %n = linalg.index 0 : index
    %c = linalg.index 1 : index
    %h = linalg.index 2 : index
    %w = linalg.index 3 : index
    %row = arith.minsi %h, %c3 : index
    %column = arith.minsi %w, %c3 : index
    %element = tensor.extract %x[%n, %row, %column, %c] : tensor<2x4x4x8xf32>
    linalg.yield %element : f32
  } -> tensor<2x8x6x6xf32>
  %s = tensor.empty() : tensor<2x8x4x4xf32>
  %f = linalg.fill ins(%zero : f32) outs(%s : tensor<2x8x4x4xf32>) -> tensor<2x8x4x4xf32>
  %sums = linalg.generic {indexing_maps = [#image, #kernel, #places], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction"]} ins(%padded, %k : tensor<2x8x6x6xf32>, tensor<8x3x3xf32>) outs(%f : tensor<2x8x4x4xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %p = arith.mulf %a, %b : f32
    %q = arith.addf %out, %p : f32
    linalg.yield %q : f32
  } -> tensor<2x8x4x4xf32>
  %t = tensor.empty() : tensor<2x4x4x8xf32>
  %r = linalg.generic {indexing_maps = [#inner, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%sums : tensor<2x8x4x4xf32>) outs(%t : tensor<2x4x4x8xf32>) {
  ^bb0(%a: f32, %out: f32):
    %p = arith.addf %a, %a : f32
    linalg.yield %p : f32
  } -> tensor<2x4x4x8xf32>
  return %r : tensor<2x4x4x8xf32>
}

// -----

// What is returned stays as it is.
// CHECK-LABEL: @returned
// CHECK: linalg.generic {{.*}} outs({{.*}} : tensor<2x8x6x6xf32>)
// CHECK: linalg.generic {{.*}} outs({{.*}} : tensor<2x8x4x4xf32>)
#image = affine_map<(n, c, h, w, i, j) -> (n, c, h + i, w + j)>
#kernel = affine_map<(n, c, h, w, i, j) -> (c, i, j)>
#places = affine_map<(n, c, h, w, i, j) -> (n, c, h, w)>
#id = affine_map<(a, b, c, d) -> (a, b, c, d)>
func.func @returned(%x: tensor<2x8x6x6xf32>, %k: tensor<8x3x3xf32>) -> tensor<2x8x4x4xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2x8x6x6xf32>
  %twice = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%x : tensor<2x8x6x6xf32>) outs(%e : tensor<2x8x6x6xf32>) {
  ^bb0(%a: f32, %out: f32):
    %p = arith.addf %a, %a : f32
    linalg.yield %p : f32
  } -> tensor<2x8x6x6xf32>
  %s = tensor.empty() : tensor<2x8x4x4xf32>
  %f = linalg.fill ins(%zero : f32) outs(%s : tensor<2x8x4x4xf32>) -> tensor<2x8x4x4xf32>
  %sums = linalg.generic {indexing_maps = [#image, #kernel, #places], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction"]} ins(%twice, %k : tensor<2x8x6x6xf32>, tensor<8x3x3xf32>) outs(%f : tensor<2x8x4x4xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %p = arith.mulf %a, %b : f32
    %q = arith.addf %out, %p : f32
    linalg.yield %q : f32
  } -> tensor<2x8x4x4xf32>
  return %sums : tensor<2x8x4x4xf32>
}

// A block as PyTorch writes ConvNeXt's: a depthwise convolution, a norm over its transposed features, and the sum with the block's input, which is transposed back. Only arguments and results
// have features in front.
// WHOLE: func.func @block
// WHOLE: call @elementwise{{.*}} -> tensor<2x10x10x32xf32>
// WHOLE: call @convolution{{.*}} -> tensor<2x8x8x32xf32>
// WHOLE-NEXT: call @rows{{.*}} -> tensor<2x8x8x32xf32>
// WHOLE: call @elementwise{{.*}} -> tensor<2x10x10x32xf32>
// WHOLE: call @convolution{{.*}} -> tensor<2x8x8x32xf32>
// A convolution of sequences, padded on both sides, of whose result a slice is read.
// WHOLE: func.func @sequence
// WHOLE: call @elementwise{{.*}} -> tensor<2x22x32xf32>
// WHOLE: call @convolution{{.*}} -> tensor<2x19x32xf32>
// WHOLE: call @elementwise{{.*}}tensor<2x19x32xf32>{{.*}} -> tensor<2x16x32xf32>
