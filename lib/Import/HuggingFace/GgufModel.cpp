#include "GgufModel.h"

#include "GgufRope.h"

#include "forge/Checkpoint/Gguf.h"
#include "forge/Checkpoint/Json.h"
#include "forge/Checkpoint/MappedFile.h"

#include <filesystem>

using namespace forge;
using namespace forge::huggingface;
using nlohmann::json;

namespace {
/// A name of llama.cpp's (gguf-py/gguf/constants.py) and that of Hugging Face's checkpoints.
struct TensorName {
  using Member = std::string_view TensorName::*;
  std::string_view gguf, huggingFace;
};

/// What llama.cpp calls a family, by general.architecture.
struct Architecture {
  std::string_view name, modelType;
  bool interleavedRope = false, addedOne = false;
  /// Of layers, that differ from the usual ones.
  std::vector<TensorName> layerNames = {};
};
} // namespace

static const std::vector<Architecture> &architectures() {
  static const std::vector<Architecture> all = {
      {"gemma2",
       "gemma2",
       /*interleavedRope=*/false,
       /*addedOne=*/true,
       {{"ffn_norm", "pre_feedforward_layernorm"},
        {"post_attention_norm", "post_attention_layernorm"},
        {"post_ffw_norm", "post_feedforward_layernorm"}}},
      {"llama", "llama", /*interleavedRope=*/true},
      {"phi3", "phi3", false, false, {{"ffn_up", "mlp.gate_up_proj"}}},
      {"qwen2", "qwen2"},
      {"qwen3", "qwen3"}};
  return all;
}

static constexpr TensorName kModelNames[] = {
    {"token_embd", "model.embed_tokens"}, {"output_norm", "model.norm"}, {"output", "lm_head"}};
static constexpr TensorName kLayerNames[] = {{"attn_norm", "input_layernorm"},
                                             {"attn_q", "self_attn.q_proj"},
                                             {"attn_k", "self_attn.k_proj"},
                                             {"attn_v", "self_attn.v_proj"},
                                             {"attn_qkv", "self_attn.qkv_proj"},
                                             {"attn_q_norm", "self_attn.q_norm"},
                                             {"attn_k_norm", "self_attn.k_norm"},
                                             {"attn_output", "self_attn.o_proj"},
                                             {"ffn_norm", "post_attention_layernorm"},
                                             {"ffn_gate", "mlp.gate_proj"},
                                             {"ffn_up", "mlp.up_proj"},
                                             {"ffn_down", "mlp.down_proj"}};

/// The other name of a tensor or a part of a layer that is called `name` in `from`.
static std::optional<std::string_view> find(std::span<const TensorName> names,
                                            std::string_view name, TensorName::Member from,
                                            TensorName::Member to) {
  for (const TensorName &candidate : names)
    if (candidate.*from == name)
      return candidate.*to;
  return std::nullopt;
}

/// "blk.3.attn_q.weight" as "model.layers.3.self_attn.q_proj.weight", or back; what is not known
/// keeps its name.
static std::string translate(const Architecture &architecture, std::string_view name,
                             TensorName::Member from, TensorName::Member to) {
  static constexpr TensorName layers{"blk.", "model.layers."};
  size_t end = name.rfind('.');
  if (end == std::string_view::npos)
    return std::string(name);
  std::string_view stem = name.substr(0, end), ending = name.substr(end), start = layers.*from;
  if (std::optional<std::string_view> known = find(kModelNames, stem, from, to))
    return std::string(*known) + std::string(ending);
  size_t dot = stem.find('.', start.size());
  if (!stem.starts_with(start) || dot == std::string_view::npos)
    return std::string(name);
  std::string_view part = stem.substr(dot + 1);
  std::optional<std::string_view> known = find(architecture.layerNames, part, from, to);
  if (!known)
    known = find(kLayerNames, part, from, to);
  if (!known)
    return std::string(name);
  return std::string(layers.*to) + std::string(stem.substr(start.size(), dot - start.size())) +
         "." + std::string(*known) + std::string(ending);
}

/// llama.cpp scales scores of Gemma 2's largest model, which has 46 layers, by the width of the
/// model divided by its heads.
static void readGemma(GgufMetadata &metadata, json &config) {
  metadata.number("attn_logit_softcapping", "attn_logit_softcapping", config);
  metadata.number("final_logit_softcapping", "final_logit_softcapping", config);
  metadata.size("attention.sliding_window", "sliding_window", config, /*required=*/true);
  auto numberIn = [&](const char *key) {
    return config.contains(key) ? config[key].get<double>() : 1;
  };
  constexpr double layersOfLargest = 46;
  config["query_pre_attn_scalar"] = numberIn("num_hidden_layers") == layersOfLargest
                                        ? numberIn("hidden_size") / numberIn("num_attention_heads")
                                        : numberIn("head_dim");
}

/// How many elements of a head are rotated; those behind them are not.
static int64_t readRotated(GgufMetadata &metadata, int64_t headDim, json &config) {
  int64_t rotated = metadata.size("rope.dimension_count").value_or(headDim);
  if (rotated > headDim || rotated % 2 != 0)
    metadata.fail("rope.dimension_count", "an even number of at most the " +
                                              std::to_string(headDim) + " elements of a head");
  // The reader of the configuration rounds the product with the head's size down.
  if (rotated != headDim)
    config["partial_rotary_factor"] =
        (static_cast<double>(rotated) + 0.5) / static_cast<double>(std::max<int64_t>(headDim, 1));
  return rotated;
}

static json configOf(GgufMetadata &metadata, const Architecture &architecture, const GgufFile &file,
                     const CheckpointIndex &index) {
  json config = {{"model_type", architecture.modelType}};
  metadata.size("block_count", "num_hidden_layers", config, true);
  metadata.size("embedding_length", "hidden_size", config, true);
  metadata.size("feed_forward_length", "intermediate_size", config, true);
  metadata.size("attention.head_count", "num_attention_heads", config, true);
  metadata.size("attention.head_count_kv", "num_key_value_heads", config);
  metadata.number("attention.layer_norm_rms_epsilon", "rms_norm_eps", config, true);
  metadata.size("context_length", "max_position_embeddings", config, true);
  metadata.number("rope.freq_base", "rope_theta", config);
  metadata.size("attention.key_length", "head_dim", config);
  if (metadata.number("expert_count").value_or(0) != 0)
    metadata.fail("expert_count", "no experts");
  if (!metadata.error().empty())
    return config;
  // Rows of the embedding; a head of its own or not; biases or not.
  if (auto embedding = index.find("model.embed_tokens.weight");
      embedding != index.end() && embedding->second.spec.dims.size() == 2)
    config["vocab_size"] = static_cast<uint64_t>(embedding->second.spec.dims[0]);
  metadata.derive("vocab_size", "rows of tensor 'token_embd.weight'");
  config["tie_word_embeddings"] = !index.contains("lm_head.weight");
  config["attention_bias"] = index.contains("model.layers.0.self_attn.q_proj.bias");
  int64_t heads = config["num_attention_heads"];
  int64_t headDim = config.value("head_dim", config["hidden_size"].get<int64_t>() / heads);
  readGgufRope(metadata, file, readRotated(metadata, headDim, config), config);
  if (architecture.modelType == "gemma2")
    readGemma(metadata, config);
  // 0 says that there is none.
  else if (architecture.modelType == "phi3" &&
           metadata.number("attention.sliding_window").value_or(0) != 0)
    metadata.size("attention.sliding_window", "sliding_window", config);
  return config;
}

std::string GgufModel::storedName(std::string_view name) const {
  for (const Architecture &candidate : architectures())
    if (candidate.name == architecture)
      return translate(candidate, name, &TensorName::huggingFace, &TensorName::gguf);
  return std::string(name);
}

void GgufModel::adjust(DecoderConfig &model) const {
  if (interleavedRope && model.rope)
    model.rope->interleaved = true;
  if (addedOne)
    model.unitOffset = false;
}

static const Architecture *architectureOf(const json &metadata, std::string &problem) {
  auto named = metadata.find("general.architecture");
  if (named != metadata.end() && named->is_string())
    for (const Architecture &candidate : architectures())
      if (candidate.name == named->get<std::string>())
        return &candidate;
  std::string names;
  for (const Architecture &candidate : architectures())
    names += (names.empty()                           ? ""
              : &candidate == &architectures().back() ? " or "
                                                      : ", ") +
             std::string(candidate.name);
  problem = "general.architecture: expected " + names + ", but got " +
            (named == metadata.end() ? "none" : briefText(*named));
  return nullptr;
}

Result<GgufModel> huggingface::readGgufModel(const std::string &path) {
  Result<MappedFile> mapped = MappedFile::open(path);
  if (!mapped)
    return mapped.error();
  Result<GgufFile> file = parseGgufFile(mapped->bytes());
  if (!file)
    return Error{path + ": " + file.error().message};
  std::string problem;
  const Architecture *architecture = architectureOf(file->metadata, problem);
  if (!architecture)
    return Error{path + ": " + problem};
  GgufModel model;
  model.architecture = architecture->name;
  model.interleavedRope = architecture->interleavedRope;
  model.addedOne = architecture->addedOne;
  std::string name = std::filesystem::path(path).filename().string();
  for (const auto &[stored, tensor] : file->tensors) {
    IndexedTensor entry{name, tensor.spec, stored, std::nullopt};
    if (auto format = file->formats.find(stored); format != file->formats.end())
      entry.format = format->second;
    model.index.emplace(
        translate(*architecture, stored, &TensorName::gguf, &TensorName::huggingFace),
        std::move(entry));
  }
  GgufMetadata metadata(file->metadata, std::string(architecture->name));
  model.config = configOf(metadata, *architecture, *file, model.index);
  if (!metadata.error().empty())
    return Error{path + ": " + metadata.error()};
  model.origins = metadata.origins();
  return model;
}
