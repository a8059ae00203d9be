// Matrix products.
#ifndef FORGE_DIALECT_TRANSFORMER_CONTRACTIONOPS_TD
#define FORGE_DIALECT_TRANSFORMER_CONTRACTIONOPS_TD

include "forge/Dialect/Transformer/IR/TransformerBase.td"

def Transformer_MatmulOp
    : Transformer_Op<"matmul", [AttrSizedOperandSegments, Transformer_Accumulates, Transformer_FoldsCasts]> {
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
    - (C7) `result` has the element type of the factors or of the accumulation, or for f8 factors bf16, f16 or f32; for i8
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
    Transformer_Described<Transformer_FactorTensor,
        "left factor, [batch..., M, K], or [batch..., K, M] when transposed">:$lhs,
    Transformer_Described<Transformer_FactorTensor,
        "right factor, [batch..., K, N] or [K, N], or with K and N exchanged when transposed">:$rhs,
    Optional<Transformer_Described<Transformer_ProductTensor, "what is added to every row, [N]">>:$bias,
    Optional<Transformer_Described<Transformer_ProductTensor, "what is added at the end, [batch..., M, N]">>:$residual,
    Transformer_DescribedAttr<UnitAttr, "whether the last two dimensions of `lhs` are exchanged">:$transpose_lhs,
    Transformer_DescribedAttr<UnitAttr, "whether the last two dimensions of `rhs` are exchanged">:$transpose_rhs,
    OptionalAttr<Transformer_DescribedAttr<Transformer_ActivationAttr,
        "what is applied to the sum and the bias">>:$activation,
    Transformer_Accumulate:$accumulate);
  let results = (outs Transformer_Described<Transformer_ProductTensor, "the product, [batch..., M, N]">:$result);
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

def Transformer_GroupedMatmulOp
    : Transformer_Op<"grouped_matmul", [Transformer_Accumulates, Transformer_FoldsCasts]> {
  let summary = "products of groups of rows with one matrix each, as of tokens with their expert";
  let description = [{
    The rows of `lhs` are in E groups, one after the other. Every row t of group e:

    `result[t, :] = activation(lhs[t, :] . rhs[e] + bias[e, :])`

    `groups` holds the number of rows of each group, [E]; with `offsets` it holds [E + 1] positions, and group e has the
    rows from `groups[e]` up to, not including, `groups[e + 1]`. Positions are held inside [0, T] and groups of a negative
    size are empty, so that no memory outside of the tensors is read; where groups overlap the last one counts. Rows in no
    group are zero.

    Accumulation: as in `matmul`.

    Constraints:
    - (C1) `lhs` has rank 2, `rhs` rank 3.
    - (C2) K is the same in `lhs` and `rhs`.
    - (C3) `groups` has the shape [E], or [E + 1] with `offsets`.
    - (C4) `bias` has the shape [E, N].
    - (C5) `result` has the shape [T, N].
    - (C6) `lhs` and `rhs` have one element type, or are both f8.
    - (C7) `result` has the element type of the factors or of the accumulation, or for f8 factors bf16, f16 or f32; for i8
      factors i32.
    - (C8) `bias` has the element type of `result`.
    - (C9) `accumulate` is f32 or f64 and not narrower than the factors; i32 for i8 factors.
    - (C10) a product of integers has no `activation`.

    Example:

    ```mlir
    %y = transformer.grouped_matmul %x, %w groups %sizes {transpose_rhs}
        : (tensor<12x16xf32>, tensor<4x8x16xf32>, tensor<4xi32>) -> tensor<12x8xf32>
    ```
  }];
  let arguments = (ins
    Transformer_Described<Transformer_FactorTensor, "rows, sorted by group, [T, K]">:$lhs,
    Transformer_Described<Transformer_FactorTensor,
        "one matrix per group, [E, K, N], or [E, N, K] when transposed">:$rhs,
    Transformer_Described<Transformer_IndexTensor, "rows per group, [E], or positions, [E + 1]">:$groups,
    Optional<Transformer_Described<Transformer_ProductTensor, "what is added to every row of a group, [E, N]">>:$bias,
    Transformer_DescribedAttr<UnitAttr, "whether `groups` holds positions of rows in place of sizes">:$offsets,
    Transformer_DescribedAttr<UnitAttr, "whether the last two dimensions of `rhs` are exchanged">:$transpose_rhs,
    OptionalAttr<Transformer_DescribedAttr<Transformer_ActivationAttr,
        "what is applied to the sum and the bias">>:$activation,
    Transformer_Accumulate:$accumulate);
  let results = (outs Transformer_Described<Transformer_ProductTensor, "the products, [T, N]">:$result);
  let assemblyFormat = [{
    $lhs `,` $rhs `groups` $groups (`bias` $bias^)? attr-dict `:` functional-type(operands, $result)
  }];
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    /// The dimensions of `rhs` that hold K and N.
    int64_t getRhsContractingDim() { return getTransposeRhs() ? 2 : 1; }
    int64_t getRhsColDim() { return getTransposeRhs() ? 1 : 2; }
  }];
}

def Transformer_LinearOp
    : Transformer_Op<"linear", [AttrSizedOperandSegments, Transformer_Accumulates, Transformer_FoldsCasts]> {
  let summary = "linear layer with weights as checkpoints store them, quantised or not";
  let description = [{
    `result = activation(input . weights^T + bias) + residual`, with the weights [N, K] of a checkpoint. Weights of a
    narrow type stand for `(weights[n, k] - zero_point[g]) * scale[g]`: a `scale` of rank 0 is for all of them, of rank 1
    for each output channel (g = n), and with `block` = [p, q] for each block (g = [n / p, k / q]). An f8 input
    means `input[..., k] * input_scale[...]`; `quantize_rows` computes both.

    Accumulation: in `accumulate` (by default f32, f64 for f64 input) weights, or where a scale is one of whole sums, sums
    are dequantised without rounding; sum, bias, activation and residual are computed in it and rounded once. Products of
    two f8 factors may be added up as `matmul` says.

    Constraints:
    - (C1) `input` has rank 2 or more, `weights` rank 2.
    - (C2) K is the same in `input` and `weights`.
    - (C3) `result` has the shape of `input` with N in place of K; `residual` too.
    - (C4) `bias` has the shape [N].
    - (C5) float weights have the element type of `input` and no `scale`; narrow ones have a `scale`.
    - (C6) `scale` has the shape [], [N], or, with `block`, [ceil(N / p), ceil(K / q)]; `block` has two positive sizes.
    - (C7) `zero_point` has the shape of `scale` and the element type of `weights`, which is an integer.
    - (C8) `scale` has the element type f32, or that of an `input` of 16 bits or more.
    - (C9) `result` has the element type of `input` or of the accumulation, or for an f8 input bf16, f16 or f32; `bias` and
      `residual` have that of `result`.
    - (C10) `accumulate` is f32 or f64 and not narrower than the input.
    - (C11) there is an `input_scale` where the input is f8, and then the weights are f8 with a `scale` [] or [N]; it has
      the shape of `input` without K, and the element type f32.

    Example:

    ```mlir
    %y = transformer.linear %x, %w scale %s zero_point %z bias %b {block = array<i64: 1, 32>}
        : (tensor<4x64xbf16>, tensor<24x64xi4>, tensor<24x2xf32>, tensor<24x2xi4>, tensor<24xbf16>) -> tensor<4x24xbf16>
    ```
  }];
  let arguments = (ins
    Transformer_Described<Transformer_LinearInputTensor, "activations, [..., K]">:$input,
    Transformer_Described<Transformer_WeightTensor, "weights, [N, K]">:$weights,
    Optional<Transformer_Described<Transformer_FloatTensor,
        "what one step of the weights stands for, [], [N] or [blocks of N, blocks of K]">>:$scale,
    Optional<Transformer_Described<Transformer_ZeroPointTensor,
        "the weight that stands for 0, the shape of `scale`">>:$zero_point,
    Optional<Transformer_Described<Transformer_FloatTensor, "what is added to every row, [N]">>:$bias,
    Optional<Transformer_Described<Transformer_FloatTensor, "what is added at the end, [..., N]">>:$residual,
    Optional<Transformer_Described<Transformer_FloatTensor,
        "the scale of each row of `input`, [...]">>:$input_scale,
    OptionalAttr<Transformer_DescribedAttr<DenseI64ArrayAttr,
        "sizes of the blocks that share a scale, in elements of each dimension">>:$block,
    OptionalAttr<Transformer_DescribedAttr<Transformer_ActivationAttr,
        "what is applied to the sum and the bias">>:$activation,
    Transformer_Accumulate:$accumulate);
  let results = (outs Transformer_Described<Transformer_FloatTensor, "activations, [..., N]">:$result);
  let assemblyFormat = [{
    $input `,` $weights (`scale` $scale^)? (`zero_point` $zero_point^)? (`bias` $bias^)? (`residual` $residual^)?
    (`input_scale` $input_scale^)? attr-dict `:` functional-type(operands, $result)
  }];
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    /// Whether anything follows the sums.
    bool hasEpilogue() { return getBias() || getResidual() || getActivation(); }
  }];
}

#endif // FORGE_DIALECT_TRANSFORMER_CONTRACTIONOPS_TD
