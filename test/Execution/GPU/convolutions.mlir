// Convolutions as products that read windows of their input, without patches: on sim:sm_90a by tensor maps, elsewhere as patches.
// Results agree with the reference.
// RUN: forge verify %s --function odd --target sim:sm_90a
// RUN: forge verify %s --function strided --target sim:sm_90a
// RUN: forge verify %s --function pointwise --target sim:sm_90a
// RUN: forge verify %s --function dilated --target sim:sm_90a
// RUN: forge verify %s --function large_windows --target sim:sm_90a
// RUN: forge verify %s --function features_outside --target sim:sm_90a
// RUN: forge verify %s --function three_features --target sim:sm_90a
// RUN: forge verify %s --function three_results --target sim:sm_90a
// RUN: forge verify %s --function long_lines --target sim:sm_90a
// RUN: forge verify %s --function volumes --target sim:sm_90a
// RUN: forge verify %s --function odd --target sim:gfx942
// RUN: forge verify %s --function volumes --target sim:gfx942
// RUN: forge verify %s --function strided --target sim:gfx942
// RUN: forge verify %s --function three_features --target sim:gfx942
// RUN: forge verify %s --function three_results --target sim:gfx942
// RUN: forge verify %s --function chain --target sim:sm_90a
// RUN: forge verify %s --function odd --target sim:sm_90a --each-stage
// RUN: forge verify %s --function depthwise_gradient --target sim:sm_90a
// RUN: forge verify %s --function depthwise_gradient --target sim:gfx942
// RUN: forge verify %s --function pooled_positions --target sim:sm_90a
// RUN: forge verify %s --function grouped --target sim:sm_90a
// RUN: forge verify %s --function grouped --target sim:sm_80
// RUN: forge verify %s --function grouped --target sim:gfx942
// RUN: forge verify %s --function grouped_filter --target sim:sm_90a
// RUN: forge verify %s --function grouped_filter --target sim:gfx90a
// RUN: forge verify %s --function narrow_groups --target sim:sm_90a
// RUN: forge verify %s --function narrow_groups --target sim:gfx942
// RUN: forge verify %s --function narrow_groups_filter --target sim:sm_90a
// RUN: forge verify %s --function narrow_groups_filter --target sim:gfx1100
// RUN: forge compile %s --function narrow_groups --target cuda:sm_90a --to kernels -o - | FileCheck %s --check-prefix=THREADS
// RUN: forge compile %s --function narrow_groups_filter --target cuda:sm_90a --to kernels -o - | FileCheck %s --check-prefix=PARTS
// RUN: forge verify %s --function grouped_float --target sim:sm_90a
// RUN: forge verify %s --function grouped_float --target sim:gfx1100
// RUN: forge compile %s --function grouped --target cuda:sm_90a --to kernels -o - | FileCheck %s --check-prefix=WGMMA
// RUN: forge compile %s --function grouped_filter --target cuda:sm_90a --to kernels -o - | FileCheck %s --check-prefix=WGMMA
// RUN: forge compile %s --function grouped --target hip:gfx942 --tier optimized --to kernels -o - | FileCheck %s --check-prefix=TILES
// RUN: forge compile %s --function grouped_float --target hip:gfx1100 --tier optimized --to kernels -o - | FileCheck %s --check-prefix=TILES
// WGMMA-NOT: strategy = generic
// WGMMA: strategy = wgmma
// TILES-NOT: strategy = generic
// TILES: strategy = tiles

// Tiles of rows are boxes of images and places, which divide nothing evenly; 24 and 72 features fill no stage and no tile.
func.func @odd(%x: tensor<3x7x9x24xbf16>, %k: tensor<3x3x24x72xbf16>, %b: tensor<72xbf16>) -> tensor<3x7x9x72xbf16> {
  %y = stablehlo.convolution(%x, %k) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[1, 1], [1, 1]], rhs_dilate = [1, 1]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<3x7x9x24xbf16>, tensor<3x3x24x72xbf16>) -> tensor<3x7x9x72xbf16>
  %e = stablehlo.broadcast_in_dim %b, dims = [3] : (tensor<72xbf16>) -> tensor<3x7x9x72xbf16>
  %s = stablehlo.add %y, %e : tensor<3x7x9x72xbf16>
  %t = stablehlo.tanh %s : tensor<3x7x9x72xbf16>
  return %t : tensor<3x7x9x72xbf16>
}

// Every second place; the rows of a window are one axis with the features.
func.func @strided(%x: tensor<2x15x15x64xbf16>, %k: tensor<3x3x64x128xbf16>, %b: tensor<128xbf16>) -> tensor<2x8x8x128xbf16> {
  %y = stablehlo.convolution(%x, %k) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [2, 2], pad = [[1, 1], [1, 1]], rhs_dilate = [1, 1]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x15x15x64xbf16>, tensor<3x3x64x128xbf16>) -> tensor<2x8x8x128xbf16>
  %e = stablehlo.broadcast_in_dim %b, dims = [3] : (tensor<128xbf16>) -> tensor<2x8x8x128xbf16>
  %s = stablehlo.add %y, %e : tensor<2x8x8x128xbf16>
  %t = stablehlo.tanh %s : tensor<2x8x8x128xbf16>
  return %t : tensor<2x8x8x128xbf16>
}

// One place of every second: what is skipped is not read.
func.func @pointwise(%x: tensor<2x16x16x64xbf16>, %k: tensor<1x1x64x128xbf16>, %b: tensor<128xbf16>) -> tensor<2x8x8x128xbf16> {
  %y = stablehlo.convolution(%x, %k) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [2, 2], pad = [[0, 0], [0, 0]], rhs_dilate = [1, 1]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x16x16x64xbf16>, tensor<1x1x64x128xbf16>) -> tensor<2x8x8x128xbf16>
  %e = stablehlo.broadcast_in_dim %b, dims = [3] : (tensor<128xbf16>) -> tensor<2x8x8x128xbf16>
  %s = stablehlo.add %y, %e : tensor<2x8x8x128xbf16>
  %t = stablehlo.tanh %s : tensor<2x8x8x128xbf16>
  return %t : tensor<2x8x8x128xbf16>
}

// Windows with gaps.
func.func @dilated(%x: tensor<2x14x14x64xf16>, %k: tensor<3x3x64x64xf16>, %b: tensor<64xf16>) -> tensor<2x14x14x64xf16> {
  %y = stablehlo.convolution(%x, %k) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[2, 2], [2, 2]], rhs_dilate = [2, 2]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x14x14x64xf16>, tensor<3x3x64x64xf16>) -> tensor<2x14x14x64xf16>
  %e = stablehlo.broadcast_in_dim %b, dims = [3] : (tensor<64xf16>) -> tensor<2x14x14x64xf16>
  %s = stablehlo.add %y, %e : tensor<2x14x14x64xf16>
  %t = stablehlo.tanh %s : tensor<2x14x14x64xf16>
  return %t : tensor<2x14x14x64xf16>
}

// Five by five, and fewer rows than a tile has.
func.func @large_windows(%x: tensor<1x9x10x16xbf16>, %k: tensor<5x5x16x32xbf16>) -> tensor<1x9x10x32xbf16> {
  %y = stablehlo.convolution(%x, %k) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[2, 2], [2, 2]], rhs_dilate = [1, 1]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x9x10x16xbf16>, tensor<5x5x16x32xbf16>) -> tensor<1x9x10x32xbf16>
  return %y : tensor<1x9x10x32xbf16>
}

// Features outside, as PyTorch has them.
func.func @features_outside(%x: tensor<2x64x14x14xbf16>, %k: tensor<64x64x3x3xbf16>, %b: tensor<64xbf16>) -> tensor<2x64x14x14xbf16> {
  %y = stablehlo.convolution(%x, %k) dim_numbers = [b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1], window = {stride = [1, 1], pad = [[1, 1], [1, 1]], rhs_dilate = [1, 1]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x64x14x14xbf16>, tensor<64x64x3x3xbf16>) -> tensor<2x64x14x14xbf16>
  %e = stablehlo.broadcast_in_dim %b, dims = [1] : (tensor<64xbf16>) -> tensor<2x64x14x14xbf16>
  %s = stablehlo.add %y, %e : tensor<2x64x14x14xbf16>
  %t = stablehlo.tanh %s : tensor<2x64x14x14xbf16>
  return %t : tensor<2x64x14x14xbf16>
}

// Three features of each place get five zeros behind them.
func.func @three_features(%x: tensor<2x3x20x20xbf16>, %k: tensor<64x3x7x7xbf16>) -> tensor<2x64x10x10xbf16> {
  %y = stablehlo.convolution(%x, %k) dim_numbers = [b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1], window = {stride = [2, 2], pad = [[3, 3], [3, 3]], rhs_dilate = [1, 1]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x3x20x20xbf16>, tensor<64x3x7x7xbf16>) -> tensor<2x64x10x10xbf16>
  return %y : tensor<2x64x10x10xbf16>
}

// Three results for each place: the kernel is read along its terms.
func.func @three_results(%x: tensor<1x32x32x64xbf16>, %k: tensor<3x3x64x3xbf16>, %b: tensor<3xbf16>) -> tensor<1x32x32x3xbf16> {
  %y = stablehlo.convolution(%x, %k) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[1, 1], [1, 1]], rhs_dilate = [1, 1]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x32x32x64xbf16>, tensor<3x3x64x3xbf16>) -> tensor<1x32x32x3xbf16>
  %e = stablehlo.broadcast_in_dim %b, dims = [3] : (tensor<3xbf16>) -> tensor<1x32x32x3xbf16>
  %s = stablehlo.add %y, %e : tensor<1x32x32x3xbf16>
  %t = stablehlo.tanh %s : tensor<1x32x32x3xbf16>
  return %t : tensor<1x32x32x3xbf16>
}

// A line longer than a tile.
func.func @long_lines(%x: tensor<1x2x130x64xbf16>, %k: tensor<3x3x64x64xbf16>, %b: tensor<64xbf16>) -> tensor<1x2x130x64xbf16> {
  %y = stablehlo.convolution(%x, %k) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[1, 1], [1, 1]], rhs_dilate = [1, 1]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x2x130x64xbf16>, tensor<3x3x64x64xbf16>) -> tensor<1x2x130x64xbf16>
  %e = stablehlo.broadcast_in_dim %b, dims = [3] : (tensor<64xbf16>) -> tensor<1x2x130x64xbf16>
  %s = stablehlo.add %y, %e : tensor<1x2x130x64xbf16>
  %t = stablehlo.tanh %s : tensor<1x2x130x64xbf16>
  return %t : tensor<1x2x130x64xbf16>
}

// Layers between two orders of dimensions: what is between convolutions is computed in that of the products, the pooled image too.
func.func @chain(%x: tensor<2x8x16x16xbf16>, %a: tensor<32x8x3x3xbf16>, %b: tensor<32xbf16>, %c: tensor<32x32x3x3xbf16>) -> (tensor<2x32xbf16>, tensor<2x32x8x8xbf16>) {
  %zero = stablehlo.constant dense<0.0> : tensor<bf16>
  %low = stablehlo.constant dense<0xFF80> : tensor<bf16>
  %0 = stablehlo.convolution(%x, %a) dim_numbers = [b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1], window = {pad = [[1, 1], [1, 1]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x8x16x16xbf16>, tensor<32x8x3x3xbf16>) -> tensor<2x32x16x16xbf16>
  %e = stablehlo.broadcast_in_dim %b, dims = [1] : (tensor<32xbf16>) -> tensor<2x32x16x16xbf16>
  %z = stablehlo.broadcast_in_dim %zero, dims = [] : (tensor<bf16>) -> tensor<2x32x16x16xbf16>
  %1 = stablehlo.add %0, %e : tensor<2x32x16x16xbf16>
  %2 = stablehlo.maximum %1, %z : tensor<2x32x16x16xbf16>
  %3 = "stablehlo.reduce_window"(%2, %low) <{window_dimensions = array<i64: 1, 1, 3, 3>, window_strides = array<i64: 1, 1, 2, 2>, padding = dense<[[0, 0], [0, 0], [0, 1], [0, 1]]> : tensor<4x2xi64>}> ({
  ^bb0(%p: tensor<bf16>, %q: tensor<bf16>):
    %m = stablehlo.maximum %p, %q : tensor<bf16>
    stablehlo.return %m : tensor<bf16>
  }) : (tensor<2x32x16x16xbf16>, tensor<bf16>) -> tensor<2x32x8x8xbf16>
  %4 = stablehlo.convolution(%3, %c) dim_numbers = [b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1], window = {pad = [[1, 1], [1, 1]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x32x8x8xbf16>, tensor<32x32x3x3xbf16>) -> tensor<2x32x8x8xbf16>
  %5 = stablehlo.add %4, %3 : tensor<2x32x8x8xbf16>
  %6 = stablehlo.reduce(%5 init: %zero) applies stablehlo.add across dimensions = [2, 3] : (tensor<2x32x8x8xbf16>, tensor<bf16>) -> tensor<2x32xbf16>
  return %6, %5 : tensor<2x32xbf16>, tensor<2x32x8x8xbf16>
}

// The gradient of a depthwise convolution's weights: 72 sums of 8,192 products each, in parts of an image's lines (forge-split-reductions).
func.func @depthwise_gradient(%x: tensor<8x32x32x8xbf16>, %dy: tensor<8x32x32x8xbf16>) -> tensor<3x3x1x8xf32> {
  %y = stablehlo.convolution(%x, %dy) dim_numbers = [f, 0, 1, b]x[i, 0, 1, o]->[0, 1, b, f], window = {pad = [[1, 1], [1, 1]]} {batch_group_count = 8 : i64, feature_group_count = 1 : i64} : (tensor<8x32x32x8xbf16>, tensor<8x32x32x8xbf16>) -> tensor<3x3x1x8xf32>
  return %y : tensor<3x3x1x8xf32>
}

// Sums whose terms count places: the index in a part is that of the whole.
func.func @pooled_positions(%x: tensor<8192x3x8xf32>) -> tensor<3x8xf32> {
  %n = stablehlo.iota dim = 0 : tensor<8192xi32>
  %f = stablehlo.convert %n : (tensor<8192xi32>) -> tensor<8192xf32>
  %s = stablehlo.constant dense<0.001> : tensor<8192xf32>
  %w = stablehlo.multiply %f, %s : tensor<8192xf32>
  %b = stablehlo.broadcast_in_dim %w, dims = [0] : (tensor<8192xf32>) -> tensor<8192x3x8xf32>
  %p = stablehlo.multiply %x, %b : tensor<8192x3x8xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %y = stablehlo.reduce(%p init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<8192x3x8xf32>, tensor<f32>) -> tensor<3x8xf32>
  return %y : tensor<3x8xf32>
}

// Groups of features with windows of every second place: more dimensions than a tensor map has, so that patches are copied.
func.func @grouped(%x: tensor<2x29x29x96xbf16>, %w: tensor<3x3x48x96xbf16>) -> tensor<2x14x14x96xbf16> {
  %0 = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [2, 2]} {batch_group_count = 1 : i64, feature_group_count = 2 : i64} : (tensor<2x29x29x96xbf16>, tensor<3x3x48x96xbf16>) -> tensor<2x14x14x96xbf16>
  return %0 : tensor<2x14x14x96xbf16>
}

// The gradient by the kernel of a convolution of two groups: sums over images and places.
func.func @grouped_filter(%x: tensor<2x18x18x64xbf16>, %dy: tensor<2x16x16x64xbf16>) -> tensor<3x3x32x64xbf16> {
  %0 = stablehlo.convolution(%x, %dy) dim_numbers = [f, 0, 1, b]x[i, 0, 1, o]->[0, 1, b, f], window = {stride = [1, 1]} {batch_group_count = 2 : i64, feature_group_count = 1 : i64} : (tensor<2x18x18x64xbf16>, tensor<2x16x16x64xbf16>) -> tensor<3x3x32x64xbf16>
  return %0 : tensor<3x3x32x64xbf16>
}

// Eight features a group fill an eighth of a stage and of a tile's columns: threads compute them, and what follows.
// THREADS-COUNT-1: strategy = generic
// THREADS-NOT: strategy =
func.func @narrow_groups(%x: tensor<2x15x15x32xbf16>, %w: tensor<3x3x8x32xbf16>, %b: tensor<32xbf16>) -> tensor<2x13x13x32xbf16> {
  %0 = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1]} {batch_group_count = 1 : i64, feature_group_count = 4 : i64} : (tensor<2x15x15x32xbf16>, tensor<3x3x8x32xbf16>) -> tensor<2x13x13x32xbf16>
  %1 = stablehlo.broadcast_in_dim %b, dims = [3] : (tensor<32xbf16>) -> tensor<2x13x13x32xbf16>
  %2 = stablehlo.add %0, %1 : tensor<2x13x13x32xbf16>
  return %2 : tensor<2x13x13x32xbf16>
}

// Their weights' gradient has few results with long sums: parts of them are added up.
// PARTS: linalg.generic {{.*}} iterator_types = ["reduction", "parallel"
func.func @narrow_groups_filter(%x: tensor<4x30x30x32xbf16>, %dy: tensor<4x28x28x32xbf16>) -> tensor<3x3x8x32xbf16> {
  %0 = stablehlo.convolution(%x, %dy) dim_numbers = [f, 0, 1, b]x[i, 0, 1, o]->[0, 1, b, f], window = {stride = [1, 1]} {batch_group_count = 4 : i64, feature_group_count = 1 : i64} : (tensor<4x30x30x32xbf16>, tensor<4x28x28x32xbf16>) -> tensor<3x3x8x32xbf16>
  return %0 : tensor<3x3x8x32xbf16>
}

func.func @grouped_float(%x: tensor<2x15x15x64xf32>, %w: tensor<3x3x32x64xf32>) -> tensor<2x13x13x64xf32> {
  %0 = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1]} {batch_group_count = 1 : i64, feature_group_count = 2 : i64} : (tensor<2x15x15x64xf32>, tensor<3x3x32x64xf32>) -> tensor<2x13x13x64xf32>
  return %0 : tensor<2x13x13x64xf32>
}

// Tiles are boxes of the three inner axes of places: images are a fourth one.
func.func @volumes(%x: tensor<2x3x6x10x32xbf16>, %k: tensor<3x3x3x32x64xbf16>) -> tensor<2x3x6x10x64xbf16> {
  %y = stablehlo.convolution(%x, %k) dim_numbers = [b, 0, 1, 2, f]x[0, 1, 2, i, o]->[b, 0, 1, 2, f], window = {stride = [1, 1, 1], pad = [[1, 1], [1, 1], [1, 1]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x3x6x10x32xbf16>, tensor<3x3x3x32x64xbf16>) -> tensor<2x3x6x10x64xbf16>
  return %y : tensor<2x3x6x10x64xbf16>
}
