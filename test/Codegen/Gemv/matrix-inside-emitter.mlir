// What a warp does of a product of 12 rows with a matrix whose columns are side by side: a lane has four columns, 8 bytes in each of 8 rows.
// RUN: forge-opt %s --forge-schedule-kernels=chip=sm_90a | forge-opt - --forge-pipeline="target=cuda:sm_90a from=kernels to=gpu" | FileCheck %s
// RUN: forge-opt %s --forge-schedule-kernels=chip=sm_90a | forge compile - --from kernels --target cuda:sm_90a --to ptx -o - | FileCheck %s --check-prefix=PTX

// The sums of four warps in shared memory, four numbers between rows of x; all accesses of the next step before the products of one; 16
// pairs, of which two instructions of 16 columns and two tiles of rows are made for each half of the terms.
// CHECK-LABEL: gpu.func @twelve(
// CHECK-SAME: workgroup(%{{.*}} : memref<4x576xf32
// CHECK-COUNT-8: vector.load %{{.*}} : memref<512x64xbf16>, vector<4xbf16>
// CHECK: scf.for
// CHECK-COUNT-8: vector.load %{{.*}} : memref<512x64xbf16>, vector<4xbf16>
// CHECK-COUNT-2: vector.load %{{.*}} : memref<12x512xbf16>, vector<8xbf16>
// CHECK-COUNT-8: nvvm.mma.sync
// CHECK-NOT: nvvm.mma.sync
// CHECK: scf.yield
// CHECK-COUNT-8: nvvm.mma.sync
// CHECK-NOT: nvvm.mma.sync
// CHECK-COUNT-4: vector.store %{{.*}}, vector<4xf32>
// CHECK: gpu.barrier
// CHECK-COUNT-4: memref.load %{{.*}} : memref<4x576xf32
// CHECK: gpu.launch_func @kernels::@twelve blocks in (%c2

// PTX-COUNT-8: ld.global{{.*}}.v2.b32
// PTX-COUNT-8: mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32
func.func private @twelve(%x: tensor<12x512xbf16>, %w: tensor<512x64xbf16>, %o: tensor<12x64xf32>) -> tensor<12x64xf32>
    attributes {forge.kernel, forge.schedule = #forge.schedule<strategy = gemv, n = 32, loads = 1, threads = 128>} {
  %zero = arith.constant 0.0 : f32
  %z = linalg.fill ins(%zero : f32) outs(%o : tensor<12x64xf32>) -> tensor<12x64xf32>
  %0 = linalg.matmul ins(%x, %w : tensor<12x512xbf16>, tensor<512x64xbf16>) outs(%z : tensor<12x64xf32>) -> tensor<12x64xf32>
  return %0 : tensor<12x64xf32>
}
func.func @host(%x: tensor<12x512xbf16>, %w: tensor<512x64xbf16>, %o: tensor<12x64xf32>) -> tensor<12x64xf32> {
  %0 = call @twelve(%x, %w, %o) : (tensor<12x512xbf16>, tensor<512x64xbf16>, tensor<12x64xf32>) -> tensor<12x64xf32>
  return %0 : tensor<12x64xf32>
}
