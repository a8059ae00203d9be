// What a pair of products becomes: three tensor maps, the columns of the right factors one behind the other in one buffer, products
// of both at once, and for each element of the result the sums of both.
// RUN: forge-opt %s --forge-pipeline="target=cuda:sm_90a tier=optimized to=blocks" | FileCheck %s --check-prefix=TILES
// RUN: forge-opt %s --forge-pipeline="target=cuda:sm_90a tier=optimized to=gpu" | FileCheck %s

// TILES: tile.put {{.*}} : !tile.ring<7, !tile.shared<128x64xbf16, sw128>, !tile.shared<128x64xbf16, sw128>>
// TILES: ^bb0(%[[LEFT:.*]]: !tile.shared<128x64xbf16, sw128>, %[[RIGHT:.*]]: !tile.shared<128x64xbf16, sw128>):
// TILES: tile.copy {{.*}} to %[[LEFT]] by tma
// TILES: %[[GATE:.*]] = tile.slice %[[RIGHT]][%c0, %c0] : {{.*}} -> !tile.shared<64x64xbf16, sw128>
// TILES: tile.copy {{.*}} to %[[GATE]] by tma
// TILES: %[[UP:.*]] = tile.slice %[[RIGHT]][%c64, %c0] : {{.*}} -> !tile.shared<64x64xbf16, sw128>
// TILES: tile.copy {{.*}} to %[[UP]] by tma
// TILES: tile.dot wgmma<64x128x16>
// TILES: tile.stage "epilogue"
// TILES: %[[G:.*]] = tile.slice {{.*}}[%c0, %c0] : tensor<128x128xf32
// TILES: %[[U:.*]] = tile.slice {{.*}}[%c0, %c64] : tensor<128x128xf32
// TILES: arith.mulf

// CHECK: gpu.func @contraction({{.*}}, %[[LHS:.*]]: memref<128xi8>, %[[GATE:.*]]: memref<128xi8>, %[[UP:.*]]: memref<128xi8>) kernel
// CHECK-SAME: forge.by_value = array<i64: 4, 5, 6>
// One thread copies: it alone runs the loops. 32768 bytes: 128 x 64 and 2 x 64 x 64 elements.
// CHECK: nvvm.setmaxregister decrease
// CHECK-NEXT: scf.if
// CHECK: scf.for
// CHECK: nvvm.mbarrier.arrive.expect_tx {{.*}}, %c32768_i32
// CHECK-COUNT-3: nvvm.cp.async.bulk.tensor
// CHECK-NOT: nvvm.cp.async.bulk.tensor
// CHECK-COUNT-8: nvvm.wgmma.mma_async {{.*}} <m = 64, n = 128, k = 16>
// CHECK-NOT: nvvm.wgmma.mma_async
// CHECK-COUNT-4: vector.store {{.*}} {alignment = 16 : i64} : memref<65536xbf16>, vector<8xbf16>
// CHECK-NOT: vector.store

// CHECK-LABEL: func.func @main
// CHECK-COUNT-3: call @forge_rt_device_tensor_map_bf16
// CHECK: gpu.launch_func @kernels::@contraction blocks in (%c8, %c1, %c1) threads in (%c384, %c1, %c1)
func.func @main(%x: tensor<256x512xbf16>, %g: tensor<256x512xbf16>, %u: tensor<256x512xbf16>) -> tensor<256x256xbf16> {
  %0 = transformer.matmul %x, %g {transpose_rhs} : (tensor<256x512xbf16>, tensor<256x512xbf16>) -> tensor<256x256xbf16>
  %1 = transformer.matmul %x, %u {transpose_rhs} : (tensor<256x512xbf16>, tensor<256x512xbf16>) -> tensor<256x256xbf16>
  %2 = stablehlo.multiply %0, %1 : tensor<256x256xbf16>
  return %2 : tensor<256x256xbf16>
}
