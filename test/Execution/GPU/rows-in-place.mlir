// A row kernel whose reduction goes on from what its result replaces: of a row's threads only the one that writes may read it, as a shuffle orders no memory.
// RUN: forge verify %s --function sums --target sim:sm_90a
// RUN: forge verify %s --function sums --target sim:gfx942
// RUN: forge verify %s --function long --target sim:sm_90a
// RUN: forge compile %s --function sums --target sim:sm_90a --to kernels -o - | FileCheck %s --check-prefix=SUMS
// Of a maximum the others begin with the least number.
// RUN: forge verify %s --function maxima --target sim:sm_90a
// RUN: forge verify %s --function maxima --target sim:gfx942
// RUN: forge compile %s --function maxima --target sim:sm_90a --to kernels -o - | FileCheck %s --check-prefix=MAXIMA

#all = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>

// SUMS: strategy = rows
// SUMS: arith.addf
// SUMS: arith.divf
func.func @sums(%x: tensor<16x32xf32>, %y: tensor<16xf32>) -> (tensor<16x32xf32>, tensor<16xf32>) {
  %s = linalg.generic {indexing_maps = [#all, #row], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<16x32xf32>) outs(%y : tensor<16xf32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = arith.addf %out, %in fastmath<reassoc> : f32
    linalg.yield %0 : f32
  } -> tensor<16xf32>
  %e = tensor.empty() : tensor<16x32xf32>
  %r = linalg.generic {indexing_maps = [#all, #row, #all], iterator_types = ["parallel", "parallel"]} ins(%x, %s : tensor<16x32xf32>, tensor<16xf32>) outs(%e : tensor<16x32xf32>) {
  ^bb0(%in: f32, %t: f32, %out: f32):
    %0 = arith.divf %in, %t : f32
    linalg.yield %0 : f32
  } -> tensor<16x32xf32>
  return %r, %s : tensor<16x32xf32>, tensor<16xf32>
}

func.func @long(%x: tensor<2x5000xf32>, %y: tensor<2xf32>) -> (tensor<2x5000xf32>, tensor<2xf32>) {
  %s = linalg.generic {indexing_maps = [#all, #row], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<2x5000xf32>) outs(%y : tensor<2xf32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = arith.addf %out, %in fastmath<reassoc> : f32
    linalg.yield %0 : f32
  } -> tensor<2xf32>
  %e = tensor.empty() : tensor<2x5000xf32>
  %r = linalg.generic {indexing_maps = [#all, #row, #all], iterator_types = ["parallel", "parallel"]} ins(%x, %s : tensor<2x5000xf32>, tensor<2xf32>) outs(%e : tensor<2x5000xf32>) {
  ^bb0(%in: f32, %t: f32, %out: f32):
    %0 = arith.divf %in, %t : f32
    linalg.yield %0 : f32
  } -> tensor<2x5000xf32>
  return %r, %s : tensor<2x5000xf32>, tensor<2xf32>
}

// MAXIMA: strategy = rows
// MAXIMA: arith.maximumf
func.func @maxima(%x: tensor<16x32xf32>, %y: tensor<16xf32>) -> tensor<16xf32> {
  %s = linalg.generic {indexing_maps = [#all, #row], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<16x32xf32>) outs(%y : tensor<16xf32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = arith.maximumf %out, %in : f32
    linalg.yield %0 : f32
  } -> tensor<16xf32>
  return %s : tensor<16xf32>
}
