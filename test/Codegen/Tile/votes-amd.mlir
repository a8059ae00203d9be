// Warps of AMD's chips vote by a ballot, of as many bits as the warp has lanes.
// RUN: rm -rf %t && split-file %s %t
// RUN: forge-opt %t/64.mlir --forge-lower-kernels=chip=gfx942 --canonicalize --cse | FileCheck %s --check-prefix=CDNA
// RUN: forge-opt %t/32.mlir --forge-lower-kernels=chip=gfx1100 --canonicalize --cse | FileCheck %s --check-prefix=RDNA

// CDNA-LABEL: gpu.func @votes(
// CDNA: %[[LANES:.*]] = rocdl.ballot %{{.*}} : i64
// CDNA: %[[ANY:.*]] = arith.cmpi ne, %[[LANES]], %c0_i64 : i64
// CDNA: scf.if %[[ANY]] -> (f32) {

// RDNA-LABEL: gpu.func @votes(
// RDNA: %[[LANES:.*]] = rocdl.ballot %{{.*}} : i32
// RDNA: %[[ANY:.*]] = arith.cmpi ne, %[[LANES]], %c0_i32 : i32
// RDNA: scf.if %[[ANY]] -> (f32) {

//--- 64.mlir
#t = #tile.layout<reg = [], lane = [x1, x2, x4, x8, x16, x32], warp = [x64]>
func.func private @votes(%in: memref<128xf32>, %out: memref<128xf32>)
    attributes {forge.kernel, tile.grid = array<i64: 1>, tile.warps = 2} {
  %c0 = arith.constant 0 : index
  %x = tile.load %in[%c0] : memref<128xf32> -> tensor<128xf32, #t>
  %zero = arith.constant dense<0.0> : tensor<128xf32, #t>
  %c = arith.cmpf ogt, %x, %zero : tensor<128xf32, #t>
  %y = tile.when %c else (%x : tensor<128xf32, #t>) : tensor<128xi1, #t> {
    %twice = arith.addf %x, %x : tensor<128xf32, #t>
    tile.yield %twice : tensor<128xf32, #t>
  }
  tile.store %y, %out[%c0] : tensor<128xf32, #t>, memref<128xf32>
  return
}
func.func @main(%in: memref<128xf32>, %out: memref<128xf32>) {
  call @votes(%in, %out) : (memref<128xf32>, memref<128xf32>) -> ()
  return
}

//--- 32.mlir
#t = #tile.layout<reg = [], lane = [x1, x2, x4, x8, x16], warp = [x32]>
func.func private @votes(%in: memref<64xf32>, %out: memref<64xf32>)
    attributes {forge.kernel, tile.grid = array<i64: 1>, tile.warps = 2} {
  %c0 = arith.constant 0 : index
  %x = tile.load %in[%c0] : memref<64xf32> -> tensor<64xf32, #t>
  %zero = arith.constant dense<0.0> : tensor<64xf32, #t>
  %c = arith.cmpf ogt, %x, %zero : tensor<64xf32, #t>
  %y = tile.when %c else (%x : tensor<64xf32, #t>) : tensor<64xi1, #t> {
    %twice = arith.addf %x, %x : tensor<64xf32, #t>
    tile.yield %twice : tensor<64xf32, #t>
  }
  tile.store %y, %out[%c0] : tensor<64xf32, #t>, memref<64xf32>
  return
}
func.func @main(%in: memref<64xf32>, %out: memref<64xf32>) {
  call @votes(%in, %out) : (memref<64xf32>, memref<64xf32>) -> ()
  return
}
