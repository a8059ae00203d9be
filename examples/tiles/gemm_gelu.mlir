// GEMM, bias and GELU: Y = gelu(X W^T + b), in 128 x 256 tiles, a warpgroup that copies and two that multiply.
!A = !tile.shared<128x64xbf16, sw128>
!B = !tile.shared<256x64xbf16, sw128>
!R = !tile.ring<3, !A, !B>
#acc = #tile.layout<reg = [y1, x8], lane = [y2, y4, x1, x2, x4], warp = [x16, x32, x64]>
#out = #tile.layout<reg = [y1, y2, y4, x8], lane = [y8, y16, x1, x2, x4], warp = [x16, x32, x64]>
#col = #tile.layout<reg = [x1], lane = [x2, x4, _, _, _], warp = [_, _, _]>

// Tiles in groups of 2 rows, walked column by column, so that what neighbouring blocks read is in the L2 cache.
func.func private @place(%t: index) -> (index, index) {
  %c4 = arith.constant 4 : index
  %group_rows = arith.constant 2 : index
  %rows = arith.constant 128 : index
  %columns = arith.constant 256 : index
  %group = arith.divui %t, %c4 : index
  %first = arith.muli %group, %group_rows : index
  %within = arith.remui %t, %c4 : index
  %r = arith.remui %within, %group_rows : index
  %row = arith.addi %first, %r : index
  %column = arith.divui %within, %group_rows : index
  %m = arith.muli %row, %rows : index
  %n = arith.muli %column, %columns : index
  return %m, %n : index, index
}

func.func private @linear(%X: memref<256x192xbf16>, %W: memref<512x192xbf16>, %bias: memref<512xbf16>,
                          %Y: memref<256x512xbf16>)
    attributes {forge.kernel, forge.reference = @linear_linalg, tile.grid = array<i64: 2>} {
  %block = gpu.block_id x
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %c64 = arith.constant 64 : index
  %c256 = arith.constant 256 : index
  %k = arith.constant 192 : index
  %tiles = arith.constant 4 : index
  %blocks = arith.constant 2 : index
  %ring = tile.ring : !R
  tile.role @copy warps = 4 registers = 40 {
    scf.for %t = %block to %tiles step %blocks {
      %m, %n = func.call @place(%t) : (index) -> (index, index)
      scf.for %kk = %c0 to %k step %c64 {
        tile.put %ring : !R {
        ^bb0(%a: !A, %b: !B):
          tile.copy %X[%m, %kk] to %a by tma : memref<256x192xbf16> to !A
          tile.copy %W[%n, %kk] to %b by tma : memref<512x192xbf16> to !B
        }
      }
    }
  }
  tile.role @math warps = 8 registers = 232 {
    %zero = arith.constant dense<0.0> : tensor<128x256xf32, #acc>
    scf.for %t = %block to %tiles step %blocks {
      %m, %n = func.call @place(%t) : (index) -> (index, index)
      %s0, %a0, %b0 = tile.get %ring : !R
      %d0 = tile.dot wgmma<64x256x16> %a0, %b0, %zero : !A, !B, tensor<128x256xf32, #acc>
      %last, %sum = scf.for %kk = %c64 to %k step %c64 iter_args(%before = %s0, %acc = %d0)
          -> (!tile.slot, tensor<128x256xf32, #acc>) {
        %s, %a, %b = tile.get %ring : !R
        %d = tile.dot wgmma<64x256x16> %a, %b, %acc : !A, !B, tensor<128x256xf32, #acc>
        tile.drop %before
        scf.yield %s, %d : !tile.slot, tensor<128x256xf32, #acc>
      }
      tile.drop %last
      scf.for %j = %c0 to %c256 step %c32 {
        %nj = arith.addi %n, %j : index
        %x = tile.slice %sum[%c0, %j] : tensor<128x256xf32, #acc> -> tensor<128x32xf32, #acc>
        %vb = tile.load %bias[%nj] {align = 4} : memref<512xbf16> -> tensor<32xbf16, #col>
        %v = arith.extf %vb : tensor<32xbf16, #col> to tensor<32xf32, #col>
        %w = tile.broadcast %v dims [0] : tensor<32xf32, #col> -> tensor<128x32xf32, #acc>
        %y = arith.addf %x, %w : tensor<128x32xf32, #acc>
        %half = arith.constant dense<0.5> : tensor<128x32xf32, #acc>
        %one = arith.constant dense<1.0> : tensor<128x32xf32, #acc>
        %scale = arith.constant dense<0.797884583> : tensor<128x32xf32, #acc>
        %cubic = arith.constant dense<4.471500e-02> : tensor<128x32xf32, #acc>
        %square = arith.mulf %y, %y : tensor<128x32xf32, #acc>
        %cube = arith.mulf %square, %y : tensor<128x32xf32, #acc>
        %bent = arith.mulf %cube, %cubic : tensor<128x32xf32, #acc>
        %sum_of = arith.addf %y, %bent : tensor<128x32xf32, #acc>
        %u = arith.mulf %sum_of, %scale : tensor<128x32xf32, #acc>
        %tanh = math.tanh %u fastmath<afn> : tensor<128x32xf32, #acc>
        %halved = arith.mulf %y, %half : tensor<128x32xf32, #acc>
        %plus = arith.addf %tanh, %one : tensor<128x32xf32, #acc>
        %g = arith.mulf %halved, %plus : tensor<128x32xf32, #acc>
        %h = arith.truncf %g : tensor<128x32xf32, #acc> to tensor<128x32xbf16, #acc>
        %o = tile.convert %h : tensor<128x32xbf16, #acc> -> tensor<128x32xbf16, #out>
        tile.store %o, %Y[%m, %nj] {align = 16} : tensor<128x32xbf16, #out>, memref<256x512xbf16>
      } {tile.unroll}
    }
  }
  return
}

func.func private @linear_linalg(%X: memref<256x192xbf16>, %W: memref<512x192xbf16>, %bias: memref<512xbf16>,
                                 %Y: memref<256x512xbf16>) {
  %zero = arith.constant 0.0 : f32
  %sum = memref.alloc() : memref<256x512xf32>
  linalg.fill ins(%zero : f32) outs(%sum : memref<256x512xf32>)
  linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>],
                  iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%X, %W : memref<256x192xbf16>, memref<512x192xbf16>) outs(%sum : memref<256x512xf32>) {
  ^bb0(%x: bf16, %w: bf16, %y: f32):
    %0 = arith.extf %x : bf16 to f32
    %1 = arith.extf %w : bf16 to f32
    %2 = arith.mulf %0, %1 : f32
    %3 = arith.addf %y, %2 : f32
    linalg.yield %3 : f32
  }
  linalg.generic {indexing_maps = [affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (n)>, affine_map<(m, n) -> (m, n)>],
                  iterator_types = ["parallel", "parallel"]}
      ins(%sum, %bias : memref<256x512xf32>, memref<512xbf16>) outs(%Y : memref<256x512xbf16>) {
  ^bb0(%s: f32, %b: bf16, %o: bf16):
    %half = arith.constant 0.5 : f32
    %one = arith.constant 1.0 : f32
    %scale = arith.constant 0.797884583 : f32
    %cubic = arith.constant 4.471500e-02 : f32
    %0 = arith.extf %b : bf16 to f32
    %1 = arith.addf %s, %0 : f32
    %2 = arith.mulf %1, %1 : f32
    %3 = arith.mulf %2, %1 : f32
    %4 = arith.mulf %3, %cubic : f32
    %5 = arith.addf %1, %4 : f32
    %6 = arith.mulf %5, %scale : f32
    %7 = math.tanh %6 : f32
    %8 = arith.addf %7, %one : f32
    %9 = arith.mulf %1, %half : f32
    %10 = arith.mulf %9, %8 : f32
    %11 = arith.truncf %10 : f32 to bf16
    linalg.yield %11 : bf16
  }
  return
}

func.func @main(%X: memref<256x192xbf16>, %W: memref<512x192xbf16>, %bias: memref<512xbf16>)
    -> memref<256x512xbf16> {
  %Y = memref.alloc() : memref<256x512xbf16>
  call @linear(%X, %W, %bias, %Y)
    : (memref<256x192xbf16>, memref<512x192xbf16>, memref<512xbf16>, memref<256x512xbf16>) -> ()
  return %Y : memref<256x512xbf16>
}
