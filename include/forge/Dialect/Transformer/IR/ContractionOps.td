// Matrix products.
#ifndef FORGE_DIALECT_TRANSFORMER_CONTRACTIONOPS_TD
#define FORGE_DIALECT_TRANSFORMER_CONTRACTIONOPS_TD

include "forge/Dialect/Transformer/IR/TransformerBase.td"

def Transformer_MatmulOp
    : Transformer_Op<"matmul", [AttrSizedOperandSegments, Transformer_Accumulates]> {
  let summary = "matrix product with an optional bias, activation and residual";
  let description = [{
    `result = activation(lhs . rhs + bias) + residual`, for every batch. With `transpose_lhs` (`transpose_rhs`) the last
    two dimensions of that operand are exchanged first. A `rhs` of rank 2 is the same for every batch: the linear layer
    of a model is `matmul %x, %w`, and with a checkpoint's [N, K] weights `matmul %x, %w {transpose_rhs}`.

    Accumulation: the sum over K, the bias, the activation and the residual are computed in `accumulate` (by default f32,
    f64 for f64, i32 for i8), then rounded once to the result's element type. Integer sums wrap modulo 2^32. An empty
    sum (K = 0) is 0.

    Constraints:
    - (C1) `lhs` has rank 2 or more; `rhs` has rank 2, or the rank of `lhs`.
    - (C2) batch dimensions of `lhs` and `rhs` are equal.
    - (C3) K is the same in `lhs` and `rhs`.
    - (C4) `result` has the shape [batch..., M, N]; `residual` too.
    - (C5) `bias` has the shape [N].
    - (C6) `lhs` and `rhs` have one element type, or are both f8.
    - (C7) `result` has the element type of the factors or of the accumulation; for f8 factors bf16, f16 or f32; for i8
      factors i32.
    - (C8) `bias` and `residual` have the element type of `result`.
    - (C9) `accumulate` is f32 or f64 and not narrower than the factors; i32 for i8 factors.
    - (C10) a product of integers has no `activation`.

    Example:

    ```mlir
    %y = transformer.matmul %x, %w bias %b residual %x {activation = #transformer.activation<gelu_tanh>, transpose_rhs}
        : (tensor<2x128x64xf32>, tensor<64x64xf32>, tensor<64xf32>, tensor<2x128x64xf32>) -> tensor<2x128x64xf32>
    ```
  }];
  let arguments = (ins
    Arg<Transformer_FactorTensor, "left factor, [batch..., M, K], or [batch..., K, M] when transposed">:$lhs,
    Arg<Transformer_FactorTensor,
        "right factor, [batch..., K, N] or [K, N], or with K and N exchanged when transposed">:$rhs,
    Optional<Transformer_ProductTensor>:$bias,
    Optional<Transformer_ProductTensor>:$residual,
    UnitAttr:$transpose_lhs,
    UnitAttr:$transpose_rhs,
    OptionalAttr<Transformer_ActivationAttr>:$activation,
    Transformer_Accumulate:$accumulate);
  let results = (outs Res<Transformer_ProductTensor, "the product, [batch..., M, N]">:$result);
  let assemblyFormat = [{
    $lhs `,` $rhs (`bias` $bias^)? (`residual` $residual^)? attr-dict `:` functional-type(operands, $result)
  }];
  let hasVerifier = 1;
  let builders = [
    // The result's type follows from the factors: float factors give their own element type, f8 and i8 theirs of
    // accumulation.
    OpBuilder<(ins "::mlir::Value":$lhs, "::mlir::Value":$rhs, CArg<"bool", "false">:$transposeLhs,
                   CArg<"bool", "false">:$transposeRhs)>];
  let extraClassDeclaration = [{
    /// The dimension of `lhs` that holds M, and of `rhs` that holds N.
    int64_t getLhsRowDim() { return getLhs().getType().getRank() - (getTransposeLhs() ? 1 : 2); }
    int64_t getRhsColDim() { return getRhs().getType().getRank() - (getTransposeRhs() ? 2 : 1); }
    /// The dimensions of `lhs` and of `rhs` that hold K.
    int64_t getLhsContractingDim() { return getLhs().getType().getRank() - (getTransposeLhs() ? 2 : 1); }
    int64_t getRhsContractingDim() { return getRhs().getType().getRank() - (getTransposeRhs() ? 1 : 2); }
    /// Whether anything follows the sums.
    bool hasEpilogue() { return getBias() || getResidual() || getActivation(); }
  }];
}

#endif // FORGE_DIALECT_TRANSFORMER_CONTRACTIONOPS_TD
