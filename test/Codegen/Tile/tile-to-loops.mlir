// The naive form: loops over blocks, tiles as arrays of one buffer, reductions in the layout's order.
// RUN: forge-opt %s --forge-tile-to-loops --canonicalize | FileCheck %s

#in = #tile.layout<reg = [y1], lane = [y2, x1], warp = [y4]>
#sums = #tile.layout<reg = [], lane = [_, x1], warp = [_]>

// CHECK-LABEL: func.func private @sums(
// CHECK-SAME: %[[IN:.*]]: memref<4x16xf32>, %[[OUT:.*]]: memref<4xf32>) {
func.func private @sums(%in: memref<4x16xf32>, %out: memref<4xf32>)
    attributes {forge.kernel, tile.grid = array<i64: 2>, tile.warps = 2} {
  // CHECK: %[[ARENA:.*]] = memref.alloc() : memref<256xi8>
  // CHECK: %[[X:.*]] = memref.view %[[ARENA]][%{{.*}}][] : memref<256xi8> to memref<2x16xf32>
  // CHECK: %[[PARTS:.*]] = memref.view {{.*}} to memref<4xf32>
  // CHECK: %[[S:.*]] = memref.view {{.*}} to memref<2xf32>
  // CHECK: scf.for %[[BLOCK:.*]] = %c0 to %c2 step %c1 {
  %block = gpu.block_id x
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %row = arith.muli %block, %c2 : index
  // CHECK: memref.load %[[IN]]
  // CHECK: memref.store %{{.*}}, %[[X]]
  %x = tile.load %in[%row, %c0] : memref<4x16xf32> -> tensor<2x16xf32, #in>
  // Four threads share a row; each has two neighbours of each half: registers 1 to 3 follow register 0.
  // CHECK: scf.for %[[KEPT:.*]] = %c0 to %c2
  // CHECK: scf.for %[[THREAD:.*]] = %c0 to %c4
  // CHECK: %[[PART:.*]] = scf.for %{{.*}} = %c1 to %c4 step %c1 iter_args
  // CHECK: memref.store %[[PART]], %[[PARTS]][%[[THREAD]]]
  // Threads that differ in bit 0, then those that differ in bit 1.
  // CHECK: scf.for %[[PAIR:.*]] = %c0 to %c2
  // CHECK: arith.addf
  // CHECK: memref.load %[[PARTS]][%c0]
  // CHECK: memref.load %[[PARTS]][%c2]
  // CHECK: arith.addf
  %s = tile.reduce add %x dims [1] : tensor<2x16xf32, #in> -> tensor<2xf32, #sums>
  // CHECK: memref.store %{{.*}}, %[[S]]
  // CHECK: memref.store %{{.*}}, %[[OUT]]
  tile.store %s, %out[%row] : tensor<2xf32, #sums>, memref<4xf32>
  // CHECK-NOT: tile.
  return
}
