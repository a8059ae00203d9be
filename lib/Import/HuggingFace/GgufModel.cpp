#include "GgufModel.h"

#include "forge/Checkpoint/Gguf.h"
#include "forge/Checkpoint/Json.h"
#include "forge/Checkpoint/MappedFile.h"

#include <cmath>
#include <cstring>
#include <filesystem>

using namespace forge;
using namespace forge::huggingface;
using nlohmann::json;

namespace {
/// A name of llama.cpp's (gguf-py/gguf/constants.py) and that of Hugging Face's checkpoints.
struct TensorName {
  std::string_view gguf, huggingFace;
};

/// What llama.cpp calls a family, by general.architecture.
struct Architecture {
  std::string_view name, modelType;
  bool interleavedRope = false, addedOne = false;
  /// Of layers, that differ from the usual ones.
  std::vector<TensorName> layerNames = {};
};

/// Reads metadata key by key; the first problem is remembered.
class Metadata {
public:
  Metadata(const json &values, std::string architecture)
      : values(values), architecture(std::move(architecture)) {}

  const json *find(const std::string &key) const {
    auto found = values.find(architecture + "." + key);
    return found == values.end() ? nullptr : &*found;
  }
  bool has(const std::string &key) const { return find(key); }
  /// Puts the value of `key`, a number, under `name`, if there is one. `required`: there must be.
  void number(const std::string &key, const char *name, json &config, bool required = false) {
    const json *value = find(key);
    if (value && value->is_number())
      config[name] = *value;
    else if (value || required)
      fail(key, "a number");
  }
  std::string text(const std::string &key, const char *otherwise) {
    const json *value = find(key);
    if (value && !value->is_string())
      fail(key, "a text");
    return value && value->is_string() ? value->get<std::string>() : otherwise;
  }
  void fail(const std::string &key, const std::string &expected) {
    if (!message.empty())
      return;
    const json *value = find(key);
    message = architecture + "." + key + ": expected " + expected + ", but got " +
              (value ? briefText(*value) : "none");
  }
  const std::string &error() const { return message; }

private:
  const json &values;
  std::string architecture, message;
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

static std::optional<std::string_view> find(std::span<const TensorName> names,
                                            std::string_view name) {
  for (const TensorName &candidate : names)
    if (candidate.gguf == name)
      return candidate.huggingFace;
  return std::nullopt;
}

/// "blk.3.attn_q.weight" as "model.layers.3.self_attn.q_proj.weight"; what is not known keeps its
/// name.
static std::string nameOf(const Architecture &architecture, const std::string &stored) {
  size_t end = stored.rfind('.');
  if (end == std::string::npos)
    return stored;
  std::string_view stem = std::string_view(stored).substr(0, end);
  if (std::optional<std::string_view> known = find(kModelNames, stem))
    return std::string(*known) + stored.substr(end);
  constexpr std::string_view layers = "blk.";
  size_t dot = stem.find('.', layers.size());
  if (!stem.starts_with(layers) || dot == std::string_view::npos)
    return stored;
  std::string_view part = stem.substr(dot + 1);
  std::optional<std::string_view> known = find(architecture.layerNames, part);
  if (!known)
    known = find(kLayerNames, part);
  if (!known)
    return stored;
  return "model.layers." + std::string(stem.substr(layers.size(), dot - layers.size())) + "." +
         std::string(*known) + stored.substr(end);
}

/// A list of f32; empty where the file has no such tensor.
static json numbersOf(const GgufFile &file, const char *name) {
  json numbers = json::array();
  auto found = file.tensors.find(name);
  if (found == file.tensors.end() || found->second.spec.type != DType::F32)
    return numbers;
  std::string_view elements = found->second.elements;
  for (size_t at = 0; at + sizeof(float) <= elements.size(); at += sizeof(float)) {
    float number;
    std::memcpy(&number, elements.data() + at, sizeof number);
    numbers.push_back(static_cast<double>(number));
  }
  return numbers;
}

/// Frequencies are divided by factors of their own, or scaled by a rule.
static void readScaling(Metadata &metadata, const GgufFile &file, json &config) {
  json near = numbersOf(file, "rope_freqs.weight"), far = near;
  if (near.empty()) {
    near = numbersOf(file, "rope_factors_short.weight");
    far = numbersOf(file, "rope_factors_long.weight");
  }
  json scaling = json::object();
  if (!near.empty() && !far.empty()) {
    scaling = {{"rope_type", "longrope"}, {"short_factor", near}, {"long_factor", far}};
    metadata.number("rope.scaling.original_context_length", "original_max_position_embeddings",
                    config);
    scaling["attention_factor"] = 1.0;
    metadata.number("rope.scaling.attn_factor", "attention_factor", scaling);
  } else {
    std::string type = metadata.text("rope.scaling.type", "none");
    if (type == "none")
      return;
    scaling["rope_type"] = type;
    metadata.number("rope.scaling.factor", "factor", scaling, /*required=*/true);
    if (type == "yarn")
      metadata.number("rope.scaling.original_context_length", "original_max_position_embeddings",
                      scaling, /*required=*/true);
    else if (type != "linear")
      metadata.fail("rope.scaling.type", "none, linear or yarn");
  }
  config["rope_scaling"] = scaling;
}

/// llama.cpp scales scores of Gemma 2's largest model, which has 46 layers, by the width of the
/// model divided by its heads.
static void readGemma(Metadata &metadata, json &config) {
  metadata.number("attn_logit_softcapping", "attn_logit_softcapping", config);
  metadata.number("final_logit_softcapping", "final_logit_softcapping", config);
  metadata.number("attention.sliding_window", "sliding_window", config, /*required=*/true);
  auto numberIn = [&](const char *key) {
    return config.contains(key) ? config[key].get<double>() : 1;
  };
  constexpr double layersOfLargest = 46;
  config["query_pre_attn_scalar"] = numberIn("num_hidden_layers") == layersOfLargest
                                        ? numberIn("hidden_size") / numberIn("num_attention_heads")
                                        : numberIn("head_dim");
}

static json configOf(Metadata &metadata, const Architecture &architecture, const GgufFile &file,
                     const CheckpointIndex &index) {
  json config = {{"model_type", architecture.modelType}};
  metadata.number("block_count", "num_hidden_layers", config, true);
  metadata.number("embedding_length", "hidden_size", config, true);
  metadata.number("feed_forward_length", "intermediate_size", config, true);
  metadata.number("attention.head_count", "num_attention_heads", config, true);
  metadata.number("attention.head_count_kv", "num_key_value_heads", config);
  metadata.number("attention.layer_norm_rms_epsilon", "rms_norm_eps", config, true);
  metadata.number("context_length", "max_position_embeddings", config, true);
  metadata.number("rope.freq_base", "rope_theta", config);
  metadata.number("attention.key_length", "head_dim", config);
  if (metadata.has("expert_count"))
    metadata.fail("expert_count", "no experts");
  if (!metadata.error().empty())
    return config;
  // Rows of the embedding; a head of its own or not; biases or not.
  if (auto embedding = index.find("model.embed_tokens.weight");
      embedding != index.end() && embedding->second.spec.dims.size() == 2)
    config["vocab_size"] = static_cast<uint64_t>(embedding->second.spec.dims[0]);
  config["tie_word_embeddings"] = !index.contains("lm_head.weight");
  config["attention_bias"] = index.contains("model.layers.0.self_attn.q_proj.bias");
  double heads = config["num_attention_heads"].get<double>();
  double headDim = config.contains("head_dim") ? config["head_dim"].get<double>()
                                               : config["hidden_size"].get<double>() / heads;
  json rotated = json::object();
  metadata.number("rope.dimension_count", "count", rotated);
  if (rotated.contains("count") && rotated["count"].get<double>() != headDim)
    config["partial_rotary_factor"] = rotated["count"].get<double>() / headDim;
  readScaling(metadata, file, config);
  if (architecture.modelType == "gemma2")
    readGemma(metadata, config);
  else if (architecture.modelType == "phi3")
    metadata.number("attention.sliding_window", "sliding_window", config);
  return config;
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
  model.interleavedRope = architecture->interleavedRope;
  model.addedOne = architecture->addedOne;
  std::string name = std::filesystem::path(path).filename().string();
  for (const auto &[stored, tensor] : file->tensors) {
    IndexedTensor entry{name, tensor.spec, stored, std::nullopt};
    if (auto format = file->formats.find(stored); format != file->formats.end())
      entry.format = format->second;
    model.index.emplace(nameOf(*architecture, stored), std::move(entry));
  }
  Metadata metadata(file->metadata, std::string(architecture->name));
  model.config = configOf(metadata, *architecture, *file, model.index);
  if (!metadata.error().empty())
    return Error{path + ": " + metadata.error()};
  return model;
}
