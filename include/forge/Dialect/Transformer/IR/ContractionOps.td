// Matrix products.
#ifndef FORGE_DIALECT_TRANSFORMER_CONTRACTIONOPS_TD
#define FORGE_DIALECT_TRANSFORMER_CONTRACTIONOPS_TD

include "forge/Dialect/Transformer/IR/TransformerBase.td"

def Transformer_MatmulOp : Transformer_Op<"matmul", [AttrSizedOperandSegments]> {
  let summary = "matrix product with an optional bias, activation and residual";
  let description = [{
    `result = activation(lhs . rhs + bias) + residual`, for every batch. With `transpose_lhs` (`transpose_rhs`) the last
    two dimensions of that operand are exchanged first. A `rhs` of rank 2 is the same for every batch: the linear layer
    of a model is `matmul %x, %w`.

    Accumulation: the sum over K, the bias and the activation are computed in f32 (f64 for f64), then rounded once;
    the residual is added before that rounding.

    Constraints:
    - (C1) `lhs` has rank 2 or more; `rhs` has rank 2, or the rank of `lhs`.
    - (C2) batch dimensions of `lhs` and `rhs` are equal.
    - (C3) K is the same in `lhs` and `rhs`.
    - (C4) `result` has the shape [batch..., M, N]; `residual` too.
    - (C5) `bias` has the shape [N].
    - (C6) all have one element type.

    Example:

    ```mlir
    %y = transformer.matmul %x, %w bias %b residual %x {activation = #transformer.activation<gelu_tanh>, transpose_rhs}
        : (tensor<2x128x64xf32>, tensor<64x64xf32>, tensor<64xf32>, tensor<2x128x64xf32>) -> tensor<2x128x64xf32>
    ```
  }];
  let arguments = (ins
    Arg<Transformer_FloatTensor, "left factor, [batch..., M, K], or [batch..., K, M] when transposed">:$lhs,
    Arg<Transformer_FloatTensor, "right factor, [batch..., K, N] or [K, N], or with K and N exchanged when transposed">:$rhs,
    Optional<Transformer_FloatTensor>:$bias,
    Optional<Transformer_FloatTensor>:$residual,
    UnitAttr:$transpose_lhs,
    UnitAttr:$transpose_rhs,
    OptionalAttr<Transformer_ActivationAttr>:$activation);
  let results = (outs Res<Transformer_FloatTensor, "the product, [batch..., M, N]">:$result);
  let assemblyFormat = [{
    $lhs `,` $rhs (`bias` $bias^)? (`residual` $residual^)? attr-dict `:` functional-type(operands, $result)
  }];
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    /// The dimension of `lhs` that holds M, and of `rhs` that holds N.
    int64_t getLhsRowDim() { return getLhs().getType().getRank() - (getTransposeLhs() ? 1 : 2); }
    int64_t getRhsColDim() { return getRhs().getType().getRank() - (getTransposeRhs() ? 2 : 1); }
    /// The dimensions of `lhs` and of `rhs` that hold K.
    int64_t getLhsContractingDim() { return getLhs().getType().getRank() - (getTransposeLhs() ? 2 : 1); }
    int64_t getRhsContractingDim() { return getRhs().getType().getRank() - (getTransposeRhs() ? 1 : 2); }
  }];
}

#endif // FORGE_DIALECT_TRANSFORMER_CONTRACTIONOPS_TD
