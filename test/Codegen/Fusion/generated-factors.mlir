// RUN: forge-opt %s --forge-fuse-elementwise | FileCheck %s

#kn = affine_map<(k, n) -> (k, n)>
#k = affine_map<(k, n) -> (k)>
#n = affine_map<(k, n) -> (n)>
#sum_kn = affine_map<(n, k) -> (k, n)>
#sum_k = affine_map<(n, k) -> (k)>
#sum_n = affine_map<(n, k) -> (n)>

// Two vectors make a matrix whose elements are multiplied once: none of it is in memory, and the exponentials of both sums are
// computed once.
// CHECK-LABEL: func @vectors
// CHECK: linalg.generic
// CHECK-SAME: "parallel", "reduction"
// CHECK: math.exp
// CHECK-NOT: math.exp
// CHECK: linalg.yield %{{.*}}, %{{.*}} : f32, f32
// CHECK: linalg.generic
// CHECK-NOT: linalg.generic
func.func @vectors(%a: tensor<32xf32>, %t: tensor<4096xf32>, %c: tensor<32xf32>, %d: tensor<32xf32>) -> tensor<4096xf32> {
  %zero = arith.constant 0.0 : f32
  %em = tensor.empty() : tensor<32x4096xf32>
  %m = linalg.generic {indexing_maps = [#k, #n, #kn], iterator_types = ["parallel", "parallel"]} ins(%a, %t : tensor<32xf32>, tensor<4096xf32>) outs(%em : tensor<32x4096xf32>) {
  ^bb0(%x: f32, %y: f32, %o: f32):
    %p = arith.mulf %x, %y : f32
    %e = math.exp %p : f32
    linalg.yield %e : f32
  } -> tensor<32x4096xf32>
  %ev = tensor.empty() : tensor<4096xf32>
  %f = linalg.fill ins(%zero : f32) outs(%ev : tensor<4096xf32>) -> tensor<4096xf32>
  %r = linalg.generic {indexing_maps = [#sum_k, #sum_kn, #sum_n], iterator_types = ["parallel", "reduction"]} ins(%c, %m : tensor<32xf32>, tensor<32x4096xf32>) outs(%f : tensor<4096xf32>) {
  ^bb0(%x: f32, %y: f32, %o: f32):
    %p = arith.mulf %x, %y : f32
    %s = arith.addf %o, %p : f32
    linalg.yield %s : f32
  } -> tensor<4096xf32>
  %q = linalg.generic {indexing_maps = [#sum_k, #sum_kn, #sum_n], iterator_types = ["parallel", "reduction"]} ins(%d, %m : tensor<32xf32>, tensor<32x4096xf32>) outs(%f : tensor<4096xf32>) {
  ^bb0(%x: f32, %y: f32, %o: f32):
    %p = arith.mulf %x, %y : f32
    %s = arith.addf %o, %p : f32
    linalg.yield %s : f32
  } -> tensor<4096xf32>
  %w = linalg.generic {indexing_maps = [affine_map<(n) -> (n)>, affine_map<(n) -> (n)>, affine_map<(n) -> (n)>], iterator_types = ["parallel"]} ins(%r, %q : tensor<4096xf32>, tensor<4096xf32>) outs(%ev : tensor<4096xf32>) {
  ^bb0(%x: f32, %y: f32, %o: f32):
    %p = arith.divf %x, %y : f32
    linalg.yield %p : f32
  } -> tensor<4096xf32>
  return %w : tensor<4096xf32>
}

// Made of a matrix of its size it stays a factor.
// CHECK-LABEL: func @matrix
// CHECK: linalg.generic
// CHECK-SAME: "parallel", "parallel"
// CHECK: math.exp
// CHECK: linalg.generic
// CHECK-SAME: "parallel", "reduction"
// CHECK-NOT: math.exp
// CHECK: return
func.func @matrix(%a: tensor<32x4096xf32>, %c: tensor<32xf32>) -> tensor<4096xf32> {
  %zero = arith.constant 0.0 : f32
  %em = tensor.empty() : tensor<32x4096xf32>
  %m = linalg.generic {indexing_maps = [#kn, #kn], iterator_types = ["parallel", "parallel"]} ins(%a : tensor<32x4096xf32>) outs(%em : tensor<32x4096xf32>) {
  ^bb0(%x: f32, %o: f32):
    %e = math.exp %x : f32
    linalg.yield %e : f32
  } -> tensor<32x4096xf32>
  %ev = tensor.empty() : tensor<4096xf32>
  %f = linalg.fill ins(%zero : f32) outs(%ev : tensor<4096xf32>) -> tensor<4096xf32>
  %r = linalg.generic {indexing_maps = [#sum_k, #sum_kn, #sum_n], iterator_types = ["parallel", "reduction"]} ins(%c, %m : tensor<32xf32>, tensor<32x4096xf32>) outs(%f : tensor<4096xf32>) {
  ^bb0(%x: f32, %y: f32, %o: f32):
    %p = arith.mulf %x, %y : f32
    %s = arith.addf %o, %p : f32
    linalg.yield %s : f32
  } -> tensor<4096xf32>
  return %r : tensor<4096xf32>
}
