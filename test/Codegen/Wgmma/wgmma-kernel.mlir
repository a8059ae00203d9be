// What a product on matrix units becomes: the host makes the operands' tensor maps, which the launch passes by value; one thread
// copies, two warpgroups multiply, biases are read before the last products are waited for, and lanes exchange before they store.
// RUN: forge-opt %s --forge-pipeline="target=cuda:sm_90a tier=optimized to=gpu" | FileCheck %s

// CHECK: gpu.func @contraction({{.*}}, %[[LHS:.*]]: memref<128xi8>, %[[RHS:.*]]: memref<128xi8>) kernel
// CHECK-SAME: forge.by_value = array<i64: 4, 5>
// CHECK-SAME: known_block_size = array<i32: 384, 1, 1>
// A full and an empty barrier for each of eight stages: one arrival, and one of each warp that multiplies.
// CHECK-COUNT-16: nvvm.mbarrier.init
// CHECK-NOT: nvvm.mbarrier.init
// CHECK: nvvm.fence.mbarrier.init
// CHECK: gpu.barrier
// 24576 bytes: 128 x 64 and 64 x 64 elements.
// CHECK: nvvm.setmaxregister decrease
// CHECK: nvvm.mbarrier.try_wait.parity
// CHECK: nvvm.mbarrier.arrive.expect_tx {{.*}}, %c24576_i32
// CHECK-COUNT-2: nvvm.cp.async.bulk.tensor
// CHECK-NOT: nvvm.cp.async.bulk.tensor
// 64 terms are four products; the right operand is read across its terms.
// CHECK: nvvm.setmaxregister increase
// CHECK: nvvm.wgmma.fence.aligned
// CHECK-COUNT-4: nvvm.wgmma.mma_async {{.*}} A[<bf16>, <one>, <row>], B[<bf16>, <one>, <row>]
// CHECK-NOT: nvvm.wgmma.mma_async
// CHECK: nvvm.wgmma.wait.group.sync.aligned 1
// CHECK: nvvm.mbarrier.arrive
// CHECK-COUNT-8: vector.load %arg2
// CHECK: nvvm.wgmma.wait.group.sync.aligned 0
// CHECK-NOT: vector.load
// CHECK: nvvm.shfl.sync
// CHECK: vector.store {{.*}} {alignment = 16 : i64} : memref<256x256xbf16>, vector<8xbf16>

// CHECK-LABEL: func.func @main
// CHECK-COUNT-2: call @forge_rt_device_tensor_map_bf16
// Two tiles of rows by four of columns.
// CHECK: gpu.launch_func @kernels::@contraction blocks in (%c8, %c1, %c1) threads in (%c384, %c1, %c1)
// CHECK-SAME: {forge.by_value = array<i64: 4, 5>
func.func @main(%x: tensor<256x512xbf16>, %w: tensor<512x256xbf16>, %b: tensor<256xbf16>) -> tensor<256x256xbf16> {
  %0 = transformer.matmul %x, %w bias %b : (tensor<256x512xbf16>, tensor<512x256xbf16>, tensor<256xbf16>) -> tensor<256x256xbf16>
  return %0 : tensor<256x256xbf16>
}
