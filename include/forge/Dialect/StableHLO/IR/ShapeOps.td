// Ops that make tensors or move elements, all sizes known: constant, iota, broadcast, reshape, slice...
#ifndef FORGE_STABLEHLO_SHAPEOPS_TD
#define FORGE_STABLEHLO_SHAPEOPS_TD

include "forge/Dialect/StableHLO/IR/StableHLOBase.td"

def StableHLO_ConstantOp : StableHLO_Op<"constant", [
    ConstantLike, Pure, DeclareOpInterfaceMethods<OpAsmOpInterface, ["getAsmResultNames"]>]> {
  let summary = "a tensor of given values";
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
  let arguments = (ins ConfinedAttr<I64Attr, [IntNonNegative]>:$iota_dimension);
  let results = (outs StableHLO_StaticIntOrFloatTensor:$output);
  let assemblyFormat = "`dim` `=` $iota_dimension attr-dict `:` type($output)";
  let hasVerifier = 1;
}

def StableHLO_BroadcastOp : StableHLO_Op<"broadcast", [Pure, StableHLO_SameElementTypes]> {
  let summary = "repeats a tensor along new leading dimensions";
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
  let arguments = (ins StableHLO_Tensor:$operand);
  let results = (outs StableHLO_StaticTensor:$result);
  let assemblyFormat = "operands attr-dict `:` functional-type(operands, results)";
  let hasVerifier = 1;
  let hasFolder = 1;
  let hasCanonicalizeMethod = 1;
}

def StableHLO_TransposeOp : StableHLO_Op<"transpose", [Pure, StableHLO_SameElementTypes]> {
  let summary = "permutes dimensions";
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
  let arguments = (ins StableHLO_Tensor:$operand, DenseI64ArrayAttr:$start_indices,
                       DenseI64ArrayAttr:$limit_indices, DenseI64ArrayAttr:$strides);
  let results = (outs StableHLO_Tensor:$result);
  let assemblyFormat = [{
    $operand custom<SliceRanges>($start_indices, $limit_indices, $strides)
      attr-dict `:` functional-type(operands, results)
  }];
  let hasVerifier = 1;
  let hasFolder = 1;
}

def StableHLO_DynamicSliceOp : StableHLO_Op<"dynamic_slice", [Pure]> {
  let summary = "a box of a tensor, at a position known at run time";
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
  let arguments = (ins StableHLO_Tensor:$operand, StableHLO_Tensor:$update,
                       Variadic<StableHLO_ScalarIntTensor>:$start_indices);
  let results = (outs StableHLO_Tensor:$result);
  let assemblyFormat = "operands attr-dict `:` functional-type(operands, results)";
  let hasVerifier = 1;
}

def StableHLO_ConcatenateOp : StableHLO_Op<"concatenate", [Pure, StableHLO_SameElementTypes]> {
  let summary = "tensors put one after the other along a dimension";
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
