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

def Transformer_LossReduction : I32EnumAttr<"LossReduction", "what becomes of the losses of rows", [
    I32EnumAttrCase<"None", 0, "none">,
    I32EnumAttrCase<"Mean", 1, "mean">,
    I32EnumAttrCase<"Sum", 2, "sum">]> {
  let cppNamespace = "::forge::transformer";
  let genSpecializedAttr = 0;
}

def Transformer_LossReductionAttr
    : EnumAttr<Transformer_Dialect, Transformer_LossReduction, "loss_reduction"> {
  let assemblyFormat = "`<` $value `>`";
}

def Transformer_RouterScore : I32EnumAttr<"RouterScore", "how logits of experts become scores", [
    I32EnumAttrCase<"Softmax", 0, "softmax">,
    I32EnumAttrCase<"Sigmoid", 1, "sigmoid">]> {
  let cppNamespace = "::forge::transformer";
  let genSpecializedAttr = 0;
}

def Transformer_RouterScoreAttr
    : EnumAttr<Transformer_Dialect, Transformer_RouterScore, "router_score"> {
  let assemblyFormat = "`<` $value `>`";
}

def Transformer_GroupScore : I32EnumAttr<"GroupScore", "how a group of experts is scored", [
    I32EnumAttrCase<"Max", 0, "max">,
    I32EnumAttrCase<"Top2", 1, "top2">]> {
  let cppNamespace = "::forge::transformer";
  let genSpecializedAttr = 0;
}

def Transformer_GroupScoreAttr
    : EnumAttr<Transformer_Dialect, Transformer_GroupScore, "group_score"> {
  let assemblyFormat = "`<` $value `>`";
}

#endif // FORGE_DIALECT_TRANSFORMER_ENUMS_TD
