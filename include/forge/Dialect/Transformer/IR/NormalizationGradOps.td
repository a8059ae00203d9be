// Gradients of normalisation along one dimension.
#ifndef FORGE_DIALECT_TRANSFORMER_NORMALIZATIONGRADOPS_TD
#define FORGE_DIALECT_TRANSFORMER_NORMALIZATIONGRADOPS_TD

include "forge/Dialect/Transformer/IR/TransformerBase.td"

// softmax_grad_c2: SameOperandsAndResultType
// log_softmax_grad_c2: SameOperandsAndResultType
class Transformer_SoftmaxGradBase<string mnemonic>
    : Transformer_Op<mnemonic, [SameOperandsAndResultType, Transformer_Accumulates]> {
  let arguments = (ins
    Transformer_Described<Transformer_FloatTensor, "cotangent of the result, any shape of rank 1 or more">:$cotangent,
    Transformer_Described<Transformer_FloatTensor, "the result itself, the same shape">:$output,
    Transformer_DescribedAttr<I64Attr, "number of the dimension that was normalised along">:$dimension,
    Transformer_Accumulate:$accumulate);
  let results = (outs Transformer_Described<Transformer_FloatTensor, "gradient of the input, the same shape">:$result);
  let assemblyFormat = "$cotangent `,` $output attr-dict `:` type($result)";
  let hasVerifier = 1;
}

def Transformer_SoftmaxGradOp : Transformer_SoftmaxGradBase<"softmax_grad"> {
  let summary = "the gradient of softmax, from its result";
  let description = [{
    With the weights `p` that softmax gave: `result[i] = p[i] * (cotangent[i] - sum_j cotangent[j] * p[j])` along
    `dimension`.

    Accumulation: in `accumulate` (by default f32, f64 for f64), rounded once.

    Constraints:
    - (C1) `dimension` is one of the operands'.
    - (C2) both operands and the result have the same type.
    - (C3) `accumulate` is f32 or f64 and not narrower than the operands.

    Example:

    ```mlir
    %ds = transformer.softmax_grad %dp, %p {dimension = 1 : i64} : tensor<4x33xf32>
    ```
  }];
}

def Transformer_LogSoftmaxGradOp : Transformer_SoftmaxGradBase<"log_softmax_grad"> {
  let summary = "the gradient of log_softmax, from its result";
  let description = [{
    With the logarithms `l` that log_softmax gave: `result[i] = cotangent[i] - exp(l[i]) * sum_j cotangent[j]` along
    `dimension`.

    Accumulation: in `accumulate` (by default f32, f64 for f64), rounded once.

    Constraints:
    - (C1) `dimension` is one of the operands'.
    - (C2) both operands and the result have the same type.
    - (C3) `accumulate` is f32 or f64 and not narrower than the operands.

    Example:

    ```mlir
    %ds = transformer.log_softmax_grad %dl, %l {dimension = 1 : i64} : tensor<4x33xf32>
    ```
  }];
}

def Transformer_LayerNormGradOp
    : Transformer_Op<"layer_norm_grad", [AllTypesMatch<["cotangent", "input", "input_grad"]>, Transformer_Accumulates]> {
  let summary = "the gradients of layer_norm";
  let description = [{
    Along the last dimension of length N, with `mean` and `var` as in `transformer.layer_norm`,
    `r = 1 / sqrt(var + epsilon)`, `h[i] = (input[i] - mean) * r` and `g[i] = cotangent[i] * scale[i]`:

    `input_grad[i] = r * (g[i] - sum_j g[j] / N - h[i] * sum_j g[j] * h[j] / N)`
    `scale_grad[i] = sum over rows of cotangent[i] * h[i]`
    `shift_grad[i] = sum over rows of cotangent[i]`

    Accumulation: all sums and results in `accumulate` (by default f32, f64 for f64), rounded once.

    Constraints:
    - (C1) the input has rank 1 or more; `cotangent`, `input` and `input_grad` have the same type.
    - (C2) `scale`, `scale_grad` and `shift_grad` have the shape [N].
    - (C3) all have one element type.
    - (C4) `epsilon` is finite and not below 0.
    - (C5) `accumulate` is f32 or f64 and not narrower than the input.

    Example:

    ```mlir
    %dx, %dg, %db = transformer.layer_norm_grad %dy, %x scale %g {epsilon = 1.0e-05 : f32}
        : (tensor<4x64xf32>, tensor<4x64xf32>, tensor<64xf32>) -> (tensor<4x64xf32>, tensor<64xf32>, tensor<64xf32>)
    ```
  }];
  let arguments = (ins
    Transformer_Described<Transformer_FloatTensor, "cotangent of the normalised rows, [..., N]">:$cotangent,
    Transformer_Described<Transformer_FloatTensor, "rows that were normalised, [..., N]">:$input,
    Optional<Transformer_Described<Transformer_FloatTensor, "factor of every column, [N]">>:$scale,
    Transformer_DescribedAttr<F32Attr, "what is added under the root, in units of the input squared">:$epsilon,
    Transformer_Accumulate:$accumulate);
  let results = (outs
    Transformer_Described<Transformer_FloatTensor, "gradient of the rows, [..., N]">:$input_grad,
    Transformer_Described<Transformer_FloatTensor, "gradient of the scale, [N]">:$scale_grad,
    Transformer_Described<Transformer_FloatTensor, "gradient of the shift, [N]">:$shift_grad);
  let assemblyFormat = [{
    $cotangent `,` $input (`scale` $scale^)? attr-dict `:` functional-type(operands, results)
  }];
  let hasVerifier = 1;
}

def Transformer_RmsNormGradOp
    : Transformer_Op<"rms_norm_grad", [AllTypesMatch<["cotangent", "input", "input_grad"]>, Transformer_Accumulates]> {
  let summary = "the gradients of rms_norm";
  let description = [{
    Along the last dimension of length N, with `r = 1 / sqrt(sum_j input[j]^2 / N + epsilon)`, `h[i] = input[i] * r`
    and `g[i] = cotangent[i] * scale[i]` (`cotangent[i] * (1 + scale[i])` with `unit_offset`):

    `input_grad[i] = r * (g[i] - h[i] * sum_j g[j] * h[j] / N)`
    `scale_grad[i] = sum over rows of cotangent[i] * h[i]`

    Accumulation: all sums and results in `accumulate` (by default f32, f64 for f64), rounded once.

    Constraints:
    - (C1) the input has rank 1 or more; `cotangent`, `input` and `input_grad` have the same type.
    - (C2) `scale` and `scale_grad` have the shape [N].
    - (C3) all have one element type.
    - (C4) `epsilon` is finite and not below 0.
    - (C5) `accumulate` is f32 or f64 and not narrower than the input.

    Example:

    ```mlir
    %dx, %dg = transformer.rms_norm_grad %dy, %x scale %g {epsilon = 1.0e-06 : f32}
        : (tensor<4x64xf32>, tensor<4x64xf32>, tensor<64xf32>) -> (tensor<4x64xf32>, tensor<64xf32>)
    ```
  }];
  let arguments = (ins
    Transformer_Described<Transformer_FloatTensor, "cotangent of the normalised rows, [..., N]">:$cotangent,
    Transformer_Described<Transformer_FloatTensor, "rows that were normalised, [..., N]">:$input,
    Optional<Transformer_Described<Transformer_FloatTensor, "factor of every column, [N]">>:$scale,
    Transformer_DescribedAttr<F32Attr, "what is added under the root, in units of the input squared">:$epsilon,
    Transformer_DescribedAttr<UnitAttr, "whether factors are 1 + scale">:$unit_offset,
    Transformer_Accumulate:$accumulate);
  let results = (outs
    Transformer_Described<Transformer_FloatTensor, "gradient of the rows, [..., N]">:$input_grad,
    Transformer_Described<Transformer_FloatTensor, "gradient of the scale, [N]">:$scale_grad);
  let assemblyFormat = [{
    $cotangent `,` $input (`scale` $scale^)? attr-dict `:` functional-type(operands, results)
  }];
  let hasVerifier = 1;
}

#endif // FORGE_DIALECT_TRANSFORMER_NORMALIZATIONGRADOPS_TD
