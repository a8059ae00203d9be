#include "Config.h"

#include "llvm/ADT/StringSwitch.h"

#include <cmath>

using namespace forge;
using namespace forge::huggingface;
using namespace forge::transformer;
using nlohmann::json;

const json *Config::find(const char *key) const {
  auto found = object.find(key);
  return found == object.end() || found->is_null() ? nullptr : &*found;
}

void Config::fail(const std::string &key, const std::string &expected) {
  if (!message.empty())
    return;
  auto found = object.find(key);
  message = prefix + key + ": expected " + expected + ", but got " +
            (found == object.end() ? "none" : briefText(*found));
}

int64_t Config::size(const char *key, std::optional<int64_t> otherwise) {
  const json *value = find(key);
  if (!value && otherwise)
    return *otherwise;
  std::optional<int64_t> number = value ? naturalNumber(*value) : std::nullopt;
  if (number && *number >= 1 && *number <= INT32_MAX)
    return *number;
  fail(key, "a size from 1 to 2^31 - 1");
  return 1;
}

double Config::number(const char *key, std::optional<double> otherwise) {
  const json *value = find(key);
  if (!value && otherwise)
    return *otherwise;
  if (value && value->is_number() && std::isfinite(value->get<double>()))
    return value->get<double>();
  fail(key, "a finite number");
  return 1;
}

std::optional<double> Config::positive(const char *key) {
  if (!has(key))
    return std::nullopt;
  double value = number(key);
  if (!(value > 0))
    fail(key, "a number above 0");
  return value;
}

bool Config::flag(const char *key, bool otherwise) {
  const json *value = find(key);
  if (!value)
    return otherwise;
  if (!value->is_boolean()) {
    fail(key, "true or false");
    return otherwise;
  }
  return value->get<bool>();
}

void Config::require(const char *key, bool value) {
  if (flag(key, value) != value)
    fail(key, value ? "true" : "false");
}

std::string Config::text(const char *key, const std::optional<std::string> &otherwise) {
  const json *value = find(key);
  if (!value && otherwise)
    return *otherwise;
  if (value && value->is_string())
    return value->get<std::string>();
  fail(key, "a string");
  return "";
}

ActivationKind Config::activation(const char *key, const char *otherwise) {
  std::optional<ActivationKind> kind =
      llvm::StringSwitch<std::optional<ActivationKind>>(text(key, otherwise))
          .Cases({"silu", "swish"}, ActivationKind::Silu)
          .Case("gelu", ActivationKind::Gelu)
          .Cases({"gelu_new", "gelu_pytorch_tanh"}, ActivationKind::GeluTanh)
          .Case("relu", ActivationKind::Relu)
          .Default(std::nullopt);
  if (!kind)
    fail(key, "silu, swish, gelu, gelu_new, gelu_pytorch_tanh or relu");
  return kind.value_or(ActivationKind::Silu);
}

std::optional<std::vector<bool>> Config::slidingLayers(int64_t layers) {
  const json *types = find("layer_types");
  if (!types)
    return std::nullopt;
  std::vector<bool> sliding;
  bool isFine = types->is_array() && types->size() == static_cast<size_t>(layers);
  for (size_t i = 0; isFine && i < types->size(); ++i) {
    sliding.push_back((*types)[i] == "sliding_attention");
    isFine = sliding.back() || (*types)[i] == "full_attention";
  }
  if (!isFine)
    fail("layer_types", std::to_string(layers) + " times full_attention or sliding_attention");
  sliding.resize(static_cast<size_t>(isFine ? layers : 0));
  return sliding;
}

std::optional<std::vector<bool>> Config::flags(const char *key, int64_t count) {
  const json *values = find(key);
  if (!values)
    return std::nullopt;
  std::vector<bool> flags;
  bool isFine = values->is_array() && values->size() == static_cast<size_t>(count);
  for (size_t i = 0; isFine && i < values->size(); ++i) {
    const json &value = (*values)[i];
    isFine = value.is_boolean() || value == 0 || value == 1;
    flags.push_back(value == true || value == 1);
  }
  if (!isFine)
    fail(key, std::to_string(count) + " times 0 or 1");
  flags.resize(static_cast<size_t>(isFine ? count : 0));
  return flags;
}

std::string Config::firstText(const char *key, const char *otherwise) {
  const json *values = find(key);
  if (!values)
    return otherwise;
  if (values->is_array() && values->size() == 1 && values->front().is_string())
    return values->front().get<std::string>();
  fail(key, "a list of one string");
  return otherwise;
}

int64_t Config::count(const char *key, int64_t otherwise) {
  const json *values = find(key);
  if (!values)
    return otherwise;
  if (values->is_object() && !values->empty() && values->size() <= INT32_MAX)
    return static_cast<int64_t>(values->size());
  fail(key, "an object with members");
  return otherwise;
}

std::vector<int64_t> Config::numbers(const char *key) {
  const json *values = find(key);
  std::vector<int64_t> result;
  if (!values)
    return result;
  bool isFine = values->is_array();
  for (size_t i = 0; isFine && i < values->size(); ++i) {
    std::optional<int64_t> number = naturalNumber((*values)[i]);
    isFine = number.has_value();
    result.push_back(number.value_or(0));
  }
  if (!isFine)
    fail(key, "a list of numbers from 0 on");
  return result;
}

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
  double factor = number("factor"), numerator = number("mscale", 0.0),
         denominator = number("mscale_all_dim", 0.0);
  if (numerator == 0 || denominator == 0)
    return 0;
  auto scale = [&](double share) { return factor <= 1 ? 1 : 0.1 * share * std::log(factor) + 1; };
  return scale(numerator) / scale(denominator);
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
  std::string type = parameters.text(parameters.has("rope_type") ? "rope_type" : "type", "default");
  auto scaling = [&](RopeScalingKind kind, int64_t length, const RopeNumbers &numbers = {}) {
    std::string problem;
    double factor = parameters.number("factor");
    mlir::ScopedDiagnosticHandler handler(context, [&](mlir::Diagnostic &diagnostic) {
      problem = diagnostic.str();
      return mlir::success();
    });
    auto error = [&] { return mlir::emitError(mlir::UnknownLoc::get(context)); };
    options.scaling = RopeScalingAttr::getChecked(
        error, context, kind, llvm::APFloat(factor), length, llvm::APFloat(numbers.betaFast),
        llvm::APFloat(numbers.betaSlow), llvm::APFloat(numbers.attentionFactor),
        llvm::APFloat(numbers.low), llvm::APFloat(numbers.high));
    if (parameters.message.empty() && !problem.empty())
      parameters.message = prefix + key + ": " + problem;
  };
  // The length before the context was stretched.
  auto original = [&]() -> int64_t {
    const char *length = "original_max_position_embeddings";
    return parameters.has(length) ? parameters.size(length) : size("max_position_embeddings");
  };
  if (type == "linear") {
    scaling(RopeScalingKind::Linear, 0);
  } else if (type == "dynamic") {
    scaling(RopeScalingKind::Dynamic, original());
  } else if (type == "yarn") {
    parameters.require("truncate", true);
    RopeNumbers numbers;
    numbers.betaFast = parameters.number("beta_fast", numbers.betaFast);
    numbers.betaSlow = parameters.number("beta_slow", numbers.betaSlow);
    numbers.attentionFactor = parameters.yarnFactor();
    scaling(RopeScalingKind::Yarn, original(), numbers);
  } else if (type == "llama3") {
    RopeNumbers numbers;
    numbers.low = parameters.number("low_freq_factor");
    numbers.high = parameters.number("high_freq_factor");
    scaling(RopeScalingKind::Llama3, parameters.size("original_max_position_embeddings"), numbers);
  } else if (type != "default") {
    parameters.fail(parameters.has("rope_type") ? "rope_type" : "type",
                    "default, dynamic, linear, llama3 or yarn");
  }
  if (message.empty())
    message = parameters.message;
  return options;
}
