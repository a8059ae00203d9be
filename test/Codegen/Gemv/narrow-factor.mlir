// Factors of i8 that are made numbers for one product of a few rows: the product reads them where they are.
// RUN: forge-opt %s --split-input-file --forge-cluster-products="library=never chip=sm_90a" | FileCheck %s

// CHECK-LABEL: func.func @row
// CHECK-NOT: sitofp %{{.*}} : i8 to bf16
// CHECK: linalg.generic {{.*}} iterator_types = ["parallel", "reduction"]} ins(%arg0, %arg1 : tensor<512xbf16>, tensor<64x512xi8>)
// CHECK: arith.sitofp %{{.*}} : i8 to f32
func.func @row(%x: tensor<512xbf16>, %w: tensor<64x512xi8>) -> tensor<64xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<64x512xbf16>
  %n = linalg.generic {indexing_maps = [affine_map<(n, k) -> (n, k)>, affine_map<(n, k) -> (n, k)>], iterator_types = ["parallel", "parallel"]} ins(%w : tensor<64x512xi8>) outs(%e : tensor<64x512xbf16>) {
  ^bb0(%i: i8, %u: bf16):
    %f = arith.sitofp %i : i8 to bf16
    linalg.yield %f : bf16
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

// Nine rows, a matrix with its columns side by side, a sum of which no thread's accesses are whole, numbers that something else
// reads, and unsigned ones: as they were.
// CHECK-LABEL: func.func @others
// CHECK-NOT: i8 to f32
// CHECK: return
func.func @others(%x: tensor<9x512xf16>, %w: tensor<64x512xi8>, %y: tensor<2x512xf16>, %v: tensor<512x64xi8>, %s: tensor<2x520xf16>, %t: tensor<64x520xi8>,
                  %q: tensor<64x512xi8>) -> (tensor<9x64xf32>, tensor<2x64xf32>, tensor<2x64xf32>, tensor<2x64xf32>, tensor<64x512xf16>, tensor<2x64xf32>) {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<64x512xf16>
  %e1 = tensor.empty() : tensor<512x64xf16>
  %e2 = tensor.empty() : tensor<64x520xf16>
  %e9 = tensor.empty() : tensor<9x64xf32>
  %e3 = tensor.empty() : tensor<2x64xf32>
  %n0 = linalg.generic {indexing_maps = [affine_map<(n, k) -> (n, k)>, affine_map<(n, k) -> (n, k)>], iterator_types = ["parallel", "parallel"]} ins(%w : tensor<64x512xi8>) outs(%e : tensor<64x512xf16>) {
  ^bb0(%i: i8, %u: f16):
    %f = arith.sitofp %i : i8 to f16
    linalg.yield %f : f16
  } -> tensor<64x512xf16>
  %n1 = linalg.generic {indexing_maps = [affine_map<(n, k) -> (n, k)>, affine_map<(n, k) -> (n, k)>], iterator_types = ["parallel", "parallel"]} ins(%v : tensor<512x64xi8>) outs(%e1 : tensor<512x64xf16>) {
  ^bb0(%i: i8, %u: f16):
    %f = arith.sitofp %i : i8 to f16
    linalg.yield %f : f16
  } -> tensor<512x64xf16>
  %n2 = linalg.generic {indexing_maps = [affine_map<(n, k) -> (n, k)>, affine_map<(n, k) -> (n, k)>], iterator_types = ["parallel", "parallel"]} ins(%t : tensor<64x520xi8>) outs(%e2 : tensor<64x520xf16>) {
  ^bb0(%i: i8, %u: f16):
    %f = arith.sitofp %i : i8 to f16
    linalg.yield %f : f16
  } -> tensor<64x520xf16>
  %n3 = linalg.generic {indexing_maps = [affine_map<(n, k) -> (n, k)>, affine_map<(n, k) -> (n, k)>], iterator_types = ["parallel", "parallel"]} ins(%q : tensor<64x512xi8>) outs(%e : tensor<64x512xf16>) {
  ^bb0(%i: i8, %u: f16):
    %f = arith.sitofp %i : i8 to f16
    linalg.yield %f : f16
  } -> tensor<64x512xf16>
  %n4 = linalg.generic {indexing_maps = [affine_map<(n, k) -> (n, k)>, affine_map<(n, k) -> (n, k)>], iterator_types = ["parallel", "parallel"]} ins(%q : tensor<64x512xi8>) outs(%e : tensor<64x512xf16>) {
  ^bb0(%i: i8, %u: f16):
    %f = arith.uitofp %i : i8 to f16
    linalg.yield %f : f16
  } -> tensor<64x512xf16>
  %z9 = linalg.fill ins(%zero : f32) outs(%e9 : tensor<9x64xf32>) -> tensor<9x64xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e3 : tensor<2x64xf32>) -> tensor<2x64xf32>
  %0 = linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>] ins(%x, %n0 : tensor<9x512xf16>, tensor<64x512xf16>) outs(%z9 : tensor<9x64xf32>) -> tensor<9x64xf32>
  %g0 = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%y, %n1 : tensor<2x512xf16>, tensor<512x64xf16>) outs(%z : tensor<2x64xf32>) {
  ^bb0(%a: f16, %b: f16, %c: f32):
    %a1 = arith.extf %a : f16 to f32
    %b1 = arith.extf %b : f16 to f32
    %p = arith.mulf %a1, %b1 : f32
    %r = arith.addf %c, %p : f32
    linalg.yield %r : f32
  } -> tensor<2x64xf32>
  %g1 = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%s, %n2 : tensor<2x520xf16>, tensor<64x520xf16>) outs(%z : tensor<2x64xf32>) {
  ^bb0(%a: f16, %b: f16, %c: f32):
    %a1 = arith.extf %a : f16 to f32
    %b1 = arith.extf %b : f16 to f32
    %p = arith.mulf %a1, %b1 : f32
    %r = arith.addf %c, %p : f32
    linalg.yield %r : f32
  } -> tensor<2x64xf32>
  %g2 = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%y, %n3 : tensor<2x512xf16>, tensor<64x512xf16>) outs(%z : tensor<2x64xf32>) {
  ^bb0(%a: f16, %b: f16, %c: f32):
    %a1 = arith.extf %a : f16 to f32
    %b1 = arith.extf %b : f16 to f32
    %p = arith.mulf %a1, %b1 : f32
    %r = arith.addf %c, %p : f32
    linalg.yield %r : f32
  } -> tensor<2x64xf32>
  %g3 = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%y, %n4 : tensor<2x512xf16>, tensor<64x512xf16>) outs(%z : tensor<2x64xf32>) {
  ^bb0(%a: f16, %b: f16, %c: f32):
    %a1 = arith.extf %a : f16 to f32
    %b1 = arith.extf %b : f16 to f32
    %p = arith.mulf %a1, %b1 : f32
    %r = arith.addf %c, %p : f32
    linalg.yield %r : f32
  } -> tensor<2x64xf32>
  return %0, %g0, %g1, %g2, %n3, %g3 : tensor<9x64xf32>, tensor<2x64xf32>, tensor<2x64xf32>, tensor<2x64xf32>, tensor<64x512xf16>, tensor<2x64xf32>
}
