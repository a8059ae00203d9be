// Ops that work element by element: comparison and selection, and the unary and binary ones.
#ifndef FORGE_STABLEHLO_ELEMENTWISEOPS_TD
#define FORGE_STABLEHLO_ELEMENTWISEOPS_TD

include "forge/Dialect/StableHLO/IR/BinaryOps.td"
include "forge/Dialect/StableHLO/IR/StableHLOBase.td"
include "forge/Dialect/StableHLO/IR/ComplexOps.td"
include "forge/Dialect/StableHLO/IR/UnaryOps.td"

def StableHLO_CompareOp : StableHLO_Op<"compare", [Pure, StableHLO_SameShapes, Elementwise]> {
  let summary = "compares element by element";
  let description = [{
    `result[i]` says whether `lhs[i]` is in the relation `comparison_direction` to `rhs[i]`: EQ, NE,
    GE, GT, LE or LT. A float comparison with NaN is false, save NE, which is true; in TOTALORDER
    -NaN < -inf < ... < -0.0 < +0.0 < ... < inf < NaN. Booleans are ordered false < true.

    - `lhs`, `rhs`: elements, `[D0, ..., Dn]`
    - `result`: booleans, `[D0, ..., Dn]`

    Constraints:
    - (C1) `lhs` and `rhs` have one element type.
    - (C2) `lhs`, `rhs` and `result` have one shape.
    - (C3) `compare_type`, if given, is SIGNED for signed integers, UNSIGNED for unsigned ones and
      booleans, FLOAT or TOTALORDER for floats; NOTYPE is as if not given.

    Example:
    ```mlir
    %result = stablehlo.compare LT, %lhs, %rhs, SIGNED
        : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi1>
    ```
  }];
  let arguments = (ins StableHLO_Tensor:$lhs, StableHLO_Tensor:$rhs,
                       StableHLO_ComparisonDirectionAttr:$comparison_direction,
                       OptionalAttr<StableHLO_ComparisonTypeAttr>:$compare_type);
  let results = (outs StableHLO_PredTensor:$result);
  let builders = [OpBuilder<(ins "::mlir::Value":$lhs, "::mlir::Value":$rhs,
      "::forge::stablehlo::ComparisonDirection":$direction,
      CArg<"::forge::stablehlo::ComparisonType",
           "::forge::stablehlo::ComparisonType::NOTYPE">:$type)>];
  // The empty literals: an enum prints a space of its own.
  let assemblyFormat = [{
    `` $comparison_direction `,` $lhs `,` $rhs (`,` `` $compare_type^)?
      attr-dict `:` functional-type(operands, results)
  }];
  let hasFolder = 1;
  let hasVerifier = 1;
}

def StableHLO_SelectOp : StableHLO_Op<"select", [Pure]> {
  let summary = "picks from two tensors by a condition";
  let description = [{
    `result[i]` is `on_true[i]` where the condition holds, else `on_false[i]`. The condition is
    `pred[i]`, or `pred[]` for all elements.

    - `pred`: booleans, `[]` or `[D0, ..., Dn]`
    - `on_true`, `on_false`: elements, `[D0, ..., Dn]`
    - `result`: elements, `[D0, ..., Dn]`

    Constraints:
    - (C1) `pred` has rank 0 or the shape of `on_true`.
    - (C2) `on_true`, `on_false` and `result` have one type.

    Example:
    ```mlir
    %result = stablehlo.select %pred, %on_true, %on_false : tensor<i1>, tensor<4xf32>
    ```
  }];
  let arguments = (ins StableHLO_PredTensor:$pred, StableHLO_Tensor:$on_true,
                       StableHLO_Tensor:$on_false);
  let results = (outs StableHLO_Tensor:$result);
  let assemblyFormat = [{
    operands attr-dict `:`
      custom<SelectTypes>(type($pred), type($on_true), type($on_false), type($result))
  }];
  let hasFolder = 1;
  let hasVerifier = 1;
}

def StableHLO_ClampOp : StableHLO_Op<"clamp", [Pure, StableHLO_SameElementTypes]> {
  let summary = "limits elements to a range";
  let description = [{
    `result[i] = minimum(maximum(operand[i], lo), hi)`, where `lo` is `min[i]` or `min[]`, and `hi` is
    `max[i]` or `max[]`.

    - `min`, `max`: bounds, `[]` or `[D0, ..., Dn]`
    - `operand`: elements, `[D0, ..., Dn]`
    - `result`: elements, `[D0, ..., Dn]`

    Constraints:
    - (C1) `min` has rank 0 or the shape of `operand`.
    - (C2) `max` has rank 0 or the shape of `operand`.
    - (C3) `min`, `operand` and `max` have one element type.
    - (C4) `operand` and `result` have one type.

    Example:
    ```mlir
    %result = stablehlo.clamp %min, %operand, %max
        : (tensor<f32>, tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
    ```
  }];
  let arguments = (ins StableHLO_Tensor:$min, StableHLO_Tensor:$operand, StableHLO_Tensor:$max);
  let results = (outs StableHLO_Tensor:$result);
  let assemblyFormat = [{
    $min `,` $operand `,` $max attr-dict `:`
      custom<SameTypeOrFunctional>(type($min), type($operand), type($max), type($result))
  }];
  let hasVerifier = 1;
}

#endif
