// RUN: forge-opt %s --forge-lower-contractions -verify-diagnostics -split-input-file

func.func @malformed(%a: memref<8x8xf32>, %b: memref<8x8xf32>, %c: memref<8x8xf32>) {
  // expected-error @below {{expected forge.schedule of a contraction to hold strings 'strategy' and 'pack'}}
  linalg.matmul {forge.schedule = {strategy = "packed"}}
    ins(%a, %b : memref<8x8xf32>, memref<8x8xf32>) outs(%c : memref<8x8xf32>)
  return
}

// -----

func.func @blocks(%a: memref<8x8xf32>, %b: memref<8x8xf32>, %c: memref<8x8xf32>) {
  // expected-error @below {{has a schedule that does not fit: expected blocks that are multiples of the tile}}
  linalg.matmul {forge.schedule = {strategy = "packed", tile = array<i64: 4, 16>, block = array<i64: 6, 16, 8>,
                                   pack = "AB", swap = false, parallel = false}}
    ins(%a, %b : memref<8x8xf32>, memref<8x8xf32>) outs(%c : memref<8x8xf32>)
  return
}

// -----

func.func @layout(%a: memref<8x8xf32>, %b: memref<8x8xf32>, %c: memref<8x8xf32>) {
  // expected-error @below {{has a schedule that does not fit: expected A and B to be contiguous along k}}
  linalg.matmul {forge.schedule = {strategy = "dot", tile = array<i64: 4, 4>, block = array<i64: 8, 8, 8>,
                                   pack = "", swap = false, parallel = false}}
    ins(%a, %b : memref<8x8xf32>, memref<8x8xf32>) outs(%c : memref<8x8xf32>)
  return
}
