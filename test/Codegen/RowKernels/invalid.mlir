// RUN: forge-opt %s --split-input-file --forge-schedule-kernels="chip=sm_90a" --verify-diagnostics

#m = affine_map<(d0, d1) -> (d0, d1)>
// expected-error @below {{expected 4 numbers in the tile of strategy rows, but got 1}}
func.func private @tile(%x: tensor<8x64xf32>, %o: tensor<8x64xf32>) -> tensor<8x64xf32>
    attributes {forge.kernel, forge.schedule = {strategy = "rows", threads = 32 : i64, tier = "optimized", tile = array<i64: 1>}} {
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
    attributes {forge.kernel, forge.schedule = {strategy = "rows", threads = 32 : i64, tier = "optimized", tile = array<i64: 1, 1, 1, 1>}} {
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
    attributes {forge.kernel, forge.schedule = {strategy = "rows", threads = 32 : i64, tier = "optimized", tile = array<i64: 8, 1, 1, 1>}} {
  %0 = linalg.generic {indexing_maps = [#m, #m], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<8x33xf32>) outs(%o : tensor<8x33xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<8x33xf32>
  return %0 : tensor<8x33xf32>
}

// -----

#m = affine_map<(d0, d1) -> (d0, d1)>
// expected-error @below {{expected one row per block where a row has more threads than a warp}}
func.func private @barrier(%x: tensor<8x64xf32>, %o: tensor<8x64xf32>) -> tensor<8x64xf32>
    attributes {forge.kernel, forge.schedule = {strategy = "rows", threads = 128 : i64, tier = "optimized", tile = array<i64: 1, 1, 2, 1>}} {
  %0 = linalg.generic {indexing_maps = [#m, #m], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<8x64xf32>) outs(%o : tensor<8x64xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<8x64xf32>
  return %0 : tensor<8x64xf32>
}

// -----

// expected-error @below {{expected a kernel over rows, but found no operation}}
func.func private @nothing(%x: tensor<8xf32>) -> tensor<8xf32>
    attributes {forge.kernel, forge.schedule = {strategy = "rows", threads = 32 : i64, tier = "optimized", tile = array<i64: 1, 1, 1, 1>}} {
  return %x : tensor<8xf32>
}
