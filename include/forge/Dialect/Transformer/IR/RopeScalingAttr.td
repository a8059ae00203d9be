// How the frequencies of rotary positions are stretched to longer contexts.
#ifndef FORGE_DIALECT_TRANSFORMER_ROPESCALINGATTR_TD
#define FORGE_DIALECT_TRANSFORMER_ROPESCALINGATTR_TD

include "forge/Dialect/Transformer/IR/TransformerDialect.td"
include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/EnumAttr.td"

def Transformer_RopeScalingKind : I32EnumAttr<"RopeScalingKind", "a rule that stretches frequencies", [
    I32EnumAttrCase<"Linear", 0, "linear">,
    I32EnumAttrCase<"Dynamic", 1, "dynamic">,
    I32EnumAttrCase<"Yarn", 2, "yarn">,
    I32EnumAttrCase<"Llama3", 3, "llama3">]> {
  let cppNamespace = "::forge::transformer";
  let genSpecializedAttr = 0;
}

def Transformer_RopeScalingAttr : AttrDef<Transformer_Dialect, "RopeScaling"> {
  let mnemonic = "rope_scaling";
  let summary = "a rule that stretches the frequencies of transformer.rope, with its parameters";
  let description = [{
    `#transformer.rope_scaling<yarn, factor = 4.0, original_length = 4096>`. Parameters, all optional but `factor` (and
    `original_length`, except for linear):

    | name | of | default |
    |---|---|---|
    | `factor` | all | |
    | `original_length` | dynamic, yarn, llama3 | |
    | `beta_fast`, `beta_slow` | yarn | 32, 1 |
    | `attention_factor` | yarn | 0.1 * log(factor) + 1, and 1 for a factor up to 1 |
    | `low_frequency_factor`, `high_frequency_factor` | llama3 | 1, 4 |

    Constraints: every parameter is given once, to a rule that reads it; it is finite and above 0; `high_frequency_factor` is above `low_frequency_factor`;
    `factor` is 1 or more for dynamic.
  }];
  let parameters = (ins
    EnumParameter<Transformer_RopeScalingKind>:$kind,
    APFloatParameter<"how many times longer contexts become">:$factor,
    DefaultValuedParameter<"int64_t", "0", "context that the model was trained for, in tokens">:$originalLength,
    APFloatParameter<"turns in that context above which a frequency stays">:$betaFast,
    APFloatParameter<"turns below which it is divided by the factor">:$betaSlow,
    APFloatParameter<"what rotated elements are multiplied with">:$attentionFactor,
    APFloatParameter<"turns below which it is divided by the factor">:$lowFrequencyFactor,
    APFloatParameter<"turns above which a frequency stays">:$highFrequencyFactor);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
}

#endif // FORGE_DIALECT_TRANSFORMER_ROPESCALINGATTR_TD
