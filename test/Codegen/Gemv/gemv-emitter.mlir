// What a thread does of a product of two rows, by blocks that compute two groups of columns each, or one.
// RUN: forge-opt %s --forge-schedule-kernels=chip=sm_90a | forge-opt - --forge-pipeline="target=cuda:sm_90a from=kernels to=gpu" | FileCheck %s
// RUN: forge-opt %s --forge-schedule-kernels=chip=gfx942 | forge-opt - --forge-pipeline="target=hip:gfx942 from=kernels to=gpu" | FileCheck %s --check-prefix=WAVE

// WAVE-NOT: nvvm
// WAVE-LABEL: gpu.func @few(
// WAVE-SAME: workgroup(%{{.*}} : memref<2x4xf32
// WAVE-COUNT-7: gpu.shuffle
// WAVE-NOT: gpu.shuffle

// Two accesses of each of the four columns are under way before the first product; then 8 sums are given away by halves in three
// exchanges and one by butterfly in two; the warps' meet in shared memory.
// CHECK-LABEL: gpu.func @few(
// CHECK-SAME: workgroup(%{{.*}} : memref<8x8xf32
// CHECK-SAME: nvvm.minctasm = 4 : i32
// CHECK: scf.for
// CHECK-COUNT-8: vector.load %{{.*}} : memref<2048x8192xbf16>, vector<8xbf16>
// CHECK: vector.load %{{.*}} : memref<2x8192xbf16>, vector<8xbf16>
// CHECK-NOT: vector.load {{.*}}memref<2048x8192xbf16>
// CHECK-COUNT-128: math.fma
// CHECK-NOT: math.fma
// CHECK: scf.yield
// CHECK-COUNT-9: gpu.shuffle
// CHECK-NOT: gpu.shuffle
// CHECK: gpu.barrier
// CHECK-COUNT-8: memref.load %{{.*}} : memref<8x8xf32
// CHECK: arith.truncf
// CHECK: memref.store %{{.*}} : memref<2x2048xbf16>
// CHECK: gpu.launch_func @kernels::@few blocks in (%c264
func.func private @few(%x: tensor<2x8192xbf16>, %w: tensor<2048x8192xbf16>, %o: tensor<2x2048xbf16>) -> tensor<2x2048xbf16>
    attributes {forge.kernel, forge.schedule = #forge.schedule<strategy = gemv, blocks = 264>} {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2x2048xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<2x2048xf32>) -> tensor<2x2048xf32>
  %0 = linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>] ins(%x, %w : tensor<2x8192xbf16>, tensor<2048x8192xbf16>) outs(%z : tensor<2x2048xf32>) -> tensor<2x2048xf32>
  %1 = linalg.generic {indexing_maps = [affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (m, n)>], iterator_types = ["parallel", "parallel"]} ins(%0 : tensor<2x2048xf32>) outs(%o : tensor<2x2048xbf16>) {
  ^bb0(%s: f32, %u: bf16):
    %r = arith.truncf %s : f32 to bf16
    linalg.yield %r : bf16
  } -> tensor<2x2048xbf16>
  return %1 : tensor<2x2048xbf16>
}
func.func @host(%x: tensor<2x8192xbf16>, %w: tensor<2048x8192xbf16>, %o: tensor<2x2048xbf16>) -> tensor<2x2048xbf16> {
  %0 = call @few(%x, %w, %o) : (tensor<2x8192xbf16>, tensor<2048x8192xbf16>, tensor<2x2048xbf16>) -> tensor<2x2048xbf16>
  return %0 : tensor<2x2048xbf16>
}
