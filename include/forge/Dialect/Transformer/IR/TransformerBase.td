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
// Element types of the factors of a product, and of its result.
def Transformer_Factor : AnyTypeOf<[F64, F32, F16, BF16, F8E4M3FN, F8E5M2, I8]>;
def Transformer_Product : AnyTypeOf<[F64, F32, F16, BF16, I32]>;
// Element types that weights of a linear layer are stored in.
def Transformer_Weight : AnyTypeOf<[F64, F32, F16, BF16, Transformer_I4, I8, F8E4M3FN, F8E5M2]>;

def Transformer_FloatTensor : RankedTensorOf<[Transformer_Float]>;
def Transformer_NarrowTensor : RankedTensorOf<[Transformer_Narrow]>;
def Transformer_FactorTensor : RankedTensorOf<[Transformer_Factor]>;
def Transformer_ProductTensor : RankedTensorOf<[Transformer_Product]>;
def Transformer_WeightTensor : RankedTensorOf<[Transformer_Weight]>;
def Transformer_ZeroPointTensor : RankedTensorOf<[Transformer_I4, I8]>;
def Transformer_IndexTensor : RankedTensorOf<[I32, I64]>;
def Transformer_MaskTensor : RankedTensorOf<[I1, Transformer_Float]>;

// The type in which an operation holds sums and computes its formula. Absent, it is f32, f64 for f64 operands, i32 for
// integer ones. See checkAccumulation for what may be asked for.
def Transformer_Accumulate : OptionalAttr<TypeAttrBase<"::mlir::Type", "the type that sums are held in">>;

def Transformer_ReifyShapes : DeclareOpInterfaceMethods<ReifyRankedShapedTypeOpInterface, ["reifyResultShapes"]>;
// For operations with a Transformer_Accumulate named `accumulate`: both methods are written in C++.
def Transformer_Accumulates
    : DeclareOpInterfaceMethods<Transformer_AccumulationInterface, ["getAccumulationType", "getReductionLength"]>;

class Transformer_Op<string mnemonic, list<Trait> traits = []>
    : Op<Transformer_Dialect, mnemonic, [Pure, Transformer_ReifyShapes] # traits>;

// One tensor in, one of the same type out.
class Transformer_SameTypeOp<string mnemonic, list<Trait> traits = []>
    : Transformer_Op<mnemonic, [AllTypesMatch<["input", "result"]>] # traits>;

#endif // FORGE_DIALECT_TRANSFORMER_BASE_TD
