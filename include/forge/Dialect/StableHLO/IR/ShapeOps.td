// Ops that make tensors or move elements, all sizes known: constant, iota, broadcast, reshape, slice...
#ifndef FORGE_STABLEHLO_SHAPEOPS_TD
#define FORGE_STABLEHLO_SHAPEOPS_TD

include "forge/Dialect/StableHLO/IR/StableHLOBase.td"

def StableHLO_ConstantOp : StableHLO_Op<"constant", [
    ConstantLike, Pure, DeclareOpInterfaceMethods<OpAsmOpInterface, ["getAsmResultNames"]>]> {
  let summary = "a tensor of given values";
  let description = [{
    `output` holds `value`, which is written in decimal, as hexadecimal bytes of the elements in memory
    order, as one element for all, or as a reference to a blob of the file.

    - `output`: the elements, `[D0, ..., Dn]`

    Constraints:
    - (C1) `value` and `output` have one type.

    Example:
    ```mlir
    %0 = stablehlo.constant dense<[[1.0, 2.0], [3.0, 4.0]]> : tensor<2x2xf32>
    %1 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %2 = stablehlo.constant dense<"0x0000803F00000040"> : tensor<2xf32>
    %3 = stablehlo.constant dense_resource<weights> : tensor<1024xf32>
    ```
  }];
  let arguments = (ins ElementsAttr:$value);
  let results = (outs StableHLO_StaticTensor:$output);
  let builders = [OpBuilder<(ins "::mlir::ElementsAttr":$value), [{
    build($_builder, $_state, value.getType(), value);
  }]>];
  let hasCustomAssemblyFormat = 1;
  let hasFolder = 1;
  let hasVerifier = 1;
}

def StableHLO_IotaOp : StableHLO_Op<"iota", [Pure]> {
  let summary = "the index along one dimension";
  let description = [{
    `output[i0, ..., in] = i_d`, where `d` is `iota_dimension`.

    - `output`: integers or floats, `[D0, ..., Dn]`

    Constraints:
    - (C1) `iota_dimension` is a dimension of `output`.

    Example:
    ```mlir
    %output = stablehlo.iota dim = 1 : tensor<2x3xi32>
    // [[0, 1, 2], [0, 1, 2]]
    ```
  }];
  let arguments = (ins ConfinedAttr<I64Attr, [IntNonNegative]>:$iota_dimension);
  let results = (outs StableHLO_StaticIntOrFloatTensor:$output);
  let assemblyFormat = "`dim` `=` $iota_dimension attr-dict `:` type($output)";
  let hasVerifier = 1;
}

def StableHLO_BroadcastOp : StableHLO_Op<"broadcast", [Pure, StableHLO_SameElementTypes]> {
  let summary = "repeats a tensor along new leading dimensions";
  let description = [{
    `result[b0, ..., bm, i0, ..., in] = operand[i0, ..., in]`. An old form of `broadcast_in_dim`, not in the
    public specification.

    - `operand`: elements, `[D0, ..., Dn]`
    - `result`: elements, `[B0, ..., Bm, D0, ..., Dn]`, where `B` are the `broadcast_sizes`

    Example:
    ```mlir
    %result = stablehlo.broadcast %operand, sizes = [4] : (tensor<3xf32>) -> tensor<4x3xf32>
    ```
  }];
  let arguments = (ins StableHLO_Tensor:$operand, DenseI64ArrayAttr:$broadcast_sizes);
  let results = (outs StableHLO_Tensor:$result);
  let assemblyFormat = [{
    $operand `,` `sizes` `=` $broadcast_sizes attr-dict `:` functional-type(operands, results)
  }];
  let hasVerifier = 1;
}

def StableHLO_BroadcastInDimOp
    : StableHLO_Op<"broadcast_in_dim", [Pure, StableHLO_SameElementTypes]> {
  let summary = "repeats a tensor along the dimensions it does not have";
  let description = [{
    Dimension `d` of `operand` becomes dimension `broadcast_dimensions[d]` of `result`; a dimension of
    size 1 is repeated, and so is the whole along the dimensions that no dimension became.
    `result[i] = operand[j]`, where `j_d` is 0 if that dimension has size 1, else
    `i_(broadcast_dimensions[d])`.

    - `operand`: elements, `[D0, ..., Dn]`
    - `result`: elements, `[R0, ..., Rm]`, static

    Constraints:
    - (C1) `operand` and `result` have one element type.
    - (C2) `broadcast_dimensions` has one entry per dimension of `operand`.
    - (C3) the entries are dimensions of `result`.
    - (C4) no entry occurs twice.
    - (C5) each dimension of `operand` has size 1 or that of the dimension it becomes.

    Example:
    ```mlir
    %result = stablehlo.broadcast_in_dim %operand, dims = [1] : (tensor<3xf32>) -> tensor<2x3xf32>
    ```
  }];
  let arguments = (ins StableHLO_Tensor:$operand, DenseI64ArrayAttr:$broadcast_dimensions);
  let results = (outs StableHLO_StaticTensor:$result);
  let assemblyFormat = [{
    $operand `,` `dims` `=` $broadcast_dimensions attr-dict `:` functional-type(operands, results)
  }];
  let hasVerifier = 1;
  let hasFolder = 1;
  let hasCanonicalizeMethod = 1;
}

def StableHLO_ReshapeOp : StableHLO_Op<"reshape", [Pure, StableHLO_SameElementTypes]> {
  let summary = "the same elements in the same order, in another shape";
  let description = [{
    The elements of `operand` in row-major order, read as a tensor of the shape of `result`.

    - `operand`: elements, `[D0, ..., Dn]`
    - `result`: elements, `[R0, ..., Rm]`, static

    Constraints:
    - (C1) `operand` and `result` have one element type.
    - (C2) they have the same number of elements.

    Example:
    ```mlir
    %result = stablehlo.reshape %operand : (tensor<2x6xf32>) -> tensor<3x4xf32>
    ```
  }];
  let arguments = (ins StableHLO_Tensor:$operand);
  let results = (outs StableHLO_StaticTensor:$result);
  let assemblyFormat = "operands attr-dict `:` functional-type(operands, results)";
  let hasVerifier = 1;
  let hasFolder = 1;
  let hasCanonicalizeMethod = 1;
}

def StableHLO_TransposeOp : StableHLO_Op<"transpose", [Pure, StableHLO_SameElementTypes]> {
  let summary = "permutes dimensions";
  let description = [{
    Dimension `permutation[d]` of `operand` becomes dimension `d` of `result`.

    - `operand`: elements, `[D0, ..., Dn]`
    - `result`: elements, `[D_permutation[0], ..., D_permutation[n]]`

    Constraints:
    - (C1) `operand` and `result` have one element type.
    - (C2) `permutation` has every dimension of `operand` once.
    - (C3) the sizes of `result` are those of `operand`, permuted.

    Example:
    ```mlir
    %result = stablehlo.transpose %operand, dims = [2, 0, 1] : (tensor<2x3x4xf32>) -> tensor<4x2x3xf32>
    ```
  }];
  let arguments = (ins StableHLO_Tensor:$operand, DenseI64ArrayAttr:$permutation);
  let results = (outs StableHLO_Tensor:$result);
  let assemblyFormat = [{
    $operand `,` `dims` `=` $permutation attr-dict `:` functional-type(operands, results)
  }];
  let hasVerifier = 1;
  let hasFolder = 1;
  let hasCanonicalizeMethod = 1;
}

def StableHLO_SliceOp : StableHLO_Op<"slice", [Pure, StableHLO_SameElementTypes]> {
  let summary = "a box of a tensor, with strides";
  let description = [{
    `result[i] = operand[start_indices + i * strides]`, for positions before `limit_indices`.

    - `operand`: elements, `[D0, ..., Dn]`
    - `result`: elements, `[R0, ..., Rn]` with `R = ceil((limit - start) / stride)`

    Constraints:
    - (C1) `operand` and `result` have one element type.
    - (C2) `start_indices`, `limit_indices` and `strides` have one entry per dimension.
    - (C3) `0 <= start <= limit <= size` in every dimension.
    - (C4) strides are positive.
    - (C5) the sizes of `result` are as above.

    Example, with ranges `start:limit` or `start:limit:stride`:
    ```mlir
    %result = stablehlo.slice %operand [1:3, 0:8:2] : (tensor<3x8xf32>) -> tensor<2x4xf32>
    ```
  }];
  let arguments = (ins StableHLO_Tensor:$operand, DenseI64ArrayAttr:$start_indices,
                       DenseI64ArrayAttr:$limit_indices, DenseI64ArrayAttr:$strides);
  let results = (outs StableHLO_Tensor:$result);
  let assemblyFormat = [{
    $operand custom<SliceRanges>($start_indices, $limit_indices, $strides)
      attr-dict `:` functional-type(operands, results)
  }];
  let hasVerifier = 1;
  let hasFolder = 1;
  let hasCanonicalizeMethod = 1;
}

def StableHLO_DynamicSliceOp : StableHLO_Op<"dynamic_slice", [Pure]> {
  let summary = "a box of a tensor, at a position known at run time";
  let description = [{
    `result[i] = operand[start + i]`, where `start` are the `start_indices`, moved so far that the slice
    is within `operand`: `start = clamp(0, start_indices, shape(operand) - slice_sizes)`.

    - `operand`: elements, `[D0, ..., Dn]`
    - `start_indices`: one integer per dimension, each `[]`
    - `result`: elements, `[S0, ..., Sn]`, the `slice_sizes`

    Constraints:
    - (C1) `operand` and `result` have one element type.
    - (C2) `start_indices` and `slice_sizes` have one entry per dimension.
    - (C3) all `start_indices` have one type.
    - (C4) `0 <= slice size <= size` in every dimension.
    - (C5) the sizes of `result` are `slice_sizes`.

    Example:
    ```mlir
    %result = stablehlo.dynamic_slice %operand, %i, %j, sizes = [2, 2]
        : (tensor<4x4xf32>, tensor<i32>, tensor<i32>) -> tensor<2x2xf32>
    ```
  }];
  let arguments = (ins StableHLO_Tensor:$operand, Variadic<StableHLO_ScalarIntTensor>:$start_indices,
                       DenseI64ArrayAttr:$slice_sizes);
  let results = (outs StableHLO_Tensor:$result);
  let assemblyFormat = [{
    $operand `,` custom<OperandsThenComma>($start_indices)
      `sizes` `=` $slice_sizes attr-dict `:` functional-type(operands, results)
  }];
  let hasVerifier = 1;
  let hasCanonicalizeMethod = 1;
}

def StableHLO_DynamicUpdateSliceOp : StableHLO_Op<"dynamic_update_slice", [Pure]> {
  let summary = "a tensor with a box of it replaced, at a position known at run time";
  let description = [{
    `operand` with `update` in place of the elements from `start` on, where `start` are the
    `start_indices`, moved so far that `update` is within `operand`.

    - `operand`: elements, `[D0, ..., Dn]`
    - `update`: elements, `[U0, ..., Un]`
    - `start_indices`: one integer per dimension, each `[]`
    - `result`: elements, `[D0, ..., Dn]`

    Constraints:
    - (C1) `operand` and `result` have one type.
    - (C2) `update` has the element type of `operand`.
    - (C3) `update` has the rank of `operand`.
    - (C4) `start_indices` has one entry per dimension.
    - (C5) all `start_indices` have one type.
    - (C6) `update` is not larger than `operand` in any dimension.

    Example:
    ```mlir
    %result = stablehlo.dynamic_update_slice %operand, %update, %i, %j
        : (tensor<4x4xf32>, tensor<1x4xf32>, tensor<i32>, tensor<i32>) -> tensor<4x4xf32>
    ```
  }];
  let arguments = (ins StableHLO_Tensor:$operand, StableHLO_Tensor:$update,
                       Variadic<StableHLO_ScalarIntTensor>:$start_indices);
  let results = (outs StableHLO_Tensor:$result);
  let assemblyFormat = "operands attr-dict `:` functional-type(operands, results)";
  let hasVerifier = 1;
}

def StableHLO_ConcatenateOp : StableHLO_Op<"concatenate", [Pure, StableHLO_SameElementTypes]> {
  let summary = "tensors put one after the other along a dimension";
  let description = [{
    The `inputs` one after the other along `dimension`.

    - `inputs`: one or more tensors of elements, `[D0, ..., Ck, ..., Dn]`
    - `result`: elements, `[D0, ..., sum of Ck, ..., Dn]`

    Constraints:
    - (C1) all `inputs` have one element type.
    - (C2) all `inputs` have one shape, apart from `dimension`.
    - (C3) there is at least one input.
    - (C4) `dimension` is a dimension of the inputs.
    - (C5) `result` has the element type of the inputs.
    - (C6) `result` has the shape of the inputs, with the sum of their sizes in `dimension`.

    Example:
    ```mlir
    %result = stablehlo.concatenate %a, %b, dim = 0
        : (tensor<3x2xf32>, tensor<1x2xf32>) -> tensor<4x2xf32>
    ```
  }];
  let arguments = (ins Variadic<StableHLO_Tensor>:$inputs,
                       ConfinedAttr<I64Attr, [IntNonNegative]>:$dimension);
  let results = (outs StableHLO_Tensor:$result);
  let assemblyFormat = [{
    custom<OperandsThenComma>($inputs) `dim` `=` $dimension attr-dict
      `:` functional-type(operands, results)
  }];
  let hasVerifier = 1;
  let hasFolder = 1;
}

def StableHLO_PadOp : StableHLO_Op<"pad", [Pure, StableHLO_SameElementTypes]> {
  let summary = "puts a value around and between the elements, or cuts at the edges";
  let description = [{
    `operand` spread out with `interior_padding` elements between neighbours, then with
    `edge_padding_low` elements before and `edge_padding_high` after, all of them `padding_value`. A
    negative amount at an edge cuts elements off.

    - `operand`: elements, `[D0, ..., Dn]`
    - `padding_value`: one element, `[]`
    - `result`: elements, `[R0, ..., Rn]` with `R = low + D + max(D - 1, 0) * interior + high`

    Constraints:
    - (C1) `operand`, `padding_value` and `result` have one element type.
    - (C2) the amounts have one entry per dimension.
    - (C3) `interior_padding` is not negative.
    - (C4) the sizes of `result` are as above, and not negative.

    Example:
    ```mlir
    %result = stablehlo.pad %operand, %value, low = [0, 1], high = [2, -1], interior = [1, 0]
        : (tensor<2x3xf32>, tensor<f32>) -> tensor<5x3xf32>
    ```
  }];
  let arguments = (ins StableHLO_Tensor:$operand, StableHLO_ScalarTensor:$padding_value,
                       DenseI64ArrayAttr:$edge_padding_low, DenseI64ArrayAttr:$edge_padding_high,
                       DenseI64ArrayAttr:$interior_padding);
  let results = (outs StableHLO_Tensor:$result);
  let assemblyFormat = [{
    $operand `,` $padding_value `,` `low` `=` $edge_padding_low `,` `high` `=` $edge_padding_high
      `,` `interior` `=` $interior_padding attr-dict `:` functional-type(operands, results)
  }];
  let hasVerifier = 1;
  let hasFolder = 1;
}

def StableHLO_ReverseOp : StableHLO_Op<"reverse", [Pure, StableHLO_SameTypes]> {
  let summary = "reverses the order along dimensions";
  let description = [{
    `result[i] = operand[j]`, where `j_d` is `D_d - 1 - i_d` in the given `dimensions`, else `i_d`.

    - `operand`: elements, `[D0, ..., Dn]`
    - `result`: elements, `[D0, ..., Dn]`

    Constraints:
    - (C1) `operand` and `result` have one type.
    - (C2) no entry of `dimensions` occurs twice.
    - (C3) the entries are dimensions of `operand`.

    Example:
    ```mlir
    %result = stablehlo.reverse %operand, dims = [1] : tensor<2x3xf32>
    ```
  }];
  let arguments = (ins StableHLO_Tensor:$operand, DenseI64ArrayAttr:$dimensions);
  let results = (outs StableHLO_Tensor:$result);
  let assemblyFormat = [{
    $operand `,` `dims` `=` $dimensions attr-dict `:`
      custom<SameTypeOrFunctional>(type($operand), type($result))
  }];
  let hasVerifier = 1;
  let hasFolder = 1;
}

#endif
