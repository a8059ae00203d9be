// Choices among scores: the largest, the k largest, a random one, the loss of a given one.
#ifndef FORGE_DIALECT_TRANSFORMER_SELECTIONOPS_TD
#define FORGE_DIALECT_TRANSFORMER_SELECTIONOPS_TD

include "forge/Dialect/Transformer/IR/TransformerBase.td"

def Transformer_ArgmaxOp : Transformer_Op<"argmax", [Transformer_FoldsCasts]> {
  let summary = "the place of the largest element of every row";
  let description = [{
    `result[i...]` is the place, along the last dimension, of the element that comes first in *falling order*: a larger
    number before a smaller one, NaN of either sign before every number, and of equals (0 and -0 are equal, NaN and NaN
    are) the one with the lower index. A row of -inf gives 0, and so does an empty one.

    Accumulation: none; bit-exact.

    Constraints:
    - (C1) the input has rank 1 or more.
    - (C2) `result` has the shape of the input without its last dimension.

    Example:

    ```mlir
    %i = transformer.argmax %x : tensor<4x32000xf32> -> tensor<4xi32>
    ```
  }];
  let arguments = (ins Transformer_Described<Transformer_FloatTensor, "rows, [..., V]">:$input);
  let results = (outs Transformer_Described<Transformer_IndexTensor, "places of the largest elements, [...]">:$result);
  let assemblyFormat = "$input attr-dict `:` type($input) `->` type($result)";
  let hasVerifier = 1;
  let builders = [OpBuilder<(ins "::mlir::Value":$input)>];
}

def Transformer_TopKOp : Transformer_Op<"top_k", [Transformer_FoldsCasts]> {
  let summary = "the k largest elements of every row";
  let description = [{
    `values[i..., j]` is the j-th element of row i in falling order, and `indices[i..., j]` its place: larger numbers
    first, NaN of either sign before all of them, equals by rising index (as in `transformer.argmax`).

    Accumulation: none; bit-exact.

    Constraints:
    - (C1) the input has rank 1 or more.
    - (C2) `k` is 1 or more, and at most the length of a row where that is known.
    - (C3) `values` and `indices` have the shape of the input with k for the last dimension.
    - (C4) the input and `values` have one element type.

    Rows of dynamic length that turn out shorter than k end the run with a message.

    Example:

    ```mlir
    %v, %i = transformer.top_k %x {k = 8 : i64} : (tensor<4x256xf32>) -> (tensor<4x8xf32>, tensor<4x8xi32>)
    ```
  }];
  let arguments = (ins
    Transformer_Described<Transformer_FloatTensor, "rows, [..., V]">:$input,
    Transformer_DescribedAttr<I64Attr, "how many are chosen">:$k);
  let results = (outs
    Transformer_Described<Transformer_FloatTensor, "the largest elements, [..., k]">:$values,
    Transformer_Described<Transformer_IndexTensor, "their places, [..., k]">:$indices);
  let assemblyFormat = "$input attr-dict `:` functional-type(operands, results)";
  let hasVerifier = 1;
  let builders = [OpBuilder<(ins "::mlir::Value":$input, "int64_t":$k)>];
}

def Transformer_SampleOp : Transformer_Op<"sample", [AttrSizedOperandSegments, Transformer_FoldsCasts]> {
  let summary = "a random token of every row";
  let description = [{
    For every row b of V logits x[i], with the temperature t, the count k and the share q of that row:

    1. Without `temperature`, t is 1. If t is not above 0, or the largest logit is not finite, the token is
       `argmax(x)`; otherwise:
    2. Tokens are in falling order of their logits (see `transformer.argmax`). The first k are kept; all of them
       without `top_k`, or where k < 1 or k > V.
    3. Every kept token has the weight w[i] = exp((x[i] - max(x)) / t).
    4. With `top_p`, of these the shortest beginning (in falling order) is kept whose weights sum up to q times the sum
       of all of them or more, but at least one token; all where no beginning does, and for a q that is 1 or more, or NaN.
    5. u in [0, 1) is drawn: Philox-4x32-10 (Salmon et al. 2011) with the key (low, high word of seeds[b]) and the
       counter (low, high word of steps[b], 0, 0) gives four words, of which u = (word 0 >> 8) * 2^-24.
    6. The token is the first *by index* of the kept ones at which the running sum of their weights exceeds u times the
       sum of all of them; the last kept one by index if rounding leaves none.

    A draw depends on the seed, the step and the row's logits alone: not on the batch it is in, nor on the machine, save
    where u is within rounding of a boundary.

    Accumulation: weights in f32 (f64 for f64), their sums in f64.

    Constraints:
    - (C1) `logits` has rank 2, and V >= 1.
    - (C2) `seeds`, `steps`, `temperature`, `top_k` and `top_p` have the shape [B].
    - (C3) `result` has the shape [B].

    Example:

    ```mlir
    %token = transformer.sample %logits seeds %seeds steps %steps temperature %t top_p %p
        : (tensor<4x32000xbf16>, tensor<4xi64>, tensor<4xi64>, tensor<4xf32>, tensor<4xf32>) -> tensor<4xi32>
    ```
  }];
  let arguments = (ins
    Transformer_Described<Transformer_FloatTensor, "logits, [B, V]">:$logits,
    Transformer_Described<RankedTensorOf<[I64]>, "seed of each sequence's random numbers, [B]">:$seeds,
    Transformer_Described<RankedTensorOf<[I64]>, "number of each sequence's draw, for instance the token's position, [B]">:$steps,
    Optional<Transformer_Described<RankedTensorOf<[F32]>, "what logits are divided by, [B]">>:$temperature,
    Optional<Transformer_Described<Transformer_IndexTensor, "how many tokens are kept, [B]">>:$top_k,
    Optional<Transformer_Described<RankedTensorOf<[F32]>, "share of the weights that is kept, [B]">>:$top_p);
  let results = (outs Transformer_Described<Transformer_IndexTensor, "tokens, [B]">:$result);
  let assemblyFormat = [{
    $logits `seeds` $seeds `steps` $steps (`temperature` $temperature^)? (`top_k` $top_k^)? (`top_p` $top_p^)? attr-dict
    `:` functional-type(operands, $result)
  }];
  let hasVerifier = 1;
  let hasCanonicalizeMethod = 1;
}

def Transformer_CrossEntropyOp : Transformer_Op<"cross_entropy", [Transformer_Accumulates, Transformer_FoldsCasts]> {
  let summary = "the negative log-likelihood of given classes";
  let description = [{
    For every row i of C logits x[j] with the class c = targets[i...], and e = `label_smoothing` (0 without it):

    ```
    m        = max_j x[j]
    l        = log(sum_j exp(x[j] - m))
    loss[i]  = (1 - e) * (l - (x[c] - m)) + e * (l - sum_j (x[j] - m) / C)
    ```

    A row whose class is `ignore_index` counts for nothing: its loss is 0. The loss of a class that is neither that nor
    in [0, C - 1] is NaN; nothing is read for it. The result is, by `reduction`:

    | reduction | result |
    |---|---|
    | `none` | every loss |
    | `sum` | the sum of the losses |
    | `mean` | that sum, divided by the number of rows that count (by 1 if none does) |

    Accumulation: in `accumulate` (by default f32, f64 for f64), which is the result's element type, so that losses of
    narrow logits keep their precision.

    Constraints:
    - (C1) `logits` has rank 1 or more, and C >= 1.
    - (C2) `targets` has the shape of `logits` without its last dimension.
    - (C3) `result` has the shape of `targets` for `none`, otherwise rank 0.
    - (C4) `result` has the accumulation type.
    - (C5) `label_smoothing` is from 0 to 1.
    - (C6) `accumulate` is f32 or f64 and not narrower than the logits.

    Example:

    ```mlir
    %loss = transformer.cross_entropy mean %logits, %targets {ignore_index = -100 : i64}
        : (tensor<8x32000xbf16>, tensor<8xi32>) -> tensor<f32>
    ```
  }];
  let arguments = (ins
    Transformer_DescribedAttr<Transformer_LossReductionAttr, "what becomes of the losses">:$reduction,
    Transformer_Described<Transformer_FloatTensor, "logits, [..., C]">:$logits,
    Transformer_Described<Transformer_IndexTensor, "classes, [...]">:$targets,
    OptionalAttr<Transformer_DescribedAttr<I64Attr, "class of rows that count for nothing">>:$ignore_index,
    OptionalAttr<Transformer_DescribedAttr<F32Attr,
        "share of the target that all classes get alike, from 0 to 1">>:$label_smoothing,
    Transformer_Accumulate:$accumulate);
  let results = (outs Transformer_Described<Transformer_FloatTensor, "losses, [...], or one number">:$result);
  let assemblyFormat = [{
    custom<LossReduction>($reduction) $logits `,` $targets attr-dict `:` functional-type(operands, $result)
  }];
  let hasVerifier = 1;
  let builders = [
    OpBuilder<(ins "LossReduction":$reduction, "::mlir::Value":$logits, "::mlir::Value":$targets)>];
}

def Transformer_MoeRouteOp : Transformer_Op<"moe_route", [Transformer_Accumulates, Transformer_FoldsCasts]> {
  let summary = "the experts of every token, and their weights";
  let description = [{
    For every token n with the logits x[j] of E experts:

    1. score[j] is softmax(x)[j], or sigmoid(x[j]); choice[j] = score[j] + bias[j] (score[j] without `bias`), which only
       decides who is chosen (the bias-corrected selection of DeepSeek-V3, arXiv:2412.19437).
    2. With `groups` G and `top_groups`, experts are in G groups of E / G neighbours. A group's score is its largest
       choice (`max`, DeepSeek-V2, arXiv:2405.04434) or the sum of its two largest (`top2`, DeepSeek-V3). Only experts of the
       `top_groups` first groups, in falling order of these scores, can be chosen.
    3. The `k` first experts, in falling order of choice, are chosen: `experts[n, :]`.
    4. weights[n, i] = score of the i-th; with `normalize` divided by (the sum of the k scores + 1e-20), so that they sum
       to one; then times `scale` (1 without it).

    Falling order is that of `transformer.argmax`: NaN first, equals by rising index. softmax over the k chosen logits
    alone (Mixtral, gpt-oss) is softmax with `normalize`.

    Accumulation: in `accumulate` (by default f32, f64 for f64); scores and choices are rounded to it before they are
    ordered; weights are rounded once to the result's element type.

    Constraints:
    - (C1) `logits` has rank 2, and E is static.
    - (C2) `bias` has the shape [E].
    - (C3) `k` is from 1 to the number of experts that can be chosen.
    - (C4) `weights` and `experts` have the shape [N, k].
    - (C5) `groups` and `top_groups` come together; `groups` divides E, `top_groups` is from 1 to `groups`.
    - (C6) `top2` group scores need groups of two experts or more.
    - (C7) `logits` and `weights` have one element type; `bias` has it, or the accumulation type.
    - (C8) `scale` is finite.
    - (C9) `accumulate` is f32 or f64 and not narrower than the logits.

    Example:

    ```mlir
    %w, %e = transformer.moe_route sigmoid %logits bias %bias {k = 8 : i64, normalize, groups = 8 : i64,
        top_groups = 4 : i64, group_score = #transformer.group_score<top2>, scale = 2.5 : f32}
        : (tensor<16x256xf32>, tensor<256xf32>) -> (tensor<16x8xf32>, tensor<16x8xi32>)
    ```
  }];
  let arguments = (ins
    Transformer_DescribedAttr<Transformer_RouterScoreAttr, "what turns logits into scores">:$score,
    Transformer_Described<Transformer_FloatTensor, "logits, [N, E]">:$logits,
    Optional<Transformer_Described<Transformer_FloatTensor, "what is added to scores for the choice, [E]">>:$bias,
    Transformer_DescribedAttr<I64Attr, "how many are chosen">:$k,
    Transformer_DescribedAttr<UnitAttr, "whether the weights of a token sum to one">:$normalize,
    OptionalAttr<Transformer_DescribedAttr<I64Attr, "number of groups that experts are in">>:$groups,
    OptionalAttr<Transformer_DescribedAttr<I64Attr, "number of groups that experts are chosen from">>:$top_groups,
    DefaultValuedAttr<Transformer_DescribedAttr<Transformer_GroupScoreAttr, "what a group is measured by">,
        "::forge::transformer::GroupScore::Max">:$group_score,
    OptionalAttr<Transformer_DescribedAttr<F32Attr, "factor of all weights; 1 without it">>:$scale,
    Transformer_Accumulate:$accumulate);
  let results = (outs
    Transformer_Described<Transformer_FloatTensor, "weights of the chosen experts, [N, k]">:$weights,
    Transformer_Described<Transformer_IndexTensor, "the chosen experts, [N, k]">:$experts);
  let assemblyFormat = [{
    custom<RouterScore>($score) $logits (`bias` $bias^)? attr-dict `:` functional-type(operands, results)
  }];
  let hasVerifier = 1;
  let hasCanonicalizeMethod = 1;
}

#endif // FORGE_DIALECT_TRANSFORMER_SELECTIONOPS_TD
