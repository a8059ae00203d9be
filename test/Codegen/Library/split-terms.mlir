// RUN: forge-opt %s --split-input-file --forge-split-terms=library=never | FileCheck %s
// Other chips divide what strategy `tiles` computes.
// RUN: forge-opt %s --split-input-file --forge-split-terms="chip=sm_80 library=never" | FileCheck %s --check-prefix=BLOCKS
// RUN: forge-opt %s --split-input-file --forge-split-terms="chip=gfx1100 library=never" | FileCheck %s --check-prefix=BLOCKS
// What the library is asked for is left to it.
// RUN: forge-opt %s --split-input-file --forge-split-terms | FileCheck %s --check-prefix=COST
// RUN: forge-opt %s --split-input-file --forge-split-terms=library=prefer | FileCheck %s --check-prefix=NONE
// RUN: forge-opt %s --split-input-file --forge-split-terms=chip=sm_80 | FileCheck %s --check-prefix=NONE
// RUN: forge-opt %s --split-input-file --forge-split-terms=chip=gfx942 | FileCheck %s --check-prefix=NONE
// RUN: not forge-opt %s --split-input-file --forge-split-terms=chip=sm_1 2>&1 | FileCheck %s --check-prefix=CHIP
// RUN: not forge-opt %s --split-input-file --forge-split-terms=library=always 2>&1 | FileCheck %s --check-prefix=LIBRARY
// NONE-NOT: expand_shape
// CHIP: error: unknown chip 'sm_1'
// LIBRARY: error: expected prefer, cost or never as library, but got 'always'

#rows = affine_map<(m, n, k) -> (k, m)>
#columns = affine_map<(m, n, k) -> (k, n)>
#result = affine_map<(m, n, k) -> (m, n)>

// One tile: its terms are divided into parts of 256, whose sums are added in order.
// CHECK-DAG: #[[PART:.*]] = affine_map<(d0, d1, d2, d3) -> (d0, d3, d1)>
// CHECK-DAG: #[[ALL:.*]] = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
// CHECK-DAG: #[[SUM:.*]] = affine_map<(d0, d1, d2) -> (d1, d2)>
// CHECK-LABEL: func.func @one_tile
// CHECK-DAG: %[[X:.*]] = tensor.expand_shape %arg0 {{\[\[}}0, 1], [2]] output_shape [16, 256, 64]
// CHECK-DAG: %[[Y:.*]] = tensor.expand_shape %arg1 {{\[\[}}0, 1], [2]] output_shape [16, 256, 64]
// CHECK: %[[P:.*]] = linalg.generic {indexing_maps = [#[[PART]], {{.*}}], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%[[X]], %[[Y]] :
// CHECK: arith.mulf
// CHECK: arith.addf
// CHECK: %[[Z:.*]] = linalg.generic {indexing_maps = [#[[ALL]], #[[SUM]]], iterator_types = ["reduction", "parallel", "parallel"]} ins(%[[P]] : tensor<16x64x64xf32>)
// CHECK: return %[[Z]]
// BLOCKS-LABEL: func.func @one_tile
// BLOCKS: tensor.expand_shape {{.*}} output_shape [16, 256, 64]
// COST-LABEL: func.func @one_tile
// COST-NOT: expand_shape
// COST: return
func.func @one_tile(%x: tensor<4096x64xbf16>, %y: tensor<4096x64xbf16>) -> tensor<64x64xf32> {
  %c = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<64x64xf32>
  %f = linalg.fill ins(%c : f32) outs(%e : tensor<64x64xf32>) -> tensor<64x64xf32>
  %0 = linalg.generic {indexing_maps = [#rows, #columns, #result], iterator_types = ["parallel", "parallel", "reduction"]} ins(%x, %y : tensor<4096x64xbf16>, tensor<4096x64xbf16>) outs(%f : tensor<64x64xf32>) {
  ^bb0(%a: bf16, %b: bf16, %s: f32):
    %1 = arith.extf %a : bf16 to f32
    %2 = arith.extf %b : bf16 to f32
    %3 = arith.mulf %1, %2 : f32
    %4 = arith.addf %s, %3 : f32
    linalg.yield %4 : f32
  } -> tensor<64x64xf32>
  return %0 : tensor<64x64xf32>
}

// -----

// Half of the multiprocessors would have a tile: the library has no advantage, parts do.
// CHECK-LABEL: func.func @half
// CHECK: tensor.expand_shape
// COST-LABEL: func.func @half
// COST: tensor.expand_shape
// COST: return
func.func @half(%x: tensor<1024x16384xf16>, %y: tensor<16384x512xf16>) -> tensor<1024x512xf32> {
  %c = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1024x512xf32>
  %f = linalg.fill ins(%c : f32) outs(%e : tensor<1024x512xf32>) -> tensor<1024x512xf32>
  %0 = linalg.matmul ins(%x, %y : tensor<1024x16384xf16>, tensor<16384x512xf16>) outs(%f : tensor<1024x512xf32>) -> tensor<1024x512xf32>
  return %0 : tensor<1024x512xf32>
}

// -----

// Sums of 512 terms take less time than adding up parts; a large result has tiles enough; the number of terms is a prime.
// CHECK-LABEL: func.func @short
// CHECK-NOT: expand_shape
func.func @short(%x: tensor<128x512xbf16>, %y: tensor<512x128xbf16>) -> tensor<128x128xf32> {
  %c = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<128x128xf32>
  %f = linalg.fill ins(%c : f32) outs(%e : tensor<128x128xf32>) -> tensor<128x128xf32>
  %0 = linalg.matmul ins(%x, %y : tensor<128x512xbf16>, tensor<512x128xbf16>) outs(%f : tensor<128x128xf32>) -> tensor<128x128xf32>
  return %0 : tensor<128x128xf32>
}
func.func @large(%x: tensor<2048x8192xbf16>, %y: tensor<8192x2048xbf16>) -> tensor<2048x2048xf32> {
  %c = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2048x2048xf32>
  %f = linalg.fill ins(%c : f32) outs(%e : tensor<2048x2048xf32>) -> tensor<2048x2048xf32>
  %0 = linalg.matmul ins(%x, %y : tensor<2048x8192xbf16>, tensor<8192x2048xbf16>) outs(%f : tensor<2048x2048xf32>) -> tensor<2048x2048xf32>
  return %0 : tensor<2048x2048xf32>
}
func.func @prime(%x: tensor<128x16381xbf16>, %y: tensor<16381x128xbf16>) -> tensor<128x128xf32> {
  %c = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<128x128xf32>
  %f = linalg.fill ins(%c : f32) outs(%e : tensor<128x128xf32>) -> tensor<128x128xf32>
  %0 = linalg.matmul ins(%x, %y : tensor<128x16381xbf16>, tensor<16381x128xbf16>) outs(%f : tensor<128x128xf32>) -> tensor<128x128xf32>
  return %0 : tensor<128x128xf32>
}

// -----

// Of f32 factors, whose pieces are another pass's, and of rows that are not at multiples of 16 bytes, which tensor maps do not read.
// CHECK-LABEL: func.func @single
// CHECK: tensor.expand_shape
// BLOCKS-LABEL: func.func @single
// BLOCKS: tensor.expand_shape
func.func @single(%x: tensor<4096x129xf32>, %y: tensor<4096x64xf32>) -> tensor<129x64xf32> {
  %c = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<129x64xf32>
  %f = linalg.fill ins(%c : f32) outs(%e : tensor<129x64xf32>) -> tensor<129x64xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (k, m)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%x, %y : tensor<4096x129xf32>, tensor<4096x64xf32>) outs(%f : tensor<129x64xf32>) {
  ^bb0(%a: f32, %b: f32, %s: f32):
    %1 = arith.mulf %a, %b : f32
    %2 = arith.addf %s, %1 : f32
    linalg.yield %2 : f32
  } -> tensor<129x64xf32>
  return %0 : tensor<129x64xf32>
}

// -----

// A few rows are strategy `gemv`'s; sums of f64 and of integers stay whole.
// CHECK-LABEL: func.func @few
// CHECK-NOT: expand_shape
// BLOCKS-LABEL: func.func @few
// BLOCKS-NOT: expand_shape
func.func @few(%x: tensor<8x16384xf32>, %y: tensor<16384x128xf32>) -> tensor<8x128xf32> {
  %c = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x128xf32>
  %f = linalg.fill ins(%c : f32) outs(%e : tensor<8x128xf32>) -> tensor<8x128xf32>
  %0 = linalg.matmul ins(%x, %y : tensor<8x16384xf32>, tensor<16384x128xf32>) outs(%f : tensor<8x128xf32>) -> tensor<8x128xf32>
  return %0 : tensor<8x128xf32>
}
func.func @double(%x: tensor<64x16384xf64>, %y: tensor<16384x128xf64>) -> tensor<64x128xf64> {
  %c = arith.constant 0.0 : f64
  %e = tensor.empty() : tensor<64x128xf64>
  %f = linalg.fill ins(%c : f64) outs(%e : tensor<64x128xf64>) -> tensor<64x128xf64>
  %0 = linalg.matmul ins(%x, %y : tensor<64x16384xf64>, tensor<16384x128xf64>) outs(%f : tensor<64x128xf64>) -> tensor<64x128xf64>
  return %0 : tensor<64x128xf64>
}
func.func @integers(%x: tensor<64x16384xi32>, %y: tensor<16384x128xi32>) -> tensor<64x128xi32> {
  %c = arith.constant 0 : i32
  %e = tensor.empty() : tensor<64x128xi32>
  %f = linalg.fill ins(%c : i32) outs(%e : tensor<64x128xi32>) -> tensor<64x128xi32>
  %0 = linalg.matmul ins(%x, %y : tensor<64x16384xi32>, tensor<16384x128xi32>) outs(%f : tensor<64x128xi32>) -> tensor<64x128xi32>
  return %0 : tensor<64x128xi32>
}
