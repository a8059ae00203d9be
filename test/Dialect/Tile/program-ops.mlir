// Operations of the tile dialect that name buffers, channels and roles, as they are printed and in generic form.
// RUN: forge-opt %s | forge-opt | FileCheck %s
// RUN: forge-opt -mlir-print-op-generic %s | forge-opt | FileCheck %s

!A = !tile.shared<128x64xbf16, sw128>
!B = !tile.shared<256x64xbf16, sw128>
!R = !tile.ring<4, !A, !B>
#rows = #tile.layout<reg = [], lane = [x1, x2, x4, x8, x16], warp = [x32, x64, x128]>

// CHECK-LABEL: func.func @roles
// CHECK-SAME: attributes {forge.kernel, tile.grid = array<i64: 132>}
func.func @roles(%x: memref<512x8x64xbf16>, %w: memref<256x64xbf16>, %m: index, %k: index)
    attributes {forge.kernel, tile.grid = array<i64: 132>} {
  // CHECK: tile.alloc : !tile.shared<64x64xf32, pad 16>
  %scratch = tile.alloc : !tile.shared<64x64xf32, pad 16>
  // CHECK: %[[RING:.*]] = tile.ring : !tile.ring<4, !tile.shared<128x64xbf16, sw128>, !tile.shared<256x64xbf16, sw128>>
  %ring = tile.ring : !R
  // CHECK: tile.role @copy warps = 4 registers = 40 {
  tile.role @copy warps = 4 registers = 40 {
    // CHECK: tile.put %[[RING]] : !tile.ring
    tile.put %ring : !R {
    // CHECK: ^bb0(%[[A:.*]]: !tile.shared<128x64xbf16, sw128>, %[[B:.*]]: !tile.shared
    ^bb0(%a: !A, %b: !B):
      // CHECK: tile.copy %{{.*}}[%{{.*}}, %{{.*}}, %{{.*}}] dims [0, 2] to %[[A]] by tma : memref<512x8x64xbf16> to !tile.shared<128x64xbf16, sw128>
      tile.copy %x[%m, %m, %k] dims [0, 2] to %a by tma : memref<512x8x64xbf16> to !A
      // CHECK: tile.copy %{{.*}} to %[[B]] by tma
      tile.copy %w[%m, %k] to %b by tma : memref<256x64xbf16> to !B
    }
  }
  // CHECK: tile.role @math warps = 8 {
  tile.role @math warps = 8 {
    // CHECK: %[[SLOT:.*]], %{{.*}}:2 = tile.get %[[RING]] : !tile.ring
    %slot, %a, %b = tile.get %ring : !R
    // CHECK: tile.drop %[[SLOT]]
    tile.drop %slot
    // CHECK: tile.stage "first"
    tile.stage "first"
    // CHECK: tile.turn
    tile.turn
    // CHECK: tile.pass
    tile.pass
    // CHECK: %[[C:.*]] = arith.constant dense<true>
    %c = arith.constant dense<true> : tensor<256xi1, #rows>
    %x0 = arith.constant dense<1.0> : tensor<256xf32, #rows>
    // CHECK: %{{.*}}:2 = tile.when %[[C]] else (%{{.*}}, %[[C]] : tensor<256xf32, #{{.*}}>, tensor<256xi1, #{{.*}}>) : tensor<256xi1, #{{.*}}> {
    %r:2 = tile.when %c else (%x0, %c : tensor<256xf32, #rows>, tensor<256xi1, #rows>) : tensor<256xi1, #rows> {
      %y = arith.addf %x0, %x0 : tensor<256xf32, #rows>
      // CHECK: tile.yield %{{.*}}, %[[C]] : tensor<256xf32, #{{.*}}>, tensor<256xi1, #{{.*}}>
      tile.yield %y, %c : tensor<256xf32, #rows>, tensor<256xi1, #rows>
    }
  }
  return
}

// CHECK-LABEL: func.func @work
// CHECK-SAME: %[[N:.*]]: i32, %[[COUNTER:.*]]: memref<2xi32>
func.func @work(%n: i32, %counter: memref<2xi32>) attributes {forge.kernel, tile.grid = array<i64: 132>} {
  tile.role @copy warps = 1 {
    // CHECK: tile.work %[[T:.*]] below %[[N]] from %[[COUNTER]] : memref<2xi32> {
    tile.work %t below %n from %counter : memref<2xi32> {
      // CHECK: arith.addi %[[T]], %[[T]] : i32
      %twice = arith.addi %t, %t : i32
    }
  }
  return
}

#acc = #tile.layout<reg = [y1, x8], lane = [y2, y4, x1, x2, x4], warp = [x16, x32, x64]>
#box = #tile.layout<reg = [z1, y8], lane = [z2, z4, y1, y2, y4], warp = [x1, x2, x4]>

// Rows of a tile as a box of two dimensions, elements from places of their own, and a buffer that is filled by boxes.
// CHECK-LABEL: func.func @boxes
func.func @boxes(%x: memref<4x16x16x64xbf16>, %t: memref<64x32xf32>, %i: index) attributes {forge.kernel, tile.grid = array<i64: 1>} {
  // CHECK: tile.limit_grid %{{.*}}
  tile.limit_grid %i
  %ring = tile.ring : !tile.ring<2, !A>
  tile.role @copy warps = 4 {
    tile.put %ring : !tile.ring<2, !A> {
    ^bb0(%a: !A):
      // CHECK: %[[BOX:.*]] = tile.reshape %{{.*}} : !tile.shared<128x64xbf16, sw128> -> !tile.shared<8x16x64xbf16, sw128>
      %b = tile.reshape %a : !A -> !tile.shared<8x16x64xbf16, sw128>
      // CHECK: tile.copy %{{.*}} dims [1, 2, 3] to %[[BOX]] by tma
      tile.copy %x[%i, %i, %i, %i] dims [1, 2, 3] to %b by tma : memref<4x16x16x64xbf16> to !tile.shared<8x16x64xbf16, sw128>
    }
  }
  tile.role @math warps = 8 {
    %zero = arith.constant dense<0.0> : tensor<128x32xf32, #acc>
    // CHECK: tile.reshape %{{.*}} : tensor<128x32xf32, #{{.*}}> -> tensor<8x16x32xf32, #{{.*}}>
    %r = tile.reshape %zero : tensor<128x32xf32, #acc> -> tensor<8x16x32xf32, #box>
    %n = tile.iota dim 1 : tensor<8x16x32xindex, #box>
    // CHECK: tile.gather %{{.*}}[%{{.*}}, %{{.*}}] : memref<64x32xf32>, tensor<8x16x32xindex, #{{.*}}>, index -> tensor<8x16x32xf32, #{{.*}}>
    %g = tile.gather %t[%n, %i] : memref<64x32xf32>, tensor<8x16x32xindex, #box>, index -> tensor<8x16x32xf32, #box>
    %last = arith.constant dense<15> : tensor<8x16x32xindex, #box>
    %has = arith.cmpi ult, %n, %last : tensor<8x16x32xindex, #box>
    // CHECK: tile.scatter %{{.*}}, %{{.*}}[%{{.*}}, %{{.*}}] where %{{.*}} : tensor<8x16x32xi1, #{{.*}}> : tensor<8x16x32xf32, #{{.*}}>, memref<64x32xf32>, tensor<8x16x32xindex, #{{.*}}>, index
    tile.scatter %g, %t[%n, %i] where %has : tensor<8x16x32xi1, #box> : tensor<8x16x32xf32, #box>, memref<64x32xf32>, tensor<8x16x32xindex, #box>, index
    // CHECK: tile.scatter %{{.*}}, %{{.*}}[%{{.*}}, %{{.*}}] : tensor
    tile.scatter %g, %t[%n, %i] : tensor<8x16x32xf32, #box>, memref<64x32xf32>, tensor<8x16x32xindex, #box>, index
  }
  return
}

// CHECK-LABEL: func.func @split
func.func @split(%x: memref<64xf32>) attributes {forge.kernel, tile.grid = array<i64: 2>, tile.warps = 8} {
  // CHECK: tile.split of 4 : tensor<256xf32, #{{.*}}> {
  // CHECK-NEXT: ^bb0(%[[PART:.*]]: index):
  %r = tile.split of 4 : tensor<256xf32, #rows> {
  ^bb0(%part: index):
    // CHECK: tile.load %{{.*}}[%[[PART]]]
    %a = tile.load %x[%part] : memref<64xf32> -> tensor<256xf32, #rows>
    // CHECK: tile.yield
    tile.yield %a : tensor<256xf32, #rows>
  // CHECK: } combine {
  } combine {
  // CHECK: ^bb0(%[[A:.*]]: tensor<256xf32, #{{.*}}>, %[[B:.*]]: tensor
  ^bb0(%a: tensor<256xf32, #rows>, %b: tensor<256xf32, #rows>):
    // CHECK: arith.addf %[[A]], %[[B]]
    %c = arith.addf %a, %b : tensor<256xf32, #rows>
    tile.yield %c : tensor<256xf32, #rows>
  }
  return
}
