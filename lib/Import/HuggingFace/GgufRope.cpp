#include "GgufRope.h"

#include <cmath>
#include <cstring>

using namespace forge;
using namespace forge::huggingface;
using nlohmann::json;

static constexpr char kAttention[] = "rope.scaling.attn_factor";
static constexpr char kOriginal[] = "rope.scaling.original_context_length";

/// A factor above 0 for each pair of elements, of f32; empty where the file has no such tensor.
static json factorsOf(GgufMetadata &metadata, const GgufFile &file, const std::string &name,
                      int64_t rotated) {
  json factors = json::array();
  auto found = file.tensors.find(name);
  if (found == file.tensors.end())
    return factors;
  std::string place = "tensor '" + name + "'";
  TensorSpec expected{DType::F32, {rotated / 2}};
  if (typeString(found->second.spec) != typeString(expected)) {
    metadata.failOf(place, typeString(expected), typeString(found->second.spec));
    return factors;
  }
  std::string_view elements = found->second.elements;
  for (size_t at = 0; at + sizeof(float) <= elements.size(); at += sizeof(float)) {
    float factor;
    std::memcpy(&factor, elements.data() + at, sizeof factor);
    if (!(factor > 0 && std::isfinite(factor)))
      metadata.failOf(place, "numbers above 0", std::to_string(factor));
    factors.push_back(static_cast<double>(factor));
  }
  return factors;
}

/// A number above 0; none without the key.
static std::optional<double> readPositive(GgufMetadata &metadata, const std::string &key) {
  std::optional<double> number = metadata.number(key);
  if (number && *number <= 0)
    metadata.fail(key, "a number above 0");
  return number;
}

namespace {
/// Factors of frequencies: up to the original length of the context, and beyond it.
struct Factors {
  json near, far;
  bool areThere() const { return !near.empty() || !far.empty(); }
};
} // namespace

static Factors readFactors(GgufMetadata &metadata, const GgufFile &file, int64_t rotated) {
  json all = factorsOf(metadata, file, "rope_freqs.weight", rotated);
  Factors factors{factorsOf(metadata, file, "rope_factors_short.weight", rotated),
                  factorsOf(metadata, file, "rope_factors_long.weight", rotated)};
  if (!all.empty() && factors.areThere())
    metadata.failOf("tensor 'rope_freqs.weight'", "no other factors",
                    "rope_factors_short.weight or rope_factors_long.weight");
  if (!all.empty()) {
    for (const char *name : {"rope_scaling.short_factor", "rope_scaling.long_factor"})
      metadata.derive(name, "tensor 'rope_freqs.weight'");
    return {all, all};
  }
  metadata.derive("rope_scaling.short_factor", "tensor 'rope_factors_short.weight'");
  metadata.derive("rope_scaling.long_factor", "tensor 'rope_factors_long.weight'");
  if (factors.areThere() && (factors.near.empty() || factors.far.empty()))
    metadata.failOf(factors.near.empty() ? "tensor 'rope_factors_short.weight'"
                                         : "tensor 'rope_factors_long.weight'",
                    "factors, as there are others for longer or shorter contexts", "none");
  return factors;
}

/// llama.cpp multiplies cosine and sine with 1 + 0.1 ln(factor), and with attn_factor besides.
static void readYarn(GgufMetadata &metadata, json &config) {
  for (const char *key : {"yarn_ext_factor", "yarn_attn_factor", "yarn_log_multiplier"})
    if (std::string name = std::string("rope.scaling.") + key; metadata.has(name))
      metadata.fail(name, "none");
  metadata.size(kOriginal, "rope_scaling.original_max_position_embeddings", config,
                /*required=*/true);
  json &scaling = config["rope_scaling"];
  for (const char *name : {"beta_fast", "beta_slow"})
    if (std::optional<double> beta =
            readPositive(metadata, std::string("rope.scaling.yarn_") + name))
      scaling[name] = *beta;
  if (std::optional<double> attention = readPositive(metadata, kAttention))
    scaling["attention_factor"] = *attention * (1 + 0.1 * std::log(scaling.value("factor", 1.0)));
}

/// A rule for all frequencies; without a type it is linear.
static void readRule(GgufMetadata &metadata, const std::string &type, json &config) {
  config["rope_scaling"] = {{"rope_type", type}};
  const char *key = "rope.scaling.factor";
  metadata.number(key, "rope_scaling.factor", config, /*required=*/true);
  if (metadata.number(key).value_or(1) < 1)
    metadata.fail(key, "a number from 1 on");
  if (type == "yarn")
    readYarn(metadata, config);
}

void huggingface::readGgufRope(GgufMetadata &metadata, const GgufFile &file, int64_t rotated,
                               json &config) {
  Factors factors = readFactors(metadata, file, rotated);
  const char *key = "rope.scaling.type";
  std::string type = metadata.text(key, factors.areThere()                    ? "longrope"
                                        : metadata.has("rope.scaling.factor") ? "linear"
                                                                              : "none");
  if (!metadata.error().empty())
    return;
  if (factors.areThere()) {
    if (type != "none" && type != "longrope")
      return metadata.fail(key, "none or longrope where tensors have factors");
    config["rope_scaling"] = {{"rope_type", "longrope"},
                              {"short_factor", factors.near},
                              {"long_factor", factors.far},
                              {"attention_factor", readPositive(metadata, kAttention).value_or(1)}};
    metadata.size(kOriginal, "original_max_position_embeddings", config);
  } else if (type == "linear" || type == "yarn") {
    readRule(metadata, type, config);
  } else if (type == "longrope") {
    metadata.failOf("tensor 'rope_factors_short.weight'", "factors for scaling of type longrope",
                    "none");
  } else if (type != "none") {
    metadata.fail(key, "none, linear, longrope or yarn");
  }
  if (!factors.areThere() && type != "yarn" && metadata.number(kAttention).value_or(1) != 1)
    metadata.fail(kAttention, "1 without factors in tensors and with another type than yarn");
  if (metadata.has("rope.scale_linear"))
    metadata.fail("rope.scale_linear", "rope.scaling.factor in its place");
  metadata.derive("rope_scaling", "rope.scaling");
  metadata.derive("rope_scaling.attention_factor", kAttention);
  for (const char *name : {"beta_fast", "beta_slow"})
    metadata.derive(std::string("rope_scaling.") + name, std::string("rope.scaling.yarn_") + name);
}
