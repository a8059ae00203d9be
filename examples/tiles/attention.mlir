// Causal attention of 2 query heads on 1 head of keys and values, forward: a warpgroup copies queries, keys and values, two have 64 rows of
// queries each, in registers. A block takes tiles of 128 queries, those with most keys first, and while it writes one, the first copies of
// the next are under way. The keys on the diagonal come first, with their mask.
//
// The two warpgroups take turns at the products: while one multiplies, the other computes exponentials. Sums and accumulators are scaled
// again only where the maximum of a row has moved by more than 8 (as a power of 2), so weights are at most 256.
!K = !tile.shared<128x128xbf16, sw128>
!R1 = !tile.ring<1, !K>
!R = !tile.ring<2, !K>
#acc = #tile.layout<reg = [y1, x8], lane = [y2, y4, x1, x2, x4], warp = [x16, x32, x64]>
#row = #tile.layout<reg = [x8], lane = [_, _, x1, x2, x4], warp = [x16, x32, x64]>
#out = #tile.layout<reg = [y1, y2, y4, x8], lane = [y8, y16, x1, x2, x4], warp = [x16, x32, x64]>

func.func private @attention(%Q: memref<1x2x384x128xbf16>, %K: memref<1x1x384x128xbf16>, %V: memref<1x1x384x128xbf16>, %O: memref<1x2x384x128xbf16>, %counter: memref<2xi32>)
    attributes {forge.kernel, tile.grid = array<i64: 2>} {
  %c0 = arith.constant 0 : index
  %zero32 = arith.constant 0 : i32
  %one32 = arith.constant 1 : i32
  %rows_of_block = arith.constant 128 : i32
  %c8 = arith.constant 8 : index
  %c128 = arith.constant 128 : index
  %tiles = arith.constant 6 : i32
  // Tiles of all heads of a section, those with most keys first.
  %heads = arith.constant 2 : i32
  %per_section = arith.constant 6 : i32
  %all_heads = arith.constant 2 : i32
  %per_group = arith.constant 2 : i32
  %last = arith.constant 2 : i32
  %queries = tile.ring : !R1
  %keys = tile.ring : !R
  %values = tile.ring : !R
  tile.role @copy warps = 4 registers = 24 {
    tile.work %t below %tiles from %counter : memref<2xi32> {
      %section = arith.divui %t, %per_section : i32
      %in_section = arith.remui %t, %per_section : i32
      %level = arith.divui %in_section, %heads : i32
      %n = arith.subi %last, %level : i32
      %m32 = arith.muli %n, %rows_of_block : i32
      %m = arith.index_cast %m32 : i32 to index
      %first_head = arith.muli %section, %heads : i32
      %head_in = arith.remui %in_section, %heads : i32
      %h32 = arith.addi %first_head, %head_in : i32
      %h = arith.index_cast %h32 : i32 to index
      %g32 = arith.divui %h32, %per_group : i32
      %g = arith.index_cast %g32 : i32 to index
      tile.put %queries : !R1 {
      ^bb0(%q: !K):
        tile.copy %Q[%c0, %h, %m, %c0] to %q by tma : memref<1x2x384x128xbf16> to !K
      }
      tile.put %keys : !R {
      ^bb0(%k: !K):
        tile.copy %K[%c0, %g, %m, %c0] to %k by tma : memref<1x1x384x128xbf16> to !K
      }
      scf.for %i = %zero32 to %n step %one32 : i32 {
        %left = arith.subi %n, %i : i32
        %now32 = arith.muli %left, %rows_of_block : i32
        %next32 = arith.subi %now32, %rows_of_block : i32
        %now_key = arith.index_cast %now32 : i32 to index
        %next_key = arith.index_cast %next32 : i32 to index
        tile.put %keys : !R {
        ^bb0(%k: !K):
          tile.copy %K[%c0, %g, %next_key, %c0] to %k by tma : memref<1x1x384x128xbf16> to !K
        }
        tile.put %values : !R {
        ^bb0(%v: !K):
          tile.copy %V[%c0, %g, %now_key, %c0] to %v by tma : memref<1x1x384x128xbf16> to !K
        }
      }
      tile.put %values : !R {
      ^bb0(%v: !K):
        tile.copy %V[%c0, %g, %c0, %c0] to %v by tma : memref<1x1x384x128xbf16> to !K
      }
    }
  }
  tile.role @math warps = 8 registers = 240 {
    %zero = arith.constant dense<0.0> : tensor<128x128xf32, #acc>
    %none = arith.constant dense<0.0> : tensor<128x8xf32, #acc>
    %ones = arith.constant dense<1.0> : tensor<128xf32, #row>
    %eight = arith.constant dense<8.0> : tensor<128xf32, #row>
    %lowest = arith.constant dense<0xFF800000> : tensor<128x128xf32, #acc>
    // log2(e) / sqrt(128)
    %scale = arith.constant dense<0.127517432> : tensor<128x128xf32, #acc>
    %row_scale = arith.constant dense<0.127517432> : tensor<128xf32, #row>
    %minus_scale = arith.constant dense<-0.127517432> : tensor<128xf32, #row>
    tile.work %t below %tiles from %counter : memref<2xi32> {
      %section = arith.divui %t, %per_section : i32
      %in_section = arith.remui %t, %per_section : i32
      %level = arith.divui %in_section, %heads : i32
      %n = arith.subi %last, %level : i32
      %m32 = arith.muli %n, %rows_of_block : i32
      %m = arith.index_cast %m32 : i32 to index
      %first_head = arith.muli %section, %heads : i32
      %head_in = arith.remui %in_section, %heads : i32
      %h32 = arith.addi %first_head, %head_in : i32
      %h = arith.index_cast %h32 : i32 to index
      %qs, %qb = tile.get %queries : !R1
      %q = tile.load %qb[%c0, %c0] {align = 4} : !K -> tensor<128x128xbf16, #acc>
      tile.drop %qs
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
      %e0 = math.exp2 %z0 fastmath<afn> {forge.normal} : tensor<128x128xf32, #acc>
      // Sums of each eighth column: of a thread's own elements, without those of other lanes.
      %first_sum = scf.for %j = %c0 to %c128 step %c8 iter_args(%so_far = %none) -> (tensor<128x8xf32, #acc>) {
        %part = tile.slice %e0[%c0, %j] : tensor<128x128xf32, #acc> -> tensor<128x8xf32, #acc>
        %more = arith.addf %so_far, %part : tensor<128x8xf32, #acc>
        scf.yield %more : tensor<128x8xf32, #acc>
      } {tile.unroll}
      %p0 = arith.truncf %e0 : tensor<128x128xf32, #acc> to tensor<128x128xbf16, #acc>
      %o, %p, %max_all, %sum = scf.for %i = %zero32 to %n step %one32 iter_args(%ob = %zero, %pb = %p0, %maxb = %max0, %sumb = %first_sum)
          -> (tensor<128x128xf32, #acc>, tensor<128x128xbf16, #acc>, tensor<128xf32, #row>, tensor<128x8xf32, #acc>) : i32 {
        %ks, %k = tile.get %keys : !R
        tile.turn
        %s = tile.dot wgmma<64x128x16> %q, %k, %zero : tensor<128x128xbf16, #acc>, !K, tensor<128x128xf32, #acc>
        %vs, %v = tile.get %values : !R
        %o1 = tile.dot wgmma<64x128x16> %pb, %v transposed, %ob : tensor<128x128xbf16, #acc>, !K, tensor<128x128xf32, #acc>
        tile.pass
        tile.drop %ks
        %block_max = tile.reduce max %s dims [1] : tensor<128x128xf32, #acc> -> tensor<128xf32, #row>
        // Until then the old maximum does.
        %rise = arith.subf %block_max, %maxb : tensor<128xf32, #row>
        %rise2 = arith.mulf %rise, %row_scale : tensor<128xf32, #row>
        %moved = arith.cmpf ogt, %rise2, %eight : tensor<128xf32, #row>
        %max, %factor, %sum0 = tile.when %moved else (%maxb, %ones, %sumb : tensor<128xf32, #row>, tensor<128xf32, #row>, tensor<128x8xf32, #acc>) : tensor<128xi1, #row> {
          %higher = arith.maximumf %maxb, %block_max : tensor<128xf32, #row>
          %change = arith.subf %maxb, %higher : tensor<128xf32, #row>
          %change2 = arith.mulf %change, %row_scale : tensor<128xf32, #row>
          %f = math.exp2 %change2 fastmath<afn> {forge.normal} : tensor<128xf32, #row>
          %fs = tile.broadcast %f dims [1] : tensor<128xf32, #row> -> tensor<128x8xf32, #acc>
          %less = arith.mulf %sumb, %fs : tensor<128x8xf32, #acc>
          tile.yield %higher, %f, %less : tensor<128xf32, #row>, tensor<128xf32, #row>, tensor<128x8xf32, #acc>
        }
        %shift = arith.mulf %max, %minus_scale : tensor<128xf32, #row>
        %shifts = tile.broadcast %shift dims [1] : tensor<128xf32, #row> -> tensor<128x128xf32, #acc>
        %z = math.fma %s, %scale, %shifts : tensor<128x128xf32, #acc>
        %e = math.exp2 %z fastmath<afn> {forge.normal} : tensor<128x128xf32, #acc>
        %sum1 = scf.for %j = %c0 to %c128 step %c8 iter_args(%so_far = %sum0) -> (tensor<128x8xf32, #acc>) {
          %part = tile.slice %e[%c0, %j] : tensor<128x128xf32, #acc> -> tensor<128x8xf32, #acc>
          %more = arith.addf %so_far, %part : tensor<128x8xf32, #acc>
          scf.yield %more : tensor<128x8xf32, #acc>
        } {tile.unroll}
        tile.drop %vs
        %p1 = arith.truncf %e : tensor<128x128xf32, #acc> to tensor<128x128xbf16, #acc>
        %o2 = tile.when %moved else (%o1 : tensor<128x128xf32, #acc>) : tensor<128xi1, #row> {
          %factors = tile.broadcast %factor dims [1] : tensor<128xf32, #row> -> tensor<128x128xf32, #acc>
          %scaled = arith.mulf %o1, %factors : tensor<128x128xf32, #acc>
          tile.yield %scaled : tensor<128x128xf32, #acc>
        }
        scf.yield %o2, %p1, %max, %sum1 : tensor<128x128xf32, #acc>, tensor<128x128xbf16, #acc>, tensor<128xf32, #row>, tensor<128x8xf32, #acc>
      }
      %vs0, %v0 = tile.get %values : !R
      %total = tile.dot wgmma<64x128x16> %p, %v0 transposed, %o : tensor<128x128xbf16, #acc>, !K, tensor<128x128xf32, #acc>
      tile.drop %vs0
      %row_sum = tile.reduce add %sum dims [1] : tensor<128x8xf32, #acc> -> tensor<128xf32, #row>
      %reciprocal = arith.divf %ones, %row_sum : tensor<128xf32, #row>
      %reciprocals = tile.broadcast %reciprocal dims [1] : tensor<128xf32, #row> -> tensor<128x128xf32, #acc>
      %y = arith.mulf %total, %reciprocals : tensor<128x128xf32, #acc>
      %r = arith.truncf %y : tensor<128x128xf32, #acc> to tensor<128x128xbf16, #acc>
      %w = tile.convert %r : tensor<128x128xbf16, #acc> -> tensor<128x128xbf16, #out>
      tile.store %w, %O[%c0, %h, %m, %c0] {align = 16} : tensor<128x128xbf16, #out>, memref<1x2x384x128xbf16>
    }
  }
  return
}

// The counter of tiles that are taken, and of blocks that have ended.
#counter = #tile.layout<reg = [], lane = [x1, _, _, _, _], warp = []>
func.func private @clear(%counter: memref<2xi32>) attributes {forge.kernel, tile.grid = array<i64: 1>, tile.warps = 1} {
  %c0 = arith.constant 0 : index
  %zeros = arith.constant dense<0> : tensor<2xi32, #counter>
  tile.store %zeros, %counter[%c0] : tensor<2xi32, #counter>, memref<2xi32>
  return
}

func.func @main(%Q: memref<1x2x384x128xbf16>, %K: memref<1x1x384x128xbf16>, %V: memref<1x1x384x128xbf16>) -> memref<1x2x384x128xbf16> {
  %O = memref.alloc() : memref<1x2x384x128xbf16>
  %counter = memref.alloc() : memref<2xi32>
  call @clear(%counter) : (memref<2xi32>) -> ()
  call @attention(%Q, %K, %V, %O, %counter) : (memref<1x2x384x128xbf16>, memref<1x1x384x128xbf16>, memref<1x1x384x128xbf16>, memref<1x2x384x128xbf16>, memref<2xi32>) -> ()
  return %O : memref<1x2x384x128xbf16>
}
