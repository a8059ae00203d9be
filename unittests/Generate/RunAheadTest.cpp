#include "FakeDecoder.h"

#include "forge/Generate/Continue.h"

#include <gtest/gtest.h>

using namespace forge;
using Tokens = std::vector<int32_t>;

namespace {
/// Steps of decoding that are begun before the tokens of those in front are here.
class RunAhead : public testing::Test {
protected:
  Generator make(std::unique_ptr<FakeDecoder> code, const GeneratorOptions &options = {}) {
    code->isBehind = true;
    decoder = code.get();
    Result<Generator> made = Generator::create(std::move(code), options);
    EXPECT_TRUE(made) << made.error().message;
    return std::move(*made);
  }
  int steps() const { return decoder->runs[DecoderCode::Decode]; }
  void add(const Tokens &prompt) {
    texts.push_back({prompt, prompt.size(), prompt,
                     TextOutput(nullptr, prompt, {}, [](const std::string &) {})});
  }

  FakeDecoder *decoder = nullptr;
  std::vector<Continuation> texts;
  ContinueTimes times;
};
} // namespace

TEST_F(RunAhead, HasTwoStepsUnderWayAndNoneTooMany) {
  Generator generator = make(std::make_unique<FakeDecoder>(3, std::vector<int64_t>{2}, 12));
  std::vector<Tokens> prompts = {{1}, {2, 3, 4, 5, 6}, {7, 8}};
  for (const Tokens &prompt : prompts)
    add(prompt);
  ASSERT_TRUE(continueTexts(generator, texts, {.newTokens = 6}, times));
  for (size_t i = 0; i < 3; ++i)
    EXPECT_EQ(texts[i].tokens, FakeDecoder::continued(prompts[i], 6));
  EXPECT_EQ(decoder->mostPending, 2u);
  EXPECT_EQ(steps(), 5) << "the number of tokens says which step is the last";
}

TEST_F(RunAhead, ForgetsAStepBehindTheEndOfATextThatNobodyKnewOf) {
  Generator generator = make(std::make_unique<FakeDecoder>(1, std::vector<int64_t>{4}, 64));
  Tokens expected = FakeDecoder::continued({1, 2}, 20);
  int32_t end = expected[6];
  auto first = std::find(expected.begin() + 2, expected.end(), end);
  expected.erase(first + 1, expected.end());
  add({1, 2});
  ASSERT_TRUE(continueTexts(generator, texts, {.newTokens = 20, .ends = {end}}, times));
  EXPECT_EQ(texts[0].tokens, expected);
  EXPECT_EQ(steps(), static_cast<int>(texts[0].numNew()));
  // The next message comes behind the last token, as if the step had not been.
  Tokens longer = expected;
  longer.insert(longer.end(), {5, 5});
  Tokens input(longer.begin() + generator.length(), longer.end());
  Result<Tokens> next = generator.prefill({input});
  ASSERT_TRUE(next);
  EXPECT_EQ((*next)[0], FakeDecoder::next(longer));
}

TEST_F(RunAhead, TakesOtherTokensThanThoseThatItGave) {
  Generator generator = make(std::make_unique<FakeDecoder>(2, std::vector<int64_t>{2}, 9));
  Tokens first = {1, 2}, second = {7};
  ASSERT_TRUE(generator.prefill({first, second}));
  auto decode = [&](int32_t left, int32_t right) {
    return decodeTwo(generator, first, second, left, right, /*goesOn=*/true);
  };
  Tokens given = decode(3, 4);
  EXPECT_EQ(steps(), 2);
  decode(given[0], given[1]);
  EXPECT_EQ(steps(), 3) << "one step ahead";
  // Others, for both or for one; fewer sequences; one that was left out comes back.
  decode(9, 10);
  given = decode(0, -1);
  given = decode(given[0], -1);
  decode(-1, 8);
  given = decode(1, 2);
  // It is under way, and there is no room for one behind it.
  EXPECT_EQ(generator.length(), 8);
  int before = steps();
  decode(given[0], -1);
  EXPECT_EQ(steps(), before);
  EXPECT_EQ(generator.decode({4, -1}, true).error().message,
            "sequence 0: expected at most 0 more tokens, but got 1");
  ASSERT_TRUE(generator.reset());
  Result<Tokens> again = generator.prefill({{6}, {}});
  ASSERT_TRUE(again);
  EXPECT_EQ((*again)[0], FakeDecoder::next(Tokens{6}));
}

TEST_F(RunAhead, SharesPages) {
  // Nine texts for three sequences and 8 pages of 2 tokens: often there is none for a step ahead.
  Generator generator = make(
      std::make_unique<FakeDecoder>(3, std::vector<int64_t>{4}, 14, /*pageSize=*/2, /*pages=*/8));
  std::vector<Tokens> prompts = {{1, 2}, {3},    {4, 4, 4, 4, 4}, {5, 6}, {7, 0, 1, 2},
                                 {8},    {9, 1}, {2, 2, 2},       {6}};
  for (const Tokens &prompt : prompts)
    add(prompt);
  ASSERT_TRUE(continueTexts(generator, texts, {.newTokens = 7, .ends = {3}}, times));
  for (size_t i = 0; i < prompts.size(); ++i) {
    Tokens expected = FakeDecoder::continued(prompts[i], 7);
    auto end =
        std::find(expected.begin() + static_cast<ptrdiff_t>(prompts[i].size()), expected.end(), 3);
    if (end != expected.end())
      expected.erase(end + 1, expected.end());
    EXPECT_EQ(texts[i].tokens, expected);
  }
  EXPECT_EQ(decoder->mostPending, 2u);
}

TEST_F(RunAhead, DoesNotWhereLogitsAreWanted) {
  auto code = std::make_unique<FakeDecoder>(1, std::vector<int64_t>{2}, 12);
  code->isBehind = true;
  decoder = code.get();
  Result<Generator> generator = Generator::create(std::move(code), {.logits = true});
  ASSERT_TRUE(generator);
  add({1});
  ASSERT_TRUE(continueTexts(*generator, texts, {.newTokens = 6}, times));
  EXPECT_EQ(texts[0].tokens, FakeDecoder::continued({1}, 6));
  EXPECT_EQ(decoder->mostPending, 1u);
}

TEST_F(RunAhead, DrawsBehindEachStep) {
  auto code = std::make_unique<FakeDecoder>(2, std::vector<int64_t>{2}, 16);
  code->addSamplers();
  Generator generator = make(std::move(code), {.sampling = {.temperature = 1, .seed = 5}});
  std::vector<Tokens> prompts = {{1, 2, 3}, {4}};
  for (const Tokens &prompt : prompts)
    add(prompt);
  ASSERT_TRUE(continueTexts(generator, texts, {.newTokens = 7}, times));
  for (size_t i = 0; i < 2; ++i)
    EXPECT_EQ(texts[i].tokens, FakeDecoder::drawnFrom(prompts[i], 7, 5));
  EXPECT_EQ(decoder->mostPending, 4u) << "two steps, and what draws behind each";
  // Who takes the most likely token has none drawn.
  int drawn = decoder->runs.back();
  ASSERT_TRUE(generator.reset());
  ASSERT_TRUE(generator.setSampling(Sampling::greedy()));
  texts.clear();
  for (const Tokens &prompt : prompts)
    add(prompt);
  ASSERT_TRUE(continueTexts(generator, texts, {.newTokens = 7}, times));
  for (size_t i = 0; i < 2; ++i)
    EXPECT_EQ(texts[i].tokens, FakeDecoder::continued(prompts[i], 7));
  EXPECT_EQ(decoder->runs.back(), drawn);
}

TEST_F(RunAhead, DrawsBehindPrefillsOfOneSequence) {
  auto code = std::make_unique<FakeDecoder>(3, std::vector<int64_t>{}, 14, /*pageSize=*/2,
                                            /*pages=*/30, std::vector<int64_t>{4, 2});
  code->addSamplers();
  Generator generator = make(std::move(code), {.sampling = {.temperature = 1, .seed = 2}});
  std::vector<Tokens> prompts = {{1, 2, 3, 4, 5, 6, 7}, {4}, {0, 9}};
  for (const Tokens &prompt : prompts)
    add(prompt);
  ASSERT_TRUE(continueTexts(generator, texts, {.newTokens = 6}, times));
  for (size_t i = 0; i < 3; ++i)
    EXPECT_EQ(texts[i].tokens, FakeDecoder::drawnFrom(prompts[i], 6, 2));
}

TEST_F(RunAhead, RefusesPrefillsOfOneSequenceWithoutASamplerOfTheirs) {
  auto code = std::make_unique<FakeDecoder>(3, std::vector<int64_t>{}, 14, /*pageSize=*/2,
                                            /*pages=*/30, std::vector<int64_t>{4});
  code->addSamplers();
  ASSERT_EQ(code->signatures.back().function.name, "sample_alone");
  code->signatures.pop_back();
  Result<Generator> made = Generator::create(std::move(code), {});
  ASSERT_FALSE(made);
  EXPECT_EQ(made.error().message,
            "expected @sample_alone to draw the tokens of prefills of one sequence");
}

TEST_F(RunAhead, RefusesToDrawByLogitsThatNoStepLeaves) {
  auto refusal = [](const std::function<void(FakeDecoder &)> &change) {
    auto code = std::make_unique<FakeDecoder>(2, std::vector<int64_t>{2}, 16);
    code->addSamplers();
    change(*code);
    Result<Generator> made = Generator::create(std::move(code), {});
    return made ? "" : made.error().message;
  };
  EXPECT_EQ(refusal([](FakeDecoder &) {}), "");
  const char *expected = "expected @sample to draw tokens by the logits that @decode leaves";
  EXPECT_EQ(refusal([](FakeDecoder &code) {
              FunctionSignature &sample = code.signatures.back().function;
              sample.arguments[1].dims[1] = 7;
            }),
            expected);
  EXPECT_EQ(refusal([](FakeDecoder &code) { code.signatures.back().names[3] = "seed"; }), expected);
  EXPECT_EQ(refusal([](FakeDecoder &code) {
              // The prefill's are not left there.
              ModuleSignature &prefill = code.signatures[DecoderCode::FirstPrefill];
              prefill.names[2] = "other";
              prefill.function.results.insert(prefill.function.results.begin() + 2,
                                              prefill.function.results[1]);
            }),
            expected);
}
