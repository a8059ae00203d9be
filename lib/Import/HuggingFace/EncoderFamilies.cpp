// Families of encoders.
#include "FamilyKeys.h"

using namespace forge;
using namespace forge::huggingface;
using namespace forge::transformer;

/// What is computed of the hidden states is the model's class.
static void setHead(Config &config, EncoderConfig &model) {
  std::string name = config.firstText("architectures", "BertModel");
  if (name == "BertForMaskedLM") {
    model.head = EncoderHead::Token;
    config.require("tie_word_embeddings", true);
  } else if (name == "BertForSequenceClassification") {
    model.head = EncoderHead::Sequence;
    // Two labels have no names.
    model.labels = config.count("id2label", 2);
  } else if (name != "BertModel") {
    config.fail("architectures", "BertModel, BertForMaskedLM or BertForSequenceClassification");
  }
}

EncoderConfig huggingface::bert(Config &config, mlir::MLIRContext *) {
  EncoderConfig model;
  model.layers = config.layers("num_hidden_layers");
  model.vocabulary = config.size("vocab_size");
  model.positions = config.size("max_position_embeddings");
  model.tokenTypes = config.size("type_vocab_size", 2);
  model.hidden = config.size("hidden_size");
  model.heads = config.size("num_attention_heads");
  if (model.hidden % model.heads != 0)
    config.fail("num_attention_heads",
                "a divisor of the hidden_size " + std::to_string(model.hidden));
  model.intermediate = config.size("intermediate_size");
  model.normEpsilon = config.epsilon("layer_norm_eps", 1e-12);
  model.activation = config.activation("hidden_act", "gelu");
  config.require("is_decoder", false);
  config.require("add_cross_attention", false);
  if (config.text("position_embedding_type", "absolute") != "absolute")
    config.fail("position_embedding_type", "absolute");
  setHead(config, model);
  return model;
}

ImageEncoderConfig huggingface::vit(Config &config, mlir::MLIRContext *) {
  ImageEncoderConfig model;
  model.layers = config.layers("num_hidden_layers");
  model.hidden = config.size("hidden_size");
  model.heads = config.size("num_attention_heads");
  if (model.hidden % model.heads != 0)
    config.fail("num_attention_heads",
                "a divisor of the hidden_size " + std::to_string(model.hidden));
  model.intermediate = config.size("intermediate_size");
  model.imageSize = config.size("image_size", 224);
  model.patchSize = config.size("patch_size", 16);
  model.channels = config.size("num_channels", 3);
  constexpr int64_t most = 65536; // Elements of a patch are counted in 64 bits.
  for (auto [key, size] :
       {std::pair("image_size", model.imageSize), std::pair("num_channels", model.channels)})
    if (size > most)
      config.fail(key, "at most " + std::to_string(most));
  if (model.imageSize % model.patchSize != 0)
    config.fail("patch_size", "a divisor of the image_size " + std::to_string(model.imageSize));
  model.normEpsilon = config.epsilon("layer_norm_eps", 1e-12);
  model.activation = config.activation("hidden_act", "gelu");
  model.inputBiases = config.flag("qkv_bias", true);
  if (config.size("pooler_output_size", model.hidden) != model.hidden)
    config.fail("pooler_output_size", "the hidden_size " + std::to_string(model.hidden));
  if (config.text("pooler_act", "tanh") != "tanh")
    config.fail("pooler_act", "tanh");
  std::string name = config.firstText("architectures", "ViTModel");
  if (name == "ViTForImageClassification")
    model.labels = config.count("id2label", 2);
  else if (name != "ViTModel")
    config.fail("architectures", "ViTModel or ViTForImageClassification");
  return model;
}
