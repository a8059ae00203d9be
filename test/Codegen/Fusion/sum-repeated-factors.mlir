// RUN: forge-opt %s --split-input-file --pass-pipeline="builtin.module(func.func(forge-sum-repeated-factors))" | FileCheck %s

// A dimension of the result that no factor has: those that read the result read the smaller one.
#y = affine_map<(b, t, n, k) -> (b, k)>
#w = affine_map<(b, t, n, k) -> (n, k)>
#o = affine_map<(b, t, n, k) -> (b, t, n)>
#all = affine_map<(b, t, n) -> (b, t, n)>
// CHECK-DAG: #[[SMALL:.*]] = affine_map<(d0, d1, d2) -> (d0, d2)>
// CHECK-LABEL: func.func @result(
// CHECK: %[[SUMS:.*]] = linalg.generic {{.*}} iterator_types = ["parallel", "parallel", "reduction"]
// CHECK-SAME: outs(%{{.*}} : tensor<32x40xf32>)
// CHECK: linalg.generic {indexing_maps = [#[[SMALL]],
// CHECK-SAME: ins(%[[SUMS]], %{{.*}} : tensor<32x40xf32>, tensor<32x19x40xf32>)
func.func @result(%y: tensor<32x24xbf16>, %w: tensor<40x24xbf16>, %z: tensor<32x19x40xf32>) -> tensor<32x19x40xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<32x19x40xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<32x19x40xf32>) -> tensor<32x19x40xf32>
  %0 = linalg.generic {indexing_maps = [#y, #w, #o], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%y, %w : tensor<32x24xbf16>, tensor<40x24xbf16>) outs(%f : tensor<32x19x40xf32>) {
  ^bb0(%a: bf16, %b: bf16, %c: f32):
    %1 = arith.extf %a : bf16 to f32
    %2 = arith.extf %b : bf16 to f32
    %3 = arith.mulf %1, %2 : f32
    %4 = arith.addf %c, %3 : f32
    linalg.yield %4 : f32
  } -> tensor<32x19x40xf32>
  %5 = linalg.generic {indexing_maps = [#all, #all, #all], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%0, %z : tensor<32x19x40xf32>, tensor<32x19x40xf32>) outs(%e : tensor<32x19x40xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %1 = arith.mulf %a, %b : f32
    linalg.yield %1 : f32
  } -> tensor<32x19x40xf32>
  return %5 : tensor<32x19x40xf32>
}

// -----

// Who reads nothing else, or is no linalg.generic, reads a broadcast.
#y = affine_map<(b, t, n, k) -> (b, k)>
#w = affine_map<(b, t, n, k) -> (n, k)>
#o = affine_map<(b, t, n, k) -> (b, t, n)>
// CHECK-LABEL: func.func @returned(
// CHECK: %[[SUMS:.*]] = linalg.generic {{.*}} outs(%{{.*}} : tensor<32x40xf32>)
// CHECK: %[[WHOLE:.*]] = linalg.broadcast ins(%[[SUMS]] : tensor<32x40xf32>) outs(%{{.*}} : tensor<32x19x40xf32>) dimensions = [1]
// CHECK: return %[[WHOLE]]
func.func @returned(%y: tensor<32x24xf32>, %w: tensor<40x24xf32>) -> tensor<32x19x40xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<32x19x40xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<32x19x40xf32>) -> tensor<32x19x40xf32>
  %0 = linalg.generic {indexing_maps = [#y, #w, #o], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%y, %w : tensor<32x24xf32>, tensor<40x24xf32>) outs(%f : tensor<32x19x40xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %3 = arith.mulf %a, %b : f32
    %4 = arith.addf %c, %3 : f32
    linalg.yield %4 : f32
  } -> tensor<32x19x40xf32>
  return %0 : tensor<32x19x40xf32>
}

// -----

// A dimension of the sum that one factor has alone, innermost or not.
#y = affine_map<(n, k, b, t) -> (b, n)>
#x = affine_map<(n, k, b, t) -> (b, t, k)>
#o = affine_map<(n, k, b, t) -> (n, k)>
// CHECK-LABEL: func.func @sum(
// CHECK-SAME: %[[Y:.*]]: tensor<32x24xbf16>, %[[X:.*]]: tensor<32x19x40xbf16>
// CHECK: %[[S:.*]] = linalg.generic {{.*}} iterator_types = ["parallel", "reduction", "parallel"]} ins(%[[X]] : {{.*}} outs(%{{.*}} : tensor<32x40xf32>)
// CHECK: %[[E:.*]] = linalg.generic {{.*}} ins(%[[Y]] : {{.*}} outs(%{{.*}} : tensor<32x24xf32>)
// CHECK: linalg.generic {{.*}} iterator_types = ["parallel", "parallel", "reduction"]} ins(%[[E]], %[[S]] : tensor<32x24xf32>, tensor<32x40xf32>)
func.func @sum(%y: tensor<32x24xbf16>, %x: tensor<32x19x40xbf16>) -> tensor<24x40xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<24x40xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<24x40xf32>) -> tensor<24x40xf32>
  %0 = linalg.generic {indexing_maps = [#y, #x, #o], iterator_types = ["parallel", "parallel", "reduction", "reduction"]}
      ins(%y, %x : tensor<32x24xbf16>, tensor<32x19x40xbf16>) outs(%f : tensor<24x40xf32>) {
  ^bb0(%a: bf16, %b: bf16, %c: f32):
    %1 = arith.extf %a : bf16 to f32
    %2 = arith.extf %b : bf16 to f32
    %3 = arith.mulf %1, %2 : f32
    %4 = arith.addf %c, %3 : f32
    linalg.yield %4 : f32
  } -> tensor<24x40xf32>
  return %0 : tensor<24x40xf32>
}

// -----

// Left alone: few terms; sums that start from something else; integers.
#y = affine_map<(n, k, b, t) -> (b, n)>
#x = affine_map<(n, k, b, t) -> (b, t, k)>
#o = affine_map<(n, k, b, t) -> (n, k)>
// CHECK-LABEL: func.func @few_terms(
// CHECK: iterator_types = ["parallel", "parallel", "reduction", "reduction"]
func.func @few_terms(%y: tensor<32x24xf32>, %x: tensor<32x15x40xf32>) -> tensor<24x40xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<24x40xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<24x40xf32>) -> tensor<24x40xf32>
  %0 = linalg.generic {indexing_maps = [#y, #x, #o], iterator_types = ["parallel", "parallel", "reduction", "reduction"]}
      ins(%y, %x : tensor<32x24xf32>, tensor<32x15x40xf32>) outs(%f : tensor<24x40xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %3 = arith.mulf %a, %b : f32
    %4 = arith.addf %c, %3 : f32
    linalg.yield %4 : f32
  } -> tensor<24x40xf32>
  return %0 : tensor<24x40xf32>
}
// CHECK-LABEL: func.func @starts_elsewhere(
// CHECK: iterator_types = ["parallel", "parallel", "reduction", "reduction"]
func.func @starts_elsewhere(%y: tensor<32x24xf32>, %x: tensor<32x19x40xf32>, %f: tensor<24x40xf32>) -> tensor<24x40xf32> {
  %0 = linalg.generic {indexing_maps = [#y, #x, #o], iterator_types = ["parallel", "parallel", "reduction", "reduction"]}
      ins(%y, %x : tensor<32x24xf32>, tensor<32x19x40xf32>) outs(%f : tensor<24x40xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %3 = arith.mulf %a, %b : f32
    %4 = arith.addf %c, %3 : f32
    linalg.yield %4 : f32
  } -> tensor<24x40xf32>
  return %0 : tensor<24x40xf32>
}
// CHECK-LABEL: func.func @integers(
// CHECK: iterator_types = ["parallel", "parallel", "reduction", "reduction"]
func.func @integers(%y: tensor<32x24xi32>, %x: tensor<32x19x40xi32>) -> tensor<24x40xi32> {
  %zero = arith.constant 0 : i32
  %e = tensor.empty() : tensor<24x40xi32>
  %f = linalg.fill ins(%zero : i32) outs(%e : tensor<24x40xi32>) -> tensor<24x40xi32>
  %0 = linalg.generic {indexing_maps = [#y, #x, #o], iterator_types = ["parallel", "parallel", "reduction", "reduction"]}
      ins(%y, %x : tensor<32x24xi32>, tensor<32x19x40xi32>) outs(%f : tensor<24x40xi32>) {
  ^bb0(%a: i32, %b: i32, %c: i32):
    %3 = arith.muli %a, %b : i32
    %4 = arith.addi %c, %3 : i32
    linalg.yield %4 : i32
  } -> tensor<24x40xi32>
  return %0 : tensor<24x40xi32>
}

// -----

// What a broadcast, rounded on the way, repeats is computed once; another that reads the repetitions does so.
#y = affine_map<(b, t, n, k) -> (b, t, k)>
#w = affine_map<(b, t, n, k) -> (n, k)>
#o = affine_map<(b, t, n, k) -> (b, t, n)>
#all = affine_map<(b, t, n) -> (b, t, n)>
#row = affine_map<(b, t, n) -> (b, n)>
// CHECK-LABEL: func.func @repeated(
// CHECK-SAME: %[[Y:.*]]: tensor<32x24xf32>
// CHECK: %[[ONCE:.*]] = linalg.generic {{.*}} ins(%[[Y]] : tensor<32x24xf32>) outs(%{{.*}} : tensor<32x24xbf16>)
// CHECK: %[[SUMS:.*]] = linalg.generic {{.*}} ins(%[[ONCE]], %{{.*}} outs(%{{.*}} : tensor<32x40xf32>)
// CHECK: linalg.broadcast ins(%[[SUMS]]
func.func @repeated(%y: tensor<32x24xf32>, %w: tensor<40x24xbf16>) -> (tensor<32x19x40xf32>, tensor<32x19x24xbf16>) {
  %r = tensor.empty() : tensor<32x19x24xbf16>
  %many = linalg.generic {indexing_maps = [#row, #all], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%y : tensor<32x24xf32>) outs(%r : tensor<32x19x24xbf16>) {
  ^bb0(%a: f32, %c: bf16):
    %1 = arith.truncf %a : f32 to bf16
    linalg.yield %1 : bf16
  } -> tensor<32x19x24xbf16>
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<32x19x40xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<32x19x40xf32>) -> tensor<32x19x40xf32>
  %0 = linalg.generic {indexing_maps = [#y, #w, #o], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%many, %w : tensor<32x19x24xbf16>, tensor<40x24xbf16>) outs(%f : tensor<32x19x40xf32>) {
  ^bb0(%a: bf16, %b: bf16, %c: f32):
    %1 = arith.extf %a : bf16 to f32
    %2 = arith.extf %b : bf16 to f32
    %3 = arith.mulf %1, %2 : f32
    %4 = arith.addf %c, %3 : f32
    linalg.yield %4 : f32
  } -> tensor<32x19x40xf32>
  return %0, %many : tensor<32x19x40xf32>, tensor<32x19x24xbf16>
}

// -----

// Left alone: bodies that do more than to add the product of both factors.
#y = affine_map<(n, k, b, t) -> (b, n)>
#x = affine_map<(n, k, b, t) -> (b, t, k)>
#o = affine_map<(n, k, b, t) -> (n, k)>
// CHECK-LABEL: func.func @unary(
// CHECK: iterator_types = ["parallel", "parallel", "reduction", "reduction"]
// CHECK: math.exp
// CHECK: arith.negf
func.func @unary(%y: tensor<32x24xf32>, %x: tensor<32x19x40xf32>) -> tensor<24x40xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<24x40xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<24x40xf32>) -> tensor<24x40xf32>
  %0 = linalg.generic {indexing_maps = [#y, #x, #o], iterator_types = ["parallel", "parallel", "reduction", "reduction"]}
      ins(%y, %x : tensor<32x24xf32>, tensor<32x19x40xf32>) outs(%f : tensor<24x40xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %1 = math.exp %b : f32
    %3 = arith.mulf %a, %1 : f32
    %n = arith.negf %3 : f32
    %4 = arith.addf %c, %n : f32
    linalg.yield %4 : f32
  } -> tensor<24x40xf32>
  return %0 : tensor<24x40xf32>
}

// -----

#y = affine_map<(n, k, b, t) -> (b, n)>
#x = affine_map<(n, k, b, t) -> (b, t, k)>
#o = affine_map<(n, k, b, t) -> (n, k)>
// CHECK-LABEL: func.func @narrow(
// CHECK: iterator_types = ["parallel", "parallel", "reduction", "reduction"]
func.func @narrow(%y: tensor<32x24xf32>, %x: tensor<32x19x40xf32>) -> tensor<24x40xbf16> {
  %zero = arith.constant 0.0 : bf16
  %e = tensor.empty() : tensor<24x40xbf16>
  %f = linalg.fill ins(%zero : bf16) outs(%e : tensor<24x40xbf16>) -> tensor<24x40xbf16>
  %0 = linalg.generic {indexing_maps = [#y, #x, #o], iterator_types = ["parallel", "parallel", "reduction", "reduction"]}
      ins(%y, %x : tensor<32x24xf32>, tensor<32x19x40xf32>) outs(%f : tensor<24x40xbf16>) {
  ^bb0(%a: f32, %b: f32, %c: bf16):
    %t = arith.truncf %a : f32 to bf16
    %1 = arith.truncf %b : f32 to bf16
    %3 = arith.mulf %t, %1 : bf16
    %4 = arith.addf %c, %3 : bf16
    linalg.yield %4 : bf16
  } -> tensor<24x40xbf16>
  return %0 : tensor<24x40xbf16>
}

// -----

// Products with a constant: the sums do not depend on the rows.
#w = affine_map<(m, n, k) -> (k, n)>
#o = affine_map<(m, n, k) -> (m, n)>
// CHECK-LABEL: func.func @constant(
// CHECK: linalg.generic {{.*}}iterator_types = ["parallel", "reduction"]} ins(%{{.*}} : tensor<24x40xf32>) outs(%{{.*}} : tensor<40xf32>)
// CHECK: linalg.broadcast ins(%{{.*}} : tensor<40xf32>) outs(%{{.*}} : tensor<16x40xf32>) dimensions = [0]
func.func @constant(%w: tensor<24x40xf32>) -> tensor<16x40xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<16x40xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<16x40xf32>) -> tensor<16x40xf32>
  %0 = linalg.generic {indexing_maps = [#w, #o], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%w : tensor<24x40xf32>) outs(%f : tensor<16x40xf32>) {
  ^bb0(%a: f32, %c: f32):
    %1 = arith.mulf %a, %zero : f32
    %2 = arith.addf %c, %1 : f32
    linalg.yield %2 : f32
  } -> tensor<16x40xf32>
  return %0 : tensor<16x40xf32>
}

// -----

// These do, by their numbers.
#w = affine_map<(m, n, k) -> (k, n)>
#o = affine_map<(m, n, k) -> (m, n)>
// CHECK-LABEL: func.func @numbered(
// CHECK: iterator_types = ["parallel", "parallel", "reduction"]
func.func @numbered(%w: tensor<24x40xf32>) -> tensor<16x40xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<16x40xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<16x40xf32>) -> tensor<16x40xf32>
  %0 = linalg.generic {indexing_maps = [#w, #o], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%w : tensor<24x40xf32>) outs(%f : tensor<16x40xf32>) {
  ^bb0(%a: f32, %c: f32):
    %m = linalg.index 0 : index
    %i = arith.index_cast %m : index to i32
    %x = arith.sitofp %i : i32 to f32
    %1 = arith.mulf %a, %x : f32
    %2 = arith.addf %c, %1 : f32
    linalg.yield %2 : f32
  } -> tensor<16x40xf32>
  return %0 : tensor<16x40xf32>
}
