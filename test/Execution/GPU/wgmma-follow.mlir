// What follows a product on matrix units, in the same kernel, on the simulator: activations, scales of rows and columns, operands of
// every type and order, results of several types, pairs of products; rows, columns and terms that no tile divides.
// RUN: forge compile %s --function gated --target sim:sm_90a --to kernels -o - | FileCheck %s --check-prefix=PAIR
// RUN: forge verify %s --function gated --target sim:sm_90a
// RUN: env FORGE_SIM_SEED=7 forge verify %s --function gated --target sim:sm_90a
// RUN: forge verify %s --function gated --target sim:sm_90a --distribution huge
// RUN: forge compile %s --function gated_wide --target sim:sm_90a --to kernels -o - | FileCheck %s --check-prefix=PAIR
// RUN: forge verify %s --function gated_wide --target sim:sm_90a
// RUN: forge verify %s --function gated_mlp --target sim:sm_90a
// RUN: forge verify %s --function gated_dynamic --target sim:sm_90a --dynamic-size 77
// RUN: forge verify %s --function gated_dynamic --target sim:sm_90a --dynamic-size 0
// A chip without matrix units of this kind takes the product and what follows apart.
// RUN: forge verify %s --function gated --target sim:sm_80
// RUN: forge compile %s --function two_lefts --target sim:sm_90a --to kernels -o - | FileCheck %s --check-prefix=TWO
// RUN: forge verify %s --function two_lefts --target sim:sm_90a
// RUN: forge compile %s --function silu --target sim:sm_90a --to kernels -o - | FileCheck %s --check-prefix=ONE
// RUN: forge verify %s --function silu --target sim:sm_90a
// RUN: forge verify %s --function silu --target sim:sm_90a --distribution huge
// GELU as JAX writes it, by erfc.
// RUN: forge compile %s --function gelu_erfc --target sim:sm_90a --to kernels -o - | FileCheck %s --check-prefix=ONE
// RUN: forge verify %s --function gelu_erfc --target sim:sm_90a
// RUN: forge verify %s --function gelu_erfc --target sim:sm_90a --distribution huge
// RUN: forge compile %s --function soft_cap --target sim:sm_90a --to kernels -o - | FileCheck %s --check-prefix=ONE
// RUN: forge verify %s --function soft_cap --target sim:sm_90a
// RUN: forge compile %s --function scales --target sim:sm_90a --to kernels -o - | FileCheck %s --check-prefix=ONE
// RUN: forge verify %s --function scales --target sim:sm_90a
// RUN: env FORGE_SIM_SEED=3 forge verify %s --function many --target sim:sm_90a
// RUN: forge compile %s --function two_results --target sim:sm_90a --to kernels -o - | FileCheck %s --check-prefix=ONE
// RUN: forge verify %s --function two_results --target sim:sm_90a
// RUN: forge compile %s --function heads --target sim:sm_90a --to kernels -o - | FileCheck %s --check-prefix=ONE
// RUN: forge verify %s --function heads --target sim:sm_90a
// Operands that have no axis whole are gathered; parts of buffers and gathers in the naive form, too.
// RUN: forge compile %s --function heads --target sim:sm_90a --to blocks -o - | FileCheck %s --check-prefix=GATHERED
// RUN: forge verify %s --function heads --target sim:sm_90a --each-stage
// RUN: forge verify %s --function gated --target sim:sm_90a --each-stage
// GATHERED: tile.gather
// RUN: forge compile %s --function quantised --target sim:sm_90a --to kernels -o - | FileCheck %s --check-prefix=ONE
// RUN: forge verify %s --function quantised --target sim:sm_90a
// RUN: forge compile %s --function to_f8 --target sim:sm_90a --to kernels -o - | FileCheck %s --check-prefix=ONE
// RUN: forge verify %s --function to_f8 --target sim:sm_90a
// RUN: forge compile %s --function to_f64 --target sim:sm_90a --to kernels -o - | FileCheck %s --check-prefix=ONE
// RUN: forge verify %s --function to_f64 --target sim:sm_90a
// RUN: forge verify %s --function dynamic --target sim:sm_90a --dynamic-size 77
// RUN: forge verify %s --function dynamic --target sim:sm_90a --dynamic-size 0
// RUN: forge compile %s --function widest --target sim:sm_90a --to kernels -o - | FileCheck %s --check-prefix=WIDEST
// RUN: forge verify %s --function widest --target sim:sm_90a --dynamic-size 131
// RUN: forge compile %s --function uniform --target sim:sm_90a --to kernels -o - | FileCheck %s --check-prefix=ONE
// RUN: forge verify %s --function uniform --target sim:sm_90a
// RUN: forge verify %s --function part --target sim:sm_90a
// RUN: forge verify %s --function loop --target sim:sm_90a
// RUN: forge compile %s --function gated_gelu --target sim:sm_90a --to kernels -o - | FileCheck %s --check-prefix=PAIR
// RUN: forge verify %s --function gated_gelu --target sim:sm_90a
// RUN: forge verify %s --function gated_gelu --target sim:sm_90a --distribution huge
// RUN: forge verify %s --function one_bit --target sim:sm_90a

// PAIR: strategy = wgmma, m = 128, n = 128, k = 64, stages = 7
// PAIR-NOT: strategy =
// TWO-COUNT-2: strategy = wgmma,
// TWO-NOT: strategy =
// WIDEST: strategy = wgmma, m = 128, n = 256, k = 64, stages = 4
// ONE: strategy = wgmma,
// ONE-NOT: strategy =

// Columns stored side by side, in boxes of 64; the other half with a bias of each column.
func.func @gated_wide(%x: tensor<66x72xf16>, %g: tensor<72x136xf16>, %u: tensor<72x136xf16>, %b: tensor<136xf16>) -> tensor<66x136xf32> {
  %0 = stablehlo.dot_general %x, %g, contracting_dims = [1] x [0] : (tensor<66x72xf16>, tensor<72x136xf16>) -> tensor<66x136xf32>
  %1 = stablehlo.dot_general %x, %u, contracting_dims = [1] x [0] : (tensor<66x72xf16>, tensor<72x136xf16>) -> tensor<66x136xf32>
  %2 = stablehlo.convert %b : (tensor<136xf16>) -> tensor<136xf32>
  %3 = stablehlo.broadcast_in_dim %2, dims = [1] : (tensor<136xf32>) -> tensor<66x136xf32>
  %4 = stablehlo.add %1, %3 : tensor<66x136xf32>
  %5 = stablehlo.maximum %0, %4 : tensor<66x136xf32>
  %6 = stablehlo.subtract %5, %0 : tensor<66x136xf32>
  return %6 : tensor<66x136xf32>
}
func.func @gated_dynamic(%x: tensor<?x72xbf16>, %g: tensor<136x72xbf16>, %u: tensor<136x72xbf16>) -> tensor<?x136xbf16> {
  %0 = transformer.matmul %x, %g {activation = #transformer.activation<silu>, transpose_rhs} : (tensor<?x72xbf16>, tensor<136x72xbf16>) -> tensor<?x136xbf16>
  %1 = transformer.matmul %x, %u {transpose_rhs} : (tensor<?x72xbf16>, tensor<136x72xbf16>) -> tensor<?x136xbf16>
  %2 = stablehlo.multiply %0, %1 : tensor<?x136xbf16>
  return %2 : tensor<?x136xbf16>
}
func.func @gated_gelu(%x: tensor<130x72xbf16>, %g: tensor<104x72xbf16>, %u: tensor<104x72xbf16>) -> tensor<130x104xbf16> {
  %0 = transformer.matmul %x, %g {activation = #transformer.activation<gelu_tanh>, transpose_rhs} : (tensor<130x72xbf16>, tensor<104x72xbf16>) -> tensor<130x104xbf16>
  %1 = transformer.matmul %x, %u {transpose_rhs} : (tensor<130x72xbf16>, tensor<104x72xbf16>) -> tensor<130x104xbf16>
  %2 = stablehlo.multiply %0, %1 : tensor<130x104xbf16>
  return %2 : tensor<130x104xbf16>
}
func.func @silu(%x: tensor<130x72xbf16>, %w: tensor<104x72xbf16>, %b: tensor<104xbf16>) -> tensor<130x104xbf16> {
  %0 = transformer.matmul %x, %w bias %b {transpose_rhs, activation = #transformer.activation<silu>} : (tensor<130x72xbf16>, tensor<104x72xbf16>, tensor<104xbf16>) -> tensor<130x104xbf16>
  return %0 : tensor<130x104xbf16>
}
// A tanh that is rounded to 16 bits.
func.func @soft_cap(%x: tensor<66x72xbf16>, %w: tensor<72x80xbf16>) -> tensor<66x80xbf16> {
  %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<66x72xbf16>, tensor<72x80xbf16>) -> tensor<66x80xf32>
  %c = stablehlo.constant dense<3.0> : tensor<66x80xf32>
  %1 = stablehlo.divide %0, %c : tensor<66x80xf32>
  %2 = stablehlo.tanh %1 : tensor<66x80xf32>
  %3 = stablehlo.multiply %2, %c : tensor<66x80xf32>
  %4 = stablehlo.convert %3 : (tensor<66x80xf32>) -> tensor<66x80xbf16>
  return %4 : tensor<66x80xbf16>
}
// Two operations on the sums, of one kernel.
func.func @two_results(%x: tensor<66x72xbf16>, %w: tensor<72x80xbf16>) -> (tensor<66x80xbf16>, tensor<66x80xf32>) {
  %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<66x72xbf16>, tensor<72x80xbf16>) -> tensor<66x80xf32>
  %1 = stablehlo.convert %0 : (tensor<66x80xf32>) -> tensor<66x80xbf16>
  %2 = stablehlo.abs %0 : tensor<66x80xf32>
  return %1, %2 : tensor<66x80xbf16>, tensor<66x80xf32>
}
func.func @gated(%x: tensor<130x72xbf16>, %g: tensor<72x104xbf16>, %u: tensor<72x104xbf16>) -> tensor<130x104xbf16> {
  %0 = stablehlo.dot_general %x, %g, contracting_dims = [1] x [0] : (tensor<130x72xbf16>, tensor<72x104xbf16>) -> tensor<130x104xbf16>
  %1 = stablehlo.dot_general %x, %u, contracting_dims = [1] x [0] : (tensor<130x72xbf16>, tensor<72x104xbf16>) -> tensor<130x104xbf16>
  %3 = stablehlo.logistic %0 : tensor<130x104xbf16>
  %4 = stablehlo.multiply %0, %3 : tensor<130x104xbf16>
  %5 = stablehlo.multiply %4, %1 : tensor<130x104xbf16>
  return %5 : tensor<130x104xbf16>
}
func.func @gated_mlp(%x: tensor<70x136xf16>, %g: tensor<264x136xf16>, %u: tensor<264x136xf16>, %d: tensor<136x264xf16>, %b: tensor<264xf16>, %c: tensor<264xf16>) -> tensor<70x136xf16> {
  %0 = transformer.gated_mlp %x gate %g bias %b up %u bias %c down %d residual %x {activation = #transformer.activation<silu>, transpose_weights} : (tensor<70x136xf16>, tensor<264x136xf16>, tensor<264xf16>, tensor<264x136xf16>, tensor<264xf16>, tensor<136x264xf16>, tensor<70x136xf16>) -> tensor<70x136xf16>
  return %0 : tensor<70x136xf16>
}
// Products of two left factors: what follows is the first's, and reads the second rounded.
func.func @two_lefts(%x: tensor<130x72xbf16>, %y: tensor<130x72xbf16>, %g: tensor<72x104xbf16>, %u: tensor<72x104xbf16>) -> tensor<130x104xf32> {
  %0 = stablehlo.dot_general %x, %g, contracting_dims = [1] x [0] : (tensor<130x72xbf16>, tensor<72x104xbf16>) -> tensor<130x104xf32>
  %1 = stablehlo.dot_general %y, %u, contracting_dims = [1] x [0] : (tensor<130x72xbf16>, tensor<72x104xbf16>) -> tensor<130x104xbf16>
  %c = stablehlo.constant dense<30.0> : tensor<130x104xf32>
  %2 = stablehlo.divide %0, %c : tensor<130x104xf32>
  %3 = stablehlo.exponential %2 : tensor<130x104xf32>
  %4 = stablehlo.multiply %3, %c : tensor<130x104xf32>
  %5 = stablehlo.convert %1 : (tensor<130x104xbf16>) -> tensor<130x104xf32>
  %6 = stablehlo.add %4, %5 : tensor<130x104xf32>
  return %6 : tensor<130x104xf32>
}
// Dequantisation scales, of rows and of columns.
func.func @scales(%x: tensor<131x72xbf16>, %w: tensor<200x72xbf16>, %s: tensor<131xf32>, %t: tensor<200xf32>) -> tensor<131x200xf32> {
  %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [1] : (tensor<131x72xbf16>, tensor<200x72xbf16>) -> tensor<131x200xf32>
  %1 = stablehlo.broadcast_in_dim %s, dims = [0] : (tensor<131xf32>) -> tensor<131x200xf32>
  %2 = stablehlo.broadcast_in_dim %t, dims = [1] : (tensor<200xf32>) -> tensor<131x200xf32>
  %3 = stablehlo.multiply %0, %1 : tensor<131x200xf32>
  %4 = stablehlo.multiply %3, %2 : tensor<131x200xf32>
  return %4 : tensor<131x200xf32>
}
// More operands than are read ahead, of several types, one read across; the place of an element.
func.func @many(%x: tensor<67x72xbf16>, %w: tensor<72x264xbf16>, %a: tensor<67x264xf32>, %b: tensor<264x67xf32>, %c: tensor<67x264xf64>, %d: tensor<67x264xi8>, %m: tensor<67x264xi1>) -> (tensor<67x264xf32>, tensor<67x264xbf16>) {
  %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<67x72xbf16>, tensor<72x264xbf16>) -> tensor<67x264xf32>
  %1 = stablehlo.transpose %b, dims = [1, 0] : (tensor<264x67xf32>) -> tensor<67x264xf32>
  %2 = stablehlo.add %0, %a : tensor<67x264xf32>
  %3 = stablehlo.add %2, %1 : tensor<67x264xf32>
  %4 = stablehlo.convert %c : (tensor<67x264xf64>) -> tensor<67x264xf32>
  %5 = stablehlo.add %3, %4 : tensor<67x264xf32>
  %6 = stablehlo.convert %d : (tensor<67x264xi8>) -> tensor<67x264xf32>
  %7 = stablehlo.add %5, %6 : tensor<67x264xf32>
  %i = stablehlo.iota dim = 1 : tensor<67x264xf32>
  %8 = stablehlo.select %m, %7, %i : tensor<67x264xi1>, tensor<67x264xf32>
  %9 = stablehlo.convert %8 : (tensor<67x264xf32>) -> tensor<67x264xbf16>
  return %8, %9 : tensor<67x264xf32>, tensor<67x264xbf16>
}
func.func @heads(%x: tensor<3x5x9x64xbf16>, %w: tensor<64x2x40xbf16>, %s: tensor<3x9xf32>, %t: tensor<40xbf16>, %r: tensor<3x5x9x2x40xbf16>) -> tensor<3x5x9x2x40xbf16> {
  %0 = stablehlo.dot_general %x, %w, contracting_dims = [3] x [0] : (tensor<3x5x9x64xbf16>, tensor<64x2x40xbf16>) -> tensor<3x5x9x2x40xf32>
  %1 = stablehlo.broadcast_in_dim %s, dims = [0, 2] : (tensor<3x9xf32>) -> tensor<3x5x9x2x40xf32>
  %2 = stablehlo.multiply %0, %1 : tensor<3x5x9x2x40xf32>
  %3 = stablehlo.convert %2 : (tensor<3x5x9x2x40xf32>) -> tensor<3x5x9x2x40xbf16>
  %4 = stablehlo.broadcast_in_dim %t, dims = [4] : (tensor<40xbf16>) -> tensor<3x5x9x2x40xbf16>
  %5 = stablehlo.add %3, %4 : tensor<3x5x9x2x40xbf16>
  %6 = stablehlo.add %5, %r : tensor<3x5x9x2x40xbf16>
  return %6 : tensor<3x5x9x2x40xbf16>
}
func.func @quantised(%x: tensor<130x72xbf16>, %w: tensor<72x80xbf16>, %s: tensor<80xf32>) -> tensor<130x80xi8> {
  %0 = transformer.matmul %x, %w : (tensor<130x72xbf16>, tensor<72x80xbf16>) -> tensor<130x80xbf16>
  %q = transformer.quantize %0 scale %s {axis = 1 : i64} : (tensor<130x80xbf16>, tensor<80xf32>) -> tensor<130x80xi8>
  return %q : tensor<130x80xi8>
}
func.func @to_f8(%x: tensor<130x72xbf16>, %w: tensor<72x80xbf16>, %y: tensor<130x80xf8E4M3FN>) -> tensor<130x80xf8E4M3FN> {
  %0 = transformer.matmul %x, %w : (tensor<130x72xbf16>, tensor<72x80xbf16>) -> tensor<130x80xbf16>
  %1 = stablehlo.convert %y : (tensor<130x80xf8E4M3FN>) -> tensor<130x80xbf16>
  %2 = stablehlo.add %0, %1 : tensor<130x80xbf16>
  %3 = stablehlo.convert %2 : (tensor<130x80xbf16>) -> tensor<130x80xf8E4M3FN>
  return %3 : tensor<130x80xf8E4M3FN>
}
func.func @to_f64(%x: tensor<2x66x72xf16>, %w: tensor<2x72x80xf16>, %y: tensor<2x80xf64>) -> tensor<2x66x80xf64> {
  %0 = stablehlo.dot_general %x, %w, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<2x66x72xf16>, tensor<2x72x80xf16>) -> tensor<2x66x80xf32>
  %1 = stablehlo.convert %0 : (tensor<2x66x80xf32>) -> tensor<2x66x80xf64>
  %2 = stablehlo.broadcast_in_dim %y, dims = [0, 2] : (tensor<2x80xf64>) -> tensor<2x66x80xf64>
  %3 = stablehlo.multiply %1, %2 : tensor<2x66x80xf64>
  %4 = stablehlo.exponential %3 : tensor<2x66x80xf64>
  return %4 : tensor<2x66x80xf64>
}
func.func @dynamic(%x: tensor<?x72xbf16>, %w: tensor<72x136xbf16>, %s: tensor<?xf32>, %r: tensor<?x136xf32>) -> tensor<?x136xbf16> {
  %0 = transformer.matmul %x, %w {activation = #transformer.activation<gelu>} : (tensor<?x72xbf16>, tensor<72x136xbf16>) -> tensor<?x136xbf16>
  %1 = stablehlo.convert %r : (tensor<?x136xf32>) -> tensor<?x136xbf16>
  %2 = stablehlo.add %0, %1 : tensor<?x136xbf16>
  return %2 : tensor<?x136xbf16>
}
// The widest tile leaves no registers for one of three operands: it is read with its chunk, not ahead.
func.func @widest(%x: tensor<?x72xbf16>, %w: tensor<72x264xbf16>, %b: tensor<264xf32>, %r: tensor<?x264xbf16>, %s: tensor<?x264xf32>) -> tensor<?x264xbf16> {
  %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<?x72xbf16>, tensor<72x264xbf16>) -> tensor<?x264xf32>
  %1 = chlo.broadcast_add %0, %b : (tensor<?x264xf32>, tensor<264xf32>) -> tensor<?x264xf32>
  %2 = stablehlo.convert %r : (tensor<?x264xbf16>) -> tensor<?x264xf32>
  %3 = stablehlo.add %1, %2 : tensor<?x264xf32>
  %4 = stablehlo.multiply %3, %s : tensor<?x264xf32>
  %5 = stablehlo.convert %4 : (tensor<?x264xf32>) -> tensor<?x264xbf16>
  return %5 : tensor<?x264xbf16>
}
// A scale of each matrix, and one of all.
func.func @uniform(%x: tensor<3x66x64xbf16>, %w: tensor<3x64x72xbf16>, %s: tensor<3xf32>, %t: tensor<f32>) -> tensor<3x66x72xbf16> {
  %0 = stablehlo.dot_general %x, %w, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<3x66x64xbf16>, tensor<3x64x72xbf16>) -> tensor<3x66x72xf32>
  %1 = stablehlo.broadcast_in_dim %s, dims = [0] : (tensor<3xf32>) -> tensor<3x66x72xf32>
  %2 = stablehlo.broadcast_in_dim %t, dims = [] : (tensor<f32>) -> tensor<3x66x72xf32>
  %3 = stablehlo.multiply %0, %1 : tensor<3x66x72xf32>
  %4 = stablehlo.subtract %3, %2 : tensor<3x66x72xf32>
  %5 = stablehlo.convert %4 : (tensor<3x66x72xf32>) -> tensor<3x66x72xbf16>
  return %5 : tensor<3x66x72xbf16>
}
// A part of a tensor begins at an odd element: no two of it are read at once.
func.func @part(%x: tensor<66x72xbf16>, %w: tensor<72x80xbf16>, %r: tensor<70x83xbf16>) -> tensor<66x80xbf16> {
  %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<66x72xbf16>, tensor<72x80xbf16>) -> tensor<66x80xf32>
  %1 = stablehlo.slice %r [3:69, 1:81] : (tensor<70x83xbf16>) -> tensor<66x80xbf16>
  %2 = stablehlo.convert %1 : (tensor<66x80xbf16>) -> tensor<66x80xf32>
  %3 = stablehlo.multiply %0, %2 : tensor<66x80xf32>
  %4 = stablehlo.convert %3 : (tensor<66x80xf32>) -> tensor<66x80xbf16>
  return %4 : tensor<66x80xbf16>
}
// What a step computes is read by the next, as a factor and by what follows.
func.func @loop(%x: tensor<72x72xbf16>, %w: tensor<72x72xbf16>, %v: tensor<72x72xbf16>) -> tensor<72x72xbf16> {
  %from = stablehlo.constant dense<0> : tensor<i32>
  %y:2 = stablehlo.while(%i = %from, %a = %x) : tensor<i32>, tensor<72x72xbf16>
    cond {
      %to = stablehlo.constant dense<4> : tensor<i32>
      %more = stablehlo.compare LT, %i, %to : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %more : tensor<i1>
    } do {
      %0 = transformer.matmul %a, %w {activation = #transformer.activation<silu>} : (tensor<72x72xbf16>, tensor<72x72xbf16>) -> tensor<72x72xbf16>
      %1 = transformer.matmul %a, %v : (tensor<72x72xbf16>, tensor<72x72xbf16>) -> tensor<72x72xbf16>
      %2 = stablehlo.multiply %0, %1 : tensor<72x72xbf16>
      %3 = stablehlo.tanh %2 : tensor<72x72xbf16>
      %4 = stablehlo.subtract %a, %3 : tensor<72x72xbf16>
      %one = stablehlo.constant dense<1> : tensor<i32>
      %next = stablehlo.add %i, %one : tensor<i32>
      stablehlo.return %next, %4 : tensor<i32>, tensor<72x72xbf16>
    }
  return %y#1 : tensor<72x72xbf16>
}
// Bits are no results of these kernels.
func.func @one_bit(%x: tensor<70x72xbf16>, %w: tensor<72x80xbf16>) -> tensor<70x80xi1> {
  %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<70x72xbf16>, tensor<72x80xbf16>) -> tensor<70x80xf32>
  %z = stablehlo.constant dense<0.0> : tensor<70x80xf32>
  %1 = stablehlo.compare GT, %0, %z : (tensor<70x80xf32>, tensor<70x80xf32>) -> tensor<70x80xi1>
  return %1 : tensor<70x80xi1>
}
func.func @gelu_erfc(%x: tensor<130x72xbf16>, %w: tensor<72x136xbf16>) -> tensor<130x136xbf16> {
  %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<130x72xbf16>, tensor<72x136xbf16>) -> tensor<130x136xbf16>
  %half = stablehlo.constant dense<5.000000e-01> : tensor<130x136xbf16>
  %root = stablehlo.constant dense<7.070310e-01> : tensor<130x136xbf16>
  %1 = stablehlo.multiply %0, %half : tensor<130x136xbf16>
  %2 = stablehlo.negate %0 : tensor<130x136xbf16>
  %3 = stablehlo.multiply %2, %root : tensor<130x136xbf16>
  %4 = chlo.erfc %3 : tensor<130x136xbf16> -> tensor<130x136xbf16>
  %5 = stablehlo.multiply %1, %4 : tensor<130x136xbf16>
  return %5 : tensor<130x136xbf16>
}
