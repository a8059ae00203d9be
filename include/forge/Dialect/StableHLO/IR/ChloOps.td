// All ops of the chlo dialect: the families, and the ones that belong to none.
#ifndef FORGE_DIALECT_STABLEHLO_CHLOOPS_TD
#define FORGE_DIALECT_STABLEHLO_CHLOOPS_TD

include "mlir/IR/BuiltinAttributeInterfaces.td"
include "forge/Dialect/StableHLO/IR/ChloBroadcastOps.td"
include "forge/Dialect/StableHLO/IR/ChloMathOps.td"
include "forge/Dialect/StableHLO/IR/ChloRaggedDotOp.td"
include "forge/Dialect/StableHLO/IR/ChloScanOp.td"

def CHLO_ConstantOp : CHLO_Op<"constant", [ConstantLike, Pure]> {
  let summary = "a constant";
  let description = [{
    The tensor that `value` spells.

    (C1) The result has the type of `value`.

    ```mlir
    %c = chlo.constant dense<[1, 2]> : tensor<2xi32>
    ```
  }];
  let arguments = (ins ElementsAttr:$value);
  let results = (outs StableHLO_Tensor:$output);
  let hasCustomAssemblyFormat = 1;
  let hasFolder = 1;
  let hasVerifier = 1;
}

def CHLO_ConstantLikeOp : CHLO_Op<"constant_like", [Pure, SameOperandsAndResultShape]> {
  let summary = "a splat with the shape of a tensor";
  let description = [{
    A tensor with the shape of `operand` (also where that is known only at run time) and `value` in
    every element.

    (C1) The element type of the result is the type of `value`.

    ```mlir
    %z = "chlo.constant_like"(%x) {value = 0.0 : f32} : (tensor<?x4xf32>) -> tensor<?x4xf32>
    ```
  }];
  let arguments = (ins TypedAttrInterface:$value, StableHLO_Tensor:$operand);
  let results = (outs StableHLO_Tensor:$result);
  let hasVerifier = 1;
}

def CHLO_TopKOp : CHLO_Op<"top_k", [Pure]> {
  let summary = "largest elements of each row, and where they were";
  let description = [{
    For every row (the last dimension) the `k` largest elements in falling order, and their
    positions. Of equal elements the one with the smaller position comes first. The order is total:
    NaN is the largest, +0 is above -0.

    - `operand`: `[..., n]`, integer or float.
    - `values`: `[..., k]`, the element type of `operand`; `indices`: the same shape, i32.

    (C1) `operand` has at least one dimension.
    (C2) `k` is not negative and not above `n`.
    (C3) `values` and `indices` have the shape of `operand` with `k` last.
    (C4) `values` has the element type of `operand`, `indices` has i32.

    ```mlir
    %v, %i = chlo.top_k(%x, k = 3) : tensor<2x8xf32> -> (tensor<2x3xf32>, tensor<2x3xi32>)
    ```
  }];
  let arguments = (ins StableHLO_Tensor:$operand, I64Attr:$k,
    DefaultValuedOptionalAttr<BoolAttr, "true">:$is_stable);
  let results = (outs StableHLO_Tensor:$values, StableHLO_Tensor:$indices);
  let assemblyFormat = [{
    `(` $operand `,` `k` `=` $k (`,` `is_stable` `=` $is_stable^)? `)` attr-dict `:`
    type($operand) `->` `(` type($values) `,` type($indices) `)`
  }];
  let hasVerifier = 1;
}

#endif // FORGE_DIALECT_STABLEHLO_CHLOOPS_TD
