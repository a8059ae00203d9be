#include "FakeDecoder.h"

#include "forge/Generate/Conversation.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

using namespace forge;
using Tokens = std::vector<int32_t>;

namespace {
/// A checkpoint whose tokens are the letters a to k, and a decoder without a compiler.
class ConversationOfLetters : public testing::Test {
protected:
  ConversationOfLetters()
      : folder(std::filesystem::path(testing::TempDir()) /
               ("conversation-" + std::to_string(getpid()))) {
    std::filesystem::create_directories(folder);
    write("config.json", "{}");
    write("tokenizer.json",
          R"({"model":{"type":"BPE","vocab":{"a":0,"b":1,"c":2,"d":3,"e":4,"f":5,"g":6,"h":7,)"
          R"("i":8,"j":9,"k":10},"merges":[]},"decoder":{"type":"Fuse"}})");
    write("chat_template.jinja", "k{% for m in messages %}{{ {'system': 'h', 'user': 'i', "
                                 "'assistant': 'j'}[m.role] ~ m.content }}{% endfor %}"
                                 "{% if add_generation_prompt %}j{% endif %}");
  }
  ~ConversationOfLetters() override { std::filesystem::remove_all(folder); }

  void write(const char *name, const char *text) const { std::ofstream(folder / name) << text; }
  Texts texts() const { return std::move(*Texts::load(folder.string(), /*wanted=*/true)); }
  Generator make(int64_t capacity) const {
    return std::move(*Generator::create(
        std::make_unique<FakeDecoder>(1, std::vector<int64_t>{4}, capacity), {}));
  }

  std::filesystem::path folder;
  std::string printed;
  std::function<void(const std::string &)> print = [this](const std::string &text) {
    printed += text;
  };
};
} // namespace

TEST_F(ConversationOfLetters, GivesTheModelWhatIsNew) {
  Generator generator = make(64);
  Texts letters = texts();
  Conversation conversation(generator, letters, "abc");
  Result<Conversation::Turn> first = conversation.say("de", {}, {.newTokens = 5}, print);
  ASSERT_TRUE(first) << first.error().message;
  Tokens prompt = {10, 7, 0, 1, 2, 8, 3, 4, 9};
  EXPECT_EQ(first->reply.numPrompt, prompt.size());
  EXPECT_EQ(first->reply.input.size(), prompt.size());
  EXPECT_EQ(first->reply.tokens, FakeDecoder::continued(prompt, 5));
  Result<Conversation::Turn> second = conversation.say("ga", {}, {.newTokens = 5}, print);
  ASSERT_TRUE(second) << second.error().message;
  // Behind the reply, whose last token the model has not seen yet, come "iga" and "j".
  prompt = first->reply.tokens;
  for (int32_t token : {8, 6, 0, 9})
    prompt.push_back(token);
  EXPECT_EQ(second->reply.input.size(), 5u);
  EXPECT_EQ(second->reply.tokens, FakeDecoder::continued(prompt, 5));
  EXPECT_EQ(printed.size(), 10u);
}

TEST_F(ConversationOfLetters, ForgetsWhatTheTemplateWritesAnew) {
  // Replies are written in another way than they were made: they are given again.
  write("chat_template.jinja", "{% for m in messages %}{{ {'user': 'i', 'assistant': 'b'}[m.role] "
                               "~ m.content }}{% endfor %}{% if add_generation_prompt %}j"
                               "{% endif %}");
  Generator generator = make(64);
  Texts letters = texts();
  Conversation conversation(generator, letters, "");
  Result<Conversation::Turn> first = conversation.say("d", {}, {.newTokens = 3}, print);
  ASSERT_TRUE(first);
  EXPECT_EQ(first->reply.tokens, FakeDecoder::continued({8, 3, 9}, 3));
  Tokens prompt = first->reply.tokens;
  prompt[2] = 1;
  for (int32_t token : {8, 3, 9})
    prompt.push_back(token);
  Result<Conversation::Turn> second = conversation.say("d", {}, {.newTokens = 3}, print);
  ASSERT_TRUE(second);
  EXPECT_EQ(second->reply.input.size(), prompt.size() - 2);
  EXPECT_EQ(second->reply.tokens, FakeDecoder::continued(prompt, 3));
}

TEST_F(ConversationOfLetters, EndsWhereThereIsNoRoom) {
  Generator generator = make(8);
  Texts letters = texts();
  Conversation conversation(generator, letters, "");
  Result<Conversation::Turn> first = conversation.say("ab", {}, {.newTokens = 99}, print);
  ASSERT_TRUE(first);
  // 5 tokens of the prompt, 3 that are kept, and one that is not.
  EXPECT_EQ(first->reply.numNew(), 4u);
  EXPECT_EQ(first->reply.finish, "length");
  Result<Conversation::Turn> second = conversation.say("cd", {}, {.newTokens = 99}, print);
  ASSERT_FALSE(second);
  EXPECT_EQ(second.error().message, "expected at most 8 tokens of the conversation, but got 13");
}
