// The chlo dialect: what frameworks print above StableHLO (special functions, top_k, broadcasting).
#ifndef FORGE_DIALECT_STABLEHLO_CHLOBASE_TD
#define FORGE_DIALECT_STABLEHLO_CHLOBASE_TD

include "forge/Dialect/StableHLO/IR/StableHLOBase.td"

def CHLO_Dialect : Dialect {
  let name = "chlo";
  let cppNamespace = "::forge::chlo";
  let summary = "frameworks' conveniences above StableHLO";
  let description = [{
    Ops that JAX and torch-xla print in addition to StableHLO's. Each one is defined here by real
    element types only (complex numbers are outside Forge), and each is legalised to StableHLO or to
    the math dialect in the `simplify` and `linalg` phases. Absent: ops on complex numbers (`conj`,
    `broadcast_complex`).
  }];
  let useDefaultAttributePrinterParser = 1;
  let hasConstantMaterializer = 1;
}

class CHLO_Op<string mnemonic, list<Trait> traits = []> 
    : Op<CHLO_Dialect, mnemonic, [StableHLO_SupportedTypes] # traits>;

// The enums are StableHLO's; only their spelling as attributes is chlo's.
def CHLO_ComparisonDirectionAttr
    : EnumAttr<CHLO_Dialect, StableHLO_ComparisonDirection, "comparison_direction"> {
  let constBuilderCall = "::forge::chlo::ComparisonDirectionAttr::get($_builder.getContext(), $0)";
}
def CHLO_ComparisonTypeAttr
    : EnumAttr<CHLO_Dialect, StableHLO_ComparisonType, "comparison_type"> {
  let constBuilderCall = "::forge::chlo::ComparisonTypeAttr::get($_builder.getContext(), $0)";
}

#endif // FORGE_DIALECT_STABLEHLO_CHLOBASE_TD
