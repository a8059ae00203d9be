// Positions and the cache of keys and values.
#ifndef FORGE_DIALECT_TRANSFORMER_POSITIONOPS_TD
#define FORGE_DIALECT_TRANSFORMER_POSITIONOPS_TD

include "forge/Dialect/Transformer/IR/TransformerBase.td"
include "forge/Dialect/Transformer/IR/RopeScalingAttr.td"
include "mlir/Interfaces/DestinationStyleOpInterface.td"

def Transformer_RopeOp
    : Transformer_SameTypeOp<"rope", [Transformer_Accumulates]> {
  let summary = "rotary position embedding";
  let description = [{
    Rotates pairs of elements of every head by an angle that grows with the position (RoFormer, Su et al. 2021). With
    R = `rotary_dims` (all D without it) and the position p = positions[b, s], or positions[s], for every i < R / 2:

    ```
    angle  = p * frequency[i]
    first' = (first * cos(angle) - second * sin(angle)) * a
    second'= (second * cos(angle) + first * sin(angle)) * a
    ```

    where (first, second) are elements i and i + R / 2 (`half`, as Llama and GPT-NeoX), or 2i and 2i + 1
    (`interleaved`, as GPT-J and DeepSeek). Elements from R on pass through. The factor a is 1 but for yarn.

    With `inverse` the angle is negated: the rotation back (times a^2), and the gradient of the rotation without it.

    The frequencies are the operand `frequencies`, for all sequences or for each its own, or else follow from `base` (10000 without it):
    f[i] = base^(-2i / R), changed by `scaling`, whose parameters are `factor` F and `original_length` L:

    | scaling | frequency | source |
    |---|---|---|
    | none | f[i] | Su et al. 2021 |
    | linear | f[i] / F | position interpolation, Chen et al. 2023 |
    | dynamic | base^(-2i / R), base * (F * n / L - F + 1)^(R / (R - 2)) for base, n = max(L, 1 + the largest of all positions) | dynamic NTK, transformers' `_compute_dynamic_ntk_parameters` |
    | yarn | f[i] / F * (1 - e) + f[i] * e, e = 1 - clamp((i - low) / (high - low), 0, 1) | Peng et al. 2023, transformers' `_compute_yarn_parameters` |
    | llama3 | f[i] where 2 pi / f[i] < L / high, f[i] / F where 2 pi / f[i] > L / low, between them f[i] / F * (1 - e) + f[i] * e, e = (L * f[i] / (2 pi) - low) / (high - low) | Llama 3.1, transformers' `_compute_llama3_parameters` |

    In yarn, low = max(floor(d(beta_fast)), 0) and high = min(ceil(d(beta_slow)), R - 1), raised by 0.001 where they are
    equal, with d(r) = R * log(L / (2 pi r)) / (2 log(base)); beta_fast is 32 and beta_slow 1 unless given. There a is
    `attention_factor`, by default 0.1 * log(F) + 1 (1 for F <= 1). In llama3, low and high are `low_frequency_factor`
    and `high_frequency_factor`, 1 and 4 unless given.

    Accumulation: frequencies are computed in f64 and rounded to `accumulate` (by default f32, f64 for f64); angle,
    cosine, sine and rotation are computed in that type, the product p * frequency rounded to it as the models' own
    code does; the result is rounded once.

    Constraints:
    - (C1) `input` has rank 4.
    - (C2) `positions` has the shape [S] or [B, S].
    - (C3) the rotary dimension is static, even, at least 2 and at most D.
    - (C4) `frequencies` has the shape [R / 2] or [B, R / 2] and the accumulation type; `base` and `scaling` are not given with it.
    - (C5) `base` is finite and above 1.
    - (C6) `accumulate` is f32 or f64 and not narrower than the elements.
    - (C7) with dynamic scaling, the rotary dimension is above 2.

    Example:

    ```mlir
    %y = transformer.rope %x positions %p {base = 5.0e+05 : f64, rotary_dims = 32 : i64,
        scaling = #transformer.rope_scaling<llama3, factor = 8.0, original_length = 8192>}
        : (tensor<2x8x16x64xbf16>, tensor<2x16xi32>) -> tensor<2x8x16x64xbf16>
    ```
  }];
  let arguments = (ins
    Transformer_Described<Transformer_FloatTensor, "queries or keys, [B, H, S, D]">:$input,
    Transformer_Described<Transformer_IndexTensor, "positions, [S] or [B, S]">:$positions,
    Optional<Transformer_Described<Transformer_FloatTensor, "radians per position of each pair, [R / 2], perhaps of each sequence, [B, R / 2]">>:$frequencies,
    Transformer_DescribedAttr<UnitAttr, "whether pairs are neighbours in place of halves">:$interleaved,
    OptionalAttr<Transformer_DescribedAttr<I64Attr,
        "elements of each head that are rotated, R; all without it">>:$rotary_dims,
    OptionalAttr<Transformer_DescribedAttr<F64Attr, "base of the frequencies; 10000 without it">>:$base,
    OptionalAttr<Transformer_DescribedAttr<Transformer_RopeScalingAttr, "rule by which frequencies change">>:$scaling,
    Transformer_DescribedAttr<UnitAttr, "whether angles are negated">:$inverse,
    Transformer_Accumulate:$accumulate);
  let results = (outs Transformer_Described<Transformer_FloatTensor, "rotated, [B, H, S, D]">:$result);
  let assemblyFormat = [{
    $input `positions` $positions (`frequencies` $frequencies^)? attr-dict `:` functional-type(operands, $result)
  }];
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    /// Elements of each head that are rotated, R; ShapedType::kDynamic where not known.
    int64_t getNumRotated() {
      return getRotaryDims() ? static_cast<int64_t>(*getRotaryDims()) : getInput().getType().getDimSize(3);
    }
    double getBaseOrDefault() { return getBase() ? getBase()->convertToDouble() : 10000.0; }
  }];
}

def Transformer_KvAppendOp : Transformer_Op<"kv_append", [
    AllTypesMatch<["cache", "result"]>, Transformer_FoldsCasts,
    DeclareOpInterfaceMethods<DestinationStyleOpInterface>]> {
  let summary = "rows written into a cache of keys or values";
  let description = [{
    For every sequence b, head g and new row s, with t = positions[b] + s:

    - `result[b, g, t, :] = rows[b, g, s, :]` where 0 <= t < T, without a `block_table`;
    - `result[block_table[b, t / R], g, t mod R, :] = rows[b, g, s, :]` with one, where 0 <= t < M * R and the page lies
      in [0, P - 1].

    Everything else is as in `cache`. Other rows are dropped, so that no memory outside of the cache is ever
    written. Where two rows go to one place (sequences that share a page), which of them remains is not specified.

    `cache` is the destination: after bufferization the rows are written into its buffer, and nothing else is copied,
    if nothing reads the old cache later.

    Accumulation: none; bit-exact.

    Constraints:
    - (C1) `rows` and `cache` have rank 4, the same heads and the same head dimension.
    - (C2) `positions` has the shape [B].
    - (C3) without a `block_table`, `rows` and `cache` have the same batch dimension; with one, it has rank 2 and as many
      rows as there are sequences.
    - (C4) all have one element type.
    - (C5) with a `block_table`, it has one column or more, and pages have one row or more.

    Example:

    ```mlir
    %k1 = transformer.kv_append %k into %cache at %n
        : (tensor<2x4x1x64xbf16>, tensor<2x4x512x64xbf16>, tensor<2xi32>) -> tensor<2x4x512x64xbf16>
    %p1 = transformer.kv_append %k into %pages at %n table %table
        : (tensor<2x4x1x64xbf16>, tensor<128x4x16x64xbf16>, tensor<2xi32>, tensor<2x32xi32>) -> tensor<128x4x16x64xbf16>
    ```
  }];
  let arguments = (ins
    Transformer_Described<Transformer_FloatTensor, "new keys or values, [B, Hkv, S, D]">:$rows,
    Transformer_Described<Transformer_FloatTensor, "cache, [B, Hkv, T, D], or pool of pages, [P, Hkv, R, D]">:$cache,
    Transformer_Described<Transformer_IndexTensor, "where each sequence's first row goes, [B]">:$positions,
    Optional<Transformer_Described<Transformer_IndexTensor,
        "pages of each sequence, in the order of its keys, [B, M]">>:$block_table);
  let results = (outs Transformer_Described<Transformer_FloatTensor,
      "the cache with the rows in it, the shape of the cache">:$result);
  let assemblyFormat = [{
    $rows `into` $cache `at` $positions (`table` $block_table^)? attr-dict `:` functional-type(operands, $result)
  }];
  let hasVerifier = 1;
  let hasFolder = 1;
}

#endif // FORGE_DIALECT_TRANSFORMER_POSITIONOPS_TD
