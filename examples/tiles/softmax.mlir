// Softmax of rows, as a tile program: one block of four warps for each row of 1,000 columns.
#row = #tile.layout<reg = [x1, x2], lane = [x4, x8, x16, x32, x64], warp = [x128, x256]>

func.func private @softmax(%in: memref<64x1000xf32>, %out: memref<64x1000xf32>)
    attributes {forge.kernel, tile.grid = array<i64: 64>, tile.warps = 4} {
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

func.func @main(%in: memref<64x1000xf32>) -> memref<64x1000xf32> {
  %out = memref.alloc() : memref<64x1000xf32>
  call @softmax(%in, %out) : (memref<64x1000xf32>, memref<64x1000xf32>) -> ()
  return %out : memref<64x1000xf32>
}
