#include "GgufMetadata.h"

#include "forge/Checkpoint/Json.h"

#include <cmath>

using namespace forge;
using namespace forge::huggingface;
using nlohmann::json;

const json *GgufMetadata::find(const std::string &key) const {
  auto found = values.find(architecture + "." + key);
  return found == values.end() ? nullptr : &*found;
}

std::optional<double> GgufMetadata::number(const std::string &key) {
  const json *value = find(key);
  if (!value)
    return std::nullopt;
  if (value->is_number() && std::isfinite(value->get<double>()))
    return value->get<double>();
  fail(key, "a finite number");
  return std::nullopt;
}

std::optional<int64_t> GgufMetadata::size(const std::string &key) {
  const json *value = find(key);
  if (!value)
    return std::nullopt;
  std::optional<int64_t> size = naturalNumber(*value);
  if (size && *size >= 1 && *size <= INT32_MAX)
    return size;
  failSize(key);
  return std::nullopt;
}

void GgufMetadata::failSize(const std::string &key) { fail(key, "a size from 1 to 2^31 - 1"); }

void GgufMetadata::put(const std::string &key, const std::string &name, json &config) {
  size_t dot = name.find('.');
  json &object = dot == std::string::npos ? config : config[name.substr(0, dot)];
  object[name.substr(dot == std::string::npos ? 0 : dot + 1)] = *find(key);
}

void GgufMetadata::number(const std::string &key, const std::string &name, json &config,
                          bool required) {
  derive(name, architecture + "." + key);
  if (number(key))
    put(key, name, config);
  else if (required)
    fail(key, "a finite number");
}

void GgufMetadata::size(const std::string &key, const std::string &name, json &config,
                        bool required) {
  derive(name, architecture + "." + key);
  if (size(key))
    put(key, name, config);
  else if (required)
    failSize(key);
}

std::string GgufMetadata::text(const std::string &key, const char *otherwise) {
  const json *value = find(key);
  if (value && value->is_string())
    return value->get<std::string>();
  if (value)
    fail(key, "a text");
  return otherwise;
}

void GgufMetadata::fail(const std::string &key, const std::string &expected) {
  const json *value = find(key);
  failOf(architecture + "." + key, expected, value ? briefText(*value) : "none");
}

void GgufMetadata::failOf(const std::string &what, const std::string &expected,
                          const std::string &got) {
  if (message.empty())
    message = what + ": expected " + expected + ", but got " + got;
}

/// Where the value under `key` comes from; of a member without an origin, that of the object.
static std::string originOf(const std::string &key,
                            const std::map<std::string, std::string> &origins) {
  for (size_t end = key.size(); end != std::string::npos;
       end = end ? key.rfind('.', end - 1) : std::string::npos)
    if (auto found = origins.find(key.substr(0, end)); found != origins.end())
      return found->second + key.substr(end);
  return key;
}

std::string huggingface::withOrigins(const std::string &message,
                                     const std::map<std::string, std::string> &origins) {
  auto isOfKey = [](char letter) {
    return std::isalnum(static_cast<unsigned char>(letter)) || letter == '_' || letter == '.';
  };
  std::string result;
  for (size_t begin = 0; begin < message.size();) {
    size_t end = begin;
    while (end < message.size() && isOfKey(message[end]))
      ++end;
    std::string word = message.substr(begin, std::max<size_t>(end - begin, 1));
    result += originOf(word, origins);
    begin += word.size();
  }
  return result;
}
