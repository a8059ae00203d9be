// Normalisation along one dimension.
#ifndef FORGE_DIALECT_TRANSFORMER_NORMALIZATIONOPS_TD
#define FORGE_DIALECT_TRANSFORMER_NORMALIZATIONOPS_TD

include "forge/Dialect/Transformer/IR/TransformerBase.td"

// Both softmaxes: one tensor and the dimension along which it is normalised.
class Transformer_SoftmaxLikeOp<string mnemonic>
    : Transformer_SameTypeOp<mnemonic, [Transformer_Accumulates]> {
  let arguments = (ins
    Transformer_Described<Transformer_FloatTensor, "scores, any shape of rank 1 or more">:$input,
    Transformer_DescribedAttr<I64Attr, "number of the dimension that is normalised along">:$dimension,
    Transformer_Accumulate:$accumulate);
  let assemblyFormat = "$input attr-dict `:` type($input)";
  let hasVerifier = 1;
  let builders = [
    OpBuilder<(ins "::mlir::Value":$input, "int64_t":$dimension), [{
      build($_builder, $_state, input.getType(), input, dimension, /*accumulate=*/::mlir::TypeAttr());
    }]>];
}

def Transformer_SoftmaxOp : Transformer_SoftmaxLikeOp<"softmax"> {
  let summary = "exponentials that sum to one";
  let description = [{
    `result[i] = exp(input[i] - max(input)) / sum_j exp(input[j] - max(input))` along `dimension`.

    Accumulation: all in `accumulate` (by default f32, f64 for f64), rounded once; the largest element is subtracted
    first, so large inputs do not overflow. A row that holds a NaN or an infinity of positive sign, or nothing but -inf,
    gives NaN; -inf among finite scores gives 0.

    Constraints:
    - (C1) `dimension` is one of the input's.
    - (C2) `accumulate` is f32 or f64 and not narrower than the input.

    Example:

    ```mlir
    %p = transformer.softmax %s {dimension = 1 : i64} : tensor<4x33xf32>
    ```
  }];
  let results = (outs Transformer_Described<Transformer_FloatTensor, "weights, the shape of the input">:$result);
}

def Transformer_LogSoftmaxOp : Transformer_SoftmaxLikeOp<"log_softmax"> {
  let summary = "logarithms of the exponentials that sum to one";
  let description = [{
    `result[i] = input[i] - max(input) - log(sum_j exp(input[j] - max(input)))` along `dimension`: the logarithm of
    `softmax`, without its underflow.

    Accumulation: all in `accumulate` (by default f32, f64 for f64), rounded once. A row that holds a NaN or an infinity
    of positive sign, or nothing but -inf, gives NaN; -inf among finite scores gives -inf.

    Constraints:
    - (C1) `dimension` is one of the input's.
    - (C2) `accumulate` is f32 or f64 and not narrower than the input.

    Example:

    ```mlir
    %l = transformer.log_softmax %s {dimension = 1 : i64} : tensor<4x33xf32>
    ```
  }];
  let results = (outs Transformer_Described<Transformer_FloatTensor,
      "logarithms of weights, the shape of the input">:$result);
}

def Transformer_LayerNormOp
    : Transformer_SameTypeOp<"layer_norm", [AttrSizedOperandSegments, Transformer_Accumulates]> {
  let summary = "rows of mean zero and variance one, scaled and shifted";
  let description = [{
    Along the last dimension of length N, with `mean = sum_j input[j] / N` and `var = sum_j (input[j] - mean)^2 / N`
    (the biased variance):

    `result[i] = (input[i] - mean) / sqrt(var + epsilon) * scale[i] + shift[i]`

    Accumulation: both sums and the result in `accumulate` (by default f32, f64 for f64), rounded once. The mean is
    subtracted before squaring. A row of equal elements with `epsilon` 0 divides 0 by 0: NaN. Squares are not scaled:
    where the distance from the mean is beyond the root of the accumulation type's largest number (1.8e19 in f32), all
    of the row's normalised elements are 0.

    Constraints:
    - (C1) the input has rank 1 or more.
    - (C2) `scale` and `shift` have the shape [N].
    - (C3) all have one element type.
    - (C4) `epsilon` is finite and not below 0.
    - (C5) `accumulate` is f32 or f64 and not narrower than the input.

    Example:

    ```mlir
    %y = transformer.layer_norm %x scale %g shift %b {epsilon = 1.0e-05 : f32}
        : (tensor<4x64xf32>, tensor<64xf32>, tensor<64xf32>) -> tensor<4x64xf32>
    ```
  }];
  let arguments = (ins
    Transformer_Described<Transformer_FloatTensor, "rows to normalise, [..., N]">:$input,
    Optional<Transformer_Described<Transformer_FloatTensor, "factor of every column, [N]">>:$scale,
    Optional<Transformer_Described<Transformer_FloatTensor, "what is added to every column, [N]">>:$shift,
    Transformer_DescribedAttr<F32Attr, "what is added under the root, in units of the input squared">:$epsilon,
    Transformer_Accumulate:$accumulate);
  let results = (outs Transformer_Described<Transformer_FloatTensor, "normalised rows, [..., N]">:$result);
  let assemblyFormat = [{
    $input (`scale` $scale^)? (`shift` $shift^)? attr-dict `:` functional-type(operands, $result)
  }];
  let hasVerifier = 1;
  let builders = [
    OpBuilder<(ins "::mlir::Value":$input, "::mlir::Value":$scale, "::mlir::Value":$shift, "float":$epsilon), [{
      build($_builder, $_state, input.getType(), input, scale, shift, $_builder.getF32FloatAttr(epsilon),
            /*accumulate=*/::mlir::TypeAttr());
    }]>];
}

def Transformer_RmsNormOp : Transformer_SameTypeOp<"rms_norm", [Transformer_Accumulates]> {
  let summary = "rows of mean square one, scaled";
  let description = [{
    Along the last dimension of length N: `result[i] = input[i] / sqrt(sum_j input[j]^2 / N + epsilon) * scale[i]`.
    With `unit_offset` the factor is `1 + scale[i]`, as Gemma's weights are stored.

    Accumulation: in `accumulate` (by default f32, f64 for f64), rounded once. Squares are not scaled: elements beyond
    the root of the accumulation type's largest number (1.8e19 in f32) give 0, and a row of zeros with `epsilon` 0 gives
    NaN.

    Constraints:
    - (C1) the input has rank 1 or more.
    - (C2) `scale` has the shape [N].
    - (C3) all have one element type.
    - (C4) `epsilon` is finite and not below 0.
    - (C5) `unit_offset` needs a `scale`.
    - (C6) `accumulate` is f32 or f64 and not narrower than the input.

    Example:

    ```mlir
    %y = transformer.rms_norm %x scale %w {epsilon = 1.0e-06 : f32} : (tensor<4x64xf32>, tensor<64xf32>) -> tensor<4x64xf32>
    ```
  }];
  let arguments = (ins
    Transformer_Described<Transformer_FloatTensor, "rows to normalise, [..., N]">:$input,
    Optional<Transformer_Described<Transformer_FloatTensor, "factor of every column, [N]">>:$scale,
    Transformer_DescribedAttr<F32Attr, "what is added under the root, in units of the input squared">:$epsilon,
    Transformer_DescribedAttr<UnitAttr, "whether factors are 1 + scale">:$unit_offset,
    Transformer_Accumulate:$accumulate);
  let results = (outs Transformer_Described<Transformer_FloatTensor, "normalised rows, [..., N]">:$result);
  let assemblyFormat = "$input (`scale` $scale^)? attr-dict `:` functional-type(operands, $result)";
  let hasVerifier = 1;
  let builders = [
    OpBuilder<(ins "::mlir::Value":$input, "::mlir::Value":$scale, "float":$epsilon,
                   CArg<"bool", "false">:$unitOffset), [{
      build($_builder, $_state, input.getType(), input, scale, $_builder.getF32FloatAttr(epsilon),
            unitOffset ? $_builder.getUnitAttr() : ::mlir::UnitAttr(), /*accumulate=*/::mlir::TypeAttr());
    }]>];
}

#endif // FORGE_DIALECT_TRANSFORMER_NORMALIZATIONOPS_TD
