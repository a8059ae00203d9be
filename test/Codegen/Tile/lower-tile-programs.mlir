// Tile programs as threads.
// RUN: forge-opt --split-input-file --forge-lower-kernels=chip=sm_90a --canonicalize --cse %s | FileCheck %s

// Neighbouring registers are one access; lanes reduce among themselves, then warps through shared memory, each with the others in
// pairs; one of the threads that hold equal values stores.

#row = #tile.layout<reg = [x1, x2], lane = [x4, x8, x16, x32, x64], warp = [x128, x256]>
#one = #tile.layout<reg = [], lane = [_, _, _, _, _], warp = [_, _], rank = 1>

// CHECK-LABEL: gpu.func @sums(
// CHECK-SAME: %[[IN:.*]]: memref<8x512xf32>, %[[OUT:.*]]: memref<8xf32>) kernel attributes {known_block_size = array<i32: 128, 1, 1>}
// CHECK: %[[V:.*]] = vector.load %{{.*}} {alignment = 16 : i64} : memref<4096xf32>, vector<4xf32>
// CHECK: %[[S1:.*]] = arith.addf %{{.*}}, %{{.*}} : f32
// CHECK: %[[S2:.*]] = arith.addf %[[S1]], %{{.*}} : f32
// CHECK: %[[S3:.*]] = arith.addf %[[S2]], %{{.*}} : f32
// CHECK-COUNT-5: gpu.shuffle xor
// CHECK: memref.store
// CHECK-NEXT: gpu.barrier
// CHECK: %[[A:.*]] = memref.load
// CHECK: %[[B:.*]] = memref.load
// CHECK: %[[C:.*]] = memref.load
// CHECK: %[[D:.*]] = memref.load
// CHECK-DAG: %[[AB:.*]] = arith.addf %[[A]], %[[B]]
// CHECK-DAG: %[[CD:.*]] = arith.addf %[[C]], %[[D]]
// CHECK: arith.addf %[[AB]], %[[CD]]
// CHECK: scf.if
// CHECK-NEXT: memref.store
func.func private @sums(%in: memref<8x512xf32>, %out: memref<8xf32>)
    attributes {forge.kernel, tile.grid = array<i64: 8>, tile.warps = 4} {
  %row = gpu.block_id x
  %c0 = arith.constant 0 : index
  %x = tile.load %in[%row, %c0] dims [1] {align = 16} : memref<8x512xf32> -> tensor<512xf32, #row>
  %sum = tile.reduce add %x dims [0] : tensor<512xf32, #row> -> f32
  %s = tensor.splat %sum : tensor<1xf32, #one>
  tile.store %s, %out[%row] : tensor<1xf32, #one>, memref<8xf32>
  return
}

// CHECK: func.func @main
// CHECK: gpu.launch_func @kernels::@sums blocks in (%c8, %c1, %c1) threads in (%c128, %c1, %c1)
// CHECK-SAME: dynamic_shared_memory_size %c512_i32
// CHECK-SAME: forge.description = "tile program; 128 threads; memref<8x512xf32>, memref<8xf32>"
func.func @main(%in: memref<8x512xf32>, %out: memref<8xf32>) {
  call @sums(%in, %out) : (memref<8x512xf32>, memref<8xf32>) -> ()
  return
}

// -----

// Elements of 16 bits that stay neighbours move between lanes two at a time.

#from = #tile.layout<reg = [y1, x8], lane = [y2, y4, x1, x2, x4], warp = []>
#to = #tile.layout<reg = [y1, y2, y4, x8], lane = [y8, y16, x1, x2, x4], warp = []>

// CHECK-LABEL: gpu.func @moved(
// CHECK-COUNT-16: memref.load %{{.*}} : memref<512xbf16>
// CHECK-COUNT-8: gpu.shuffle xor
// CHECK-NOT: gpu.shuffle
// CHECK-COUNT-2: vector.store %{{.*}} {alignment = 16 : i64} : memref<512xbf16>, vector<8xbf16>
func.func private @moved(%out: memref<16x32xbf16>)
    attributes {forge.kernel, tile.grid = array<i64: 1>, tile.warps = 1} {
  %c0 = arith.constant 0 : index
  %x = tile.load %out[%c0, %c0] : memref<16x32xbf16> -> tensor<16x32xbf16, #from>
  %y = tile.convert %x : tensor<16x32xbf16, #from> -> tensor<16x32xbf16, #to>
  tile.store %y, %out[%c0, %c0] {align = 16} : tensor<16x32xbf16, #to>, memref<16x32xbf16>
  return
}
func.func @main(%out: memref<16x32xbf16>) {
  call @moved(%out) : (memref<16x32xbf16>) -> ()
  return
}

// -----

// A role that only copies is one thread. Slot and phase of a ring are carried by the loops that use it; two products may be in flight
// where the slot of the one before is dropped, and none where the sums are read.

!A = !tile.shared<64x64xbf16, sw128>
!R = !tile.ring<2, !A, !A>
#acc = #tile.layout<reg = [y1, x8], lane = [y2, y4, x1, x2, x4], warp = [x16, x32]>

// CHECK-LABEL: gpu.func @roles(
// CHECK-SAME: %{{.*}}: memref<64x256xbf16>, %{{.*}}: memref<64x64xf32>, %{{.*}}: memref<128xi8>)
// CHECK-SAME: forge.by_value = array<i64: 2>
// CHECK: nvvm.mbarrier.init
// CHECK: gpu.barrier
// CHECK: scf.if
// CHECK:   scf.if
// CHECK:     scf.for {{.*}} iter_args(%{{.*}} = %c0_i32, %{{.*}} = %c1_i32) -> (i32, i32) {
// CHECK:       nvvm.mbarrier.try_wait.parity
// CHECK:       nvvm.mbarrier.arrive.expect_tx %{{.*}}, %c16384_i32
// CHECK-COUNT-2: nvvm.cp.async.bulk.tensor.shared.cluster.global
// CHECK: } else {
// CHECK:   nvvm.wgmma.fence.aligned
// CHECK-COUNT-4: nvvm.wgmma.mma_async
// CHECK:   nvvm.wgmma.commit.group.sync.aligned
// CHECK:   scf.for
// CHECK:     nvvm.wgmma.commit.group.sync.aligned
// CHECK-NEXT: nvvm.wgmma.wait.group.sync.aligned 1
// CHECK:     nvvm.mbarrier.arrive
// CHECK:     scf.yield
// CHECK:   nvvm.wgmma.wait.group.sync.aligned 0
// CHECK:   nvvm.mbarrier.arrive
// CHECK-NOT: nvvm.wgmma.wait
// CHECK: vector.store
func.func private @roles(%x: memref<64x256xbf16>, %y: memref<64x64xf32>)
    attributes {forge.kernel, tile.grid = array<i64: 1>} {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %c256 = arith.constant 256 : index
  %ring = tile.ring : !R
  tile.role @copy warps = 4 {
    scf.for %k = %c0 to %c256 step %c64 {
      tile.put %ring : !R {
      ^bb0(%a: !A, %b: !A):
        tile.copy %x[%c0, %k] to %a by tma : memref<64x256xbf16> to !A
        tile.copy %x[%c0, %k] to %b by tma : memref<64x256xbf16> to !A
      }
    }
  }
  tile.role @math warps = 4 {
    %zero = arith.constant dense<0.0> : tensor<64x64xf32, #acc>
    %s0, %a0, %b0 = tile.get %ring : !R
    %d0 = tile.dot wgmma<64x64x16> %a0, %b0, %zero : !A, !A, tensor<64x64xf32, #acc>
    %last, %sum = scf.for %k = %c64 to %c256 step %c64 iter_args(%before = %s0, %acc = %d0)
        -> (!tile.slot, tensor<64x64xf32, #acc>) {
      %s, %a, %b = tile.get %ring : !R
      %d = tile.dot wgmma<64x64x16> %a, %b, %acc : !A, !A, tensor<64x64xf32, #acc>
      tile.drop %before
      scf.yield %s, %d : !tile.slot, tensor<64x64xf32, #acc>
    }
    tile.drop %last
    tile.store %sum, %y[%c0, %c0] {align = 8} : tensor<64x64xf32, #acc>, memref<64x64xf32>
  }
  return
}
func.func @main(%x: memref<64x256xbf16>, %y: memref<64x64xf32>) {
  call @roles(%x, %y) : (memref<64x256xbf16>, memref<64x64xf32>) -> ()
  return
}

// -----

// A left factor in registers is read until its product has ended: it has, before the next one is loaded to them.

!A = !tile.shared<64x64xbf16, sw128>
!R = !tile.ring<2, !A, !A>
#acc = #tile.layout<reg = [y1, x8], lane = [y2, y4, x1, x2, x4], warp = [x16, x32]>
#left = #tile.layout<reg = [y1, x8, y8], lane = [y2, y4, x1, x2, x4], warp = [x16, x32]>

// CHECK-LABEL: gpu.func @left_in_registers(
// CHECK: } else {
// CHECK:   scf.for
// CHECK:     nvvm.mbarrier.try_wait.parity
// CHECK:     nvvm.wgmma.wait.group.sync.aligned 0
// CHECK:     nvvm.ldmatrix
// CHECK:     nvvm.wgmma.commit.group.sync.aligned
// CHECK:     scf.yield
func.func private @left_in_registers(%x: memref<64x256xbf16>, %y: memref<64x64xf32>)
    attributes {forge.kernel, tile.grid = array<i64: 1>} {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %c256 = arith.constant 256 : index
  %ring = tile.ring : !R
  tile.role @copy warps = 4 {
    scf.for %k = %c0 to %c256 step %c64 {
      tile.put %ring : !R {
      ^bb0(%a: !A, %b: !A):
        tile.copy %x[%c0, %k] to %a by tma : memref<64x256xbf16> to !A
        tile.copy %x[%c0, %k] to %b by tma : memref<64x256xbf16> to !A
      }
    }
  }
  tile.role @math warps = 4 {
    %zero = arith.constant dense<0.0> : tensor<64x64xf32, #acc>
    %s0, %a0, %b0 = tile.get %ring : !R
    %last, %sum = scf.for %k = %c64 to %c256 step %c64 iter_args(%before = %s0, %acc = %zero)
        -> (!tile.slot, tensor<64x64xf32, #acc>) {
      %s, %a, %b = tile.get %ring : !R
      %l = tile.load %a[%c0, %c0] {align = 16} : !A -> tensor<64x64xbf16, #left>
      %d = tile.dot wgmma<64x64x16> %l, %b, %acc : tensor<64x64xbf16, #left>, !A, tensor<64x64xf32, #acc>
      tile.drop %before
      scf.yield %s, %d : !tile.slot, tensor<64x64xf32, #acc>
    }
    tile.drop %last
    tile.store %sum, %y[%c0, %c0] {align = 8} : tensor<64x64xf32, #acc>, memref<64x64xf32>
  }
  return
}
func.func @main(%x: memref<64x256xbf16>, %y: memref<64x64xf32>) {
  call @left_in_registers(%x, %y) : (memref<64x256xbf16>, memref<64x64xf32>) -> ()
  return
}

// -----

// What LLVM's passes are told about a loop goes on.

#row = #tile.layout<reg = [], lane = [x1, x2, x4, x8, x16], warp = []>
#rolled = #llvm.loop_annotation<unroll = <disable = true>>

// CHECK: #[[ROLLED:.*]] = #llvm.loop_annotation<unroll = #{{.*}}>
// CHECK-LABEL: gpu.func @rolled(
// CHECK: scf.for
// CHECK: } {loop_annotation = #[[ROLLED]]}
func.func private @rolled(%in: memref<8x32xf32>, %out: memref<32xf32>)
    attributes {forge.kernel, tile.grid = array<i64: 1>, tile.warps = 1} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %zero = arith.constant dense<0.0> : tensor<32xf32, #row>
  %sum = scf.for %i = %c0 to %c8 step %c1 iter_args(%s = %zero) -> (tensor<32xf32, #row>) {
    %x = tile.load %in[%i, %c0] dims [1] : memref<8x32xf32> -> tensor<32xf32, #row>
    %t = arith.addf %s, %x : tensor<32xf32, #row>
    scf.yield %t : tensor<32xf32, #row>
  } {loop_annotation = #rolled}
  tile.store %sum, %out[%c0] : tensor<32xf32, #row>, memref<32xf32>
  return
}
func.func @main(%in: memref<8x32xf32>, %out: memref<32xf32>) {
  call @rolled(%in, %out) : (memref<8x32xf32>, memref<32xf32>) -> ()
  return
}

// -----

// Of a difference from a place that does not overflow, what is the same for all of a thread's elements is computed once: each is
// compared with a constant.

#matrix = #tile.layout<reg = [y1, x8], lane = [y2, y4, x1, x2, x4], warp = []>
#column = #tile.layout<reg = [x1], lane = [x2, x4, _, _, _], warp = [], rank = 1>
#vector = #tile.layout<reg = [x8], lane = [_, _, x1, x2, x4], warp = [], rank = 1>

// CHECK-LABEL: gpu.func @masked(
// CHECK: %[[END:.*]] = memref.load
// CHECK: %[[END8:.*]] = memref.load
// CHECK-DAG: %[[LEFT:.*]] = arith.subi %[[END]], %[[FIRST:.*]] overflow<nsw> : i32
// CHECK-DAG: %[[LEFT8:.*]] = arith.subi %[[END8]], %[[FIRST]] overflow<nsw> : i32
// CHECK-DAG: arith.subi %[[LEFT]], %c1_i32 overflow<nsw> : i32
// CHECK-DAG: arith.subi %[[LEFT8]], %c1_i32 overflow<nsw> : i32
func.func private @masked(%ends: memref<16xi32>, %out: memref<16x8xi32>)
    attributes {forge.kernel, tile.grid = array<i64: 1>, tile.warps = 1} {
  %c0 = arith.constant 0 : index
  %e = tile.load %ends[%c0] : memref<16xi32> -> tensor<16xi32, #vector>
  %t = tile.iota dim 0 : tensor<8xi32, #column>
  %all = tile.broadcast %e dims [1] : tensor<16xi32, #vector> -> tensor<16x8xi32, #matrix>
  %places = tile.broadcast %t dims [0] : tensor<8xi32, #column> -> tensor<16x8xi32, #matrix>
  %left = arith.subi %all, %places overflow<nsw> : tensor<16x8xi32, #matrix>
  tile.store %left, %out[%c0, %c0] : tensor<16x8xi32, #matrix>, memref<16x8xi32>
  return
}

func.func @main(%ends: memref<16xi32>, %out: memref<16x8xi32>) {
  call @masked(%ends, %out) : (memref<16xi32>, memref<16x8xi32>) -> ()
  return
}
