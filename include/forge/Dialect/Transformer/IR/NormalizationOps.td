// Normalisation along one dimension.
#ifndef FORGE_DIALECT_TRANSFORMER_NORMALIZATIONOPS_TD
#define FORGE_DIALECT_TRANSFORMER_NORMALIZATIONOPS_TD

include "forge/Dialect/Transformer/IR/TransformerBase.td"

def Transformer_SoftmaxOp : Transformer_SameTypeOp<"softmax"> {
  let summary = "exponentials that sum to one";
  let description = [{
    `result[i] = exp(input[i] - max(input)) / sum_j exp(input[j] - max(input))` along `dimension`.

    Accumulation: in f32 (f64 for f64); the largest element is subtracted first, so large inputs do not overflow.

    Constraints:
    - (C1) `dimension` is one of the input's.

    Example:

    ```mlir
    %p = transformer.softmax %s {dimension = 1 : i64} : tensor<4x33xf32>
    ```
  }];
  let arguments = (ins
    Arg<Transformer_FloatTensor, "scores, any shape of rank 1 or more">:$input,
    I64Attr:$dimension);
  let results = (outs Res<Transformer_FloatTensor, "weights, the shape of the input">:$result);
  let assemblyFormat = "$input attr-dict `:` type($input)";
  let hasVerifier = 1;
}

def Transformer_LayerNormOp
    : Transformer_SameTypeOp<"layer_norm", [AttrSizedOperandSegments]> {
  let summary = "rows of mean zero and variance one, scaled and shifted";
  let description = [{
    Along the last dimension of length N, with `mean = sum_j input[j] / N` and `var = sum_j (input[j] - mean)^2 / N`
    (the biased variance):

    `result[i] = (input[i] - mean) / sqrt(var + epsilon) * scale[i] + shift[i]`

    Accumulation: both sums and the result in f32 (f64 for f64), rounded once. The mean is subtracted before squaring.

    Constraints:
    - (C1) the input has rank 1 or more.
    - (C2) `scale` and `shift` have the shape [N].
    - (C3) all have one element type.
    - (C4) `epsilon` is finite and not below 0.

    Example:

    ```mlir
    %y = transformer.layer_norm %x scale %g shift %b {epsilon = 1.0e-05 : f32}
        : (tensor<4x64xf32>, tensor<64xf32>, tensor<64xf32>) -> tensor<4x64xf32>
    ```
  }];
  let arguments = (ins
    Arg<Transformer_FloatTensor, "rows to normalise, [..., N]">:$input,
    Optional<Transformer_FloatTensor>:$scale,
    Optional<Transformer_FloatTensor>:$shift,
    F32Attr:$epsilon);
  let results = (outs Res<Transformer_FloatTensor, "normalised rows, [..., N]">:$result);
  let assemblyFormat = [{
    $input (`scale` $scale^)? (`shift` $shift^)? attr-dict `:` functional-type(operands, $result)
  }];
  let hasVerifier = 1;
}

def Transformer_RmsNormOp : Transformer_SameTypeOp<"rms_norm"> {
  let summary = "rows of mean square one, scaled";
  let description = [{
    Along the last dimension of length N: `result[i] = input[i] / sqrt(sum_j input[j]^2 / N + epsilon) * scale[i]`.
    With `unit_offset` the factor is `1 + scale[i]`, as Gemma's weights are stored.

    Accumulation: in f32 (f64 for f64), rounded once.

    Constraints:
    - (C1) the input has rank 1 or more.
    - (C2) `scale` has the shape [N].
    - (C3) all have one element type.
    - (C4) `epsilon` is finite and not below 0.

    Example:

    ```mlir
    %y = transformer.rms_norm %x scale %w {epsilon = 1.0e-06 : f32} : (tensor<4x64xf32>, tensor<64xf32>) -> tensor<4x64xf32>
    ```
  }];
  let arguments = (ins
    Arg<Transformer_FloatTensor, "rows to normalise, [..., N]">:$input,
    Optional<Transformer_FloatTensor>:$scale,
    F32Attr:$epsilon,
    UnitAttr:$unit_offset);
  let results = (outs Res<Transformer_FloatTensor, "normalised rows, [..., N]">:$result);
  let assemblyFormat = "$input (`scale` $scale^)? attr-dict `:` functional-type(operands, $result)";
  let hasVerifier = 1;
}

#endif // FORGE_DIALECT_TRANSFORMER_NORMALIZATIONOPS_TD
