// What a thread does of attention of four rows: accesses of a chunk first, scores by halves and butterfly, a warp's softmax for each row,
// weighted sums; then the threads' sums and the blocks' are joined.
// RUN: forge-opt %s --forge-schedule-kernels=chip=sm_90a | forge-opt - --forge-pipeline="target=cuda:sm_90a from=kernels to=gpu" | FileCheck %s
// RUN: forge-opt %s --forge-schedule-kernels=chip=gfx942 | forge-opt - --forge-pipeline="target=hip:gfx942 from=kernels to=gpu" | FileCheck %s --check-prefix=WAVE

#q = affine_map<(b, m, t, d) -> (b, m, d)>
#k = affine_map<(b, m, t, d) -> (b, t, d)>
#s = affine_map<(b, m, t, d) -> (b, m, t)>
#e = affine_map<(b, m, t) -> (b, m, t)>
#r = affine_map<(b, m, t) -> (b, m)>
#p = affine_map<(b, m, c, t) -> (b, m, t)>
#v = affine_map<(b, m, c, t) -> (b, t, c)>
#o = affine_map<(b, m, c, t) -> (b, m, c)>

// Of each of 16 accesses of a thread 8 are of keys and 8 of values; no score is stored to memory.
// CHECK-LABEL: gpu.func @attention(
// CHECK-SAME: workgroup(
// CHECK-NOT: memref.alloc
// CHECK-COUNT-4: vector.load %{{.*}} : memref<2x4x64xf32>, vector<4xf32>
// CHECK: scf.for
// CHECK-COUNT-8: vector.load %{{.*}} : memref<2x4096x64xf32>, vector<4xf32>
// CHECK-COUNT-8: vector.load %{{.*}} : memref<2x4096x64xf32>, vector<4xf32>
// CHECK-NOT: vector.load
// CHECK: gpu.barrier
// CHECK: arith.maximumf
// CHECK: math.exp
// CHECK: gpu.barrier
// CHECK: scf.yield
// CHECK: nvvm.cluster.arrive
// CHECK: nvvm.cluster.wait
// CHECK: nvvm.mapa
// CHECK: nvvm.cluster.arrive
// CHECK: nvvm.cluster.wait
// CHECK: arith.divf
// CHECK: memref.store %{{.*}} : memref<2x4x64xf32>
// CHECK: gpu.launch_func @kernels::@attention blocks in (%c16

// WAVE-NOT: nvvm
// WAVE-LABEL: gpu.func @attention(
// WAVE: memref.store %{{.*}} : memref<2x4x64xf32>
// WAVE: gpu.launch_func @kernels::@attention blocks in (%c2
func.func private @attention(%q: tensor<2x4x64xf32>, %k: tensor<2x4096x64xf32>, %v: tensor<2x4096x64xf32>, %oe: tensor<2x4x64xf32>) -> tensor<2x4x64xf32> attributes {forge.kernel} {
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
func.func @main(%q: tensor<2x4x64xf32>, %k: tensor<2x4096x64xf32>, %v: tensor<2x4096x64xf32>) -> tensor<2x4x64xf32> {
  %e = tensor.empty() : tensor<2x4x64xf32>
  %0 = call @attention(%q, %k, %v, %e) : (tensor<2x4x64xf32>, tensor<2x4096x64xf32>, tensor<2x4096x64xf32>, tensor<2x4x64xf32>) -> tensor<2x4x64xf32>
  return %0 : tensor<2x4x64xf32>
}
