// Y = X W^T on gfx942 by mfma, in 64 x 64 tiles of four waves: factors come through registers to shared memory, and the next step's
// are on their way while the matrix instructions run.
!S = !tile.shared<64x64xbf16, sw128>
#mem = #tile.layout<reg = [y1, y2, y4], lane = [y8, y16, y32, x1, x2, x4], warp = [x8, x16]>
#left = #tile.layout<reg = [y1, y2], lane = [x1, x2, x4, x8, x16, y4], warp = [x32, _]>
#right = #tile.layout<reg = [y1, y2], lane = [x1, x2, x4, x8, x16, y4], warp = [_, x32]>
#acc = #tile.layout<reg = [x1, x2, x8, x16], lane = [y1, y2, y4, y8, y16, x4], warp = [x32, y32]>

func.func private @gemm(%X: memref<128x192xbf16>, %W: memref<128x192xbf16>, %Y: memref<128x128xf32>)
    attributes {forge.kernel, forge.reference = @gemm_linalg, tile.grid = array<i64: 2, 2>, tile.warps = 4} {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %c64 = arith.constant 64 : index
  %c128 = arith.constant 128 : index
  %row = gpu.block_id x
  %column = gpu.block_id y
  %m = arith.muli %row, %c64 : index
  %n = arith.muli %column, %c64 : index
  %a = tile.alloc : !S
  %b = tile.alloc : !S
  %zero = arith.constant dense<0.0> : tensor<64x64xf32, #acc>
  %x0 = tile.load %X[%m, %c0] {align = 16} : memref<128x192xbf16> -> tensor<64x64xbf16, #mem>
  %w0 = tile.load %W[%n, %c0] {align = 16} : memref<128x192xbf16> -> tensor<64x64xbf16, #mem>
  tile.store %x0, %a[%c0, %c0] {align = 16} : tensor<64x64xbf16, #mem>, !S
  tile.store %w0, %b[%c0, %c0] {align = 16} : tensor<64x64xbf16, #mem>, !S
  %sum = scf.for %k = %c0 to %c128 step %c64 iter_args(%in = %zero) -> (tensor<64x64xf32, #acc>) {
    %k1 = arith.addi %k, %c64 : index
    %x = tile.load %X[%m, %k1] {align = 16} : memref<128x192xbf16> -> tensor<64x64xbf16, #mem>
    %w = tile.load %W[%n, %k1] {align = 16} : memref<128x192xbf16> -> tensor<64x64xbf16, #mem>
    %out = scf.for %j = %c0 to %c64 step %c16 iter_args(%acc = %in) -> (tensor<64x64xf32, #acc>) {
      %l = tile.load %a[%c0, %j] {align = 8} : !S -> tensor<64x16xbf16, #left>
      %r = tile.load %b[%c0, %j] {align = 8} : !S -> tensor<64x16xbf16, #right>
      %d = tile.dot mfma<32x32x8> %l, %r, %acc
        : tensor<64x16xbf16, #left>, tensor<64x16xbf16, #right>, tensor<64x64xf32, #acc>
      scf.yield %d : tensor<64x64xf32, #acc>
    } {tile.unroll}
    tile.store %x, %a[%c0, %c0] {align = 16} : tensor<64x64xbf16, #mem>, !S
    tile.store %w, %b[%c0, %c0] {align = 16} : tensor<64x64xbf16, #mem>, !S
    scf.yield %out : tensor<64x64xf32, #acc>
  }
  %last = scf.for %j = %c0 to %c64 step %c16 iter_args(%acc = %sum) -> (tensor<64x64xf32, #acc>) {
    %l = tile.load %a[%c0, %j] {align = 8} : !S -> tensor<64x16xbf16, #left>
    %r = tile.load %b[%c0, %j] {align = 8} : !S -> tensor<64x16xbf16, #right>
    %d = tile.dot mfma<32x32x8> %l, %r, %acc
      : tensor<64x16xbf16, #left>, tensor<64x16xbf16, #right>, tensor<64x64xf32, #acc>
    scf.yield %d : tensor<64x64xf32, #acc>
  } {tile.unroll}
  tile.store %last, %Y[%m, %n] : tensor<64x64xf32, #acc>, memref<128x128xf32>
  return
}

func.func private @gemm_linalg(%X: memref<128x192xbf16>, %W: memref<128x192xbf16>, %Y: memref<128x128xf32>) {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%Y : memref<128x128xf32>)
  linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>],
                  iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%X, %W : memref<128x192xbf16>, memref<128x192xbf16>) outs(%Y : memref<128x128xf32>) {
  ^bb0(%x: bf16, %w: bf16, %y: f32):
    %0 = arith.extf %x : bf16 to f32
    %1 = arith.extf %w : bf16 to f32
    %2 = arith.mulf %0, %1 : f32
    %3 = arith.addf %y, %2 : f32
    linalg.yield %3 : f32
  }
  return
}

func.func @main(%X: memref<128x192xbf16>, %W: memref<128x192xbf16>) -> memref<128x128xf32> {
  %Y = memref.alloc() : memref<128x128xf32>
  call @gemm(%X, %W, %Y) : (memref<128x192xbf16>, memref<128x192xbf16>, memref<128x128xf32>) -> ()
  return %Y : memref<128x128xf32>
}
