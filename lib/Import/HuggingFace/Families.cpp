#include "Families.h"

#include "FamilyKeys.h"

#include <cmath>

using namespace forge;
using namespace forge::huggingface;
using namespace forge::transformer;

DecoderConfig huggingface::sizes(Config &config, const SizeKeys &keys) {
  DecoderConfig model;
  model.layers = config.layers(keys.layers);
  model.vocabulary = config.size("vocab_size");
  model.hidden = config.size(keys.hidden);
  model.heads = config.size(keys.heads);
  model.kvHeads = config.size("num_key_value_heads", model.heads);
  if (model.heads % model.kvHeads != 0)
    config.fail("num_key_value_heads",
                "a divisor of the " + std::to_string(model.heads) + " " + keys.heads);
  if (!config.has("head_dim") && model.hidden % model.heads != 0)
    config.fail(keys.heads, "a divisor of the " + std::string(keys.hidden) + " " +
                                std::to_string(model.hidden) + " without a head_dim");
  model.headDim = config.size("head_dim", std::max<int64_t>(model.hidden / model.heads, 1));
  if (model.heads * model.headDim > INT32_MAX)
    config.fail(config.has("head_dim") ? "head_dim" : keys.heads,
                "at most 2^31 - 1 elements in all heads");
  model.intermediate =
      config.size(keys.intermediate, std::min<int64_t>(4 * model.hidden, INT32_MAX));
  // Where nothing depends on it, it is still a size.
  if (config.has("max_position_embeddings"))
    (void)config.size("max_position_embeddings");
  return model;
}

DecoderConfig huggingface::llama(Config &config, mlir::MLIRContext *context) {
  DecoderConfig model = sizes(config);
  (void)config.size("intermediate_size");
  model.tiedEmbeddings = config.flag("tie_word_embeddings", false);
  model.normEpsilon = config.epsilon("rms_norm_eps", 1e-6);
  model.activation = config.activation("hidden_act", "silu");
  model.rope = config.rope(context, model.headDim);
  model.inputBiases = model.outputBias = config.flag("attention_bias", false);
  model.feedForwardBiases = config.flag("mlp_bias", false);
  return model;
}

void huggingface::setWindows(Config &config, DecoderConfig &model, int64_t size,
                             llvm::function_ref<bool(int64_t)> otherwise) {
  std::optional<std::vector<bool>> given = config.slidingLayers(model.layers);
  if (!config.error().empty())
    return;
  for (int64_t layer = 0; layer < model.layers; ++layer) {
    bool slides = given ? (*given)[static_cast<size_t>(layer)] : otherwise(layer);
    model.windows.push_back(slides ? std::optional(size) : std::nullopt);
  }
}

/// Every layer slides, unless sliding_window is null.
static void setWindow(Config &config, DecoderConfig &model) {
  if (config.has("sliding_window"))
    model.window = config.size("sliding_window");
}

DecoderConfig huggingface::mistral(Config &config, mlir::MLIRContext *context) {
  DecoderConfig model = llama(config, context);
  setWindow(config, model);
  return model;
}

/// Layers from max_window_layers on slide, where use_sliding_window asks for it.
static DecoderConfig qwen(Config &config, mlir::MLIRContext *context) {
  DecoderConfig model = llama(config, context);
  if (!config.flag("use_sliding_window", false))
    return model;
  // All layers are below a missing one.
  int64_t first = config.natural("max_window_layers").value_or(model.layers);
  setWindows(config, model, config.size("sliding_window"),
             [&](int64_t layer) { return layer >= first; });
  return model;
}

static DecoderConfig qwen2(Config &config, mlir::MLIRContext *context) {
  DecoderConfig model = qwen(config, context);
  model.inputBiases = true;
  model.outputBias = false;
  return model;
}

DecoderConfig huggingface::qwen3(Config &config, mlir::MLIRContext *context) {
  DecoderConfig model = qwen(config, context);
  model.queryKeyNorm = QueryKeyNorm::Head;
  return model;
}

/// What Gemma 2 and 3 share.
static DecoderConfig gemma(Config &config, mlir::MLIRContext *context) {
  DecoderConfig model = llama(config, context);
  model.tiedEmbeddings = config.flag("tie_word_embeddings", true);
  model.embeddingScale = std::sqrt(static_cast<double>(model.hidden));
  model.logitsSoftCap = config.positive("final_logit_softcapping");
  model.activation = config.activation("hidden_activation", "gelu_pytorch_tanh");
  model.unitOffset = model.normsBehind = true;
  model.names.attentionResultNorm = "post_attention_layernorm";
  model.names.feedForwardNorm = "pre_feedforward_layernorm";
  model.names.feedForwardResultNorm = "post_feedforward_layernorm";
  if (std::optional<double> scalar = config.positive("query_pre_attn_scalar"))
    model.scale = 1 / std::sqrt(*scalar);
  else
    config.fail("query_pre_attn_scalar", "a number above 0");
  return model;
}

static DecoderConfig gemma2(Config &config, mlir::MLIRContext *context) {
  DecoderConfig model = gemma(config, context);
  model.softCap = config.positive("attn_logit_softcapping");
  // Every other layer slides, the first one too.
  setWindows(config, model, config.size("sliding_window"),
             [](int64_t layer) { return layer % 2 == 0; });
  return model;
}

/// Layers that slide have a rope of their own. transformers applies no attn_logit_softcapping.
static DecoderConfig gemma3(Config &config, mlir::MLIRContext *context) {
  DecoderConfig model = gemma(config, context);
  model.queryKeyNorm = QueryKeyNorm::Head;
  config.require("use_bidirectional_attention", false);
  int64_t pattern = config.size("sliding_window_pattern", 6);
  setWindows(config, model, config.size("sliding_window"),
             [&](int64_t layer) { return (layer + 1) % pattern != 0; });
  RopeBuildOptions global = config.rope(context, model.headDim, "full_attention");
  RopeBuildOptions local = config.rope(context, model.headDim, "sliding_attention");
  for (const std::optional<int64_t> &window : model.windows)
    model.ropes.push_back(window ? local : global);
  return model;
}

/// Norms are of the results alone, and of all queries and keys of a token together.
static DecoderConfig olmo2(Config &config, mlir::MLIRContext *context) {
  DecoderConfig model = llama(config, context);
  model.normsBefore = false;
  model.normsBehind = true;
  model.names.attentionResultNorm = "post_attention_layernorm";
  model.names.feedForwardResultNorm = "post_feedforward_layernorm";
  model.queryKeyNorm = QueryKeyNorm::AllHeads;
  return model;
}

static DecoderConfig granite(Config &config, mlir::MLIRContext *context) {
  DecoderConfig model = llama(config, context);
  model.embeddingScale = config.number("embedding_multiplier", 1.0);
  model.residualScale = config.number("residual_multiplier", 1.0);
  model.scale = config.number("attention_multiplier", 1.0);
  if (std::optional<double> scaling = config.positive("logits_scaling"))
    model.logitScale = 1 / *scaling;
  return model;
}

/// Some layers have no rope: those whose number in no_rope_layers is 0.
static DecoderConfig smollm3(Config &config, mlir::MLIRContext *context) {
  DecoderConfig model = llama(config, context);
  model.tiedEmbeddings = config.flag("tie_word_embeddings", true);
  int64_t interval = config.size("no_rope_layer_interval", 4);
  std::optional<std::vector<bool>> given = config.flags("no_rope_layers", model.layers);
  if (!config.error().empty())
    return model;
  for (int64_t layer = 0; layer < model.layers; ++layer) {
    bool has = given ? (*given)[static_cast<size_t>(layer)] : (layer + 1) % interval != 0;
    model.ropes.push_back(has ? model.rope : std::nullopt);
  }
  if (config.flag("use_sliding_window", false))
    setWindows(config, model, config.size("sliding_window"),
               [&](int64_t layer) { return !model.ropes[static_cast<size_t>(layer)]; });
  return model;
}

/// Queries, keys and values are one product, gate and up another.
static DecoderConfig phi3(Config &config, mlir::MLIRContext *context) {
  DecoderConfig model = llama(config, context);
  model.qkv = QkvLayout::Merged;
  model.names.merged = "self_attn.qkv_proj";
  model.mergedGate = true;
  model.names.mergedGate = "mlp.gate_up_proj";
  model.recomputesLongKeys = true;
  setWindow(config, model);
  return model;
}

/// What decoders with layer norms and biases, as GPT-2 has them, share.
static void setLayerNorms(Config &config, DecoderConfig &model, const char *epsilon) {
  model.layerNorms = model.normBiases = true;
  model.normEpsilon = config.epsilon(epsilon, 1e-5);
}

/// Norms of queries and keys, called q_NAME and k_NAME.
static void setHeadNorms(DecoderConfig &model, QueryKeyNorm norm, const std::string &name) {
  model.queryKeyNorm = norm;
  model.names.queryNorm = "self_attn.q_" + name;
  model.names.keyNorm = "self_attn.k_" + name;
}

static DecoderConfig stablelm(Config &config, mlir::MLIRContext *context) {
  DecoderConfig model = sizes(config);
  setLayerNorms(config, model, "layer_norm_eps");
  model.tiedEmbeddings = config.flag("tie_word_embeddings", false);
  model.activation = config.activation("hidden_act", "silu");
  model.rope = config.rope(context, model.headDim, nullptr, 0.25);
  model.inputBiases = config.flag("use_qkv_bias", false);
  if (config.flag("use_parallel_residual", false))
    model.residuals = Residuals::ParallelShared;
  if (config.flag("qk_layernorm", false))
    setHeadNorms(model, QueryKeyNorm::EachHead, "layernorm.norms.*");
  return model;
}

static DecoderConfig starcoder2(Config &config, mlir::MLIRContext *context) {
  DecoderConfig model = sizes(config);
  setLayerNorms(config, model, "norm_epsilon");
  model.tiedEmbeddings = config.flag("tie_word_embeddings", true);
  model.activation = config.activation("hidden_act", "gelu_pytorch_tanh");
  model.rope = config.rope(context, model.headDim);
  model.inputBiases = model.outputBias = model.feedForwardBiases = config.flag("use_bias", true);
  model.gated = false;
  model.names.up = "mlp.c_fc";
  model.names.down = "mlp.c_proj";
  setWindow(config, model);
  return model;
}

static DecoderConfig phi(Config &config, mlir::MLIRContext *context) {
  DecoderConfig model = sizes(config);
  setLayerNorms(config, model, "layer_norm_eps");
  model.tiedEmbeddings = config.flag("tie_word_embeddings", false);
  model.activation = config.activation("hidden_act", "gelu_new");
  model.rope = config.rope(context, model.headDim, nullptr, 0.5);
  model.residuals = Residuals::ParallelShared;
  model.inputBiases = model.outputBias = model.feedForwardBiases = model.headBias = true;
  model.gated = false;
  model.names.output = "self_attn.dense";
  model.names.up = "mlp.fc1";
  model.names.down = "mlp.fc2";
  model.names.norm = "model.final_layernorm";
  if (config.flag("qk_layernorm", false))
    setHeadNorms(model, QueryKeyNorm::Head, "layernorm");
  return model;
}

static DecoderConfig gptNeox(Config &config, mlir::MLIRContext *context) {
  DecoderConfig model = sizes(config);
  model.kvHeads = model.heads;
  setLayerNorms(config, model, "layer_norm_eps");
  model.tiedEmbeddings = config.flag("tie_word_embeddings", false);
  model.activation = config.activation("hidden_act", "gelu");
  model.rope = config.rope(context, model.headDim, nullptr, 0.25);
  model.qkv = QkvLayout::ByHead;
  if (config.flag("use_parallel_residual", true))
    model.residuals = Residuals::Parallel;
  model.inputBiases = model.outputBias = config.flag("attention_bias", true);
  model.feedForwardBiases = true;
  model.gated = false;
  DecoderNames &names = model.names;
  names.embedding = "gpt_neox.embed_in";
  names.layer = "gpt_neox.layers.";
  names.norm = "gpt_neox.final_layer_norm";
  names.head = "embed_out";
  names.merged = "attention.query_key_value";
  names.output = "attention.dense";
  names.up = "mlp.dense_h_to_4h";
  names.down = "mlp.dense_4h_to_h";
  return model;
}

/// Norms have no bias; rope turns neighbours.
static DecoderConfig cohere(Config &config, mlir::MLIRContext *context) {
  DecoderConfig model = sizes(config);
  model.layerNorms = true;
  model.normEpsilon = config.epsilon("layer_norm_eps", 1e-5);
  model.tiedEmbeddings = config.flag("tie_word_embeddings", true);
  model.activation = config.activation("hidden_act", "silu");
  model.rope = config.rope(context, model.headDim);
  model.rope->interleaved = true;
  model.residuals = Residuals::ParallelShared;
  model.inputBiases = model.outputBias = config.flag("attention_bias", false);
  model.logitScale = config.number("logit_scale", 0.0625);
  if (config.flag("use_qk_norm", false))
    setHeadNorms(model, QueryKeyNorm::EachHead, "norm");
  return model;
}

/// The first two learned positions are no token's.
static DecoderConfig opt(Config &config, mlir::MLIRContext *) {
  SizeKeys keys;
  keys.intermediate = "ffn_dim";
  DecoderConfig model = sizes(config, keys);
  model.kvHeads = model.heads;
  model.layerNorms = model.normBiases = true;
  model.tiedEmbeddings = config.flag("tie_word_embeddings", true);
  model.activation = config.activation("activation_function", "relu");
  model.positions = config.size("max_position_embeddings");
  model.positionOffset = 2;
  model.inputBiases = model.outputBias = model.feedForwardBiases = config.flag("enable_bias", true);
  model.gated = false;
  DecoderNames &names = model.names;
  names.embedding = "model.decoder.embed_tokens";
  names.positions = "model.decoder.embed_positions";
  names.layer = "model.decoder.layers.";
  names.norm = "model.decoder.final_layer_norm";
  names.attentionNorm = "self_attn_layer_norm";
  names.feedForwardNorm = "final_layer_norm";
  names.output = "self_attn.out_proj";
  names.up = "fc1";
  names.down = "fc2";
  model.embeddingDim = config.size("word_embed_proj_dim", model.hidden);
  if (model.embeddingDim != model.hidden) {
    names.projectIn = "model.decoder.project_in";
    names.projectOut = "model.decoder.project_out";
  }
  bool before = config.flag("do_layer_norm_before", true);
  model.normsBefore = before;
  model.normsOfSums = !before;
  model.normAtEnd = before && !config.flag("_remove_final_layer_norm", false);
  model.normScales = config.flag("layer_norm_elementwise_affine", true);
  return model;
}

static DecoderConfig gpt2(Config &config, mlir::MLIRContext *) {
  DecoderConfig model = sizes(config, {"n_embd", "n_layer", "n_head", "n_inner"});
  model.kvHeads = model.heads;
  setLayerNorms(config, model, "layer_norm_epsilon");
  model.positions = config.size("n_positions");
  model.activation = config.activation("activation_function", "gelu_new");
  model.layout = WeightLayout::InOut;
  model.qkv = QkvLayout::Merged;
  model.inputBiases = model.outputBias = model.feedForwardBiases = true;
  model.gated = false;
  model.tiedEmbeddings = config.flag("tie_word_embeddings", true);
  if (!config.flag("scale_attn_weights", true))
    model.scale = 1;
  DecoderNames &names = model.names;
  names.embedding = "wte";
  names.positions = "wpe";
  names.layer = "h.";
  names.norm = "ln_f";
  names.attentionNorm = "ln_1";
  names.feedForwardNorm = "ln_2";
  names.merged = "attn.c_attn";
  names.output = "attn.c_proj";
  names.up = "mlp.c_fc";
  names.down = "mlp.c_proj";
  names.optionalPrefix = "transformer.";
  model.scaleByLayer = config.flag("scale_attn_by_inverse_layer_idx", false);
  config.require("add_cross_attention", false);
  return model;
}

/// `describe` as a Family has it.
template <auto describe> static ModelConfig as(Config &config, mlir::MLIRContext *context) {
  return describe(config, context);
}

llvm::ArrayRef<Family> huggingface::allFamilies() {
  static constexpr Family families[] = {{"bert", as<bert>},
                                        {"cohere", as<cohere>},
                                        {"deepseek_v3", as<deepseekV3>},
                                        {"gemma2", as<gemma2>},
                                        {"gemma3_text", as<gemma3>},
                                        {"gpt2", as<gpt2>},
                                        {"gpt_neox", as<gptNeox>},
                                        {"gpt_oss", as<gptOss>},
                                        {"granite", as<granite>},
                                        {"llama", as<llama>},
                                        {"mistral", as<mistral>},
                                        {"mixtral", as<mixtral>},
                                        {"olmo2", as<olmo2>},
                                        {"opt", as<opt>},
                                        {"phi", as<phi>},
                                        {"phi3", as<phi3>},
                                        {"qwen2", as<qwen2>},
                                        {"qwen3", as<qwen3>},
                                        {"qwen3_moe", as<qwen3Moe>},
                                        {"smollm3", as<smollm3>},
                                        {"stablelm", as<stablelm>},
                                        {"starcoder2", as<starcoder2>},
                                        {"vit", as<vit>}};
  return families;
}
