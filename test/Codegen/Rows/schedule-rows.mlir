// RUN: forge-opt --forge-schedule-rows --split-input-file %s | FileCheck %s

// What ends a cluster of rows gets the schedule, as an attribute that can be edited: as many rows as a
// CHECK-LABEL: func.func @normalise
// CHECK: linalg.generic
// CHECK-NOT: forge.schedule
// CHECK: linalg.generic
// CHECK-SAME: forge.schedule = #forge.schedule<strategy = rows, tile = [{{[0-9]+}}, 0]
#row = affine_map<(d0, d1) -> (d0)>
#all = affine_map<(d0, d1) -> (d0, d1)>
func.func @normalise(%x: tensor<4096x1024xf32>) -> tensor<4096x1024xf32> {
  %zero = arith.constant 0.0 : f32
  %r = tensor.empty() : tensor<4096xf32>
  %e = tensor.empty() : tensor<4096x1024xf32>
  %f = linalg.fill ins(%zero : f32) outs(%r : tensor<4096xf32>) -> tensor<4096xf32>
  %sum = linalg.generic {indexing_maps = [#all, #row], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<4096x1024xf32>) outs(%f : tensor<4096xf32>) {
  ^bb0(%a: f32, %b: f32):
    %0 = arith.addf %a, %b : f32
    linalg.yield %0 : f32
  } -> tensor<4096xf32>
  %y = linalg.generic {indexing_maps = [#all, #row, #all], iterator_types = ["parallel", "parallel"]} ins(%x, %sum : tensor<4096x1024xf32>, tensor<4096xf32>) outs(%e : tensor<4096x1024xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %0 = arith.divf %a, %b : f32
    linalg.yield %0 : f32
  } -> tensor<4096x1024xf32>
  return %y : tensor<4096x1024xf32>
}

// -----

// A schedule that is there stays: somebody chose it.
// CHECK-LABEL: func.func @given
// CHECK: forge.schedule = #forge.schedule<strategy = rows, tile = [7, 0]>
#all = affine_map<(d0, d1) -> (d0, d1)>
func.func @given(%x: tensor<4096x1024xf32>) -> tensor<4096x1024xf32> {
  %e = tensor.empty() : tensor<4096x1024xf32>
  %y = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<4096x1024xf32>) outs(%e : tensor<4096x1024xf32>) attrs = {forge.schedule = #forge.schedule<strategy = rows, tile = [7, 0]>} {
  ^bb0(%a: f32, %b: f32):
    %0 = math.exp %a : f32
    linalg.yield %0 : f32
  } -> tensor<4096x1024xf32>
  return %y : tensor<4096x1024xf32>
}

// -----

// Of short rows, as many as keep %x and the temporaries in the first cache.
// CHECK-LABEL: func.func @short
// CHECK: forge.schedule = #forge.schedule<strategy = rows, tile = [32, 0]>
#row = affine_map<(d0, d1) -> (d0)>
#all = affine_map<(d0, d1) -> (d0, d1)>
func.func @short(%x: tensor<8192x128xf32>) -> tensor<8192x128xf32> {
  %zero = arith.constant 0.0 : f32
  %r = tensor.empty() : tensor<8192xf32>
  %e = tensor.empty() : tensor<8192x128xf32>
  %f = linalg.fill ins(%zero : f32) outs(%r : tensor<8192xf32>) -> tensor<8192xf32>
  %sum = linalg.generic {indexing_maps = [#all, #row], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<8192x128xf32>) outs(%f : tensor<8192xf32>) {
  ^bb0(%a: f32, %b: f32):
    %0 = arith.addf %a, %b : f32
    linalg.yield %0 : f32
  } -> tensor<8192xf32>
  %y = linalg.generic {indexing_maps = [#all, #row, #all], iterator_types = ["parallel", "parallel"]} ins(%x, %sum : tensor<8192x128xf32>, tensor<8192xf32>) outs(%e : tensor<8192x128xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %0 = arith.divf %a, %b : f32
    linalg.yield %0 : f32
  } -> tensor<8192x128xf32>
  return %y : tensor<8192x128xf32>
}

// -----

// Two rows of a million elements: what is computed in between would not fit the caches. No operation needs all of a row,
// so that rows are cut.
// CHECK-LABEL: func.func @long_rows
// CHECK: forge.schedule = #forge.schedule<strategy = rows, tile = [1, {{[1-9][0-9]*}}]>
#all = affine_map<(d0, d1) -> (d0, d1)>
func.func @long_rows(%x: tensor<2x1000000xf32>) -> tensor<2x1000000xf32> {
  %e = tensor.empty() : tensor<2x1000000xf32>
  %z = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<2x1000000xf32>) outs(%e : tensor<2x1000000xf32>) {
  ^bb0(%a: f32, %b: f32):
    %0 = math.exp %a : f32
    linalg.yield %0 : f32
  } -> tensor<2x1000000xf32>
  %y = linalg.generic {indexing_maps = [#all, #all, #all], iterator_types = ["parallel", "parallel"]} ins(%z, %x : tensor<2x1000000xf32>, tensor<2x1000000xf32>) outs(%e : tensor<2x1000000xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %0 = arith.divf %a, %b : f32
    linalg.yield %0 : f32
  } -> tensor<2x1000000xf32>
  return %y : tensor<2x1000000xf32>
}

// -----

// Rows that are summed stay whole.
// CHECK-LABEL: func.func @long_sums
// CHECK: forge.schedule = #forge.schedule<strategy = rows, tile = [1, 0]>
#row = affine_map<(d0, d1) -> (d0)>
#all = affine_map<(d0, d1) -> (d0, d1)>
func.func @long_sums(%x: tensor<4x1000000xf32>) -> tensor<4x1000000xf32> {
  %zero = arith.constant 0.0 : f32
  %r = tensor.empty() : tensor<4xf32>
  %e = tensor.empty() : tensor<4x1000000xf32>
  %f = linalg.fill ins(%zero : f32) outs(%r : tensor<4xf32>) -> tensor<4xf32>
  %sum = linalg.generic {indexing_maps = [#all, #row], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<4x1000000xf32>) outs(%f : tensor<4xf32>) {
  ^bb0(%a: f32, %b: f32):
    %0 = arith.addf %a, %b : f32
    linalg.yield %0 : f32
  } -> tensor<4xf32>
  %y = linalg.generic {indexing_maps = [#all, #row, #all], iterator_types = ["parallel", "parallel"]} ins(%x, %sum : tensor<4x1000000xf32>, tensor<4xf32>) outs(%e : tensor<4x1000000xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %0 = arith.divf %a, %b : f32
    linalg.yield %0 : f32
  } -> tensor<4x1000000xf32>
  return %y : tensor<4x1000000xf32>
}
