// The gradient of rows written into the cache of keys and values.
#ifndef FORGE_DIALECT_TRANSFORMER_POSITIONGRADOPS_TD
#define FORGE_DIALECT_TRANSFORMER_POSITIONGRADOPS_TD

include "forge/Dialect/Transformer/IR/TransformerBase.td"

def Transformer_KvAppendGradOp : Transformer_Op<"kv_append_grad", [AllTypesMatch<["rows", "result"]>]> {
  let summary = "the gradient of kv_append's rows: what is at the places they were written to";
  let description = [{
    For every sequence b, head g and row s, with t = positions[b] + s:

    - `result[b, g, s, :] = cotangent[b, g, t, :]` where 0 <= t < T, without a `block_table`;
    - `result[b, g, s, :] = cotangent[block_table[b, t / R], g, t mod R, :]` with one, where 0 <= t < M * R and the page
      is in [0, P - 1].

    Rows that `transformer.kv_append` drops have the gradient 0. Where two rows go to one place, both get its cotangent:
    which of them remains is not specified. (The gradient of the cache is the cotangent with zeros in the place of the
    rows: `transformer.kv_append` of zeros into it.)

    Accumulation: none; bit-exact.

    Constraints:
    - (C1) `rows` and `cotangent` have rank 4, the same heads and the same head dimension.
    - (C2) `positions` has the shape [B].
    - (C3) without a `block_table`, `rows` and `cotangent` have the same batch dimension; with one, it has rank 2 and as
      many rows as there are sequences.
    - (C4) all have one element type.
    - (C5) with a `block_table`, it has one column or more, and pages have one row or more.

    Example:

    ```mlir
    %dk = transformer.kv_append_grad %dcache, %k at %n
        : (tensor<2x4x512x64xbf16>, tensor<2x4x1x64xbf16>, tensor<2xi32>) -> tensor<2x4x1x64xbf16>
    %dp = transformer.kv_append_grad %dpages, %k at %n table %table
        : (tensor<128x4x16x64xbf16>, tensor<2x4x1x64xbf16>, tensor<2xi32>, tensor<2x32xi32>) -> tensor<2x4x1x64xbf16>
    ```
  }];
  let arguments = (ins
    Transformer_Described<Transformer_FloatTensor,
        "cotangent of the cache, [B, Hkv, T, D], or of the pool of pages, [P, Hkv, R, D]">:$cotangent,
    Transformer_Described<Transformer_FloatTensor,
        "new keys or values, [B, Hkv, S, D]; only their shape is read">:$rows,
    Transformer_Described<Transformer_IndexTensor, "where each sequence's first row goes, [B]">:$positions,
    Optional<Transformer_Described<Transformer_IndexTensor,
        "pages of each sequence, in the order of its keys, [B, M]">>:$block_table);
  let results = (outs Transformer_Described<Transformer_FloatTensor, "gradient of the rows, [B, Hkv, S, D]">:$result);
  let assemblyFormat = [{
    $cotangent `,` $rows `at` $positions (`table` $block_table^)? attr-dict `:` functional-type(operands, $result)
  }];
  let hasVerifier = 1;
}

#endif // FORGE_DIALECT_TRANSFORMER_POSITIONGRADOPS_TD
