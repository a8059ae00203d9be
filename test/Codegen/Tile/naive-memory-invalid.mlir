// Arrays of all blocks are counted before memory is taken for them.
// RUN: forge-opt %s -verify-diagnostics --forge-lower-kernels="chip=sm_90a naive-tiles"

#l = #tile.layout<reg = [], lane = [], warp = [], rank = 1>
// expected-error @below {{expected tiles of at most 68719476736 bytes in the naive form, all blocks together}}
func.func private @large(%out: memref<1xi32>)
    attributes {forge.kernel, tile.grid = array<i64: 2147483647, 2147483647>, tile.warps = 1} {
  %c0 = arith.constant 0 : index
  %x = tile.iota dim 0 : tensor<1xi32, #l>
  tile.store %x, %out[%c0] : tensor<1xi32, #l>, memref<1xi32>
  return
}
