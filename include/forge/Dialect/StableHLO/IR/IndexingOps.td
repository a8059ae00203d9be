// Reading and writing at computed positions: gather, dynamic_gather, scatter.
#ifndef FORGE_DIALECT_STABLEHLO_INDEXINGOPS_TD
#define FORGE_DIALECT_STABLEHLO_INDEXINGOPS_TD

include "forge/Dialect/StableHLO/IR/StableHLOBase.td"
include "forge/Dialect/StableHLO/IR/StructuredAttrs.td"

def StableHLO_GatherOp : StableHLO_Op<"gather", [Pure]> {
  let summary = "slices read at computed positions";
  let arguments = (ins
    StableHLO_Tensor:$operand,
    StableHLO_IntTensor:$start_indices,
    StableHLO_GatherDimensionNumbers:$dimension_numbers,
    DenseI64ArrayAttr:$slice_sizes,
    DefaultValuedOptionalAttr<BoolAttr, "false">:$indices_are_sorted);
  let results = (outs StableHLO_Tensor:$result);
  let hasVerifier = 1;
}

def StableHLO_DynamicGatherOp : StableHLO_Op<"dynamic_gather", [Pure]> {
  let summary = "gather whose slice sizes are an operand";
  let arguments = (ins
    StableHLO_Tensor:$operand,
    StableHLO_IntTensor:$start_indices,
    StableHLO_IntTensor:$slice_sizes,
    StableHLO_GatherDimensionNumbers:$dimension_numbers,
    DefaultValuedOptionalAttr<BoolAttr, "false">:$indices_are_sorted);
  let results = (outs StableHLO_Tensor:$result);
  let hasVerifier = 1;
}

def StableHLO_ScatterOp : StableHLO_Op<"scatter", [
    RecursiveMemoryEffects, SameVariadicOperandSize,
    SingleBlockImplicitTerminator<"ReturnOp">]> {
  let summary = "update windows combined into tensors at computed positions";
  let arguments = (ins
    Variadic<StableHLO_Tensor>:$inputs,
    StableHLO_IntTensor:$scatter_indices,
    Variadic<StableHLO_Tensor>:$updates,
    StableHLO_ScatterDimensionNumbers:$scatter_dimension_numbers,
    DefaultValuedOptionalAttr<BoolAttr, "false">:$indices_are_sorted,
    DefaultValuedOptionalAttr<BoolAttr, "false">:$unique_indices);
  let regions = (region SizedRegion<1>:$update_computation);
  let results = (outs Variadic<StableHLO_Tensor>:$results);
  let hasVerifier = 1;
  let hasRegionVerifier = 1;
}

#endif // FORGE_DIALECT_STABLEHLO_INDEXINGOPS_TD
