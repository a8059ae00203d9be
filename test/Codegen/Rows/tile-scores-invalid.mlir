// RUN: forge-opt --pass-pipeline="builtin.module(func.func(forge-tile-scores))" --split-input-file --verify-diagnostics %s

#a = affine_map<(b, m, n, k) -> (b, m, k)>
#b = affine_map<(b, m, n, k) -> (b, n, k)>
#v = affine_map<(b, m, n, k) -> (b, k, n)>
#c = affine_map<(b, m, n, k) -> (b, m, n)>
#id = affine_map<(b, m, n) -> (b, m, n)>
#row = affine_map<(b, m, n) -> (b, m)>
func.func @attention(%q: tensor<2x64x8xf32>, %k: tensor<2x64x8xf32>, %v: tensor<2x64x8xf32>) -> tensor<2x64x8xf32> {
  %s = tensor.empty() : tensor<2x64x64xf32>
  %r = tensor.empty() : tensor<2x64xf32>
  %o = tensor.empty() : tensor<2x64x8xf32>
  %0 = linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%q, %k : tensor<2x64x8xf32>, tensor<2x64x8xf32>) outs(%s : tensor<2x64x64xf32>) {
  ^bb0(%x: f32, %y: f32, %z: f32):
    %p = arith.mulf %x, %y : f32
    %t = arith.addf %z, %p : f32
    linalg.yield %t : f32
  } -> tensor<2x64x64xf32>
  %1 = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%0 : tensor<2x64x64xf32>) outs(%r : tensor<2x64xf32>) {
  ^bb0(%x: f32, %y: f32):
    %t = arith.maximumf %x, %y : f32
    linalg.yield %t : f32
  } -> tensor<2x64xf32>
  %2 = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%0, %1 : tensor<2x64x64xf32>, tensor<2x64xf32>) outs(%s : tensor<2x64x64xf32>) {
  ^bb0(%x: f32, %y: f32, %z: f32):
    %t = arith.subf %x, %y : f32
    linalg.yield %t : f32
  } -> tensor<2x64x64xf32>
  // expected-error @below {{expected tile sizes above 0 for the loops over rows, and 0 for the others, but got 8 for loop 2}}
  %3 = linalg.generic {indexing_maps = [#a, #v, #c], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%2, %v : tensor<2x64x64xf32>, tensor<2x64x8xf32>) outs(%o : tensor<2x64x8xf32>)
      attrs = {forge.schedule = #forge.schedule<strategy = scores, tile = [1, 8, 8, 0]>} {
  ^bb0(%x: f32, %y: f32, %z: f32):
    %p = arith.mulf %x, %y : f32
    %t = arith.addf %z, %p : f32
    linalg.yield %t : f32
  } -> tensor<2x64x8xf32>
  return %3 : tensor<2x64x8xf32>
}

// -----

#a = affine_map<(b, m, n, k) -> (b, m, k)>
#b = affine_map<(b, m, n, k) -> (b, n, k)>
#v = affine_map<(b, m, n, k) -> (b, k, n)>
#c = affine_map<(b, m, n, k) -> (b, m, n)>
#id = affine_map<(b, m, n) -> (b, m, n)>
#row = affine_map<(b, m, n) -> (b, m)>
func.func @attention(%q: tensor<2x64x8xf32>, %k: tensor<2x64x8xf32>, %v: tensor<2x64x8xf32>) -> tensor<2x64x8xf32> {
  %s = tensor.empty() : tensor<2x64x64xf32>
  %r = tensor.empty() : tensor<2x64xf32>
  %o = tensor.empty() : tensor<2x64x8xf32>
  %0 = linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%q, %k : tensor<2x64x8xf32>, tensor<2x64x8xf32>) outs(%s : tensor<2x64x64xf32>) {
  ^bb0(%x: f32, %y: f32, %z: f32):
    %p = arith.mulf %x, %y : f32
    %t = arith.addf %z, %p : f32
    linalg.yield %t : f32
  } -> tensor<2x64x64xf32>
  %1 = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%0 : tensor<2x64x64xf32>) outs(%r : tensor<2x64xf32>) {
  ^bb0(%x: f32, %y: f32):
    %t = arith.maximumf %x, %y : f32
    linalg.yield %t : f32
  } -> tensor<2x64xf32>
  %2 = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%0, %1 : tensor<2x64x64xf32>, tensor<2x64xf32>) outs(%s : tensor<2x64x64xf32>) {
  ^bb0(%x: f32, %y: f32, %z: f32):
    %t = arith.subf %x, %y : f32
    linalg.yield %t : f32
  } -> tensor<2x64x64xf32>
  // expected-error @below {{expected field 'tile' of strategy 'scores' with 4 sizes, one per loop}}
  %3 = linalg.generic {indexing_maps = [#a, #v, #c], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%2, %v : tensor<2x64x64xf32>, tensor<2x64x8xf32>) outs(%o : tensor<2x64x8xf32>)
      attrs = {forge.schedule = #forge.schedule<strategy = scores, tile = [1, 8]>} {
  ^bb0(%x: f32, %y: f32, %z: f32):
    %p = arith.mulf %x, %y : f32
    %t = arith.addf %z, %p : f32
    linalg.yield %t : f32
  } -> tensor<2x64x8xf32>
  return %3 : tensor<2x64x8xf32>
}

// -----

#a = affine_map<(b, m, n, k) -> (b, m, k)>
#b = affine_map<(b, m, n, k) -> (b, n, k)>
#v = affine_map<(b, m, n, k) -> (b, k, n)>
#c = affine_map<(b, m, n, k) -> (b, m, n)>
#id = affine_map<(b, m, n) -> (b, m, n)>
#row = affine_map<(b, m, n) -> (b, m)>
func.func @attention(%q: tensor<2x64x8xf32>, %k: tensor<2x64x8xf32>, %v: tensor<2x64x8xf32>) -> tensor<2x64x8xf32> {
  %s = tensor.empty() : tensor<2x64x64xf32>
  %r = tensor.empty() : tensor<2x64xf32>
  %o = tensor.empty() : tensor<2x64x8xf32>
  %0 = linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%q, %k : tensor<2x64x8xf32>, tensor<2x64x8xf32>) outs(%s : tensor<2x64x64xf32>) {
  ^bb0(%x: f32, %y: f32, %z: f32):
    %p = arith.mulf %x, %y : f32
    %t = arith.addf %z, %p : f32
    linalg.yield %t : f32
  } -> tensor<2x64x64xf32>
  %1 = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%0 : tensor<2x64x64xf32>) outs(%r : tensor<2x64xf32>) {
  ^bb0(%x: f32, %y: f32):
    %t = arith.maximumf %x, %y : f32
    linalg.yield %t : f32
  } -> tensor<2x64xf32>
  %2 = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%0, %1 : tensor<2x64x64xf32>, tensor<2x64xf32>) outs(%s : tensor<2x64x64xf32>) {
  ^bb0(%x: f32, %y: f32, %z: f32):
    %t = arith.subf %x, %y : f32
    linalg.yield %t : f32
  } -> tensor<2x64x64xf32>
  // expected-error @below {{strategy 'scores'}}
  %3 = linalg.generic {indexing_maps = [#a, #v, #c], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%2, %v : tensor<2x64x64xf32>, tensor<2x64x8xf32>) outs(%o : tensor<2x64x8xf32>)
      attrs = {forge.schedule = #forge.schedule<strategy = scores, m = 8>} {
  ^bb0(%x: f32, %y: f32, %z: f32):
    %p = arith.mulf %x, %y : f32
    %t = arith.addf %z, %p : f32
    linalg.yield %t : f32
  } -> tensor<2x64x8xf32>
  return %3 : tensor<2x64x8xf32>
}
