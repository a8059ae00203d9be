// Parts of a computation: by the blocks of a cluster, the first of which combines them and runs what comes after; by one block where
// cluster has fewer blocks than there are parts.
// RUN: forge-opt --forge-lower-kernels=chip=sm_90a --canonicalize --cse %s | FileCheck %s
// RUN: forge-opt --forge-lower-kernels=chip=sm_80 --canonicalize --cse %s | FileCheck %s --check-prefix=ALONE
// RUN: forge-opt --forge-lower-kernels="chip=sm_90a naive-tiles" --canonicalize --cse %s | FileCheck %s --check-prefix=NAIVE

#t = #tile.layout<reg = [], lane = [x1, x2, x4, x8, x16], warp = []>

// CHECK-LABEL: gpu.func @parts(
// CHECK-SAME: known_cluster_size = array<i32: 4, 1, 1>
// CHECK: %[[BLOCK:.*]] = gpu.block_id x
// CHECK: %[[RANK:.*]] = arith.remui %[[BLOCK]], %c4
// CHECK: %[[OWN:.*]] = memref.load %{{.*}} : memref<512xf32>
// CHECK: memref.store %[[OWN]], %{{.*}} : memref<32xf32, #gpu.address_space<workgroup>>
// CHECK: nvvm.cluster.arrive
// CHECK: nvvm.cluster.wait
// CHECK: %[[FIRST:.*]] = arith.cmpi eq, %[[RANK]], %c0
// CHECK: scf.if %[[FIRST]] {
// CHECK-COUNT-3: nvvm.mapa
// CHECK-COUNT-3: arith.addf
// CHECK:   memref.store
// CHECK: } else {
// CHECK:   nvvm.cluster.arrive
// CHECK:   nvvm.cluster.wait
// CHECK: }
// CHECK-NOT: nvvm.cluster
// CHECK: gpu.launch_func @kernels::@parts
// CHECK-SAME: blocks in (%c16,
func.func private @parts(%x: memref<512xf32>, %y: memref<128xf32>) attributes {forge.kernel, tile.grid = array<i64: 4>, tile.warps = 1} {
  %c32 = arith.constant 32 : index
  %c128 = arith.constant 128 : index
  %block = gpu.block_id x
  %first = arith.muli %block, %c128 : index
  %to = arith.muli %block, %c32 : index
  %sum = tile.split of 4 : tensor<32xf32, #t> {
  ^bb0(%part: index):
    %of_part = arith.muli %part, %c32 : index
    %at = arith.addi %first, %of_part : index
    %a = tile.load %x[%at] : memref<512xf32> -> tensor<32xf32, #t>
    tile.yield %a : tensor<32xf32, #t>
  } combine {
  ^bb0(%a: tensor<32xf32, #t>, %b: tensor<32xf32, #t>):
    %c = arith.addf %a, %b : tensor<32xf32, #t>
    tile.yield %c : tensor<32xf32, #t>
  }
  tile.store %sum, %y[%to] : tensor<32xf32, #t>, memref<128xf32>
  return
}
func.func @main(%x: memref<512xf32>, %y: memref<128xf32>) {
  call @parts(%x, %y) : (memref<512xf32>, memref<128xf32>) -> ()
  return
}

// NAIVE-LABEL: gpu.func @parts(
// NAIVE-NOT: nvvm.cluster
// NAIVE: scf.for %{{.*}} = %c1 to %c4 step %c1
// NAIVE: arith.addf
// NAIVE: gpu.launch_func @kernels::@parts
// NAIVE-SAME: blocks in (%c4,

// ALONE-LABEL: gpu.func @parts(
// ALONE-NOT: nvvm
// ALONE: memref.load
// ALONE: scf.for %{{.*}} = %c1 to %c4 step %c1 iter_args
// ALONE: memref.load
// ALONE: arith.addf
// ALONE: memref.store
// ALONE: gpu.launch_func @kernels::@parts
// ALONE-SAME: blocks in (%c4,
