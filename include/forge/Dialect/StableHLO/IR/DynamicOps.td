// Ops whose result shape is an operand, and the query of a size.
#ifndef FORGE_STABLEHLO_DYNAMICOPS_TD
#define FORGE_STABLEHLO_DYNAMICOPS_TD

include "forge/Dialect/StableHLO/IR/StableHLOBase.td"

def StableHLO_GetDimensionSizeOp : StableHLO_Op<"get_dimension_size", [Pure]> {
  let summary = "the size of a dimension";
  let description = [{
    `result[]` is the size of `dimension` of `operand`.

    - `operand`: elements, `[D0, ..., Dn]`
    - `result`: the size, `[]`

    Constraints:
    - (C1) `dimension` is a dimension of `operand`.

    Example:
    ```mlir
    %result = stablehlo.get_dimension_size %operand, dim = 0 : (tensor<?x4xf32>) -> tensor<i32>
    ```
  }];
  let arguments = (ins StableHLO_Tensor:$operand,
                       ConfinedAttr<I64Attr, [IntNonNegative]>:$dimension);
  let results = (outs StableHLO_ScalarI32Tensor:$result);
  let assemblyFormat = [{
    $operand `,` `dim` `=` $dimension attr-dict `:` functional-type(operands, results)
  }];
  let hasVerifier = 1;
  let hasFolder = 1;
}

def StableHLO_DynamicIotaOp : StableHLO_Op<"dynamic_iota", [Pure]> {
  let summary = "the index along one dimension, in a shape known at run time";
  let description = [{
    `result[i0, ..., in] = i_d`, where `d` is `iota_dimension`, in the shape `output_shape`.

    - `output_shape`: sizes, `[n]`
    - `result`: integers or floats, `[R0, ..., Rn-1]`

    Constraints:
    - (C1) `iota_dimension` is less than the number of sizes.
    - (C2) `result` has as many dimensions as there are sizes.

    Example:
    ```mlir
    %result = stablehlo.dynamic_iota %shape, dim = 0 : (tensor<2xi32>) -> tensor<?x4xi32>
    ```
  }];
  let arguments = (ins StableHLO_DimensionTensor:$output_shape,
                       ConfinedAttr<I64Attr, [IntNonNegative]>:$iota_dimension);
  let results = (outs StableHLO_IntOrFloatTensor:$result);
  let assemblyFormat = [{
    $output_shape `,` `dim` `=` $iota_dimension attr-dict `:` functional-type(operands, results)
  }];
  let hasVerifier = 1;
  let hasCanonicalizeMethod = 1;
}

def StableHLO_DynamicReshapeOp : StableHLO_Op<"dynamic_reshape", [Pure]> {
  let summary = "the same elements in the same order, in a shape known at run time";
  let description = [{
    The elements of `operand` in row-major order, read as a tensor of the shape `output_shape`. That the
    numbers of elements agree is checked at run time where it is not known before.

    - `operand`: elements, `[D0, ..., Dn]`
    - `output_shape`: sizes, `[m]`
    - `result`: elements, `[R0, ..., Rm-1]`

    Constraints:
    - (C1) `operand` and `result` have one element type.
    - (C2) they have the same number of elements.
    - (C4) `output_shape` has one entry per dimension of `result`.

    Example:
    ```mlir
    %result = stablehlo.dynamic_reshape %operand, %shape
        : (tensor<?x4xf32>, tensor<1xi32>) -> tensor<?xf32>
    ```
  }];
  let arguments = (ins StableHLO_Tensor:$operand, StableHLO_DimensionTensor:$output_shape);
  let results = (outs StableHLO_Tensor:$result);
  let assemblyFormat = "operands attr-dict `:` functional-type(operands, results)";
  let hasVerifier = 1;
  let hasCanonicalizeMethod = 1;
}

def StableHLO_DynamicBroadcastInDimOp : StableHLO_Op<"dynamic_broadcast_in_dim", [Pure]> {
  let summary = "repeats a tensor to a shape known at run time";
  let description = [{
    Does what `broadcast_in_dim` does, to the shape `output_dimensions`. A dimension of dynamic size is
    repeated if its size turns out to be 1; the two optional lists say beforehand which dimensions of
    `operand` do and do not.

    - `operand`: elements, `[D0, ..., Dn]`
    - `output_dimensions`: sizes, `[m]`
    - `result`: elements, `[R0, ..., Rm-1]`

    Constraints:
    - (C1) `operand` and `result` have one element type.
    - (C2) `broadcast_dimensions` has one entry per dimension of `operand`.
    - (C3) the entries are dimensions of `result`.
    - (C4) no entry occurs twice.
    - (C5) each dimension of `operand` has size 1 or that of the dimension it becomes.
    - (C7) `output_dimensions` has one entry per dimension of `result`.
    - (C8) no dimension occurs twice in `known_expanding_dimensions` and
      `known_nonexpanding_dimensions` together.
    - (C9) the entries of `known_expanding_dimensions` are dimensions of `operand`.
    - (C10) so are those of `known_nonexpanding_dimensions`.

    Example:
    ```mlir
    %result = stablehlo.dynamic_broadcast_in_dim %operand, %shape, dims = [1]
        : (tensor<4xf32>, tensor<2xi32>) -> tensor<?x4xf32>
    ```
  }];
  let arguments = (ins StableHLO_Tensor:$operand, StableHLO_DimensionTensor:$output_dimensions,
                       DenseI64ArrayAttr:$broadcast_dimensions,
                       OptionalAttr<DenseI64ArrayAttr>:$known_expanding_dimensions,
                       OptionalAttr<DenseI64ArrayAttr>:$known_nonexpanding_dimensions);
  let results = (outs StableHLO_Tensor:$result);
  let builders = [OpBuilder<(ins "::mlir::Type":$resultType, "::mlir::Value":$operand,
      "::mlir::Value":$outputDimensions, "::llvm::ArrayRef<int64_t>":$broadcastDimensions), [{
    build($_builder, $_state, resultType, operand, outputDimensions,
          $_builder.getDenseI64ArrayAttr(broadcastDimensions), ::mlir::DenseI64ArrayAttr(),
          ::mlir::DenseI64ArrayAttr());
  }]>];
  let assemblyFormat = [{
    $operand `,` $output_dimensions `,` `dims` `=` $broadcast_dimensions attr-dict
      `:` functional-type(operands, results)
  }];
  let hasVerifier = 1;
  let hasCanonicalizeMethod = 1;
}

def StableHLO_DynamicPadOp : StableHLO_Op<"dynamic_pad", [Pure]> {
  let summary = "pad, with amounts known at run time";
  let description = [{
    Does what `pad` does, by amounts known at run time.

    - `operand`: elements, `[D0, ..., Dn]`
    - `padding_value`: one element, `[]`
    - `edge_padding_low`, `edge_padding_high`, `interior_padding`: amounts, `[n + 1]`
    - `result`: elements, `[R0, ..., Rn]`

    Constraints:
    - (C1) `operand`, `padding_value` and `result` have one element type.
    - (C2) the amounts have one entry per dimension.
    - (C3) `interior_padding` is not negative; checked at run time.
    - (C4) the sizes of `result` are those of `pad`; checked at run time.

    Example:
    ```mlir
    %result = stablehlo.dynamic_pad %operand, %value, %low, %high, %interior
        : (tensor<?xf32>, tensor<f32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<?xf32>
    ```
  }];
  let arguments = (ins StableHLO_Tensor:$operand, StableHLO_ScalarTensor:$padding_value,
                       StableHLO_DimensionTensor:$edge_padding_low,
                       StableHLO_DimensionTensor:$edge_padding_high,
                       StableHLO_DimensionTensor:$interior_padding);
  let results = (outs StableHLO_Tensor:$result);
  let assemblyFormat = "operands attr-dict `:` functional-type(operands, results)";
  let hasVerifier = 1;
  let hasCanonicalizeMethod = 1;
}

def StableHLO_RealDynamicSliceOp : StableHLO_Op<"real_dynamic_slice", [Pure]> {
  let summary = "slice, with bounds and strides known at run time";
  let description = [{
    Does what `slice` does, with bounds and strides known at run time. Not in the public specification,
    though frameworks print it.

    - `operand`: elements, `[D0, ..., Dn]`
    - `start_indices`, `limit_indices`, `strides`: one number per dimension, `[n + 1]`
    - `result`: elements, `[R0, ..., Rn]`

    Example:
    ```mlir
    %result = stablehlo.real_dynamic_slice %operand, %start, %limit, %strides
        : (tensor<?xf32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<?xf32>
    ```
  }];
  let arguments = (ins StableHLO_Tensor:$operand, StableHLO_DimensionTensor:$start_indices,
                       StableHLO_DimensionTensor:$limit_indices,
                       StableHLO_DimensionTensor:$strides);
  let results = (outs StableHLO_Tensor:$result);
  let assemblyFormat = "operands attr-dict `:` functional-type(operands, results)";
  let hasVerifier = 1;
  let hasCanonicalizeMethod = 1;
}

#endif
