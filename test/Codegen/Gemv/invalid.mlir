// RUN: forge-opt %s --split-input-file --forge-schedule-kernels="chip=sm_90a" --verify-diagnostics

#x = affine_map<(m, n, k) -> (m, k)>
#w = affine_map<(m, n, k) -> (n, k)>
#o = affine_map<(m, n, k) -> (m, n)>
// expected-error @below {{strategy 'gemv' has no field 'stages', expected n, loads, threads, blocks, library}}
func.func private @stages(%x: tensor<8x512xf32>, %w: tensor<64x512xf32>, %o: tensor<8x64xf32>) -> tensor<8x64xf32>
    attributes {forge.kernel, forge.schedule = #forge.schedule<strategy = gemv, stages = 4>} {
  %zero = arith.constant 0.0 : f32
  %z = linalg.fill ins(%zero : f32) outs(%o : tensor<8x64xf32>) -> tensor<8x64xf32>
  %0 = linalg.matmul indexing_maps = [#x, #w, #o] ins(%x, %w : tensor<8x512xf32>, tensor<64x512xf32>) outs(%z : tensor<8x64xf32>) -> tensor<8x64xf32>
  return %0 : tensor<8x64xf32>
}

// -----

#x = affine_map<(m, n, k) -> (m, k)>
#w = affine_map<(m, n, k) -> (n, k)>
#o = affine_map<(m, n, k) -> (m, n)>
// expected-error @below {{expected a power of two of columns of at most 64, but got 3}}
func.func private @columns(%x: tensor<8x512xf32>, %w: tensor<64x512xf32>, %o: tensor<8x64xf32>) -> tensor<8x64xf32>
    attributes {forge.kernel, forge.schedule = #forge.schedule<strategy = gemv, n = 3, loads = 1, threads = 128>} {
  %zero = arith.constant 0.0 : f32
  %z = linalg.fill ins(%zero : f32) outs(%o : tensor<8x64xf32>) -> tensor<8x64xf32>
  %0 = linalg.matmul indexing_maps = [#x, #w, #o] ins(%x, %w : tensor<8x512xf32>, tensor<64x512xf32>) outs(%z : tensor<8x64xf32>) -> tensor<8x64xf32>
  return %0 : tensor<8x64xf32>
}

// -----

#x = affine_map<(m, n, k) -> (m, k)>
#w = affine_map<(m, n, k) -> (n, k)>
#o = affine_map<(m, n, k) -> (m, n)>
// expected-error @below {{expected at most 32 sums for a thread, but got 64}}
func.func private @sums(%x: tensor<8x512xf32>, %w: tensor<64x512xf32>, %o: tensor<8x64xf32>) -> tensor<8x64xf32>
    attributes {forge.kernel, forge.schedule = #forge.schedule<strategy = gemv, n = 8, loads = 1, threads = 128>} {
  %zero = arith.constant 0.0 : f32
  %z = linalg.fill ins(%zero : f32) outs(%o : tensor<8x64xf32>) -> tensor<8x64xf32>
  %0 = linalg.matmul indexing_maps = [#x, #w, #o] ins(%x, %w : tensor<8x512xf32>, tensor<64x512xf32>) outs(%z : tensor<8x64xf32>) -> tensor<8x64xf32>
  return %0 : tensor<8x64xf32>
}

// -----

#x = affine_map<(m, n, k) -> (m, k)>
#w = affine_map<(m, n, k) -> (n, k)>
#o = affine_map<(m, n, k) -> (m, n)>
// expected-error @below {{expected 1 to 64 accesses under way, but got 0}}
func.func private @depth(%x: tensor<8x512xf32>, %w: tensor<64x512xf32>, %o: tensor<8x64xf32>) -> tensor<8x64xf32>
    attributes {forge.kernel, forge.schedule = #forge.schedule<strategy = gemv, n = 4, loads = 0, threads = 128>} {
  %zero = arith.constant 0.0 : f32
  %z = linalg.fill ins(%zero : f32) outs(%o : tensor<8x64xf32>) -> tensor<8x64xf32>
  %0 = linalg.matmul indexing_maps = [#x, #w, #o] ins(%x, %w : tensor<8x512xf32>, tensor<64x512xf32>) outs(%z : tensor<8x64xf32>) -> tensor<8x64xf32>
  return %0 : tensor<8x64xf32>
}

// -----

#x = affine_map<(m, n, k) -> (m, k)>
#w = affine_map<(m, n, k) -> (n, k)>
#o = affine_map<(m, n, k) -> (m, n)>
// expected-error @below {{expected a power of two of threads, a warp of 32 or more and 1024 at most, but got 16}}
func.func private @warp(%x: tensor<8x512xf32>, %w: tensor<64x512xf32>, %o: tensor<8x64xf32>) -> tensor<8x64xf32>
    attributes {forge.kernel, forge.schedule = #forge.schedule<strategy = gemv, n = 4, loads = 1, threads = 16>} {
  %zero = arith.constant 0.0 : f32
  %z = linalg.fill ins(%zero : f32) outs(%o : tensor<8x64xf32>) -> tensor<8x64xf32>
  %0 = linalg.matmul indexing_maps = [#x, #w, #o] ins(%x, %w : tensor<8x512xf32>, tensor<64x512xf32>) outs(%z : tensor<8x64xf32>) -> tensor<8x64xf32>
  return %0 : tensor<8x64xf32>
}

// -----

#x = affine_map<(m, n, k) -> (m, k)>
#w = affine_map<(m, n, k) -> (n, k)>
#o = affine_map<(m, n, k) -> (m, n)>
// expected-error @below {{expected threads for the 128 accesses of a row of the matrix, but got 256}}
func.func private @threads(%x: tensor<8x512xf32>, %w: tensor<64x512xf32>, %o: tensor<8x64xf32>) -> tensor<8x64xf32>
    attributes {forge.kernel, forge.schedule = #forge.schedule<strategy = gemv, n = 4, loads = 1, threads = 256>} {
  %zero = arith.constant 0.0 : f32
  %z = linalg.fill ins(%zero : f32) outs(%o : tensor<8x64xf32>) -> tensor<8x64xf32>
  %0 = linalg.matmul indexing_maps = [#x, #w, #o] ins(%x, %w : tensor<8x512xf32>, tensor<64x512xf32>) outs(%z : tensor<8x64xf32>) -> tensor<8x64xf32>
  return %0 : tensor<8x64xf32>
}

// -----

// expected-error @below {{expected a product of 1 to 8 rows, or 16 by matrix instructions, with a matrix, the rows along the sum in memory, perhaps with an elementwise operation behind it, and nothing else for strategy gemv}}
func.func private @sum(%x: tensor<4xf32>, %o: tensor<4xf32>) -> tensor<4xf32>
    attributes {forge.kernel, forge.schedule = #forge.schedule<strategy = gemv, n = 1, loads = 1, threads = 32, blocks = 1>} {
  %0 = linalg.add ins(%x, %x : tensor<4xf32>, tensor<4xf32>) outs(%o : tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

// expected-error @below {{expected 1, 2, 4 or 8 accesses of 4 columns that divide 96, but got 12 columns}}
func.func private @inside_columns(%x: tensor<4x512xf32>, %w: tensor<512x96xf32>, %o: tensor<4x96xf32>) -> tensor<4x96xf32>
    attributes {forge.kernel, forge.schedule = #forge.schedule<strategy = gemv, n = 12, loads = 4, threads = 32>} {
  %zero = arith.constant 0.0 : f32
  %z = linalg.fill ins(%zero : f32) outs(%o : tensor<4x96xf32>) -> tensor<4x96xf32>
  %0 = linalg.matmul ins(%x, %w : tensor<4x512xf32>, tensor<512x96xf32>) outs(%z : tensor<4x96xf32>) -> tensor<4x96xf32>
  return %0 : tensor<4x96xf32>
}

// -----

// expected-error @below {{expected up to 64 rows under way, a multiple of 4 that divides 512, but got 12}}
func.func private @inside_rows(%x: tensor<4x512xf32>, %w: tensor<512x96xf32>, %o: tensor<4x96xf32>) -> tensor<4x96xf32>
    attributes {forge.kernel, forge.schedule = #forge.schedule<strategy = gemv, n = 8, loads = 12, threads = 32>} {
  %zero = arith.constant 0.0 : f32
  %z = linalg.fill ins(%zero : f32) outs(%o : tensor<4x96xf32>) -> tensor<4x96xf32>
  %0 = linalg.matmul ins(%x, %w : tensor<4x512xf32>, tensor<512x96xf32>) outs(%z : tensor<4x96xf32>) -> tensor<4x96xf32>
  return %0 : tensor<4x96xf32>
}

// -----

// expected-error @below {{expected threads for the 128 accesses of a row of the matrix, but got 256}}
func.func private @inside_threads(%x: tensor<4x512xf32>, %w: tensor<512x96xf32>, %o: tensor<4x96xf32>) -> tensor<4x96xf32>
    attributes {forge.kernel, forge.schedule = #forge.schedule<strategy = gemv, n = 4, loads = 4, threads = 256>} {
  %zero = arith.constant 0.0 : f32
  %z = linalg.fill ins(%zero : f32) outs(%o : tensor<4x96xf32>) -> tensor<4x96xf32>
  %0 = linalg.matmul ins(%x, %w : tensor<4x512xf32>, tensor<512x96xf32>) outs(%z : tensor<4x96xf32>) -> tensor<4x96xf32>
  return %0 : tensor<4x96xf32>
}

// -----

// Of matrix instructions.
// expected-error @below {{expected multiples of 8 columns of a matrix and of 16 of all, 64 at most, but got 8}}
func.func private @half_an_instruction(%x: tensor<16x512xbf16>, %w: tensor<96x512xbf16>, %o: tensor<16x96xf32>) -> tensor<16x96xf32>
    attributes {forge.kernel, forge.schedule = #forge.schedule<strategy = gemv, n = 8, loads = 1, threads = 128>} {
  %zero = arith.constant 0.0 : f32
  %z = linalg.fill ins(%zero : f32) outs(%o : tensor<16x96xf32>) -> tensor<16x96xf32>
  %0 = linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>] ins(%x, %w : tensor<16x512xbf16>, tensor<96x512xbf16>) outs(%z : tensor<16x96xf32>) -> tensor<16x96xf32>
  return %0 : tensor<16x96xf32>
}

// -----

// With the columns of the matrix side by side a lane has pairs of them.
// expected-error @below {{expected multiples of 16 columns of a matrix and of 16 of all, 64 at most, but got 128}}
func.func private @many_inside(%x: tensor<16x512xbf16>, %w: tensor<512x256xbf16>, %o: tensor<16x256xf32>) -> tensor<16x256xf32>
    attributes {forge.kernel, forge.schedule = #forge.schedule<strategy = gemv, n = 128, loads = 1, threads = 128>} {
  %zero = arith.constant 0.0 : f32
  %z = linalg.fill ins(%zero : f32) outs(%o : tensor<16x256xf32>) -> tensor<16x256xf32>
  %0 = linalg.matmul ins(%x, %w : tensor<16x512xbf16>, tensor<512x256xbf16>) outs(%z : tensor<16x256xf32>) -> tensor<16x256xf32>
  return %0 : tensor<16x256xf32>
}

// -----

// expected-error @below {{expected 1 to 32 accesses under way, but got 64}}
func.func private @many_accesses(%x: tensor<16x512xbf16>, %w: tensor<96x512xbf16>, %o: tensor<16x96xf32>) -> tensor<16x96xf32>
    attributes {forge.kernel, forge.schedule = #forge.schedule<strategy = gemv, n = 16, loads = 32, threads = 128>} {
  %zero = arith.constant 0.0 : f32
  %z = linalg.fill ins(%zero : f32) outs(%o : tensor<16x96xf32>) -> tensor<16x96xf32>
  %0 = linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>] ins(%x, %w : tensor<16x512xbf16>, tensor<96x512xbf16>) outs(%z : tensor<16x96xf32>) -> tensor<16x96xf32>
  return %0 : tensor<16x96xf32>
}

// -----

// expected-error @below {{expected sums of all warps that fit 49152 bytes of shared memory, but got 73728}}
func.func private @many_sums(%x: tensor<16x1024xbf16>, %w: tensor<96x1024xbf16>, %o: tensor<16x96xf32>) -> tensor<16x96xf32>
    attributes {forge.kernel, forge.schedule = #forge.schedule<strategy = gemv, n = 32, loads = 1, threads = 1024>} {
  %zero = arith.constant 0.0 : f32
  %z = linalg.fill ins(%zero : f32) outs(%o : tensor<16x96xf32>) -> tensor<16x96xf32>
  %0 = linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>] ins(%x, %w : tensor<16x1024xbf16>, tensor<96x1024xbf16>) outs(%z : tensor<16x96xf32>) -> tensor<16x96xf32>
  return %0 : tensor<16x96xf32>
}

// -----

#x = affine_map<(m, n, k) -> (m, k)>
#w = affine_map<(m, n, k) -> (n, k)>
#o = affine_map<(m, n, k) -> (m, n)>
// expected-error @below {{expected at most 32 blocks, one for 2 columns, but got 33}}
func.func private @blocks(%x: tensor<8x512xf32>, %w: tensor<64x512xf32>, %o: tensor<8x64xf32>) -> tensor<8x64xf32>
    attributes {forge.kernel, forge.schedule = #forge.schedule<strategy = gemv, n = 2, loads = 1, threads = 128, blocks = 33>} {
  %zero = arith.constant 0.0 : f32
  %z = linalg.fill ins(%zero : f32) outs(%o : tensor<8x64xf32>) -> tensor<8x64xf32>
  %0 = linalg.matmul indexing_maps = [#x, #w, #o] ins(%x, %w : tensor<8x512xf32>, tensor<64x512xf32>) outs(%z : tensor<8x64xf32>) -> tensor<8x64xf32>
  return %0 : tensor<8x64xf32>
}

// -----

// With the columns of the matrix side by side each group of them has a block.
// expected-error @below {{expected 16 blocks, one for 16 columns, but got 3}}
func.func private @blocks_inside(%x: tensor<512xf32>, %w: tensor<512x256xf32>, %o: tensor<256xf32>) -> tensor<256xf32>
    attributes {forge.kernel, forge.schedule = #forge.schedule<strategy = gemv, n = 16, loads = 4, threads = 128, blocks = 3>} {
  %zero = arith.constant 0.0 : f32
  %z = linalg.fill ins(%zero : f32) outs(%o : tensor<256xf32>) -> tensor<256xf32>
  %0 = linalg.vecmat ins(%x, %w : tensor<512xf32>, tensor<512x256xf32>) outs(%z : tensor<256xf32>) -> tensor<256xf32>
  return %0 : tensor<256xf32>
}
