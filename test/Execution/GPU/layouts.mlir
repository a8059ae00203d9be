// Products whose batches, rows, columns and terms are in any order in memory: by strategy wgmma at their strides on sm_90a, after a copy
// where no dimension that a copy engine can read is innermost, and by other kernels elsewhere.
// RUN: forge verify %s --function experts --target sim:sm_90a
// RUN: forge verify %s --function experts --target sim:gfx942
// RUN: forge verify %s --function gated_experts --target sim:sm_90a
// RUN: forge verify %s --function slice --target sim:sm_90a
// RUN: forge verify %s --function slice --target sim:gfx942
// RUN: forge verify %s --function heads --target sim:sm_90a
// RUN: forge verify %s --function two_sums --target sim:sm_90a
// RUN: forge verify %s --function two_sums_apart --target sim:sm_90a
// RUN: forge verify %s --function bias_of_a_batch --target sim:sm_90a
// RUN: forge verify %s --function result_by_batch --target sim:sm_90a
// RUN: forge verify %s --function wide_experts --target sim:sm_90a
// RUN: forge verify %s --function wide_experts --target sim:gfx942 --tier production
// RUN: forge verify %s --function odd_columns --target sim:sm_90a
// RUN: forge verify %s --function few_rows --target sim:sm_90a
// RUN: forge verify %s --function one_row --target sim:sm_90a
// RUN: forge verify %s --function transposed --target sim:sm_90a
// RUN: forge verify %s --function packed --target sim:sm_90a
// RUN: forge verify %s --function packed --target sim:gfx942
// RUN: forge verify %s --function places --target sim:sm_90a
// RUN: forge verify %s --function runtime --target sim:sm_90a --dynamic-size 70
// RUN: forge compile %s --function packed --target cuda:sm_90a --tier optimized --to kernels -o - | FileCheck %s

// CHECK: func.func private @contraction{{.*}}strategy = wgmma,

func.func @experts(%x: tensor<70x3x72xbf16>, %w: tensor<3x72x80xbf16>) -> tensor<70x3x80xbf16> {
  %0 = stablehlo.dot_general %x, %w, batching_dims = [1] x [0], contracting_dims = [2] x [1] : (tensor<70x3x72xbf16>, tensor<3x72x80xbf16>) -> tensor<3x70x80xbf16>
  %1 = stablehlo.transpose %0, dims = [1, 0, 2] : (tensor<3x70x80xbf16>) -> tensor<70x3x80xbf16>
  return %1 : tensor<70x3x80xbf16>
}
func.func @gated_experts(%x: tensor<70x3x72xbf16>, %g: tensor<3x72x64xbf16>, %u: tensor<3x72x64xbf16>) -> tensor<70x3x64xbf16> {
  %0 = stablehlo.dot_general %x, %g, batching_dims = [1] x [0], contracting_dims = [2] x [1] : (tensor<70x3x72xbf16>, tensor<3x72x64xbf16>) -> tensor<3x70x64xbf16>
  %1 = stablehlo.transpose %0, dims = [1, 0, 2] : (tensor<3x70x64xbf16>) -> tensor<70x3x64xbf16>
  %2 = stablehlo.dot_general %x, %u, batching_dims = [1] x [0], contracting_dims = [2] x [1] : (tensor<70x3x72xbf16>, tensor<3x72x64xbf16>) -> tensor<3x70x64xbf16>
  %3 = stablehlo.transpose %2, dims = [1, 0, 2] : (tensor<3x70x64xbf16>) -> tensor<70x3x64xbf16>
  %4 = stablehlo.logistic %1 : tensor<70x3x64xbf16>
  %5 = stablehlo.multiply %1, %4 : tensor<70x3x64xbf16>
  %6 = stablehlo.multiply %5, %3 : tensor<70x3x64xbf16>
  return %6 : tensor<70x3x64xbf16>
}
func.func @slice(%x: tensor<2x70x144xbf16>, %w: tensor<2x72x256xbf16>) -> tensor<2x70x128xbf16> {
  %l = stablehlo.slice %x [0:2, 0:70, 72:144] : (tensor<2x70x144xbf16>) -> tensor<2x70x72xbf16>
  %r = stablehlo.slice %w [0:2, 0:72, 128:256] : (tensor<2x72x256xbf16>) -> tensor<2x72x128xbf16>
  %0 = stablehlo.dot_general %l, %r, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<2x70x72xbf16>, tensor<2x72x128xbf16>) -> tensor<2x70x128xbf16>
  return %0 : tensor<2x70x128xbf16>
}
func.func @heads(%q: tensor<2x70x3x2x64xbf16>, %k: tensor<2x66x3x64xbf16>) -> tensor<2x3x70x2x66xf32> {
  %0 = stablehlo.dot_general %q, %k, batching_dims = [0, 2] x [0, 2], contracting_dims = [4] x [3] : (tensor<2x70x3x2x64xbf16>, tensor<2x66x3x64xbf16>) -> tensor<2x3x70x2x66xf32>
  return %0 : tensor<2x3x70x2x66xf32>
}
func.func @two_sums(%x: tensor<2x3x70x40xbf16>, %o: tensor<3x40x72xbf16>) -> tensor<2x70x72xbf16> {
  %0 = stablehlo.dot_general %x, %o, contracting_dims = [1, 3] x [0, 1] : (tensor<2x3x70x40xbf16>, tensor<3x40x72xbf16>) -> tensor<2x70x72xbf16>
  return %0 : tensor<2x70x72xbf16>
}
// Terms of the same two dimensions in either order, of which one is innermost in both.
func.func @two_sums_apart(%x: tensor<5x70x72xbf16>, %o: tensor<80x5x72xbf16>) -> tensor<70x80xbf16> {
  %0 = stablehlo.dot_general %x, %o, contracting_dims = [0, 2] x [1, 2] : (tensor<5x70x72xbf16>, tensor<80x5x72xbf16>) -> tensor<70x80xbf16>
  return %0 : tensor<70x80xbf16>
}
func.func @bias_of_a_batch(%x: tensor<70x3x72xbf16>, %w: tensor<3x72x80xbf16>, %b: tensor<3x80xbf16>, %s: tensor<70x1x1xbf16>) -> tensor<70x3x80xbf16> {
  %0 = stablehlo.dot_general %x, %w, batching_dims = [1] x [0], contracting_dims = [2] x [1] : (tensor<70x3x72xbf16>, tensor<3x72x80xbf16>) -> tensor<3x70x80xbf16>
  %1 = stablehlo.transpose %0, dims = [1, 0, 2] : (tensor<3x70x80xbf16>) -> tensor<70x3x80xbf16>
  %2 = stablehlo.broadcast_in_dim %b, dims = [1, 2] : (tensor<3x80xbf16>) -> tensor<70x3x80xbf16>
  %3 = stablehlo.broadcast_in_dim %s, dims = [0, 1, 2] : (tensor<70x1x1xbf16>) -> tensor<70x3x80xbf16>
  %4 = stablehlo.add %1, %2 : tensor<70x3x80xbf16>
  %5 = stablehlo.multiply %4, %3 : tensor<70x3x80xbf16>
  return %5 : tensor<70x3x80xbf16>
}
func.func @result_by_batch(%x: tensor<8x70x72xbf16>, %w: tensor<8x72x80xbf16>) -> tensor<70x80x8xbf16> {
  %0 = stablehlo.dot_general %x, %w, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<8x70x72xbf16>, tensor<8x72x80xbf16>) -> tensor<8x70x80xbf16>
  %1 = stablehlo.transpose %0, dims = [1, 2, 0] : (tensor<8x70x80xbf16>) -> tensor<70x80x8xbf16>
  return %1 : tensor<70x80x8xbf16>
}
// Nothing but the transposition follows.
func.func @wide_experts(%x: tensor<70x3x72xbf16>, %w: tensor<3x72x80xbf16>) -> tensor<70x3x80xf32> {
  %0 = stablehlo.dot_general %x, %w, batching_dims = [1] x [0], contracting_dims = [2] x [1] : (tensor<70x3x72xbf16>, tensor<3x72x80xbf16>) -> tensor<3x70x80xf32>
  %1 = stablehlo.transpose %0, dims = [1, 0, 2] : (tensor<3x70x80xf32>) -> tensor<70x3x80xf32>
  return %1 : tensor<70x3x80xf32>
}
func.func @odd_columns(%x: tensor<67x72xbf16>, %w: tensor<67x72xbf16>, %b: tensor<67xbf16>) -> tensor<67x67xbf16> {
  %0 = transformer.matmul %x, %w bias %b {transpose_rhs} : (tensor<67x72xbf16>, tensor<67x72xbf16>, tensor<67xbf16>) -> tensor<67x67xbf16>
  return %0 : tensor<67x67xbf16>
}
// Enough multiplications for tiles that are not full.
func.func @few_rows(%q: tensor<16x4x64xbf16>, %c: tensor<2x16x256x64xbf16>) -> tensor<16x4x256xf32> {
  %s = stablehlo.slice %c [1:2, 0:16, 0:256, 0:64] : (tensor<2x16x256x64xbf16>) -> tensor<1x16x256x64xbf16>
  %k = stablehlo.reshape %s : (tensor<1x16x256x64xbf16>) -> tensor<16x256x64xbf16>
  %0 = stablehlo.dot_general %q, %k, batching_dims = [0] x [0], contracting_dims = [2] x [2] : (tensor<16x4x64xbf16>, tensor<16x256x64xbf16>) -> tensor<16x4x256xf32>
  return %0 : tensor<16x4x256xf32>
}
func.func @one_row(%x: tensor<1x512xbf16>, %w: tensor<512x4096xbf16>) -> tensor<1x4096xbf16> {
  %0 = transformer.matmul %x, %w : (tensor<1x512xbf16>, tensor<512x4096xbf16>) -> tensor<1x4096xbf16>
  return %0 : tensor<1x4096xbf16>
}
// Factors that a kernel would transpose are read where they were, also slices of them.
func.func @transposed(%x: tensor<72x2x70xbf16>, %w: tensor<2x160x72xbf16>) -> tensor<2x70x80xbf16> {
  %0 = stablehlo.transpose %x, dims = [1, 2, 0] : (tensor<72x2x70xbf16>) -> tensor<2x70x72xbf16>
  %1 = stablehlo.transpose %w, dims = [0, 2, 1] : (tensor<2x160x72xbf16>) -> tensor<2x72x160xbf16>
  %2 = stablehlo.slice %1 [0:2, 0:72, 80:160] : (tensor<2x72x160xbf16>) -> tensor<2x72x80xbf16>
  %3 = stablehlo.dot_general %0, %2, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<2x70x72xbf16>, tensor<2x72x80xbf16>) -> tensor<2x70x80xbf16>
  return %3 : tensor<2x70x80xbf16>
}
// The batch innermost in the left factor, and terms in two orders in both.
func.func @packed(%x: tensor<66x16x8x4xbf16>, %w: tensor<4x80x8x16xbf16>) -> tensor<4x66x80xbf16> {
  %0 = stablehlo.dot_general %x, %w, batching_dims = [3] x [0], contracting_dims = [1, 2] x [3, 2] : (tensor<66x16x8x4xbf16>, tensor<4x80x8x16xbf16>) -> tensor<4x66x80xbf16>
  return %0 : tensor<4x66x80xbf16>
}
// The host knows where each step's slice begins; graphs of other steps are not replayed.
func.func @places(%x: tensor<72x72xbf16>, %w: tensor<4x72x144xbf16>) -> tensor<72x72xbf16> {
  %from = stablehlo.constant dense<0> : tensor<i32>
  %y:2 = stablehlo.while(%i = %from, %a = %x) : tensor<i32>, tensor<72x72xbf16>
    cond {
      %to = stablehlo.constant dense<4> : tensor<i32>
      %more = stablehlo.compare LT, %i, %to : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %more : tensor<i1>
    } do {
      %zero = stablehlo.constant dense<0> : tensor<i32>
      %s = stablehlo.dynamic_slice %w, %i, %zero, %zero, sizes = [1, 72, 72] : (tensor<4x72x144xbf16>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x72x72xbf16>
      %r = stablehlo.reshape %s : (tensor<1x72x72xbf16>) -> tensor<72x72xbf16>
      %0 = stablehlo.dot_general %a, %r, contracting_dims = [1] x [0] : (tensor<72x72xbf16>, tensor<72x72xbf16>) -> tensor<72x72xbf16>
      %t = stablehlo.tanh %0 : tensor<72x72xbf16>
      %one = stablehlo.constant dense<1> : tensor<i32>
      %next = stablehlo.add %i, %one : tensor<i32>
      stablehlo.return %next, %t : tensor<i32>, tensor<72x72xbf16>
    }
  return %y#1 : tensor<72x72xbf16>
}
func.func @runtime(%x: tensor<?x3x72xbf16>, %w: tensor<3x72x80xbf16>) -> tensor<3x?x80xbf16> {
  %0 = stablehlo.dot_general %x, %w, batching_dims = [1] x [0], contracting_dims = [2] x [1] : (tensor<?x3x72xbf16>, tensor<3x72x80xbf16>) -> tensor<3x?x80xbf16>
  return %0 : tensor<3x?x80xbf16>
}
