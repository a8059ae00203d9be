// Layer normalisation of rows of 1,024 bf16, four rows a block: a warp has one row.
#tile = #tile.layout<reg = [y1, y2, y4], lane = [y8, y16, y32, y64, y128], warp = [x1, x2]>
#rows = #tile.layout<reg = [], lane = [_, _, _, _, _], warp = [x1, x2]>
#columns = #tile.layout<reg = [x1, x2, x4], lane = [x8, x16, x32, x64, x128], warp = [_, _]>

func.func private @layer_norm(%in: memref<64x1024xbf16>, %gain: memref<1024xf32>, %bias: memref<1024xf32>,
                              %out: memref<64x1024xbf16>)
    attributes {forge.kernel, forge.reference = @layer_norm_linalg, tile.grid = array<i64: 16>, tile.warps = 4} {
  %block = gpu.block_id x
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %row = arith.muli %block, %c4 : index
  %h = tile.load %in[%row, %c0] {align = 16} : memref<64x1024xbf16> -> tensor<4x1024xbf16, #tile>
  %x = arith.extf %h : tensor<4x1024xbf16, #tile> to tensor<4x1024xf32, #tile>
  %count = arith.constant dense<1024.0> : tensor<4xf32, #rows>
  %epsilon = arith.constant dense<1.0e-5> : tensor<4xf32, #rows>
  %sum = tile.reduce add %x dims [1] : tensor<4x1024xf32, #tile> -> tensor<4xf32, #rows>
  %mean = arith.divf %sum, %count : tensor<4xf32, #rows>
  %means = tile.broadcast %mean dims [1] : tensor<4xf32, #rows> -> tensor<4x1024xf32, #tile>
  %centered = arith.subf %x, %means : tensor<4x1024xf32, #tile>
  %squares = arith.mulf %centered, %centered : tensor<4x1024xf32, #tile>
  %square_sum = tile.reduce add %squares dims [1] : tensor<4x1024xf32, #tile> -> tensor<4xf32, #rows>
  %variance = arith.divf %square_sum, %count : tensor<4xf32, #rows>
  %shifted = arith.addf %variance, %epsilon : tensor<4xf32, #rows>
  %factor = math.rsqrt %shifted : tensor<4xf32, #rows>
  %factors = tile.broadcast %factor dims [1] : tensor<4xf32, #rows> -> tensor<4x1024xf32, #tile>
  %normal = arith.mulf %centered, %factors : tensor<4x1024xf32, #tile>
  %g = tile.load %gain[%c0] {align = 16} : memref<1024xf32> -> tensor<1024xf32, #columns>
  %b = tile.load %bias[%c0] {align = 16} : memref<1024xf32> -> tensor<1024xf32, #columns>
  %gains = tile.broadcast %g dims [0] : tensor<1024xf32, #columns> -> tensor<4x1024xf32, #tile>
  %biases = tile.broadcast %b dims [0] : tensor<1024xf32, #columns> -> tensor<4x1024xf32, #tile>
  %scaled = math.fma %normal, %gains, %biases : tensor<4x1024xf32, #tile>
  %y = arith.truncf %scaled : tensor<4x1024xf32, #tile> to tensor<4x1024xbf16, #tile>
  tile.store %y, %out[%row, %c0] {align = 16} : tensor<4x1024xbf16, #tile>, memref<64x1024xbf16>
  return
}

func.func private @layer_norm_linalg(%in: memref<64x1024xbf16>, %gain: memref<1024xf32>, %bias: memref<1024xf32>,
                                     %out: memref<64x1024xbf16>) {
  %zero = arith.constant 0.0 : f32
  %count = arith.constant 1024.0 : f32
  %epsilon = arith.constant 1.0e-5 : f32
  %sum = memref.alloc() : memref<64xf32>
  %squares = memref.alloc() : memref<64xf32>
  linalg.fill ins(%zero : f32) outs(%sum : memref<64xf32>)
  linalg.generic {indexing_maps = [affine_map<(r, c) -> (r, c)>, affine_map<(r, c) -> (r)>], iterator_types = ["parallel", "reduction"]}
      ins(%in : memref<64x1024xbf16>) outs(%sum : memref<64xf32>) {
  ^bb0(%h: bf16, %s: f32):
    %0 = arith.extf %h : bf16 to f32
    %1 = arith.addf %s, %0 : f32
    linalg.yield %1 : f32
  }
  linalg.fill ins(%zero : f32) outs(%squares : memref<64xf32>)
  linalg.generic {indexing_maps = [affine_map<(r, c) -> (r, c)>, affine_map<(r, c) -> (r)>, affine_map<(r, c) -> (r)>],
                  iterator_types = ["parallel", "reduction"]}
      ins(%in, %sum : memref<64x1024xbf16>, memref<64xf32>) outs(%squares : memref<64xf32>) {
  ^bb0(%h: bf16, %s: f32, %q: f32):
    %0 = arith.extf %h : bf16 to f32
    %1 = arith.divf %s, %count : f32
    %2 = arith.subf %0, %1 : f32
    %3 = arith.mulf %2, %2 : f32
    %4 = arith.addf %q, %3 : f32
    linalg.yield %4 : f32
  }
  linalg.generic {indexing_maps = [affine_map<(r, c) -> (r, c)>, affine_map<(r, c) -> (r)>, affine_map<(r, c) -> (r)>,
                                   affine_map<(r, c) -> (c)>, affine_map<(r, c) -> (c)>, affine_map<(r, c) -> (r, c)>],
                  iterator_types = ["parallel", "parallel"]}
      ins(%in, %sum, %squares, %gain, %bias : memref<64x1024xbf16>, memref<64xf32>, memref<64xf32>, memref<1024xf32>, memref<1024xf32>)
      outs(%out : memref<64x1024xbf16>) {
  ^bb0(%h: bf16, %s: f32, %q: f32, %g: f32, %b: f32, %o: bf16):
    %0 = arith.extf %h : bf16 to f32
    %1 = arith.divf %s, %count : f32
    %2 = arith.subf %0, %1 : f32
    %3 = arith.divf %q, %count : f32
    %4 = arith.addf %3, %epsilon : f32
    %5 = math.rsqrt %4 : f32
    %6 = arith.mulf %2, %5 : f32
    %7 = math.fma %6, %g, %b : f32
    %8 = arith.truncf %7 : f32 to bf16
    linalg.yield %8 : bf16
  }
  return
}

func.func @main(%in: memref<64x1024xbf16>, %gain: memref<1024xf32>, %bias: memref<1024xf32>)
    -> memref<64x1024xbf16> {
  %out = memref.alloc() : memref<64x1024xbf16>
  call @layer_norm(%in, %gain, %bias, %out)
    : (memref<64x1024xbf16>, memref<1024xf32>, memref<1024xf32>, memref<64x1024xbf16>) -> ()
  return %out : memref<64x1024xbf16>
}
