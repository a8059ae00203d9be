// RUN: forge-opt %s --split-input-file --forge-cluster-rows | FileCheck %s

#m = affine_map<(d0, d1) -> (d0, d1)>
#r = affine_map<(d0, d1) -> (d0)>
#c = affine_map<(d0, d1) -> (d1)>

// A softmax is one kernel: maximum, exponentials, their sum, the quotient.
// CHECK-LABEL: func.func @softmax
// CHECK-COUNT-4: forge.cluster = 0
// CHECK-NOT: forge.cluster
func.func @softmax(%x: tensor<64x96xf32>) -> tensor<64x96xf32> {
  %lowest = arith.constant 0xFF800000 : f32
  %zero = arith.constant 0.0 : f32
  %row = tensor.empty() : tensor<64xf32>
  %all = tensor.empty() : tensor<64x96xf32>
  %0 = linalg.fill ins(%lowest : f32) outs(%row : tensor<64xf32>) -> tensor<64xf32>
  %max = linalg.generic {indexing_maps = [#m, #r], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<64x96xf32>) outs(%0 : tensor<64xf32>) {
  ^bb0(%in: f32, %out: f32):
    %1 = arith.maximumf %in, %out : f32
    linalg.yield %1 : f32
  } -> tensor<64xf32>
  %exp = linalg.generic {indexing_maps = [#m, #r, #m], iterator_types = ["parallel", "parallel"]} ins(%x, %max : tensor<64x96xf32>, tensor<64xf32>) outs(%all : tensor<64x96xf32>) {
  ^bb0(%in: f32, %top: f32, %out: f32):
    %1 = arith.subf %in, %top : f32
    %2 = math.exp %1 : f32
    linalg.yield %2 : f32
  } -> tensor<64x96xf32>
  %3 = linalg.fill ins(%zero : f32) outs(%row : tensor<64xf32>) -> tensor<64xf32>
  %sum = linalg.generic {indexing_maps = [#m, #r], iterator_types = ["parallel", "reduction"]} ins(%exp : tensor<64x96xf32>) outs(%3 : tensor<64xf32>) {
  ^bb0(%in: f32, %out: f32):
    %1 = arith.addf %in, %out : f32
    linalg.yield %1 : f32
  } -> tensor<64xf32>
  %div = linalg.generic {indexing_maps = [#m, #r, #m], iterator_types = ["parallel", "parallel"]} ins(%exp, %sum : tensor<64x96xf32>, tensor<64xf32>) outs(%all : tensor<64x96xf32>) {
  ^bb0(%in: f32, %total: f32, %out: f32):
    %1 = arith.divf %in, %total : f32
    linalg.yield %1 : f32
  } -> tensor<64x96xf32>
  return %div : tensor<64x96xf32>
}

// -----

#m = affine_map<(d0, d1) -> (d0, d1)>
#r = affine_map<(d0, d1) -> (d0)>
#c = affine_map<(d0, d1) -> (d1)>

// A sum over columns that memory does not hold side by side stays out, and so does what is read along the other dimension.
// CHECK-LABEL: func.func @other_dimension
// CHECK-NOT: forge.cluster
func.func @other_dimension(%x: tensor<64x96xf32>, %e: tensor<96xf32>, %all: tensor<64x96xf32>) -> tensor<64x96xf32> {
  %sum = linalg.generic {indexing_maps = [#m, #c], iterator_types = ["reduction", "parallel"]} ins(%x : tensor<64x96xf32>) outs(%e : tensor<96xf32>) {
  ^bb0(%in: f32, %out: f32):
    %1 = arith.addf %in, %out : f32
    linalg.yield %1 : f32
  } -> tensor<96xf32>
  %sub = linalg.generic {indexing_maps = [#m, #c, #m], iterator_types = ["parallel", "parallel"]} ins(%x, %sum : tensor<64x96xf32>, tensor<96xf32>) outs(%all : tensor<64x96xf32>) {
  ^bb0(%in: f32, %total: f32, %out: f32):
    %1 = arith.subf %in, %total : f32
    linalg.yield %1 : f32
  } -> tensor<64x96xf32>
  return %sub : tensor<64x96xf32>
}

// -----

#m = affine_map<(d0, d1) -> (d0, d1)>
#r = affine_map<(d0, d1) -> (d0)>

// A result that something else needs before the root keeps its operation out; one that is only returned does not.
// CHECK-LABEL: func.func @needed_between
// CHECK: math.exp
// CHECK-NOT: forge.cluster
// CHECK: tensor.extract
// CHECK-LABEL: func.func @returned
// CHECK: forge.cluster = 0
// CHECK: math.exp
// CHECK: forge.cluster = 0
// CHECK: arith.addf
func.func @needed_between(%x: tensor<64x96xf32>, %e: tensor<64x96xf32>, %s: tensor<64xf32>, %i: index) -> (tensor<64xf32>, f32) {
  %exp = linalg.generic {indexing_maps = [#m, #m], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<64x96xf32>) outs(%e : tensor<64x96xf32>) {
  ^bb0(%in: f32, %out: f32):
    %1 = math.exp %in : f32
    linalg.yield %1 : f32
  } -> tensor<64x96xf32>
  %one = tensor.extract %exp[%i, %i] : tensor<64x96xf32>
  %sum = linalg.generic {indexing_maps = [#m, #r], iterator_types = ["parallel", "reduction"]} ins(%exp : tensor<64x96xf32>) outs(%s : tensor<64xf32>) {
  ^bb0(%in: f32, %out: f32):
    %1 = arith.addf %in, %out : f32
    linalg.yield %1 : f32
  } -> tensor<64xf32>
  return %sum, %one : tensor<64xf32>, f32
}
func.func @returned(%x: tensor<64x96xf32>, %e: tensor<64x96xf32>, %s: tensor<64xf32>) -> (tensor<64xf32>, tensor<64x96xf32>) {
  %exp = linalg.generic {indexing_maps = [#m, #m], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<64x96xf32>) outs(%e : tensor<64x96xf32>) {
  ^bb0(%in: f32, %out: f32):
    %1 = math.exp %in : f32
    linalg.yield %1 : f32
  } -> tensor<64x96xf32>
  %sum = linalg.generic {indexing_maps = [#m, #r], iterator_types = ["parallel", "reduction"]} ins(%exp : tensor<64x96xf32>) outs(%s : tensor<64xf32>) {
  ^bb0(%in: f32, %out: f32):
    %1 = arith.addf %in, %out : f32
    linalg.yield %1 : f32
  } -> tensor<64xf32>
  return %sum, %exp : tensor<64xf32>, tensor<64x96xf32>
}

// -----

#m = affine_map<(d0, d1) -> (d0, d1)>
#r = affine_map<(d0, d1) -> (d0)>

// Sums over two dimensions that are not known to be equal: no row space holds both.
// CHECK-LABEL: func.func @unrelated_lengths
// CHECK-NOT: forge.cluster
func.func @unrelated_lengths(%x: tensor<64x?xf32>, %y: tensor<64x?xf32>) -> tensor<64xf32> {
  %zero = arith.constant 0.0 : f32
  %row = tensor.empty() : tensor<64xf32>
  %0 = linalg.fill ins(%zero : f32) outs(%row : tensor<64xf32>) -> tensor<64xf32>
  %sum = linalg.generic {indexing_maps = [#m, #r], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<64x?xf32>) outs(%0 : tensor<64xf32>) {
  ^bb0(%in: f32, %out: f32):
    %1 = arith.addf %in, %out : f32
    linalg.yield %1 : f32
  } -> tensor<64xf32>
  %3 = linalg.fill ins(%zero : f32) outs(%row : tensor<64xf32>) -> tensor<64xf32>
  %weighted = linalg.generic {indexing_maps = [#m, #r, #r], iterator_types = ["parallel", "reduction"]} ins(%y, %sum : tensor<64x?xf32>, tensor<64xf32>) outs(%3 : tensor<64xf32>) {
  ^bb0(%in: f32, %total: f32, %out: f32):
    %1 = arith.mulf %in, %total : f32
    %2 = arith.addf %1, %out : f32
    linalg.yield %2 : f32
  } -> tensor<64xf32>
  return %weighted : tensor<64xf32>
}

// -----

#m = affine_map<(d0, d1) -> (d0, d1)>
#r = affine_map<(d0, d1) -> (d0)>

// The same over one dimension: it is read through the same operand.
// CHECK-LABEL: func.func @one_length
// CHECK-COUNT-2: forge.cluster = 0
// CHECK-NOT: forge.cluster
func.func @one_length(%x: tensor<64x?xf32>) -> tensor<64xf32> {
  %zero = arith.constant 0.0 : f32
  %row = tensor.empty() : tensor<64xf32>
  %0 = linalg.fill ins(%zero : f32) outs(%row : tensor<64xf32>) -> tensor<64xf32>
  %sum = linalg.generic {indexing_maps = [#m, #r], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<64x?xf32>) outs(%0 : tensor<64xf32>) {
  ^bb0(%in: f32, %out: f32):
    %1 = arith.addf %in, %out : f32
    linalg.yield %1 : f32
  } -> tensor<64xf32>
  %3 = linalg.fill ins(%zero : f32) outs(%row : tensor<64xf32>) -> tensor<64xf32>
  %weighted = linalg.generic {indexing_maps = [#m, #r, #r], iterator_types = ["parallel", "reduction"]} ins(%x, %sum : tensor<64x?xf32>, tensor<64xf32>) outs(%3 : tensor<64xf32>) {
  ^bb0(%in: f32, %total: f32, %out: f32):
    %1 = arith.mulf %in, %total : f32
    %2 = arith.addf %1, %out : f32
    linalg.yield %2 : f32
  } -> tensor<64xf32>
  return %weighted : tensor<64xf32>
}

// -----

#id = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#shared = affine_map<(d0, d1, d2) -> (d1, d2)>
#m = affine_map<(d0, d1) -> (d0, d1)>

// Cosines that every head reads are not computed again for each; a cheap producer is.
// CHECK-LABEL: func.func @heads
// CHECK-NOT: forge.cluster
// CHECK: math.cos
// CHECK: forge.cluster = 0
// CHECK: forge.cluster = 0
// CHECK-NOT: forge.cluster
func.func @heads(%x: tensor<4x16x64xf32>, %p: tensor<16x64xf32>) -> tensor<4x16x64xf32> {
  %e = tensor.empty() : tensor<16x64xf32>
  %all = tensor.empty() : tensor<4x16x64xf32>
  %cos = linalg.generic {indexing_maps = [#m, #m], iterator_types = ["parallel", "parallel"]} ins(%p : tensor<16x64xf32>) outs(%e : tensor<16x64xf32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = math.cos %in : f32
    linalg.yield %0 : f32
  } -> tensor<16x64xf32>
  %twice = linalg.generic {indexing_maps = [#m, #m], iterator_types = ["parallel", "parallel"]} ins(%p : tensor<16x64xf32>) outs(%e : tensor<16x64xf32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = arith.addf %in, %in : f32
    linalg.yield %0 : f32
  } -> tensor<16x64xf32>
  %y = linalg.generic {indexing_maps = [#id, #shared, #shared, #id], iterator_types = ["parallel", "parallel", "parallel"]} ins(%x, %cos, %twice : tensor<4x16x64xf32>, tensor<16x64xf32>, tensor<16x64xf32>) outs(%all : tensor<4x16x64xf32>) {
  ^bb0(%in: f32, %c: f32, %t: f32, %out: f32):
    %0 = arith.mulf %in, %c : f32
    %1 = arith.addf %0, %t : f32
    linalg.yield %1 : f32
  } -> tensor<4x16x64xf32>
  return %y : tensor<4x16x64xf32>
}

// -----

#all = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#channel = affine_map<(d0, d1, d2) -> (d0, d1)>
#state = affine_map<(d0, d1, d2) -> (d0, d2)>

// Two steps of a recurrence, with the sum over the states of each: what nothing else in the kernel reads joins with the state.
// CHECK-LABEL: func.func @steps
// CHECK-COUNT-4: forge.cluster = 0
// CHECK-NOT: forge.cluster
func.func @steps(%d: tensor<2x64x16xf32>, %s0: tensor<2x64x16xf32>, %c0: tensor<2x16xf32>, %c1: tensor<2x16xf32>) -> (tensor<2x64xf32>, tensor<2x64xf32>) {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2x64x16xf32>
  %ey = tensor.empty() : tensor<2x64xf32>
  %s1 = linalg.generic {indexing_maps = [#all, #all, #all], iterator_types = ["parallel", "parallel", "parallel"]} ins(%d, %s0 : tensor<2x64x16xf32>, tensor<2x64x16xf32>) outs(%e : tensor<2x64x16xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %0 = arith.mulf %a, %b : f32
    linalg.yield %0 : f32
  } -> tensor<2x64x16xf32>
  %f1 = linalg.fill ins(%zero : f32) outs(%ey : tensor<2x64xf32>) -> tensor<2x64xf32>
  %y1 = linalg.generic {indexing_maps = [#all, #state, #channel], iterator_types = ["parallel", "parallel", "reduction"]} ins(%s1, %c0 : tensor<2x64x16xf32>, tensor<2x16xf32>) outs(%f1 : tensor<2x64xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %0 = arith.mulf %a, %b : f32
    %1 = arith.addf %out, %0 : f32
    linalg.yield %1 : f32
  } -> tensor<2x64xf32>
  %s2 = linalg.generic {indexing_maps = [#all, #all, #all], iterator_types = ["parallel", "parallel", "parallel"]} ins(%d, %s1 : tensor<2x64x16xf32>, tensor<2x64x16xf32>) outs(%e : tensor<2x64x16xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %0 = arith.mulf %a, %b : f32
    linalg.yield %0 : f32
  } -> tensor<2x64x16xf32>
  %f2 = linalg.fill ins(%zero : f32) outs(%ey : tensor<2x64xf32>) -> tensor<2x64xf32>
  %y2 = linalg.generic {indexing_maps = [#all, #state, #channel], iterator_types = ["parallel", "parallel", "reduction"]} ins(%s2, %c1 : tensor<2x64x16xf32>, tensor<2x16xf32>) outs(%f2 : tensor<2x64xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %0 = arith.mulf %a, %b : f32
    %1 = arith.addf %out, %0 : f32
    linalg.yield %1 : f32
  } -> tensor<2x64xf32>
  return %y1, %y2 : tensor<2x64xf32>, tensor<2x64xf32>
}

// -----

#all = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#channel = affine_map<(d0, d1, d2) -> (d0, d1)>
#state = affine_map<(d0, d1, d2) -> (d0, d2)>

// Sums of 64 terms join nothing behind them, and neither do those of what is in memory.
// CHECK-LABEL: func.func @long_sums
// CHECK-COUNT-2: forge.cluster = 0
// CHECK-NOT: forge.cluster
func.func @long_sums(%d: tensor<2x64x64xf32>, %c: tensor<2x64xf32>, %m: tensor<2x64x16xf32>, %v: tensor<2x16xf32>, %x: tensor<2x64xf32>) -> (tensor<2x64xf32>, tensor<2x64xf32>) {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2x64x64xf32>
  %ey = tensor.empty() : tensor<2x64xf32>
  %s = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel", "parallel"]} ins(%d : tensor<2x64x64xf32>) outs(%e : tensor<2x64x64xf32>) {
  ^bb0(%a: f32, %out: f32):
    %0 = arith.mulf %a, %a : f32
    linalg.yield %0 : f32
  } -> tensor<2x64x64xf32>
  %f = linalg.fill ins(%zero : f32) outs(%ey : tensor<2x64xf32>) -> tensor<2x64xf32>
  %y = linalg.generic {indexing_maps = [#all, #state, #channel], iterator_types = ["parallel", "parallel", "reduction"]} ins(%s, %c : tensor<2x64x64xf32>, tensor<2x64xf32>) outs(%f : tensor<2x64xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %0 = arith.mulf %a, %b : f32
    %1 = arith.addf %out, %0 : f32
    linalg.yield %1 : f32
  } -> tensor<2x64xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%y : tensor<2x64xf32>) outs(%ey : tensor<2x64xf32>) {
  ^bb0(%a: f32, %out: f32):
    %0 = math.tanh %a : f32
    linalg.yield %0 : f32
  } -> tensor<2x64xf32>
  %g = linalg.fill ins(%zero : f32) outs(%ey : tensor<2x64xf32>) -> tensor<2x64xf32>
  %z = linalg.generic {indexing_maps = [#all, #state, #channel], iterator_types = ["parallel", "parallel", "reduction"]} ins(%m, %v : tensor<2x64x16xf32>, tensor<2x16xf32>) outs(%g : tensor<2x64xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %0 = arith.mulf %a, %b : f32
    %1 = arith.addf %out, %0 : f32
    linalg.yield %1 : f32
  } -> tensor<2x64xf32>
  %t = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%z : tensor<2x64xf32>) outs(%ey : tensor<2x64xf32>) {
  ^bb0(%a: f32, %out: f32):
    %0 = math.tanh %a : f32
    linalg.yield %0 : f32
  } -> tensor<2x64xf32>
  return %r, %t : tensor<2x64xf32>, tensor<2x64xf32>
}
