// Products on Hopper's matrix units, on the simulator, which runs the very warpgroup instructions, tensor copies and barriers:
// every order of the operands, more terms than the stages hold, edges that no tile divides, batches, epilogues, run-time sizes.
// RUN: forge verify %s --function rows_by_columns --target sim:sm_90a
// RUN: forge verify %s --function transposed_rhs --target sim:sm_90a
// RUN: forge verify %s --function transposed_lhs --target sim:sm_90a
// RUN: forge verify %s --function both_transposed --target sim:sm_90a
// RUN: forge verify %s --function all --target sim:sm_90a
// RUN: forge verify %s --function gelu --target sim:sm_90a
// RUN: forge verify %s --function wide_result --target sim:sm_90a
// RUN: forge verify %s --function wide_pairs --target sim:sm_90a
// RUN: forge verify %s --function narrow_pairs --target sim:sm_90a
// RUN: forge verify %s --function odd_columns --target sim:sm_90a
// RUN: forge verify %s --function batches --target sim:sm_90a
// RUN: forge verify %s --function dynamic --target sim:sm_90a --dynamic-size 77
// RUN: forge verify %s --function dynamic --target sim:sm_90a --dynamic-size 0
// RUN: forge verify %s --function several_rows --target sim:sm_90a
// Maps are made again in every step, of buffers that change places; graphs replay them.
// RUN: forge verify %s --function chain --target sim:sm_90a
// RUN: env FORGE_GRAPHS=0 forge verify %s --function chain --target sim:sm_90a
// RUN: env FORGE_SIM_SEED=5 forge verify %s --function all --target sim:sm_90a
// A chip without them takes another strategy.
// RUN: forge verify %s --function all --target sim:sm_80
// RUN: forge compile %s --function all --target cuda:sm_90a --tier optimized --to ptx -o - | FileCheck %s

// CHECK: .param .align 64 .b8 {{.*}}[128]
// CHECK-DAG: setmaxnreg.dec
// CHECK-DAG: cp.async.bulk.tensor.2d
// CHECK-DAG: setmaxnreg.inc
// CHECK-DAG: wgmma.mma_async.sync.aligned.m64n64k16.f32.bf16.bf16

func.func @rows_by_columns(%x: tensor<130x648xbf16>, %w: tensor<648x72xbf16>) -> tensor<130x72xbf16> {
  %0 = transformer.matmul %x, %w : (tensor<130x648xbf16>, tensor<648x72xbf16>) -> tensor<130x72xbf16>
  return %0 : tensor<130x72xbf16>
}
func.func @transposed_rhs(%x: tensor<70x648xf16>, %w: tensor<200x648xf16>) -> tensor<70x200xf16> {
  %0 = transformer.matmul %x, %w {transpose_rhs} : (tensor<70x648xf16>, tensor<200x648xf16>) -> tensor<70x200xf16>
  return %0 : tensor<70x200xf16>
}
func.func @transposed_lhs(%x: tensor<200x136xbf16>, %w: tensor<200x264xbf16>) -> tensor<136x264xbf16> {
  %0 = transformer.matmul %x, %w {transpose_lhs} : (tensor<200x136xbf16>, tensor<200x264xbf16>) -> tensor<136x264xbf16>
  return %0 : tensor<136x264xbf16>
}
func.func @both_transposed(%x: tensor<72x200xbf16>, %w: tensor<264x72xbf16>) -> tensor<200x264xbf16> {
  %0 = transformer.matmul %x, %w {transpose_lhs, transpose_rhs} : (tensor<72x200xbf16>, tensor<264x72xbf16>) -> tensor<200x264xbf16>
  return %0 : tensor<200x264xbf16>
}
func.func @all(%x: tensor<131x72xbf16>, %w: tensor<104x72xbf16>, %b: tensor<104xbf16>, %r: tensor<131x104xbf16>) -> tensor<131x104xbf16> {
  %0 = transformer.matmul %x, %w bias %b residual %r {transpose_rhs}
      : (tensor<131x72xbf16>, tensor<104x72xbf16>, tensor<104xbf16>, tensor<131x104xbf16>) -> tensor<131x104xbf16>
  return %0 : tensor<131x104xbf16>
}
func.func @gelu(%x: tensor<64x64xf16>, %w: tensor<64x72xf16>, %b: tensor<72xf16>) -> tensor<64x72xf16> {
  %0 = transformer.matmul %x, %w bias %b {activation = #transformer.activation<gelu_tanh>} : (tensor<64x64xf16>, tensor<64x72xf16>, tensor<72xf16>) -> tensor<64x72xf16>
  return %0 : tensor<64x72xf16>
}
func.func @wide_result(%x: tensor<67x72xbf16>, %w: tensor<72x80xbf16>) -> tensor<67x80xf32> {
  %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<67x72xbf16>, tensor<72x80xbf16>) -> tensor<67x80xf32>
  return %0 : tensor<67x80xf32>
}
// Columns that eight does not divide: pairs and single elements are stored.
func.func @wide_pairs(%x: tensor<2x67x72xbf16>, %w: tensor<2x84x72xbf16>) -> tensor<2x67x84xf32> {
  %0 = stablehlo.dot_general %x, %w, batching_dims = [0] x [0], contracting_dims = [2] x [2] : (tensor<2x67x72xbf16>, tensor<2x84x72xbf16>) -> tensor<2x67x84xf32>
  return %0 : tensor<2x67x84xf32>
}
func.func @narrow_pairs(%x: tensor<67x72xbf16>, %w: tensor<78x72xbf16>, %r: tensor<67x78xbf16>) -> tensor<67x78xbf16> {
  %0 = transformer.matmul %x, %w residual %r {transpose_rhs} : (tensor<67x72xbf16>, tensor<78x72xbf16>, tensor<67x78xbf16>) -> tensor<67x78xbf16>
  return %0 : tensor<67x78xbf16>
}
func.func @odd_columns(%x: tensor<67x72xbf16>, %w: tensor<77x72xbf16>) -> tensor<67x77xf32> {
  %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [1] : (tensor<67x72xbf16>, tensor<77x72xbf16>) -> tensor<67x77xf32>
  return %0 : tensor<67x77xf32>
}
func.func @batches(%x: tensor<2x3x66x64xbf16>, %w: tensor<2x3x72x64xbf16>) -> tensor<2x3x66x72xbf16> {
  %0 = transformer.matmul %x, %w {transpose_rhs} : (tensor<2x3x66x64xbf16>, tensor<2x3x72x64xbf16>) -> tensor<2x3x66x72xbf16>
  return %0 : tensor<2x3x66x72xbf16>
}
func.func @dynamic(%x: tensor<?x72xbf16>, %w: tensor<72x136xbf16>, %b: tensor<136xbf16>) -> tensor<?x136xbf16> {
  %0 = transformer.matmul %x, %w bias %b : (tensor<?x72xbf16>, tensor<72x136xbf16>, tensor<136xbf16>) -> tensor<?x136xbf16>
  return %0 : tensor<?x136xbf16>
}
func.func @several_rows(%x: tensor<3x5x9x64xbf16>, %w: tensor<64x2x40xbf16>) -> tensor<3x5x9x2x40xbf16> {
  %0 = stablehlo.dot_general %x, %w, contracting_dims = [3] x [0] : (tensor<3x5x9x64xbf16>, tensor<64x2x40xbf16>) -> tensor<3x5x9x2x40xbf16>
  return %0 : tensor<3x5x9x2x40xbf16>
}
func.func @chain(%x: tensor<72x72xbf16>, %w: tensor<72x72xbf16>, %b: tensor<72xbf16>) -> tensor<72x72xbf16> {
  %from = stablehlo.constant dense<0> : tensor<i32>
  %y:2 = stablehlo.while(%i = %from, %a = %x) : tensor<i32>, tensor<72x72xbf16>
    cond {
      %to = stablehlo.constant dense<5> : tensor<i32>
      %more = stablehlo.compare LT, %i, %to : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %more : tensor<i1>
    } do {
      %0 = transformer.matmul %a, %w bias %b {activation = #transformer.activation<relu>} : (tensor<72x72xbf16>, tensor<72x72xbf16>, tensor<72xbf16>) -> tensor<72x72xbf16>
      %1 = transformer.matmul %w, %0 residual %a : (tensor<72x72xbf16>, tensor<72x72xbf16>, tensor<72x72xbf16>) -> tensor<72x72xbf16>
      %one = stablehlo.constant dense<1> : tensor<i32>
      %next = stablehlo.add %i, %one : tensor<i32>
      stablehlo.return %next, %1 : tensor<i32>, tensor<72x72xbf16>
    }
  return %y#1 : tensor<72x72xbf16>
}
