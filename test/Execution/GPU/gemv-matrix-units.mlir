// Products of 5 to 16 rows by matrix instructions of warps: with what follows them, as pairs, placed, and where terms or rows do not fill
// what all warps take at a time. Results against the reference; races and misaligned accesses found by the simulator.
// RUN: forge compile %s --function sixteen --target sim:sm_90a --to kernels -o - | FileCheck %s --check-prefix=ONE
// RUN: forge verify %s --function sixteen --target sim:sm_90a
// RUN: forge verify %s --function sixteen --target sim:sm_80
// RUN: forge verify %s --function sixteen --target sim:sm_90a --distribution huge
// RUN: env FORGE_SIM_SEED=3 forge verify %s --function sixteen --target sim:sm_90a
// RUN: forge compile %s --function sixteen --target cuda:sm_90a --to ptx -o - | FileCheck %s --check-prefix=PTX
// RUN: forge compile %s --function rest --target sim:sm_90a --to kernels -o - | FileCheck %s --check-prefix=ONE
// RUN: forge verify %s --function rest --target sim:sm_90a
// RUN: forge compile %s --function gated --target sim:sm_90a --to kernels -o - | FileCheck %s --check-prefix=ONE
// RUN: forge verify %s --function gated --target sim:sm_90a
// RUN: forge compile %s --function keys --target sim:sm_90a --to gpu -o - | grep -c 'gpu.launch_func' | FileCheck %s --check-prefix=KEYS
// RUN: forge verify %s --function keys --target sim:sm_90a
// RUN: forge compile %s --function few --target sim:sm_90a --to kernels -o - | FileCheck %s --check-prefix=ONE
// RUN: forge verify %s --function few --target sim:sm_90a
// RUN: forge verify %s --function norm --target sim:sm_90a
// Words of nibbles with scales of 128: of one row, too.
// RUN: forge compile %s --function nibbles --target sim:sm_90a --to kernels -o - | FileCheck %s --check-prefix=ONE
// RUN: forge verify %s --function nibbles --target sim:sm_90a
// RUN: forge verify %s --function nibbles --target sim:sm_80
// RUN: forge compile %s --function nibbles --target cuda:sm_90a --to ptx -o - | grep -cE 'add.rn.bf16x2|mma.sync' | FileCheck %s --check-prefix=UNPACKED
// RUN: forge compile %s --function nibbles_of_sixteen --target sim:sm_90a --to kernels -o - | FileCheck %s --check-prefix=ONE
// RUN: forge verify %s --function nibbles_of_sixteen --target sim:sm_90a
// The last group of columns is a part of one.
// RUN: forge compile %s --function odd_columns --target sim:sm_90a --to kernels -o - | FileCheck %s --check-prefix=ONE
// RUN: forge verify %s --function odd_columns --target sim:sm_90a
// RUN: env FORGE_SIM_SEED=3 forge verify %s --function odd_columns --target sim:sm_80

// Without matrix instructions of warps the products are other strategies'.
// RUN: forge compile %s --function sixteen --target sim:gfx942 --to kernels -o - | FileCheck %s --check-prefix=NONE
// RUN: forge verify %s --function sixteen --target sim:gfx942
// RUN: forge compile %s --function small_heads --target sim:sm_90a --to gpu -o - | grep -c 'gpu.launch_func' | FileCheck %s --check-prefix=SMALL
// SMALL: 2
// RUN: forge verify %s --function small_heads --target sim:sm_90a

// ONE: strategy = gemv,
// ONE-NOT: strategy =
// PTX-COUNT-4: mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32
// Cosines and sines; the product, the rotation and the append.
// KEYS: 2
// NONE-NOT: strategy = gemv
// Two numbers an instruction: 64 of them a lane, and eight products.
// UNPACKED: 40

#element = affine_map<(n, k) -> (n, k)>

func.func @sixteen(%x: tensor<16x512xbf16>, %w: tensor<96x512xbf16>, %b: tensor<96xbf16>, %r: tensor<16x96xbf16>) -> tensor<16x96xbf16> {
  %0 = transformer.matmul %x, %w bias %b residual %r {transpose_rhs} : (tensor<16x512xbf16>, tensor<96x512xbf16>, tensor<96xbf16>, tensor<16x96xbf16>) -> tensor<16x96xbf16>
  return %0 : tensor<16x96xbf16>
}
// Nine rows; 41 groups of 32 terms for eight warps.
func.func @rest(%x: tensor<9x1312xf16>, %w: tensor<48x1312xf16>) -> tensor<9x48xf16> {
  %0 = transformer.matmul %x, %w {activation = #transformer.activation<silu>, transpose_rhs} : (tensor<9x1312xf16>, tensor<48x1312xf16>) -> tensor<9x48xf16>
  return %0 : tensor<9x48xf16>
}
func.func @gated(%x: tensor<13x288xbf16>, %g: tensor<64x288xbf16>, %u: tensor<64x288xbf16>) -> tensor<13x64xbf16> {
  %0 = transformer.matmul %x, %g {activation = #transformer.activation<silu>, transpose_rhs} : (tensor<13x288xbf16>, tensor<64x288xbf16>) -> tensor<13x64xbf16>
  %1 = transformer.matmul %x, %u {transpose_rhs} : (tensor<13x288xbf16>, tensor<64x288xbf16>) -> tensor<13x64xbf16>
  %2 = stablehlo.multiply %0, %1 : tensor<13x64xbf16>
  return %2 : tensor<13x64xbf16>
}
// Keys of 16 sequences, rotated and appended to a cache.
func.func @keys(%x: tensor<16x1x256xbf16>, %w: tensor<64x256xbf16>, %cache: tensor<16x2x8x32xbf16> {tf.aliasing_output = 0 : i32}, %lengths: tensor<16xi32>) -> tensor<16x2x8x32xbf16> {
  %0 = transformer.linear %x, %w : (tensor<16x1x256xbf16>, tensor<64x256xbf16>) -> tensor<16x1x64xbf16>
  %1 = tensor.expand_shape %0 [[0], [1], [2, 3]] output_shape [16, 1, 2, 32] : tensor<16x1x64xbf16> into tensor<16x1x2x32xbf16>
  %2 = stablehlo.transpose %1, dims = [0, 2, 1, 3] : (tensor<16x1x2x32xbf16>) -> tensor<16x2x1x32xbf16>
  %p = tensor.expand_shape %lengths [[0, 1]] output_shape [16, 1] : tensor<16xi32> into tensor<16x1xi32>
  %3 = transformer.rope %2 positions %p : (tensor<16x2x1x32xbf16>, tensor<16x1xi32>) -> tensor<16x2x1x32xbf16>
  %4 = transformer.kv_append %3 into %cache at %lengths : (tensor<16x2x1x32xbf16>, tensor<16x2x8x32xbf16>, tensor<16xi32>) -> tensor<16x2x8x32xbf16>
  return %4 : tensor<16x2x8x32xbf16>
}
func.func @few(%x: tensor<5x256xbf16>, %w: tensor<32x256xbf16>) -> tensor<5x32xf32> {
  %0 = transformer.matmul %x, %w {transpose_rhs} : (tensor<5x256xbf16>, tensor<32x256xbf16>) -> tensor<5x32xf32>
  return %0 : tensor<5x32xf32>
}
func.func @norm(%x: tensor<16x256xbf16>, %s: tensor<256xbf16>, %w: tensor<512x256xbf16>) -> tensor<16x512xbf16> {
  %0 = transformer.rms_norm %x scale %s {epsilon = 1.0e-05 : f32} : (tensor<16x256xbf16>, tensor<256xbf16>) -> tensor<16x256xbf16>
  %1 = transformer.matmul %0, %w {transpose_rhs} : (tensor<16x256xbf16>, tensor<512x256xbf16>) -> tensor<16x512xbf16>
  return %1 : tensor<16x512xbf16>
}
func.func @odd_columns(%x: tensor<13x512xbf16>, %w: tensor<251x512xbf16>) -> tensor<13x251xbf16> {
  %0 = transformer.matmul %x, %w {transpose_rhs} : (tensor<13x512xbf16>, tensor<251x512xbf16>) -> tensor<13x251xbf16>
  return %0 : tensor<13x251xbf16>
}
// Halves of heads of 24 do not make whole instructions: the rotation is a kernel of its own.
func.func @small_heads(%x: tensor<16x1x256xbf16>, %w: tensor<48x256xbf16>, %p: tensor<16x1xi32>) -> tensor<16x2x1x24xbf16> {
  %0 = transformer.linear %x, %w : (tensor<16x1x256xbf16>, tensor<48x256xbf16>) -> tensor<16x1x48xbf16>
  %1 = tensor.expand_shape %0 [[0], [1], [2, 3]] output_shape [16, 1, 2, 24] : tensor<16x1x48xbf16> into tensor<16x1x2x24xbf16>
  %2 = stablehlo.transpose %1, dims = [0, 2, 1, 3] : (tensor<16x1x2x24xbf16>) -> tensor<16x2x1x24xbf16>
  %3 = transformer.rope %2 positions %p : (tensor<16x2x1x24xbf16>, tensor<16x1xi32>) -> tensor<16x2x1x24xbf16>
  return %3 : tensor<16x2x1x24xbf16>
}
func.func @nibbles(%x: tensor<1x1024xbf16>, %p: tensor<32x128xi32>, %s: tensor<32x8xbf16>) -> tensor<1x32xf32> {
  %zero = arith.constant 0.0 : f32
  %we = tensor.empty() : tensor<32x1024xbf16>
  %w = linalg.generic {indexing_maps = [#element], iterator_types = ["parallel", "parallel"]} outs(%we : tensor<32x1024xbf16>) {
  ^bb0(%u: bf16):
    %n = linalg.index 0 : index
    %k = linalg.index 1 : index
    %c8 = arith.constant 8 : index
    %c4 = arith.constant 4 : index
    %c128 = arith.constant 128 : index
    %i8 = arith.constant 8 : i32
    %i15 = arith.constant 15 : i32
    %at = arith.divui %k, %c8 : index
    %word = tensor.extract %p[%n, %at] : tensor<32x128xi32>
    %within = arith.remui %k, %c8 : index
    %bits = arith.muli %within, %c4 : index
    %shift = arith.index_cast %bits : index to i32
    %down = arith.shrui %word, %shift : i32
    %code = arith.andi %down, %i15 : i32
    %signed = arith.subi %code, %i8 : i32
    %number = arith.sitofp %signed : i32 to f32
    %group = arith.divui %k, %c128 : index
    %stored = tensor.extract %s[%n, %group] : tensor<32x8xbf16>
    %scale = arith.extf %stored : bf16 to f32
    %value = arith.mulf %scale, %number : f32
    %rounded = arith.truncf %value : f32 to bf16
    linalg.yield %rounded : bf16
  } -> tensor<32x1024xbf16>
  %0 = transformer.matmul %x, %w {transpose_rhs} : (tensor<1x1024xbf16>, tensor<32x1024xbf16>) -> tensor<1x32xf32>
  return %0 : tensor<1x32xf32>
}
func.func @nibbles_of_sixteen(%x: tensor<16x512xf16>, %p: tensor<48x64xi32>, %s: tensor<48x4xbf16>) -> tensor<16x48xf32> {
  %zero = arith.constant 0.0 : f32
  %we = tensor.empty() : tensor<48x512xf16>
  %w = linalg.generic {indexing_maps = [#element], iterator_types = ["parallel", "parallel"]} outs(%we : tensor<48x512xf16>) {
  ^bb0(%u: f16):
    %n = linalg.index 0 : index
    %k = linalg.index 1 : index
    %c8 = arith.constant 8 : index
    %c4 = arith.constant 4 : index
    %c128 = arith.constant 128 : index
    %i8 = arith.constant 8 : i32
    %i15 = arith.constant 15 : i32
    %at = arith.divui %k, %c8 : index
    %word = tensor.extract %p[%n, %at] : tensor<48x64xi32>
    %within = arith.remui %k, %c8 : index
    %bits = arith.muli %within, %c4 : index
    %shift = arith.index_cast %bits : index to i32
    %down = arith.shrui %word, %shift : i32
    %code = arith.andi %down, %i15 : i32
    %signed = arith.subi %code, %i8 : i32
    %number = arith.sitofp %signed : i32 to f32
    %group = arith.divui %k, %c128 : index
    %stored = tensor.extract %s[%n, %group] : tensor<48x4xbf16>
    %scale = arith.extf %stored : bf16 to f32
    %value = arith.mulf %scale, %number : f32
    %rounded = arith.truncf %value : f32 to f16
    linalg.yield %rounded : f16
  } -> tensor<48x512xf16>
  %0 = transformer.matmul %x, %w {transpose_rhs} : (tensor<16x512xf16>, tensor<48x512xf16>) -> tensor<16x48xf32>
  return %0 : tensor<16x48xf32>
}
