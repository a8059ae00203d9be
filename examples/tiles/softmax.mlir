// Softmax of rows, as a tile program: one block of four warps for each row of 1,000 columns.
#row = #tile.layout<reg = [x1, x2], lane = [x4, x8, x16, x32, x64], warp = [x128, x256]>

func.func private @softmax(%in: memref<64x1000xf32>, %out: memref<64x1000xf32>)
    attributes {forge.kernel, forge.reference = @softmax_linalg, tile.grid = array<i64: 64>, tile.warps = 4} {
  %row = gpu.block_id x
  %c0 = arith.constant 0 : index
  %columns = arith.constant 1000 : index
  %lowest = arith.constant 0xFF800000 : f32
  %x = tile.load %in[%row, %c0] dims [1] limits(%columns) fill %lowest : f32 {align = 16}
    : memref<64x1000xf32> -> tensor<1024xf32, #row>
  %max = tile.reduce max %x dims [0] : tensor<1024xf32, #row> -> f32
  %all_max = tensor.splat %max : tensor<1024xf32, #row>
  %shifted = arith.subf %x, %all_max : tensor<1024xf32, #row>
  %e = math.exp %shifted : tensor<1024xf32, #row>
  %sum = tile.reduce add %e dims [0] : tensor<1024xf32, #row> -> f32
  %all_sum = tensor.splat %sum : tensor<1024xf32, #row>
  %y = arith.divf %e, %all_sum : tensor<1024xf32, #row>
  tile.store %y, %out[%row, %c0] dims [1] limits(%columns) {align = 16}
    : tensor<1024xf32, #row>, memref<64x1000xf32>
  return
}

// What the kernel computes, for `forge verify`.
#element = affine_map<(r, c) -> (r, c)>
#of_row = affine_map<(r, c) -> (r)>
func.func private @softmax_linalg(%in: memref<64x1000xf32>, %out: memref<64x1000xf32>) {
  %lowest = arith.constant 0xFF800000 : f32
  %zero = arith.constant 0.0 : f32
  %max = memref.alloc() : memref<64xf32>
  %sum = memref.alloc() : memref<64xf32>
  linalg.fill ins(%lowest : f32) outs(%max : memref<64xf32>)
  linalg.generic {indexing_maps = [#element, #of_row], iterator_types = ["parallel", "reduction"]}
      ins(%in : memref<64x1000xf32>) outs(%max : memref<64xf32>) {
  ^bb0(%x: f32, %m: f32):
    %0 = arith.maximumf %x, %m : f32
    linalg.yield %0 : f32
  }
  linalg.generic {indexing_maps = [#element, #of_row, #element], iterator_types = ["parallel", "parallel"]}
      ins(%in, %max : memref<64x1000xf32>, memref<64xf32>) outs(%out : memref<64x1000xf32>) {
  ^bb0(%x: f32, %m: f32, %o: f32):
    %0 = arith.subf %x, %m : f32
    %1 = math.exp %0 : f32
    linalg.yield %1 : f32
  }
  linalg.fill ins(%zero : f32) outs(%sum : memref<64xf32>)
  linalg.generic {indexing_maps = [#element, #of_row], iterator_types = ["parallel", "reduction"]}
      ins(%out : memref<64x1000xf32>) outs(%sum : memref<64xf32>) {
  ^bb0(%e: f32, %s: f32):
    %0 = arith.addf %s, %e : f32
    linalg.yield %0 : f32
  }
  linalg.generic {indexing_maps = [#of_row, #element], iterator_types = ["parallel", "parallel"]}
      ins(%sum : memref<64xf32>) outs(%out : memref<64x1000xf32>) {
  ^bb0(%s: f32, %e: f32):
    %0 = arith.divf %e, %s : f32
    linalg.yield %0 : f32
  }
  return
}

func.func @main(%in: memref<64x1000xf32>) -> memref<64x1000xf32> {
  %out = memref.alloc() : memref<64x1000xf32>
  call @softmax(%in, %out) : (memref<64x1000xf32>, memref<64x1000xf32>) -> ()
  return %out : memref<64x1000xf32>
}
