// Results of products of up to 64 rows by warpgroups that are put to places by the product's kernel, on tiles: a tile has the columns
// that a step reads together, a part of each, and what it stores goes to computed places where a mask lets it.
// DEFINE: %{function} =
// DEFINE: %{columns} =
// DEFINE: %{plan} = forge explain %s --function %{function} --target sim:sm_90a --save-plan %t.plan >%t.explain && sed -i -E 's/<strategy = (gemv|wgmma), .*, library/<strategy = wgmma, n = %{columns}, library/' %t.plan
// DEFINE: %{verify} = %{plan} && forge verify %s --function %{function} --target sim:sm_90a --plan %t.plan
// REDEFINE: %{function} = keys
// REDEFINE: %{columns} = 16
// RUN: %{verify} --each-stage
// RUN: env FORGE_SIM_SEED=3 forge verify %s --function keys --target sim:sm_90a --plan %t.plan
// RUN: forge compile %s --function keys --target sim:sm_90a --plan %t.plan --to gpu -o - | FileCheck %s --check-prefix=ONE
// RUN: forge compile %s --function keys --target sim:sm_90a --plan %t.plan --to blocks -o - | FileCheck %s --check-prefix=PARTS
// REDEFINE: %{columns} = 64
// RUN: %{verify}
// REDEFINE: %{columns} = 128
// RUN: %{verify}
// REDEFINE: %{columns} = 192
// RUN: %{plan} && not forge compile %s --function keys --target sim:sm_90a --plan %t.plan --to gpu -o /dev/null --reproducer-dir "" 2>&1 | FileCheck %s --check-prefix=WIDTH
// More rows than gemv takes: one launch without being asked for.
// RUN: forge explain %s --function keys --target sim:sm_90a | FileCheck %s --check-prefix=CHOSEN
// RUN: forge verify %s --function keys --target cpu
// Positions outside of the cache store nothing; a bias in front.
// REDEFINE: %{function} = biased
// REDEFINE: %{columns} = 32
// RUN: %{verify} --seed 4
// RUN: forge compile %s --function biased --target sim:sm_90a --plan %t.plan --to gpu -o - | FileCheck %s --check-prefix=TWO
// REDEFINE: %{function} = pages
// REDEFINE: %{columns} = 48
// RUN: %{verify}
// REDEFINE: %{function} = one
// REDEFINE: %{columns} = 16
// RUN: %{verify}
// REDEFINE: %{function} = pairs
// RUN: %{plan} && not forge compile %s --function pairs --target sim:sm_90a --plan %t.plan --to gpu -o /dev/null --reproducer-dir "" 2>&1 | FileCheck %s --check-prefix=PAIRS
// More rows than a tile of few has: a kernel of its own.
// RUN: forge explain %s --function many --target sim:sm_90a | FileCheck %s --check-prefix=APART
// RUN: forge verify %s --function many --target sim:sm_90a

// ONE: gpu.launch_func
// ONE-NOT: gpu.launch_func
// Sines and cosines are a launch that all layers read.
// TWO-COUNT-2: gpu.launch_func
// TWO-NOT: gpu.launch_func
// Eight columns of each part, in one buffer; what does not depend on the sums comes first.
// PARTS: tile.copy {{.*}} to !tile.shared<8x64xbf16
// PARTS: tile.copy {{.*}} to !tile.shared<8x64xbf16
// PARTS: tile.role @math
// PARTS: tile.dot
// PARTS: tile.gather
// PARTS-COUNT-2: tile.scatter
// WIDTH: error: this schedule does not fit its kernel, contraction: expected tiles of a multiple of 16 columns whose 2 parts divide the 64 between those that places read, but got 192
// CHOSEN: contraction, 1 launch: wgmma
// CHOSEN-NOT: launch
// PAIRS: error: this schedule does not fit its kernel, contraction: strategy 'wgmma' cannot take this kernel: it needs places that read columns as far apart as parts of a tile are wide
// APART: contraction{{.*}}, 1 launch
// APART: 1 launch

// Columns d and d + 64 of each head of 128, forty sequences, each at its own position.
func.func @keys(%x: tensor<40x1x256xbf16>, %w: tensor<256x256xbf16>, %c: tensor<40x1x128xf32>, %s: tensor<40x1x128xf32>,
                %cache: tensor<40x2x8x128xbf16> {tf.aliasing_output = 0 : i32}, %at: tensor<40xi32>) -> tensor<40x2x8x128xbf16> {
  %0 = transformer.matmul %x, %w {transpose_rhs} : (tensor<40x1x256xbf16>, tensor<256x256xbf16>) -> tensor<40x1x256xbf16>
  %1 = stablehlo.reshape %0 : (tensor<40x1x256xbf16>) -> tensor<40x1x2x128xbf16>
  %2 = stablehlo.transpose %1, dims = [0, 2, 1, 3] : (tensor<40x1x2x128xbf16>) -> tensor<40x2x1x128xbf16>
  %3 = stablehlo.slice %2 [0:40, 0:2, 0:1, 0:64] : (tensor<40x2x1x128xbf16>) -> tensor<40x2x1x64xbf16>
  %4 = stablehlo.slice %2 [0:40, 0:2, 0:1, 64:128] : (tensor<40x2x1x128xbf16>) -> tensor<40x2x1x64xbf16>
  %5 = stablehlo.negate %4 : tensor<40x2x1x64xbf16>
  %6 = stablehlo.concatenate %5, %3, dim = 3 : (tensor<40x2x1x64xbf16>, tensor<40x2x1x64xbf16>) -> tensor<40x2x1x128xbf16>
  %7 = stablehlo.convert %2 : (tensor<40x2x1x128xbf16>) -> tensor<40x2x1x128xf32>
  %8 = stablehlo.convert %6 : (tensor<40x2x1x128xbf16>) -> tensor<40x2x1x128xf32>
  %9 = stablehlo.broadcast_in_dim %c, dims = [0, 2, 3] : (tensor<40x1x128xf32>) -> tensor<40x2x1x128xf32>
  %10 = stablehlo.broadcast_in_dim %s, dims = [0, 2, 3] : (tensor<40x1x128xf32>) -> tensor<40x2x1x128xf32>
  %11 = stablehlo.multiply %7, %9 : tensor<40x2x1x128xf32>
  %12 = stablehlo.multiply %8, %10 : tensor<40x2x1x128xf32>
  %13 = stablehlo.add %11, %12 : tensor<40x2x1x128xf32>
  %14 = stablehlo.convert %13 : (tensor<40x2x1x128xf32>) -> tensor<40x2x1x128xbf16>
  %15 = transformer.kv_append %14 into %cache at %at : (tensor<40x2x1x128xbf16>, tensor<40x2x8x128xbf16>, tensor<40xi32>) -> tensor<40x2x8x128xbf16>
  return %15 : tensor<40x2x8x128xbf16>
}
// The transformer dialect's own rope, behind a bias; positions are any numbers.
func.func @biased(%x: tensor<18x1x512xf16>, %w: tensor<192x512xf16>, %b: tensor<192xf16>,
                  %cache: tensor<18x3x8x64xf16> {tf.aliasing_output = 0 : i32}, %at: tensor<18xi32>, %p: tensor<18x1xi32>) -> tensor<18x3x8x64xf16> {
  %0 = transformer.matmul %x, %w bias %b {transpose_rhs} : (tensor<18x1x512xf16>, tensor<192x512xf16>, tensor<192xf16>) -> tensor<18x1x192xf16>
  %1 = stablehlo.reshape %0 : (tensor<18x1x192xf16>) -> tensor<18x1x3x64xf16>
  %2 = stablehlo.transpose %1, dims = [0, 2, 1, 3] : (tensor<18x1x3x64xf16>) -> tensor<18x3x1x64xf16>
  %3 = transformer.rope %2 positions %p : (tensor<18x3x1x64xf16>, tensor<18x1xi32>) -> tensor<18x3x1x64xf16>
  %4 = transformer.kv_append %3 into %cache at %at : (tensor<18x3x1x64xf16>, tensor<18x3x8x64xf16>, tensor<18xi32>) -> tensor<18x3x8x64xf16>
  return %4 : tensor<18x3x8x64xf16>
}
// Nothing is computed of several columns; a table says where the pages of a sequence are.
func.func @pages(%x: tensor<20x1x768xbf16>, %w: tensor<96x768xbf16>, %pool: tensor<64x2x4x48xbf16> {tf.aliasing_output = 0 : i32},
                 %at: tensor<20xi32>, %table: tensor<20x3xi32>) -> tensor<64x2x4x48xbf16> {
  %0 = transformer.matmul %x, %w {transpose_rhs} : (tensor<20x1x768xbf16>, tensor<96x768xbf16>) -> tensor<20x1x96xbf16>
  %1 = stablehlo.reshape %0 : (tensor<20x1x96xbf16>) -> tensor<20x1x2x48xbf16>
  %2 = stablehlo.transpose %1, dims = [0, 2, 1, 3] : (tensor<20x1x2x48xbf16>) -> tensor<20x2x1x48xbf16>
  %3 = transformer.kv_append %2 into %pool at %at table %table : (tensor<20x2x1x48xbf16>, tensor<64x2x4x48xbf16>, tensor<20xi32>, tensor<20x3xi32>) -> tensor<64x2x4x48xbf16>
  return %3 : tensor<64x2x4x48xbf16>
}
// One row.
func.func @one(%x: tensor<1x1x512xbf16>, %w: tensor<128x512xbf16>, %p: tensor<1x1xi32>, %cache: tensor<1x2x8x64xbf16> {tf.aliasing_output = 0 : i32},
               %at: tensor<1xi32>) -> tensor<1x2x8x64xbf16> {
  %0 = transformer.matmul %x, %w {transpose_rhs} : (tensor<1x1x512xbf16>, tensor<128x512xbf16>) -> tensor<1x1x128xbf16>
  %1 = stablehlo.reshape %0 : (tensor<1x1x128xbf16>) -> tensor<1x1x2x64xbf16>
  %2 = stablehlo.transpose %1, dims = [0, 2, 1, 3] : (tensor<1x1x2x64xbf16>) -> tensor<1x2x1x64xbf16>
  %3 = transformer.rope %2 positions %p : (tensor<1x2x1x64xbf16>, tensor<1x1xi32>) -> tensor<1x2x1x64xbf16>
  %4 = transformer.kv_append %3 into %cache at %at : (tensor<1x2x1x64xbf16>, tensor<1x2x8x64xbf16>, tensor<1xi32>) -> tensor<1x2x8x64xbf16>
  return %4 : tensor<1x2x8x64xbf16>
}
// Columns 2 d and 2 d + 1 are neighbours: parts of a tile cannot be as narrow.
func.func @pairs(%x: tensor<4x512xbf16>, %w: tensor<128x512xbf16>) -> tensor<4x64xbf16> {
  %0 = transformer.matmul %x, %w {transpose_rhs} : (tensor<4x512xbf16>, tensor<128x512xbf16>) -> tensor<4x128xbf16>
  %1 = stablehlo.slice %0 [0:4, 0:128:2] : (tensor<4x128xbf16>) -> tensor<4x64xbf16>
  %2 = stablehlo.slice %0 [0:4, 1:128:2] : (tensor<4x128xbf16>) -> tensor<4x64xbf16>
  %3 = stablehlo.multiply %1, %2 : tensor<4x64xbf16>
  return %3 : tensor<4x64xbf16>
}
func.func @many(%x: tensor<72x1x128xbf16>, %w: tensor<96x128xbf16>, %cache: tensor<72x2x4x48xbf16> {tf.aliasing_output = 0 : i32},
                %at: tensor<72xi32>) -> tensor<72x2x4x48xbf16> {
  %0 = transformer.matmul %x, %w {transpose_rhs} : (tensor<72x1x128xbf16>, tensor<96x128xbf16>) -> tensor<72x1x96xbf16>
  %1 = stablehlo.reshape %0 : (tensor<72x1x96xbf16>) -> tensor<72x1x2x48xbf16>
  %2 = stablehlo.transpose %1, dims = [0, 2, 1, 3] : (tensor<72x1x2x48xbf16>) -> tensor<72x2x1x48xbf16>
  %3 = transformer.kv_append %2 into %cache at %at : (tensor<72x2x1x48xbf16>, tensor<72x2x4x48xbf16>, tensor<72xi32>) -> tensor<72x2x4x48xbf16>
  return %3 : tensor<72x2x4x48xbf16>
}

// Features outside, with columns that fill a part of the last tile: nothing is stored beyond them.
// RUN: forge verify %s --function part_of_tile --target sim:sm_90a
func.func @part_of_tile(%x: tensor<2x64x5x5x6xbf16>, %k: tensor<72x64x5x3x3xbf16>) -> tensor<2x72x1x3x3xbf16> {
  %y = stablehlo.convolution(%x, %k) dim_numbers = [b, f, 0, 1, 2]x[o, i, 0, 1, 2]->[b, f, 0, 1, 2], window = {stride = [1, 1, 1], pad = [[3, 1], [1, 1], [0, 1]], lhs_dilate = [1, 1, 1], rhs_dilate = [2, 2, 2]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x64x5x5x6xbf16>, tensor<72x64x5x3x3xbf16>) -> tensor<2x72x1x3x3xbf16>
  return %y : tensor<2x72x1x3x3xbf16>
}
