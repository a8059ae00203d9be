// RUN: forge-opt %s --forge-lower-contractions=target=avx512-bf16 | FileCheck %s

// What the heuristics choose from shapes, types and layouts.

// Rows of bf16 are paired along k: once, in panels of B, when many rows use them.
// CHECK: func private @contraction_bf16_640x640x640({{.*}}pack = "AB", {{.*}}strategy = "packed", {{.*}}tile = array<i64: 6, 64>
func.func @many_rows(%a: memref<640x640xbf16>, %b: memref<640x640xbf16>, %c: memref<640x640xf32>) {
  linalg.matmul ins(%a, %b : memref<640x640xbf16>, memref<640x640xbf16>) outs(%c : memref<640x640xf32>)
  return
}

// Few rows times a matrix that is no near cache's: it is read where it is, in blocks of few of its rows.
// CHECK: func private @contraction_bf16_16x2048x2048({{.*}}block = array<i64: 16, {{[0-9]+}}, 64>, pack = "A", {{.*}}tile = array<i64: 8, 48>
func.func @few_rows_bf16(%a: memref<16x2048xbf16>, %b: memref<2048x2048xbf16>, %c: memref<16x2048xf32>) {
  linalg.matmul ins(%a, %b : memref<16x2048xbf16>, memref<2048x2048xbf16>) outs(%c : memref<16x2048xf32>)
  return
}

// CHECK: func private @contraction_f32_16x2048x2048({{.*}}block = array<i64: 16, {{[0-9]+}}, 94>, pack = "A", {{.*}}tile = array<i64: 8, 48>
func.func @few_rows(%a: memref<16x2048xf32>, %b: memref<2048x2048xf32>, %c: memref<16x2048xf32>) {
  linalg.matmul ins(%a, %b : memref<16x2048xf32>, memref<2048x2048xf32>) outs(%c : memref<16x2048xf32>)
  return
}

// One that fits: a tile of all rows, and a panel of B as deep as the first cache allows.
// CHECK: func private @contraction_f32_16x128x128({{.*}}block = array<i64: 16, {{[0-9]+}}, 128>, {{.*}}tile = array<i64: 16, 16>
func.func @few_rows_small(%a: memref<16x128xf32>, %b: memref<128x128xf32>, %c: memref<16x128xf32>) {
  linalg.matmul ins(%a, %b : memref<16x128xf32>, memref<128x128xf32>) outs(%c : memref<16x128xf32>)
  return
}

// Four rows: f32 streams, bf16 has the dot instruction.
// CHECK: func private @contraction_f32_4x2048x2048({{.*}}strategy = "stream"
func.func @four_rows(%a: memref<4x2048xf32>, %b: memref<2048x2048xf32>, %c: memref<4x2048xf32>) {
  linalg.matmul ins(%a, %b : memref<4x2048xf32>, memref<2048x2048xf32>) outs(%c : memref<4x2048xf32>)
  return
}

// CHECK: func private @contraction_bf16_4x2048x2048({{.*}}strategy = "packed", {{.*}}tile = array<i64: 4, 96>
func.func @four_rows_bf16(%a: memref<4x2048xbf16>, %b: memref<2048x2048xbf16>, %c: memref<4x2048xf32>) {
  linalg.matmul ins(%a, %b : memref<4x2048xbf16>, memref<2048x2048xbf16>) outs(%c : memref<4x2048xf32>)
  return
}
