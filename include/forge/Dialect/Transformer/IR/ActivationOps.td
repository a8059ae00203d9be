// Operations on each element alone, and embedding.
#ifndef FORGE_DIALECT_TRANSFORMER_ACTIVATIONOPS_TD
#define FORGE_DIALECT_TRANSFORMER_ACTIVATIONOPS_TD

include "forge/Dialect/Transformer/IR/TransformerBase.td"

def Transformer_ActivationOp : Transformer_SameTypeOp<"activation"> {
  let summary = "an activation function on every element";
  let description = [{
    | kind | formula |
    |---|---|
    | `relu` | max(x, 0) |
    | `relu_squared` | max(x, 0)^2 |
    | `gelu` | x / 2 * (1 + erf(x / sqrt(2))) |
    | `gelu_tanh` | x / 2 * (1 + tanh(sqrt(2 / pi) * (x + 0.044715 * x^3))) |
    | `silu` | x / (1 + exp(-x)) |
    | `sigmoid` | 1 / (1 + exp(-x)) |
    | `tanh` | tanh(x) |

    Accumulation: none; computed in f32 (f64 for f64) and rounded once. NaN gives NaN.

    Example:

    ```mlir
    %y = transformer.activation gelu_tanh %x : tensor<4x256xbf16>
    ```
  }];
  let arguments = (ins
    Transformer_DescribedAttr<Transformer_ActivationAttr, "the function">:$kind,
    Transformer_Described<Transformer_FloatTensor, "any shape">:$input);
  let results = (outs Transformer_Described<Transformer_FloatTensor, "the shape of the input">:$result);
  let assemblyFormat = "custom<ActivationName>($kind) $input attr-dict `:` type($input)";
  let hasFolder = 1;
}

// add_c1: SameOperandsAndResultType
def Transformer_AddOp
    : Transformer_Op<"add", [Commutative, SameOperandsAndResultType]> {
  let summary = "the sum of two tensors, as of a residual and a branch";
  let description = [{
    `result[i] = lhs[i] + rhs[i]`.

    Accumulation: none; the sum is rounded to the element type.

    Constraints:
    - (C1) both operands and the result have the same type.

    Example:

    ```mlir
    %y = transformer.add %x, %branch : tensor<2x16x64xf32>
    ```
  }];
  let arguments = (ins
    Transformer_Described<Transformer_FloatTensor, "residual, any shape">:$lhs,
    Transformer_Described<Transformer_FloatTensor, "branch, the same shape">:$rhs);
  let results = (outs Transformer_Described<Transformer_FloatTensor, "the sum, the same shape">:$result);
  let assemblyFormat = "$lhs `,` $rhs attr-dict `:` type($result)";
  let hasFolder = 1;
}

// multiply_c1: SameOperandsAndResultType
def Transformer_MultiplyOp
    : Transformer_Op<"multiply", [Commutative, SameOperandsAndResultType]> {
  let summary = "the product of two tensors, element by element, as of a gate and a branch";
  let description = [{
    `result[i] = lhs[i] * rhs[i]`.

    Accumulation: none; the product is rounded to the element type.

    Constraints:
    - (C1) both operands and the result have the same type.

    Example:

    ```mlir
    %y = transformer.multiply %gate, %branch : tensor<2x16x64xf32>
    ```
  }];
  let arguments = (ins
    Transformer_Described<Transformer_FloatTensor, "gate, any shape">:$lhs,
    Transformer_Described<Transformer_FloatTensor, "branch, the same shape">:$rhs);
  let results = (outs Transformer_Described<Transformer_FloatTensor, "the product, the same shape">:$result);
  let assemblyFormat = "$lhs `,` $rhs attr-dict `:` type($result)";
  let hasFolder = 1;
}

def Transformer_EmbeddingOp : Transformer_Op<"embedding", [Transformer_FoldsCasts]> {
  let summary = "rows of a table, chosen by token";
  let description = [{
    `result[i..., :] = table[clamp(ids[i...], 0, V - 1), :]`. Ids outside of the table read its first or last row, so that
    no memory outside of the table is ever read.

    Accumulation: none; bit-exact.

    Constraints:
    - (C1) `table` has rank 2.
    - (C2) `result` has the shape of `ids`, then D.
    - (C3) `table` and `result` have one element type.
    - (C4) `table` has one row or more.

    Example:

    ```mlir
    %x = transformer.embedding %wte, %ids : (tensor<256x64xf32>, tensor<2x16xi32>) -> tensor<2x16x64xf32>
    ```
  }];
  let arguments = (ins
    Transformer_Described<Transformer_FloatTensor, "one row per token, [V, D]">:$table,
    Transformer_Described<Transformer_IndexTensor, "tokens, any shape">:$ids);
  let results = (outs Transformer_Described<Transformer_FloatTensor, "the rows, [ids..., D]">:$result);
  let assemblyFormat = "$table `,` $ids attr-dict `:` functional-type(operands, $result)";
  let hasVerifier = 1;
}

#endif // FORGE_DIALECT_TRANSFORMER_ACTIVATIONOPS_TD
