// Products of a few rows with a matrix whose columns are side by side, by strategy gemv, with what follows them, on simulated
// chips with warps of 32 and 64: results against the reference, races and misaligned accesses found by the simulator.
// RUN: forge compile %s --function row --target sim:sm_90a --to kernels -o - | FileCheck %s --check-prefix=ONE
// RUN: forge verify %s --function row --target sim:sm_90a
// RUN: forge verify %s --function row --target sim:gfx942
// RUN: env FORGE_SIM_SEED=3 forge verify %s --function row --target sim:sm_90a
// RUN: forge verify %s --function row --target sim:sm_90a --distribution huge
// RUN: forge compile %s --function follow --target sim:sm_90a --to kernels -o - | FileCheck %s --check-prefix=ONE
// RUN: forge verify %s --function follow --target sim:sm_90a
// RUN: forge verify %s --function follow --target sim:gfx1100
// RUN: forge compile %s --function uneven --target sim:sm_90a --to kernels -o - | FileCheck %s --check-prefix=ONE
// RUN: forge verify %s --function uneven --target sim:sm_90a
// RUN: forge verify %s --function uneven --target sim:gfx942
// RUN: forge compile %s --function eight --target sim:sm_90a --tier optimized --to kernels -o - | FileCheck %s --check-prefix=ONE
// RUN: forge verify %s --function eight --target sim:sm_90a --tier optimized
// RUN: forge verify %s --function eight --target sim:gfx942 --tier optimized
// RUN: forge verify %s --function wide --target sim:sm_90a
// RUN: forge verify %s --function doubles --target sim:sm_90a
// RUN: forge verify %s --function heads --target sim:sm_90a

// ONE: strategy = gemv,
// ONE-NOT: strategy =

// Two accesses side by side; a step and nothing behind it.
func.func @row(%x: tensor<1x512xbf16>, %w: tensor<512x96xbf16>) -> tensor<1x96xbf16> {
  %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<1x512xbf16>, tensor<512x96xbf16>) -> tensor<1x96xbf16>
  return %0 : tensor<1x96xbf16>
}
func.func @follow(%x: tensor<4x640xf16>, %w: tensor<640x1056xf16>, %r: tensor<4x1056xf16>) -> tensor<4x1056xf16> {
  %0 = transformer.matmul %x, %w residual %r {activation = #transformer.activation<silu>} : (tensor<4x640xf16>, tensor<640x1056xf16>, tensor<4x1056xf16>) -> tensor<4x1056xf16>
  return %0 : tensor<4x1056xf16>
}
// One access side by side, three rows of sums, whole steps and groups that have a run more.
func.func @uneven(%x: tensor<3x4296xbf16>, %w: tensor<4296x24xbf16>) -> tensor<3x24xf32> {
  %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<3x4296xbf16>, tensor<4296x24xbf16>) -> tensor<3x24xf32>
  %1 = stablehlo.tanh %0 : tensor<3x24xf32>
  return %1 : tensor<3x24xf32>
}
func.func @eight(%x: tensor<8x264xf32>, %w: tensor<264x64xf32>) -> tensor<8x64xf32> {
  %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<8x264xf32>, tensor<264x64xf32>) -> tensor<8x64xf32>
  return %0 : tensor<8x64xf32>
}
// Blocks of eight accesses side by side.
func.func @wide(%x: tensor<2x256xbf16>, %w: tensor<256x17408xbf16>) -> tensor<2x17408xbf16> {
  %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<2x256xbf16>, tensor<256x17408xbf16>) -> tensor<2x17408xbf16>
  return %0 : tensor<2x17408xbf16>
}
func.func @doubles(%x: tensor<2x128xf64>, %w: tensor<128x66xf64>) -> tensor<2x66xf64> {
  %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<2x128xf64>, tensor<128x66xf64>) -> tensor<2x66xf64>
  return %0 : tensor<2x66xf64>
}
// Columns and sum of two dimensions each; the place of a column is seen by what follows.
func.func @heads(%x: tensor<2x8x64xf32>, %w: tensor<8x64x6x12xf32>) -> tensor<2x6x12xf32> {
  %0 = stablehlo.dot_general %x, %w, contracting_dims = [1, 2] x [0, 1] : (tensor<2x8x64xf32>, tensor<8x64x6x12xf32>) -> tensor<2x6x12xf32>
  %1 = stablehlo.iota dim = 2 : tensor<2x6x12xf32>
  %2 = stablehlo.multiply %0, %1 : tensor<2x6x12xf32>
  return %2 : tensor<2x6x12xf32>
}
