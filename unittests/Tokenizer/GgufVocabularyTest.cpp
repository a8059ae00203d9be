#include "forge/Tokenizer/Tokenizer.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <cmath>
#include <cstring>

using namespace forge;
using nlohmann::json;

template <typename T> static std::string stored(T value) {
  return std::string(reinterpret_cast<const char *>(&value), sizeof value);
}
static std::string stored(const std::string &text) { return stored(uint64_t(text.size())) + text; }

/// A value with its type: u32, f32, bool, string, and lists of i32, f32 and strings.
static std::string typed(const json &value) {
  if (value.is_boolean())
    return stored(7U) + stored(value.get<bool>());
  if (value.is_string())
    return stored(8U) + stored(value.get<std::string>());
  if (!value.is_array())
    return stored(4U) + stored(value.get<uint32_t>());
  bool isText = value.empty() || value[0].is_string(),
       isFloat = !isText && value[0].is_number_float();
  std::string bytes = stored(9U) +
                      stored(isText    ? 8U
                             : isFloat ? 6U
                                       : 5U) +
                      stored(uint64_t(value.size()));
  for (const json &element : value)
    bytes += isText    ? stored(element.get<std::string>())
             : isFloat ? stored(element.get<float>())
                       : stored(element.get<int32_t>());
  return bytes;
}

/// A file of these keys behind "tokenizer.ggml.", and no tensors.
static std::string fileOf(const json &keys) {
  std::string bytes = "GGUF" + stored(3U) + stored(uint64_t(0)) + stored(uint64_t(keys.size()));
  for (const auto &[key, value] : keys.items())
    bytes += stored("tokenizer.ggml." + key) + typed(value);
  return bytes;
}

static json bytesVocabulary() {
  return {{"model", "gpt2"}, {"tokens", {"a", "b", "ab"}}, {"merges", {"a b"}}};
}
static json pieces() {
  return {{"model", "llama"},
          {"tokens", {"<unk>", "<s>", "\u2581", "a", "\u2581a"}},
          {"token_type", {2, 3, 1, 1, 1}},
          {"scores", {0.0, 0.0, -3.0, -2.0, -1.0}},
          {"bos_token_id", 1}};
}

/// The problem of `keys` with one of another value; a null value is no such key.
static std::string problemOfVocabulary(json keys, const char *key, const json &value) {
  keys[key] = value;
  if (value.is_null())
    keys.erase(key);
  Result<Tokenizer> made = Tokenizer::parseGguf(fileOf(keys));
  return made ? "" : made.error().message;
}

TEST(GgufVocabulary, IsATokenizer) {
  using Ids = std::vector<int32_t>;
  Result<Tokenizer> bytes = Tokenizer::parseGguf(fileOf(bytesVocabulary()));
  ASSERT_TRUE(bytes) << bytes.error().message;
  EXPECT_EQ(*bytes->encode("aba"), (Ids{2, 0}));
  Result<Tokenizer> sentences = Tokenizer::parseGguf(fileOf(pieces()));
  ASSERT_TRUE(sentences) << sentences.error().message;
  EXPECT_EQ(*sentences->encode("a a"), (Ids{1, 4, 4}));
  EXPECT_EQ(*sentences->decode({1, 4, 4}, /*skipSpecial=*/true), "a a");
}

TEST(GgufVocabulary, NamesTheKeyThatLies) {
  std::string name = "tokenizer.ggml.";
  EXPECT_EQ(Tokenizer::parseGguf("GGUX").error().message.substr(0, 30),
            "expected the magic number GGUF");
  EXPECT_EQ(problemOfVocabulary(pieces(), "model", "rwkv"),
            name + "model: expected gpt2 or llama, but got \"rwkv\"");
  EXPECT_EQ(problemOfVocabulary(pieces(), "model", nullptr),
            name + "model: expected a text, but got none");
  EXPECT_EQ(problemOfVocabulary(pieces(), "tokens", nullptr),
            name + "tokens: expected a list of texts, but got none");
  EXPECT_EQ(problemOfVocabulary(pieces(), "tokens", {"a", "b", "a", "c", "d"}),
            name + "tokens[2]: expected a token that is given once, but got \"a\"");
  for (const std::string &token : {std::string(), std::string(1025, 'a'), std::string("\xff")})
    EXPECT_EQ(problemOfVocabulary(pieces(), "tokens", {"a", token, "b", "c", "d"}).substr(0, 73),
              name + "tokens[1]: expected 1 to 1024 bytes of text in UTF-8, but ");
  EXPECT_EQ(problemOfVocabulary(pieces(), "token_type", {1, 2}),
            name + "token_type: expected a number for each token, but got [1,2]");
  EXPECT_EQ(problemOfVocabulary(pieces(), "scores", {0.5}),
            name + "scores: expected a number for each token, but got [0.5]");
  EXPECT_EQ(problemOfVocabulary(pieces(), "scores", {0.0, 0.0, 0.0, NAN, 0.0}),
            name + "scores[3]: expected a finite number, but got null");
  EXPECT_EQ(problemOfVocabulary(pieces(), "bos_token_id", 5),
            name + "bos_token_id: expected a token below 5, but got 5");
  EXPECT_EQ(problemOfVocabulary(pieces(), "add_space_prefix", 1),
            name + "add_space_prefix: expected true or false, but got 1");
  EXPECT_EQ(problemOfVocabulary(bytesVocabulary(), "pre", "tekken"),
            name + "pre: expected gpt-2, llama-bpe, qwen2 or smollm, but got \"tekken\"");
  EXPECT_EQ(problemOfVocabulary(bytesVocabulary(), "merges", {"a b", "a  b"}),
            name + "merges[1]: expected two tokens with a space between them, but got \"a  b\"");
  EXPECT_EQ(
      problemOfVocabulary(bytesVocabulary(), "merges", {"b a"}),
      name +
          "merges[0]: expected tokens of tokenizer.ggml.tokens that join to one, but got \"b a\"");
}
