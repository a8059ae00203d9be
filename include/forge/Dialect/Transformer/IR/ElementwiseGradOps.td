// Gradients of operations on each element alone and of embedding; the sum that broadcasting is undone by.
#ifndef FORGE_DIALECT_TRANSFORMER_ELEMENTWISEGRADOPS_TD
#define FORGE_DIALECT_TRANSFORMER_ELEMENTWISEGRADOPS_TD

include "forge/Dialect/Transformer/IR/TransformerBase.td"

// activation_grad_c1: SameOperandsAndResultType
def Transformer_ActivationGradOp : Transformer_Op<"activation_grad", [SameOperandsAndResultType]> {
  let summary = "the gradient of an activation function";
  let description = [{
    `result[i] = cotangent[i] * f'(input[i])` for the `f` of `transformer.activation`:

    | kind | f'(x) |
    |---|---|
    | `relu` | 1 for x > 0, else 0 |
    | `relu_squared` | 2 max(x, 0) |
    | `gelu` | (1 + erf(x / sqrt(2))) / 2 + x exp(-x^2 / 2) / sqrt(2 pi) |
    | `gelu_tanh` | (1 + t) / 2 + x / 2 * (1 - t^2) * sqrt(2 / pi) * (1 + 3 * 0.044715 * x^2), t as in `gelu_tanh` |
    | `silu` | s + x s (1 - s), with s = 1 / (1 + exp(-x)) |
    | `sigmoid` | s (1 - s) |
    | `tanh` | 1 - tanh(x)^2 |

    The slope of the two relus at 0, and where the input is NaN, is 0; elsewhere a NaN gives NaN. At infinities the slope
    is its limit.

    Accumulation: none; computed in f32 (f64 for f64) and rounded once.

    Constraints:
    - (C1) both operands and the result have the same type.

    Example:

    ```mlir
    %dx = transformer.activation_grad gelu_tanh %dy, %x : tensor<4x256xbf16>
    ```
  }];
  let arguments = (ins
    Transformer_DescribedAttr<Transformer_ActivationAttr, "the function">:$kind,
    Transformer_Described<Transformer_FloatTensor, "cotangent of the activation's result, any shape">:$cotangent,
    Transformer_Described<Transformer_FloatTensor, "what the activation was applied to, the same shape">:$input);
  let results = (outs Transformer_Described<Transformer_FloatTensor, "gradient of the input, the same shape">:$result);
  let assemblyFormat = "custom<ActivationName>($kind) $cotangent `,` $input attr-dict `:` type($result)";
}

def Transformer_EmbeddingGradOp : Transformer_Op<"embedding_grad", [AllTypesMatch<["table", "result"]>, Transformer_Accumulates]> {
  let summary = "the gradient of an embedding's table: rows added up by token";
  let description = [{
    `result[v, :] = sum of cotangent[i..., :] over all i with clamp(ids[i...], 0, V - 1) = v`, zero where no token is v.
    The rows are added in the row-major order of the ids, so that the sum is the same in every run.

    Accumulation: in `accumulate` (by default f32, f64 for f64), rounded once.

    Constraints:
    - (C1) `table` has rank 2.
    - (C2) `cotangent` has the shape of `ids`, then D.
    - (C3) `cotangent` and `table` have one element type.
    - (C4) `accumulate` is f32 or f64 and not narrower than the cotangent.

    Example:

    ```mlir
    %dwte = transformer.embedding_grad %dx, %ids, %wte
        : (tensor<2x16x64xf32>, tensor<2x16xi32>, tensor<256x64xf32>) -> tensor<256x64xf32>
    ```
  }];
  let arguments = (ins
    Transformer_Described<Transformer_FloatTensor, "cotangent of the rows, [ids..., D]">:$cotangent,
    Transformer_Described<Transformer_IndexTensor, "tokens, any shape">:$ids,
    Transformer_Described<Transformer_FloatTensor, "the table, [V, D]; only its shape is read">:$table,
    Transformer_Accumulate:$accumulate);
  let results = (outs Transformer_Described<Transformer_FloatTensor, "gradient of the table, [V, D]">:$result);
  let assemblyFormat = "$cotangent `,` $ids `,` $table attr-dict `:` functional-type(operands, $result)";
  let hasVerifier = 1;
}

def Transformer_SumOp : Transformer_Op<"sum", [Transformer_Accumulates, Transformer_FoldsCasts]> {
  let summary = "the sum over some dimensions";
  let description = [{
    `result[kept...] = sum over dimensions of input[...]`. The gradient of every broadcast is a sum: of a bias, of a
    norm's scale, of weights that all batches share.

    Accumulation: in `accumulate` (by default f32, f64 for f64), rounded once. An empty sum is 0.

    Constraints:
    - (C1) `dimensions` are at least one of the input's, in ascending order, each once.
    - (C2) `result` has the input's other dimensions, in order.
    - (C3) both have one element type.
    - (C4) `accumulate` is f32 or f64 and not narrower than the input.

    Example:

    ```mlir
    %db = transformer.sum %dy {dimensions = array<i64: 0, 1>} : tensor<2x16x64xf32> -> tensor<64xf32>
    ```
  }];
  let arguments = (ins
    Transformer_Described<Transformer_FloatTensor, "terms, any shape of rank 1 or more">:$input,
    Transformer_DescribedAttr<DenseI64ArrayAttr, "dimensions that are summed over, ascending">:$dimensions,
    Transformer_Accumulate:$accumulate);
  let results = (outs Transformer_Described<Transformer_FloatTensor,
                      "sums, the input's shape without `dimensions`">:$result);
  let assemblyFormat = "$input attr-dict `:` type($input) `->` type($result)";
  let builders = [
    // The result's type follows from the input's.
    OpBuilder<(ins "::mlir::Value":$input, "::llvm::ArrayRef<int64_t>":$dimensions)>];
  let hasVerifier = 1;
}

#endif // FORGE_DIALECT_TRANSFORMER_ELEMENTWISEGRADOPS_TD
