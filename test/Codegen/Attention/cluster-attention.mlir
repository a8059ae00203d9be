// Attention of a few queries is one cluster, if the softmax is one, and over the scores.
// RUN: forge-opt %s --pass-pipeline="builtin.module(func.func(forge-cluster-attention{chip=sm_90a}))" | FileCheck %s
// RUN: forge-opt %s --pass-pipeline="builtin.module(func.func(forge-cluster-attention{chip=gfx942}))" | FileCheck %s
// RUN: not forge-opt %s --pass-pipeline="builtin.module(func.func(forge-cluster-attention{chip=none}))" 2>&1 | FileCheck %s --check-prefix=CHIP

// CHIP: error: unknown chip 'none'

#q = affine_map<(b, m, t, d) -> (b, m, d)>
#k = affine_map<(b, m, t, d) -> (b, t, d)>
#s = affine_map<(b, m, t, d) -> (b, m, t)>
#e = affine_map<(b, m, t) -> (b, m, t)>
#r = affine_map<(b, m, t) -> (b, m)>
#p = affine_map<(b, m, c, t) -> (b, m, t)>
#v = affine_map<(b, m, c, t) -> (b, t, c)>
#o = affine_map<(b, m, c, t) -> (b, m, c)>

// CHECK-LABEL: @softmax(
// CHECK: linalg.fill
// CHECK-COUNT-6: forge.cluster = "attention0"
// CHECK: return
func.func @softmax(%q: tensor<2x4x64xf32>, %k: tensor<2x96x64xf32>, %v: tensor<2x96x64xf32>) -> tensor<2x4x64xf32> {
  %lowest = arith.constant 0xFF800000 : f32
  %zero = arith.constant 0.0 : f32
  %se = tensor.empty() : tensor<2x4x96xf32>
  %re = tensor.empty() : tensor<2x4xf32>
  %oe = tensor.empty() : tensor<2x4x64xf32>
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
  %o0 = linalg.fill ins(%zero : f32) outs(%oe : tensor<2x4x64xf32>) -> tensor<2x4x64xf32>
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

// The maximum is one of other numbers than the exponentials are taken of.
// CHECK-LABEL: @another_maximum(
// CHECK-NOT: forge.cluster
// CHECK: return
func.func @another_maximum(%q: tensor<2x4x64xf32>, %k: tensor<2x96x64xf32>, %v: tensor<2x96x64xf32>) -> tensor<2x4x64xf32> {
  %lowest = arith.constant 0xFF800000 : f32
  %zero = arith.constant 0.0 : f32
  %se = tensor.empty() : tensor<2x4x96xf32>
  %re = tensor.empty() : tensor<2x4xf32>
  %oe = tensor.empty() : tensor<2x4x64xf32>
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
    %h = arith.constant 2.500000e-01 : f32
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
  %o0 = linalg.fill ins(%zero : f32) outs(%oe : tensor<2x4x64xf32>) -> tensor<2x4x64xf32>
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

// The sum is one of the scores.
// CHECK-LABEL: @another_sum(
// CHECK-NOT: forge.cluster
// CHECK: return
func.func @another_sum(%q: tensor<2x4x64xf32>, %k: tensor<2x96x64xf32>, %v: tensor<2x96x64xf32>) -> tensor<2x4x64xf32> {
  %lowest = arith.constant 0xFF800000 : f32
  %zero = arith.constant 0.0 : f32
  %se = tensor.empty() : tensor<2x4x96xf32>
  %re = tensor.empty() : tensor<2x4xf32>
  %oe = tensor.empty() : tensor<2x4x64xf32>
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
      ins(%scores : tensor<2x4x96xf32>) outs(%z0 : tensor<2x4xf32>) {
  ^bb0(%x: f32, %c: f32):
    %r = arith.addf %c, %x : f32
    linalg.yield %r : f32
  } -> tensor<2x4xf32>
  %o0 = linalg.fill ins(%zero : f32) outs(%oe : tensor<2x4x64xf32>) -> tensor<2x4x64xf32>
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

// A minimum.
// CHECK-LABEL: @minimum(
// CHECK-NOT: forge.cluster
// CHECK: return
func.func @minimum(%q: tensor<2x4x64xf32>, %k: tensor<2x96x64xf32>, %v: tensor<2x96x64xf32>) -> tensor<2x4x64xf32> {
  %lowest = arith.constant 0xFF800000 : f32
  %zero = arith.constant 0.0 : f32
  %se = tensor.empty() : tensor<2x4x96xf32>
  %re = tensor.empty() : tensor<2x4xf32>
  %oe = tensor.empty() : tensor<2x4x64xf32>
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
    %r = arith.minimumf %c, %y : f32
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
  %o0 = linalg.fill ins(%zero : f32) outs(%oe : tensor<2x4x64xf32>) -> tensor<2x4x64xf32>
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

// Somebody else needs the weights.
// CHECK-LABEL: @weights_too(
// CHECK-NOT: forge.cluster
// CHECK: return
func.func @weights_too(%q: tensor<2x4x64xf32>, %k: tensor<2x96x64xf32>, %v: tensor<2x96x64xf32>) -> (tensor<2x4x64xf32>, tensor<2x4x96xf32>) {
  %lowest = arith.constant 0xFF800000 : f32
  %zero = arith.constant 0.0 : f32
  %se = tensor.empty() : tensor<2x4x96xf32>
  %re = tensor.empty() : tensor<2x4xf32>
  %oe = tensor.empty() : tensor<2x4x64xf32>
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
  %o0 = linalg.fill ins(%zero : f32) outs(%oe : tensor<2x4x64xf32>) -> tensor<2x4x64xf32>
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
  return %out, %exps : tensor<2x4x64xf32>, tensor<2x4x96xf32>
}

// What is subtracted differs from key to key.
// CHECK-LABEL: @base_of_a_key(
// CHECK-NOT: forge.cluster
// CHECK: return
func.func @base_of_a_key(%q: tensor<2x4x64xf32>, %k: tensor<2x96x64xf32>, %v: tensor<2x96x64xf32>) -> tensor<2x4x64xf32> {
  %lowest = arith.constant 0xFF800000 : f32
  %zero = arith.constant 0.0 : f32
  %se = tensor.empty() : tensor<2x4x96xf32>
  %re = tensor.empty() : tensor<2x4xf32>
  %oe = tensor.empty() : tensor<2x4x64xf32>
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
    %t = linalg.index 2 : index
    %i = arith.index_cast %t : index to i32
    %f = arith.sitofp %i : i32 to f32
    %n = arith.addf %m, %f : f32
    %d = arith.subf %y, %n : f32
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
  %o0 = linalg.fill ins(%zero : f32) outs(%oe : tensor<2x4x64xf32>) -> tensor<2x4x64xf32>
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

// The weights are powers of two: not yet taken.
// CHECK-LABEL: @powers(
// CHECK-NOT: forge.cluster
// CHECK: return
func.func @powers(%q: tensor<2x4x64xf32>, %k: tensor<2x96x64xf32>, %v: tensor<2x96x64xf32>) -> tensor<2x4x64xf32> {
  %lowest = arith.constant 0xFF800000 : f32
  %zero = arith.constant 0.0 : f32
  %se = tensor.empty() : tensor<2x4x96xf32>
  %re = tensor.empty() : tensor<2x4xf32>
  %oe = tensor.empty() : tensor<2x4x64xf32>
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
    %r = math.exp2 %d : f32
    linalg.yield %r : f32
  } -> tensor<2x4x96xf32>
  %z0 = linalg.fill ins(%zero : f32) outs(%re : tensor<2x4xf32>) -> tensor<2x4xf32>
  %sums = linalg.generic {indexing_maps = [#e, #r], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%exps : tensor<2x4x96xf32>) outs(%z0 : tensor<2x4xf32>) {
  ^bb0(%x: f32, %c: f32):
    %r = arith.addf %c, %x : f32
    linalg.yield %r : f32
  } -> tensor<2x4xf32>
  %o0 = linalg.fill ins(%zero : f32) outs(%oe : tensor<2x4x64xf32>) -> tensor<2x4x64xf32>
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

// Nine rows are strategy flash's.
// CHECK-LABEL: @nine_rows(
// CHECK-COUNT-6: forge.cluster = "attention0"
// CHECK-NOT: forge.cluster
// CHECK: return
func.func @nine_rows(%q: tensor<2x9x64xf32>, %k: tensor<2x96x64xf32>, %v: tensor<2x96x64xf32>) -> tensor<2x9x64xf32> {
  %lowest = arith.constant 0xFF800000 : f32
  %zero = arith.constant 0.0 : f32
  %se = tensor.empty() : tensor<2x9x96xf32>
  %re = tensor.empty() : tensor<2x9xf32>
  %oe = tensor.empty() : tensor<2x9x64xf32>
  %s0 = linalg.fill ins(%zero : f32) outs(%se : tensor<2x9x96xf32>) -> tensor<2x9x96xf32>
  %scores = linalg.generic {indexing_maps = [#q, #k, #s], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%q, %k : tensor<2x9x64xf32>, tensor<2x96x64xf32>) outs(%s0 : tensor<2x9x96xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %m = arith.mulf %a, %b : f32
    %r = arith.addf %c, %m : f32
    linalg.yield %r : f32
  } -> tensor<2x9x96xf32>
  %m0 = linalg.fill ins(%lowest : f32) outs(%re : tensor<2x9xf32>) -> tensor<2x9xf32>
  %largest = linalg.generic {indexing_maps = [#e, #r], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%scores : tensor<2x9x96xf32>) outs(%m0 : tensor<2x9xf32>) {
  ^bb0(%x: f32, %c: f32):
    %h = arith.constant 5.000000e-01 : f32
    %y = arith.mulf %x, %h : f32
    %r = arith.maximumf %c, %y : f32
    linalg.yield %r : f32
  } -> tensor<2x9xf32>
  %exps = linalg.generic {indexing_maps = [#e, #r, #e], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%scores, %largest : tensor<2x9x96xf32>, tensor<2x9xf32>) outs(%se : tensor<2x9x96xf32>) {
  ^bb0(%x: f32, %m: f32, %u: f32):
    %h = arith.constant 5.000000e-01 : f32
    %y = arith.mulf %x, %h : f32
    %d = arith.subf %y, %m : f32
    %r = math.exp %d : f32
    linalg.yield %r : f32
  } -> tensor<2x9x96xf32>
  %z0 = linalg.fill ins(%zero : f32) outs(%re : tensor<2x9xf32>) -> tensor<2x9xf32>
  %sums = linalg.generic {indexing_maps = [#e, #r], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%exps : tensor<2x9x96xf32>) outs(%z0 : tensor<2x9xf32>) {
  ^bb0(%x: f32, %c: f32):
    %r = arith.addf %c, %x : f32
    linalg.yield %r : f32
  } -> tensor<2x9xf32>
  %o0 = linalg.fill ins(%zero : f32) outs(%oe : tensor<2x9x64xf32>) -> tensor<2x9x64xf32>
  %weighted = linalg.generic {indexing_maps = [#p, #v, #o], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%exps, %v : tensor<2x9x96xf32>, tensor<2x96x64xf32>) outs(%o0 : tensor<2x9x64xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %m = arith.mulf %a, %b : f32
    %r = arith.addf %c, %m : f32
    linalg.yield %r : f32
  } -> tensor<2x9x64xf32>
  %out = linalg.generic {indexing_maps = [#e, #r, #e], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%weighted, %sums : tensor<2x9x64xf32>, tensor<2x9xf32>) outs(%oe : tensor<2x9x64xf32>) {
  ^bb0(%x: f32, %z: f32, %u: f32):
    %r = arith.divf %x, %z : f32
    linalg.yield %r : f32
  } -> tensor<2x9x64xf32>
  return %out : tensor<2x9x64xf32>
}

// So are a few rows of 60 elements, which are no power of two of accesses.
// CHECK-LABEL: @odd_depth(
// CHECK-COUNT-6: forge.cluster = "attention0"
// CHECK-NOT: forge.cluster
// CHECK: return
func.func @odd_depth(%q: tensor<2x4x60xf32>, %k: tensor<2x96x60xf32>, %v: tensor<2x96x60xf32>) -> tensor<2x4x60xf32> {
  %lowest = arith.constant 0xFF800000 : f32
  %zero = arith.constant 0.0 : f32
  %se = tensor.empty() : tensor<2x4x96xf32>
  %re = tensor.empty() : tensor<2x4xf32>
  %oe = tensor.empty() : tensor<2x4x60xf32>
  %s0 = linalg.fill ins(%zero : f32) outs(%se : tensor<2x4x96xf32>) -> tensor<2x4x96xf32>
  %scores = linalg.generic {indexing_maps = [#q, #k, #s], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%q, %k : tensor<2x4x60xf32>, tensor<2x96x60xf32>) outs(%s0 : tensor<2x4x96xf32>) {
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
  %o0 = linalg.fill ins(%zero : f32) outs(%oe : tensor<2x4x60xf32>) -> tensor<2x4x60xf32>
  %weighted = linalg.generic {indexing_maps = [#p, #v, #o], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%exps, %v : tensor<2x4x96xf32>, tensor<2x96x60xf32>) outs(%o0 : tensor<2x4x60xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %m = arith.mulf %a, %b : f32
    %r = arith.addf %c, %m : f32
    linalg.yield %r : f32
  } -> tensor<2x4x60xf32>
  %out = linalg.generic {indexing_maps = [#e, #r, #e], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%weighted, %sums : tensor<2x4x60xf32>, tensor<2x4xf32>) outs(%oe : tensor<2x4x60xf32>) {
  ^bb0(%x: f32, %z: f32, %u: f32):
    %r = arith.divf %x, %z : f32
    linalg.yield %r : f32
  } -> tensor<2x4x60xf32>
  return %out : tensor<2x4x60xf32>
}

// Two layers start from the same fills, and the second one's values are a product, too: each is a cluster of its own.
// CHECK-LABEL: @two_layers(
// CHECK-COUNT-6: forge.cluster = "attention0"
// CHECK-NOT: forge.cluster
// CHECK: linalg.generic {{.*}} ins(%{{.*}}, %{{.*}} : tensor<2x96x8xf32>, tensor<8x64xf32>)
// CHECK-COUNT-6: forge.cluster = "attention1"
// CHECK-NOT: forge.cluster
// CHECK: return
#hidden = affine_map<(b, t, c, h) -> (b, t, h)>
#weights = affine_map<(b, t, c, h) -> (h, c)>
#made = affine_map<(b, t, c, h) -> (b, t, c)>
func.func @two_layers(%q: tensor<2x4x64xf32>, %k: tensor<2x96x64xf32>, %v: tensor<2x96x64xf32>, %input: tensor<2x96x8xf32>, %w: tensor<8x64xf32>) -> tensor<2x4x64xf32> {
  %lowest = arith.constant 0xFF800000 : f32
  %zero = arith.constant 0.0 : f32
  %se = tensor.empty() : tensor<2x4x96xf32>
  %re = tensor.empty() : tensor<2x4xf32>
  %oe = tensor.empty() : tensor<2x4x64xf32>
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
  %o0 = linalg.fill ins(%zero : f32) outs(%oe : tensor<2x4x64xf32>) -> tensor<2x4x64xf32>
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
  %ve = tensor.empty() : tensor<2x96x64xf32>
  %v0 = linalg.fill ins(%zero : f32) outs(%ve : tensor<2x96x64xf32>) -> tensor<2x96x64xf32>
  %values = linalg.generic {indexing_maps = [#hidden, #weights, #made], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%input, %w : tensor<2x96x8xf32>, tensor<8x64xf32>) outs(%v0 : tensor<2x96x64xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %m = arith.mulf %a, %b : f32
    %r = arith.addf %c, %m : f32
    linalg.yield %r : f32
  } -> tensor<2x96x64xf32>
  %scores_2 = linalg.generic {indexing_maps = [#q, #k, #s], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%out, %k : tensor<2x4x64xf32>, tensor<2x96x64xf32>) outs(%s0 : tensor<2x4x96xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %m = arith.mulf %a, %b : f32
    %r = arith.addf %c, %m : f32
    linalg.yield %r : f32
  } -> tensor<2x4x96xf32>
  %largest_2 = linalg.generic {indexing_maps = [#e, #r], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%scores_2 : tensor<2x4x96xf32>) outs(%m0 : tensor<2x4xf32>) {
  ^bb0(%x: f32, %c: f32):
    %h = arith.constant 5.000000e-01 : f32
    %y = arith.mulf %x, %h : f32
    %r = arith.maximumf %c, %y : f32
    linalg.yield %r : f32
  } -> tensor<2x4xf32>
  %exps_2 = linalg.generic {indexing_maps = [#e, #r, #e], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%scores_2, %largest_2 : tensor<2x4x96xf32>, tensor<2x4xf32>) outs(%se : tensor<2x4x96xf32>) {
  ^bb0(%x: f32, %m: f32, %u: f32):
    %h = arith.constant 5.000000e-01 : f32
    %y = arith.mulf %x, %h : f32
    %d = arith.subf %y, %m : f32
    %r = math.exp %d : f32
    linalg.yield %r : f32
  } -> tensor<2x4x96xf32>
  %sums_2 = linalg.generic {indexing_maps = [#e, #r], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%exps_2 : tensor<2x4x96xf32>) outs(%z0 : tensor<2x4xf32>) {
  ^bb0(%x: f32, %c: f32):
    %r = arith.addf %c, %x : f32
    linalg.yield %r : f32
  } -> tensor<2x4xf32>
  %weighted_2 = linalg.generic {indexing_maps = [#p, #v, #o], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%exps_2, %values : tensor<2x4x96xf32>, tensor<2x96x64xf32>) outs(%o0 : tensor<2x4x64xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %m = arith.mulf %a, %b : f32
    %r = arith.addf %c, %m : f32
    linalg.yield %r : f32
  } -> tensor<2x4x64xf32>
  %out_2 = linalg.generic {indexing_maps = [#e, #r, #e], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%weighted_2, %sums_2 : tensor<2x4x64xf32>, tensor<2x4xf32>) outs(%oe : tensor<2x4x64xf32>) {
  ^bb0(%x: f32, %z: f32, %u: f32):
    %r = arith.divf %x, %z : f32
    linalg.yield %r : f32
  } -> tensor<2x4x64xf32>
  return %out_2 : tensor<2x4x64xf32>
}
