#include "forge/Checkpoint/Json.h"
#include "forge/Checkpoint/MappedFile.h"
#include "forge/Support/AtomicFile.h"
#include "forge/Support/ScratchFolder.h"
#include "forge/Tokenizer/TextStream.h"

#include <gtest/gtest.h>

#include <cmath>

using namespace forge;
using nlohmann::json;

namespace {
constexpr char kMark[] = "\xe2\x96\x81"; // U+2581
using Ids = std::vector<int32_t>;

/// A folder with a tokenizer.model and other files.
class Folder {
public:
  void write(const std::string &name, std::string_view text) {
    ASSERT_TRUE(writeFileAtomically(folder.file(name), std::string(text)));
  }
  void copyModel(const std::string &name) {
    Result<MappedFile> file = MappedFile::open(FORGE_TOKENIZER_INPUTS "/sentencepiece/" + name);
    ASSERT_TRUE(file) << file.error().message;
    write("tokenizer.model", file->bytes());
  }
  Result<Tokenizer> load() const { return Tokenizer::loadFolder(folder.path()); }
  /// Of the error, what is behind the folder's path.
  std::string problem() const {
    Result<Tokenizer> made = load();
    return made ? "" : made.error().message.substr(folder.path().size() + 1);
  }

private:
  ScratchFolder folder = std::move(*ScratchFolder::create("forge-sentencepiece"));
};

/// Inputs/sentencepiece/NAME.json: the files of a folder; ids that transformers 4.57
/// (`use_fast=False`) makes of texts, and the texts that sentencepiece 0.2.3 makes of these.
class SentencePieceFolders : public testing::TestWithParam<std::string> {};
} // namespace

TEST_P(SentencePieceFolders, AnswerAsTransformersAndSentencePiece) {
  Result<json> file =
      readJsonObject(FORGE_TOKENIZER_INPUTS "/sentencepiece/" + GetParam() + ".json");
  ASSERT_TRUE(file) << file.error().message;
  Folder folder;
  folder.copyModel((*file)["model"]);
  if (!(*file)["config"].empty())
    folder.write("tokenizer_config.json", (*file)["config"].dump());
  Result<Tokenizer> tokenizer = folder.load();
  ASSERT_TRUE(tokenizer) << tokenizer.error().message;
  ASSERT_FALSE((*file)["cases"].empty());
  for (const json &expected : (*file)["cases"]) {
    std::string text = expected["text"];
    SCOPED_TRACE(expected["text"].dump());
    Ids ids = expected["ids"];
    EXPECT_EQ(*tokenizer->encode(text), ids);
    EXPECT_EQ(*tokenizer->encode(text, /*addSpecial=*/false), Ids(expected["plain"]));
    EXPECT_EQ(*tokenizer->decode(ids, /*skipSpecial=*/true), std::string(expected["decoded"]));
    // Token by token it is the same text.
    TextStream stream(*tokenizer);
    std::string streamed;
    for (int32_t id : ids)
      streamed += *stream.add(id);
    streamed += *stream.finish();
    EXPECT_EQ(streamed, *tokenizer->decode(ids));
  }
}

INSTANTIATE_TEST_SUITE_P(Tokenizer, SentencePieceFolders,
                         testing::Values("bpe", "unigram", "gemma", "newer", "suffix"),
                         [](const auto &info) { return info.param; });

/// A message of protocol buffers, byte by byte.
static std::string field(int number, const std::string &bytes) {
  std::string text(1, static_cast<char>(number << 3 | 2));
  for (size_t size = bytes.size(); text.size() == 1 || size > 0; size >>= 7)
    text += static_cast<char>((size & 0x7F) | (size > 0x7F ? 0x80 : 0));
  return text + bytes;
}
static std::string number(int field, char value) {
  return std::string(1, static_cast<char>(field << 3)) + value;
}
enum Type : char { kNormal = 1, kUnknown = 2, kControl = 3, kUserDefined = 4 };
static std::string piece(const std::string &text, Type type = kNormal, float score = 0) {
  std::string bits(reinterpret_cast<const char *>(&score), sizeof score);
  return field(1, field(1, text) + "\x15" + bits + number(3, static_cast<char>(type)));
}
/// A trainer_spec, and a piece for what is unknown.
static std::string bpe() { return field(2, number(3, 2)); }
static std::string unk() { return piece("?", kUnknown); }

static std::string problemOfModel(const std::string &model, const std::string &config = "") {
  Folder folder;
  folder.write("tokenizer.model", model);
  if (!config.empty())
    folder.write("tokenizer_config.json", config);
  return folder.problem();
}

TEST(SentencePiece, IsTakenWhereThereIsNoTokenizerJson) {
  Folder folder;
  folder.write("tokenizer.model", unk() + piece("a") + piece(kMark) + bpe());
  Result<Tokenizer> tokenizer = folder.load();
  ASSERT_TRUE(tokenizer) << tokenizer.error().message;
  EXPECT_EQ(*tokenizer->encode("a a"), (Ids{2, 1, 2, 1}));
  EXPECT_EQ(tokenizer->idOf("a"), 1);
  EXPECT_EQ(tokenizer->idLimit(), 3);
  EXPECT_TRUE(tokenizer->isSpecial(0));
  EXPECT_FALSE(tokenizer->isSpecial(1));
  // Ids that have no token have no text.
  EXPECT_EQ(*tokenizer->decode({2, 1, 99, -1, 1}), "aa");
  EXPECT_EQ(tokenizer->encode("a\xff").error().message, "expected text in UTF-8");
  folder.write("tokenizer.json", R"({"model":{"type":"BPE","vocab":{"a":7},"merges":[]}})");
  EXPECT_EQ(*folder.load()->encode("a"), Ids{7});
}

TEST(SentencePiece, RefusesWhatIsNoModel) {
  EXPECT_EQ(problemOfModel(""), "tokenizer.model: pieces: expected one of type UNKNOWN, but got 0");
  EXPECT_EQ(problemOfModel("text"),
            "tokenizer.model: model: expected a message of protocol buffers, but "
            "got 4 other bytes");
  std::string whole = unk() + piece("a") + bpe();
  EXPECT_EQ(problemOfModel(whole), "");
  // Where a message of the file ends too early.
  EXPECT_EQ(problemOfModel(whole.substr(0, unk().size() + 3)),
            "tokenizer.model: model: expected a message of protocol buffers, but got " +
                std::to_string(unk().size() + 3) + " other bytes");
  // Without its last field it is another model; cut off elsewhere it is none.
  for (size_t size = 0; size < whole.size(); ++size)
    EXPECT_EQ(problemOfModel(whole.substr(0, size)).empty(), size == whole.size() - bpe().size())
        << size;
  EXPECT_EQ(problemOfModel(number(1, 1)),
            "tokenizer.model: model, field 1: expected wire type 2, but got 0");
  EXPECT_EQ(problemOfModel(unk() + field(2, number(3, 9))),
            "tokenizer.model: trainer_spec.model_type: expected 1 to 4, but got 9");
  EXPECT_EQ(problemOfModel(unk() + piece("a", Type(7))),
            "tokenizer.model: pieces[1].type: expected 1 to 6, but got 7");
  EXPECT_EQ(problemOfModel(unk() + piece("a") + piece("a")),
            "tokenizer.model: pieces[2].piece: expected a piece that is given once, but got \"a\"");
  EXPECT_EQ(problemOfModel(unk() + piece("a", kNormal, NAN)),
            "tokenizer.model: pieces[1].score: expected a finite number, but got nan");
  for (const std::string &text :
       {std::string(), std::string(5000, 'a'), std::string("a\xff"), std::string("a\0b", 3)})
    EXPECT_EQ(problemOfModel(unk() + piece(text)).substr(0, 54),
              "tokenizer.model: pieces[1].piece: expected 1 to 4096 b");
  EXPECT_EQ(problemOfModel(unk() + unk()),
            "tokenizer.model: pieces[1].piece: expected a piece that is "
            "given once, but got \"?\"");
  EXPECT_EQ(problemOfModel(unk() + piece("a") + field(2, number(3, 2) + "\x98\x02\x01")),
            "tokenizer.model: SentencePiece: there are not 256 byte pieces although "
            "`byte_fallback` is true.");
  EXPECT_EQ(problemOfModel(unk() + piece("a") + field(5, field(2, "rules"))),
            "tokenizer.model: denormalizer_spec.precompiled_charsmap: expected none, but got 5 "
            "bytes");
}

TEST(SentencePiece, BoundsWhatTheLibraryKeepsInArrays) {
  std::string pieces;
  for (int size = 1; size <= 64; ++size)
    pieces += piece(std::string(size, 'u'), kUserDefined);
  EXPECT_EQ(problemOfModel(unk() + pieces + bpe()), "");
  EXPECT_EQ(problemOfModel(unk() + pieces + piece(std::string(65, 'u'), kUserDefined) + bpe()),
            "tokenizer.model: pieces: expected at most 64 of type USER_DEFINED that a text begins "
            "with, but got more");
}

/// Rules with a trie of these first units; the others lead nowhere.
static std::string rulesOf(const std::vector<std::pair<uint32_t, uint32_t>> &units,
                           uint32_t trieSize = 1024,
                           const std::string &replacements = std::string("b\0", 2)) {
  std::vector<uint32_t> trie(trieSize / 4, uint32_t(1) << 31);
  if (!trie.empty())
    trie[0] = 0;
  for (auto [place, unit] : units)
    trie.at(place) = unit;
  std::string text(reinterpret_cast<const char *>(&trieSize), sizeof trieSize);
  text.append(reinterpret_cast<const char *>(trie.data()), trieSize);
  return unk() + piece("b") + bpe() + field(3, field(2, text + replacements) + number(3, 0));
}

TEST(SentencePiece, ChecksTheNormalizersRules) {
  constexpr uint32_t leaf = uint32_t(1) << 31, ends = 1 << 8;
  auto offset = [](uint32_t units) { return units << 10; };
  // "a" leads from the root to unit 'a' ^ 2, whose rule is at its offset of 1.
  uint32_t a = 'a' ^ 2;
  std::vector<std::pair<uint32_t, uint32_t>> good = {
      {0, offset(2)}, {a, offset(1) | ends | 'a'}, {a ^ 1, leaf | 0}};
  Folder folder;
  folder.write("tokenizer.model", rulesOf(good));
  Result<Tokenizer> tokenizer = folder.load();
  ASSERT_TRUE(tokenizer) << tokenizer.error().message;
  EXPECT_EQ(*tokenizer->encode("ab"), (Ids{1, 1}));

  std::string place = "tokenizer.model: normalizer_spec.precompiled_charsmap: ";
  std::string outside = place + "expected a trie whose units lead to others of it, and to "
                                "replacements";
  EXPECT_EQ(problemOfModel(rulesOf({{0, offset(256)}})), outside);
  EXPECT_EQ(problemOfModel(rulesOf({{0, leaf}})), outside);
  good[2].second = leaf | 2;
  EXPECT_EQ(problemOfModel(rulesOf(good)), outside);
  // A text of any length stays in a unit that leads back to itself.
  EXPECT_EQ(problemOfModel(rulesOf({{0, offset(2)}, {a, offset('a') | 'a'}})),
            place + "expected a text to begin with at most 32 rules, but got a trie that has no "
                    "end");
  EXPECT_EQ(problemOfModel(rulesOf({}, 0)), place +
                                                "expected a trie whose units lead to others of it, "
                                                "and to replacements");
  EXPECT_EQ(problemOfModel(rulesOf({}, 1024, "")),
            place + "expected a trie of a multiple of 1024 bytes, fewer than 1024, but got 1024");
  EXPECT_EQ(problemOfModel(rulesOf({}, 1024, "b")),
            place + "expected replacements that end with a zero "
                    "byte");
}

TEST(SentencePiece, BoundsTheTextThatRulesMake) {
  constexpr uint32_t leaf = uint32_t(1) << 31;
  uint32_t a = 'a' ^ 2;
  Folder folder;
  folder.write("tokenizer.model",
               rulesOf({{0, 2 << 10}, {a, 1 << 10 | 1 << 8 | 'a'}, {a ^ 1, leaf}}, 1024,
                       std::string(1 << 20, 'b') + '\0'));
  Result<Tokenizer> tokenizer = folder.load();
  ASSERT_TRUE(tokenizer) << tokenizer.error().message;
  EXPECT_EQ(tokenizer->encode(std::string(100, 'a')).error().message,
            "expected at most 85 bytes of text between added tokens, but got 100");
}

TEST(SentencePiece, ReadsTheTokensAroundAText) {
  std::string model = unk() + piece("a") + piece("<s>", kControl) + piece("</s>", kControl) +
                      bpe() + field(3, number(3, 0));
  auto ids = [&](const std::string &config, const std::string &text) {
    Folder folder;
    folder.write("tokenizer.model", model);
    folder.write("tokenizer_config.json", config);
    Result<Tokenizer> tokenizer = folder.load();
    EXPECT_TRUE(tokenizer) << tokenizer.error().message;
    return *tokenizer->encode(text);
  };
  EXPECT_EQ(ids("{}", "a"), (Ids{2, 1}));
  EXPECT_EQ(ids(R"({"add_eos_token":true})", "a"), (Ids{2, 1, 3}));
  EXPECT_EQ(ids(R"({"bos_token":null})", "a"), Ids{1});
  EXPECT_EQ(ids(R"({"bos_token":{"content":"</s>"}})", "a"), (Ids{3, 1}));
  // What the model lacks gets the next ids.
  EXPECT_EQ(ids(R"({"pad_token":"<p>","additional_special_tokens":["<q>"]})", "<q>a<p>"),
            (Ids{2, 5, 1, 4}));
  EXPECT_EQ(ids(R"({"added_tokens_decoder":{"9":{"content":"<r>","lstrip":true}}})", "a  <r>"),
            (Ids{2, 1, 9}));

  EXPECT_EQ(problemOfModel(model, R"({"add_bos_token":true,"bos_token":null})"),
            "tokenizer_config.json: bos_token: expected a token, but got none");
  EXPECT_EQ(problemOfModel(model, R"({"add_eos_token":true,"eos_token":null})"),
            "tokenizer_config.json: eos_token: expected a token, but got none");
  EXPECT_EQ(problemOfModel(model, R"({"bos_token":7})"),
            "tokenizer_config.json: bos_token: expected an object, but got 7");
  EXPECT_EQ(problemOfModel(model, R"({"tokenizer_class":"T5Tokenizer"})"),
            "tokenizer_config.json: tokenizer_class: expected LlamaTokenizer or GemmaTokenizer, "
            "where there is no tokenizer.json, but got \"T5Tokenizer\"");
  EXPECT_EQ(problemOfModel(model, R"({"legacy":false})"),
            "tokenizer_config.json: legacy: expected true for a model that removes extra "
            "whitespace, but got false");
  EXPECT_EQ(problemOfModel(model, R"({"sp_model_kwargs":{"enable_sampling":true}})").substr(0, 51),
            "tokenizer_config.json: sp_model_kwargs: expected {}");
  EXPECT_EQ(problemOfModel(model, R"({"added_tokens_decoder":{"x":{"content":"y"}}})"),
            "tokenizer_config.json: added_tokens_decoder[\"x\"]: expected a key that is a whole "
            "number from 0 to 2^31 - 1, but got {\"content\":\"y\"}");
  // The last id is taken: there is none for another token.
  EXPECT_EQ(problemOfModel(model, R"({"added_tokens_decoder":{"2147483647":{"content":"y"}}})"),
            "");
  EXPECT_EQ(problemOfModel(model, R"({"added_tokens_decoder":{"2147483647":{"content":"y"}},)"
                                  R"("pad_token":"z"})"),
            "tokenizer_config.json: pad_token: expected a token that there is an id for, up to "
            "2^31 - 1, but got \"z\"");
  EXPECT_EQ(problemOfModel(model, R"({"added_tokens_decoder":{"7":{"content":"a"}}})"),
            "tokenizer_config.json: added_tokens_decoder[\"7\"]: expected a token that is given "
            "once, with the id it has in tokenizer.model, but got {\"content\":\"a\"}");
  Folder folder;
  folder.write("tokenizer.model", model);
  folder.write("special_tokens_map.json", R"({"bos_token":"</s>"})");
  folder.write("added_tokens.json", R"({"<new>":4})");
  EXPECT_EQ(*folder.load()->encode("<new>"), (Ids{3, 4}));
  folder.write("added_tokens.json", R"({"<new>":"4"})");
  EXPECT_EQ(folder.problem(), "added_tokens.json: [\"<new>\"]: expected a whole number from 0 to "
                              "2^31 - 1, but got \"4\"");
}
