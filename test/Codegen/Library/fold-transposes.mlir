// Factors that are transposed copies, or slices of such, are read where they were.
// RUN: forge-opt %s --split-input-file --pass-pipeline="builtin.module(func.func(forge-fold-transposes))" | FileCheck %s

// CHECK-DAG: #[[N_K:.*]] = affine_map<(d0, d1, d2) -> (d1, d2)>
// CHECK-LABEL: func.func @transposed
// CHECK-NOT: linalg.transpose
// CHECK: linalg.generic {indexing_maps = [#{{.*}}, #[[N_K]], #{{.*}}]{{.*}} ins(%arg0, %arg1 :
func.func @transposed(%x: tensor<8x64xf32>, %w: tensor<32x64xf32>) -> tensor<8x32xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<64x32xf32>
  %t = linalg.transpose ins(%w : tensor<32x64xf32>) outs(%e : tensor<64x32xf32>) permutation = [1, 0]
  %o = tensor.empty() : tensor<8x32xf32>
  %start = linalg.fill ins(%zero : f32) outs(%o : tensor<8x32xf32>) -> tensor<8x32xf32>
  %0 = linalg.matmul ins(%x, %t : tensor<8x64xf32>, tensor<64x32xf32>) outs(%start : tensor<8x32xf32>) -> tensor<8x32xf32>
  return %0 : tensor<8x32xf32>
}

// -----

// The slice has the tensor's order, and drops the same dimension.
// CHECK-DAG: #[[K_M:.*]] = affine_map<(d0, d1, d2) -> (d2, d0)>
// CHECK-LABEL: func.func @slice_of_transposed
// CHECK: %[[PART:.*]] = tensor.extract_slice %arg0[16, 1, 0] [64, 1, 8] [1, 1, 1] : tensor<80x2x8xf32> to tensor<64x8xf32>
// CHECK: linalg.generic {indexing_maps = [#[[K_M]], #{{.*}}, #{{.*}}]{{.*}} ins(%[[PART]], %arg1 :
func.func @slice_of_transposed(%x: tensor<80x2x8xf32>, %w: tensor<64x32xf32>) -> tensor<8x32xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2x8x80xf32>
  %t = linalg.generic {indexing_maps = [affine_map<(a, b, c) -> (c, a, b)>, affine_map<(a, b, c) -> (a, b, c)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%x : tensor<80x2x8xf32>) outs(%e : tensor<2x8x80xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<2x8x80xf32>
  %part = tensor.extract_slice %t[1, 0, 16] [1, 8, 64] [1, 1, 1] : tensor<2x8x80xf32> to tensor<8x64xf32>
  %o = tensor.empty() : tensor<8x32xf32>
  %start = linalg.fill ins(%zero : f32) outs(%o : tensor<8x32xf32>) -> tensor<8x32xf32>
  %0 = linalg.matmul ins(%part, %w : tensor<8x64xf32>, tensor<64x32xf32>) outs(%start : tensor<8x32xf32>) -> tensor<8x32xf32>
  return %0 : tensor<8x32xf32>
}

// -----

// What computes a factor does so as its input is; a product that goes on from other sums is not this pass's.
// CHECK-DAG: #[[N_K:.*]] = affine_map<(d0, d1, d2) -> (d1, d2)>
// CHECK-LABEL: func.func @others
// CHECK: %[[NEGATED:.*]] = linalg.generic {{.*}} ins(%arg1 : tensor<32x64xf32>) outs(%{{.*}} : tensor<32x64xf32>)
// CHECK: linalg.generic {indexing_maps = [#{{.*}}, #[[N_K]], #{{.*}}]{{.*}} ins(%arg0, %[[NEGATED]] :
// CHECK: %[[COPY:.*]] = linalg.transpose
// CHECK: linalg.matmul ins(%arg0, %[[COPY]] :
func.func @others(%x: tensor<8x64xf32>, %w: tensor<32x64xf32>, %sums: tensor<8x32xf32>) -> (tensor<8x32xf32>, tensor<8x32xf32>) {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<64x32xf32>
  %n = linalg.generic {indexing_maps = [affine_map<(a, b) -> (b, a)>, affine_map<(a, b) -> (a, b)>], iterator_types = ["parallel", "parallel"]} ins(%w : tensor<32x64xf32>) outs(%e : tensor<64x32xf32>) {
  ^bb0(%in: f32, %out: f32):
    %negated = arith.negf %in : f32
    linalg.yield %negated : f32
  } -> tensor<64x32xf32>
  %o = tensor.empty() : tensor<8x32xf32>
  %start = linalg.fill ins(%zero : f32) outs(%o : tensor<8x32xf32>) -> tensor<8x32xf32>
  %0 = linalg.matmul ins(%x, %n : tensor<8x64xf32>, tensor<64x32xf32>) outs(%start : tensor<8x32xf32>) -> tensor<8x32xf32>
  %t = linalg.transpose ins(%w : tensor<32x64xf32>) outs(%e : tensor<64x32xf32>) permutation = [1, 0]
  %1 = linalg.matmul ins(%x, %t : tensor<8x64xf32>, tensor<64x32xf32>) outs(%sums : tensor<8x32xf32>) -> tensor<8x32xf32>
  return %0, %1 : tensor<8x32xf32>, tensor<8x32xf32>
}

// -----

// Both factors are one copy, and slices of it: it goes once, behind them.
// CHECK-LABEL: func.func @one_copy
// CHECK-NOT: linalg.transpose
// CHECK: linalg.generic {{.*}} ins(%arg0, %arg0 : tensor<16x8xf32>, tensor<16x8xf32>)
// CHECK-NOT: linalg.transpose
// CHECK: %[[A:.*]] = tensor.extract_slice %arg0[0, 0] [8, 8] [1, 1]
// CHECK: %[[B:.*]] = tensor.extract_slice %arg0[8, 0] [8, 8] [1, 1]
// CHECK: linalg.generic {{.*}} ins(%[[A]], %[[B]] : tensor<8x8xf32>, tensor<8x8xf32>)
func.func @one_copy(%x: tensor<16x8xf32>) -> (tensor<8x8xf32>, tensor<8x8xf32>) {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x16xf32>
  %o = tensor.empty() : tensor<8x8xf32>
  %start = linalg.fill ins(%zero : f32) outs(%o : tensor<8x8xf32>) -> tensor<8x8xf32>
  %t = linalg.transpose ins(%x : tensor<16x8xf32>) outs(%e : tensor<8x16xf32>) permutation = [1, 0]
  %0 = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%t, %t : tensor<8x16xf32>, tensor<8x16xf32>) outs(%start : tensor<8x8xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %m = arith.mulf %a, %b : f32
    %s = arith.addf %c, %m : f32
    linalg.yield %s : f32
  } -> tensor<8x8xf32>
  %u = linalg.transpose ins(%x : tensor<16x8xf32>) outs(%e : tensor<8x16xf32>) permutation = [1, 0]
  %left = tensor.extract_slice %u[0, 0] [8, 8] [1, 1] : tensor<8x16xf32> to tensor<8x8xf32>
  %right = tensor.extract_slice %u[0, 8] [8, 8] [1, 1] : tensor<8x16xf32> to tensor<8x8xf32>
  %1 = linalg.matmul ins(%left, %right : tensor<8x8xf32>, tensor<8x8xf32>) outs(%start : tensor<8x8xf32>) -> tensor<8x8xf32>
  return %0, %1 : tensor<8x8xf32>, tensor<8x8xf32>
}

// -----

// Keys of a group, once for each of its heads, and scaled: they are scaled once, and read by all heads.
// CHECK-DAG: #[[G_S_D:.*]] = affine_map<(d0, d1, d2, d3, d4) -> (d3, d0, d4)>
// CHECK-LABEL: func.func @repeated(
// CHECK: %[[SCALED:.*]] = linalg.generic {{.*}} ins(%arg1, %arg2 : tensor<5x2x8xf32>, tensor<8xf32>) outs(%{{.*}} : tensor<5x2x8xf32>)
// CHECK: linalg.generic {indexing_maps = [#{{.*}}, #[[G_S_D]], #{{.*}}]{{.*}} ins(%arg0, %[[SCALED]] :
func.func @repeated(%q: tensor<2x3x4x8xf32>, %k: tensor<5x2x8xf32>, %by: tensor<8xf32>) -> tensor<2x3x4x5xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2x3x5x8xf32>
  %heads = linalg.generic {indexing_maps = [affine_map<(g, m, s, d) -> (s, g, d)>, affine_map<(g, m, s, d) -> (d)>, affine_map<(g, m, s, d) -> (g, m, s, d)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%k, %by : tensor<5x2x8xf32>, tensor<8xf32>) outs(%e : tensor<2x3x5x8xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %p = arith.mulf %a, %b : f32
    linalg.yield %p : f32
  } -> tensor<2x3x5x8xf32>
  %o = tensor.empty() : tensor<2x3x4x5xf32>
  %start = linalg.fill ins(%zero : f32) outs(%o : tensor<2x3x4x5xf32>) -> tensor<2x3x4x5xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(g, m, t, s, d) -> (g, m, t, d)>, affine_map<(g, m, t, s, d) -> (g, m, s, d)>, affine_map<(g, m, t, s, d) -> (g, m, t, s)>], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]}
      ins(%q, %heads : tensor<2x3x4x8xf32>, tensor<2x3x5x8xf32>) outs(%start : tensor<2x3x4x5xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %m = arith.mulf %a, %b : f32
    %s = arith.addf %c, %m : f32
    linalg.yield %s : f32
  } -> tensor<2x3x4x5xf32>
  return %0 : tensor<2x3x4x5xf32>
}

// -----

// What something else reads too, what sees the place of an element, and inputs none of which has all loops: these stay.
// CHECK-LABEL: func.func @read_twice(
// CHECK: %[[NEGATED:.*]] = linalg.generic {{.*}} outs(%{{.*}} : tensor<64x32xf32>)
// CHECK: linalg.matmul ins(%arg0, %[[NEGATED]] :
func.func @read_twice(%x: tensor<8x64xf32>, %w: tensor<32x64xf32>) -> (tensor<8x32xf32>, tensor<64x32xf32>) {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<64x32xf32>
  %n = linalg.generic {indexing_maps = [affine_map<(a, b) -> (b, a)>, affine_map<(a, b) -> (a, b)>], iterator_types = ["parallel", "parallel"]} ins(%w : tensor<32x64xf32>) outs(%e : tensor<64x32xf32>) {
  ^bb0(%in: f32, %out: f32):
    %negated = arith.negf %in : f32
    linalg.yield %negated : f32
  } -> tensor<64x32xf32>
  %o = tensor.empty() : tensor<8x32xf32>
  %start = linalg.fill ins(%zero : f32) outs(%o : tensor<8x32xf32>) -> tensor<8x32xf32>
  %0 = linalg.matmul ins(%x, %n : tensor<8x64xf32>, tensor<64x32xf32>) outs(%start : tensor<8x32xf32>) -> tensor<8x32xf32>
  return %0, %n : tensor<8x32xf32>, tensor<64x32xf32>
}
// CHECK-LABEL: func.func @place(
// CHECK: %[[PLACED:.*]] = linalg.generic {{.*}} outs(%{{.*}} : tensor<64x32xf32>)
// CHECK: linalg.matmul ins(%arg0, %[[PLACED]] :
func.func @place(%x: tensor<8x64xf32>, %w: tensor<32x64xf32>) -> tensor<8x32xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<64x32xf32>
  %n = linalg.generic {indexing_maps = [affine_map<(a, b) -> (b, a)>, affine_map<(a, b) -> (a, b)>], iterator_types = ["parallel", "parallel"]} ins(%w : tensor<32x64xf32>) outs(%e : tensor<64x32xf32>) {
  ^bb0(%in: f32, %out: f32):
    %i = linalg.index 0 : index
    %j = arith.index_cast %i : index to i32
    %f = arith.sitofp %j : i32 to f32
    %sum = arith.addf %in, %f : f32
    linalg.yield %sum : f32
  } -> tensor<64x32xf32>
  %o = tensor.empty() : tensor<8x32xf32>
  %start = linalg.fill ins(%zero : f32) outs(%o : tensor<8x32xf32>) -> tensor<8x32xf32>
  %0 = linalg.matmul ins(%x, %n : tensor<8x64xf32>, tensor<64x32xf32>) outs(%start : tensor<8x32xf32>) -> tensor<8x32xf32>
  return %0 : tensor<8x32xf32>
}
// CHECK-LABEL: func.func @outer(
// CHECK: %[[OUTER:.*]] = linalg.generic {{.*}} outs(%{{.*}} : tensor<64x32xf32>)
// CHECK: linalg.matmul ins(%arg0, %[[OUTER]] :
func.func @outer(%x: tensor<8x64xf32>, %a: tensor<64xf32>, %b: tensor<32xf32>) -> tensor<8x32xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<64x32xf32>
  %n = linalg.generic {indexing_maps = [affine_map<(a, b) -> (a)>, affine_map<(a, b) -> (b)>, affine_map<(a, b) -> (a, b)>], iterator_types = ["parallel", "parallel"]} ins(%a, %b : tensor<64xf32>, tensor<32xf32>) outs(%e : tensor<64x32xf32>) {
  ^bb0(%p: f32, %q: f32, %out: f32):
    %product = arith.mulf %p, %q : f32
    linalg.yield %product : f32
  } -> tensor<64x32xf32>
  %o = tensor.empty() : tensor<8x32xf32>
  %start = linalg.fill ins(%zero : f32) outs(%o : tensor<8x32xf32>) -> tensor<8x32xf32>
  %0 = linalg.matmul ins(%x, %n : tensor<8x64xf32>, tensor<64x32xf32>) outs(%start : tensor<8x32xf32>) -> tensor<8x32xf32>
  return %0 : tensor<8x32xf32>
}
