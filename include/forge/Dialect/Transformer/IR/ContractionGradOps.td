// Gradients of matrix products that are not matrix products themselves.
#ifndef FORGE_DIALECT_TRANSFORMER_CONTRACTIONGRADOPS_TD
#define FORGE_DIALECT_TRANSFORMER_CONTRACTIONGRADOPS_TD

include "forge/Dialect/Transformer/IR/TransformerBase.td"

def Transformer_GroupedOuterOp : Transformer_Op<"grouped_outer", [Transformer_Accumulates]> {
  let summary = "sums of outer products of rows, group by group: the gradient of grouped_matmul's matrices";
  let description = [{
    The rows of `lhs` and `rhs` are in E groups, one after the other, of the sizes `groups`:

    `result[e] = sum over the rows t of group e of lhs[t, :]^T . rhs[t, :]`

    With `offsets`, `groups` holds [E + 1] positions, and group e has the rows from `groups[e]` up to, not including,
    `groups[e + 1]`. Sizes and positions are held inside the rows there are, and a row that several groups hold counts
    for the last of them alone, as `transformer.grouped_matmul` has it. An empty group gives zeros.

    Accumulation: in `accumulate` (by default f32, f64 for f64), rounded once.

    Constraints:
    - (C1) `lhs` and `rhs` have rank 2 and as many rows.
    - (C2) `groups` has the shape [E], or [E + 1] with `offsets`.
    - (C3) `result` has the shape [E, M, N].
    - (C4) `lhs`, `rhs` and `result` have one element type.
    - (C5) `accumulate` is f32 or f64 and not narrower than the rows.

    Example:

    ```mlir
    %dw = transformer.grouped_outer %x, %dy groups %sizes
        : (tensor<12x16xf32>, tensor<12x8xf32>, tensor<4xi32>) -> tensor<4x16x8xf32>
    ```
  }];
  let arguments = (ins
    Transformer_Described<Transformer_FloatTensor, "rows, sorted by group, [T, M]">:$lhs,
    Transformer_Described<Transformer_FloatTensor, "rows, sorted by group, [T, N]">:$rhs,
    Transformer_Described<Transformer_IndexTensor, "rows per group, [E], or positions, [E + 1]">:$groups,
    Transformer_DescribedAttr<UnitAttr, "whether `groups` holds positions of rows in place of sizes">:$offsets,
    Transformer_Accumulate:$accumulate);
  let results = (outs Transformer_Described<Transformer_FloatTensor, "one matrix per group, [E, M, N]">:$result);
  let assemblyFormat = "$lhs `,` $rhs `groups` $groups attr-dict `:` functional-type(operands, $result)";
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    /// The number of groups, E; ShapedType::kDynamic where not known.
    int64_t getNumGroups() { return getResult().getType().getDimSize(0); }
  }];
}

#endif // FORGE_DIALECT_TRANSFORMER_CONTRACTIONGRADOPS_TD
