// A reduction that goes on from what its output holds reads it before the threads exchange their parts: after that, the
// first thread to be done writes the result to the same place.
// RUN: forge-opt %s --forge-lower-kernels="chip=sm_90a" | FileCheck %s
// CHECK-LABEL: gpu.func @sum(
// CHECK-SAME: %{{.*}}: memref<4x4096xf32>, %[[S:.*]]: memref<4xf32>)
// CHECK: memref.load %[[S]]
// CHECK: gpu.shuffle
// CHECK-NOT: memref.load %[[S]]
// CHECK: memref.store %{{.*}}, %[[S]]
func.func private @sum(%x: memref<4x4096xf32>, %s: memref<4xf32>)
    attributes {forge.kernel, forge.schedule = #forge.schedule<strategy = rows, vector = 4, loads = 4, rows = 1, blocks = 1, threads = 256>} {
  linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>], iterator_types = ["parallel", "reduction"]}
      ins(%x : memref<4x4096xf32>) outs(%s : memref<4xf32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = arith.addf %out, %in fastmath<reassoc> : f32
    linalg.yield %0 : f32
  }
  return
}
