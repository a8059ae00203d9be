// What every family of transformer operations starts from.
#ifndef FORGE_DIALECT_TRANSFORMER_BASE_TD
#define FORGE_DIALECT_TRANSFORMER_BASE_TD

include "forge/Dialect/Transformer/IR/TransformerDialect.td"
include "forge/Dialect/Transformer/IR/TransformerEnums.td"
include "mlir/IR/OpBase.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

// Element types that activations and weights have.
def Transformer_Float : AnyTypeOf<[F64, F32, F16, BF16]>;
def Transformer_FloatTensor : RankedTensorOf<[Transformer_Float]>;
def Transformer_IndexTensor : RankedTensorOf<[I32, I64]>;
def Transformer_MaskTensor : RankedTensorOf<[I1, Transformer_Float]>;

def Transformer_ReifyShapes : DeclareOpInterfaceMethods<ReifyRankedShapedTypeOpInterface, ["reifyResultShapes"]>;

class Transformer_Op<string mnemonic, list<Trait> traits = []>
    : Op<Transformer_Dialect, mnemonic, [Pure, Transformer_ReifyShapes] # traits>;

// One tensor in, one of the same type out.
class Transformer_SameTypeOp<string mnemonic, list<Trait> traits = []>
    : Transformer_Op<mnemonic, [AllTypesMatch<["input", "result"]>] # traits>;

#endif // FORGE_DIALECT_TRANSFORMER_BASE_TD
