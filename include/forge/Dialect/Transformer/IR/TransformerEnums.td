// Enumerations of the transformer dialect.
#ifndef FORGE_DIALECT_TRANSFORMER_ENUMS_TD
#define FORGE_DIALECT_TRANSFORMER_ENUMS_TD

include "forge/Dialect/Transformer/IR/TransformerDialect.td"
include "mlir/IR/EnumAttr.td"

def Transformer_ActivationKind : I32EnumAttr<"ActivationKind", "an activation function", [
    I32EnumAttrCase<"Relu", 0, "relu">,
    I32EnumAttrCase<"ReluSquared", 1, "relu_squared">,
    I32EnumAttrCase<"Gelu", 2, "gelu">,
    I32EnumAttrCase<"GeluTanh", 3, "gelu_tanh">,
    I32EnumAttrCase<"Silu", 4, "silu">,
    I32EnumAttrCase<"Sigmoid", 5, "sigmoid">,
    I32EnumAttrCase<"Tanh", 6, "tanh">]> {
  let cppNamespace = "::forge::transformer";
  let genSpecializedAttr = 0;
}

def Transformer_ActivationAttr
    : EnumAttr<Transformer_Dialect, Transformer_ActivationKind, "activation"> {
  let assemblyFormat = "`<` $value `>`";
}

#endif // FORGE_DIALECT_TRANSFORMER_ENUMS_TD
