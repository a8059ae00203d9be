// What a product on matrix units becomes: a tile program of one role that copies and one that multiplies; biases are read before the
// last products are waited for. The host makes the factors' tensor maps, which the launch passes by value.
// RUN: forge-opt %s --forge-pipeline="target=cuda:sm_90a tier=optimized to=blocks" | FileCheck %s --check-prefix=TILES
// RUN: forge-opt %s --forge-pipeline="target=cuda:sm_90a tier=optimized to=gpu" | FileCheck %s

// TILES: #[[ACC:.*]] = #tile.layout<reg = [y1, x8], lane = [y2, y4, x1, x2, x4], warp = [x16, x32, x64]>
// TILES: #[[WIDE:.*]] = #tile.layout<reg = [y1, y2, y4, x8], lane = [y8, y16, x1, x2, x4], warp = [x16, x32, x64]>
// Two tiles of rows by four of columns.
// TILES: func.func private @contraction(%[[X:.*]]: memref<256x512xbf16>, %[[W:.*]]: memref<512x256xbf16>, %[[BIAS:.*]]: memref<256xbf16>, %[[Y:.*]]: memref<256x256xbf16>)
// TILES-SAME: strategy = wgmma, m = 128, n = 64, k = 64, stages = 8
// TILES-SAME: tile.grid = array<i64: 8>
// TILES: %[[RING:.*]] = tile.ring : !tile.ring<8, !tile.shared<128x64xbf16, sw128>, !tile.shared<64x64xbf16, sw128>>
// TILES: tile.role @copy warps = 4 registers = 40 {
// TILES: scf.for
// TILES: scf.for
// TILES: tile.put %[[RING]]
// TILES-COUNT-2: tile.copy {{.*}} dims [0, 1] to {{.*}} by tma
// TILES-NOT: tile.copy
// TILES: tile.role @math warps = 8 registers = 232 {
// The right factor is read across its terms.
// TILES: %[[SLOT:.*]], %{{.*}}:2 = tile.get %[[RING]]
// TILES: tile.dot wgmma<64x64x16> %{{.*}}#0, %{{.*}}#1 transposed
// TILES: scf.for {{.*}} iter_args(%[[BEFORE:.*]] = %[[SLOT]],
// TILES: tile.get
// TILES: tile.dot wgmma<64x64x16>
// TILES: tile.drop %[[BEFORE]]
// TILES: tile.load %[[BIAS]]{{.*}} {align = 4 : i64}
// TILES: tile.drop
// TILES: tile.stage "epilogue"
// TILES-NOT: tile.load
// TILES: tile.slice {{.*}} -> tensor<128x32xf32, #[[ACC]]>
// TILES: arith.addf
// TILES: tile.convert {{.*}} -> tensor<128x32xbf16, #[[WIDE]]>
// TILES: tile.store {{.*}}, %[[Y]][{{.*}}] dims [0, 1] {align = 16 : i64}
// TILES: tile.store
// TILES-NOT: tile.store

// CHECK: gpu.func @contraction({{.*}}, %[[LHS:.*]]: memref<128xi8>, %[[RHS:.*]]: memref<128xi8>) kernel
// CHECK-SAME: forge.by_value = array<i64: 4, 5>
// CHECK-SAME: known_block_size = array<i32: 384, 1, 1>
// A full and an empty barrier for each of eight stages: one arrival, and one of each warp that multiplies.
// CHECK-COUNT-16: nvvm.mbarrier.init
// CHECK-NOT: nvvm.mbarrier.init
// 24576 bytes: 128 x 64 and 64 x 64 elements.
// CHECK: nvvm.mbarrier.arrive.expect_tx {{.*}}, %c24576_i32
// CHECK-COUNT-2: nvvm.cp.async.bulk.tensor
// CHECK-NOT: nvvm.cp.async.bulk.tensor
// 64 terms are four products. A slot is given back without a barrier of the warp's lanes, which all wait for the products.
// CHECK: nvvm.setmaxregister increase
// CHECK-COUNT-8: nvvm.wgmma.mma_async {{.*}} A[<bf16>, <one>, <row>], B[<bf16>, <one>, <row>]
// CHECK-NOT: nvvm.wgmma.mma_async
// CHECK: nvvm.wgmma.wait.group.sync.aligned 1
// CHECK-NOT: nvvm.bar.warp.sync
// CHECK: nvvm.mbarrier.arrive
// CHECK: vector.load %arg2
// CHECK: nvvm.wgmma.wait.group.sync.aligned 0
// CHECK-NOT: vector.load
// CHECK: gpu.shuffle
// CHECK: vector.store {{.*}} {alignment = 16 : i64} : memref<65536xbf16>, vector<8xbf16>

// CHECK-LABEL: func.func @main
// CHECK-COUNT-2: call @forge_rt_device_tensor_map_bf16
// CHECK: gpu.launch_func @kernels::@contraction blocks in (%c8, %c1, %c1) threads in (%c384, %c1, %c1)
// CHECK-SAME: {forge.by_value = array<i64: 4, 5>
func.func @main(%x: tensor<256x512xbf16>, %w: tensor<512x256xbf16>, %b: tensor<256xbf16>) -> tensor<256x256xbf16> {
  %0 = transformer.matmul %x, %w bias %b : (tensor<256x512xbf16>, tensor<512x256xbf16>, tensor<256xbf16>) -> tensor<256x256xbf16>
  return %0 : tensor<256x256xbf16>
}
