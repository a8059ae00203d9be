// What every family of ops starts from.
#ifndef FORGE_STABLEHLO_BASE_TD
#define FORGE_STABLEHLO_BASE_TD

include "mlir/IR/OpBase.td"
include "mlir/IR/OpAsmInterface.td"
include "mlir/IR/SymbolInterfaces.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "forge/Dialect/StableHLO/IR/StableHLOAttrs.td"
include "forge/Dialect/StableHLO/IR/StableHLOTypes.td"

class StableHLO_OpTrait<string name> : NativeOpTrait<name> {
  let cppNamespace = "::forge::stablehlo::OpTrait";
}

// Every type of the op is one that Forge has: no complex or quantized elements, no size that
// overflows. First among the traits, since the others assume it.
def StableHLO_SupportedTypes : StableHLO_OpTrait<"SupportedTypes">;

// All operands and results have one element type and one shape; a dynamic dimension goes with any.
def StableHLO_SameTypes : StableHLO_OpTrait<"SameTypes">;

// All operands and results have one shape; a dynamic dimension goes with any.
def StableHLO_SameShapes : StableHLO_OpTrait<"SameShapes">;

// All operands and results have one element type.
def StableHLO_SameElementTypes : StableHLO_OpTrait<"SameElementTypes">;

class StableHLO_Op<string mnemonic, list<Trait> traits = []>
    : Op<StableHLO_Dialect, mnemonic, [StableHLO_SupportedTypes] # traits>;

#endif
