// The enumerations of the dialect, each with the attribute that holds it. Printed bare inside an op's
// pretty form (`GE`), as `#stablehlo<comparison_direction GE>` elsewhere.
#ifndef FORGE_STABLEHLO_ENUMS_TD
#define FORGE_STABLEHLO_ENUMS_TD

include "mlir/IR/EnumAttr.td"
include "forge/Dialect/StableHLO/IR/StableHLODialect.td"

class StableHLO_Enum<string name, string description, list<I32EnumAttrCase> cases>
    : I32EnumAttr<name, description, cases> {
  let genSpecializedAttr = 0;
  let cppNamespace = "::forge::stablehlo";
}

class StableHLO_EnumAttr<EnumAttrInfo info, string mnemonic>
    : EnumAttr<StableHLO_Dialect, info, mnemonic>;

def StableHLO_ComparisonDirection : StableHLO_Enum<"ComparisonDirection",
  "which relation a comparison tests", [
    I32EnumAttrCase<"EQ", 0>, I32EnumAttrCase<"NE", 1>, I32EnumAttrCase<"GE", 2>,
    I32EnumAttrCase<"GT", 3>, I32EnumAttrCase<"LE", 4>, I32EnumAttrCase<"LT", 5>]>;
def StableHLO_ComparisonDirectionAttr
    : StableHLO_EnumAttr<StableHLO_ComparisonDirection, "comparison_direction">;

def StableHLO_ComparisonType : StableHLO_Enum<"ComparisonType",
  "how a comparison reads its operands", [
    I32EnumAttrCase<"NOTYPE", 0>, I32EnumAttrCase<"FLOAT", 1>, I32EnumAttrCase<"TOTALORDER", 2>,
    I32EnumAttrCase<"SIGNED", 3>, I32EnumAttrCase<"UNSIGNED", 4>]>;
def StableHLO_ComparisonTypeAttr
    : StableHLO_EnumAttr<StableHLO_ComparisonType, "comparison_type">;

def StableHLO_Precision : StableHLO_Enum<"Precision",
  "how precisely an operand of a product is read", [
    I32EnumAttrCase<"DEFAULT", 0>, I32EnumAttrCase<"HIGH", 1>, I32EnumAttrCase<"HIGHEST", 2>]>;
def StableHLO_PrecisionAttr : StableHLO_EnumAttr<StableHLO_Precision, "precision">;
def StableHLO_PrecisionConfigAttr
    : TypedArrayAttrBase<StableHLO_PrecisionAttr, "one precision per operand">;

def StableHLO_ResultAccuracyMode : StableHLO_Enum<"ResultAccuracyMode",
  "how accurate a transcendental function has to be", [
    I32EnumAttrCase<"DEFAULT", 0>, I32EnumAttrCase<"HIGHEST", 1>,
    I32EnumAttrCase<"TOLERANCE", 2>]>;
def StableHLO_ResultAccuracyModeAttr
    : StableHLO_EnumAttr<StableHLO_ResultAccuracyMode, "result_accuracy_mode"> {
  let assemblyFormat = "`<` $value `>`";
}

def StableHLO_FftType : StableHLO_Enum<"FftType", "which Fourier transform", [
    I32EnumAttrCase<"FFT", 0>, I32EnumAttrCase<"IFFT", 1>, I32EnumAttrCase<"RFFT", 2>,
    I32EnumAttrCase<"IRFFT", 3>]>;
def StableHLO_FftTypeAttr : StableHLO_EnumAttr<StableHLO_FftType, "fft_type">;

def StableHLO_Transpose : StableHLO_Enum<"Transpose", "how a matrix operand is read", [
    I32EnumAttrCase<"TRANSPOSE_INVALID", 0>, I32EnumAttrCase<"NO_TRANSPOSE", 1>,
    I32EnumAttrCase<"TRANSPOSE", 2>, I32EnumAttrCase<"ADJOINT", 3>]>;
def StableHLO_TransposeAttr : StableHLO_EnumAttr<StableHLO_Transpose, "transpose">;

def StableHLO_RngDistribution : StableHLO_Enum<"RngDistribution", "distribution of random numbers", [
    I32EnumAttrCase<"UNIFORM", 1>, I32EnumAttrCase<"NORMAL", 2>]>;
def StableHLO_RngDistributionAttr
    : StableHLO_EnumAttr<StableHLO_RngDistribution, "rng_distribution">;

def StableHLO_RngAlgorithm : StableHLO_Enum<"RngAlgorithm", "generator of random bits", [
    I32EnumAttrCase<"DEFAULT", 0>, I32EnumAttrCase<"THREE_FRY", 1>,
    I32EnumAttrCase<"PHILOX", 2>]>;
def StableHLO_RngAlgorithmAttr : StableHLO_EnumAttr<StableHLO_RngAlgorithm, "rng_algorithm">;

// Stored as a plain i32 attribute: `api_version = 2 : i32`.
def StableHLO_CustomCallApiVersionAttr : I32EnumAttr<"CustomCallApiVersion",
  "calling convention of a custom call", [
    I32EnumAttrCase<"API_VERSION_UNSPECIFIED", 0>, I32EnumAttrCase<"API_VERSION_ORIGINAL", 1>,
    I32EnumAttrCase<"API_VERSION_STATUS_RETURNING", 2>,
    I32EnumAttrCase<"API_VERSION_STATUS_RETURNING_UNIFIED", 3>,
    I32EnumAttrCase<"API_VERSION_TYPED_FFI", 4>]> {
  let cppNamespace = "::forge::stablehlo";
}

#endif
