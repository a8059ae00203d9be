// What every family of transformer operations starts from.
#ifndef FORGE_DIALECT_TRANSFORMER_BASE_TD
#define FORGE_DIALECT_TRANSFORMER_BASE_TD

include "forge/Dialect/Transformer/IR/TransformerDialect.td"
include "forge/Dialect/Transformer/IR/TransformerEnums.td"
include "forge/Dialect/Transformer/IR/TransformerInterfaces.td"
include "mlir/IR/OpBase.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def Transformer_I4 : I<4>;

// Element types that activations have.
def Transformer_Float : AnyTypeOf<[F64, F32, F16, BF16]>;
// Element types that values are stored in to save memory; they stand for numbers with a scale.
def Transformer_Narrow : AnyTypeOf<[Transformer_I4, I8, F8E4M3FN, F8E5M2]>;
// Those of them that are floats.
def Transformer_NarrowFloat : AnyTypeOf<[F8E4M3FN, F8E5M2]>;
// Element types of the factors of a product, and of its result.
def Transformer_Factor : AnyTypeOf<[F64, F32, F16, BF16, F8E4M3FN, F8E5M2, I8]>;
def Transformer_Product : AnyTypeOf<[F64, F32, F16, BF16, I32]>;
// Element types that weights of a linear layer are stored in.
def Transformer_Weight : AnyTypeOf<[F64, F32, F16, BF16, Transformer_I4, I8, F8E4M3FN, F8E5M2]>;

// A tensor of these elements, as documentation and diagnostics name it.
class Transformer_TensorOf<list<Type> elements, string names>
    : Type<RankedTensorOf<elements>.predicate, "tensor of " # names, "::mlir::RankedTensorType">;

def Transformer_FloatTensor : Transformer_TensorOf<[Transformer_Float], "f64, f32, f16 or bf16">;
def Transformer_NarrowTensor : Transformer_TensorOf<[Transformer_Narrow], "i4, i8, f8E4M3FN or f8E5M2">;
def Transformer_NarrowFloatTensor : Transformer_TensorOf<[Transformer_NarrowFloat], "f8E4M3FN or f8E5M2">;
def Transformer_LinearInputTensor : Transformer_TensorOf<[Transformer_Float, Transformer_NarrowFloat],
    "f64, f32, f16, bf16, f8E4M3FN or f8E5M2">;
def Transformer_FactorTensor : Transformer_TensorOf<[Transformer_Factor],
    "f64, f32, f16, bf16, f8E4M3FN, f8E5M2 or i8">;
def Transformer_ProductTensor : Transformer_TensorOf<[Transformer_Product], "f64, f32, f16, bf16 or i32">;
def Transformer_WeightTensor : Transformer_TensorOf<[Transformer_Weight], "f64, f32, f16, bf16, f8E4M3FN, f8E5M2, i8 or i4">;
def Transformer_ZeroPointTensor : Transformer_TensorOf<[Transformer_I4, I8], "i4 or i8">;
def Transformer_IndexTensor : Transformer_TensorOf<[I32, I64], "i32 or i64">;
def Transformer_MaskTensor : Transformer_TensorOf<[I1, Transformer_Float], "i1, f64, f32, f16 or bf16">;

// An operand or result with a sentence of its own, shape included, for the reference pages and diagnostics. (What Arg
// and Res are told is in neither.)
class Transformer_Described<Type type, string text> : Type<type.predicate, text # ": " # type.summary, type.cppType>;

// The same for an attribute.
class Transformer_DescribedAttr<Attr attr, string text> : Attr<attr.predicate, text # ": " # attr.summary> {
  let storageType = attr.storageType;
  let returnType = attr.returnType;
  let convertFromStorage = attr.convertFromStorage;
  let constBuilderCall = attr.constBuilderCall;
  let defaultValue = attr.defaultValue;
  let valueType = attr.valueType;
  let isOptional = attr.isOptional;
  let baseAttr = attr;
}

// The type in which an operation holds sums and computes its formula. Absent, it is f32, f64 for f64 operands, i32 for
// integer ones. See checkAccumulation for what may be asked for.
def Transformer_Accumulate : OptionalAttr<Transformer_DescribedAttr<TypeAttrBase<"::mlir::Type", "f32, f64 or i32">,
    "type that sums are held in; the default is given under Accumulation">>;

def Transformer_ReifyShapes : DeclareOpInterfaceMethods<ReifyRankedShapedTypeOpInterface, ["reifyResultShapes"]>;
// For operations with a Transformer_Accumulate named `accumulate`: both methods are written in C++.
def Transformer_Accumulates
    : DeclareOpInterfaceMethods<Transformer_AccumulationInterface, ["getAccumulationType", "getReductionLength"]>;

// Misspelled attributes are errors.
def Transformer_KnownAttributes : NativeOpTrait<"KnownAttributes"> {
  let cppNamespace = "::forge::transformer";
}

// Operands of better known sizes, hidden by tensor.cast, are taken as they are, and the results' sizes follow from them: for
// operations whose operands need not have equal types.
def Transformer_FoldsCasts : NativeOpTrait<"FoldsCasts"> {
  let cppNamespace = "::forge::transformer";
}

class Transformer_Op<string mnemonic, list<Trait> traits = []>
    : Op<Transformer_Dialect, mnemonic, [Pure, Transformer_KnownAttributes, Transformer_ReifyShapes] # traits>;

// One tensor in, one of the same type out.
class Transformer_SameTypeOp<string mnemonic, list<Trait> traits = []>
    : Transformer_Op<mnemonic, [AllTypesMatch<["input", "result"]>, Transformer_FoldsCasts] # traits>;

#endif // FORGE_DIALECT_TRANSFORMER_BASE_TD
