// Y = X W on sm_80 by mma.sync, in 64 x 64 tiles of four warps: cp.async copies both factors as they are in memory, two steps ahead of
// the product, and ldmatrix loads them, W transposed.
!X = !tile.shared<64x64xbf16, sw128>
!R = !tile.ring<3, !X, !X>
#left = #tile.layout<reg = [y1, x8], lane = [y2, y4, x1, x2, x4], warp = [x16, _]>
#right = #tile.layout<reg = [y1], lane = [y2, y4, x1, x2, x4], warp = [_, x8]>
#acc = #tile.layout<reg = [y1, x8], lane = [y2, y4, x1, x2, x4], warp = [x16, y8]>

func.func private @gemm(%X: memref<128x192xbf16>, %W: memref<192x128xbf16>, %Y: memref<128x128xf32>)
    attributes {forge.kernel, forge.reference = @gemm_linalg, tile.grid = array<i64: 2, 2>, tile.warps = 4} {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %c64 = arith.constant 64 : index
  %c128 = arith.constant 128 : index
  %c192 = arith.constant 192 : index
  %row = gpu.block_id x
  %column = gpu.block_id y
  %m = arith.muli %row, %c64 : index
  %n = arith.muli %column, %c64 : index
  %ring = tile.ring : !R
  %zero = arith.constant dense<0.0> : tensor<64x64xf32, #acc>
  tile.put %ring : !R {
  ^bb0(%a: !X, %b: !X):
    tile.copy %X[%m, %c0] to %a by cp_async {align = 16} : memref<128x192xbf16> to !X
    tile.copy %W[%c0, %n] to %b by cp_async {align = 16} : memref<192x128xbf16> to !X
  }
  tile.put %ring : !R {
  ^bb0(%a: !X, %b: !X):
    tile.copy %X[%m, %c64] to %a by cp_async {align = 16} : memref<128x192xbf16> to !X
    tile.copy %W[%c64, %n] to %b by cp_async {align = 16} : memref<192x128xbf16> to !X
  }
  %sum = scf.for %k = %c0 to %c192 step %c64 iter_args(%in = %zero) -> (tensor<64x64xf32, #acc>) {
    %s, %a, %b = tile.get %ring : !R
    %k2 = arith.addi %k, %c128 : index
    tile.put %ring : !R {
    ^bb0(%x: !X, %w: !X):
      tile.copy %X[%m, %k2] to %x by cp_async {align = 16} : memref<128x192xbf16> to !X
      tile.copy %W[%k2, %n] to %w by cp_async {align = 16} : memref<192x128xbf16> to !X
    }
    %out = scf.for %j = %c0 to %c64 step %c16 iter_args(%acc = %in) -> (tensor<64x64xf32, #acc>) {
      %l = tile.load %a[%c0, %j] {align = 16} : !X -> tensor<64x16xbf16, #left>
      %r = tile.load %b[%j, %c0] dims [1, 0] {align = 16} : !X -> tensor<64x16xbf16, #right>
      %d = tile.dot mma<16x8x16> %l, %r, %acc
        : tensor<64x16xbf16, #left>, tensor<64x16xbf16, #right>, tensor<64x64xf32, #acc>
      scf.yield %d : tensor<64x64xf32, #acc>
    } {tile.unroll}
    tile.drop %s
    scf.yield %out : tensor<64x64xf32, #acc>
  }
  tile.store %sum, %Y[%m, %n] {align = 8} : tensor<64x64xf32, #acc>, memref<128x128xf32>
  return
}

func.func private @gemm_linalg(%X: memref<128x192xbf16>, %W: memref<192x128xbf16>, %Y: memref<128x128xf32>) {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%Y : memref<128x128xf32>)
  linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>],
                  iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%X, %W : memref<128x192xbf16>, memref<192x128xbf16>) outs(%Y : memref<128x128xf32>) {
  ^bb0(%x: bf16, %w: bf16, %y: f32):
    %0 = arith.extf %x : bf16 to f32
    %1 = arith.extf %w : bf16 to f32
    %2 = arith.mulf %0, %1 : f32
    %3 = arith.addf %y, %2 : f32
    linalg.yield %3 : f32
  }
  return
}

func.func @main(%X: memref<128x192xbf16>, %W: memref<192x128xbf16>) -> memref<128x128xf32> {
  %Y = memref.alloc() : memref<128x128xf32>
  call @gemm(%X, %W, %Y) : (memref<128x192xbf16>, memref<192x128xbf16>, memref<128x128xf32>) -> ()
  return %Y : memref<128x128xf32>
}
