// Results of products of a few rows that are put to places by the product's kernel, computed of several columns: one launch each
// for the product, rotary positions and the append to a cache. Results against the reference; races found by the simulator.
// RUN: forge compile %s --function keys --target sim:sm_90a --to gpu -o - | FileCheck %s --check-prefixes=ONE,PLACE
// RUN: forge verify %s --function keys --target sim:sm_90a
// RUN: forge verify %s --function keys --target sim:gfx942
// RUN: forge verify %s --function keys --target cpu
// RUN: forge verify %s --function keys --target sim:sm_90a --tier correctness
// RUN: env FORGE_SIM_SEED=3 forge verify %s --function keys --target sim:sm_90a
// RUN: forge explain %s --function affine_places --target sim:sm_90a | FileCheck %s --check-prefix=AFFINE
// RUN: forge verify %s --function affine_places --target sim:sm_90a
// RUN: forge verify %s --function affine_places --target sim:gfx942
// RUN: forge compile %s --function floats --target sim:sm_90a --to gpu -o - | FileCheck %s --check-prefix=APART
// RUN: forge verify %s --function floats --target sim:sm_90a
// RUN: forge verify %s --function floats --target sim:gfx942
// RUN: forge compile %s --function sequences --target sim:sm_90a --to gpu -o - | FileCheck %s --check-prefix=ONE
// RUN: forge verify %s --function sequences --target sim:sm_90a
// RUN: forge verify %s --function sequences --target sim:gfx942
// RUN: forge compile %s --function pages --target sim:sm_90a --to gpu -o - | FileCheck %s --check-prefix=ONE
// RUN: forge verify %s --function pages --target sim:sm_90a
// RUN: forge verify %s --function pages --target sim:gfx942 --seed 4
// RUN: forge compile %s --function values --target sim:sm_90a --to gpu -o - | FileCheck %s --check-prefix=ONE
// RUN: forge verify %s --function values --target sim:sm_90a
// RUN: forge verify %s --function values --target sim:gfx942
// RUN: forge compile %s --function halves --target sim:sm_90a --to gpu -o - | FileCheck %s --check-prefix=ONE
// RUN: forge verify %s --function halves --target sim:sm_90a
// RUN: forge verify %s --function halves --target sim:gfx942
// RUN: forge compile %s --function updated --target sim:sm_90a --to gpu -o - | FileCheck %s --check-prefix=ONE
// RUN: forge verify %s --function updated --target sim:sm_90a
// RUN: forge verify %s --function updated --target sim:gfx942
// What something else reads as well, and what is computed of all columns, is in memory.
// RUN: forge compile %s --function also_returned --target sim:sm_90a --to gpu -o - | FileCheck %s --check-prefix=APART
// RUN: forge verify %s --function also_returned --target sim:sm_90a
// RUN: forge compile %s --function mirrored --target sim:sm_90a --to gpu -o - | FileCheck %s --check-prefix=APART
// RUN: forge verify %s --function mirrored --target sim:sm_90a

// ONE: func.func @{{[a-z_]+}}(
// ONE: gpu.launch_func
// ONE-NOT: gpu.launch_func
// APART: func.func @{{[a-z_]+}}(
// APART: gpu.launch_func
// APART: gpu.launch_func
// APART-NOT: gpu.launch_func
// The cache is not copied.
// PLACE-NOT: memref.copy
// PLACE-NOT: memref.alloc

// Columns d and d + 32 of each head of 64.
func.func @keys(%x: tensor<1x1x512xbf16>, %w: tensor<256x512xbf16>, %cos: tensor<32xf32>, %sin: tensor<32xf32>,
                %cache: tensor<1x4x16x64xbf16> {tf.aliasing_output = 0 : i32}, %at: tensor<1xi32>) -> tensor<1x4x16x64xbf16> {
  %0 = transformer.matmul %x, %w {transpose_rhs} : (tensor<1x1x512xbf16>, tensor<256x512xbf16>) -> tensor<1x1x256xbf16>
  %1 = stablehlo.reshape %0 : (tensor<1x1x256xbf16>) -> tensor<1x1x4x64xbf16>
  %2 = stablehlo.transpose %1, dims = [0, 2, 1, 3] : (tensor<1x1x4x64xbf16>) -> tensor<1x4x1x64xbf16>
  %3 = func.call @turned(%2, %cos, %sin) : (tensor<1x4x1x64xbf16>, tensor<32xf32>, tensor<32xf32>) -> tensor<1x4x1x64xbf16>
  %4 = transformer.kv_append %3 into %cache at %at : (tensor<1x4x1x64xbf16>, tensor<1x4x16x64xbf16>, tensor<1xi32>) -> tensor<1x4x16x64xbf16>
  return %4 : tensor<1x4x16x64xbf16>
}
// [x1 cos - x2 sin, x2 cos + x1 sin]
func.func private @turned(%x: tensor<1x4x1x64xbf16>, %cos: tensor<32xf32>, %sin: tensor<32xf32>) -> tensor<1x4x1x64xbf16> {
  %0 = stablehlo.slice %x [0:1, 0:4, 0:1, 0:32] : (tensor<1x4x1x64xbf16>) -> tensor<1x4x1x32xbf16>
  %1 = stablehlo.slice %x [0:1, 0:4, 0:1, 32:64] : (tensor<1x4x1x64xbf16>) -> tensor<1x4x1x32xbf16>
  %2 = stablehlo.convert %0 : (tensor<1x4x1x32xbf16>) -> tensor<1x4x1x32xf32>
  %3 = stablehlo.convert %1 : (tensor<1x4x1x32xbf16>) -> tensor<1x4x1x32xf32>
  %c = stablehlo.broadcast_in_dim %cos, dims = [3] : (tensor<32xf32>) -> tensor<1x4x1x32xf32>
  %s = stablehlo.broadcast_in_dim %sin, dims = [3] : (tensor<32xf32>) -> tensor<1x4x1x32xf32>
  %4 = stablehlo.multiply %2, %c : tensor<1x4x1x32xf32>
  %5 = stablehlo.multiply %3, %s : tensor<1x4x1x32xf32>
  %6 = stablehlo.subtract %4, %5 : tensor<1x4x1x32xf32>
  %7 = stablehlo.multiply %3, %c : tensor<1x4x1x32xf32>
  %8 = stablehlo.multiply %2, %s : tensor<1x4x1x32xf32>
  %9 = stablehlo.add %7, %8 : tensor<1x4x1x32xf32>
  %10 = stablehlo.concatenate %6, %9, dim = 3 : (tensor<1x4x1x32xf32>, tensor<1x4x1x32xf32>) -> tensor<1x4x1x64xf32>
  %11 = stablehlo.convert %10 : (tensor<1x4x1x64xf32>) -> tensor<1x4x1x64xbf16>
  return %11 : tensor<1x4x1x64xbf16>
}
// The transformer dialect's own rope, whose cosines and sines are a launch of their own, since all layers read them.
func.func @floats(%x: tensor<1x1x256xf32>, %w: tensor<128x256xf32>, %b: tensor<128xf32>,
                  %cache: tensor<1x4x8x32xf32> {tf.aliasing_output = 0 : i32}, %at: tensor<1xi32>) -> tensor<1x4x8x32xf32> {
  %0 = transformer.matmul %x, %w bias %b {transpose_rhs} : (tensor<1x1x256xf32>, tensor<128x256xf32>, tensor<128xf32>) -> tensor<1x1x128xf32>
  %1 = stablehlo.reshape %0 : (tensor<1x1x128xf32>) -> tensor<1x1x4x32xf32>
  %2 = stablehlo.transpose %1, dims = [0, 2, 1, 3] : (tensor<1x1x4x32xf32>) -> tensor<1x4x1x32xf32>
  %p = stablehlo.constant dense<3> : tensor<1xi32>
  %3 = transformer.rope %2 positions %p : (tensor<1x4x1x32xf32>, tensor<1xi32>) -> tensor<1x4x1x32xf32>
  %4 = transformer.kv_append %3 into %cache at %at : (tensor<1x4x1x32xf32>, tensor<1x4x8x32xf32>, tensor<1xi32>) -> tensor<1x4x8x32xf32>
  return %4 : tensor<1x4x8x32xf32>
}
// Three sequences, each at its own position.
func.func @sequences(%x: tensor<3x1x512xbf16>, %w: tensor<128x512xbf16>, %c: tensor<3x1x64xf32>, %s: tensor<3x1x64xf32>,
                     %cache: tensor<3x2x8x64xbf16> {tf.aliasing_output = 0 : i32}, %at: tensor<3xi32>) -> tensor<3x2x8x64xbf16> {
  %0 = transformer.matmul %x, %w {transpose_rhs} : (tensor<3x1x512xbf16>, tensor<128x512xbf16>) -> tensor<3x1x128xbf16>
  %1 = stablehlo.reshape %0 : (tensor<3x1x128xbf16>) -> tensor<3x1x2x64xbf16>
  %2 = stablehlo.transpose %1, dims = [0, 2, 1, 3] : (tensor<3x1x2x64xbf16>) -> tensor<3x2x1x64xbf16>
  %3 = stablehlo.slice %2 [0:3, 0:2, 0:1, 0:32] : (tensor<3x2x1x64xbf16>) -> tensor<3x2x1x32xbf16>
  %4 = stablehlo.slice %2 [0:3, 0:2, 0:1, 32:64] : (tensor<3x2x1x64xbf16>) -> tensor<3x2x1x32xbf16>
  %5 = stablehlo.negate %4 : tensor<3x2x1x32xbf16>
  %6 = stablehlo.concatenate %5, %3, dim = 3 : (tensor<3x2x1x32xbf16>, tensor<3x2x1x32xbf16>) -> tensor<3x2x1x64xbf16>
  %7 = stablehlo.convert %2 : (tensor<3x2x1x64xbf16>) -> tensor<3x2x1x64xf32>
  %8 = stablehlo.convert %6 : (tensor<3x2x1x64xbf16>) -> tensor<3x2x1x64xf32>
  %9 = stablehlo.broadcast_in_dim %c, dims = [0, 2, 3] : (tensor<3x1x64xf32>) -> tensor<3x2x1x64xf32>
  %10 = stablehlo.broadcast_in_dim %s, dims = [0, 2, 3] : (tensor<3x1x64xf32>) -> tensor<3x2x1x64xf32>
  %11 = stablehlo.multiply %7, %9 : tensor<3x2x1x64xf32>
  %12 = stablehlo.multiply %8, %10 : tensor<3x2x1x64xf32>
  %13 = stablehlo.add %11, %12 : tensor<3x2x1x64xf32>
  %14 = stablehlo.convert %13 : (tensor<3x2x1x64xf32>) -> tensor<3x2x1x64xbf16>
  %15 = transformer.kv_append %14 into %cache at %at : (tensor<3x2x1x64xbf16>, tensor<3x2x8x64xbf16>, tensor<3xi32>) -> tensor<3x2x8x64xbf16>
  return %15 : tensor<3x2x8x64xbf16>
}
func.func @pages(%x: tensor<2x1x512xf16>, %w: tensor<128x512xf16>, %pool: tensor<6x2x4x64xf16> {tf.aliasing_output = 0 : i32},
                 %at: tensor<2xi32>, %table: tensor<2x3xi32>) -> tensor<6x2x4x64xf16> {
  %0 = transformer.matmul %x, %w {transpose_rhs} : (tensor<2x1x512xf16>, tensor<128x512xf16>) -> tensor<2x1x128xf16>
  %1 = stablehlo.reshape %0 : (tensor<2x1x128xf16>) -> tensor<2x1x2x64xf16>
  %2 = stablehlo.transpose %1, dims = [0, 2, 1, 3] : (tensor<2x1x2x64xf16>) -> tensor<2x2x1x64xf16>
  %3 = transformer.kv_append %2 into %pool at %at table %table : (tensor<2x2x1x64xf16>, tensor<6x2x4x64xf16>, tensor<2xi32>, tensor<2x3xi32>) -> tensor<6x2x4x64xf16>
  return %3 : tensor<6x2x4x64xf16>
}
// Nothing is computed of several columns.
func.func @values(%x: tensor<1x1x512xbf16>, %w: tensor<256x512xbf16>, %cache: tensor<1x4x16x64xbf16> {tf.aliasing_output = 0 : i32}, %at: tensor<1xi32>)
    -> tensor<1x4x16x64xbf16> {
  %0 = transformer.matmul %x, %w {transpose_rhs} : (tensor<1x1x512xbf16>, tensor<256x512xbf16>) -> tensor<1x1x256xbf16>
  %1 = stablehlo.reshape %0 : (tensor<1x1x256xbf16>) -> tensor<1x1x4x64xbf16>
  %2 = stablehlo.transpose %1, dims = [0, 2, 1, 3] : (tensor<1x1x4x64xbf16>) -> tensor<1x4x1x64xbf16>
  %3 = transformer.kv_append %2 into %cache at %at : (tensor<1x4x1x64xbf16>, tensor<1x4x16x64xbf16>, tensor<1xi32>) -> tensor<1x4x16x64xbf16>
  return %3 : tensor<1x4x16x64xbf16>
}
// Gate and up in one matrix: half as many results as columns.
func.func @halves(%x: tensor<2x512xbf16>, %w: tensor<384x512xbf16>) -> tensor<2x192xbf16> {
  %0 = transformer.matmul %x, %w {transpose_rhs} : (tensor<2x512xbf16>, tensor<384x512xbf16>) -> tensor<2x384xbf16>
  %1 = stablehlo.slice %0 [0:2, 0:192] : (tensor<2x384xbf16>) -> tensor<2x192xbf16>
  %2 = stablehlo.slice %0 [0:2, 192:384] : (tensor<2x384xbf16>) -> tensor<2x192xbf16>
  %3 = stablehlo.logistic %1 : tensor<2x192xbf16>
  %4 = stablehlo.multiply %1, %3 : tensor<2x192xbf16>
  %5 = stablehlo.multiply %4, %2 : tensor<2x192xbf16>
  return %5 : tensor<2x192xbf16>
}
// As JAX appends.
func.func @updated(%x: tensor<1x512xf32>, %w: tensor<256x512xf32>, %cos: tensor<32xf32>, %sin: tensor<32xf32>,
                   %cache: tensor<4x16x64xf32> {tf.aliasing_output = 0 : i32}, %at: tensor<i32>) -> tensor<4x16x64xf32> {
  %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [1] : (tensor<1x512xf32>, tensor<256x512xf32>) -> tensor<1x256xf32>
  %1 = stablehlo.reshape %0 : (tensor<1x256xf32>) -> tensor<4x64xf32>
  %2 = stablehlo.slice %1 [0:4, 0:32] : (tensor<4x64xf32>) -> tensor<4x32xf32>
  %3 = stablehlo.slice %1 [0:4, 32:64] : (tensor<4x64xf32>) -> tensor<4x32xf32>
  %c = stablehlo.broadcast_in_dim %cos, dims = [1] : (tensor<32xf32>) -> tensor<4x32xf32>
  %s = stablehlo.broadcast_in_dim %sin, dims = [1] : (tensor<32xf32>) -> tensor<4x32xf32>
  %4 = stablehlo.multiply %2, %c : tensor<4x32xf32>
  %5 = stablehlo.multiply %3, %s : tensor<4x32xf32>
  %6 = stablehlo.subtract %4, %5 : tensor<4x32xf32>
  %7 = stablehlo.multiply %3, %c : tensor<4x32xf32>
  %8 = stablehlo.multiply %2, %s : tensor<4x32xf32>
  %9 = stablehlo.add %7, %8 : tensor<4x32xf32>
  %10 = stablehlo.concatenate %6, %9, dim = 1 : (tensor<4x32xf32>, tensor<4x32xf32>) -> tensor<4x64xf32>
  %11 = stablehlo.reshape %10 : (tensor<4x64xf32>) -> tensor<4x1x64xf32>
  %z = stablehlo.constant dense<0> : tensor<i32>
  %12 = stablehlo.dynamic_update_slice %cache, %11, %z, %at, %z : (tensor<4x16x64xf32>, tensor<4x1x64xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<4x16x64xf32>
  return %12 : tensor<4x16x64xf32>
}
func.func @also_returned(%x: tensor<1x512xf32>, %w: tensor<256x512xf32>) -> (tensor<1x128xf32>, tensor<1x256xf32>) {
  %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [1] : (tensor<1x512xf32>, tensor<256x512xf32>) -> tensor<1x256xf32>
  %1 = stablehlo.slice %0 [0:1, 0:128] : (tensor<1x256xf32>) -> tensor<1x128xf32>
  %2 = stablehlo.slice %0 [0:1, 128:256] : (tensor<1x256xf32>) -> tensor<1x128xf32>
  %3 = stablehlo.multiply %1, %2 : tensor<1x128xf32>
  return %3, %0 : tensor<1x128xf32>, tensor<1x256xf32>
}
// Column c and column 255 - c.
func.func @mirrored(%x: tensor<1x512xf32>, %w: tensor<256x512xf32>) -> tensor<1x256xf32> {
  %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [1] : (tensor<1x512xf32>, tensor<256x512xf32>) -> tensor<1x256xf32>
  %1 = stablehlo.reverse %0, dims = [1] : tensor<1x256xf32>
  %2 = stablehlo.subtract %0, %1 : tensor<1x256xf32>
  return %2 : tensor<1x256xf32>
}

// Loops over elements with places that are affine expressions: one kernel, no launch for each element.
// AFFINE: loop, 1 launch: generic
func.func @affine_places(%x: tensor<40x64xf32>, %to: tensor<48x64xf32>) -> tensor<48x64xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %c40 = arith.constant 40 : index
  %0 = scf.for %i = %c0 to %c40 step %c1 iter_args(%a = %to) -> (tensor<48x64xf32>) {
    %1 = scf.for %j = %c0 to %c64 step %c1 iter_args(%b = %a) -> (tensor<48x64xf32>) {
      %e = tensor.extract %x[%i, %j] : tensor<40x64xf32>
      %at = affine.apply affine_map<()[s0] -> (s0 + 5)>()[%i]
      %2 = tensor.insert %e into %b[%at, %j] : tensor<48x64xf32>
      scf.yield %2 : tensor<48x64xf32>
    } {forge.independent}
    scf.yield %1 : tensor<48x64xf32>
  } {forge.independent}
  return %0 : tensor<48x64xf32>
}
