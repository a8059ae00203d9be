// Contractions by strategy tiles: ragged sizes, batches, rows, columns and terms in any order in memory, slices, and epilogues, by each
// matrix instruction and by fma.
// RUN: forge explain %s --function short_single --target cuda:sm_90a | FileCheck %s --check-prefix=TANH
// RUN: forge verify %s --function short_single --target sim:sm_90a
// RUN: forge verify %s --function short_single --target sim:gfx942
// RUN: forge verify %s --function ragged --target sim:sm_80
// RUN: forge verify %s --function ragged --target sim:gfx90a
// RUN: forge verify %s --function ragged --target sim:gfx942
// RUN: forge verify %s --function ragged --target sim:gfx1100
// RUN: forge verify %s --function einsum --target sim:sm_80
// RUN: forge verify %s --function einsum --target sim:gfx942
// RUN: forge verify %s --function einsum --target sim:gfx1100
// RUN: forge verify %s --function slice --target sim:sm_80
// RUN: forge verify %s --function slice --target sim:gfx942
// RUN: forge verify %s --function two_sums --target sim:sm_80
// RUN: forge verify %s --function two_sums --target sim:gfx90a
// RUN: forge verify %s --function transposed --target sim:gfx942
// RUN: forge verify %s --function single --target sim:sm_90a
// RUN: forge verify %s --function single --target sim:gfx942
// RUN: forge verify %s --function single --target sim:gfx1100
// RUN: forge verify %s --function wide --target sim:sm_80
// RUN: forge verify %s --function activated --target sim:sm_80
// RUN: forge verify %s --function activated --target sim:gfx942
// RUN: forge verify %s --function bytes --target sim:sm_80
// RUN: forge verify %s --function bytes --target sim:gfx942
// RUN: forge verify %s --function bytes --target sim:gfx1100
// RUN: forge verify %s --function float8 --target sim:sm_90a
// RUN: forge verify %s --function float8 --target sim:gfx942
// RUN: forge verify %s --function mixed --target sim:sm_80
// RUN: forge verify %s --function mixed --target sim:gfx942
// RUN: forge verify %s --function mixed_vector --target sim:sm_90a
// RUN: forge verify %s --function unknown_rows --target sim:sm_80 --dynamic-size 300
// RUN: forge verify %s --function unknown_stride --target sim:sm_80 --dynamic-size 300
// RUN: forge verify %s --function unknown_stride --target sim:gfx942 --dynamic-size 300

// RUN: forge compile %s --function ragged --target hip:gfx942 --tier optimized --to hsaco -o %t.gfx942 --stats %t.json
// RUN: llvm-objdump -d %t.gfx942 | FileCheck %s --check-prefix=GFX942
// RUN: FileCheck %s --check-prefix=STATS < %t.json
// RUN: forge compile %s --function ragged --target hip:gfx90a --tier optimized --to hsaco -o %t.gfx90a
// RUN: llvm-objdump -d %t.gfx90a | FileCheck %s --check-prefix=GFX90A
// RUN: forge compile %s --function ragged --target hip:gfx1100 --tier optimized --to hsaco -o %t.gfx1100 --stats %t.gfx1100.json
// RUN: llvm-objdump -d %t.gfx1100 | FileCheck %s --check-prefix=GFX1100
// RUN: FileCheck %s --check-prefix=STATS < %t.gfx1100.json
// RUN: forge compile %s --function ragged --target cuda:sm_80 --tier optimized --to ptx -o - | FileCheck %s --check-prefix=PTX
// GFX942: v_mfma_f32_{{32x32x8|16x16x16}}_bf16
// GFX90A: v_mfma_f32_{{32x32x8|16x16x16}}bf16_1k
// GFX1100: v_wmma_f32_16x16x16_bf16
// PTX: mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32
// STATS: "strategy": "tiles",
// STATS: "stack_bytes": 0,
// STATS-NEXT: "spill_bytes": 0

// What is verified above is tiles'.
// RUN: forge compile %s --function ragged --target cuda:sm_80 --tier optimized --to kernels -o - | FileCheck %s --check-prefix=TILES
// RUN: forge compile %s --function einsum --target cuda:sm_80 --tier optimized --to kernels -o - | FileCheck %s --check-prefix=TILES
// RUN: forge compile %s --function slice --target cuda:sm_80 --tier optimized --to kernels -o - | FileCheck %s --check-prefix=TILES
// RUN: forge compile %s --function two_sums --target cuda:sm_80 --tier optimized --to kernels -o - | FileCheck %s --check-prefix=TILES
// RUN: forge compile %s --function wide --target cuda:sm_80 --tier optimized --to kernels -o - | FileCheck %s --check-prefix=TILES
// RUN: forge compile %s --function activated --target cuda:sm_80 --tier optimized --to kernels -o - | FileCheck %s --check-prefix=TILES
// RUN: forge compile %s --function single --target cuda:sm_90a --tier optimized --to kernels -o - | FileCheck %s --check-prefix=TILES
// RUN: forge compile %s --function ragged --target hip:gfx90a --tier optimized --to kernels -o - | FileCheck %s --check-prefix=TILES
// RUN: forge compile %s --function ragged --target hip:gfx942 --tier optimized --to kernels -o - | FileCheck %s --check-prefix=TILES
// RUN: forge compile %s --function einsum --target hip:gfx942 --tier optimized --to kernels -o - | FileCheck %s --check-prefix=TILES
// RUN: forge compile %s --function slice --target hip:gfx942 --tier optimized --to kernels -o - | FileCheck %s --check-prefix=TILES
// RUN: forge compile %s --function two_sums --target hip:gfx90a --tier optimized --to kernels -o - | FileCheck %s --check-prefix=TILES
// RUN: forge compile %s --function transposed --target hip:gfx942 --tier optimized --to kernels -o - | FileCheck %s --check-prefix=TILES
// RUN: forge compile %s --function single --target hip:gfx942 --tier optimized --to kernels -o - | FileCheck %s --check-prefix=TILES
// RUN: forge compile %s --function activated --target hip:gfx942 --tier optimized --to kernels -o - | FileCheck %s --check-prefix=TILES
// RUN: forge compile %s --function ragged --target hip:gfx1100 --tier optimized --to kernels -o - | FileCheck %s --check-prefix=TILES
// RUN: forge compile %s --function einsum --target hip:gfx1100 --tier optimized --to kernels -o - | FileCheck %s --check-prefix=TILES
// RUN: forge compile %s --function single --target hip:gfx1100 --tier optimized --to kernels -o - | FileCheck %s --check-prefix=TILES
// RUN: forge compile %s --function bytes --target cuda:sm_80 --tier optimized --to kernels -o - | FileCheck %s --check-prefix=TILES
// RUN: forge compile %s --function bytes --target hip:gfx942 --tier optimized --to kernels -o - | FileCheck %s --check-prefix=TILES
// RUN: forge compile %s --function bytes --target hip:gfx1100 --tier optimized --to kernels -o - | FileCheck %s --check-prefix=TILES
// RUN: forge compile %s --function float8 --target cuda:sm_90a --tier optimized --to kernels -o - | FileCheck %s --check-prefix=WIDE
// RUN: forge compile %s --function float8 --target hip:gfx942 --tier optimized --to kernels -o - | FileCheck %s --check-prefix=TILES
// RUN: forge compile %s --function mixed --target cuda:sm_80 --tier optimized --to kernels -o - | FileCheck %s --check-prefix=TILES
// RUN: forge compile %s --function mixed --target hip:gfx942 --tier optimized --to kernels -o - | FileCheck %s --check-prefix=TILES
// RUN: forge compile %s --function mixed_vector --target cuda:sm_90a --tier optimized --to kernels -o - | FileCheck %s --check-prefix=VECTOR
// RUN: forge compile %s --function unknown_rows --target cuda:sm_80 --tier optimized --to kernels -o - | FileCheck %s --check-prefix=TILES
// TILES: strategy = tiles
// A row of tiles with one column takes longer than rows do, one sum each.
// VECTOR: strategy = rows

// As bf16, which holds its factors.
// WIDE: strategy = wgmma

// Rows of a length known at run time only are not tiles'.
// RUN: forge compile %s --function unknown_stride --target cuda:sm_80 --tier optimized --to kernels -o - | FileCheck %s --check-prefix=UNKNOWN
// UNKNOWN-NOT: strategy = tiles
// UNKNOWN: strategy = generic
// UNKNOWN-NOT: strategy = tiles

func.func @ragged(%x: tensor<2x97x100xbf16>, %w: tensor<2x100x75xbf16>) -> tensor<2x97x75xbf16> {
  %0 = stablehlo.dot_general %x, %w, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<2x97x100xbf16>, tensor<2x100x75xbf16>) -> tensor<2x97x75xbf16>
  return %0 : tensor<2x97x75xbf16>
}
func.func @einsum(%x: tensor<70x3x72xf16>, %w: tensor<3x72x80xf16>) -> tensor<70x3x80xf16> {
  %0 = stablehlo.dot_general %x, %w, batching_dims = [1] x [0], contracting_dims = [2] x [1] : (tensor<70x3x72xf16>, tensor<3x72x80xf16>) -> tensor<3x70x80xf16>
  %1 = stablehlo.transpose %0, dims = [1, 0, 2] : (tensor<3x70x80xf16>) -> tensor<70x3x80xf16>
  return %1 : tensor<70x3x80xf16>
}
func.func @slice(%x: tensor<2x70x144xbf16>, %w: tensor<2x72x256xbf16>) -> tensor<2x70x128xbf16> {
  %l = stablehlo.slice %x [0:2, 0:70, 72:144] : (tensor<2x70x144xbf16>) -> tensor<2x70x72xbf16>
  %r = stablehlo.slice %w [0:2, 0:72, 128:256] : (tensor<2x72x256xbf16>) -> tensor<2x72x128xbf16>
  %0 = stablehlo.dot_general %l, %r, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<2x70x72xbf16>, tensor<2x72x128xbf16>) -> tensor<2x70x128xbf16>
  return %0 : tensor<2x70x128xbf16>
}
func.func @two_sums(%x: tensor<5x70x136xbf16>, %o: tensor<80x5x136xbf16>) -> tensor<70x80xf32> {
  %0 = stablehlo.dot_general %x, %o, contracting_dims = [0, 2] x [1, 2] : (tensor<5x70x136xbf16>, tensor<80x5x136xbf16>) -> tensor<70x80xf32>
  return %0 : tensor<70x80xf32>
}
// Both factors by columns.
func.func @transposed(%x: tensor<104x96xbf16>, %w: tensor<104x112xbf16>) -> tensor<96x112xf32> {
  %0 = stablehlo.dot_general %x, %w, contracting_dims = [0] x [0] : (tensor<104x96xbf16>, tensor<104x112xbf16>) -> tensor<96x112xf32>
  return %0 : tensor<96x112xf32>
}
func.func @single(%x: tensor<97x105xf32>, %w: tensor<105x107xf32>) -> tensor<97x107xf32> {
  %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<97x105xf32>, tensor<105x107xf32>) -> tensor<97x107xf32>
  return %0 : tensor<97x107xf32>
}
func.func @wide(%x: tensor<97x105xf64>, %w: tensor<107x105xf64>) -> tensor<97x107xf64> {
  %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [1] : (tensor<97x105xf64>, tensor<107x105xf64>) -> tensor<97x107xf64>
  return %0 : tensor<97x107xf64>
}
// A bias of columns, a residual, an activation, and where an element is.
func.func @activated(%x: tensor<2x50x104xbf16>, %w: tensor<104x112xbf16>, %b: tensor<112xf32>, %r: tensor<2x50x112xbf16>) -> tensor<2x50x112xbf16> {
  %0 = stablehlo.dot_general %x, %w, contracting_dims = [2] x [0] : (tensor<2x50x104xbf16>, tensor<104x112xbf16>) -> tensor<2x50x112xf32>
  %1 = stablehlo.broadcast_in_dim %b, dims = [2] : (tensor<112xf32>) -> tensor<2x50x112xf32>
  %2 = stablehlo.add %0, %1 : tensor<2x50x112xf32>
  %3 = stablehlo.logistic %2 : tensor<2x50x112xf32>
  %4 = stablehlo.convert %r : (tensor<2x50x112xbf16>) -> tensor<2x50x112xf32>
  %5 = stablehlo.multiply %3, %4 : tensor<2x50x112xf32>
  %6 = stablehlo.iota dim = 1 : tensor<2x50x112xi32>
  %7 = stablehlo.iota dim = 2 : tensor<2x50x112xi32>
  %8 = stablehlo.compare GE, %6, %7 : (tensor<2x50x112xi32>, tensor<2x50x112xi32>) -> tensor<2x50x112xi1>
  %9 = stablehlo.select %8, %5, %2 : tensor<2x50x112xi1>, tensor<2x50x112xf32>
  %10 = stablehlo.convert %9 : (tensor<2x50x112xf32>) -> tensor<2x50x112xbf16>
  return %10 : tensor<2x50x112xbf16>
}
// Factors that are converted to the sums' type on their way.
func.func @bytes(%x: tensor<2x97x208xi8>, %w: tensor<2x208x75xi8>) -> tensor<2x97x75xi32> {
  %0 = stablehlo.dot_general %x, %w, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<2x97x208xi8>, tensor<2x208x75xi8>) -> tensor<2x97x75xi32>
  return %0 : tensor<2x97x75xi32>
}
func.func @float8(%x: tensor<128x208xf8E4M3FN>, %w: tensor<208x112xf8E4M3FN>) -> tensor<128x112xf32> {
  %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<128x208xf8E4M3FN>, tensor<208x112xf8E4M3FN>) -> tensor<128x112xf32>
  return %0 : tensor<128x112xf32>
}
func.func @mixed(%x: tensor<128x208xbf16>, %w: tensor<112x208xf32>) -> tensor<128x112xf32> {
  %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [1] : (tensor<128x208xbf16>, tensor<112x208xf32>) -> tensor<128x112xf32>
  return %0 : tensor<128x112xf32>
}
// Rows alone: the factors change places.
func.func @mixed_vector(%x: tensor<2x1999x512xf32>, %w: tensor<512xbf16>) -> tensor<2x1999xf32> {
  %0 = stablehlo.dot_general %x, %w, contracting_dims = [2] x [0] : (tensor<2x1999x512xf32>, tensor<512xbf16>) -> tensor<2x1999xf32>
  return %0 : tensor<2x1999xf32>
}
func.func @unknown_rows(%x: tensor<?x300xf32>, %w: tensor<256x128xf32>) -> tensor<64x128xf32> {
  %0 = stablehlo.slice %x [3:67, 8:264] : (tensor<?x300xf32>) -> tensor<64x256xf32>
  %1 = stablehlo.dot_general %0, %w, contracting_dims = [1] x [0] : (tensor<64x256xf32>, tensor<256x128xf32>) -> tensor<64x128xf32>
  return %1 : tensor<64x128xf32>
}
func.func @unknown_stride(%x: tensor<64x?xf32>, %w: tensor<256x128xf32>) -> tensor<64x128xf32> {
  %0 = stablehlo.slice %x [0:64, 8:264] : (tensor<64x?xf32>) -> tensor<64x256xf32>
  %1 = stablehlo.dot_general %0, %w, contracting_dims = [1] x [0] : (tensor<64x256xf32>, tensor<256x128xf32>) -> tensor<64x128xf32>
  return %1 : tensor<64x128xf32>
}

// By fma a step of few tiles has 64 terms; 200 are not a multiple of them.
// RUN: forge verify %s --function small --target sim:sm_90a
// RUN: forge verify %s --function small --target sim:gfx942
// RUN: forge compile %s --function small --target sim:sm_90a --to kernels -o - | FileCheck %s --check-prefix=SMALL
// SMALL: strategy = tiles, m = 32, n = 32, k = 64, stages = 1
func.func @small(%x: tensor<150x200xf32>, %w: tensor<200x140xf32>) -> tensor<150x140xf32> {
  %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<150x200xf32>, tensor<200x140xf32>) -> tensor<150x140xf32>
  return %0 : tensor<150x140xf32>
}

// Short products in f32 take along what follows, of rows that no tile divides too.
// TANH: tiles
// TANH-NOT: elementwise
func.func @short_single(%x: tensor<24x24x64xf32>, %w: tensor<24x64x64xf32>, %b: tensor<64xf32>) -> tensor<24x24x64xf32> {
  %0 = stablehlo.dot_general %x, %w, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<24x24x64xf32>, tensor<24x64x64xf32>) -> tensor<24x24x64xf32>
  %1 = stablehlo.broadcast_in_dim %b, dims = [2] : (tensor<64xf32>) -> tensor<24x24x64xf32>
  %2 = stablehlo.add %0, %1 : tensor<24x24x64xf32>
  %3 = stablehlo.tanh %2 : tensor<24x24x64xf32>
  return %3 : tensor<24x24x64xf32>
}
