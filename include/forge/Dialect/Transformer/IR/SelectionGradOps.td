// Gradients of choices among scores, and of the loss.
#ifndef FORGE_DIALECT_TRANSFORMER_SELECTIONGRADOPS_TD
#define FORGE_DIALECT_TRANSFORMER_SELECTIONGRADOPS_TD

include "forge/Dialect/Transformer/IR/TransformerBase.td"

def Transformer_CrossEntropyGradOp
    : Transformer_Op<"cross_entropy_grad", [AllTypesMatch<["logits", "result"]>, Transformer_Accumulates]> {
  let summary = "the gradient of cross_entropy";
  let description = [{
    For every row i of C logits with the class c = targets[i...], p = softmax(logits[i]), and e = `label_smoothing` (0
    without it):

    `result[i, j] = g[i] * (p[j] - (1 - e) * [j = c] - e / C)`

    where g[i] is cotangent[i...] for the reduction `none`, the one cotangent for `sum`, and that divided by the number of
    rows that count (by 1 if none does) for `mean`. Rows whose class is `ignore_index` are 0; rows of a class that is
    neither that nor in [0, C - 1] are NaN.

    Accumulation: in `accumulate` (by default f32, f64 for f64), rounded once.

    Constraints:
    - (C1) `logits` has rank 1 or more.
    - (C2) `targets` has the shape of `logits` without its last dimension.
    - (C3) `cotangent` has the shape of `targets` for `none`, otherwise rank 0.
    - (C4) `cotangent` has the accumulation type.
    - (C5) `label_smoothing` is from 0 to 1.
    - (C6) `accumulate` is f32 or f64 and not narrower than the logits.

    Example:

    ```mlir
    %dx = transformer.cross_entropy_grad mean %dloss, %logits, %targets {ignore_index = -100 : i64}
        : (tensor<f32>, tensor<8x32000xbf16>, tensor<8xi32>) -> tensor<8x32000xbf16>
    ```
  }];
  let arguments = (ins
    Transformer_DescribedAttr<Transformer_LossReductionAttr, "what becomes of the losses">:$reduction,
    Transformer_Described<Transformer_FloatTensor, "cotangent of the losses, [...], or of their one number">:$cotangent,
    Transformer_Described<Transformer_FloatTensor, "logits, [..., C]">:$logits,
    Transformer_Described<Transformer_IndexTensor, "classes, [...]">:$targets,
    OptionalAttr<Transformer_DescribedAttr<I64Attr, "class of rows that count for nothing">>:$ignore_index,
    OptionalAttr<Transformer_DescribedAttr<F32Attr,
        "share of the target that all classes get alike, from 0 to 1">>:$label_smoothing,
    Transformer_Accumulate:$accumulate);
  let results = (outs Transformer_Described<Transformer_FloatTensor, "gradient of the logits, [..., C]">:$result);
  let assemblyFormat = [{
    custom<LossReduction>($reduction) $cotangent `,` $logits `,` $targets attr-dict `:` functional-type(operands, $result)
  }];
  let hasVerifier = 1;
}

def Transformer_MoeRouteGradOp
    : Transformer_Op<"moe_route_grad", [AllTypesMatch<["logits", "result"]>, Transformer_Accumulates]> {
  let summary = "the gradient of the weights of chosen experts by the logits";
  let description = [{
    For every token n, with score s = softmax(x) or sigmoid(x) of its logits x, the chosen scores
    `c[i] = s[experts[n, i]]`, f = `scale` (1 without it) and dw = cotangent[n, :]:

    ```
    dc[i] = f * dw[i]                                            without normalize
    dc[i] = f * (dw[i] - sum_j dw[j] * c[j] / z) / z             with normalize, z = sum_j c[j] + 1e-20
    ds[e] = sum of dc[i] over all i with experts[n, i] = e
    result[n, e] = s[e] * (ds[e] - sum_j s[j] * ds[j])           softmax
    result[n, e] = s[e] * (1 - s[e]) * ds[e]                     sigmoid
    ```

    The choice itself is locally constant: neither the bias nor the groups of `moe_route` matter here. Experts are held
    inside [0, E - 1].

    Accumulation: in `accumulate` (by default f32, f64 for f64), rounded once.

    Constraints:
    - (C1) `logits` has rank 2.
    - (C2) `cotangent` and `experts` have the same shape, [N, k].
    - (C3) `cotangent` and `logits` have one element type.
    - (C4) `scale` is finite.
    - (C5) `accumulate` is f32 or f64 and not narrower than the logits.

    Example:

    ```mlir
    %dx = transformer.moe_route_grad softmax %dw, %logits, %experts {normalize}
        : (tensor<16x2xf32>, tensor<16x8xf32>, tensor<16x2xi32>) -> tensor<16x8xf32>
    ```
  }];
  let arguments = (ins
    Transformer_DescribedAttr<Transformer_RouterScoreAttr, "what turns logits into scores">:$score,
    Transformer_Described<Transformer_FloatTensor, "cotangent of the weights, [N, k]">:$cotangent,
    Transformer_Described<Transformer_FloatTensor, "logits, [N, E]">:$logits,
    Transformer_Described<Transformer_IndexTensor, "the chosen experts, [N, k]">:$experts,
    Transformer_DescribedAttr<UnitAttr, "whether the weights of a token sum to one">:$normalize,
    OptionalAttr<Transformer_DescribedAttr<F32Attr, "factor of all weights; 1 without it">>:$scale,
    Transformer_Accumulate:$accumulate);
  let results = (outs Transformer_Described<Transformer_FloatTensor, "gradient of the logits, [N, E]">:$result);
  let assemblyFormat = [{
    custom<RouterScore>($score) $cotangent `,` $logits `,` $experts attr-dict `:` functional-type(operands, $result)
  }];
  let hasVerifier = 1;
}

def Transformer_TopKGradOp
    : Transformer_Op<"top_k_grad", [AllTypesMatch<["input", "result"]>, Transformer_Accumulates]> {
  let summary = "the gradient of the k largest elements by the row they are from";
  let description = [{
    `result[i..., v]` is the sum of `cotangent[i..., j]` over all j with `indices[i..., j] = v`: what `top_k` selected
    gets its cotangent, the rest of a row 0. Indices outside of a row are ignored.

    Accumulation: in `accumulate` (by default f32, f64 for f64), rounded once.

    Constraints:
    - (C1) the input has rank 1 or more.
    - (C2) `cotangent` and `indices` have the same shape, that of the input but for the last dimension.
    - (C3) `cotangent` and the input have one element type.
    - (C4) `accumulate` is f32 or f64 and not narrower than the input.

    Example:

    ```mlir
    %dx = transformer.top_k_grad %dv, %i, %x : (tensor<4x8xf32>, tensor<4x8xi32>, tensor<4x256xf32>) -> tensor<4x256xf32>
    ```
  }];
  let arguments = (ins
    Transformer_Described<Transformer_FloatTensor, "cotangent of the selected elements, [..., k]">:$cotangent,
    Transformer_Described<Transformer_IndexTensor, "their places, [..., k]">:$indices,
    Transformer_Described<Transformer_FloatTensor, "the rows, [..., V]; only their shape is read">:$input,
    Transformer_Accumulate:$accumulate);
  let results = (outs Transformer_Described<Transformer_FloatTensor, "gradient of the rows, [..., V]">:$result);
  let assemblyFormat = "$cotangent `,` $indices `,` $input attr-dict `:` functional-type(operands, $result)";
  let hasVerifier = 1;
}

#endif // FORGE_DIALECT_TRANSFORMER_SELECTIONGRADOPS_TD
