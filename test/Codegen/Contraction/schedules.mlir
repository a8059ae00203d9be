// RUN: forge-opt %s --forge-lower-contractions=target=avx512-bf16 | FileCheck %s

// What the heuristics choose from shapes, types and layouts.

// Many rows use a panel of B, which each task copies when it comes to it: A's rows are read where they lie.
// CHECK: func private @contraction_f32_512x3072x768({{.*}}strategy = packed, m = 8, n = 48, block_m = 512, block_n = 192, block_k = 768, pack = none, stage_b = true,
func.func @many_rows_f32(%a: memref<512x768xf32>, %b: memref<768x3072xf32>, %c: memref<512x3072xf32>) {
  linalg.matmul ins(%a, %b : memref<512x768xf32>, memref<768x3072xf32>) outs(%c : memref<512x3072xf32>)
  return
}

// Rows of bf16 are paired along k where panels are copied.
// CHECK: func private @contraction_bf16_640x640x640({{.*}}strategy = packed, m = 6, n = 64, {{.*}}pack = a, stage_b = true,
func.func @many_rows(%a: memref<640x640xbf16>, %b: memref<640x640xbf16>, %c: memref<640x640xf32>) {
  linalg.matmul ins(%a, %b : memref<640x640xbf16>, memref<640x640xbf16>) outs(%c : memref<640x640xf32>)
  return
}

// Few rows times a matrix that is no near cache's: it is read where it is, in blocks of few of its rows.
// CHECK: func private @contraction_bf16_16x2048x2048({{.*}}strategy = packed, m = 8, n = 48, block_m = 16, block_n = {{[0-9]+}}, block_k = 64, pack = a,
func.func @few_rows_bf16(%a: memref<16x2048xbf16>, %b: memref<2048x2048xbf16>, %c: memref<16x2048xf32>) {
  linalg.matmul ins(%a, %b : memref<16x2048xbf16>, memref<2048x2048xbf16>) outs(%c : memref<16x2048xf32>)
  return
}

// CHECK: func private @contraction_f32_16x2048x2048({{.*}}strategy = packed, m = 8, n = 48, block_m = 16, block_n = {{[0-9]+}}, block_k = 94, pack = a,
func.func @few_rows(%a: memref<16x2048xf32>, %b: memref<2048x2048xf32>, %c: memref<16x2048xf32>) {
  linalg.matmul ins(%a, %b : memref<16x2048xf32>, memref<2048x2048xf32>) outs(%c : memref<16x2048xf32>)
  return
}

// One that fits: a tile of all rows, and a panel of B as deep as the first cache allows.
// CHECK: func private @contraction_f32_16x128x128({{.*}}strategy = packed, m = 16, n = 16, block_m = 16, block_n = {{[0-9]+}}, block_k = 128,
func.func @few_rows_small(%a: memref<16x128xf32>, %b: memref<128x128xf32>, %c: memref<16x128xf32>) {
  linalg.matmul ins(%a, %b : memref<16x128xf32>, memref<128x128xf32>) outs(%c : memref<16x128xf32>)
  return
}

// Four rows: f32 streams, bf16 has the dot instruction.
// CHECK: func private @contraction_f32_4x2048x2048({{.*}}strategy = stream,
func.func @four_rows(%a: memref<4x2048xf32>, %b: memref<2048x2048xf32>, %c: memref<4x2048xf32>) {
  linalg.matmul ins(%a, %b : memref<4x2048xf32>, memref<2048x2048xf32>) outs(%c : memref<4x2048xf32>)
  return
}

// CHECK: func private @contraction_bf16_4x2048x2048({{.*}}strategy = packed, m = 4, n = 96
func.func @four_rows_bf16(%a: memref<4x2048xbf16>, %b: memref<2048x2048xbf16>, %c: memref<4x2048xf32>) {
  linalg.matmul ins(%a, %b : memref<4x2048xbf16>, memref<2048x2048xbf16>) outs(%c : memref<4x2048xf32>)
  return
}
