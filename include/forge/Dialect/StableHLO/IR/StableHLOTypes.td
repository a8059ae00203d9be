// The token type, and the type constraints of operands and results.
#ifndef FORGE_STABLEHLO_TYPES_TD
#define FORGE_STABLEHLO_TYPES_TD

include "mlir/IR/AttrTypeBase.td"
include "forge/Dialect/StableHLO/IR/StableHLODialect.td"

def StableHLO_Token : TypeDef<StableHLO_Dialect, "Token"> {
  let mnemonic = "token";
  let summary = "orders side effects: an op that takes a token runs after the op that made it";
}

// Element types.

def StableHLO_Pred : TypeAlias<I1, "boolean">;
def StableHLO_SInt : SignlessIntOfWidths<[2, 4, 8, 16, 32, 64]>;
def StableHLO_UInt : UnsignedIntOfWidths<[2, 4, 8, 16, 32, 64]>;
def StableHLO_Int : AnyTypeOf<[StableHLO_SInt, StableHLO_UInt], "2/4/8/16/32/64-bit integer">;
def StableHLO_Float : AnyTypeOf<[F64, F32, F16, BF16, F8E4M3FN, F8E5M2],
                         "f64, f32, f16, bf16, f8E4M3FN or f8E5M2">;

// Element types that Forge has no support for (quantized, other widths), and those with support by some operations
// only (complex, floats that are only stored), pass the constraints below: the trait SupportedTypes, which every op has, refuses them in words of its own.
def StableHLO_Unsupported : Type<
  CPred<"!::forge::stablehlo::isSupportedElementType($_self)">, "unsupported element type">;

class StableHLO_TensorOf<list<Type> elements, string description, list<Pred> shape = []> :
    Type<And<[IsRankedTensorTypePred,
              Concat<"[](::mlir::Type elementType) { return ",
                     SubstLeaves<"$_self", "elementType",
                                 Or<!foreach(t, elements # [StableHLO_Unsupported], t.predicate)>>,
                     "; }(::llvm::cast<::mlir::ShapedType>($_self).getElementType())">]
             # shape>,
         description, "::mlir::RankedTensorType">;

def StableHLO_Tensor : StableHLO_TensorOf<[StableHLO_Pred, StableHLO_Int, StableHLO_Float],
                            "ranked tensor of boolean, integer or float values">;
def StableHLO_IntOrFloatTensor : StableHLO_TensorOf<[StableHLO_Int, StableHLO_Float],
                                      "ranked tensor of integer or float values">;
def StableHLO_SIntOrFloatTensor : StableHLO_TensorOf<[StableHLO_SInt, StableHLO_Float],
                                       "ranked tensor of signed integer or float values">;
def StableHLO_PredOrIntTensor : StableHLO_TensorOf<[StableHLO_Pred, StableHLO_Int],
                                     "ranked tensor of boolean or integer values">;
def StableHLO_IntTensor : StableHLO_TensorOf<[StableHLO_Int], "ranked tensor of integer values">;
def StableHLO_FloatTensor : StableHLO_TensorOf<[StableHLO_Float], "ranked tensor of float values">;
def StableHLO_PredTensor : StableHLO_TensorOf<[StableHLO_Pred], "ranked tensor of boolean values">;
def StableHLO_I32Tensor : StableHLO_TensorOf<[I32], "ranked tensor of i32 values">;

def StableHLO_StaticTensor : StableHLO_TensorOf<[StableHLO_Pred, StableHLO_Int, StableHLO_Float],
    "statically shaped tensor of boolean, integer or float values", [HasStaticShapePred]>;
def StableHLO_StaticIntOrFloatTensor : StableHLO_TensorOf<[StableHLO_Int, StableHLO_Float],
    "statically shaped tensor of integer or float values", [HasStaticShapePred]>;

def StableHLO_ScalarTensor : StableHLO_TensorOf<[StableHLO_Pred, StableHLO_Int, StableHLO_Float],
    "tensor of rank 0 of a boolean, integer or float value", [HasAnyRankOfPred<[0]>]>;
def StableHLO_ScalarIntTensor : StableHLO_TensorOf<[StableHLO_Int],
    "tensor of rank 0 of an integer value", [HasAnyRankOfPred<[0]>]>;
def StableHLO_ScalarI32Tensor : StableHLO_TensorOf<[I32], "tensor of rank 0 of an i32 value", [HasAnyRankOfPred<[0]>]>;
def StableHLO_ScalarPredTensor : StableHLO_TensorOf<[StableHLO_Pred], "tensor of rank 0 of a boolean value", [HasAnyRankOfPred<[0]>]>;

// A shape, or one number per dimension, known at run time.
def StableHLO_DimensionTensor : StableHLO_TensorOf<[Index, StableHLO_Int],
    "statically shaped tensor of rank 1 of index or integer values",
    [HasStaticShapePred, HasAnyRankOfPred<[1]>]>;

def StableHLO_Tuple : Type<CPred<"::llvm::isa<::mlir::TupleType>($_self)">, "tuple", "::mlir::TupleType">;
def StableHLO_TensorOrToken : AnyTypeOf<[StableHLO_Tensor, StableHLO_Token], "ranked tensor or token">;
def StableHLO_Value : AnyTypeOf<[StableHLO_Tensor, StableHLO_Token, StableHLO_Tuple], "ranked tensor, token or tuple">;

#endif
