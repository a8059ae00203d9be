#include "forge/Tokenizer/Tokenizer.h"

#include "forge/Checkpoint/Json.h"
#include "forge/Support/AtomicFile.h"
#include "forge/Support/ScratchFolder.h"
#include "forge/Tokenizer/TextStream.h"

#include <gtest/gtest.h>

using namespace forge;
using nlohmann::json;

static std::string problemOfTokenizer(const std::string &text) {
  Result<Tokenizer> made = Tokenizer::parse(text);
  return made ? "" : made.error().message;
}

/// A file with a vocabulary of bytes "a" and "b", and what is given besides.
static std::string fileWith(const std::string &members, const std::string &model = "") {
  return R"({"model":{"type":"BPE","vocab":{"a":0,"b":1,"ab":2},"merges":[["a","b"]])" + model +
         "}" + members + "}";
}

namespace {
/// Inputs/NAME.json: a tokenizer.json that the tokenizers library 0.23 has made, and its answers.
class Families : public testing::TestWithParam<std::string> {};
} // namespace

TEST_P(Families, AnswerAsTheTokenizersLibrary) {
  Result<json> file = readJsonObject(FORGE_TOKENIZER_INPUTS "/" + GetParam() + ".json");
  ASSERT_TRUE(file) << file.error().message;
  Result<Tokenizer> tokenizer = Tokenizer::parse((*file)["tokenizer"].dump());
  ASSERT_TRUE(tokenizer) << tokenizer.error().message;
  ASSERT_FALSE((*file)["cases"].empty());
  for (const json &expected : (*file)["cases"]) {
    std::string text = expected["text"];
    SCOPED_TRACE(expected["text"].dump());
    std::vector<int32_t> ids = expected["ids"];
    EXPECT_EQ(*tokenizer->encode(text), ids);
    EXPECT_EQ(*tokenizer->encode(text, /*addSpecial=*/false),
              std::vector<int32_t>(expected["plain"]));
    EXPECT_EQ(*tokenizer->decode(ids), std::string(expected["decoded"]));
    EXPECT_EQ(*tokenizer->decode(ids, /*skipSpecial=*/true), std::string(expected["skipped"]));
    // Token by token it is the same text.
    TextStream stream(*tokenizer);
    std::string streamed;
    for (int32_t id : ids)
      streamed += *stream.add(id);
    streamed += *stream.finish();
    EXPECT_EQ(streamed, std::string(expected["decoded"]));
  }
}

INSTANTIATE_TEST_SUITE_P(Tokenizer, Families,
                         testing::Values("gpt2", "llama3", "qwen2", "deepseek", "llama2",
                                         "metaspace", "gemma", "bert", "words", "suffix", "unigram",
                                         "unigram_bytes"),
                         [](const auto &info) { return info.param; });

TEST(Tokenizer, RefusesWhatItDoesNotKnow) {
  EXPECT_EQ(problemOfTokenizer("[]"), "expected a JSON object, but got []");
  EXPECT_EQ(problemOfTokenizer("{}"), "model: expected an object, but got none");
  EXPECT_EQ(problemOfTokenizer(R"({"model":{"type":"Words","vocab":{}}})"),
            "model.type: expected BPE, Unigram or WordPiece, but got \"Words\"");
  EXPECT_EQ(problemOfTokenizer(fileWith(R"(,"normalizer":{"type":"Nmt2"})")).substr(0, 37),
            "normalizer.type: expected Sequence, B");
  EXPECT_EQ(problemOfTokenizer(
                fileWith(R"(,"normalizer":{"type":"Sequence","normalizers":[{"type":"NFC"},)"
                         R"({"type":"Replace","pattern":{"Regex":"("},"content":""}]})")),
            "normalizer.normalizers[1].pattern.Regex: expected a regular expression "
            "(U_REGEX_MISMATCHED_PAREN), but got \"(\"");
  EXPECT_EQ(
      problemOfTokenizer(fileWith(R"(,"pre_tokenizer":{"type":"Split","pattern":{"String":" "},)"
                                  R"("behavior":"Kept"})")),
      "pre_tokenizer.behavior: expected Removed, Isolated, MergedWithPrevious, "
      "MergedWithNext or Contiguous, but got \"Kept\"");
  EXPECT_EQ(
      problemOfTokenizer(fileWith(R"(,"post_processor":{"type":"TemplateProcessing","single":[)"
                                  R"({"SpecialToken":{"id":"<s>"}},{"Sequence":{"id":"A"}}],)"
                                  R"("special_tokens":{}})")),
      "post_processor.single[0].SpecialToken.id: expected a key of special_tokens, but got "
      "\"<s>\"");
  EXPECT_EQ(problemOfTokenizer(fileWith(R"(,"decoder":{"type":"Strip","content":"","start":1})")),
            "decoder.content: expected a character, but got \"\"");
}

TEST(Tokenizer, ChecksIds) {
  EXPECT_EQ(problemOfTokenizer(R"({"model":{"type":"BPE","vocab":{"a":0,"b":0},"merges":[]}})"),
            "model.vocab[\"b\"]: expected an id that \"a\" does not have, but got 0");
  EXPECT_EQ(problemOfTokenizer(R"({"model":{"type":"BPE","vocab":{"a":2147483648},"merges":[]}})"),
            "model.vocab[\"a\"]: expected a whole number from 0 to 2^31 - 1, but got 2147483648");
  EXPECT_EQ(problemOfTokenizer(R"({"model":{"type":"BPE","vocab":{"a":0},"merges":["a a"]}})"),
            "model.merges[0]: expected tokens of model.vocab that join to one, but got \"a a\"");
  EXPECT_EQ(problemOfTokenizer(R"({"model":{"type":"BPE","vocab":{"a":0},"merges":["aa"]}})"),
            "model.merges[0]: expected two tokens with a space between them, but got \"aa\"");
  EXPECT_EQ(problemOfTokenizer(fileWith("", R"(,"unk_token":"<unk>")")),
            "model.unk_token: expected a token of model.vocab, but got \"<unk>\"");
  EXPECT_EQ(problemOfTokenizer(fileWith("", R"(,"dropout":0.1)")),
            "model.dropout: expected null, but got 0.1");
  EXPECT_EQ(problemOfTokenizer(fileWith(R"(,"added_tokens":[{"id":1,"content":"c"}])")),
            "added_tokens[0].id: expected the id of \"c\" in model.vocab, but got 1");
  EXPECT_EQ(problemOfTokenizer(
                fileWith(R"(,"added_tokens":[{"id":7,"content":"c"},{"id":7,"content":"d"}])")),
            "added_tokens[1].id: expected an id that no other added token has, but got 7");
  EXPECT_EQ(problemOfTokenizer(fileWith(R"(,"added_tokens":[{"id":7,"content":""}])")),
            "added_tokens[0].content: expected text, but got \"\"");
}

/// A Unigram model with this vocabulary, and what is given besides.
static std::string unigramWith(const std::string &vocabulary, const std::string &members = "") {
  return R"({"model":{"type":"Unigram","vocab":)" + vocabulary + members + "}}";
}

TEST(Tokenizer, TakesTheMostLikelyTokens) {
  using Ids = std::vector<int32_t>;
  Result<Tokenizer> made = Tokenizer::parse(unigramWith(
      R"([["?",0],["a",-1],["ab",-3],["b",-2.5],["abc",-9],["c",-1],["",0],["a",-1.5]])",
      R"(,"unk_id":0)"));
  ASSERT_TRUE(made) << made.error().message;
  EXPECT_EQ(*made->encode("ab"), Ids{2});                 // -3 is more than -1.5 - 2.5
  EXPECT_EQ(*made->encode("abc"), (Ids{2, 5}));           // -4 is more than -9
  EXPECT_EQ(*made->encode("aa"), (Ids{7, 7}));            // the last of one text
  EXPECT_EQ(*made->encode("axyzb"), (Ids{7, 0, 3}));      // unknown ones are one
  EXPECT_EQ(*made->encode("x\xe4\xb8\xad?y?"), (Ids{0})); // "?" is the unknown token itself
  EXPECT_EQ(*made->encode(""), Ids{});
  EXPECT_EQ(*made->decode({2, 5}), "ab c");

  made = Tokenizer::parse(unigramWith(R"([["a",-1]])"));
  ASSERT_TRUE(made) << made.error().message;
  EXPECT_EQ(*made->encode("aa"), (Ids{0, 0}));
  EXPECT_EQ(made->encode("ab").error().message,
            "expected characters of the vocabulary, which has no unknown token, but got 'b'");
}

TEST(Tokenizer, ChecksUnigramModels) {
  EXPECT_EQ(problemOfTokenizer(unigramWith("[]")),
            "model.vocab: expected a token and its score, but got []");
  EXPECT_EQ(problemOfTokenizer(unigramWith("{}")), "model.vocab: expected an array, but got {}");
  EXPECT_EQ(problemOfTokenizer(unigramWith(R"([["a",-1],["b"]])")),
            "model.vocab[1]: expected a token and its score, but got [\"b\"]");
  EXPECT_EQ(problemOfTokenizer(unigramWith(R"([["a",-1],[1,-1]])")),
            "model.vocab[1]: expected a token and its score, but got [1,-1]");
  EXPECT_EQ(problemOfTokenizer(unigramWith(R"([["a",-1]])", R"(,"unk_id":1)")),
            "model.unk_id: expected an id of model.vocab, but got 1");
  EXPECT_EQ(
      problemOfTokenizer(
          fileWith(R"(,"normalizer":{"type":"Precompiled","precompiled_charsmap":"AAA"})")),
      "normalizer.precompiled_charsmap: expected rules of SentencePiece (expected base64), but "
      "got \"AAA\"");
  EXPECT_EQ(
      problemOfTokenizer(
          fileWith(R"(,"normalizer":{"type":"Precompiled","precompiled_charsmap":"AAAA"})")),
      "normalizer.precompiled_charsmap: expected rules of SentencePiece (expected 5 to 16777216 "
      "bytes, but got 3), but got \"AAAA\"");
}

TEST(Tokenizer, ReadsLlamaTokenizersAsTransformersFive) {
  ScratchFolder folder = std::move(*ScratchFolder::create("forge-tokenizer"));
  EXPECT_EQ(Tokenizer::loadFolder(folder.path()).error().message,
            folder.path() + "/tokenizer.json: cannot open: No such file or directory");
  std::string normalizer =
      R"(,"normalizer":{"type":"Sequence","normalizers":[{"type":"Prepend","prepend":"\u2581"},)"
      R"({"type":"Replace","pattern":{"String":" "},"content":"\u2581"}]})";
  auto write = [&](const char *name, const std::string &text) {
    ASSERT_TRUE(writeFileAtomically(folder.file(name), text));
  };
  auto ids = [&](const std::string &text) {
    return *Tokenizer::loadFolder(folder.path())->encode(text);
  };
  using Ids = std::vector<int32_t>;
  write("tokenizer.json",
        R"({"model":{"type":"BPE","byte_fallback":true,"unk_token":"?","vocab":{"?":0,"a":1,)"
        R"("\u2581":2},"merges":[]})" +
            normalizer + "}");
  // As the file says: a mark in front, and an unknown token.
  EXPECT_EQ(ids(" ab"), (Ids{2, 2, 1, 0}));
  write("tokenizer_config.json", R"({"tokenizer_class":"LlamaTokenizer"})");
  EXPECT_EQ(ids(" ab"), (Ids{2, 1}));
  EXPECT_EQ(ids("ab"), (Ids{2, 1}));
  EXPECT_EQ(*Tokenizer::loadFolder(folder.path())->decode({2, 1, 2, 1}), "a a");
  write("tokenizer_config.json",
        R"({"tokenizer_class":"LlamaTokenizer","add_prefix_space":false})");
  EXPECT_EQ(ids("ab"), Ids{1});
  EXPECT_EQ(*Tokenizer::loadFolder(folder.path())->decode({2, 1}), " a");
  // Other classes take the file as it is.
  write("tokenizer_config.json", R"({"tokenizer_class":"PreTrainedTokenizerFast"})");
  EXPECT_EQ(ids(" ab"), (Ids{2, 2, 1, 0}));
  write("tokenizer_config.json", "[");
  EXPECT_EQ(Tokenizer::loadFolder(folder.path()).error().message,
            folder.path() + "/tokenizer_config.json: not valid JSON at line 1, column 1");
}

TEST(Tokenizer, RefusesTextThatIsNoUTF8) {
  Result<Tokenizer> tokenizer = Tokenizer::parse(fileWith(""));
  ASSERT_TRUE(tokenizer) << tokenizer.error().message;
  EXPECT_EQ(*tokenizer->encode("abb"), (std::vector<int32_t>{2, 1}));
  EXPECT_EQ(tokenizer->encode("a\xff").error().message, "expected text in UTF-8");
  // Ids that have no token have no text.
  EXPECT_EQ(*tokenizer->decode({0, 99, -1, 1}), "a b");
  EXPECT_EQ(tokenizer->idLimit(), 3);
}

TEST(Tokenizer, BoundsTheTextThatNormalizersMake) {
  std::string normalizers;
  for (int i = 0; i < 8; ++i)
    normalizers += std::string(i > 0 ? "," : "") +
                   R"({"type":"Replace","pattern":{"String":"a"},"content":")" +
                   std::string(100, 'a') + "\"}";
  Result<Tokenizer> tokenizer = Tokenizer::parse(
      fileWith(R"(,"normalizer":{"type":"Sequence","normalizers":[)" + normalizers + "]}"));
  ASSERT_TRUE(tokenizer) << tokenizer.error().message;
  EXPECT_EQ(tokenizer->encode("a").error().message,
            "expected at most 16777216 bytes of text after normalization");
}
