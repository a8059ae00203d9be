// tile.split by a cluster (sm_90a), by one block (sm_80), and in the naive form.
// RUN: forge verify %s --from blocks --target sim:sm_90a
// RUN: env FORGE_SIM_SEED=3 forge verify %s --from blocks --target sim:sm_90a
// RUN: forge verify %s --from blocks --target sim:sm_80
// RUN: forge verify %s --from blocks --target sim:sm_90a --tier correctness
// RUN: forge verify %s --from bufferize --target cpu

#t = #tile.layout<reg = [], lane = [x1, x2, x4, x8, x16], warp = []>

func.func private @parts(%x: memref<512xf32>, %y: memref<128xf32>) attributes {forge.kernel, forge.reference = @sums, tile.grid = array<i64: 4>, tile.warps = 1} {
  %c32 = arith.constant 32 : index
  %c128 = arith.constant 128 : index
  %block = gpu.block_id x
  %first = arith.muli %block, %c128 : index
  %to = arith.muli %block, %c32 : index
  %sum = tile.split of 4 : tensor<32xf32, #t> {
  ^bb0(%part: index):
    %of_part = arith.muli %part, %c32 : index
    %at = arith.addi %first, %of_part : index
    %a = tile.load %x[%at] : memref<512xf32> -> tensor<32xf32, #t>
    tile.yield %a : tensor<32xf32, #t>
  } combine {
  ^bb0(%a: tensor<32xf32, #t>, %b: tensor<32xf32, #t>):
    %c = arith.addf %a, %b : tensor<32xf32, #t>
    tile.yield %c : tensor<32xf32, #t>
  }
  tile.store %sum, %y[%to] : tensor<32xf32, #t>, memref<128xf32>
  return
}
func.func private @sums(%x: memref<512xf32>, %y: memref<128xf32>) {
  %parts = memref.expand_shape %x [[0, 1, 2]] output_shape [4, 4, 32] : memref<512xf32> into memref<4x4x32xf32>
  %rows = memref.expand_shape %y [[0, 1]] output_shape [4, 32] : memref<128xf32> into memref<4x32xf32>
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%rows : memref<4x32xf32>)
  linalg.generic {indexing_maps = [affine_map<(b, i, p) -> (b, p, i)>, affine_map<(b, i, p) -> (b, i)>], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%parts : memref<4x4x32xf32>) outs(%rows : memref<4x32xf32>) {
  ^bb0(%a: f32, %s: f32):
    %r = arith.addf %s, %a : f32
    linalg.yield %r : f32
  }
  return
}
func.func @main(%x: memref<512xf32>) -> memref<128xf32> {
  %y = memref.alloc() : memref<128xf32>
  call @parts(%x, %y) : (memref<512xf32>, memref<128xf32>) -> ()
  return %y : memref<128xf32>
}
