// config.json, read key by key.
#ifndef FORGE_LIB_IMPORT_HUGGINGFACE_CONFIG_H
#define FORGE_LIB_IMPORT_HUGGINGFACE_CONFIG_H

#include "HiddenActivation.h"

#include "forge/Checkpoint/Json.h"
#include "forge/Dialect/Transformer/Builders/Graph.h"

namespace forge::huggingface {

/// How the weights of a checkpoint are stored narrow.
struct QuantizationConfig {
  bool mxfp4 = false;
  /// Output and input features that share a scale of f8 weights; none without any.
  std::optional<std::pair<int64_t, int64_t>> f8Block = std::nullopt;
};

/// The keys of an object. The first that is missing or not as expected is remembered, and what the
/// calls return from then on means nothing: readers ask for all keys, then for the error. A key of
/// null counts as missing.
class Config {
public:
  explicit Config(nlohmann::json object) : object(std::move(object)) {}

  bool has(const char *key) const { return find(key) != nullptr; }
  /// From 1 to 2^31 - 1.
  int64_t size(const char *key, std::optional<int64_t> otherwise = std::nullopt);
  /// A number of layers, of each of which something is kept: far more than any model has are
  /// refused.
  int64_t layers(const char *key);
  /// Finite in f32.
  double number(const char *key, std::optional<double> otherwise = std::nullopt);
  /// The same from 0 on.
  double epsilon(const char *key, double otherwise);
  /// A number above 0, also in f32, or none.
  std::optional<double> positive(const char *key);
  bool flag(const char *key, bool otherwise);
  std::string text(const char *key, const std::optional<std::string> &otherwise = std::nullopt);
  HiddenActivation activation(const char *key, const char *otherwise);
  /// Which of `layers` layers have a sliding window, from "layer_types"; none without that key.
  std::optional<std::vector<bool>> slidingLayers(int64_t layers);
  /// `count` numbers 0 or 1, or truth values; none without the key.
  std::optional<std::vector<bool>> flags(const char *key, int64_t count);
  /// The only text of a list; `otherwise` without the key.
  std::string firstText(const char *key, const char *otherwise);
  /// How many members an object has, from 1 on; `otherwise` without the key.
  int64_t count(const char *key, int64_t otherwise);
  /// From 0 on; none without the key.
  std::optional<int64_t> natural(const char *key);
  /// A list of numbers from 0 on; empty without the key.
  std::vector<int64_t> numbers(const char *key);
  /// rope_parameters, or rope_theta (rotary_emb_base) and rope_scaling; a share `rotated` of the
  /// head unless partial_rotary_factor (rotary_pct) says otherwise. Of layers of one kind,
  /// "full_attention" or "sliding_attention": rope_parameters of that kind, or, of sliding ones,
  /// rope_local_base_freq without scaling.
  transformer::RopeBuildOptions rope(mlir::MLIRContext *context, int64_t headDim,
                                     const char *kind = nullptr, double rotated = 1);
  /// What rope scaling multiplies scores of latent attention with.
  double ropeScoreScale();
  /// quantization_config; what it may say besides is refused.
  QuantizationConfig quantization();
  /// Fails unless a flag is as given, or missing.
  void require(const char *key, bool value);

  void fail(const std::string &key, const std::string &expected);
  const std::string &error() const { return message; }

private:
  transformer::RopeBuildOptions readRope(mlir::MLIRContext *context, int64_t headDim,
                                         double rotated);
  /// What `parameters`, which is the member `key`, says of `rotated` elements of each head.
  void readScaling(mlir::MLIRContext *context, Config &parameters, const char *key,
                   transformer::RopeBuildOptions &options, int64_t rotated);
  void readLongRope(transformer::RopeBuildOptions &options, int64_t rotated, int64_t length,
                    double stretch);
  std::vector<double> ropeFactors(const char *key, int64_t pairs);
  double yarnFactor();
  double ropeFactor();
  const nlohmann::json *find(const char *key) const;

  nlohmann::json object;
  std::string prefix; ///< of keys in messages
  std::string message;
};

} // namespace forge::huggingface

#endif // FORGE_LIB_IMPORT_HUGGINGFACE_CONFIG_H
