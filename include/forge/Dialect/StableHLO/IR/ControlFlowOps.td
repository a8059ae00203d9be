// Ops with branches and loops, the terminator of regions, tuples, tokens and calls of decompositions.
#ifndef FORGE_STABLEHLO_CONTROLFLOWOPS_TD
#define FORGE_STABLEHLO_CONTROLFLOWOPS_TD

include "forge/Dialect/StableHLO/IR/StableHLOBase.td"

def StableHLO_ReturnOp : StableHLO_Op<"return", [Pure, Terminator]> {
  let summary = "ends the region of an op and gives its results";
  let description = [{
    Ends a region of another stablehlo op, with the values that the region gives. Functions end with
    `func.return`.

    - `results`: any number of values

    Example:
    ```mlir
    stablehlo.return %0, %1 : tensor<4xf32>, tensor<i32>
    ```
  }];
  let arguments = (ins Variadic<StableHLO_Value>:$results);
  let builders = [OpBuilder<(ins), [{ build($_builder, $_state, ::mlir::ValueRange()); }]>];
  let assemblyFormat = "$results attr-dict (`:` type($results)^)?";
}

def StableHLO_IfOp : StableHLO_Op<"if", [
    RecursiveMemoryEffects, RecursivelySpeculatable,
    SingleBlockImplicitTerminator<"ReturnOp">]> {
  let summary = "one of two regions, by a condition";
  let description = [{
    The results of `true_branch` if `pred[]` is true, else those of `false_branch`. Only one is executed.

    - `pred`: the condition, `[]`
    - `results`: any number of tensors or tokens

    Constraints:
    - (C1) the branches take nothing.
    - (C2) both branches return the same types.
    - (C3) the results have the types that the branches return.

    Example:
    ```mlir
    %result = "stablehlo.if"(%pred) ({
      stablehlo.return %a : tensor<4xf32>
    }, {
      stablehlo.return %b : tensor<4xf32>
    }) : (tensor<i1>) -> tensor<4xf32>
    ```
  }];
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
  let description = [{
    The results of `branches[index[]]`, or of the last branch when there is none of that number. Only
    one is executed.

    - `index`: which branch, `[]`
    - `results`: any number of tensors or tokens

    Constraints:
    - (C1) there is at least one branch.
    - (C2) the branches take nothing.
    - (C3) all branches return the same types.
    - (C4) the results have the types that the branches return.

    Example:
    ```mlir
    %result = "stablehlo.case"(%index) ({
      stablehlo.return %a : tensor<4xf32>
    }, {
      stablehlo.return %b : tensor<4xf32>
    }) : (tensor<i32>) -> tensor<4xf32>
    ```
  }];
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
  let description = [{
    Starts from the values of `operand`; as long as `cond` of the values is true, they become `body` of
    the values. The results are the last ones.

    - `operand`: any number of tensors or tokens
    - `results`: as many, of the same types

    Constraints:
    - (C1) `cond` takes the types of `operand` and returns `tensor<i1>`.
    - (C2) `body` takes the types of `operand` and returns them.
    - (C3) the results have the types of `operand`.

    Example:
    ```mlir
    %result = stablehlo.while(%i = %init) : tensor<i32>
    cond {
      %more = stablehlo.compare LT, %i, %n, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %more : tensor<i1>
    } do {
      %next = stablehlo.add %i, %one : tensor<i32>
      stablehlo.return %next : tensor<i32>
    }
    ```
  }];
  let arguments = (ins Variadic<StableHLO_TensorOrToken>:$operand);
  let regions = (region SizedRegion<1>:$cond, SizedRegion<1>:$body);
  let results = (outs Variadic<StableHLO_TensorOrToken>:$results);
  let hasCustomAssemblyFormat = 1;
  let hasRegionVerifier = 1;
}

def StableHLO_OptimizationBarrierOp : StableHLO_Op<"optimization_barrier", [Pure]> {
  let summary = "its operands, made together: nothing moves across";
  let description = [{
    The operands, unchanged. What they depend on is computed before what depends on the results.

    - `operand`: any number of tensors or tokens
    - `result`: as many, of the same types

    Constraints:
    - (C1) operands and results have the same types.

    Example:
    ```mlir
    %result:2 = stablehlo.optimization_barrier %a, %b : tensor<4xf32>, tensor<i32>
    ```
  }];
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
  let description = [{
    A call of the function `decomposition`, under a name by which a compiler may know a faster way. Forge
    calls the function, or where the name is that of an operation of `chlo`, computes that
    (`forge-raise-composites`).

    - `inputs`: any number of values
    - `composite_regions`: what an operation of that name has for regions; the function does not call them
    - `results`: any number of values

    Constraints:
    - (C1) `name` has a namespace: `mylib.op`.
    - (C2) `decomposition` names a function of the module.
    - (C3) `inputs` have the types which that function takes.
    - (C4) `results` have the types which it returns.

    Example:
    ```mlir
    %result = stablehlo.composite "mylib.gelu" %x {
      composite_attributes = {approximate = true}, decomposition = @gelu, version = 1 : i32
    } : (tensor<4xf32>) -> tensor<4xf32>
    ```
  }];
  let arguments = (ins Variadic<StableHLO_Value>:$inputs, StrAttr:$name,
                       OptionalAttr<DictionaryAttr>:$composite_attributes,
                       FlatSymbolRefAttr:$decomposition,
                       DefaultValuedOptionalAttr<I32Attr, "0">:$version);
  let regions = (region VariadicRegion<AnyRegion>:$composite_regions);
  let results = (outs Variadic<StableHLO_Value>:$results);
  let assemblyFormat = [{
    $name operands (`(` $composite_regions^ `)`)? attr-dict `:` functional-type(operands, results)
  }];
}

def StableHLO_TupleOp : StableHLO_Op<"tuple", [Pure]> {
  let summary = "several values as one";
  let description = [{
    A tuple of the operands.

    - `val`: any number of values
    - `result`: the tuple

    Constraints:
    - (C1) the types of the tuple are those of `val`.

    Example:
    ```mlir
    %result = stablehlo.tuple %a, %b : tuple<tensor<4xf32>, tensor<i32>>
    ```
  }];
  let arguments = (ins Variadic<StableHLO_Value>:$val);
  let results = (outs StableHLO_Tuple:$result);
  let assemblyFormat = "$val attr-dict `:` custom<TupleTypes>(type($val), type($result))";
  let hasVerifier = 1;
}

def StableHLO_GetTupleElementOp : StableHLO_Op<"get_tuple_element", [Pure]> {
  let summary = "one value of a tuple";
  let description = [{
    The value at position `index` of a tuple.

    - `operand`: the tuple
    - `result`: the value

    Constraints:
    - (C1) `index` is a position of the tuple.
    - (C2) `result` has the type at that position.

    Example:
    ```mlir
    %result = stablehlo.get_tuple_element %operand[1]
        : (tuple<tensor<4xf32>, tensor<i32>>) -> tensor<i32>
    ```
  }];
  let arguments = (ins StableHLO_Tuple:$operand, ConfinedAttr<I32Attr, [IntNonNegative]>:$index);
  let results = (outs StableHLO_Value:$result);
  let assemblyFormat = "$operand `[` $index `]` attr-dict `:` functional-type(operands, results)";
  let hasVerifier = 1;
  let hasFolder = 1;
}

def StableHLO_CreateTokenOp : StableHLO_Op<"create_token", [Pure]> {
  let summary = "a token that waits for nothing";
  let description = [{
    A token that is there from the start. Not in the public specification: the same as `after_all` of
    nothing.

    - `output`: the token

    Example:
    ```mlir
    %output = stablehlo.create_token : !stablehlo.token
    ```
  }];
  let results = (outs StableHLO_Token:$output);
  let assemblyFormat = "attr-dict `:` type(results)";
}

def StableHLO_AfterAllOp : StableHLO_Op<"after_all", [Pure]> {
  let summary = "a token that waits for others";
  let description = [{
    A token that is there once all `inputs` are.

    - `inputs`: any number of tokens
    - `result`: the token

    Example:
    ```mlir
    %result = stablehlo.after_all %a, %b : !stablehlo.token
    ```
  }];
  let arguments = (ins Variadic<StableHLO_Token>:$inputs);
  let results = (outs StableHLO_Token:$result);
  let assemblyFormat = [{
    $inputs attr-dict `:` custom<TokenTypes>(ref($inputs), type($inputs), type($result))
  }];
}

#endif
