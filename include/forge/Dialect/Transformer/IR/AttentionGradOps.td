// The gradients of attention.
#ifndef FORGE_DIALECT_TRANSFORMER_ATTENTIONGRADOPS_TD
#define FORGE_DIALECT_TRANSFORMER_ATTENTIONGRADOPS_TD

include "forge/Dialect/Transformer/IR/TransformerBase.td"

def Transformer_AttentionGradOp
    : Transformer_Op<"attention_grad", [AttrSizedOperandSegments, AllTypesMatch<["query", "query_grad"]>,
                                        AllTypesMatch<["key", "key_grad"]>, AllTypesMatch<["value", "value_grad"]>,
                                        Transformer_Accumulates]> {
  let summary = "the gradients of attention";
  let description = [{
    The scores x and their row's m and z are computed again as in `transformer.attention`. With the weights
    `w[t] = exp(x[t] - m) / z`, do = cotangent[b, h, s, :], and dl = lse_cotangent[b, h, s] (0 without one), for every
    batch b, query head h with key head g, and query s:

    ```
    dw[t] = sum_j do[j] * value[b, g, t, j]
    r     = sum_t w[t] * dw[t] - dl
    dx[t] = w[t] * (dw[t] - r)                                 gradient of the masked score
    dy[t] = dx[t] * slope(y[t], b, h, s, t)                    through the score region, y the capped score; dy = dx without one
    du[t] = dy[t] * (1 - tanh(u[t] / soft_cap)^2)              through the cap, u the scaled score; du = dy without one

    query_grad[b, h, s, :] = scale * sum_t du[t] * key[b, g, t, :]
    key_grad[b, g, t, :]   = scale * sum over h of group g, s of du[t] * query[b, h, s, :]
    value_grad[b, g, t, :] = sum over h of group g, s of w[t] * do[:]
    gradient of mask       = dx, summed over the dimensions in which the mask has size 1
    gradient of sinks[h]   = - sum over b, s of exp(sinks[h] - m) / z * r
    gradient of tables[n][i] = sum of dx[t] * slope_n over all b, h, s, t whose score reads element i of table n
    ```

    (Dao et al., FlashAttention, 2022, appendix B, for w and r; the rest by the chain rule.) Keys that no query sees have
    the gradient 0, and so have queries that see no key. The gradients of a mask of numbers, of sinks and of tables
    follow the three others as results where the operation has such operands.

    As in `transformer.attention`, what keys and values at t >= n hold is never used; a NaN or an infinity in another
    key, value or cotangent spreads, or is left unspecified, where the weight it meets is zero.

    The region `score` is that of `transformer.attention`; `slope` yields the derivative of what that yields by the score
    it takes. Tensors from which `score` reads elements (slopes per head, biases by distance) have gradients as `tables`,
    one for each place in `score` that reads: for each, `slope` also yields the derivative by the element read, slope_n,
    and the element's indices.

    Accumulation: all in `accumulate` (by default f32, f64 for f64); every gradient is rounded once. As factors of the
    products that are the gradients, w and scale * du are rounded to bf16 or f16 where that is the type of the elements, so
    that matrix units take them. There r may be that of the result, `sum_j do[j] * result[j] - dl`, of rounded weights and
    rounded itself: it is equal, and known without the weights (Dao et al., appendix B).

    Constraints:
    - (C1) `query`, `key` and `value` have rank 4 and the same batch dimension.
    - (C2) `key` and `value` have the same heads and the same length T.
    - (C3) `query` and `key` have the same head dimension D.
    - (C4) query heads are a multiple of key heads.
    - (C5) `cotangent` has the shape [B, Hq, S, Dv]; `lse_cotangent` has the shape [B, Hq, S].
    - (C6) `mask` has rank 4 and the dimensions of [B, Hq, S, T], or 1; a dynamic dimension of it is that of the scores,
      never broadcast.
    - (C7) `scale` is finite.
    - (C8) all but the mask and the cotangent of the lse have one element type; that one has the accumulation type.
    - (C9) `window` is 1 or more.
    - (C10) `soft_cap` is finite and above 0.
    - (C11) `sinks` has the shape [Hq].
    - (C12) `lengths` and `offsets` have the shape [B].
    - (C13) there is one more result for a mask of numbers, of its type, then one for sinks, then one for each table.
    - (C14) `accumulate` is f32 or f64 and not narrower than the elements.
    - (C15) `score` and `slope` come together; each takes a number of the accumulation type and four indices, and yields a
      number of that type.
    - (C16) operations in `score` and `slope` have no effects and no regions.
    - (C17) behind that number, `slope` yields for each table a number of the accumulation type and as many indices as the
      table has dimensions; `tables` come with the regions only.

    Example:

    ```mlir
    %dq, %dk, %dv = transformer.attention_grad %do, %q, %k, %v {causal}
        : (tensor<1x8x16x64xf32>, tensor<1x8x16x64xf32>, tensor<1x2x32x64xf32>, tensor<1x2x32x64xf32>)
        -> (tensor<1x8x16x64xf32>, tensor<1x2x32x64xf32>, tensor<1x2x32x64xf32>)
    %eq, %ek, %ev = transformer.attention_grad %do, %q, %k, %v score {
    ^bb0(%x: f32, %b: index, %h: index, %s: index, %t: index):
      %y = arith.mulf %x, %x : f32
      transformer.yield %y : f32
    } slope {
    ^bb0(%x: f32, %b: index, %h: index, %s: index, %t: index):
      %y = arith.addf %x, %x : f32
      transformer.yield %y : f32
    } : (tensor<1x8x16x64xf32>, tensor<1x8x16x64xf32>, tensor<1x2x32x64xf32>, tensor<1x2x32x64xf32>)
        -> (tensor<1x8x16x64xf32>, tensor<1x2x32x64xf32>, tensor<1x2x32x64xf32>)
    %fq, %fk, %fv, %fslopes = transformer.attention_grad %do, %q, %k, %v tables %slopes score {
    ^bb0(%x: f32, %b: index, %h: index, %s: index, %t: index):
      %slope = tensor.extract %slopes[%h] : tensor<8xf32>
      %y = arith.mulf %x, %slope : f32
      transformer.yield %y : f32
    } slope {
    ^bb0(%x: f32, %b: index, %h: index, %s: index, %t: index):
      %slope = tensor.extract %slopes[%h] : tensor<8xf32>
      transformer.yield %slope, %x, %h : f32, f32, index
    } : (tensor<1x8x16x64xf32>, tensor<1x8x16x64xf32>, tensor<1x2x32x64xf32>, tensor<1x2x32x64xf32>, tensor<8xf32>)
        -> (tensor<1x8x16x64xf32>, tensor<1x2x32x64xf32>, tensor<1x2x32x64xf32>, tensor<8xf32>)
    ```
  }];
  let arguments = (ins
    Transformer_Described<Transformer_FloatTensor, "cotangent of the result, [B, Hq, S, Dv]">:$cotangent,
    Transformer_Described<Transformer_FloatTensor, "queries, [B, Hq, S, D]">:$query,
    Transformer_Described<Transformer_FloatTensor, "keys, [B, Hkv, T, D]">:$key,
    Transformer_Described<Transformer_FloatTensor, "values, [B, Hkv, T, Dv]">:$value,
    Optional<Transformer_Described<Transformer_FloatTensor, "cotangent of the lse, [B, Hq, S]">>:$lse_cotangent,
    Optional<Transformer_Described<Transformer_MaskTensor,
        "truth values that keep a score, or numbers added to it, [B|1, Hq|1, S|1, T|1]">>:$mask,
    Optional<Transformer_Described<Transformer_IndexTensor, "keys of each sequence, [B]">>:$lengths,
    Optional<Transformer_Described<Transformer_IndexTensor, "position of each sequence's first query, [B]">>:$offsets,
    Optional<Transformer_Described<Transformer_FloatTensor, "one more logit per query head, [Hq]">>:$sinks,
    Variadic<Transformer_Described<Transformer_FloatTensor, "tensors that `score` reads, of any shape">>:$tables,
    OptionalAttr<Transformer_DescribedAttr<F32Attr, "factor of the products; 1 / sqrt(D) without it">>:$scale,
    Transformer_DescribedAttr<UnitAttr, "whether queries see no key after their position">:$causal,
    OptionalAttr<Transformer_DescribedAttr<I64Attr,
        "how far from a query, in positions, keys are no longer seen">>:$window,
    OptionalAttr<Transformer_DescribedAttr<F32Attr, "bound that scores approach, in units of scores">>:$soft_cap,
    Transformer_Accumulate:$accumulate);
  let results = (outs
    Transformer_Described<Transformer_FloatTensor, "gradient of the queries, [B, Hq, S, D]">:$query_grad,
    Transformer_Described<Transformer_FloatTensor, "gradient of the keys, [B, Hkv, T, D]">:$key_grad,
    Transformer_Described<Transformer_FloatTensor, "gradient of the values, [B, Hkv, T, Dv]">:$value_grad,
    Variadic<Transformer_Described<Transformer_FloatTensor,
        "gradients of a mask of numbers, of sinks and of tables, of their shapes">>:$more_grads);
  let regions = (region AnyRegion:$score, AnyRegion:$slope);
  let assemblyFormat = [{
    $cotangent `,` $query `,` $key `,` $value (`lse` $lse_cotangent^)? (`mask` $mask^)? (`lengths` $lengths^)?
    (`offsets` $offsets^)? (`sinks` $sinks^)? (`tables` $tables^)? attr-dict (`score` $score^)? (`slope` $slope^)?
    `:` functional-type(operands, results)
  }];
  let hasVerifier = 1;
  let hasRegionVerifier = 1;
  let extraClassDeclaration = [{
    /// Whether the mask holds numbers, which have a gradient.
    bool hasMaskGrad() { return getMask() && !getMask().getType().getElementType().isInteger(1); }
    /// The gradients of the mask and of the sinks, null where there is none.
    ::mlir::Value getMaskGrad() { return hasMaskGrad() ? getMoreGrads().front() : ::mlir::Value(); }
    ::mlir::Value getSinksGrad() { return getSinks() ? getMoreGrads()[hasMaskGrad()] : ::mlir::Value(); }
    /// The gradients of the tables, in their order.
    ::mlir::ResultRange getTableGrads() { return getMoreGrads().take_back(getTables().size()); }
  }];
}

#endif // FORGE_DIALECT_TRANSFORMER_ATTENTIONGRADOPS_TD
