// RUN: forge-opt %s --forge-lower-contractions -verify-diagnostics -split-input-file

func.func @malformed(%a: memref<8x8xf32>, %b: memref<8x8xf32>, %c: memref<8x8xf32>) {
  // expected-error @below {{expected true or false for field 'swap' of a schedule, but got 1}}
  linalg.matmul {forge.schedule = #forge.schedule<strategy = packed, swap = 1>}
    ins(%a, %b : memref<8x8xf32>, memref<8x8xf32>) outs(%c : memref<8x8xf32>)
  return
}

// -----

func.func @blocks(%a: memref<8x8xf32>, %b: memref<8x8xf32>, %c: memref<8x8xf32>) {
  // expected-error @below {{schedule does not fit: expected blocks that are multiples of the tile}}
  linalg.matmul {forge.schedule = #forge.schedule<strategy = packed, m = 4, n = 16, block_m = 6, block_n = 16, block_k = 8, pack = ab, swap = false, parallel = false>}
    ins(%a, %b : memref<8x8xf32>, memref<8x8xf32>) outs(%c : memref<8x8xf32>)
  return
}

// -----

func.func @layout(%a: memref<8x8xf32>, %b: memref<8x8xf32>, %c: memref<8x8xf32>) {
  // expected-error @below {{schedule does not fit: expected A and B to be contiguous along k}}
  linalg.matmul {forge.schedule = #forge.schedule<strategy = dot, m = 4, n = 4, block_n = 8, swap = false, parallel = false>}
    ins(%a, %b : memref<8x8xf32>, memref<8x8xf32>) outs(%c : memref<8x8xf32>)
  return
}

// -----

func.func @key(%a: memref<8x8xf32>, %b: memref<8x8xf32>, %c: memref<8x8xf32>) {
  // expected-error @below {{strategy 'packed' has no field 'stages', expected m, n, block_m, block_n, block_k, pack, stage_b, swap, parallel}}
  linalg.matmul {forge.schedule = #forge.schedule<strategy = packed, m = 4, n = 16, block_m = 8, block_n = 16, block_k = 8, pack = ab, swap = false, parallel = false, stages = 2>}
    ins(%a, %b : memref<8x8xf32>, memref<8x8xf32>) outs(%c : memref<8x8xf32>)
  return
}

// -----

func.func @staged_panels(%a: memref<8x8xf32>, %b: memref<8x8xf32>, %c: memref<8x8xf32>) {
  // expected-error @below {{schedule does not fit: expected B to be packed or staged, not both}}
  linalg.matmul {forge.schedule = #forge.schedule<strategy = packed, pack = b, stage_b = true>}
    ins(%a, %b : memref<8x8xf32>, memref<8x8xf32>) outs(%c : memref<8x8xf32>)
  return
}

// -----

func.func @pack(%a: memref<8x8xf32>, %b: memref<8x8xf32>, %c: memref<8x8xf32>) {
  // expected-error @below {{expected one of none, a, b, ab for field 'pack' of a schedule, but got c}}
  linalg.matmul {forge.schedule = #forge.schedule<strategy = packed, pack = c>}
    ins(%a, %b : memref<8x8xf32>, memref<8x8xf32>) outs(%c : memref<8x8xf32>)
  return
}

// -----

func.func @rows(%a: memref<8x8xf32>, %b: memref<8x8xf32>, %c: memref<8x8xf32>) {
  // expected-error @below {{expected strategy packed, stream or dot for an operation on memrefs, but got 'rows'}}
  linalg.matmul {forge.schedule = #forge.schedule<strategy = rows, tile = [4, 0, 0]>}
    ins(%a, %b : memref<8x8xf32>, memref<8x8xf32>) outs(%c : memref<8x8xf32>)
  return
}

// -----

func.func @elementwise(%a: memref<8x8xf32>, %b: memref<8x8xf32>, %c: memref<8x8xf32>) {
  // expected-error @below {{no strategy of products takes this operation: expected two input buffers and one output buffer}}
  linalg.exp {forge.schedule = #forge.schedule<strategy = packed, m = 4, n = 16, block_m = 8, block_n = 16, block_k = 8, pack = ab, swap = false, parallel = false>}
    ins(%a : memref<8x8xf32>) outs(%c : memref<8x8xf32>)
  return
}

// -----

// B's rows are read where they are: no strategy for few rows takes 65.
func.func @many(%a: memref<65x80xf32>, %b: memref<80x80xf32>, %c: memref<65x80xf32>) {
  // expected-error @below {{schedule does not fit: expected at most 64 rows, known beforehand}}
  linalg.matmul {forge.schedule = #forge.schedule<strategy = stream>}
    ins(%a, %b : memref<65x80xf32>, memref<80x80xf32>) outs(%c : memref<65x80xf32>)
  return
}
