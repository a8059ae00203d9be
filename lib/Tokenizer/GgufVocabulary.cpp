#include "GgufVocabulary.h"

#include "Stages.h"
#include "Unicode.h"

#include "forge/Checkpoint/Json.h"

#include <algorithm>
#include <cmath>
#include <unordered_map>
#include <unordered_set>

using namespace forge;
using namespace forge::tokenizer;
using nlohmann::json;

namespace {
/// Kinds of tokens (llama.cpp's llama_token_type).
enum TokenType : int64_t { kNormal = 1, kUnknown = 2, kControl = 3, kUserDefined = 4 };

struct GgufTokens {
  std::vector<std::string> tokens;
  std::vector<int64_t> types;
  std::vector<double> scores;
};

/// Reads keys behind "tokenizer.ggml."; the first problem is remembered.
class Keys {
public:
  explicit Keys(const json &metadata) : metadata(metadata) {}

  const json *find(const std::string &key) const {
    auto found = metadata.find("tokenizer.ggml." + key);
    return found == metadata.end() ? nullptr : &*found;
  }
  void fail(const std::string &key, const std::string &expected) {
    const json *value = find(key);
    if (message.empty())
      message = "tokenizer.ggml." + key + ": expected " + expected + ", but got " +
                (value ? briefText(*value) : "none");
  }
  std::string text(const std::string &key, const char *otherwise) {
    const json *value = find(key);
    if (value && value->is_string())
      return value->get<std::string>();
    if (value || !otherwise)
      fail(key, "a text");
    return otherwise ? otherwise : "";
  }
  bool flag(const std::string &key, bool otherwise) {
    const json *value = find(key);
    if (value && !value->is_boolean())
      fail(key, "true or false");
    return value && value->is_boolean() ? value->get<bool>() : otherwise;
  }
  /// A token's number; none without the key.
  std::optional<size_t> token(const std::string &key, const GgufTokens &vocabulary) {
    const json *value = find(key);
    std::optional<int64_t> number = value ? naturalNumber(*value) : std::nullopt;
    if (value && (!number || static_cast<uint64_t>(*number) >= vocabulary.tokens.size())) {
      fail(key, "a token below " + std::to_string(vocabulary.tokens.size()));
      return std::nullopt;
    }
    return number;
  }
  /// A list of `size` elements, or of any number; empty without the key.
  template <typename T>
  std::vector<T> list(const std::string &key, bool (json::*is)() const noexcept,
                      std::optional<size_t> size, const char *expected) {
    const json *value = find(key);
    if (!value)
      return {};
    if (!value->is_array() || (size && value->size() != *size) ||
        !std::ranges::all_of(*value, [&](const json &element) { return (element.*is)(); })) {
      fail(key, expected);
      return {};
    }
    return value->get<std::vector<T>>();
  }
  /// The same about an element of a list.
  void failAt(const std::string &key, size_t element, const std::string &expected) {
    if (message.empty())
      message = "tokenizer.ggml." + key + "[" + std::to_string(element) + "]: expected " +
                expected + ", but got " + briefText((*find(key))[element]);
  }
  const std::string &error() const { return message; }

private:
  const json &metadata;
  std::string message;
};
} // namespace

/// Tokens are looked up by their text, and all pairs of parts of them.
static void checkTokens(Keys &keys, const GgufTokens &vocabulary) {
  constexpr size_t mostBytes = 1024;
  std::unordered_set<std::string_view> seen;
  for (size_t id = 0; id < vocabulary.tokens.size() && keys.error().empty(); ++id) {
    const std::string &token = vocabulary.tokens[id];
    if (token.empty() || token.size() > mostBytes || !isUTF8(token))
      keys.failAt("tokens", id, "1 to 1024 bytes of text in UTF-8");
    else if (!seen.insert(token).second)
      keys.failAt("tokens", id, "a token that is given once");
    else if (!std::isfinite(vocabulary.scores[id]))
      keys.failAt("scores", id, "a finite number");
  }
}

static GgufTokens readVocabulary(Keys &keys) {
  GgufTokens vocabulary;
  vocabulary.tokens =
      keys.list<std::string>("tokens", &json::is_string, std::nullopt, "a list of texts");
  size_t size = vocabulary.tokens.size();
  if (size == 0)
    keys.fail("tokens", "a list of texts");
  vocabulary.types =
      keys.list<int64_t>("token_type", &json::is_number_integer, size, "a number for each token");
  vocabulary.types.resize(size, kNormal);
  vocabulary.scores =
      keys.list<double>("scores", &json::is_number, size, "a number for each token");
  vocabulary.scores.resize(size, 0);
  checkTokens(keys, vocabulary);
  return vocabulary;
}

/// Where each byte of a character after the first one is.
static bool isInside(char byte) { return (static_cast<unsigned char>(byte) & 0xC0) == 0x80; }

namespace {
struct Merge {
  size_t left, right, whole;
};
} // namespace

/// Pairs of tokens that make a token, those of the highest score first, as transformers makes them
/// of a SentencePiece model (its generate_merges).
static json mergesOf(const GgufTokens &vocabulary) {
  std::unordered_map<std::string_view, size_t> ids;
  for (size_t id = 0; id < vocabulary.tokens.size(); ++id)
    ids.emplace(vocabulary.tokens[id], id);
  std::vector<Merge> merges;
  for (size_t whole = 0; whole < vocabulary.tokens.size(); ++whole) {
    std::string_view token = vocabulary.tokens[whole];
    size_t first = merges.size();
    for (size_t at = 1; at < token.size(); ++at) {
      if (isInside(token[at]))
        continue;
      auto left = ids.find(token.substr(0, at)), right = ids.find(token.substr(at));
      if (left != ids.end() && right != ids.end())
        merges.push_back({left->second, right->second, whole});
    }
    std::sort(merges.begin() + static_cast<ptrdiff_t>(first), merges.end(),
              [](const Merge &a, const Merge &b) {
                return std::pair(a.left, a.right) < std::pair(b.left, b.right);
              });
  }
  std::ranges::stable_sort(merges, [&](const Merge &a, const Merge &b) {
    return vocabulary.scores[a.whole] > vocabulary.scores[b.whole];
  });
  json list = json::array();
  for (const Merge &merge : merges)
    list.push_back({vocabulary.tokens[merge.left], vocabulary.tokens[merge.right]});
  return list;
}

/// How text is divided before bytes are merged (llama.cpp's llm_tokenizer_bpe); null where the name
/// is not known.
static json preTokenizerOf(const std::string &name) {
  json bytes = {{"type", "ByteLevel"},
                {"add_prefix_space", false},
                {"trim_offsets", true},
                {"use_regex", true}};
  if (name == "gpt-2")
    return bytes;
  auto sequence = [](json first, json second) {
    return json{{"type", "Sequence"}, {"pretokenizers", {std::move(first), std::move(second)}}};
  };
  if (name == "smollm")
    return sequence({{"type", "Digits"}, {"individual_digits", true}}, bytes);
  if (name != "llama-bpe" && name != "qwen2")
    return nullptr;
  std::string digits = name == "qwen2" ? R"(\p{N})" : R"(\p{N}{1,3})";
  std::string pattern = R"((?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|)" + digits +
                        R"(| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+)";
  bytes["use_regex"] = false;
  return sequence({{"type", "Split"},
                   {"pattern", {{"Regex", pattern}}},
                   {"behavior", "Isolated"},
                   {"invert", false}},
                  bytes);
}

static json bpeModel(const GgufTokens &vocabulary, json merges) {
  json ids = json::object();
  for (size_t id = 0; id < vocabulary.tokens.size(); ++id)
    ids[vocabulary.tokens[id]] = id;
  return {{"type", "BPE"},
          {"vocab", std::move(ids)},
          {"merges", std::move(merges)},
          {"dropout", nullptr},
          {"unk_token", nullptr},
          {"continuing_subword_prefix", nullptr},
          {"end_of_word_suffix", nullptr}};
}

static void describeBytes(Keys &keys, const GgufTokens &vocabulary, json &file) {
  std::string pre = keys.text("pre", "gpt-2");
  file["pre_tokenizer"] = preTokenizerOf(pre);
  if (file["pre_tokenizer"].is_null())
    keys.fail("pre", "gpt-2, llama-bpe, qwen2 or smollm");
  file["decoder"] = {{"type", "ByteLevel"},
                     {"add_prefix_space", true},
                     {"trim_offsets", true},
                     {"use_regex", true}};
  file["model"] = bpeModel(vocabulary, keys.list<std::string>("merges", &json::is_string,
                                                              std::nullopt, "a list of texts"));
  file["model"]["ignore_merges"] = pre == "llama-bpe";
}

/// Spaces are marked, one more in front of the text, also where that begins with one; characters
/// without a token are their bytes.
static void describeSentencePiece(Keys &keys, const GgufTokens &vocabulary, json &file) {
  bool prefix = keys.flag("add_space_prefix", true);
  json mark = {{"type", "Replace"}, {"pattern", {{"String", " "}}}, {"content", kSpaceMark}};
  json first = {{"type", "Prepend"}, {"prepend", kSpaceMark}};
  json both = {{"type", "Sequence"}, {"normalizers", {first, mark}}};
  file["normalizer"] = prefix ? both : mark;
  file["pre_tokenizer"] = nullptr;
  json decoders = {{{"type", "Replace"}, {"pattern", {{"String", kSpaceMark}}}, {"content", " "}},
                   {{"type", "ByteFallback"}},
                   {{"type", "Fuse"}}};
  if (prefix)
    decoders.push_back({{"type", "Strip"}, {"content", " "}, {"start", 1U}, {"stop", 0U}});
  file["decoder"] = {{"type", "Sequence"}, {"decoders", std::move(decoders)}};
  file["model"] = bpeModel(vocabulary, mergesOf(vocabulary));
  file["model"]["byte_fallback"] = true;
  file["model"]["fuse_unk"] = true;
}

/// What is put around a text.
static json postProcessorOf(Keys &keys, const GgufTokens &vocabulary, bool usesBegin) {
  auto token = [&](const char *flag, const char *key, bool otherwise) -> std::optional<size_t> {
    return keys.flag(flag, otherwise) ? keys.token(key, vocabulary) : std::nullopt;
  };
  std::optional<size_t> begin = token("add_bos_token", "bos_token_id", usesBegin),
                        end = token("add_eos_token", "eos_token_id", false);
  if (!begin && !end)
    return nullptr;
  json single = json::array(), special = json::object();
  auto add = [&](std::optional<size_t> id) {
    if (!id)
      return;
    const std::string &name = vocabulary.tokens[*id];
    single.push_back({{"SpecialToken", {{"id", name}, {"type_id", 0}}}});
    special[name] = {{"id", name}, {"ids", {*id}}, {"tokens", {name}}};
  };
  add(begin);
  single.push_back({{"Sequence", {{"id", "A"}, {"type_id", 0}}}});
  add(end);
  return {{"type", "TemplateProcessing"},
          {"single", std::move(single)},
          {"pair", json::array()},
          {"special_tokens", std::move(special)}};
}

Result<json> tokenizer::describeGguf(const json &metadata) {
  Keys keys(metadata);
  GgufTokens vocabulary = readVocabulary(keys);
  if (!keys.error().empty())
    return Error{keys.error()};
  json added = json::array();
  for (size_t id = 0; id < vocabulary.tokens.size(); ++id)
    if (vocabulary.types[id] == kControl || vocabulary.types[id] == kUserDefined ||
        vocabulary.types[id] == kUnknown)
      added.push_back({{"id", id},
                       {"content", vocabulary.tokens[id]},
                       {"single_word", false},
                       {"lstrip", false},
                       {"rstrip", false},
                       {"normalized", false},
                       {"special", vocabulary.types[id] != kUserDefined}});
  json file = {{"added_tokens", std::move(added)}, {"normalizer", nullptr}};
  std::string model = keys.text("model", nullptr);
  if (model == "gpt2")
    describeBytes(keys, vocabulary, file);
  else if (model == "llama")
    describeSentencePiece(keys, vocabulary, file);
  else
    keys.fail("model", "gpt2 or llama");
  // Where the file does not say, as llama.cpp (its llama-vocab.cpp).
  bool usesBegin = model == "llama" || keys.text("pre", "gpt-2") == "llama-bpe";
  file["post_processor"] = postProcessorOf(keys, vocabulary, usesBegin);
  if (!keys.error().empty())
    return Error{keys.error()};
  return file;
}
