// What the matrix test verifies of every operation of the transformer dialect. A new operation
// needs a row; one line does:
//
//   {"op", "arguments -> results", "the op as it is written"},
//
// Sizes are one capital letter each (B 2, M 7, N 13, K 37, S 5, T 11, V 17, or ? in the dynamic form;
// heads, G 2 and H 6, are static there too) or a number; E stands for the element type. In the op,
// $name is the type of an argument, $R that of the result, and $F the functional type of all
// arguments and results. A fourth string names the element types if not all of f32 f16 bf16 f64.
#ifndef FORGE_UNITTESTS_VERIFY_TRANSFORMERROWS_H
#define FORGE_UNITTESTS_VERIFY_TRANSFORMERROWS_H

namespace forge {

struct TransformerRow {
  const char *op;
  const char *signature;
  const char *code;
  const char *types = "f32 f16 bf16 f64";
};

inline constexpr TransformerRow kTransformerRows[] = {
    // activation
    {"activation", "x: MxNxE -> MxNxE", "transformer.activation relu %x : $x"},
    {"activation", "x: MxNxE -> MxNxE", "transformer.activation relu_squared %x : $x"},
    {"activation", "x: MxNxE -> MxNxE", "transformer.activation gelu %x : $x"},
    {"activation", "x: MxNxE -> MxNxE", "transformer.activation gelu_tanh %x : $x"},
    {"activation", "x: MxNxE -> MxNxE", "transformer.activation silu %x : $x"},
    {"activation", "x: MxNxE -> MxNxE", "transformer.activation sigmoid %x : $x"},
    {"activation", "x: MxNxE -> MxNxE", "transformer.activation tanh %x : $x"},
    {"add", "x: MxNxE, y: MxNxE -> MxNxE", "transformer.add %x, %y : $R"},
    {"embedding", "t: VxKxE, i: BxSxi32 -> BxSxKxE", "transformer.embedding %t, %i : $F"},
    {"embedding", "t: VxKxE, i: Sxi64 -> SxKxE", "transformer.embedding %t, %i : $F"},
    {"multiply", "x: MxNxE, y: MxNxE -> MxNxE", "transformer.multiply %x, %y : $R"},
    {"sum", "x: BxMxNxE -> NxE", "transformer.sum %x {dimensions = array<i64: 0, 1>} : $x -> $R"},
    {"sum", "x: BxMxNxE -> BxNxE", "transformer.sum %x {dimensions = array<i64: 1>} : $x -> $R"},

    // gradients of activations and embeddings
    {"activation_grad", "d: MxNxE, x: MxNxE -> MxNxE", "transformer.activation_grad relu %d, %x : $x"},
    {"activation_grad", "d: MxNxE, x: MxNxE -> MxNxE", "transformer.activation_grad relu_squared %d, %x : $x"},
    {"activation_grad", "d: MxNxE, x: MxNxE -> MxNxE", "transformer.activation_grad gelu %d, %x : $x"},
    {"activation_grad", "d: MxNxE, x: MxNxE -> MxNxE", "transformer.activation_grad gelu_tanh %d, %x : $x"},
    {"activation_grad", "d: MxNxE, x: MxNxE -> MxNxE", "transformer.activation_grad silu %d, %x : $x"},
    {"activation_grad", "d: MxNxE, x: MxNxE -> MxNxE", "transformer.activation_grad sigmoid %d, %x : $x"},
    {"activation_grad", "d: MxNxE, x: MxNxE -> MxNxE", "transformer.activation_grad tanh %d, %x : $x"},
    {"embedding_grad", "d: BxSxKxE, i: BxSxi32, t: VxKxE -> VxKxE", "transformer.embedding_grad %d, %i, %t : $F"},

    // attention
    {"attention", "q: BxHxSx10xE, k: BxGxTx10xE, v: BxGxTx14xE -> BxHxSx14xE", "transformer.attention %q, %k, %v : $F"},
    {"attention", "q: BxHxSx10xE, k: BxGxTx10xE, v: BxGxTx14xE -> BxHxSx14xE", "transformer.attention %q, %k, %v {causal} : $F"},
    {"attention", "q: BxHxSx10xE, k: BxGxTx10xE, v: BxGxTx10xE, m: BxHxSxTxi1 -> BxHxSx10xE", "transformer.attention %q, %k, %v mask %m : $F"},
    {"attention", "q: BxHxSx10xE, k: BxGxTx10xE, v: BxGxTx10xE, m: 1x1xSxTxE -> BxHxSx10xE", "transformer.attention %q, %k, %v mask %m {scale = 0.5 : f32} : $F"},
    {"attention", "q: BxHxSx10xE, k: BxGxTx10xE, v: BxGxTx14xE -> BxHxSx14xE", "transformer.attention %q, %k, %v {causal, window = 3 : i64, soft_cap = 5.0 : f32} : $F"},
    {"attention", "q: BxHxSx10xE, k: BxGxTx10xE, v: BxGxTx14xE, n: Bxi32, o: Bxi64, s: HxE -> BxHxSx14xE", "transformer.attention %q, %k, %v lengths %n offsets %o sinks %s {causal} : $F"},
    {"attention", "q: BxHxSx10xE, k: BxGxTx10xE, v: BxGxTx14xE, n: Bxi32 -> BxHxSx14xE, BxHxSxf32", "transformer.attention %q, %k, %v lengths %n : $F", "f32 f16 bf16"},
    {"attention", "q: BxHxSx10xE, k: BxGxTx10xE, v: BxGxTx14xE -> BxHxSx14xE", "transformer.attention %q, %k, %v {causal} score {\n ^bb0(%s: f32, %b: index, %h: index, %i: index, %t: index):\n %y = math.tanh %s : f32\n transformer.yield %y : f32\n } : $F", "f32 f16 bf16"},
    {"paged_attention", "q: BxHxSx10xE, k: 7xGx3x10xE, v: 7xGx3x14xE, t: BxMxi32, n: Bxi32 -> BxHxSx14xE", "transformer.paged_attention %q, %k, %v table %t lengths %n {causal} : $F"},
    {"paged_attention", "q: BxHx1x10xE, k: MxGx3x10xE, v: MxGx3x14xE, t: Bx4xi64, n: Bxi64, s: HxE -> BxHx1x14xE", "transformer.paged_attention %q, %k, %v table %t lengths %n sinks %s {window = 5 : i64} : $F"},

    // contraction
    {"matmul", "x: MxKxE, w: KxNxE -> MxNxE", "transformer.matmul %x, %w : $F"},
    {"matmul", "x: MxKxE, w: NxKxE -> MxNxE", "transformer.matmul %x, %w {transpose_rhs} : $F"},
    {"matmul", "x: KxMxE, w: KxNxE -> MxNxE", "transformer.matmul %x, %w {transpose_lhs} : $F"},
    {"matmul", "x: BxMxKxE, w: BxKxNxE -> BxMxNxE", "transformer.matmul %x, %w : $F"},
    {"matmul", "x: BxMxKxE, w: KxNxE, b: NxE, r: BxMxNxE -> BxMxNxE", "transformer.matmul %x, %w bias %b residual %r {activation = #transformer.activation<gelu_tanh>} : $F"},

    {"matmul", "x: MxKxE, w: NxKxE, b: Nxf32, r: MxNxf32 -> MxNxf32", "transformer.matmul %x, %w bias %b residual %r {transpose_rhs} : $F", "f8E4M3FN f8E5M2 f32"},
    {"matmul", "x: MxKxE, w: KxNxE, r: MxNxi32 -> MxNxi32", "transformer.matmul %x, %w residual %r : $F", "i8"},
    {"grouped_matmul", "x: TxKxE, w: SxKxNxE, g: Sxi32 -> TxNxE", "transformer.grouped_matmul %x, %w groups %g : $F"},
    {"grouped_matmul", "x: TxKxE, w: SxNxKxE, g: Sxi64, b: SxNxE -> TxNxE", "transformer.grouped_matmul %x, %w groups %g bias %b {transpose_rhs, activation = #transformer.activation<silu>} : $F"},
    {"grouped_matmul", "x: TxKxE, w: 5xKxNxE, g: 6xi32 -> TxNxE", "transformer.grouped_matmul %x, %w groups %g {offsets} : $F"},
    {"linear", "x: MxKxE, w: NxKxE, b: NxE -> MxNxE", "transformer.linear %x, %w bias %b : $F"},
    {"linear", "x: BxMxKxE, w: NxKxi8, s: Nxf32 -> BxMxNxE", "transformer.linear %x, %w scale %s : $F"},
    {"linear", "x: MxKxE, w: NxKxi4, s: NxE, z: Nxi4, r: MxNxE -> MxNxE", "transformer.linear %x, %w scale %s zero_point %z residual %r {activation = #transformer.activation<gelu>} : $F"},
    {"linear", "x: Mx37xE, w: 13x37xf8E4M3FN, s: 4x5xf32 -> Mx13xE", "transformer.linear %x, %w scale %s {block = array<i64: 4, 8>} : $F"},
    {"linear", "x: MxKxE, w: NxKxf8E5M2, s: f32 -> MxNxE", "transformer.linear %x, %w scale %s : $F"},

    {"linear", "x: BxMxKxE, w: NxKxf8E4M3FN, s: Nxf32, r: BxMxNxbf16, i: BxMxf32 -> BxMxNxbf16", "transformer.linear %x, %w scale %s residual %r input_scale %i : $F", "f8E4M3FN f8E5M2"},

    // blocks
    {"mlp", "x: BxSxKxE, u: KxNxE, a: NxE, d: NxKxE, b: KxE -> BxSxKxE", "transformer.mlp %x up %u bias %a down %d bias %b residual %x {activation = #transformer.activation<gelu>} : ($x, $u, $a, $d, $b, $x) -> $R"},
    {"mlp", "x: MxKxE, u: NxKxE, d: VxNxE -> MxVxE", "transformer.mlp %x up %u down %d {activation = #transformer.activation<relu_squared>, transpose_weights} : $F"},
    {"gated_mlp", "x: BxSxKxE, g: NxKxE, u: NxKxE, d: KxNxE, r: BxSxKxE -> BxSxKxE", "transformer.gated_mlp %x gate %g up %u down %d residual %r {activation = #transformer.activation<silu>, transpose_weights} : $F"},
    {"gated_mlp", "x: MxKxE, g: KxNxE, a: NxE, u: KxNxE, b: NxE, d: NxVxE, c: VxE -> MxVxE", "transformer.gated_mlp %x gate %g bias %a up %u bias %b down %d bias %c {activation = #transformer.activation<gelu_tanh>} : $F"},

    // quantization
    {"dequantize", "x: MxKxi8, s: f32 -> MxKxE", "transformer.dequantize %x scale %s : $F"},
    {"dequantize", "x: MxKxi4, s: MxE, z: Mxi4 -> MxKxE", "transformer.dequantize %x scale %s zero_point %z {axis = 0 : i64} : $F"},
    {"dequantize", "x: 7x37xf8E4M3FN, s: 7x3xf32 -> 7x37xE", "transformer.dequantize %x scale %s {block = array<i64: 1, 16>} : $F"},
    {"dequantize", "x: MxKxf8E5M2, s: KxE -> MxKxE", "transformer.dequantize %x scale %s {axis = 1 : i64} : $F"},
    {"quantize", "x: MxKxE, s: f32 -> MxKxi8", "transformer.quantize %x scale %s : $F"},
    {"quantize", "x: MxKxE, s: MxE, z: Mxi4 -> MxKxi4", "transformer.quantize %x scale %s zero_point %z {axis = 0 : i64} : $F"},
    {"quantize", "x: 7x37xE, s: 7x3xf32 -> 7x37xf8E4M3FN", "transformer.quantize %x scale %s {block = array<i64: 1, 16>} : $F"},
    {"quantize", "x: MxKxE, s: KxE -> MxKxf8E5M2", "transformer.quantize %x scale %s {axis = 1 : i64} : $F"},

    {"quantize_rows", "x: BxMxKxE -> BxMxKxf8E4M3FN, BxMxf32", "transformer.quantize_rows %x : $F"},
    {"quantize_rows", "x: MxKxE -> MxKxf8E5M2, Mxf32", "transformer.quantize_rows %x : $F"},

    // gradients of attention, products, the loss and selection
    {"attention_grad", "d: BxHxSx14xE, q: BxHxSx10xE, k: BxGxTx10xE, v: BxGxTx14xE -> BxHxSx10xE, BxGxTx10xE, BxGxTx14xE", "transformer.attention_grad %d, %q, %k, %v {causal} : $F"},
    {"attention_grad", "d: BxHxSx10xE, q: BxHxSx10xE, k: BxGxTx10xE, v: BxGxTx10xE, m: 1x1xSxTxE -> BxHxSx10xE, BxGxTx10xE, BxGxTx10xE, 1x1xSxTxE", "transformer.attention_grad %d, %q, %k, %v mask %m {soft_cap = 3.0 : f32} : $F"},
    {"attention_grad", "d: BxHxSx10xE, q: BxHxSx10xE, k: BxGxTx10xE, v: BxGxTx10xE, m: BxHxSxTxi1, s: HxE -> BxHxSx10xE, BxGxTx10xE, BxGxTx10xE, HxE", "transformer.attention_grad %d, %q, %k, %v mask %m sinks %s {window = 4 : i64} : $F"},
    {"attention_grad", "d: BxHxSx14xE, q: BxHxSx10xE, k: BxGxTx10xE, v: BxGxTx14xE -> BxHxSx10xE, BxGxTx10xE, BxGxTx14xE", "transformer.attention_grad %d, %q, %k, %v {causal, soft_cap = 3.0 : f32} score {\n ^bb0(%s: f32, %b: index, %h: index, %i: index, %t: index):\n %y = math.sin %s : f32\n transformer.yield %y : f32\n } slope {\n ^bb0(%s: f32, %b: index, %h: index, %i: index, %t: index):\n %y = math.cos %s : f32\n transformer.yield %y : f32\n } : $F", "f32 f16 bf16"},
    {"attention_grad", "d: BxHxSx10xE, q: BxHxSx10xE, k: BxGxTx10xE, v: BxGxTx10xE, e: Hx40xf32 -> BxHxSx10xE, BxGxTx10xE, BxGxTx10xE, Hx40xf32", "transformer.attention_grad %d, %q, %k, %v tables %e score {\n ^bb0(%s: f32, %b: index, %h: index, %i: index, %t: index):\n %j = arith.addi %i, %t : index\n %w = tensor.extract %e[%h, %j] : $e\n %y = arith.mulf %s, %w : f32\n transformer.yield %y : f32\n } slope {\n ^bb0(%s: f32, %b: index, %h: index, %i: index, %t: index):\n %j = arith.addi %i, %t : index\n %w = tensor.extract %e[%h, %j] : $e\n transformer.yield %w, %s, %h, %j : f32, f32, index, index\n } : $F", "f32 f16 bf16"},
    {"cross_entropy_grad", "d: Sxf32, x: SxVxE, t: Sxi32 -> SxVxE", "transformer.cross_entropy_grad none %d, %x, %t {label_smoothing = 0.1 : f32} : $F", "f32 f16 bf16"},
    {"cross_entropy_grad", "d: f32, x: BxSxVxE, t: BxSxi64 -> BxSxVxE", "transformer.cross_entropy_grad mean %d, %x, %t {ignore_index = 2 : i64} : $F", "f32 f16 bf16"},
    {"cross_entropy_grad", "d: f64, x: SxVxE, t: Sxi32 -> SxVxE", "transformer.cross_entropy_grad sum %d, %x, %t : $F", "f64"},
    {"grouped_outer", "x: TxKxE, d: TxNxE, g: Sxi32 -> SxKxNxE", "transformer.grouped_outer %x, %d groups %g : $F"},
    {"grouped_outer", "x: TxKxE, d: TxNxE, g: 6xi64 -> 5xKxNxE", "transformer.grouped_outer %x, %d groups %g {offsets} : $F"},
    {"moe_route_grad", "d: Mx3xE, x: Mx17xE, e: Mx3xi32 -> Mx17xE", "transformer.moe_route_grad softmax %d, %x, %e {normalize, scale = 2.5 : f32} : $F"},
    {"moe_route_grad", "d: Mx3xE, x: Mx17xE, e: Mx3xi64 -> Mx17xE", "transformer.moe_route_grad sigmoid %d, %x, %e : $F"},
    {"top_k_grad", "d: BxMx3xE, i: BxMx3xi32, x: BxMxVxE -> BxMxVxE", "transformer.top_k_grad %d, %i, %x : $F"},

    // gradients of normalisation
    {"layer_norm_grad", "d: MxKxE, x: MxKxE, g: KxE -> MxKxE, KxE, KxE", "transformer.layer_norm_grad %d, %x scale %g {epsilon = 1.0e-05 : f32} : $F"},
    {"log_softmax_grad", "d: MxKxE, x: MxKxE -> MxKxE", "transformer.log_softmax_grad %d, %x {dimension = 1 : i64} : $x"},
    {"rms_norm_grad", "d: MxKxE, x: MxKxE, g: KxE -> MxKxE, KxE", "transformer.rms_norm_grad %d, %x scale %g {epsilon = 1.0e-06 : f32} : $F"},
    {"rms_norm_grad", "d: MxKxE, x: MxKxE, g: KxE -> MxKxE, KxE", "transformer.rms_norm_grad %d, %x scale %g {epsilon = 1.0e-06 : f32, unit_offset} : $F"},
    {"softmax_grad", "d: MxKxE, p: MxKxE -> MxKxE", "transformer.softmax_grad %d, %p {dimension = 1 : i64} : $p"},

    // position and cache
    {"kv_append", "x: BxGxSx10xE, c: BxGxTx10xE, p: Bxi32 -> BxGxTx10xE", "transformer.kv_append %x into %c at %p : $F"},
    {"kv_append", "x: 1xGxSx10xE, c: MxGx3x10xE, p: 1xi64, t: 1x1xi32 -> MxGx3x10xE", "transformer.kv_append %x into %c at %p table %t : $F"},
    {"kv_append_grad", "d: BxGxTx10xE, x: BxGxSx10xE, p: Bxi32 -> BxGxSx10xE", "transformer.kv_append_grad %d, %x at %p : $F"},
    {"kv_append_grad", "d: MxGx3x10xE, x: BxGxSx10xE, p: Bxi64, t: Bx4xi32 -> BxGxSx10xE", "transformer.kv_append_grad %d, %x at %p table %t : $F"},
    {"rope", "x: BxHxSx14xE, p: BxSxi32 -> BxHxSx14xE", "transformer.rope %x positions %p : $F"},
    {"rope", "x: BxHxSx14xE, p: Sxi64 -> BxHxSx14xE", "transformer.rope %x positions %p {interleaved, rotary_dims = 6 : i64, base = 5.0e+05 : f64} : $F"},
    {"rope", "x: BxHxSx14xE, p: BxSxi32 -> BxHxSx14xE", "transformer.rope %x positions %p {scaling = #transformer.rope_scaling<yarn, factor = 4.0, original_length = 1024>} : $F"},
    {"rope", "x: BxHxSx14xE, p: BxSxi32 -> BxHxSx14xE", "transformer.rope %x positions %p {scaling = #transformer.rope_scaling<llama3, factor = 8.0, original_length = 8192>} : $F"},
    {"rope", "x: BxHxSx14xE, p: BxSxi32 -> BxHxSx14xE", "transformer.rope %x positions %p {scaling = #transformer.rope_scaling<dynamic, factor = 2.0, original_length = 1024>} : $F"},
    {"rope", "x: BxHxSx14xE, p: BxSxi32, f: 7xf32 -> BxHxSx14xE", "transformer.rope %x positions %p frequencies %f : $F", "f32 f16 bf16"},
    {"rope", "x: BxHxSx14xf64, p: Sxi32, f: 3xf64 -> BxHxSx14xf64", "transformer.rope %x positions %p frequencies %f {rotary_dims = 6 : i64} : $F", "f64"},

    // selection
    {"argmax", "x: MxKxE -> Mxi32", "transformer.argmax %x : $x -> $R"},
    {"argmax", "x: BxMxKxE -> BxMxi64", "transformer.argmax %x : $x -> $R"},
    {"cross_entropy", "x: MxKxE, c: Mxi32 -> Mxf32", "transformer.cross_entropy none %x, %c : $F", "f32 f16 bf16"},
    {"cross_entropy", "x: MxKxE, c: Mxi32 -> f64", "transformer.cross_entropy mean %x, %c {accumulate = f64, ignore_index = 3 : i64} : $F"},
    {"cross_entropy", "x: BxMxKxE, c: BxMxi64 -> f32", "transformer.cross_entropy sum %x, %c {label_smoothing = 1.0e-01 : f32} : $F", "f32 f16 bf16"},
    {"moe_route", "x: Mx37xE -> Mx4xE, Mx4xi32", "transformer.moe_route softmax %x {k = 4 : i64, normalize} : $F"},
    {"moe_route", "x: Mx24xE, b: 24xE -> Mx6xE, Mx6xi64", "transformer.moe_route sigmoid %x bias %b {k = 6 : i64, normalize, groups = 6 : i64, top_groups = 2 : i64, group_score = #transformer.group_score<top2>, scale = 2.5 : f32} : $F"},
    {"sample", "x: MxKxE, s: Mxi64, n: Mxi64 -> Mxi32", "transformer.sample %x seeds %s steps %n : $F"},
    {"sample", "x: MxKxE, s: Mxi64, n: Mxi64, t: Mxf32, k: Mxi32, p: Mxf32 -> Mxi64", "transformer.sample %x seeds %s steps %n temperature %t top_k %k top_p %p : $F"},
    {"top_k", "x: MxKxE -> Mx5xE, Mx5xi32", "transformer.top_k %x {k = 5 : i64} : $F"},


    // normalisation
    {"layer_norm", "x: MxKxE, g: KxE, b: KxE -> MxKxE", "transformer.layer_norm %x scale %g shift %b {epsilon = 1.0e-05 : f32} : $F"},
    {"layer_norm", "x: BxMxKxE -> BxMxKxE", "transformer.layer_norm %x {epsilon = 1.0e-05 : f32} : $F"},
    {"log_softmax", "x: MxKxE -> MxKxE", "transformer.log_softmax %x {dimension = 1 : i64} : $x"},
    {"rms_norm", "x: MxKxE, g: KxE -> MxKxE", "transformer.rms_norm %x scale %g {epsilon = 1.0e-06 : f32} : $F"},
    {"rms_norm", "x: BxMxKxE, g: KxE -> BxMxKxE", "transformer.rms_norm %x scale %g {epsilon = 1.0e-06 : f32, unit_offset} : $F"},
    {"softmax", "x: MxKxE -> MxKxE", "transformer.softmax %x {dimension = 1 : i64} : $x"},
    {"softmax", "x: BxMxKxE -> BxMxKxE", "transformer.softmax %x {dimension = 1 : i64} : $x"},
};

} // namespace forge

#endif // FORGE_UNITTESTS_VERIFY_TRANSFORMERROWS_H
