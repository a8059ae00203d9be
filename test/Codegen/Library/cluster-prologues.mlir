// RUN: forge-opt %s --split-input-file --forge-cluster-prologues="library=never chip=sm_90a" | FileCheck %s
// RUN: not forge-opt %s --split-input-file --forge-cluster-prologues="chip=sm_1" 2>&1 | FileCheck %s --check-prefix=CHIP
// RUN: not forge-opt %s --split-input-file --forge-cluster-prologues="library=often" 2>&1 | FileCheck %s --check-prefix=LIBRARY
// CHIP: error: unknown chip 'sm_1'
// LIBRARY: error: expected prefer, cost or never as library, but got 'often'

#v = affine_map<(d0) -> (d0)>
#mk = affine_map<(d0, d1) -> (d1)>
#nk = affine_map<(d0, d1) -> (d0, d1)>
#mn = affine_map<(d0, d1) -> (d0)>

// Each of two products has a doubled vector of its own.
// CHECK-LABEL: func.func @two
// CHECK: %[[A:.*]] = linalg.generic {{.*}} ins(%arg0 : tensor<512xbf16>) {{.*}}forge.cluster = "prologue0"
// CHECK: linalg.generic {{.*}} ins(%[[A]], %arg1 : {{.*}}forge.cluster = "prologue0"
// CHECK: %[[B:.*]] = linalg.generic {{.*}} ins(%arg0 : tensor<512xbf16>) {{.*}}forge.cluster = "prologue1"
// CHECK: linalg.generic {{.*}} ins(%[[B]], %arg2 : {{.*}}forge.cluster = "prologue1"
// CHECK-NOT: linalg.generic
func.func @two(%x: tensor<512xbf16>, %w: tensor<1024x512xbf16>, %v: tensor<1024x512xbf16>) -> (tensor<1024xf32>, tensor<1024xf32>) {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<512xbf16>
  %f = tensor.empty() : tensor<1024xf32>
  %y = linalg.generic {indexing_maps = [#v, #v], iterator_types = ["parallel"]} ins(%x : tensor<512xbf16>) outs(%e : tensor<512xbf16>) {
  ^bb0(%in: bf16, %out: bf16):
    %1 = arith.addf %in, %in : bf16
    linalg.yield %1 : bf16
  } -> tensor<512xbf16>
  %z = linalg.fill ins(%zero : f32) outs(%f : tensor<1024xf32>) -> tensor<1024xf32>
  %a = linalg.generic {indexing_maps = [#mk, #nk, #mn], iterator_types = ["parallel", "reduction"]} ins(%y, %w : tensor<512xbf16>, tensor<1024x512xbf16>) outs(%z : tensor<1024xf32>) {
  ^bb0(%l: bf16, %r: bf16, %out: f32):
    %1 = arith.extf %l : bf16 to f32
    %2 = arith.extf %r : bf16 to f32
    %3 = arith.mulf %1, %2 : f32
    %4 = arith.addf %out, %3 : f32
    linalg.yield %4 : f32
  } -> tensor<1024xf32>
  %b = linalg.generic {indexing_maps = [#mk, #nk, #mn], iterator_types = ["parallel", "reduction"]} ins(%y, %v : tensor<512xbf16>, tensor<1024x512xbf16>) outs(%z : tensor<1024xf32>) {
  ^bb0(%l: bf16, %r: bf16, %out: f32):
    %1 = arith.extf %l : bf16 to f32
    %2 = arith.extf %r : bf16 to f32
    %3 = arith.mulf %1, %2 : f32
    %4 = arith.addf %out, %3 : f32
    linalg.yield %4 : f32
  } -> tensor<1024xf32>
  return %a, %b : tensor<1024xf32>, tensor<1024xf32>
}

// -----

#v = affine_map<(d0) -> (d0)>
#mk = affine_map<(d0, d1) -> (d1)>
#nk = affine_map<(d0, d1) -> (d0, d1)>
#mn = affine_map<(d0, d1) -> (d0)>

// What is returned, too, is what the kernel leaves in memory.
// CHECK-LABEL: func.func @returned
// CHECK: %[[KEPT:.*]] = linalg.generic {{.*}} ins(%arg0 : tensor<512xbf16>) {{.*}}forge.cluster = "prologue0"
// CHECK: %[[OWN:.*]] = linalg.generic {{.*}} ins(%[[KEPT]] : tensor<512xbf16>) {{.*}}forge.cluster = "prologue0"
// CHECK: %[[SUM:.*]] = linalg.generic {{.*}} ins(%[[OWN]], %arg1 : {{.*}}forge.cluster = "prologue0"
// CHECK: return %[[KEPT]], %[[SUM]]
func.func @returned(%x: tensor<512xbf16>, %w: tensor<1024x512xbf16>) -> (tensor<512xbf16>, tensor<1024xf32>) {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<512xbf16>
  %f = tensor.empty() : tensor<1024xf32>
  %y = linalg.generic {indexing_maps = [#v, #v], iterator_types = ["parallel"]} ins(%x : tensor<512xbf16>) outs(%e : tensor<512xbf16>) {
  ^bb0(%in: bf16, %out: bf16):
    %1 = arith.addf %in, %in : bf16
    linalg.yield %1 : bf16
  } -> tensor<512xbf16>
  %z = linalg.fill ins(%zero : f32) outs(%f : tensor<1024xf32>) -> tensor<1024xf32>
  %a = linalg.generic {indexing_maps = [#mk, #nk, #mn], iterator_types = ["parallel", "reduction"]} ins(%y, %w : tensor<512xbf16>, tensor<1024x512xbf16>) outs(%z : tensor<1024xf32>) {
  ^bb0(%l: bf16, %r: bf16, %out: f32):
    %1 = arith.extf %l : bf16 to f32
    %2 = arith.extf %r : bf16 to f32
    %3 = arith.mulf %1, %2 : f32
    %4 = arith.addf %out, %3 : f32
    linalg.yield %4 : f32
  } -> tensor<1024xf32>
  return %y, %a : tensor<512xbf16>, tensor<1024xf32>
}

// -----

#v = affine_map<(d0) -> (d0)>
#mk = affine_map<(d0, d1) -> (d1)>
#nk = affine_map<(d0, d1) -> (d0, d1)>
#mn = affine_map<(d0, d1) -> (d0)>

// Few columns: a block would read as much for the vector as it reads of the matrix, many times over.
// CHECK-LABEL: func.func @few_columns
// CHECK-NOT: forge.cluster
// CHECK: return
func.func @few_columns(%x: tensor<512xbf16>, %s: tensor<512xbf16>, %w: tensor<64x512xbf16>) -> tensor<64xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<512xbf16>
  %f = tensor.empty() : tensor<64xf32>
  %y = linalg.generic {indexing_maps = [#v, #v, #v], iterator_types = ["parallel"]} ins(%x, %s : tensor<512xbf16>, tensor<512xbf16>) outs(%e : tensor<512xbf16>) {
  ^bb0(%in: bf16, %scale: bf16, %out: bf16):
    %1 = arith.mulf %in, %scale : bf16
    linalg.yield %1 : bf16
  } -> tensor<512xbf16>
  %z = linalg.fill ins(%zero : f32) outs(%f : tensor<64xf32>) -> tensor<64xf32>
  %a = linalg.generic {indexing_maps = [#mk, #nk, #mn], iterator_types = ["parallel", "reduction"]} ins(%y, %w : tensor<512xbf16>, tensor<64x512xbf16>) outs(%z : tensor<64xf32>) {
  ^bb0(%l: bf16, %r: bf16, %out: f32):
    %1 = arith.extf %l : bf16 to f32
    %2 = arith.extf %r : bf16 to f32
    %3 = arith.mulf %1, %2 : f32
    %4 = arith.addf %out, %3 : f32
    linalg.yield %4 : f32
  } -> tensor<64xf32>
  return %a : tensor<64xf32>
}

// -----

#v = affine_map<(d0) -> (d0)>
#pool = affine_map<(d0, d1) -> (d0, d1)>
#kept = affine_map<(d0, d1) -> (d0)>
#mk = affine_map<(d0, d1) -> (d1)>

// A mean of the places of each term: its rows are terms, not those of the product.
// CHECK-LABEL: func.func @means
// CHECK-NOT: forge.cluster
// CHECK: return
func.func @means(%x: tensor<512x4xf32>, %w: tensor<1024x512xf32>) -> tensor<1024xf32> {
  %zero = arith.constant 0.0 : f32
  %four = arith.constant 4.0 : f32
  %e = tensor.empty() : tensor<512xf32>
  %f = tensor.empty() : tensor<1024xf32>
  %t = linalg.fill ins(%zero : f32) outs(%e : tensor<512xf32>) -> tensor<512xf32>
  %s = linalg.generic {indexing_maps = [#pool, #kept], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<512x4xf32>) outs(%t : tensor<512xf32>) {
  ^bb0(%in: f32, %out: f32):
    %1 = arith.addf %out, %in : f32
    linalg.yield %1 : f32
  } -> tensor<512xf32>
  %y = linalg.generic {indexing_maps = [#v, #v], iterator_types = ["parallel"]} ins(%s : tensor<512xf32>) outs(%e : tensor<512xf32>) {
  ^bb0(%in: f32, %out: f32):
    %1 = arith.divf %in, %four : f32
    linalg.yield %1 : f32
  } -> tensor<512xf32>
  %z = linalg.fill ins(%zero : f32) outs(%f : tensor<1024xf32>) -> tensor<1024xf32>
  %a = linalg.generic {indexing_maps = [#mk, #pool, #kept], iterator_types = ["parallel", "reduction"]} ins(%y, %w : tensor<512xf32>, tensor<1024x512xf32>) outs(%z : tensor<1024xf32>) {
  ^bb0(%l: f32, %r: f32, %out: f32):
    %1 = arith.mulf %l, %r : f32
    %2 = arith.addf %out, %1 : f32
    linalg.yield %2 : f32
  } -> tensor<1024xf32>
  return %a : tensor<1024xf32>
}
