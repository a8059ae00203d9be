// Attention.
#ifndef FORGE_DIALECT_TRANSFORMER_ATTENTIONOPS_TD
#define FORGE_DIALECT_TRANSFORMER_ATTENTIONOPS_TD

include "forge/Dialect/Transformer/IR/TransformerBase.td"

def Transformer_AttentionOp : Transformer_Op<"attention", []> {
  let summary = "scaled dot-product attention with grouped heads";
  let description = [{
    For every batch b and query head h, with the key head g = h / (Hq / Hkv):

    `scores[s, t] = scale * sum_d query[b, h, s, d] * key[b, g, t, d] + mask[b, h, s, t]`
    `result[b, h, s, :] = sum_t softmax(scores[s, :])[t] * value[b, g, t, :]`

    A mask of truth values keeps a score where true and makes it -inf where false. With `causal`, query s sees the
    keys t <= s + T - S: the last query sees all keys. A row that sees no key is zero.

    Accumulation: scores, softmax and the weighted sum in f32 (f64 for f64); the softmax subtracts the largest score of
    the row, so large scores do not overflow. Rounded once, at the end.

    Constraints:
    - (C1) `query`, `key` and `value` have rank 4 and the same batch dimension.
    - (C2) `key` and `value` have the same heads and the same length T.
    - (C3) `query` and `key` have the same head dimension D.
    - (C4) query heads are a multiple of key heads.
    - (C5) `result` has the shape [B, Hq, S, Dv].
    - (C6) `mask` has rank 4 and the dimensions of [B, Hq, S, T], or 1.
    - (C7) `scale` is finite.
    - (C8) all but the mask have one element type.

    Example:

    ```mlir
    %o = transformer.attention %q, %k, %v {causal}
        : (tensor<1x8x16x64xf32>, tensor<1x2x32x64xf32>, tensor<1x2x32x64xf32>) -> tensor<1x8x16x64xf32>
    ```
  }];
  let arguments = (ins
    Arg<Transformer_FloatTensor, "queries, [B, Hq, S, D]">:$query,
    Arg<Transformer_FloatTensor, "keys, [B, Hkv, T, D]">:$key,
    Arg<Transformer_FloatTensor, "values, [B, Hkv, T, Dv]">:$value,
    Optional<Transformer_MaskTensor>:$mask,
    OptionalAttr<F32Attr>:$scale,
    UnitAttr:$causal);
  let results = (outs Res<Transformer_FloatTensor, "weighted values, [B, Hq, S, Dv]">:$result);
  let assemblyFormat = [{
    $query `,` $key `,` $value (`mask` $mask^)? attr-dict `:` functional-type(operands, $result)
  }];
  let hasVerifier = 1;
}

#endif // FORGE_DIALECT_TRANSFORMER_ATTENTIONOPS_TD
