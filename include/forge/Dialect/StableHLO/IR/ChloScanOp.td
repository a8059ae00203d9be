// chlo.scan: what JAX writes for cumulative sums on GPUs.
#ifndef FORGE_DIALECT_STABLEHLO_CHLOSCANOP_TD
#define FORGE_DIALECT_STABLEHLO_CHLOSCANOP_TD

include "forge/Dialect/StableHLO/IR/ChloBase.td"

def CHLO_ScanOp : CHLO_Op<"scan", [
    AttrSizedOperandSegments, AttrSizedResultSegments, RecursiveMemoryEffects,
    SingleBlockImplicitTerminator<"::forge::stablehlo::ReturnOp">,
    DeclareOpInterfaceMethods<OpAsmOpInterface, ["getAsmBlockArgumentNames"]>]> {
  let summary = "a loop along one dimension that carries values";
  let description = [{
    Goes along `dimension` of the inputs, forward, or backward where `is_reverse`. `body` takes the
    inputs' slices there and the carried values, which are `inits` first; it returns the outputs'
    slices there and the values to carry on. A slice lacks the dimension.

    - `inputs`: any number of tensors, of the same size n along `dimension`.
    - `outputs`: any number of tensors, of size n there.
    - `inits`, `carries`: as many tensors each, of the same types.
    - `scan_dim_size`: n, where there are no inputs.
    - `is_associative`: steps may be joined in any order that keeps their sequence.

    (C1) `dimension` is one of every input and output.
    (C2) Inputs and outputs have size n along it, which is known, and is `scan_dim_size` where that is given.
    (C3) `body` takes the slices of `inputs` and the types of `inits`.
    (C4) `body` returns the slices of `outputs` and the types of `inits`.
    (C5) `carries` have the types of `inits`.

    ```mlir
    %sums, %total = chlo.scan(%x) inits(%zero) dimension=1 attributes {is_associative = true} {
    ^bb0(%element: tensor<3xf32>, %sum: tensor<3xf32>):
      %next = stablehlo.add %element, %sum : tensor<3xf32>
      stablehlo.return %next, %next : tensor<3xf32>, tensor<3xf32>
    } : (tensor<3x7xf32>, tensor<3xf32>) -> (tensor<3x7xf32>, tensor<3xf32>)
    ```
  }];
  let arguments = (ins Variadic<StableHLO_Tensor>:$inputs, Variadic<StableHLO_Tensor>:$inits,
    I64Attr:$dimension, OptionalAttr<I64Attr>:$scan_dim_size,
    DefaultValuedOptionalAttr<BoolAttr, "false">:$is_reverse,
    DefaultValuedOptionalAttr<BoolAttr, "false">:$is_associative);
  let results = (outs Variadic<StableHLO_Tensor>:$outputs, Variadic<StableHLO_Tensor>:$carries);
  let regions = (region SizedRegion<1>:$body);
  let extraClassDeclaration = [{
    /// The number of steps, n.
    int64_t getNumSteps();
    /// The type of a slice of an input or output.
    ::mlir::RankedTensorType getSliceType(::mlir::Type type);
  }];
  let hasCustomAssemblyFormat = 1;
  let hasRegionVerifier = 1;
}

#endif // FORGE_DIALECT_STABLEHLO_CHLOSCANOP_TD
