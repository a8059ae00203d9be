// RUN: forge-opt --forge-fuse-elementwise --split-input-file %s | FileCheck %s

// Three sums over one tensor, read in one order, become one walk over it, also where other operations
// are between them.
// CHECK-LABEL: func.func @three
// CHECK: %[[ALL:.*]]:3 = linalg.generic
// CHECK-COUNT-3: arith.addf
// CHECK: return %[[ALL]]#0, %[[ALL]]#1, %[[ALL]]#2
#row = affine_map<(d0, d1) -> (d0)>
#all = affine_map<(d0, d1) -> (d0, d1)>
func.func @three(%x: tensor<64x1024xf32>, %i: tensor<64xf32>) -> (tensor<64xf32>, tensor<64xf32>, tensor<64xf32>) {
  %a = linalg.generic {indexing_maps = [#all, #row], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<64x1024xf32>) outs(%i : tensor<64xf32>) {
  ^bb0(%e: f32, %s: f32):
    %0 = arith.addf %e, %s : f32
    linalg.yield %0 : f32
  } -> tensor<64xf32>
  %b = linalg.generic {indexing_maps = [#all, #row], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<64x1024xf32>) outs(%i : tensor<64xf32>) {
  ^bb0(%e: f32, %s: f32):
    %q = arith.mulf %e, %e : f32
    %0 = arith.addf %q, %s : f32
    linalg.yield %0 : f32
  } -> tensor<64xf32>
  %c = linalg.generic {indexing_maps = [#all, #row], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<64x1024xf32>) outs(%i : tensor<64xf32>) {
  ^bb0(%e: f32, %s: f32):
    %q = math.absf %e : f32
    %0 = arith.addf %q, %s : f32
    linalg.yield %0 : f32
  } -> tensor<64xf32>
  return %a, %b, %c : tensor<64xf32>, tensor<64xf32>, tensor<64xf32>
}

// -----

// The second needs the first: two walks.
// CHECK-LABEL: func.func @chained
// CHECK-COUNT-2: linalg.generic
// CHECK-NOT: linalg.generic
#row = affine_map<(d0, d1) -> (d0)>
#all = affine_map<(d0, d1) -> (d0, d1)>
func.func @chained(%x: tensor<64x1024xf32>, %i: tensor<64xf32>) -> tensor<64xf32> {
  %a = linalg.generic {indexing_maps = [#all, #row], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<64x1024xf32>) outs(%i : tensor<64xf32>) {
  ^bb0(%e: f32, %s: f32):
    %0 = arith.addf %e, %s : f32
    linalg.yield %0 : f32
  } -> tensor<64xf32>
  %b = linalg.generic {indexing_maps = [#all, #row], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<64x1024xf32>) outs(%a : tensor<64xf32>) {
  ^bb0(%e: f32, %s: f32):
    %0 = arith.maximumf %e, %s : f32
    linalg.yield %0 : f32
  } -> tensor<64xf32>
  return %b : tensor<64xf32>
}
