// Ops whose result shape is an operand, and the query of a size.
#ifndef FORGE_STABLEHLO_DYNAMICOPS_TD
#define FORGE_STABLEHLO_DYNAMICOPS_TD

include "forge/Dialect/StableHLO/IR/StableHLOBase.td"

def StableHLO_GetDimensionSizeOp : StableHLO_Op<"get_dimension_size", [Pure]> {
  let summary = "the size of a dimension";
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
  let arguments = (ins StableHLO_Tensor:$operand, StableHLO_DimensionTensor:$output_shape);
  let results = (outs StableHLO_Tensor:$result);
  let assemblyFormat = "operands attr-dict `:` functional-type(operands, results)";
  let hasVerifier = 1;
  let hasCanonicalizeMethod = 1;
}

def StableHLO_DynamicBroadcastInDimOp : StableHLO_Op<"dynamic_broadcast_in_dim", [Pure]> {
  let summary = "repeats a tensor to a shape known at run time";
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
  let arguments = (ins StableHLO_Tensor:$operand, StableHLO_DimensionTensor:$start_indices,
                       StableHLO_DimensionTensor:$limit_indices,
                       StableHLO_DimensionTensor:$strides);
  let results = (outs StableHLO_Tensor:$result);
  let assemblyFormat = "operands attr-dict `:` functional-type(operands, results)";
  let hasVerifier = 1;
  let hasCanonicalizeMethod = 1;
}

#endif
