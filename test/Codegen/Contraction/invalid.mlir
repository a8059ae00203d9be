// RUN: forge-opt %s --forge-lower-contractions -verify-diagnostics -split-input-file

func.func @malformed(%a: memref<8x8xf32>, %b: memref<8x8xf32>, %c: memref<8x8xf32>) {
  // expected-error @below {{expected an array<i64> as 'tile' of forge.schedule, but got none}}
  linalg.matmul {forge.schedule = {strategy = "packed"}}
    ins(%a, %b : memref<8x8xf32>, memref<8x8xf32>) outs(%c : memref<8x8xf32>)
  return
}

// -----

func.func @blocks(%a: memref<8x8xf32>, %b: memref<8x8xf32>, %c: memref<8x8xf32>) {
  // expected-error @below {{schedule does not fit: expected blocks that are multiples of the tile}}
  linalg.matmul {forge.schedule = {strategy = "packed", tile = array<i64: 4, 16>, block = array<i64: 6, 16, 8>,
                                   pack = "AB", swap = false, parallel = false}}
    ins(%a, %b : memref<8x8xf32>, memref<8x8xf32>) outs(%c : memref<8x8xf32>)
  return
}

// -----

func.func @layout(%a: memref<8x8xf32>, %b: memref<8x8xf32>, %c: memref<8x8xf32>) {
  // expected-error @below {{schedule does not fit: expected A and B to be contiguous along k}}
  linalg.matmul {forge.schedule = {strategy = "dot", tile = array<i64: 4, 4>, block = array<i64: 8, 8, 8>,
                                   pack = "", swap = false, parallel = false}}
    ins(%a, %b : memref<8x8xf32>, memref<8x8xf32>) outs(%c : memref<8x8xf32>)
  return
}

// -----

func.func @key(%a: memref<8x8xf32>, %b: memref<8x8xf32>, %c: memref<8x8xf32>) {
  // expected-error @below {{unknown key 'stages' in forge.schedule, expected strategy, tile, block, pack, swap, parallel}}
  linalg.matmul {forge.schedule = {strategy = "packed", tile = array<i64: 4, 16>, block = array<i64: 8, 16, 8>,
                                   pack = "AB", swap = false, parallel = false, stages = 2 : i64}}
    ins(%a, %b : memref<8x8xf32>, memref<8x8xf32>) outs(%c : memref<8x8xf32>)
  return
}

// -----

func.func @pack(%a: memref<8x8xf32>, %b: memref<8x8xf32>, %c: memref<8x8xf32>) {
  // expected-error @below {{schedule does not fit: expected 'pack' to name A, B, both or none, but got C}}
  linalg.matmul {forge.schedule = {strategy = "packed", tile = array<i64: 4, 16>, block = array<i64: 8, 16, 8>,
                                   pack = "C", swap = false, parallel = false}}
    ins(%a, %b : memref<8x8xf32>, memref<8x8xf32>) outs(%c : memref<8x8xf32>)
  return
}

// -----

func.func @rows(%a: memref<8x8xf32>, %b: memref<8x8xf32>, %c: memref<8x8xf32>) {
  // expected-error @below {{strategy 'rows' tiles operations on tensors, but got one on memrefs}}
  linalg.matmul {forge.schedule = {strategy = "rows", tile = array<i64: 4, 0, 0>}}
    ins(%a, %b : memref<8x8xf32>, memref<8x8xf32>) outs(%c : memref<8x8xf32>)
  return
}

// -----

func.func @elementwise(%a: memref<8x8xf32>, %b: memref<8x8xf32>, %c: memref<8x8xf32>) {
  // expected-error @below {{strategy 'packed' does not take this operation: expected two input buffers and one output buffer}}
  linalg.exp {forge.schedule = {strategy = "packed", tile = array<i64: 4, 16>, block = array<i64: 8, 16, 8>,
                                   pack = "AB", swap = false, parallel = false}}
    ins(%a : memref<8x8xf32>) outs(%c : memref<8x8xf32>)
  return
}
