// Ops that apply a region along dimensions: reduce, reduce_window, select_and_scatter, sort, map.
#ifndef FORGE_DIALECT_STABLEHLO_REDUCTIONOPS_TD
#define FORGE_DIALECT_STABLEHLO_REDUCTIONOPS_TD

include "forge/Dialect/StableHLO/IR/StableHLOBase.td"

def StableHLO_ReduceOp : StableHLO_Op<"reduce", [
    RecursiveMemoryEffects, SameVariadicOperandSize,
    SingleBlockImplicitTerminator<"ReturnOp">]> {
  let summary = "folds dimensions away with a region";
  let arguments = (ins
    Variadic<StableHLO_Tensor>:$inputs,
    Variadic<StableHLO_Tensor>:$init_values,
    DenseI64ArrayAttr:$dimensions);
  let regions = (region SizedRegion<1>:$body);
  let results = (outs Variadic<StableHLO_Tensor>:$results);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
  let hasRegionVerifier = 1;
}

def StableHLO_ReduceWindowOp : StableHLO_Op<"reduce_window", [
    RecursiveMemoryEffects, SameVariadicOperandSize,
    SingleBlockImplicitTerminator<"ReturnOp">]> {
  let summary = "folds sliding windows with a region";
  let arguments = (ins
    Variadic<StableHLO_Tensor>:$inputs,
    Variadic<StableHLO_Tensor>:$init_values,
    DenseI64ArrayAttr:$window_dimensions,
    OptionalAttr<DenseI64ArrayAttr>:$window_strides,
    OptionalAttr<DenseI64ArrayAttr>:$base_dilations,
    OptionalAttr<DenseI64ArrayAttr>:$window_dilations,
    OptionalAttr<I64ElementsAttr>:$padding);
  let regions = (region SizedRegion<1>:$body);
  let results = (outs Variadic<StableHLO_Tensor>:$results);
  let hasVerifier = 1;
  let hasRegionVerifier = 1;
}

def StableHLO_SelectAndScatterOp : StableHLO_Op<"select_and_scatter", [
    RecursiveMemoryEffects, SingleBlockImplicitTerminator<"ReturnOp">]> {
  let summary = "sends each source element to the window element that a region selects";
  let arguments = (ins
    StableHLO_Tensor:$operand,
    StableHLO_Tensor:$source,
    StableHLO_Tensor:$init_value,
    OptionalAttr<DenseI64ArrayAttr>:$window_dimensions,
    OptionalAttr<DenseI64ArrayAttr>:$window_strides,
    OptionalAttr<I64ElementsAttr>:$padding);
  let regions = (region SizedRegion<1>:$select, SizedRegion<1>:$scatter);
  let results = (outs StableHLO_Tensor:$result);
  let hasVerifier = 1;
  let hasRegionVerifier = 1;
}

def StableHLO_SortOp : StableHLO_Op<"sort", [
    RecursiveMemoryEffects, SingleBlockImplicitTerminator<"ReturnOp">]> {
  let summary = "sorts along one dimension by a comparator";
  let arguments = (ins
    Variadic<StableHLO_Tensor>:$inputs,
    DefaultValuedOptionalAttr<I64Attr, "-1">:$dimension,
    DefaultValuedOptionalAttr<BoolAttr, "false">:$is_stable);
  let regions = (region SizedRegion<1>:$comparator);
  let results = (outs Variadic<StableHLO_Tensor>:$results);
  let hasVerifier = 1;
  let hasRegionVerifier = 1;
}

def StableHLO_MapOp : StableHLO_Op<"map", [
    RecursiveMemoryEffects, SingleBlockImplicitTerminator<"ReturnOp">]> {
  let summary = "applies a scalar region element by element";
  let arguments = (ins
    Variadic<StableHLO_Tensor>:$inputs,
    DenseI64ArrayAttr:$dimensions);
  let regions = (region SizedRegion<1>:$computation);
  let results = (outs StableHLO_Tensor:$result);
  let hasVerifier = 1;
  let hasRegionVerifier = 1;
}

#endif // FORGE_DIALECT_STABLEHLO_REDUCTIONOPS_TD
