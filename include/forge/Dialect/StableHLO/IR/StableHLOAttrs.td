// Attributes of the elementwise ops. All attributes of the dialect are generated from
// AllAttrs.td, which includes this file.
#ifndef FORGE_STABLEHLO_ATTRS_TD
#define FORGE_STABLEHLO_ATTRS_TD

include "mlir/IR/AttrTypeBase.td"
include "forge/Dialect/StableHLO/IR/StableHLOEnums.td"

def StableHLO_ResultAccuracy : AttrDef<StableHLO_Dialect, "ResultAccuracy"> {
  let mnemonic = "result_accuracy";
  let summary = "the accuracy asked of a transcendental function";
  let description = [{
    Either a mode alone, or the mode `TOLERANCE` with at least one of an absolute tolerance, a
    relative tolerance and a distance in units in the last place. Zero tolerances are left out.

    ```mlir
    #stablehlo.result_accuracy<mode = #stablehlo.result_accuracy_mode<HIGHEST>>
    #stablehlo.result_accuracy<ulps = 2, mode = #stablehlo.result_accuracy_mode<TOLERANCE>>
    ```
    Forge computes every such function as accurately as it can in any case; the attribute
    is kept for those who read the module after us.
  }];
  let parameters = (ins "::llvm::APFloat":$atol, "::llvm::APFloat":$rtol, "int64_t":$ulps,
                        StableHLO_ResultAccuracyModeAttr:$mode);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
}

#endif
