// How attention is spread over threads and blocks.
// RUN: forge-opt %s --forge-schedule-kernels=chip=sm_90a | FileCheck %s
// RUN: forge-opt %s --forge-schedule-kernels=chip=gfx942 | FileCheck %s --check-prefix=WAVE

#q = affine_map<(b, m, t, d) -> (b, m, d)>
#k = affine_map<(b, m, t, d) -> (b, t, d)>
#s = affine_map<(b, m, t, d) -> (b, m, t)>
#e = affine_map<(b, m, t) -> (b, m, t)>
#r = affine_map<(b, m, t) -> (b, m)>
#p = affine_map<(b, m, c, t) -> (b, m, t)>
#v = affine_map<(b, m, c, t) -> (b, t, c)>
#o = affine_map<(b, m, c, t) -> (b, m, c)>

// 16 threads for a key, 16 keys at a time, eight times that in a chunk; 96 keys are not enough for a second block.
// CHECK: @few_keys(
// CHECK-SAME: forge.schedule = #forge.schedule<strategy = attention, keys = 128, split_kv = 1, threads = 256,
// WAVE: @few_keys(
// WAVE-SAME: keys = 128, split_kv = 1,
func.func private @few_keys(%q: tensor<2x4x64xf32>, %k: tensor<2x96x64xf32>, %v: tensor<2x96x64xf32>, %oe: tensor<2x4x64xf32>) -> tensor<2x4x64xf32> attributes {forge.kernel} {
  %lowest = arith.constant 0xFF800000 : f32
  %zero = arith.constant 0.0 : f32
  %se = tensor.empty() : tensor<2x4x96xf32>
  %re = tensor.empty() : tensor<2x4xf32>
  %s0 = linalg.fill ins(%zero : f32) outs(%se : tensor<2x4x96xf32>) -> tensor<2x4x96xf32>
  %scores = linalg.generic {indexing_maps = [#q, #k, #s], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%q, %k : tensor<2x4x64xf32>, tensor<2x96x64xf32>) outs(%s0 : tensor<2x4x96xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %m = arith.mulf %a, %b : f32
    %r = arith.addf %c, %m : f32
    linalg.yield %r : f32
  } -> tensor<2x4x96xf32>
  %m0 = linalg.fill ins(%lowest : f32) outs(%re : tensor<2x4xf32>) -> tensor<2x4xf32>
  %largest = linalg.generic {indexing_maps = [#e, #r], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%scores : tensor<2x4x96xf32>) outs(%m0 : tensor<2x4xf32>) {
  ^bb0(%x: f32, %c: f32):
    %h = arith.constant 5.000000e-01 : f32
    %y = arith.mulf %x, %h : f32
    %r = arith.maximumf %c, %y : f32
    linalg.yield %r : f32
  } -> tensor<2x4xf32>
  %exps = linalg.generic {indexing_maps = [#e, #r, #e], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%scores, %largest : tensor<2x4x96xf32>, tensor<2x4xf32>) outs(%se : tensor<2x4x96xf32>) {
  ^bb0(%x: f32, %m: f32, %u: f32):
    %h = arith.constant 5.000000e-01 : f32
    %y = arith.mulf %x, %h : f32
    %d = arith.subf %y, %m : f32
    %r = math.exp %d : f32
    linalg.yield %r : f32
  } -> tensor<2x4x96xf32>
  %z0 = linalg.fill ins(%zero : f32) outs(%re : tensor<2x4xf32>) -> tensor<2x4xf32>
  %sums = linalg.generic {indexing_maps = [#e, #r], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%exps : tensor<2x4x96xf32>) outs(%z0 : tensor<2x4xf32>) {
  ^bb0(%x: f32, %c: f32):
    %r = arith.addf %c, %x : f32
    linalg.yield %r : f32
  } -> tensor<2x4xf32>
  %we = tensor.empty() : tensor<2x4x64xf32>
  %o0 = linalg.fill ins(%zero : f32) outs(%we : tensor<2x4x64xf32>) -> tensor<2x4x64xf32>
  %weighted = linalg.generic {indexing_maps = [#p, #v, #o], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%exps, %v : tensor<2x4x96xf32>, tensor<2x96x64xf32>) outs(%o0 : tensor<2x4x64xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %m = arith.mulf %a, %b : f32
    %r = arith.addf %c, %m : f32
    linalg.yield %r : f32
  } -> tensor<2x4x64xf32>
  %out = linalg.generic {indexing_maps = [#e, #r, #e], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%weighted, %sums : tensor<2x4x64xf32>, tensor<2x4xf32>) outs(%oe : tensor<2x4x64xf32>) {
  ^bb0(%x: f32, %z: f32, %u: f32):
    %r = arith.divf %x, %z : f32
    linalg.yield %r : f32
  } -> tensor<2x4x64xf32>
  return %out : tensor<2x4x64xf32>
}

// Two places, 8 blocks each. Nothing of that kind on AMD.
// CHECK: @many_keys(
// CHECK-SAME: keys = 256, split_kv = 8,
// WAVE: @many_keys(
// WAVE-SAME: keys = 256, split_kv = 1,
func.func private @many_keys(%q: tensor<2x4x64xf32>, %k: tensor<2x4096x64xf32>, %v: tensor<2x4096x64xf32>, %oe: tensor<2x4x64xf32>) -> tensor<2x4x64xf32> attributes {forge.kernel} {
  %lowest = arith.constant 0xFF800000 : f32
  %zero = arith.constant 0.0 : f32
  %se = tensor.empty() : tensor<2x4x4096xf32>
  %re = tensor.empty() : tensor<2x4xf32>
  %s0 = linalg.fill ins(%zero : f32) outs(%se : tensor<2x4x4096xf32>) -> tensor<2x4x4096xf32>
  %scores = linalg.generic {indexing_maps = [#q, #k, #s], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%q, %k : tensor<2x4x64xf32>, tensor<2x4096x64xf32>) outs(%s0 : tensor<2x4x4096xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %m = arith.mulf %a, %b : f32
    %r = arith.addf %c, %m : f32
    linalg.yield %r : f32
  } -> tensor<2x4x4096xf32>
  %m0 = linalg.fill ins(%lowest : f32) outs(%re : tensor<2x4xf32>) -> tensor<2x4xf32>
  %largest = linalg.generic {indexing_maps = [#e, #r], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%scores : tensor<2x4x4096xf32>) outs(%m0 : tensor<2x4xf32>) {
  ^bb0(%x: f32, %c: f32):
    %h = arith.constant 5.000000e-01 : f32
    %y = arith.mulf %x, %h : f32
    %r = arith.maximumf %c, %y : f32
    linalg.yield %r : f32
  } -> tensor<2x4xf32>
  %exps = linalg.generic {indexing_maps = [#e, #r, #e], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%scores, %largest : tensor<2x4x4096xf32>, tensor<2x4xf32>) outs(%se : tensor<2x4x4096xf32>) {
  ^bb0(%x: f32, %m: f32, %u: f32):
    %h = arith.constant 5.000000e-01 : f32
    %y = arith.mulf %x, %h : f32
    %d = arith.subf %y, %m : f32
    %r = math.exp %d : f32
    linalg.yield %r : f32
  } -> tensor<2x4x4096xf32>
  %z0 = linalg.fill ins(%zero : f32) outs(%re : tensor<2x4xf32>) -> tensor<2x4xf32>
  %sums = linalg.generic {indexing_maps = [#e, #r], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%exps : tensor<2x4x4096xf32>) outs(%z0 : tensor<2x4xf32>) {
  ^bb0(%x: f32, %c: f32):
    %r = arith.addf %c, %x : f32
    linalg.yield %r : f32
  } -> tensor<2x4xf32>
  %we = tensor.empty() : tensor<2x4x64xf32>
  %o0 = linalg.fill ins(%zero : f32) outs(%we : tensor<2x4x64xf32>) -> tensor<2x4x64xf32>
  %weighted = linalg.generic {indexing_maps = [#p, #v, #o], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%exps, %v : tensor<2x4x4096xf32>, tensor<2x4096x64xf32>) outs(%o0 : tensor<2x4x64xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %m = arith.mulf %a, %b : f32
    %r = arith.addf %c, %m : f32
    linalg.yield %r : f32
  } -> tensor<2x4x64xf32>
  %out = linalg.generic {indexing_maps = [#e, #r, #e], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%weighted, %sums : tensor<2x4x64xf32>, tensor<2x4xf32>) outs(%oe : tensor<2x4x64xf32>) {
  ^bb0(%x: f32, %z: f32, %u: f32):
    %r = arith.divf %x, %z : f32
    linalg.yield %r : f32
  } -> tensor<2x4x64xf32>
  return %out : tensor<2x4x64xf32>
}
