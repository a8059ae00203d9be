// Families of decoders with experts.
#include "FamilyKeys.h"

#include <cmath>

using namespace forge;
using namespace forge::huggingface;
using namespace forge::transformer;

/// Experts, of which config.json says under `count` how many there are.
static void setExperts(Config &config, DecoderConfig &model, const char *count,
                       const char *intermediate) {
  // A row's choice is compared with the number of each: a constant of as many.
  constexpr int64_t most = 65536;
  model.experts = config.size(count);
  if (model.experts > most) {
    config.fail(count, "at most " + std::to_string(most) + " experts");
    model.experts = 1;
  }
  model.expertsPerToken = config.size("num_experts_per_tok");
  if (model.expertsPerToken > model.experts)
    config.fail("num_experts_per_tok",
                "at most the " + std::to_string(model.experts) + " " + count);
  model.expertIntermediate = config.size(intermediate);
}

DecoderConfig huggingface::mixtral(Config &config, mlir::MLIRContext *context) {
  DecoderConfig model = mistral(config, context);
  setExperts(config, model, "num_local_experts", "intermediate_size");
  model.names.router = "block_sparse_moe.gate";
  model.names.expertGate = "block_sparse_moe.experts.*.w1";
  model.names.expertUp = "block_sparse_moe.experts.*.w3";
  model.names.expertDown = "block_sparse_moe.experts.*.w2";
  return model;
}

/// Experts everywhere, stored as one, whose gates are clamped; attention has sinks, and every other
/// layer slides.
DecoderConfig huggingface::gptOss(Config &config, mlir::MLIRContext *context) {
  DecoderConfig model = llama(config, context);
  model.normEpsilon = config.epsilon("rms_norm_eps", 1e-5);
  model.inputBiases = model.outputBias = config.flag("attention_bias", true);
  setWindows(config, model, config.size("sliding_window", 128),
             [](int64_t layer) { return layer % 2 == 0; });
  setExperts(config, model, config.has("num_experts") ? "num_experts" : "num_local_experts",
             "intermediate_size");
  model.routerBias = model.mergedExperts = true;
  model.gateAlpha = config.number("swiglu_alpha", 1.702);
  model.gateLimit = config.positive("swiglu_limit").value_or(7.0);
  model.names.router = "mlp.router";
  model.names.mergedExperts = "mlp.experts.gate_up_proj";
  model.names.expertDown = "mlp.experts.down_proj";
  model.names.sinks = "self_attn.sinks";
  if (config.text("hidden_act", "silu") != "silu")
    config.fail("hidden_act", "silu");
  if (!config.has("rope_parameters") && !config.has("rope_scaling"))
    config.fail("rope_scaling", "an object");
  return model;
}

/// Keys and values from one vector of a token; experts by sigmoid, in groups, and one that all
/// tokens have, but in the first layers.
DecoderConfig huggingface::deepseekV3(Config &config, mlir::MLIRContext *context) {
  DecoderConfig model = llama(config, context);
  LatentAttention latent;
  if (config.has("q_lora_rank"))
    latent.queryRank = config.size("q_lora_rank");
  latent.rank = config.size("kv_lora_rank");
  latent.plain = config.size("qk_nope_head_dim");
  latent.rotated = config.size("qk_rope_head_dim");
  if (latent.rotated % 2 != 0)
    config.fail("qk_rope_head_dim", "an even number of elements to rotate");
  model.latent = latent;
  model.kvHeads = model.heads;
  model.headDim = latent.plain + latent.rotated;
  model.valueDim = config.size("v_head_dim");
  if (model.heads * (model.headDim + model.valueDim) > INT32_MAX)
    config.fail("v_head_dim", "at most 2^31 - 1 elements in all heads");
  model.rope = config.rope(context, latent.rotated);
  model.rope->interleaved = config.flag("rope_interleave", true);
  model.scale = config.ropeScoreScale() / std::sqrt(static_cast<double>(model.headDim));

  setExperts(config, model,
             config.has("num_local_experts") ? "num_local_experts" : "n_routed_experts",
             "moe_intermediate_size");
  model.sharedIntermediate = config.size("n_shared_experts", 1) * model.expertIntermediate;
  if (model.sharedIntermediate > INT32_MAX)
    config.fail("n_shared_experts", "at most 2^31 - 1 elements inside of them");
  model.routerScore = RouterScore::Sigmoid;
  model.wideRouter = true;
  model.names.choiceBias = "mlp.gate.e_score_correction_bias";
  model.normalizeExperts = config.flag("norm_topk_prob", true);
  model.routerScale = config.positive("routed_scaling_factor").value_or(1.0);
  model.expertGroups = config.size("n_group", 1);
  model.topExpertGroups = config.size("topk_group", 1);
  int64_t inGroup = model.experts / model.expertGroups;
  if (model.experts % model.expertGroups != 0 || inGroup < 2)
    config.fail("n_group", "a number of groups of two or more of the " +
                               std::to_string(model.experts) + " experts");
  else if (model.topExpertGroups > model.expertGroups ||
           model.topExpertGroups * inGroup < model.expertsPerToken)
    config.fail("topk_group", "at most " + std::to_string(model.expertGroups) + " groups, with " +
                                  std::to_string(model.expertsPerToken) + " experts or more");
  for (auto [key, only] :
       {std::pair("topk_method", "noaux_tc"), std::pair("scoring_func", "sigmoid")})
    if (config.text(key, only) != only)
      config.fail(key, only);
  if (config.has("first_k_dense_replace") && config.error().empty()) {
    std::optional<int64_t> dense = config.natural("first_k_dense_replace");
    for (int64_t layer = 0; layer < model.layers; ++layer)
      model.hasExperts.push_back(layer >= dense.value_or(0));
  }
  if (config.has("moe_layer_freq") && config.size("moe_layer_freq") != 1)
    config.fail("moe_layer_freq", "1");
  return model;
}

/// Every decoder_sparse_step-th layer has experts, but those of mlp_only_layers.
DecoderConfig huggingface::qwen3Moe(Config &config, mlir::MLIRContext *context) {
  DecoderConfig model = qwen3(config, context);
  // Version 5 of transformers calls it as Mixtral does.
  const char *count = config.has("num_experts") ? "num_experts" : "num_local_experts";
  setExperts(config, model, count, "moe_intermediate_size");
  model.normalizeExperts = config.flag("norm_topk_prob", false);
  int64_t step = config.size("decoder_sparse_step", 1);
  std::vector<int64_t> dense = config.numbers("mlp_only_layers");
  if (config.error().empty())
    for (int64_t layer = 0; layer < model.layers; ++layer)
      model.hasExperts.push_back((layer + 1) % step == 0 && !llvm::is_contained(dense, layer));
  return model;
}
