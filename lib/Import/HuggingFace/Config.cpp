#include "Config.h"

#include <cmath>
#include <limits>

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

int64_t Config::layers(const char *key) {
  constexpr int64_t most = 4096;
  int64_t number = size(key);
  if (number <= most)
    return number;
  fail(key, "at most " + std::to_string(most) + " layers");
  return 1;
}

std::optional<int64_t> Config::natural(const char *key) {
  const json *value = find(key);
  if (!value)
    return std::nullopt;
  std::optional<int64_t> number = naturalNumber(*value);
  if (!number)
    fail(key, "a number from 0 on");
  return number;
}

double Config::number(const char *key, std::optional<double> otherwise) {
  const json *value = find(key);
  if (!value && otherwise)
    return *otherwise;
  if (value && value->is_number() && std::isfinite(static_cast<float>(value->get<double>())))
    return value->get<double>();
  fail(key, "a finite number of f32");
  return 1;
}

double Config::epsilon(const char *key, double otherwise) {
  double value = number(key, otherwise);
  if (!(value >= 0))
    fail(key, "a number from 0 on");
  return value;
}

std::optional<double> Config::positive(const char *key) {
  if (!has(key))
    return std::nullopt;
  double value = number(key);
  if (!(static_cast<float>(value) >= std::numeric_limits<float>::min()))
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

HiddenActivation Config::activation(const char *key, const char *otherwise) {
  std::optional<HiddenActivation> found = findActivation(text(key, otherwise));
  if (!found)
    fail(key, activationNames());
  return found.value_or(ActivationKind::Silu);
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
