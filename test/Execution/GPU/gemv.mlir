// Products of a few rows by strategy gemv, with what follows them, on simulated chips with warps of 32 and 64: results against the
// reference, races and misaligned accesses found by the simulator.
// RUN: forge compile %s --function bias --target sim:sm_90a --to kernels -o - | FileCheck %s --check-prefix=ONE
// RUN: forge verify %s --function bias --target sim:sm_90a
// RUN: forge verify %s --function bias --target sim:gfx942
// RUN: forge verify %s --function bias --target sim:sm_90a --tier production
// RUN: forge verify %s --function bias --target sim:sm_90a --distribution huge
// RUN: env FORGE_SIM_SEED=3 forge verify %s --function bias --target sim:sm_90a
// RUN: forge compile %s --function rounded_first --target sim:sm_90a --to kernels -o - | FileCheck %s --check-prefix=ONE
// RUN: forge verify %s --function rounded_first --target sim:sm_90a
// RUN: forge compile %s --function residual --target sim:sm_90a --to kernels -o - | FileCheck %s --check-prefix=ONE
// RUN: forge verify %s --function residual --target sim:sm_90a
// RUN: forge verify %s --function residual --target sim:gfx942
// RUN: forge compile %s --function heads --target sim:sm_90a --to kernels -o - | FileCheck %s --check-prefix=ONE
// RUN: forge verify %s --function heads --target sim:sm_90a
// RUN: forge verify %s --function heads --target sim:gfx1100
// RUN: forge compile %s --function uneven --target sim:sm_90a --to kernels -o - | FileCheck %s --check-prefix=ONE
// RUN: forge verify %s --function uneven --target sim:sm_90a
// RUN: forge verify %s --function uneven --target sim:gfx942
// RUN: forge compile %s --function odd_row --target sim:sm_90a --to kernels -o - | FileCheck %s --check-prefix=PART
// RUN: forge verify %s --function odd_row --target sim:sm_90a
// RUN: forge verify %s --function odd_row --target sim:gfx942
// RUN: forge compile %s --function eight --target sim:sm_90a --to kernels -o - | FileCheck %s --check-prefix=MOST
// RUN: forge verify %s --function eight --target sim:sm_90a
// RUN: forge verify %s --function eight --target sim:gfx942
// RUN: forge verify %s --function doubles --target sim:sm_90a
// RUN: forge verify %s --function two_results --target sim:sm_90a

// PART: strategy = gemv, n = 2, loads = {{[12]}}, blocks = 534
// MOST: strategy = gemv, n = 4, loads = 1
// ONE: strategy = gemv,
// ONE-NOT: strategy =

// One row, whose unit dimension goes.
func.func @bias(%x: tensor<1x512xbf16>, %w: tensor<96x512xbf16>, %b: tensor<96xbf16>) -> tensor<1x96xbf16> {
  %0 = transformer.matmul %x, %w bias %b {activation = #transformer.activation<gelu>, transpose_rhs} : (tensor<1x512xbf16>, tensor<96x512xbf16>, tensor<96xbf16>) -> tensor<1x96xbf16>
  return %0 : tensor<1x96xbf16>
}
// The sums are rounded before the bias is added.
func.func @rounded_first(%x: tensor<2x512xbf16>, %w: tensor<96x512xbf16>, %b: tensor<96xbf16>) -> tensor<2x96xbf16> {
  %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [1] : (tensor<2x512xbf16>, tensor<96x512xbf16>) -> tensor<2x96xbf16>
  %1 = stablehlo.broadcast_in_dim %b, dims = [1] : (tensor<96xbf16>) -> tensor<2x96xbf16>
  %2 = stablehlo.add %0, %1 : tensor<2x96xbf16>
  return %2 : tensor<2x96xbf16>
}
func.func @residual(%x: tensor<3x640xf16>, %w: tensor<1060x640xf16>, %r: tensor<3x1060xf16>) -> tensor<3x1060xf16> {
  %0 = transformer.matmul %x, %w residual %r {activation = #transformer.activation<silu>, transpose_rhs} : (tensor<3x640xf16>, tensor<1060x640xf16>, tensor<3x1060xf16>) -> tensor<3x1060xf16>
  return %0 : tensor<3x1060xf16>
}
// Columns and sum of two dimensions each; the place of a column is seen by what follows.
func.func @heads(%x: tensor<2x8x64xf32>, %w: tensor<6x10x8x64xf32>) -> tensor<2x6x10xf32> {
  %0 = stablehlo.dot_general %x, %w, contracting_dims = [1, 2] x [2, 3] : (tensor<2x8x64xf32>, tensor<6x10x8x64xf32>) -> tensor<2x6x10xf32>
  %1 = stablehlo.iota dim = 2 : tensor<2x6x10xf32>
  %2 = stablehlo.multiply %0, %1 : tensor<2x6x10xf32>
  return %2 : tensor<2x6x10xf32>
}
// 129 accesses of each row: whole steps, single accesses, and one that a thread alone has. An odd number of columns.
func.func @uneven(%x: tensor<5x1032xbf16>, %w: tensor<1067x1032xbf16>) -> tensor<5x1067xf32> {
  %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [1] : (tensor<5x1032xbf16>, tensor<1067x1032xbf16>) -> tensor<5x1067xf32>
  %1 = stablehlo.tanh %0 : tensor<5x1067xf32>
  return %1 : tensor<5x1067xf32>
}
// An odd number of columns of one row: the last block has one.
func.func @odd_row(%x: tensor<1x512xbf16>, %w: tensor<1067x512xbf16>) -> tensor<1x1067xf32> {
  %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [1] : (tensor<1x512xbf16>, tensor<1067x512xbf16>) -> tensor<1x1067xf32>
  return %0 : tensor<1x1067xf32>
}
// As many sums as a thread may hold: none is left to add by butterfly on warps of 32.
func.func @eight(%x: tensor<8x1024xf32>, %w: tensor<1056x1024xf32>) -> tensor<8x1056xf32> {
  %0 = transformer.matmul %x, %w {transpose_rhs} : (tensor<8x1024xf32>, tensor<1056x1024xf32>) -> tensor<8x1056xf32>
  return %0 : tensor<8x1056xf32>
}
func.func @doubles(%x: tensor<1x200xf64>, %w: tensor<30x200xf64>) -> tensor<1x30xf64> {
  %0 = transformer.matmul %x, %w {transpose_rhs} : (tensor<1x200xf64>, tensor<30x200xf64>) -> tensor<1x30xf64>
  return %0 : tensor<1x30xf64>
}
// What follows is a result, and read by another kernel.
func.func @two_results(%x: tensor<1x512xf32>, %w: tensor<40x512xf32>, %r: tensor<1x40xf32>) -> (tensor<1x40xf32>, tensor<1x40xf32>) {
  %0 = transformer.matmul %x, %w {transpose_rhs} : (tensor<1x512xf32>, tensor<40x512xf32>) -> tensor<1x40xf32>
  %1 = stablehlo.add %0, %r : tensor<1x40xf32>
  %2 = stablehlo.exponential %1 : tensor<1x40xf32>
  return %1, %2 : tensor<1x40xf32>, tensor<1x40xf32>
}
