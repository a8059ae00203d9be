#include "forge/Tokenizer/TextStream.h"

#include <gtest/gtest.h>

using namespace forge;

/// Bytes as tokens, and "x"; as Llama decodes them.
static Tokenizer makeBytes() {
  std::string vocab = "\"x\":256";
  for (int byte = 0; byte < 256; ++byte) {
    char name[8];
    std::snprintf(name, sizeof name, "<0x%02X>", static_cast<unsigned>(byte));
    vocab += ",\"" + std::string(name) + "\":" + std::to_string(byte);
  }
  Result<Tokenizer> made = Tokenizer::parse(
      R"({"model":{"type":"BPE","byte_fallback":true,"merges":[],"vocab":{)" + vocab +
      R"(}},"added_tokens":[{"id":300,"content":"<s>","special":true}],"decoder":{"type":"Sequence","decoders":[)"
      R"({"type":"ByteFallback"},{"type":"Fuse"},{"type":"Strip","content":" ","start":1,"stop":0}]}})");
  EXPECT_TRUE(made) << made.error().message;
  return std::move(*made);
}

TEST(TextStream, HoldsPartsOfCharactersBack) {
  Tokenizer tokenizer = makeBytes();
  TextStream stream(tokenizer);
  EXPECT_EQ(*stream.add('a'), "a");
  EXPECT_EQ(*stream.add(0xe2), "");
  EXPECT_EQ(*stream.add(0x82), "");
  EXPECT_EQ(*stream.add(0xac), "\xe2\x82\xac");
  EXPECT_EQ(*stream.add(256), "x");
  EXPECT_EQ(*stream.finish(), "");
}

TEST(TextStream, GivesWhatIsNoCharacterInTheEnd) {
  Tokenizer tokenizer = makeBytes();
  TextStream stream(tokenizer);
  EXPECT_EQ(*stream.add(0xe2), "");
  EXPECT_EQ(*stream.finish(), "\xef\xbf\xbd");
  EXPECT_EQ(*stream.finish(), "");
  // A token behind it shows that nothing completes it.
  TextStream other(tokenizer);
  EXPECT_EQ(*other.add(0xe2), "");
  EXPECT_EQ(*other.add(256), "\xef\xbf\xbdx");
}

TEST(TextStream, DecodesBehindItsContext) {
  Tokenizer tokenizer = makeBytes();
  // At the beginning of a text the space is left out.
  TextStream first(tokenizer), later(tokenizer, {256});
  EXPECT_EQ(*first.add(' '), "");
  EXPECT_EQ(*later.add(' '), " ");
  EXPECT_EQ(*first.add(256), "x");
}

TEST(TextStream, LeavesSpecialTokensOut) {
  Tokenizer tokenizer = makeBytes();
  TextStream with(tokenizer), without(tokenizer, {}, /*skipSpecial=*/true);
  EXPECT_EQ(*with.add(300), "<s>");
  EXPECT_EQ(*without.add(300), "");
  EXPECT_EQ(*without.add(256), "x");
}
