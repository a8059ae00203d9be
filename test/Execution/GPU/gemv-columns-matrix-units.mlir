// Products of 5 to 16 rows with a matrix whose columns are side by side, by matrix instructions of warps: with what follows them, as pairs,
// placed, behind a norm, and where terms, columns or rows do not fill what all warps take at a time. Results against the reference; races
// and misaligned accesses found by the simulator.
// RUN: forge compile %s --function sixteen --target sim:sm_90a --to kernels -o - | FileCheck %s --check-prefix=ONE
// RUN: forge verify %s --function sixteen --target sim:sm_90a
// RUN: forge verify %s --function sixteen --target sim:sm_80
// RUN: forge verify %s --function sixteen --target sim:sm_90a --distribution huge
// RUN: env FORGE_SIM_SEED=3 forge verify %s --function sixteen --target sim:sm_90a
// RUN: forge compile %s --function sixteen --target cuda:sm_90a --to ptx -o - | FileCheck %s --check-prefix=PTX
// RUN: forge compile %s --function ragged --target sim:sm_90a --to kernels -o - | FileCheck %s --check-prefix=ONE
// RUN: forge verify %s --function ragged --target sim:sm_90a
// RUN: forge verify %s --function ragged --target sim:sm_80
// RUN: env FORGE_SIM_SEED=3 forge verify %s --function ragged --target sim:sm_90a
// RUN: forge verify %s --function ragged --target sim:sm_90a --distribution huge
// RUN: forge compile %s --function middle --target sim:sm_90a --to kernels -o - | FileCheck %s --check-prefix=MIDDLE
// RUN: forge verify %s --function middle --target sim:sm_90a
// RUN: forge compile %s --function wide --target sim:sm_90a --to kernels -o - | FileCheck %s --check-prefix=WIDE
// RUN: forge verify %s --function wide --target sim:sm_90a
// RUN: forge compile %s --function gated --target sim:sm_90a --to kernels -o - | FileCheck %s --check-prefix=ONE
// RUN: forge verify %s --function gated --target sim:sm_90a
// RUN: forge compile %s --function keys --target sim:sm_90a --to gpu -o - | grep -c 'gpu.launch_func' | FileCheck %s --check-prefix=KEYS
// RUN: forge verify %s --function keys --target sim:sm_90a
// RUN: forge compile %s --function norm --target sim:sm_90a --to gpu -o - | grep -c 'gpu.launch_func' | FileCheck %s --check-prefix=NORM
// RUN: forge verify %s --function norm --target sim:sm_90a
// RUN: env FORGE_SIM_SEED=3 forge verify %s --function norm --target sim:sm_90a
// RUN: forge compile %s --function sequences --target sim:sm_90a --to kernels -o - | FileCheck %s --check-prefix=ONE
// RUN: forge verify %s --function sequences --target sim:sm_90a
// RUN: forge verify %s --function experts --target sim:sm_90a
// The matrix' terms inside, of a number that 32 does not divide.
// RUN: forge compile %s --function terms --target sim:sm_90a --to kernels -o - | FileCheck %s --check-prefix=ONE
// RUN: forge verify %s --function terms --target sim:sm_90a

// Up to four rows, and all rows without these instructions, are by threads.
// RUN: forge compile %s --function four --target sim:sm_90a --to gpu -o - | FileCheck %s --check-prefix=THREADS
// RUN: forge verify %s --function four --target sim:sm_90a
// RUN: forge compile %s --function sixteen --target sim:gfx942 --to kernels -o - | FileCheck %s --check-prefix=NONE
// RUN: forge verify %s --function sixteen --target sim:gfx942
// RUN: forge explain %s --function four --target cuda:sm_90a | FileCheck %s --check-prefix=FOUR
// RUN: forge explain %s --function five --target cuda:sm_90a | FileCheck %s --check-prefix=FIVE

// ONE: strategy = gemv,
// ONE-NOT: strategy =
// PTX: ld.global{{.*}}.b32
// PTX-COUNT-4: mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32
// MIDDLE: strategy = gemv, n = 32, loads = 1, blocks = 100,
// WIDE: strategy = gemv, n = 64, loads = 1, blocks = 100,
// Cosines and sines; the product, the rotation and the append.
// KEYS: 2
// NORM: 1
// THREADS: gpu.func
// THREADS-NOT: nvvm.mma.sync
// NONE-NOT: strategy = gemv
// FOUR: gemv; n 16, loads 8,
// FIVE: gemv; n 16, loads 2,

func.func @sixteen(%x: tensor<16x512xbf16>, %w: tensor<512x96xbf16>, %b: tensor<96xbf16>, %r: tensor<16x96xbf16>) -> tensor<16x96xbf16> {
  %0 = transformer.matmul %x, %w bias %b residual %r : (tensor<16x512xbf16>, tensor<512x96xbf16>, tensor<96xbf16>, tensor<16x96xbf16>) -> tensor<16x96xbf16>
  return %0 : tensor<16x96xbf16>
}
// Nine rows; 40 groups of 32 terms and 24 more for eight warps; half a group of columns.
func.func @ragged(%x: tensor<9x1304xf16>, %w: tensor<1304x72xf16>) -> tensor<9x72xf16> {
  %0 = transformer.matmul %x, %w {activation = #transformer.activation<silu>} : (tensor<9x1304xf16>, tensor<1304x72xf16>) -> tensor<9x72xf16>
  return %0 : tensor<9x72xf16>
}
// A lane has four columns, or eight; of the last group of columns eight are there.
func.func @middle(%x: tensor<16x264xbf16>, %w: tensor<264x3176xbf16>) -> tensor<16x3176xf32> {
  %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<16x264xbf16>, tensor<264x3176xbf16>) -> tensor<16x3176xf32>
  return %0 : tensor<16x3176xf32>
}
func.func @wide(%x: tensor<5x256xbf16>, %w: tensor<256x6344xbf16>) -> tensor<5x6344xf32> {
  %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<5x256xbf16>, tensor<256x6344xbf16>) -> tensor<5x6344xf32>
  return %0 : tensor<5x6344xf32>
}
func.func @gated(%x: tensor<13x288xbf16>, %g: tensor<288x64xbf16>, %u: tensor<288x64xbf16>) -> tensor<13x64xbf16> {
  %0 = transformer.matmul %x, %g {activation = #transformer.activation<silu>} : (tensor<13x288xbf16>, tensor<288x64xbf16>) -> tensor<13x64xbf16>
  %1 = transformer.matmul %x, %u : (tensor<13x288xbf16>, tensor<288x64xbf16>) -> tensor<13x64xbf16>
  %2 = stablehlo.multiply %0, %1 : tensor<13x64xbf16>
  return %2 : tensor<13x64xbf16>
}
// Keys of 16 sequences, rotated and appended to a cache.
func.func @keys(%x: tensor<16x1x256xbf16>, %w: tensor<256x64xbf16>, %cache: tensor<16x2x8x32xbf16> {tf.aliasing_output = 0 : i32}, %lengths: tensor<16xi32>) -> tensor<16x2x8x32xbf16> {
  %0 = stablehlo.dot_general %x, %w, contracting_dims = [2] x [0] : (tensor<16x1x256xbf16>, tensor<256x64xbf16>) -> tensor<16x1x64xbf16>
  %1 = tensor.expand_shape %0 [[0], [1], [2, 3]] output_shape [16, 1, 2, 32] : tensor<16x1x64xbf16> into tensor<16x1x2x32xbf16>
  %2 = stablehlo.transpose %1, dims = [0, 2, 1, 3] : (tensor<16x1x2x32xbf16>) -> tensor<16x2x1x32xbf16>
  %p = tensor.expand_shape %lengths [[0, 1]] output_shape [16, 1] : tensor<16xi32> into tensor<16x1xi32>
  %3 = transformer.rope %2 positions %p : (tensor<16x2x1x32xbf16>, tensor<16x1xi32>) -> tensor<16x2x1x32xbf16>
  %4 = transformer.kv_append %3 into %cache at %lengths : (tensor<16x2x1x32xbf16>, tensor<16x2x8x32xbf16>, tensor<16xi32>) -> tensor<16x2x8x32xbf16>
  return %4 : tensor<16x2x8x32xbf16>
}
func.func @norm(%x: tensor<6x256xbf16>, %s: tensor<256xbf16>, %w: tensor<256x512xbf16>) -> tensor<6x512xbf16> {
  %0 = transformer.rms_norm %x scale %s {epsilon = 1.0e-05 : f32} : (tensor<6x256xbf16>, tensor<256xbf16>) -> tensor<6x256xbf16>
  %1 = transformer.matmul %0, %w : (tensor<6x256xbf16>, tensor<256x512xbf16>) -> tensor<6x512xbf16>
  return %1 : tensor<6x512xbf16>
}
// Rows of two dimensions; columns of two, whose places what follows sees.
func.func @sequences(%x: tensor<2x3x512xbf16>, %w: tensor<512x4x24xbf16>) -> tensor<2x3x4x24xf32> {
  %0 = stablehlo.dot_general %x, %w, contracting_dims = [2] x [0] : (tensor<2x3x512xbf16>, tensor<512x4x24xbf16>) -> tensor<2x3x4x24xf32>
  %1 = stablehlo.iota dim = 3 : tensor<2x3x4x24xf32>
  %2 = stablehlo.multiply %0, %1 : tensor<2x3x4x24xf32>
  return %2 : tensor<2x3x4x24xf32>
}
// A matrix for each of three groups of rows.
func.func @experts(%x: tensor<3x8x256xbf16>, %w: tensor<3x256x48xbf16>) -> tensor<3x8x48xbf16> {
  %0 = stablehlo.dot_general %x, %w, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<3x8x256xbf16>, tensor<3x256x48xbf16>) -> tensor<3x8x48xbf16>
  return %0 : tensor<3x8x48xbf16>
}
func.func @terms(%x: tensor<7x520xbf16>, %w: tensor<40x520xbf16>) -> tensor<7x40xf32> {
  %0 = transformer.matmul %x, %w {transpose_rhs} : (tensor<7x520xbf16>, tensor<40x520xbf16>) -> tensor<7x40xf32>
  return %0 : tensor<7x40xf32>
}
func.func @four(%x: tensor<4x512xbf16>, %w: tensor<512x96xbf16>) -> tensor<4x96xbf16> {
  %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<4x512xbf16>, tensor<512x96xbf16>) -> tensor<4x96xbf16>
  return %0 : tensor<4x96xbf16>
}
func.func @five(%x: tensor<5x1024xbf16>, %w: tensor<1024x96xbf16>) -> tensor<5x96xbf16> {
  %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<5x1024xbf16>, tensor<1024x96xbf16>) -> tensor<5x96xbf16>
  return %0 : tensor<5x96xbf16>
}
