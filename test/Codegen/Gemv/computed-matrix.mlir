// Matrices that are computed element by element join the kernel of their product of a few rows.
// RUN: forge-opt %s --split-input-file --forge-cluster-products="library=never chip=sm_90a" | FileCheck %s

// Neighbours of a row read a byte each; what computes them and the product are one cluster.
// CHECK-LABEL: func.func @row
// CHECK: linalg.generic {{.*}} attrs = {forge.cluster = "[[CLUSTER:.*]]"}
// CHECK: linalg.generic {{.*}} iterator_types = ["parallel", "reduction"]{{.*}} attrs = {forge.cluster = "[[CLUSTER]]"}
func.func @row(%x: tensor<512xbf16>, %w: tensor<64x512xi8>, %s: tensor<64xf32>) -> tensor<64xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<64x512xbf16>
  %n = linalg.generic {indexing_maps = [affine_map<(n, k) -> (n, k)>, affine_map<(n, k) -> (n)>, affine_map<(n, k) -> (n, k)>], iterator_types = ["parallel", "parallel"]} ins(%w, %s : tensor<64x512xi8>, tensor<64xf32>) outs(%e : tensor<64x512xbf16>) {
  ^bb0(%i: i8, %scale: f32, %u: bf16):
    %f = arith.sitofp %i : i8 to f32
    %m = arith.mulf %f, %scale : f32
    %r = arith.truncf %m : f32 to bf16
    linalg.yield %r : bf16
  } -> tensor<64x512xbf16>
  %o = tensor.empty() : tensor<64xf32>
  %z = linalg.fill ins(%zero : f32) outs(%o : tensor<64xf32>) -> tensor<64xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(n, k) -> (k)>, affine_map<(n, k) -> (n, k)>, affine_map<(n, k) -> (n)>], iterator_types = ["parallel", "reduction"]} ins(%x, %n : tensor<512xbf16>, tensor<64x512xbf16>) outs(%z : tensor<64xf32>) {
  ^bb0(%a: bf16, %b: bf16, %c: f32):
    %a1 = arith.extf %a : bf16 to f32
    %b1 = arith.extf %b : bf16 to f32
    %p = arith.mulf %a1, %b1 : f32
    %q = arith.addf %c, %p : f32
    linalg.yield %q : f32
  } -> tensor<64xf32>
  return %0 : tensor<64xf32>
}

// -----

// A matrix that something else reads, and one that a function of math computes: in memory.
// CHECK-LABEL: func.func @others
// CHECK-NOT: forge.cluster
// CHECK: return
func.func @others(%x: tensor<512xbf16>, %w: tensor<64x512xf32>) -> (tensor<64xf32>, tensor<64xf32>, tensor<64x512xbf16>) {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<64x512xbf16>
  %n = linalg.generic {indexing_maps = [affine_map<(n, k) -> (n, k)>, affine_map<(n, k) -> (n, k)>], iterator_types = ["parallel", "parallel"]} ins(%w : tensor<64x512xf32>) outs(%e : tensor<64x512xbf16>) {
  ^bb0(%i: f32, %u: bf16):
    %r = arith.truncf %i : f32 to bf16
    linalg.yield %r : bf16
  } -> tensor<64x512xbf16>
  %t = linalg.generic {indexing_maps = [affine_map<(n, k) -> (n, k)>, affine_map<(n, k) -> (n, k)>], iterator_types = ["parallel", "parallel"]} ins(%w : tensor<64x512xf32>) outs(%e : tensor<64x512xbf16>) {
  ^bb0(%i: f32, %u: bf16):
    %m = math.tanh %i : f32
    %r = arith.truncf %m : f32 to bf16
    linalg.yield %r : bf16
  } -> tensor<64x512xbf16>
  %o = tensor.empty() : tensor<64xf32>
  %z = linalg.fill ins(%zero : f32) outs(%o : tensor<64xf32>) -> tensor<64xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(n, k) -> (k)>, affine_map<(n, k) -> (n, k)>, affine_map<(n, k) -> (n)>], iterator_types = ["parallel", "reduction"]} ins(%x, %n : tensor<512xbf16>, tensor<64x512xbf16>) outs(%z : tensor<64xf32>) {
  ^bb0(%a: bf16, %b: bf16, %c: f32):
    %a1 = arith.extf %a : bf16 to f32
    %b1 = arith.extf %b : bf16 to f32
    %p = arith.mulf %a1, %b1 : f32
    %q = arith.addf %c, %p : f32
    linalg.yield %q : f32
  } -> tensor<64xf32>
  %1 = linalg.generic {indexing_maps = [affine_map<(n, k) -> (k)>, affine_map<(n, k) -> (n, k)>, affine_map<(n, k) -> (n)>], iterator_types = ["parallel", "reduction"]} ins(%x, %t : tensor<512xbf16>, tensor<64x512xbf16>) outs(%z : tensor<64xf32>) {
  ^bb0(%a: bf16, %b: bf16, %c: f32):
    %a1 = arith.extf %a : bf16 to f32
    %b1 = arith.extf %b : bf16 to f32
    %p = arith.mulf %a1, %b1 : f32
    %q = arith.addf %c, %p : f32
    linalg.yield %q : f32
  } -> tensor<64xf32>
  return %0, %1, %n : tensor<64xf32>, tensor<64xf32>, tensor<64x512xbf16>
}
