#include "forge/Generate/EndOfText.h"

#include "forge/Support/AtomicFile.h"
#include "forge/Support/ScratchFolder.h"

#include <gtest/gtest.h>

using namespace forge;

TEST(StopStrings, PassTextOnUpToTheFirst) {
  StopStrings stops({"END", "stop"});
  EXPECT_EQ(stops.add("one E"), "one ");
  EXPECT_EQ(stops.add("N"), "");
  EXPECT_EQ(stops.add("X sto"), "ENX ");
  EXPECT_FALSE(stops.stopped());
  EXPECT_EQ(stops.add("p END"), "");
  EXPECT_TRUE(stops.stopped());
  EXPECT_EQ(stops.add("more"), "");
  EXPECT_EQ(stops.finish(), "");
}

TEST(StopStrings, GiveWhatWasHeldBackInTheEnd) {
  StopStrings stops({"END", ""});
  EXPECT_EQ(stops.add("EEN"), "E");
  EXPECT_EQ(stops.finish(), "EN");
  EXPECT_FALSE(stops.stopped());
}

/// What is read of a folder whose files have these texts; a file without text is not there.
static Result<GenerationTokens> tokensOf(const std::string &config, const std::string &generation) {
  ScratchFolder folder = std::move(*ScratchFolder::create("forge-generation"));
  if (!config.empty())
    EXPECT_TRUE(writeFileAtomically(folder.file("config.json"), config));
  if (!generation.empty())
    EXPECT_TRUE(writeFileAtomically(folder.file("generation_config.json"), generation));
  return readGenerationTokens(folder.path());
}

TEST(GenerationTokens, AreThoseOfTheGenerationConfig) {
  Result<GenerationTokens> tokens =
      tokensOf(R"({"eos_token_id":1})", R"({"eos_token_id":[3,2],"pad_token_id":0})");
  ASSERT_TRUE(tokens) << tokens.error().message;
  EXPECT_EQ(tokens->ends, (std::set<int32_t>{2, 3}));
  EXPECT_EQ(tokens->padding, 0);
  tokens = tokensOf(R"({"eos_token_id":1,"pad_token_id":1})", "");
  ASSERT_TRUE(tokens) << tokens.error().message;
  EXPECT_EQ(tokens->ends, std::set<int32_t>{1});
  // What ends a text is no padding.
  EXPECT_EQ(tokens->padding, std::nullopt);
  tokens = tokensOf(R"({"eos_token_id":null})", "");
  ASSERT_TRUE(tokens) << tokens.error().message;
  EXPECT_TRUE(tokens->ends.empty());
}

TEST(GenerationTokens, RefusesWhatIsNone) {
  for (const char *text : {R"({"eos_token_id":-1})", R"({"eos_token_id":[1,"2"]})",
                           R"({"eos_token_id":2147483648})"}) {
    Result<GenerationTokens> tokens = tokensOf(text, "");
    ASSERT_FALSE(tokens);
    EXPECT_NE(tokens.error().message.find(
                  "config.json: eos_token_id: expected tokens from 0 to 2^31 - 1, but got"),
              std::string::npos)
        << tokens.error().message;
  }
  EXPECT_FALSE(tokensOf("", ""));
}
