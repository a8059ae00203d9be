#include "forge/Generate/EndOfText.h"

#include "forge/Checkpoint/Gguf.h"
#include "forge/Checkpoint/Json.h"

#include <algorithm>
#include <filesystem>

using namespace forge;
using nlohmann::json;
namespace fs = std::filesystem;

/// The tokens of a key, a number or several; none without the key.
static Result<std::set<int32_t>> tokensOf(const json &object, const char *key) {
  std::set<int32_t> tokens;
  auto found = object.find(key);
  if (found == object.end() || found->is_null())
    return tokens;
  for (const json &value : found->is_array() ? *found : json::array({*found})) {
    std::optional<int64_t> number = naturalNumber(value);
    if (!number || *number > INT32_MAX)
      return Error{std::string(key) + ": expected tokens from 0 to 2^31 - 1, but got " +
                   briefText(*found)};
    tokens.insert(static_cast<int32_t>(*number));
  }
  return tokens;
}

/// By a key of GGUF's metadata, which has the vocabulary, too: each token is in that.
static Result<std::set<int32_t>> tokensInVocabulary(const json &metadata, const char *key) {
  Result<std::set<int32_t>> tokens = tokensOf(metadata, key);
  auto vocabulary = metadata.find("tokenizer.ggml.tokens");
  if (!tokens || tokens->empty() || vocabulary == metadata.end())
    return tokens;
  if (static_cast<size_t>(*tokens->rbegin()) >= vocabulary->size())
    return Error{std::string(key) + ": expected a token below " +
                 std::to_string(vocabulary->size()) + ", but got " +
                 std::to_string(*tokens->rbegin())};
  return tokens;
}

/// By the keys of GGUF's metadata.
static Result<GenerationTokens> tokensOfGguf(const std::string &path) {
  Result<json> metadata = readGgufMetadata(path);
  if (!metadata)
    return metadata.error();
  GenerationTokens result;
  for (const char *key : {"tokenizer.ggml.eos_token_id", "tokenizer.ggml.eot_token_id"}) {
    Result<std::set<int32_t>> tokens = tokensInVocabulary(*metadata, key);
    if (!tokens)
      return Error{path + ": " + tokens.error().message};
    result.ends.merge(*tokens);
  }
  Result<std::set<int32_t>> padding =
      tokensInVocabulary(*metadata, "tokenizer.ggml.padding_token_id");
  if (!padding)
    return Error{path + ": " + padding.error().message};
  if (padding->size() == 1 && !result.ends.contains(*padding->begin()))
    result.padding = *padding->begin();
  return result;
}

Result<GenerationTokens> forge::readGenerationTokens(const std::string &folder) {
  if (isGgufFile(folder))
    return tokensOfGguf(folder);
  std::string path = (fs::path(folder) / "generation_config.json").string();
  std::error_code ignored;
  if (!fs::exists(path, ignored))
    path = (fs::path(folder) / "config.json").string();
  Result<json> object = readJsonObject(path);
  if (!object)
    return object.error();
  Result<std::set<int32_t>> ends = tokensOf(*object, "eos_token_id"),
                            padding = tokensOf(*object, "pad_token_id");
  for (const Result<std::set<int32_t>> *tokens : {&ends, &padding})
    if (!*tokens)
      return Error{path + ": " + tokens->error().message};
  GenerationTokens result{*ends, std::nullopt};
  if (padding->size() == 1 && !ends->contains(*padding->begin()))
    result.padding = *padding->begin();
  return result;
}

StopStrings::StopStrings(std::vector<std::string> given) : strings(std::move(given)) {
  std::erase(strings, "");
}

std::string StopStrings::add(const std::string &text) {
  if (found)
    return "";
  held += text;
  size_t end = std::string::npos;
  for (const std::string &string : strings)
    end = std::min(end, held.find(string));
  found = end != std::string::npos;
  if (!found) {
    // What a stop string may start with waits for what comes next.
    end = held.size();
    for (const std::string &string : strings)
      for (size_t length = std::min(string.size() - 1, held.size()); length > 0; --length)
        if (held.ends_with(std::string_view(string).substr(0, length))) {
          end = std::min(end, held.size() - length);
          break;
        }
  }
  std::string before = held.substr(0, end);
  held.erase(0, end);
  return before;
}

std::string StopStrings::finish() { return found ? "" : std::exchange(held, ""); }
