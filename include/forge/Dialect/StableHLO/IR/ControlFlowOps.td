// Ops with branches and loops, the terminator of regions, tuples, tokens and calls of decompositions.
#ifndef FORGE_STABLEHLO_CONTROLFLOWOPS_TD
#define FORGE_STABLEHLO_CONTROLFLOWOPS_TD

include "forge/Dialect/StableHLO/IR/StableHLOBase.td"

def StableHLO_ReturnOp : StableHLO_Op<"return", [Pure, Terminator]> {
  let summary = "ends the region of an op and gives its results";
  let arguments = (ins Variadic<StableHLO_Value>:$results);
  let builders = [OpBuilder<(ins), [{ build($_builder, $_state, ::mlir::ValueRange()); }]>];
  let assemblyFormat = "$results attr-dict (`:` type($results)^)?";
}

def StableHLO_IfOp : StableHLO_Op<"if", [
    RecursiveMemoryEffects, RecursivelySpeculatable,
    SingleBlockImplicitTerminator<"ReturnOp">]> {
  let summary = "one of two regions, by a condition";
  let arguments = (ins StableHLO_ScalarPredTensor:$pred);
  let regions = (region SizedRegion<1>:$true_branch, SizedRegion<1>:$false_branch);
  let results = (outs Variadic<StableHLO_TensorOrToken>:$results);
  let hasRegionVerifier = 1;
  let hasCanonicalizeMethod = 1;
}

def StableHLO_CaseOp : StableHLO_Op<"case", [
    RecursiveMemoryEffects, RecursivelySpeculatable,
    SingleBlockImplicitTerminator<"ReturnOp">]> {
  let summary = "one of several regions, by an index";
  let arguments = (ins StableHLO_ScalarI32Tensor:$index);
  let regions = (region VariadicRegion<SizedRegion<1>>:$branches);
  let results = (outs Variadic<StableHLO_TensorOrToken>:$results);
  let hasRegionVerifier = 1;
  let hasCanonicalizeMethod = 1;
}

def StableHLO_WhileOp : StableHLO_Op<"while", [
    RecursiveMemoryEffects, SingleBlockImplicitTerminator<"ReturnOp">,
    DeclareOpInterfaceMethods<OpAsmOpInterface, ["getAsmBlockArgumentNames"]>]> {
  let summary = "repeats a region while a condition holds";
  let arguments = (ins Variadic<StableHLO_TensorOrToken>:$operand);
  let regions = (region SizedRegion<1>:$cond, SizedRegion<1>:$body);
  let results = (outs Variadic<StableHLO_TensorOrToken>:$results);
  let hasCustomAssemblyFormat = 1;
  let hasRegionVerifier = 1;
}

def StableHLO_OptimizationBarrierOp : StableHLO_Op<"optimization_barrier", [Pure]> {
  let summary = "its operands, made together: nothing moves across";
  let arguments = (ins Variadic<StableHLO_TensorOrToken>:$operand);
  let results = (outs Variadic<StableHLO_TensorOrToken>:$result);
  let assemblyFormat = [{
    attr-dict ($operand^ `:` custom<PairwiseTypes>(type($operand), type($result))) : (`(` `)`)?
  }];
  let hasVerifier = 1;
}

def StableHLO_CompositeOp : StableHLO_Op<"composite", [
    DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "a named computation, with the function that spells it out";
  let arguments = (ins Variadic<StableHLO_Value>:$inputs, StrAttr:$name,
                       OptionalAttr<DictionaryAttr>:$composite_attributes,
                       FlatSymbolRefAttr:$decomposition,
                       DefaultValuedOptionalAttr<I32Attr, "0">:$version);
  let results = (outs Variadic<StableHLO_Value>:$results);
  let assemblyFormat = "$name operands attr-dict `:` functional-type(operands, results)";
}

def StableHLO_TupleOp : StableHLO_Op<"tuple", [Pure]> {
  let summary = "several values as one";
  let arguments = (ins Variadic<StableHLO_Value>:$val);
  let results = (outs StableHLO_Tuple:$result);
  let assemblyFormat = "$val attr-dict `:` custom<TupleTypes>(type($val), type($result))";
  let hasVerifier = 1;
}

def StableHLO_GetTupleElementOp : StableHLO_Op<"get_tuple_element", [Pure]> {
  let summary = "one value of a tuple";
  let arguments = (ins StableHLO_Tuple:$operand, ConfinedAttr<I32Attr, [IntNonNegative]>:$index);
  let results = (outs StableHLO_Value:$result);
  let assemblyFormat = "$operand `[` $index `]` attr-dict `:` functional-type(operands, results)";
  let hasVerifier = 1;
  let hasFolder = 1;
}

def StableHLO_CreateTokenOp : StableHLO_Op<"create_token", [Pure]> {
  let summary = "a token that waits for nothing";
  let results = (outs StableHLO_Token:$output);
  let assemblyFormat = "attr-dict `:` type(results)";
}

def StableHLO_AfterAllOp : StableHLO_Op<"after_all", [Pure]> {
  let summary = "a token that waits for others";
  let arguments = (ins Variadic<StableHLO_Token>:$inputs);
  let results = (outs StableHLO_Token:$result);
  let assemblyFormat = [{
    $inputs attr-dict `:` custom<TokenTypes>(ref($inputs), type($inputs), type($result))
  }];
}

#endif
