// Attention over keys in one tensor, and over keys in pages.
#ifndef FORGE_DIALECT_TRANSFORMER_ATTENTIONOPS_TD
#define FORGE_DIALECT_TRANSFORMER_ATTENTIONOPS_TD

include "forge/Dialect/Transformer/IR/TransformerBase.td"

// What both attention operations say of scores, and how C++ asks for it.
class Transformer_AttentionLike<string mnemonic, list<Trait> traits = []>
    : Transformer_Op<mnemonic, [AttrSizedOperandSegments, Transformer_Accumulates, Transformer_FoldsCasts] # traits> {
  let results = (outs
    Transformer_Described<Transformer_FloatTensor, "weighted values, [B, Hq, S, Dv]">:$result,
    Optional<Transformer_Described<Transformer_FloatTensor,
        "log-sum-exp of every row's scores, [B, Hq, S], in the accumulation type">>:$lse);
  let hasVerifier = 1;
  let hasRegionVerifier = 1;
  let hasCanonicalizer = 1;
}

def Transformer_AttentionOp : Transformer_AttentionLike<"attention"> {
  let summary = "scaled dot-product attention with grouped heads";
  let description = [{
    For every batch b, query head h, query s and key t, with the key head g = h / (Hq / Hkv), the number of keys
    n = clamp(lengths[b], 0, T) (T without `lengths`), and the query's position p = offsets[b] + s (n - S + s without
    `offsets`: the last query is at the last key):

    ```
    x[t]     = scale * sum_d query[b, h, s, d] * key[b, g, t, d]
    x[t]     = soft_cap * tanh(x[t] / soft_cap)                      with soft_cap
    x[t]     = score(x[t], b, h, s, t)                               with a score region
    x[t]     = x[t] + mask[b, h, s, t]                               with a mask of numbers
    x[t]     = -inf  unless t < n
                        and mask[b, h, s, t]                         with a mask of truth values
                        and t <= p                                   with causal
                        and |p - t| < window                         with window
    m        = max over t of x[t], and of sinks[h]                   (0 instead of -inf)
    z        = sum over t of exp(x[t] - m), plus exp(sinks[h] - m)
    result[b, h, s, :] = sum over t of exp(x[t] - m) / z * value[b, g, t, :]
    lse[b, h, s]       = m + log(z)
    ```

    Scale, cap, region and mask come in this order (Gemma 2 caps before it masks); a sink is a logit of its own per
    query head, neither scaled nor masked, whose weight goes to no value (gpt-oss). Without `scale` it is 1 / sqrt(D).

    A row whose x are all -inf, and without a sink, is zero, and its lse is -inf. Keys and values at t >= n are never
    used, no matter what they hold; a NaN or an infinity in another key's values spreads only to rows in which that key's
    weight is not zero, or is left unspecified where it is: kernels may skip what is masked.

    The `score` region is run for one score: it takes x in the accumulation type and b, h, s, t as indices, and yields
    the new x by `transformer.yield`. It may use values from outside, for instance read a tensor of slopes per head.
    Its operations have no effects and no regions of their own (FlexAttention, Dong et al. 2024, calls it score_mod).

    Accumulation: products, scores, softmax and the weighted sum in `accumulate` (by default f32, f64 for f64); the
    largest score is subtracted before exp, so large scores do not overflow. In the weighted sum, exp(x[t] - m) is rounded
    to `weights`, by default bf16 and f16 for such elements, so that matrix units take it (as the implementations of
    Flash Attention do), and otherwise not at all; z is of exponentials that are not rounded. The result is rounded once, at the end.

    Constraints:
    - (C1) `query`, `key` and `value` have rank 4 and the same batch dimension.
    - (C2) `key` and `value` have the same heads and the same length T.
    - (C3) `query` and `key` have the same head dimension D.
    - (C4) query heads are a multiple of key heads.
    - (C5) `result` has the shape [B, Hq, S, Dv]; `lse` has the shape [B, Hq, S].
    - (C6) `mask` has rank 4 and the dimensions of [B, Hq, S, T], or 1; a dynamic dimension of it is that of the scores,
      never broadcast.
    - (C7) `scale` is finite.
    - (C8) all but the mask and the lse have one element type; `lse` has the accumulation type.
    - (C9) `window` is 1 or more.
    - (C10) `soft_cap` is finite and above 0.
    - (C11) `sinks` has the shape [Hq].
    - (C12) `lengths` and `offsets` have the shape [B].
    - (C13) `score` takes a number of the accumulation type and four indices, and yields a number of that type.
    - (C14) operations in `score` have no effects and no regions.
    - (C15) `accumulate` is f32 or f64 and not narrower than the elements.
    - (C16) `weights` is the type of the elements or of the accumulation.

    Example:

    ```mlir
    %o = transformer.attention %q, %k, %v {causal}
        : (tensor<1x8x16x64xf32>, tensor<1x2x32x64xf32>, tensor<1x2x32x64xf32>) -> tensor<1x8x16x64xf32>
    %a, %lse = transformer.attention %q, %k, %v lengths %n sinks %sinks {causal, window = 8 : i64} score {
    ^bb0(%x: f32, %b: index, %h: index, %s: index, %t: index):
      %slope = tensor.extract %slopes[%h] : tensor<8xf32>
      %y = arith.addf %x, %slope : f32
      transformer.yield %y : f32
    } : (tensor<1x8x16x64xf32>, tensor<1x2x32x64xf32>, tensor<1x2x32x64xf32>, tensor<1xi32>, tensor<8xf32>)
        -> (tensor<1x8x16x64xf32>, tensor<1x8x16xf32>)
    ```
  }];
  let arguments = (ins
    Transformer_Described<Transformer_FloatTensor, "queries, [B, Hq, S, D]">:$query,
    Transformer_Described<Transformer_FloatTensor, "keys, [B, Hkv, T, D]">:$key,
    Transformer_Described<Transformer_FloatTensor, "values, [B, Hkv, T, Dv]">:$value,
    Optional<Transformer_Described<Transformer_MaskTensor,
        "truth values that keep a score, or numbers added to it, [B|1, Hq|1, S|1, T|1]">>:$mask,
    Optional<Transformer_Described<Transformer_IndexTensor, "keys of each sequence, [B]">>:$lengths,
    Optional<Transformer_Described<Transformer_IndexTensor, "position of each sequence's first query, [B]">>:$offsets,
    Optional<Transformer_Described<Transformer_FloatTensor, "one more logit per query head, [Hq]">>:$sinks,
    OptionalAttr<Transformer_DescribedAttr<F32Attr, "factor of the products; 1 / sqrt(D) without it">>:$scale,
    Transformer_DescribedAttr<UnitAttr, "whether queries see no key after their position">:$causal,
    OptionalAttr<Transformer_DescribedAttr<I64Attr,
        "how far from a query, in positions, keys are no longer seen">>:$window,
    OptionalAttr<Transformer_DescribedAttr<F32Attr, "bound that scores approach, in units of scores">>:$soft_cap,
    Transformer_Accumulate:$accumulate,
    OptionalAttr<Transformer_DescribedAttr<TypeAttrBase<"::mlir::Type", "a float type">,
        "type of the weights in the weighted sum; the default is given under Accumulation">>:$weights);
  let regions = (region AnyRegion:$score);
  let assemblyFormat = [{
    $query `,` $key `,` $value (`mask` $mask^)? (`lengths` $lengths^)? (`offsets` $offsets^)? (`sinks` $sinks^)?
    attr-dict (`score` $score^)? `:` functional-type(operands, results)
  }];
  let builders = [
    // Without mask, lengths, sinks or region; the result's type follows from the operands'.
    OpBuilder<(ins "::mlir::Value":$query, "::mlir::Value":$key, "::mlir::Value":$value,
                   CArg<"bool", "false">:$causal)>];
  let extraClassDeclaration = [{
    /// Capacity of the keys, T: the size of dimension 2 of `key`.
    int64_t getNumKeys() { return getKey().getType().getDimSize(2); }
    /// The type that weights have in the weighted sum.
    ::mlir::Type getWeightsType();
  }];
}

def Transformer_PagedAttentionOp : Transformer_AttentionLike<"paged_attention"> {
  let summary = "attention over keys and values that lie in pages";
  let description = [{
    The keys of a sequence lie in pages of R keys each, anywhere in a pool of P pages that all sequences share; a block
    table says where (PagedAttention, Kwon et al. 2023). Key t of sequence b and head g is
    `key_pages[page, g, t mod R, :]` with `page = block_table[b, t / R]`, and so are its values. The result is that of
    `transformer.attention` over these keys, with T = M * R:

    `attention(query, key, value) lengths(lengths) offsets(offsets) sinks(sinks)`

    Table entries at or beyond ceil(n / R), where n = clamp(lengths[b], 0, T), are never used; others are clamped to
    [0, P - 1], so that no memory outside of the pool is ever read. Pages are in FlashInfer's HND layout: the rows of
    one head and page are contiguous.

    Accumulation: as in `transformer.attention`.

    Constraints:
    - (C1) `query`, `key_pages` and `value_pages` have rank 4.
    - (C2) `key_pages` and `value_pages` have the same pages, 1 or more, the same heads and page size.
    - (C3) `query` and `key_pages` have the same head dimension D.
    - (C4) query heads are a multiple of key heads.
    - (C5) `result` has the shape [B, Hq, S, Dv]; `lse` has the shape [B, Hq, S].
    - (C6) `block_table` has rank 2 and as many rows as there are sequences.
    - (C7) `scale` is finite.
    - (C8) all tensors of floats but the lse have one element type; `lse` has the accumulation type.
    - (C9) `window` is 1 or more.
    - (C10) `soft_cap` is finite and above 0.
    - (C11) `sinks` has the shape [Hq].
    - (C12) `lengths` and `offsets` have the shape [B].
    - (C13) `score` takes a number of the accumulation type and four indices, and yields a number of that type.
    - (C14) operations in `score` have no effects and no regions.
    - (C15) `accumulate` is f32 or f64 and not narrower than the elements.
    - (C16) `weights` is the type of the elements or of the accumulation.

    Example:

    ```mlir
    %o = transformer.paged_attention %q, %key_pages, %value_pages table %table lengths %n {causal}
        : (tensor<2x8x1x64xbf16>, tensor<128x2x16x64xbf16>, tensor<128x2x16x64xbf16>, tensor<2x40xi32>, tensor<2xi32>)
        -> tensor<2x8x1x64xbf16>
    ```
  }];
  let arguments = (ins
    Transformer_Described<Transformer_FloatTensor, "queries, [B, Hq, S, D]">:$query,
    Transformer_Described<Transformer_FloatTensor, "pool of pages of keys, [P, Hkv, R, D]">:$key_pages,
    Transformer_Described<Transformer_FloatTensor, "pool of pages of values, [P, Hkv, R, Dv]">:$value_pages,
    Transformer_Described<Transformer_IndexTensor,
        "pages of each sequence, in the order of its keys, [B, M]">:$block_table,
    Transformer_Described<Transformer_IndexTensor, "keys of each sequence, [B]">:$lengths,
    Optional<Transformer_Described<Transformer_IndexTensor, "position of each sequence's first query, [B]">>:$offsets,
    Optional<Transformer_Described<Transformer_FloatTensor, "one more logit per query head, [Hq]">>:$sinks,
    OptionalAttr<Transformer_DescribedAttr<F32Attr, "factor of the products; 1 / sqrt(D) without it">>:$scale,
    Transformer_DescribedAttr<UnitAttr, "whether queries see no key after their position">:$causal,
    OptionalAttr<Transformer_DescribedAttr<I64Attr,
        "how far from a query, in positions, keys are no longer seen">>:$window,
    OptionalAttr<Transformer_DescribedAttr<F32Attr, "bound that scores approach, in units of scores">>:$soft_cap,
    Transformer_Accumulate:$accumulate,
    OptionalAttr<Transformer_DescribedAttr<TypeAttrBase<"::mlir::Type", "a float type">,
        "type of the weights in the weighted sum; the default is given under Accumulation">>:$weights);
  let regions = (region AnyRegion:$score);
  let assemblyFormat = [{
    $query `,` $key_pages `,` $value_pages `table` $block_table `lengths` $lengths (`offsets` $offsets^)?
    (`sinks` $sinks^)? attr-dict (`score` $score^)? `:` functional-type(operands, results)
  }];
  let extraClassDeclaration = [{
    /// The type that weights have in the weighted sum.
    ::mlir::Type getWeightsType();
  }];
}

def Transformer_YieldOp : Op<Transformer_Dialect, "yield", [Pure, Terminator,
    ParentOneOf<["AttentionOp", "AttentionGradOp", "PagedAttentionOp"]>]> {
  let summary = "the value of a region";
  let description = [{
    Ends a region of an operation of this dialect with its value. A `slope` region goes on with what it says of the
    elements that were read (`transformer.attention_grad`). Bit-exact.

    Example:

    ```mlir
    transformer.yield %y : f32
    ```
  }];
  let arguments = (ins
    Transformer_Described<Transformer_Float, "the region's value">:$value,
    Variadic<Transformer_Described<AnyTypeOf<[Transformer_Float, Index]>,
        "for every element read, the derivative by it and its indices">>:$reads);
  let assemblyFormat = "$value (`,` $reads^)? attr-dict `:` type($value) (`,` type($reads)^)?";
}

#endif // FORGE_DIALECT_TRANSFORMER_ATTENTIONOPS_TD
