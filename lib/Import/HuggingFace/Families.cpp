#include "Families.h"

#include <cmath>

using namespace forge;
using namespace forge::huggingface;
using namespace forge::transformer;

/// The keys that all decoders with rope, RMS norms and gated feed-forward parts share.
static LlamaModelConfig decoder(Config &config, mlir::MLIRContext *context) {
  LlamaModelConfig model;
  model.layers = config.size("num_hidden_layers");
  model.vocabulary = config.size("vocab_size");
  model.tiedEmbeddings = config.flag("tie_word_embeddings", false);
  LlamaConfig &block = model.block;
  block.hidden = config.size("hidden_size");
  block.heads = config.size("num_attention_heads");
  block.kvHeads = config.size("num_key_value_heads", block.heads);
  if (block.heads % block.kvHeads != 0)
    config.fail("num_key_value_heads",
                "a divisor of the " + std::to_string(block.heads) + " num_attention_heads");
  if (!config.has("head_dim") && block.hidden % block.heads != 0)
    config.fail("num_attention_heads", "a divisor of the hidden_size " +
                                           std::to_string(block.hidden) + " without a head_dim");
  block.headDim = config.size("head_dim", std::max<int64_t>(block.hidden / block.heads, 1));
  block.intermediate = config.size("intermediate_size");
  block.normEpsilon = config.number("rms_norm_eps", 1e-6);
  block.activation = config.activation("hidden_act", "silu");
  block.rope = config.rope(context, block.headDim);
  block.inputBias = block.outputBias = config.flag("attention_bias", false);
  config.require("mlp_bias", false);
  return model;
}

/// Gives the layers that `sliding` is true of the window `size`.
static void setWindows(Config &config, LlamaModelConfig &model, int64_t size,
                       llvm::function_ref<bool(int64_t)> otherwise) {
  std::optional<std::vector<bool>> given = config.slidingLayers(model.layers);
  if (!config.error().empty())
    return;
  for (int64_t layer = 0; layer < model.layers; ++layer) {
    bool slides = given ? (*given)[static_cast<size_t>(layer)] : otherwise(layer);
    model.windows.push_back(slides ? std::optional(size) : std::nullopt);
  }
}

/// Every layer of Mistral slides, unless sliding_window is null.
static ModelConfig mistral(Config &config, mlir::MLIRContext *context) {
  LlamaModelConfig model = decoder(config, context);
  if (config.has("sliding_window"))
    model.block.window = config.size("sliding_window");
  return model;
}

/// Layers from max_window_layers on slide, where use_sliding_window asks for it.
static LlamaModelConfig qwen(Config &config, mlir::MLIRContext *context) {
  LlamaModelConfig model = decoder(config, context);
  if (!config.flag("use_sliding_window", false))
    return model;
  // All layers are below a missing one.
  int64_t first = config.size("max_window_layers", model.layers);
  setWindows(config, model, config.size("sliding_window"),
             [&](int64_t layer) { return layer >= first; });
  return model;
}

static ModelConfig qwen2(Config &config, mlir::MLIRContext *context) {
  LlamaModelConfig model = qwen(config, context);
  model.block.inputBias = true;
  model.block.outputBias = false;
  return model;
}

static ModelConfig qwen3(Config &config, mlir::MLIRContext *context) {
  LlamaModelConfig model = qwen(config, context);
  model.block.headNorms = true;
  return model;
}

static ModelConfig gemma2(Config &config, mlir::MLIRContext *context) {
  LlamaModelConfig model = decoder(config, context);
  model.tiedEmbeddings = config.flag("tie_word_embeddings", true);
  model.embeddingScale = std::sqrt(static_cast<double>(model.block.hidden));
  model.logitsSoftCap = config.positive("final_logit_softcapping");
  LlamaConfig &block = model.block;
  block.activation = config.activation("hidden_activation", "gelu_pytorch_tanh");
  block.unitOffset = block.normsBehind = true;
  block.softCap = config.positive("attn_logit_softcapping");
  if (std::optional<double> scalar = config.positive("query_pre_attn_scalar"))
    block.scale = 1 / std::sqrt(*scalar);
  else
    config.fail("query_pre_attn_scalar", "a number above 0");
  // Every other layer slides, the first one too.
  setWindows(config, model, config.size("sliding_window"),
             [](int64_t layer) { return layer % 2 == 0; });
  return model;
}

static ModelConfig gpt2(Config &config, mlir::MLIRContext *) {
  Gpt2ModelConfig model;
  model.layers = config.size("n_layer");
  model.vocabulary = config.size("vocab_size");
  model.positions = config.size("n_positions");
  Gpt2Config &block = model.block;
  block.hidden = config.size("n_embd");
  block.heads = config.size("n_head");
  if (block.hidden % block.heads != 0)
    config.fail("n_head", "a divisor of the n_embd " + std::to_string(block.hidden));
  block.intermediate = config.size("n_inner", 4 * block.hidden);
  block.normEpsilon = config.number("layer_norm_epsilon", 1e-5);
  block.activation = config.activation("activation_function", "gelu_new");
  block.layout = WeightLayout::InOut;
  config.require("tie_word_embeddings", true);
  config.require("scale_attn_weights", true);
  config.require("scale_attn_by_inverse_layer_idx", false);
  config.require("add_cross_attention", false);
  return model;
}

llvm::ArrayRef<Family> huggingface::allFamilies() {
  static constexpr Family families[] = {
      {"gemma2", gemma2},
      {"gpt2", gpt2},
      {"llama",
       [](Config &config, mlir::MLIRContext *context) -> ModelConfig {
         return decoder(config, context);
       }},
      {"mistral", mistral},
      {"qwen2", qwen2},
      {"qwen3", qwen3}};
  return families;
}
