// RUN: forge-opt %s --split-input-file --forge-schedule-kernels="chip=sm_90a" --verify-diagnostics

#m = affine_map<(d0, d1) -> (d0, d1)>
// expected-error @below {{strategy 'rows' has no field 'tile', expected vector, loads, rows, blocks, threads, library}}
func.func private @tile(%x: tensor<8x64xf32>, %o: tensor<8x64xf32>) -> tensor<8x64xf32>
    attributes {forge.kernel, forge.schedule = #forge.schedule<strategy = rows, tile = [1, 0]>} {
  %0 = linalg.generic {indexing_maps = [#m, #m], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<8x64xf32>) outs(%o : tensor<8x64xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<8x64xf32>
  return %0 : tensor<8x64xf32>
}

// -----

#m = affine_map<(d0, d1) -> (d0, d1)>
// expected-error @below {{expected accesses for a whole row of 64 elements, but got 32}}
func.func private @short(%x: tensor<8x64xf32>, %o: tensor<8x64xf32>) -> tensor<8x64xf32>
    attributes {forge.kernel, forge.schedule = #forge.schedule<strategy = rows, vector = 1, loads = 1, rows = 1, blocks = 1, threads = 32>} {
  %0 = linalg.generic {indexing_maps = [#m, #m], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<8x64xf32>) outs(%o : tensor<8x64xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<8x64xf32>
  return %0 : tensor<8x64xf32>
}

// -----

#m = affine_map<(d0, d1) -> (d0, d1)>
// expected-error @below {{expected accesses that divide the row, but got 8 elements}}
func.func private @uneven(%x: tensor<8x33xf32>, %o: tensor<8x33xf32>) -> tensor<8x33xf32>
    attributes {forge.kernel, forge.schedule = #forge.schedule<strategy = rows, vector = 8, loads = 1, rows = 1, blocks = 1, threads = 32>} {
  %0 = linalg.generic {indexing_maps = [#m, #m], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<8x33xf32>) outs(%o : tensor<8x33xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<8x33xf32>
  return %0 : tensor<8x33xf32>
}

// -----

#m = affine_map<(d0, d1) -> (d0, d1)>
// expected-error @below {{expected one row per block where a row that is reduced has more threads than a warp}}
func.func private @barrier(%x: tensor<8x64xf32>, %o: tensor<8xf32>) -> tensor<8xf32>
    attributes {forge.kernel, forge.schedule = #forge.schedule<strategy = rows, vector = 1, loads = 1, rows = 2, blocks = 1, threads = 128>} {
  %0 = linalg.generic {indexing_maps = [#m, affine_map<(d0, d1) -> (d0)>], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<8x64xf32>) outs(%o : tensor<8xf32>) {
  ^bb0(%in: f32, %out: f32):
    %1 = arith.addf %in, %out : f32
    linalg.yield %1 : f32
  } -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

// expected-error @below {{expected a kernel over rows, but found no operation}}
func.func private @nothing(%x: tensor<8xf32>) -> tensor<8xf32>
    attributes {forge.kernel, forge.schedule = #forge.schedule<strategy = rows, vector = 1, loads = 1, rows = 1, blocks = 1, threads = 32>} {
  return %x : tensor<8xf32>
}

// -----

#m = affine_map<(d0, d1) -> (d0, d1)>
#r = affine_map<(d0, d1) -> (d0)>
// expected-error @below {{expected one block for a row that is looped over or reduced, but got 2}}
func.func private @pieces_in_registers(%x: tensor<8x4096xf32>, %o: tensor<8xf32>) -> tensor<8xf32>
    attributes {forge.kernel, forge.schedule = #forge.schedule<strategy = rows, vector = 4, loads = 4, rows = 1, blocks = 2, threads = 128>} {
  %0 = linalg.generic {indexing_maps = [#m, #r], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<8x4096xf32>) outs(%o : tensor<8xf32>) {
  ^bb0(%in: f32, %out: f32):
    %1 = arith.addf %in, %out : f32
    linalg.yield %1 : f32
  } -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

#m = affine_map<(d0, d1) -> (d0, d1)>
#r = affine_map<(d0, d1) -> (d0)>
// expected-error @below {{expected a power of two of at most 8 blocks that reduce a row, but got 16}}
func.func private @large_cluster(%x: tensor<8x65536xf32>, %o: tensor<8xf32>) -> tensor<8xf32>
    attributes {forge.kernel, forge.schedule = #forge.schedule<strategy = rows, vector = 4, loads = 0, rows = 1, blocks = 16, threads = 128>} {
  %0 = linalg.generic {indexing_maps = [#m, #r], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<8x65536xf32>) outs(%o : tensor<8xf32>) {
  ^bb0(%in: f32, %out: f32):
    %1 = arith.addf %in, %out : f32
    linalg.yield %1 : f32
  } -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

#m = affine_map<(d0, d1) -> (d0, d1)>
#r = affine_map<(d0, d1) -> (d0)>
// expected-error @below {{expected a power of two of at most 8 blocks that reduce a row, but got 3}}
func.func private @uneven_cluster(%x: tensor<8x65536xf32>, %o: tensor<8xf32>) -> tensor<8xf32>
    attributes {forge.kernel, forge.schedule = #forge.schedule<strategy = rows, vector = 4, loads = 0, rows = 1, blocks = 3, threads = 128>} {
  %0 = linalg.generic {indexing_maps = [#m, #r], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<8x65536xf32>) outs(%o : tensor<8xf32>) {
  ^bb0(%in: f32, %out: f32):
    %1 = arith.addf %in, %out : f32
    linalg.yield %1 : f32
  } -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

#m = affine_map<(d0, d1) -> (d0, d1)>
#r = affine_map<(d0, d1) -> (d0)>
// expected-error @below {{expected a warp of 32 threads in each block of a cluster, but got 16}}
func.func private @narrow_cluster(%x: tensor<8x65536xf32>, %o: tensor<8xf32>) -> tensor<8xf32>
    attributes {forge.kernel, forge.schedule = #forge.schedule<strategy = rows, vector = 4, loads = 0, rows = 1, blocks = 2, threads = 16>} {
  %0 = linalg.generic {indexing_maps = [#m, #r], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<8x65536xf32>) outs(%o : tensor<8xf32>) {
  ^bb0(%in: f32, %out: f32):
    %1 = arith.addf %in, %out : f32
    linalg.yield %1 : f32
  } -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

#m = affine_map<(d0, d1) -> (d0, d1)>
#r = affine_map<(d0, d1) -> (d0)>
// expected-error @below {{expected columns for each of 8 blocks}}
func.func private @empty_piece(%x: tensor<8x20xf32>, %o: tensor<8xf32>) -> tensor<8xf32>
    attributes {forge.kernel, forge.schedule = #forge.schedule<strategy = rows, vector = 4, loads = 0, rows = 1, blocks = 8, threads = 128>} {
  %0 = linalg.generic {indexing_maps = [#m, #r], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<8x20xf32>) outs(%o : tensor<8xf32>) {
  ^bb0(%in: f32, %out: f32):
    %1 = arith.addf %in, %out : f32
    linalg.yield %1 : f32
  } -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

#m = affine_map<(d0, d1) -> (d0, d1)>
#r = affine_map<(d0, d1) -> (d0)>
// expected-error @below {{expected one block for rows that share it, but got 2}}
func.func private @shared_block(%x: tensor<8x64xf32>, %o: tensor<8xf32>) -> tensor<8xf32>
    attributes {forge.kernel, forge.schedule = #forge.schedule<strategy = rows, vector = 4, loads = 0, rows = 2, blocks = 2, threads = 64>} {
  %0 = linalg.generic {indexing_maps = [#m, #r], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<8x64xf32>) outs(%o : tensor<8xf32>) {
  ^bb0(%in: f32, %out: f32):
    %1 = arith.addf %in, %out : f32
    linalg.yield %1 : f32
  } -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

// Four of the blocks would have columns that the row does not have.
#m = affine_map<(d0, d1) -> (d0, d1)>
// expected-error @below {{expected columns for each of 8 blocks}}
func.func private @blocks_behind_the_row(%x: tensor<8x4096xf32>, %o: tensor<8x4096xf32>) -> tensor<8x4096xf32>
    attributes {forge.kernel, forge.schedule = #forge.schedule<strategy = rows, vector = 2, loads = 1, rows = 1, blocks = 8, threads = 512>} {
  %0 = linalg.generic {indexing_maps = [#m, #m], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<8x4096xf32>) outs(%o : tensor<8x4096xf32>) {
  ^bb0(%in: f32, %out: f32):
    %1 = arith.negf %in : f32
    linalg.yield %1 : f32
  } -> tensor<8x4096xf32>
  return %0 : tensor<8x4096xf32>
}

// -----

#all = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>

// Only the thread that writes may read what the result replaces, and a larger one by comparison has nothing that the others could start from.
// expected-error @below {{it takes operations over rows, but found a reduction that goes on from what it replaces}}
func.func private @larger_in_place(%x: tensor<8x64xf32>, %o: tensor<8xf32>) -> tensor<8xf32>
    attributes {forge.kernel, forge.schedule = #forge.schedule<strategy = rows>} {
  %0 = linalg.generic {indexing_maps = [#all, #row], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<8x64xf32>) outs(%o : tensor<8xf32>) {
  ^bb0(%in: f32, %out: f32):
    %c = arith.cmpf ogt, %out, %in : f32
    %m = arith.select %c, %out, %in : f32
    linalg.yield %m : f32
  } -> tensor<8xf32>
  return %0 : tensor<8xf32>
}
