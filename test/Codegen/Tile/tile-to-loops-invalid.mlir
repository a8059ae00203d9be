// RUN: forge-opt %s -split-input-file -verify-diagnostics --forge-tile-to-loops

#l = #tile.layout<reg = [x1], lane = [], warp = []>
// expected-error @below {{expected tile.grid on a tile program}}
func.func private @no_grid() attributes {forge.kernel} {
  %x = tile.iota dim 0 : tensor<2xi32, #l>
  return
}

// -----
#l = #tile.layout<reg = [x1], lane = [], warp = []>
func.func private @values(%out: memref<2xf32>) attributes {forge.kernel, tile.grid = array<i64: 1>, tile.warps = 1} {
  %c0 = arith.constant 0 : index
  // expected-error @below {{expected a constant tile of equal elements}}
  %x = arith.constant dense<[1.0, 2.0]> : tensor<2xf32, #l>
  tile.store %x, %out[%c0] : tensor<2xf32, #l>, memref<2xf32>
  return
}

// -----
func.func private @threads() attributes {forge.kernel, tile.grid = array<i64: 1>, tile.warps = 1} {
  // expected-error @below {{expected an operation of scalars or tiles in a tile program}}
  gpu.barrier
  return
}

// -----
!A = !tile.shared<8xf32>
#l = #tile.layout<reg = [x1, x2], lane = [x4], warp = []>
func.func private @between(%x: memref<8xf32>) attributes {forge.kernel, tile.grid = array<i64: 1>} {
  %c0 = arith.constant 0 : index
  %first = tile.ring : !tile.ring<2, !A>
  %second = tile.ring : !tile.ring<2, !A>
  tile.role @a warps = 1 {
    %s, %buffer = tile.get %first : !tile.ring<2, !A>
    tile.drop %s
    // expected-error @below {{expected a ring of the naive form to be filled by the role that reads it, or by one of copies alone}}
    tile.put %second : !tile.ring<2, !A> {
    ^bb0(%to: !A):
      tile.copy %x[%c0] to %to by tma : memref<8xf32> to !A
    }
  }
  tile.role @b warps = 1 {
    %s, %buffer = tile.get %second : !tile.ring<2, !A>
    tile.drop %s
  }
  return
}
