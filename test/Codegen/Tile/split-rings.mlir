// Parts of a ring's slots where a cluster has fewer blocks than there are parts: one block runs all, and the loop carries the ring's state.
// RUN: forge-opt --forge-lower-kernels=chip=sm_90a %s | FileCheck %s

!A = !tile.shared<64x64xbf16, sw128>
!R = !tile.ring<2, !A>
#t = #tile.layout<reg = [y1, y2, y4], lane = [y8, y16, y32, x1, x2], warp = []>

// CHECK-LABEL: gpu.func @parts(
// CHECK-NOT: nvvm.cluster
// CHECK: nvvm.cp.async.bulk.tensor.shared.cluster.global
// CHECK: scf.for {{.*}} iter_args({{.*}}) -> ({{(f32, )+}}i32, i32, i32, i32) {
// CHECK: nvvm.cp.async.bulk.tensor.shared.cluster.global
func.func private @parts(%x: memref<1024x64xbf16>, %y: memref<64x64xf32>) attributes {forge.kernel, tile.grid = array<i64: 1>, tile.warps = 1} {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %ring = tile.ring : !R
  %sum = tile.split of 16 : tensor<64x64xf32, #t> {
  ^bb0(%part: index):
    %row = arith.muli %part, %c64 : index
    tile.put %ring : !R {
    ^bb0(%a: !A):
      tile.copy %x[%row, %c0] to %a by tma : memref<1024x64xbf16> to !A
    }
    %s, %b = tile.get %ring : !R
    %v = tile.load %b[%c0, %c0] {align = 16} : !A -> tensor<64x64xbf16, #t>
    %f = arith.extf %v : tensor<64x64xbf16, #t> to tensor<64x64xf32, #t>
    tile.drop %s
    tile.yield %f : tensor<64x64xf32, #t>
  } combine {
  ^bb0(%a: tensor<64x64xf32, #t>, %b: tensor<64x64xf32, #t>):
    %c = arith.addf %a, %b : tensor<64x64xf32, #t>
    tile.yield %c : tensor<64x64xf32, #t>
  }
  tile.store %sum, %y[%c0, %c0] {align = 16} : tensor<64x64xf32, #t>, memref<64x64xf32>
  return
}
func.func @main(%x: memref<1024x64xbf16>, %y: memref<64x64xf32>) {
  call @parts(%x, %y) : (memref<1024x64xbf16>, memref<64x64xf32>) -> ()
  return
}
