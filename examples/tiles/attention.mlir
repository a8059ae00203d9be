// Causal attention of 2 query heads on 1 heads of keys and values, forward: a warpgroup copies keys and values, two have 64 rows of
// queries each, in registers. The block on the diagonal comes first, with its mask. While the weights of one block are multiplied with
// its values, the scores of the next are exponentiated.
!K = !tile.shared<128x128xbf16, sw128>
!R = !tile.ring<2, !K>
#acc = #tile.layout<reg = [y1, x8], lane = [y2, y4, x1, x2, x4], warp = [x16, x32, x64]>
#row = #tile.layout<reg = [x8], lane = [_, _, x1, x2, x4], warp = [x16, x32, x64]>
#out = #tile.layout<reg = [y1, y2, y4, x8], lane = [y8, y16, x1, x2, x4], warp = [x16, x32, x64]>

func.func private @attention(%Q: memref<1x2x384x128xbf16>, %K: memref<1x1x384x128xbf16>, %V: memref<1x1x384x128xbf16>, %O: memref<1x2x384x128xbf16>)
    attributes {forge.kernel, tile.grid = array<i64: 3, 2, 1>} {
  %x = gpu.block_id x
  %h = gpu.block_id y
  %b = gpu.block_id z
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c128 = arith.constant 128 : index
  %last = arith.constant 2 : index
  %per_group = arith.constant 2 : index
  %g = arith.divui %h, %per_group : index
  // Blocks with most keys first.
  %n = arith.subi %last, %x : index
  %m = arith.muli %n, %c128 : index
  %keys = tile.ring : !R
  %values = tile.ring : !R
  tile.role @copy warps = 4 registers = 24 {
    tile.put %keys : !R {
    ^bb0(%k: !K):
      tile.copy %K[%b, %g, %m, %c0] to %k by tma : memref<1x1x384x128xbf16> to !K
    }
    scf.for %i = %c0 to %n step %c1 {
      %i1 = arith.addi %i, %c1 : index
      %next = arith.subi %n, %i1 : index
      %now = arith.subi %n, %i : index
      %next_key = arith.muli %next, %c128 : index
      %now_key = arith.muli %now, %c128 : index
      tile.put %keys : !R {
      ^bb0(%k: !K):
        tile.copy %K[%b, %g, %next_key, %c0] to %k by tma : memref<1x1x384x128xbf16> to !K
      }
      tile.put %values : !R {
      ^bb0(%v: !K):
        tile.copy %V[%b, %g, %now_key, %c0] to %v by tma : memref<1x1x384x128xbf16> to !K
      }
    }
    tile.put %values : !R {
    ^bb0(%v: !K):
      tile.copy %V[%b, %g, %c0, %c0] to %v by tma : memref<1x1x384x128xbf16> to !K
    }
  }
  tile.role @math warps = 8 registers = 240 {
    %zero = arith.constant dense<0.0> : tensor<128x128xf32, #acc>
    %lowest = arith.constant dense<0xFF800000> : tensor<128x128xf32, #acc>
    // log2(e) / sqrt(128)
    %scale = arith.constant dense<0.127517432> : tensor<128x128xf32, #acc>
    %row_scale = arith.constant dense<0.127517432> : tensor<128xf32, #row>
    %minus_scale = arith.constant dense<-0.127517432> : tensor<128xf32, #row>
    %q = tile.load %Q[%b, %h, %m, %c0] {align = 4} : memref<1x2x384x128xbf16> -> tensor<128x128xbf16, #acc>
    // The block on the diagonal.
    %ks0, %k0 = tile.get %keys : !R
    %s0 = tile.dot wgmma<64x128x16> %q, %k0, %zero : tensor<128x128xbf16, #acc>, !K, tensor<128x128xf32, #acc>
    tile.drop %ks0
    %rows = tile.iota dim 0 : tensor<128x128xi32, #acc>
    %columns = tile.iota dim 1 : tensor<128x128xi32, #acc>
    %seen = arith.cmpi sge, %rows, %columns : tensor<128x128xi32, #acc>
    %l0 = arith.select %seen, %s0, %lowest : tensor<128x128xi1, #acc>, tensor<128x128xf32, #acc>
    %max0 = tile.reduce max %l0 dims [1] : tensor<128x128xf32, #acc> -> tensor<128xf32, #row>
    %shift0 = arith.mulf %max0, %minus_scale : tensor<128xf32, #row>
    %shifts0 = tile.broadcast %shift0 dims [1] : tensor<128xf32, #row> -> tensor<128x128xf32, #acc>
    %z0 = math.fma %l0, %scale, %shifts0 : tensor<128x128xf32, #acc>
    %e0 = math.exp2 %z0 fastmath<afn> : tensor<128x128xf32, #acc>
    %sum0 = tile.reduce add %e0 dims [1] : tensor<128x128xf32, #acc> -> tensor<128xf32, #row>
    %p0 = arith.truncf %e0 : tensor<128x128xf32, #acc> to tensor<128x128xbf16, #acc>
    %o, %p, %max_all, %sum = scf.for %i = %c0 to %n step %c1 iter_args(%ob = %zero, %pb = %p0, %maxb = %max0, %sumb = %sum0)
        -> (tensor<128x128xf32, #acc>, tensor<128x128xbf16, #acc>, tensor<128xf32, #row>, tensor<128xf32, #row>) {
      %ks, %k = tile.get %keys : !R
      %s = tile.dot wgmma<64x128x16> %q, %k, %zero : tensor<128x128xbf16, #acc>, !K, tensor<128x128xf32, #acc>
      %vs, %v = tile.get %values : !R
      %o1 = tile.dot wgmma<64x128x16> %pb, %v transposed, %ob : tensor<128x128xbf16, #acc>, !K, tensor<128x128xf32, #acc>
      tile.drop %ks
      %block_max = tile.reduce max %s dims [1] : tensor<128x128xf32, #acc> -> tensor<128xf32, #row>
      %max = arith.maximumf %maxb, %block_max : tensor<128xf32, #row>
      %change = arith.subf %maxb, %max : tensor<128xf32, #row>
      %change2 = arith.mulf %change, %row_scale : tensor<128xf32, #row>
      %factor = math.exp2 %change2 fastmath<afn> : tensor<128xf32, #row>
      %shift = arith.mulf %max, %minus_scale : tensor<128xf32, #row>
      %shifts = tile.broadcast %shift dims [1] : tensor<128xf32, #row> -> tensor<128x128xf32, #acc>
      %z = math.fma %s, %scale, %shifts : tensor<128x128xf32, #acc>
      %e = math.exp2 %z fastmath<afn> : tensor<128x128xf32, #acc>
      %block_sum = tile.reduce add %e dims [1] : tensor<128x128xf32, #acc> -> tensor<128xf32, #row>
      %sum1 = math.fma %sumb, %factor, %block_sum : tensor<128xf32, #row>
      tile.drop %vs
      %p1 = arith.truncf %e : tensor<128x128xf32, #acc> to tensor<128x128xbf16, #acc>
      %factors = tile.broadcast %factor dims [1] : tensor<128xf32, #row> -> tensor<128x128xf32, #acc>
      %o2 = arith.mulf %o1, %factors : tensor<128x128xf32, #acc>
      scf.yield %o2, %p1, %max, %sum1
        : tensor<128x128xf32, #acc>, tensor<128x128xbf16, #acc>, tensor<128xf32, #row>, tensor<128xf32, #row>
    }
    %vs0, %v0 = tile.get %values : !R
    %total = tile.dot wgmma<64x128x16> %p, %v0 transposed, %o : tensor<128x128xbf16, #acc>, !K, tensor<128x128xf32, #acc>
    tile.drop %vs0
    %one = arith.constant dense<1.0> : tensor<128xf32, #row>
    %reciprocal = arith.divf %one, %sum : tensor<128xf32, #row>
    %reciprocals = tile.broadcast %reciprocal dims [1] : tensor<128xf32, #row> -> tensor<128x128xf32, #acc>
    %y = arith.mulf %total, %reciprocals : tensor<128x128xf32, #acc>
    %r = arith.truncf %y : tensor<128x128xf32, #acc> to tensor<128x128xbf16, #acc>
    %w = tile.convert %r : tensor<128x128xbf16, #acc> -> tensor<128x128xbf16, #out>
    tile.store %w, %O[%b, %h, %m, %c0] {align = 16} : tensor<128x128xbf16, #out>, memref<1x2x384x128xbf16>
  }
  return
}

func.func @main(%Q: memref<1x2x384x128xbf16>, %K: memref<1x1x384x128xbf16>, %V: memref<1x1x384x128xbf16>) -> memref<1x2x384x128xbf16> {
  %O = memref.alloc() : memref<1x2x384x128xbf16>
  call @attention(%Q, %K, %V, %O) : (memref<1x2x384x128xbf16>, memref<1x1x384x128xbf16>, memref<1x1x384x128xbf16>, memref<1x2x384x128xbf16>) -> ()
  return %O : memref<1x2x384x128xbf16>
}
