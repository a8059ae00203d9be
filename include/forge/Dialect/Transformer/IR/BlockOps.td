// Feed-forward blocks.
#ifndef FORGE_DIALECT_TRANSFORMER_BLOCKOPS_TD
#define FORGE_DIALECT_TRANSFORMER_BLOCKOPS_TD

include "forge/Dialect/Transformer/IR/TransformerBase.td"

def Transformer_MlpOp : Transformer_Op<"mlp", [AttrSizedOperandSegments, Transformer_Accumulates, Transformer_FoldsCasts]> {
  let summary = "two linear layers with an activation between them";
  let description = [{
    `result = activation(input . up + up_bias) . down + down_bias + residual`.

    With `transpose_weights` both weights are given as checkpoints store them, output features first: [F, H] and [O, F].

    Accumulation: both sums in `accumulate` (by default f32, f64 for f64). The hidden activations are rounded to the
    element type once, after the activation; the result once, after the residual: `transformer-decompose` gives the same
    bits.

    Constraints:
    - (C1) `input` has rank 2 or more; the weights have rank 2.
    - (C2) the features H of `input` and `up`, and the hidden features F of `up` and `down`, are equal.
    - (C3) `up_bias` has the shape [F], `down_bias` [O].
    - (C4) `result` has the shape of `input` with O in place of H; `residual` too.
    - (C5) all have one element type.
    - (C6) `accumulate` is f32 or f64 and not narrower than the input.

    Example:

    ```mlir
    %y = transformer.mlp %x up %wi bias %bi down %wo bias %bo residual %x {activation = #transformer.activation<gelu>}
        : (tensor<2x8x16xf32>, tensor<16x64xf32>, tensor<64xf32>, tensor<64x16xf32>, tensor<16xf32>, tensor<2x8x16xf32>)
          -> tensor<2x8x16xf32>
    ```
  }];
  let arguments = (ins
    Transformer_Described<Transformer_FloatTensor, "activations, [..., H]">:$input,
    Transformer_Described<Transformer_FloatTensor,
        "weights into the hidden features, [H, F], or [F, H] when transposed">:$up,
    Optional<Transformer_Described<Transformer_FloatTensor, "bias of `up`, [F]">>:$up_bias,
    Transformer_Described<Transformer_FloatTensor,
        "weights out of the hidden features, [F, O], or [O, F] when transposed">:$down,
    Optional<Transformer_Described<Transformer_FloatTensor, "bias of `down`, [O]">>:$down_bias,
    Optional<Transformer_Described<Transformer_FloatTensor, "what is added at the end, [..., O]">>:$residual,
    Transformer_DescribedAttr<Transformer_ActivationAttr, "activation of the hidden features">:$activation,
    Transformer_DescribedAttr<UnitAttr, "whether weights have their output features first">:$transpose_weights,
    Transformer_Accumulate:$accumulate);
  let results = (outs Transformer_Described<Transformer_FloatTensor, "activations, [..., O]">:$result);
  let assemblyFormat = [{
    $input `up` $up (`bias` $up_bias^)? `down` $down (`bias` $down_bias^)? (`residual` $residual^)? attr-dict
    `:` functional-type(operands, $result)
  }];
  let hasVerifier = 1;
}

def Transformer_GatedMlpOp : Transformer_Op<"gated_mlp", [AttrSizedOperandSegments, Transformer_Accumulates, Transformer_FoldsCasts]> {
  let summary = "a linear layer gated by the activation of another, then a third";
  let description = [{
    `result = (activation(input . gate + gate_bias) * (input . up + up_bias)) . down + down_bias + residual`: SwiGLU with
    `silu`, GeGLU with `gelu` (Shazeer, GLU Variants Improve Transformer, 2020).

    With `transpose_weights` the weights are given as checkpoints store them, output features first: [F, H], [F, H] and
    [O, F].

    Accumulation: all sums in `accumulate` (by default f32, f64 for f64). Gate, branch and their product are each
    rounded to the element type, and so is the result, once: `transformer-decompose` gives the same bits.

    Constraints:
    - (C1) `input` has rank 2 or more; the weights have rank 2.
    - (C2) the features H of `input`, `gate` and `up`, and the hidden features F of `gate`, `up` and `down`, are equal.
    - (C3) `gate_bias` and `up_bias` have the shape [F], `down_bias` [O].
    - (C4) `result` has the shape of `input` with O in place of H; `residual` too.
    - (C5) all have one element type.
    - (C6) `accumulate` is f32 or f64 and not narrower than the input.

    Example:

    ```mlir
    %y = transformer.gated_mlp %x gate %wg up %wu down %wd residual %x
        {activation = #transformer.activation<silu>, transpose_weights}
        : (tensor<2x8x16xbf16>, tensor<40x16xbf16>, tensor<40x16xbf16>, tensor<16x40xbf16>, tensor<2x8x16xbf16>)
          -> tensor<2x8x16xbf16>
    ```
  }];
  let arguments = (ins
    Transformer_Described<Transformer_FloatTensor, "activations, [..., H]">:$input,
    Transformer_Described<Transformer_FloatTensor, "weights of the gate, [H, F], or [F, H] when transposed">:$gate,
    Optional<Transformer_Described<Transformer_FloatTensor, "bias of `gate`, [F]">>:$gate_bias,
    Transformer_Described<Transformer_FloatTensor,
        "weights into the hidden features, [H, F], or [F, H] when transposed">:$up,
    Optional<Transformer_Described<Transformer_FloatTensor, "bias of `up`, [F]">>:$up_bias,
    Transformer_Described<Transformer_FloatTensor,
        "weights out of the hidden features, [F, O], or [O, F] when transposed">:$down,
    Optional<Transformer_Described<Transformer_FloatTensor, "bias of `down`, [O]">>:$down_bias,
    Optional<Transformer_Described<Transformer_FloatTensor, "what is added at the end, [..., O]">>:$residual,
    Transformer_DescribedAttr<Transformer_ActivationAttr, "activation of the hidden features">:$activation,
    Transformer_DescribedAttr<UnitAttr, "whether weights have their output features first">:$transpose_weights,
    Transformer_Accumulate:$accumulate);
  let results = (outs Transformer_Described<Transformer_FloatTensor, "activations, [..., O]">:$result);
  let assemblyFormat = [{
    $input `gate` $gate (`bias` $gate_bias^)? `up` $up (`bias` $up_bias^)? `down` $down (`bias` $down_bias^)?
    (`residual` $residual^)? attr-dict `:` functional-type(operands, $result)
  }];
  let hasVerifier = 1;
}

#endif // FORGE_DIALECT_TRANSFORMER_BLOCKOPS_TD
