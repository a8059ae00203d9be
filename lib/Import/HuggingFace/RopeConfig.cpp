// The keys of config.json that say how rotary positions are stretched.
#include "Config.h"

#include <algorithm>
#include <cmath>

using namespace forge;
using namespace forge::huggingface;
using namespace forge::transformer;
using nlohmann::json;

RopeBuildOptions Config::rope(mlir::MLIRContext *context, int64_t headDim, const char *kind,
                              double rotated) {
  if (!kind)
    return readRope(context, headDim, rotated);
  Config part(object);
  part.prefix = prefix;
  const json *given = find("rope_parameters");
  bool isNested = given && given->is_object() && given->contains(kind);
  if (isNested) {
    part.object["rope_parameters"] = (*given)[kind];
    part.prefix = prefix + "rope_parameters." + kind + ": ";
  } else if (llvm::StringRef(kind) == "sliding_attention") {
    part.object.erase("rope_scaling");
    part.object.erase("rope_parameters");
    part.object["rope_theta"] = number("rope_local_base_freq", 10000.0);
  }
  RopeBuildOptions options = part.readRope(context, headDim, rotated);
  if (message.empty())
    message = part.message;
  return options;
}

namespace {
/// Parameters of rope scaling besides factor and length.
struct RopeNumbers {
  double betaFast = 32, betaSlow = 1, attentionFactor = 0, low = 1, high = 4;
};
} // namespace

/// transformers' _compute_yarn_parameters; 0: what the factor alone gives.
double Config::yarnFactor() {
  if (std::optional<double> given = positive("attention_factor"))
    return *given;
  double factor = ropeFactor(), numerator = number("mscale", 0.0),
         denominator = number("mscale_all_dim", 0.0);
  if (numerator == 0 || denominator == 0)
    return 0;
  auto scale = [&](double share) { return factor <= 1 ? 1 : 0.1 * share * std::log(factor) + 1; };
  return scale(numerator) / scale(denominator);
}

/// transformers' yarn_apply_mscale.
double Config::ropeScoreScale() {
  const json *given = find(has("rope_parameters") ? "rope_parameters" : "rope_scaling");
  if (!given || !given->is_object())
    return 1;
  Config parameters(*given);
  std::string type = parameters.text(parameters.has("rope_type") ? "rope_type" : "type", "default");
  double share = parameters.number("mscale_all_dim", 0.0);
  if (type == "default" || share == 0)
    return 1;
  double factor = parameters.ropeFactor();
  double scale = factor <= 1 ? 1 : 0.1 * share * std::log(factor) + 1;
  return scale * scale;
}

/// The frequencies of pairs, base^(-2i / R), each divided by its factor.
static std::vector<double> dividedFrequencies(double base, int64_t rotated,
                                              const std::vector<double> &factors) {
  std::vector<double> frequencies;
  for (size_t i = 0; i < factors.size(); ++i)
    frequencies.push_back(
        std::pow(base, -2.0 * static_cast<double>(i) / static_cast<double>(rotated)) / factors[i]);
  return frequencies;
}

/// transformers' _compute_yarn_parameters with bounds between pairs, as gpt-oss has them; the
/// attribute of transformer.rope rounds them.
static std::vector<double> untruncatedYarn(double base, int64_t rotated, double factor,
                                           int64_t length, const RopeNumbers &numbers) {
  double dims = static_cast<double>(rotated);
  auto pairOf = [&](double turns) {
    return dims * std::log(static_cast<double>(length) / (turns * 2 * M_PI)) / (2 * std::log(base));
  };
  double low = std::max(pairOf(numbers.betaFast), 0.0);
  double high = std::min(pairOf(numbers.betaSlow), dims - 1);
  high += low == high ? 0.001 : 0;
  std::vector<double> factors;
  for (int64_t i = 0; i < rotated / 2; ++i) {
    double kept = 1 - std::clamp((static_cast<double>(i) - low) / (high - low), 0.0, 1.0);
    factors.push_back(1 / ((1 - kept) / factor + kept));
  }
  return dividedFrequencies(base, rotated, factors);
}

/// Below it frequencies get too large for angles in f32.
static constexpr double leastFactor = 1e-6;

double Config::ropeFactor() {
  double factor = number("factor");
  if (!(factor >= leastFactor))
    fail("factor", "a number from 1e-6 on");
  return factor;
}

std::vector<double> Config::ropeFactors(const char *key, int64_t pairs) {
  const json *values = find(key);
  std::vector<double> factors;
  bool isFine = values && values->is_array() && values->size() == static_cast<size_t>(pairs);
  for (size_t i = 0; isFine && i < values->size(); ++i) {
    const json &value = (*values)[i];
    isFine = value.is_number() && std::isfinite(static_cast<float>(value.get<double>())) &&
             value.get<double>() >= leastFactor;
    factors.push_back(isFine ? value.get<double>() : 1);
  }
  if (!isFine)
    fail(key, std::to_string(pairs) + " numbers from 1e-6 on");
  return factors;
}

/// Two sets of frequencies: one for all tokens up to the original length, and one for all of a
/// longer context (transformers' _compute_longrope_parameters).
void Config::readLongRope(RopeBuildOptions &options, int64_t rotated, int64_t length,
                          double stretch) {
  std::vector<double> near = ropeFactors("short_factor", rotated / 2),
                      far = ropeFactors("long_factor", rotated / 2);
  options.frequencies = dividedFrequencies(options.base, rotated, near);
  options.longFrequencies = dividedFrequencies(options.base, rotated, far);
  options.longFrom = length;
  double factor = positive("factor").value_or(stretch);
  double derived = factor <= 1 || length < 2
                       ? 1
                       : std::sqrt(1 + std::log(factor) / std::log(static_cast<double>(length)));
  options.factor = positive("attention_factor").value_or(derived);
}

/// A rule that transformer.rope knows, whose verifier checks the numbers.
static RopeScalingAttr scalingOf(mlir::MLIRContext *context, RopeScalingKind kind, double factor,
                                 int64_t length, const RopeNumbers &numbers, std::string &problem) {
  mlir::ScopedDiagnosticHandler handler(context, [&](mlir::Diagnostic &diagnostic) {
    problem = diagnostic.str();
    return mlir::success();
  });
  auto error = [&] { return mlir::emitError(mlir::UnknownLoc::get(context)); };
  return RopeScalingAttr::getChecked(
      error, context, kind, llvm::APFloat(factor), length, llvm::APFloat(numbers.betaFast),
      llvm::APFloat(numbers.betaSlow), llvm::APFloat(numbers.attentionFactor),
      llvm::APFloat(numbers.low), llvm::APFloat(numbers.high));
}

RopeBuildOptions Config::readRope(mlir::MLIRContext *context, int64_t headDim, double rotated) {
  // Version 5 of transformers puts all parameters into rope_parameters.
  bool isNew = has("rope_parameters");
  const char *key = isNew ? "rope_parameters" : "rope_scaling";
  const json *given = find(key);
  if (given && !given->is_object()) {
    fail(key, "an object");
    return {};
  }
  Config parameters(given ? *given : json::object());
  parameters.prefix = prefix + key + ".";
  RopeBuildOptions options;
  auto holder = [&](const char *name) -> Config & {
    return isNew && parameters.has(name) ? parameters : *this;
  };
  options.base = holder("rope_theta").number("rope_theta", number("rotary_emb_base", 10000.0));
  if (!(options.base > 1))
    fail("rope_theta", "a number above 1");
  rotated = holder("partial_rotary_factor")
                .number("partial_rotary_factor", number("rotary_pct", rotated));
  if (!(rotated > 0 && rotated <= 1))
    fail("partial_rotary_factor", "a number above 0, at most 1");
  else if (rotated < 1)
    options.rotaryDims = static_cast<int64_t>(static_cast<double>(headDim) * rotated);
  if (options.rotaryDims == 0)
    fail("partial_rotary_factor",
         "a share of the " + std::to_string(headDim) + " elements of a head");
  int64_t dims = options.rotaryDims.value_or(headDim);
  // Only of shares of a head are odd numbers of elements known.
  if (!options.rotaryDims && (headDim < 2 || headDim % 2 != 0))
    fail("head_dim",
         "an even number of elements to rotate");
  if (error().empty())
    readScaling(context, parameters, key, options, dims);
  // As in transformers, the frequencies are those of an odd number, and one more is rotated.
  if (options.rotaryDims && dims % 2 == 1 && !options.scaling && options.frequencies.empty()) {
    options.frequencies = dividedFrequencies(
        options.base, dims, std::vector<double>(static_cast<size_t>(dims + 1) / 2, 1.0));
    options.rotaryDims = dims + 1;
  }
  if (message.empty())
    message = parameters.message;
  return options;
}

void Config::readScaling(mlir::MLIRContext *context, Config &parameters, const char *key,
                         RopeBuildOptions &options, int64_t rotated) {
  std::string type = parameters.text(parameters.has("rope_type") ? "rope_type" : "type", "default");
  auto scaling = [&](RopeScalingKind kind, int64_t length, const RopeNumbers &numbers = {}) {
    std::string problem;
    options.scaling = scalingOf(context, kind, parameters.ropeFactor(), length, numbers, problem);
    if (parameters.message.empty() && !problem.empty())
      parameters.message = prefix + key + ": " + problem;
  };
  // The length before the context was stretched.
  auto original = [&]() -> int64_t {
    const char *length = "original_max_position_embeddings";
    if (parameters.has(length))
      return parameters.size(length);
    return size(has(length) ? length : "max_position_embeddings");
  };
  if (type == "linear") {
    scaling(RopeScalingKind::Linear, 0);
  } else if (type == "dynamic") {
    scaling(RopeScalingKind::Dynamic, original());
  } else if (type == "longrope" || type == "su") {
    int64_t length = original();
    double stretch =
        static_cast<double>(size("max_position_embeddings", length)) / static_cast<double>(length);
    parameters.readLongRope(options, rotated, length, stretch);
  } else if (type == "yarn") {
    RopeNumbers numbers;
    numbers.betaFast = parameters.number("beta_fast", numbers.betaFast);
    numbers.betaSlow = parameters.number("beta_slow", numbers.betaSlow);
    numbers.attentionFactor = parameters.yarnFactor();
    scaling(RopeScalingKind::Yarn, original(), numbers);
    if (!parameters.flag("truncate", true) && options.scaling) {
      double factor = parameters.ropeFactor();
      options.scaling = {};
      options.frequencies = untruncatedYarn(options.base, rotated, factor, original(), numbers);
      options.factor = numbers.attentionFactor ? numbers.attentionFactor
                                               : std::max(0.1 * std::log(factor) + 1, 1.0);
    }
  } else if (type == "llama3") {
    RopeNumbers numbers;
    numbers.low = parameters.number("low_freq_factor");
    numbers.high = parameters.number("high_freq_factor");
    scaling(RopeScalingKind::Llama3, parameters.size("original_max_position_embeddings"), numbers);
  } else if (type != "default") {
    parameters.fail(parameters.has("rope_type") ? "rope_type" : "type",
                    "default, dynamic, linear, llama3, longrope or yarn");
  }
}
