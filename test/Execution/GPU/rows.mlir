// Row kernels of every form, on the simulator with warps of 32 and 64, against the reference: rows in registers, shared by a
// warp, by a block, looped over, cut into pieces; sizes that divide nothing; all -inf, and one element.
// RUN: forge verify %s --function softmax --target sim:sm_90a
// RUN: forge verify %s --function softmax --target sim:gfx942
// RUN: forge verify %s --function softmax_long --target sim:sm_90a
// RUN: forge verify %s --function softmax_long --target sim:gfx1100
// RUN: forge verify %s --function log_softmax_dynamic --target sim:sm_90a --dynamic-size 37
// RUN: forge verify %s --function log_softmax_dynamic --target sim:gfx942 --dynamic-size 1
// RUN: forge verify %s --function residual_norm --target sim:sm_90a
// RUN: forge verify %s --function residual_norm --target sim:gfx90a
// RUN: forge verify %s --function layer_norm_f64 --target sim:sm_90a
// RUN: forge verify %s --function narrow --target sim:sm_90a
// RUN: forge verify %s --function argmax --target sim:sm_90a
// RUN: forge verify %s --function argmax --target sim:gfx942
// Equals: the lowest index, whichever thread saw it.
// RUN: forge verify %s --function argmax_of_equals --target sim:sm_90a --distribution ties
// RUN: forge verify %s --function argmax_of_equals --target sim:gfx942 --distribution ties
// RUN: forge verify %s --function argmax_of_equals --target cpu --distribution ties
// RUN: forge verify %s --function pieces --target sim:gfx942
// RUN: forge verify %s --function pieces --target sim:sm_90a

func.func @softmax(%x: tensor<5x33xf32>) -> tensor<5x33xf32> {
  %y = transformer.softmax %x {dimension = 1 : i64} : tensor<5x33xf32>
  return %y : tensor<5x33xf32>
}
func.func @softmax_long(%x: tensor<3x40008xbf16>) -> tensor<3x40008xbf16> {
  %y = transformer.softmax %x {dimension = 1 : i64} : tensor<3x40008xbf16>
  return %y : tensor<3x40008xbf16>
}
func.func @log_softmax_dynamic(%x: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %y = transformer.log_softmax %x {dimension = 1 : i64} : tensor<?x?xf32>
  return %y : tensor<?x?xf32>
}
func.func @residual_norm(%x: tensor<7x1544xbf16>, %r: tensor<7x1544xbf16>, %w: tensor<1544xbf16>) -> (tensor<7x1544xbf16>, tensor<7x1544xbf16>) {
  %s = transformer.add %x, %r : tensor<7x1544xbf16>
  %y = transformer.rms_norm %s scale %w {epsilon = 1.0e-05 : f32} : (tensor<7x1544xbf16>, tensor<1544xbf16>) -> tensor<7x1544xbf16>
  return %s, %y : tensor<7x1544xbf16>, tensor<7x1544xbf16>
}
func.func @layer_norm_f64(%x: tensor<3x130xf64>, %w: tensor<130xf64>) -> tensor<3x130xf64> {
  %y = transformer.layer_norm %x scale %w {epsilon = 1.0e-05 : f32} : (tensor<3x130xf64>, tensor<130xf64>) -> tensor<3x130xf64>
  return %y : tensor<3x130xf64>
}
func.func @narrow(%x: tensor<9x40xf16>) -> tensor<9x40xf16> {
  %a = stablehlo.tanh %x : tensor<9x40xf16>
  %b = stablehlo.exponential %a : tensor<9x40xf16>
  return %b : tensor<9x40xf16>
}
func.func @argmax_of_equals(%x: tensor<7x1037xf32>) -> tensor<7xi32> {
  %i = transformer.argmax %x : tensor<7x1037xf32> -> tensor<7xi32>
  return %i : tensor<7xi32>
}
func.func @argmax(%x: tensor<6x1001xf32>) -> (tensor<6xf32>, tensor<6xi32>) {
  %i = stablehlo.iota dim = 1 : tensor<6x1001xi32>
  %lowest = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %z = stablehlo.constant dense<0> : tensor<i32>
  %v, %k = "stablehlo.reduce"(%x, %i, %lowest, %z) ({
  ^bb0(%a: tensor<f32>, %ai: tensor<i32>, %b: tensor<f32>, %bi: tensor<i32>):
    %gt = stablehlo.compare GT, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %ne = stablehlo.compare NE, %a, %a : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %p = stablehlo.or %gt, %ne : tensor<i1>
    %eq = stablehlo.compare EQ, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %lt = stablehlo.compare LT, %ai, %bi : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %q = stablehlo.and %eq, %lt : tensor<i1>
    %r = stablehlo.or %p, %q : tensor<i1>
    %vv = stablehlo.select %p, %a, %b : tensor<i1>, tensor<f32>
    %ii = stablehlo.select %r, %ai, %bi : tensor<i1>, tensor<i32>
    stablehlo.return %vv, %ii : tensor<f32>, tensor<i32>
  }) {dimensions = array<i64: 1>} : (tensor<6x1001xf32>, tensor<6x1001xi32>, tensor<f32>, tensor<i32>) -> (tensor<6xf32>, tensor<6xi32>)
  return %v, %k : tensor<6xf32>, tensor<6xi32>
}
func.func @pieces(%x: tensor<2x10007xf32>, %y: tensor<2x10007xf32>) -> tensor<2x10007xf32> {
  %s = transformer.activation silu %x : tensor<2x10007xf32>
  %p = transformer.multiply %s, %y : tensor<2x10007xf32>
  return %p : tensor<2x10007xf32>
}
// An element that is read before the rows (the greatest position, on which the frequencies depend).
// RUN: forge verify %s --function read_first --target sim:sm_90a
func.func @read_first(%x: tensor<?x6x?x14xf32>, %p: tensor<?x?xi32>) -> tensor<?x6x?x14xf32> {
  %y = transformer.rope %x positions %p {scaling = #transformer.rope_scaling<dynamic, factor = 2.0, original_length = 1024>}
      : (tensor<?x6x?x14xf32>, tensor<?x?xi32>) -> tensor<?x6x?x14xf32>
  return %y : tensor<?x6x?x14xf32>
}
// Clusters: what is kept of a row in shared memory, in pieces of vectors and of single elements, over two and three passes.
// RUN: forge verify %s --function log_softmax_cluster --target sim:sm_90a
// RUN: forge verify %s --function softmax_odd --target sim:sm_90a
// RUN: forge verify %s --function layer_norm_cluster --target sim:sm_90a
// RUN: forge verify %s --function layer_norm_cluster --target sim:gfx942
// RUN: env FORGE_SIM_SEED=7 forge verify %s --function log_softmax_cluster --target sim:sm_90a
func.func @log_softmax_cluster(%x: tensor<2x131000xbf16>) -> tensor<2x131000xf32> {
  %w = stablehlo.convert %x : (tensor<2x131000xbf16>) -> tensor<2x131000xf32>
  %y = transformer.log_softmax %w {dimension = 1 : i64} : tensor<2x131000xf32>
  return %y : tensor<2x131000xf32>
}
func.func @softmax_odd(%x: tensor<1x33003xbf16>) -> tensor<1x33003xbf16> {
  %y = transformer.softmax %x {dimension = 1 : i64} : tensor<1x33003xbf16>
  return %y : tensor<1x33003xbf16>
}
func.func @layer_norm_cluster(%x: tensor<2x50000xbf16>, %w: tensor<50000xbf16>) -> tensor<2x50000xbf16> {
  %y = transformer.layer_norm %x scale %w {epsilon = 1.0e-05 : f32} : (tensor<2x50000xbf16>, tensor<50000xbf16>) -> tensor<2x50000xbf16>
  return %y : tensor<2x50000xbf16>
}
// Exponentials and quotients of results that are rounded: large and small arguments, and rows of -inf.
// RUN: forge verify %s --function silu_mul --target sim:sm_90a
// RUN: forge verify %s --function softmax_narrow --target sim:sm_90a
func.func @silu_mul(%x: tensor<5x1000xf16>, %y: tensor<5x1000xf16>) -> tensor<5x1000xf16> {
  %s = transformer.activation silu %x : tensor<5x1000xf16>
  %p = transformer.multiply %s, %y : tensor<5x1000xf16>
  return %p : tensor<5x1000xf16>
}
func.func @softmax_narrow(%x: tensor<5x1000xf16>) -> tensor<5x1000xf16> {
  %y = transformer.softmax %x {dimension = 1 : i64} : tensor<5x1000xf16>
  return %y : tensor<5x1000xf16>
}
// Rotated halves: the head as rows of two halves, cosines and sines for all heads at once; backwards, and with sizes that are not known.
// RUN: forge verify %s --function rope --target sim:sm_90a
// RUN: forge verify %s --function rope --target sim:gfx942
// RUN: forge verify %s --function rope_dynamic --target sim:sm_90a --dynamic-size 5
// RUN: forge verify %s --function rope_dynamic --target cpu --dynamic-size 5
func.func @rope(%x: tensor<2x4x16x64xbf16>, %p: tensor<2x16xi32>) -> tensor<2x4x16x64xbf16> {
  %y = transformer.rope %x positions %p : (tensor<2x4x16x64xbf16>, tensor<2x16xi32>) -> tensor<2x4x16x64xbf16>
  return %y : tensor<2x4x16x64xbf16>
}
func.func @rope_dynamic(%x: tensor<?x?x?x64xf32>, %p: tensor<?xi32>) -> tensor<?x?x?x64xf32> {
  %y = transformer.rope %x positions %p {inverse} : (tensor<?x?x?x64xf32>, tensor<?xi32>) -> tensor<?x?x?x64xf32>
  return %y : tensor<?x?x?x64xf32>
}
// The logit of the target under a conversion of all logits.
// RUN: forge verify %s --function cross_entropy --target sim:sm_90a
// RUN: forge verify %s --function cross_entropy --target cpu
func.func @cross_entropy(%x: tensor<3x4099xbf16>, %t: tensor<3xi32>) -> tensor<3xf32> {
  %w = stablehlo.convert %x : (tensor<3x4099xbf16>) -> tensor<3x4099xf32>
  %y = transformer.cross_entropy none %w, %t : (tensor<3x4099xf32>, tensor<3xi32>) -> tensor<3xf32>
  return %y : tensor<3xf32>
}
// Clusters that exchange integers; truth values are not stored in another block, and the row is read twice.
// RUN: forge verify %s --function below_largest --target sim:sm_90a
// RUN: forge verify %s --function if_any --target sim:sm_90a
func.func @below_largest(%x: tensor<2x36000xi16>) -> tensor<2x36000xi16> {
  %lowest = stablehlo.constant dense<-32768> : tensor<i16>
  %m = stablehlo.reduce(%x init: %lowest) applies stablehlo.maximum across dimensions = [1] : (tensor<2x36000xi16>, tensor<i16>) -> tensor<2xi16>
  %b = stablehlo.broadcast_in_dim %m, dims = [0] : (tensor<2xi16>) -> tensor<2x36000xi16>
  %y = stablehlo.subtract %b, %x : tensor<2x36000xi16>
  return %y : tensor<2x36000xi16>
}
func.func @if_any(%x: tensor<2x36000xi16>) -> tensor<2x36000xi16> {
  %zero = stablehlo.constant dense<0> : tensor<2x36000xi16>
  %no = stablehlo.constant dense<false> : tensor<i1>
  %p = stablehlo.compare GT, %x, %zero, SIGNED : (tensor<2x36000xi16>, tensor<2x36000xi16>) -> tensor<2x36000xi1>
  %any = stablehlo.reduce(%p init: %no) applies stablehlo.or across dimensions = [1] : (tensor<2x36000xi1>, tensor<i1>) -> tensor<2xi1>
  %b = stablehlo.broadcast_in_dim %any, dims = [0] : (tensor<2xi1>) -> tensor<2x36000xi1>
  %y = stablehlo.select %b, %x, %zero : tensor<2x36000xi1>, tensor<2x36000xi16>
  return %y : tensor<2x36000xi16>
}
