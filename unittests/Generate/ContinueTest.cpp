#include "FakeDecoder.h"

#include "forge/Generate/Continue.h"

#include <gtest/gtest.h>

using namespace forge;
using Tokens = std::vector<int32_t>;

namespace {
/// Texts of a decoder without a compiler.
class Continue : public testing::Test {
protected:
  Generator make(int64_t batch, int64_t capacity, std::vector<int64_t> lengths = {2}) {
    auto code = std::make_unique<FakeDecoder>(batch, std::move(lengths), capacity);
    decoder = code.get();
    Result<Generator> made = Generator::create(std::move(code), {});
    EXPECT_TRUE(made) << made.error().message;
    return std::move(*made);
  }
  void add(const Tokens &prompt) {
    texts.push_back(
        {prompt, prompt.size(), prompt,
         TextOutput(nullptr, prompt, {}, [this](const std::string &text) { printed += text; })});
  }

  FakeDecoder *decoder = nullptr;
  std::vector<Continuation> texts;
  std::string printed;
  ContinueTimes times;
};
} // namespace

TEST_F(Continue, GivesTheTokensOfEachTextAlone) {
  Generator generator = make(/*batch=*/3, /*capacity=*/12);
  std::vector<Tokens> prompts = {{1}, {2, 3, 4, 5, 6}, {7, 8}};
  for (const Tokens &prompt : prompts)
    add(prompt);
  ASSERT_TRUE(continueTexts(generator, texts, {.newTokens = 6}, times));
  for (size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(texts[i].tokens, FakeDecoder::continued(prompts[i], 6));
    EXPECT_EQ(texts[i].finish, "length");
  }
  // The longest prompt in pieces of two tokens; one step for all three texts.
  EXPECT_EQ(decoder->runs[DecoderCode::FirstPrefill], 3);
  EXPECT_EQ(decoder->runs[DecoderCode::Decode], 5);
}

TEST_F(Continue, TakesThePrefillsThatCostLeast) {
  // The code has them in any order.
  Generator generator = make(/*batch=*/2, /*capacity=*/512, {16, 256, 64});
  Tokens prompt(330);
  for (size_t i = 0; i < prompt.size(); ++i)
    prompt[i] = static_cast<int32_t>(i * i % 11);
  add(prompt);
  add({3});
  ASSERT_TRUE(continueTexts(generator, texts, {.newTokens = 2}, times));
  EXPECT_EQ(texts[0].tokens, FakeDecoder::continued(prompt, 2));
  EXPECT_EQ(texts[1].tokens, FakeDecoder::continued({3}, 2));
  // 256, 64, and 10 that are left; then a step.
  EXPECT_EQ(decoder->runs, (std::vector<int>{1, 1, 1, 1}));
  // One token of each sequence is a step, also behind a prefill; of one of them alone it is not.
  ASSERT_TRUE(generator.prefill({{5}, {6}}));
  EXPECT_EQ(decoder->runs, (std::vector<int>{2, 1, 1, 1}));
  ASSERT_TRUE(generator.reset());
  Tokens odd(17, 4);
  Result<Tokens> next = generator.prefill({odd, odd});
  ASSERT_TRUE(next);
  EXPECT_EQ(*next, Tokens(2, FakeDecoder::next(odd)));
  EXPECT_EQ(decoder->runs, (std::vector<int>{3, 2, 1, 1}));
  ASSERT_TRUE(generator.prefill({odd, {1}}));
  EXPECT_EQ(decoder->runs, (std::vector<int>{3, 4, 1, 1}));
}

TEST_F(Continue, LeavesSequencesOutOfSteps) {
  Generator generator = make(/*batch=*/2, /*capacity=*/8);
  Tokens first = {1, 2}, second = {7};
  ASSERT_TRUE(generator.prefill({first, second}));
  auto decode = [&](int32_t left, int32_t right) {
    return decodeTwo(generator, first, second, left, right);
  };
  decode(3, 4);
  decode(5, -1);
  decode(6, -1);
  decode(-1, 8);
  decode(1, 2);
  EXPECT_EQ(generator.length(), 6);
  decode(-1, -1);
  EXPECT_EQ(decoder->runs[DecoderCode::Decode], 5) << "no step without a text that goes on";
  // Behind a step that one was left out of.
  decode(-1, 9);
  Result<Tokens> next = generator.prefill({{3, 3}, {}});
  ASSERT_TRUE(next);
  first.insert(first.end(), {3, 3});
  EXPECT_EQ(*next, (Tokens{FakeDecoder::next(first), -1}));
  decode(-1, 5);
  EXPECT_EQ(generator.decode({4, -1}).error().message,
            "sequence 0: expected at most 0 more tokens, but got 1");
}

TEST_F(Continue, SharesPages) {
  // Sequences of 12 tokens at most, 18 in all of them.
  auto code = std::make_unique<FakeDecoder>(3, std::vector<int64_t>{8, 4}, 12, /*pageSize=*/3,
                                            /*pages=*/6);
  decoder = code.get();
  Result<Generator> generator = Generator::create(std::move(code), {});
  ASSERT_TRUE(generator) << generator.error().message;
  EXPECT_EQ(generator->capacity(), 12);
  EXPECT_EQ(generator->fitting(std::vector<int64_t>{12, 6, 1}), 2u);
  std::vector<Tokens> prompts = {{1}, {2, 3, 4, 5, 6, 7, 8, 9}, {7}};
  for (const Tokens &prompt : prompts)
    add(prompt);
  ASSERT_TRUE(continueTexts(*generator, texts, {.newTokens = 3}, times));
  for (size_t i = 0; i < 3; ++i)
    EXPECT_EQ(texts[i].tokens, FakeDecoder::continued(prompts[i], 3));
  // One text takes what the others give back, and they get others.
  ASSERT_TRUE(generator->truncate({1, 0, 0}));
  texts.clear();
  add({1, 4, 3, 2, 1, 0, 9, 8, 7, 6});
  texts[0].input.erase(texts[0].input.begin());
  add({5, 5});
  ASSERT_TRUE(continueTexts(*generator, texts, {.newTokens = 3}, times));
  EXPECT_EQ(texts[0].tokens, FakeDecoder::continued({1, 4, 3, 2, 1, 0, 9, 8, 7, 6}, 3));
  EXPECT_EQ(texts[1].tokens, FakeDecoder::continued({5, 5}, 3));
  // 4 pages and 2 are taken.
  EXPECT_EQ(generator->prefill({{}, {}, {1}}).error().message,
            "expected tokens that take at most 6 pages of 3, but got some that take 7");
  // What a text that has ended does not get is left to the others.
  ASSERT_TRUE(generator->reset());
  ASSERT_TRUE(generator->prefill({{1, 2, 3}, {1, 2, 3}, {1, 2, 3}}));
  for (int i = 0; i < 9; ++i)
    ASSERT_TRUE(generator->decode({i, -1, -1}));
  EXPECT_FALSE(generator->decode({0, -1, -1}));
}

TEST_F(Continue, ComputesSequencesAloneWhereThatCostsLess) {
  auto code = std::make_unique<FakeDecoder>(3, std::vector<int64_t>{16}, 256, /*pageSize=*/8,
                                            /*pages=*/64, /*alone=*/std::vector<int64_t>{64, 4});
  decoder = code.get();
  Result<Generator> generator = Generator::create(std::move(code), {});
  ASSERT_TRUE(generator) << generator.error().message;
  auto prefill = [&](const std::vector<Tokens> &tokens) {
    std::ranges::fill(decoder->runs, 0);
    EXPECT_TRUE(generator->reset());
    Result<Tokens> next = generator->prefill(tokens);
    EXPECT_TRUE(next);
    // All go on together.
    std::vector<Tokens> all = tokens;
    for (int step = 0; step < 2; ++step) {
      for (size_t b = 0; b < 3; ++b) {
        EXPECT_EQ((*next)[b], tokens[b].empty() ? -1 : FakeDecoder::next(all[b]));
        all[b].push_back((*next)[b]);
      }
      next = generator->decode(*next);
    }
    EXPECT_TRUE(next);
  };
  using Runs = std::vector<int>;
  // One run of 48 rows.
  prefill({Tokens(13, 1), Tokens(9, 2), Tokens(12, 3)});
  EXPECT_EQ(decoder->runs, (Runs{2, 1, 0, 0}));
  // 130 tokens by runs of 64 and 4, and twice 4, for nine of 48 rows.
  prefill({Tokens(130, 5), Tokens(3, 2), {7}});
  EXPECT_EQ(decoder->runs, (Runs{2, 0, 2, 3}));
  prefill({{}, Tokens(60, 2), {}});
  EXPECT_EQ(decoder->runs, (Runs{2, 0, 1, 0}));
  prefill({{1}, {2}, {3}});
  EXPECT_EQ(decoder->runs, (Runs{3, 0, 0, 0}));
}

TEST_F(Continue, TextsTakeThePlacesOfThoseThatHaveEnded) {
  std::vector<Tokens> prompts;
  for (int32_t i = 0; i < 9; ++i)
    prompts.push_back(Tokens(static_cast<size_t>(1 + 3 * i % 7), i));
  // Where sequences share pages as soon as there is one, otherwise all at once.
  for (bool paged : {true, false}) {
    auto code = paged ? std::make_unique<FakeDecoder>(3, std::vector<int64_t>{4}, 20, 2, 30)
                      : std::make_unique<FakeDecoder>(3, std::vector<int64_t>{4}, 20);
    decoder = code.get();
    Result<Generator> generator = Generator::create(std::move(code), {});
    ASSERT_TRUE(generator) << generator.error().message;
    texts.clear();
    for (const Tokens &prompt : prompts)
      add(prompt);
    std::vector<size_t> order;
    ContinueOptions options{.newTokens = 12, .ends = {3}};
    options.onEnd = [&](size_t number) { order.push_back(number); };
    ASSERT_TRUE(continueTexts(*generator, texts, options, times));
    int steps = 0, most = 0;
    for (size_t i = 0; i < prompts.size(); ++i) {
      Tokens expected = FakeDecoder::continued(prompts[i], 12);
      auto end = std::find(expected.begin() + static_cast<ptrdiff_t>(prompts[i].size()),
                           expected.end(), 3);
      if (end != expected.end())
        expected.erase(end + 1, expected.end());
      EXPECT_EQ(texts[i].tokens, expected);
      EXPECT_EQ(texts[i].finish, texts[i].tokens.back() == 3 ? "eos" : "length");
      most = std::max(most, static_cast<int>(texts[i].numNew()) - 1);
      if (i % 3 == 2)
        steps += std::exchange(most, 0);
    }
    std::ranges::sort(order);
    EXPECT_EQ(order, (std::vector<size_t>{0, 1, 2, 3, 4, 5, 6, 7, 8}));
    if (paged)
      EXPECT_LT(decoder->runs[DecoderCode::Decode], steps);
    else
      EXPECT_EQ(decoder->runs[DecoderCode::Decode], steps);
  }
}

TEST_F(Continue, WaitsForPages) {
  // Texts of 5 to 8 tokens in 6 pages of 2: two at a time, though there are three sequences.
  auto code = std::make_unique<FakeDecoder>(3, std::vector<int64_t>{4}, 8, /*pageSize=*/2,
                                            /*pages=*/6);
  decoder = code.get();
  Result<Generator> generator = Generator::create(std::move(code), {});
  ASSERT_TRUE(generator);
  std::vector<Tokens> prompts = {{1, 2}, {3}, {4, 4, 4, 4, 4}, {5, 6}, {7, 0, 1, 2}, {8}};
  for (const Tokens &prompt : prompts)
    add(prompt);
  ASSERT_TRUE(continueTexts(*generator, texts, {.newTokens = 4}, times));
  for (size_t i = 0; i < prompts.size(); ++i)
    EXPECT_EQ(texts[i].tokens, FakeDecoder::continued(prompts[i], 4));
}

TEST_F(Continue, TextsThatWaitEndWhenInterrupted) {
  Generator generator = make(1, 8);
  add({1});
  add({2, 2});
  std::vector<size_t> order;
  ContinueOptions options{.newTokens = 5};
  options.isInterrupted = [] { return true; };
  options.onEnd = [&](size_t number) { order.push_back(number); };
  ASSERT_TRUE(continueTexts(generator, texts, options, times));
  EXPECT_EQ(texts[0].numNew(), 1u);
  EXPECT_EQ(texts[1].numNew(), 0u);
  EXPECT_EQ(texts[1].finish, "interrupted");
  EXPECT_EQ(order, (std::vector<size_t>{0, 1}));
}

TEST_F(Continue, OthersGoOnWhenOneHasEnded) {
  Generator generator = make(2, 16);
  // A token that ends the first text early, and is none of the first four of the other.
  Tokens first = FakeDecoder::continued({1}, 8), second = FakeDecoder::continued({2, 2}, 8);
  std::optional<size_t> at;
  for (size_t i = 2; i < first.size() && !at; ++i)
    if (std::find(first.begin() + 1, first.begin() + static_cast<ptrdiff_t>(i), first[i]) ==
            first.begin() + static_cast<ptrdiff_t>(i) &&
        std::find(second.begin() + 2, second.end(), first[i]) == second.end())
      at = i;
  ASSERT_TRUE(at) << "other prompts are needed";
  add({1});
  add({2, 2});
  std::vector<size_t> order;
  ContinueOptions options{.newTokens = 8, .ends = {first[*at]}};
  options.onEnd = [&](size_t number) { order.push_back(number); };
  ASSERT_TRUE(continueTexts(generator, texts, options, times));
  first.resize(*at + 1);
  EXPECT_EQ(texts[0].tokens, first);
  EXPECT_EQ(texts[0].finish, "eos");
  EXPECT_EQ(texts[1].tokens, second);
  EXPECT_EQ(texts[1].finish, "length");
  EXPECT_EQ(order, (std::vector<size_t>{0, 1}));
}

TEST_F(Continue, LeavesSequencesThatNoTextNeeds) {
  Generator generator = make(4, 8);
  add({9, 4});
  ASSERT_TRUE(continueTexts(generator, texts, {.newTokens = 3}, times));
  EXPECT_EQ(texts[0].tokens, FakeDecoder::continued({9, 4}, 3));
}

TEST_F(Continue, EndsAllTextsWhenInterrupted) {
  Generator generator = make(2, 8);
  add({1});
  add({2});
  int asked = 0;
  ContinueOptions options{.newTokens = 5};
  options.isInterrupted = [&] { return ++asked == 2; };
  ASSERT_TRUE(continueTexts(generator, texts, options, times));
  for (const Continuation &text : texts) {
    EXPECT_EQ(text.numNew(), 2u);
    EXPECT_EQ(text.finish, "interrupted");
  }
}

TEST_F(Continue, GoesOnBehindTokensThatAreKept) {
  Generator generator = make(1, 16);
  add({1, 2, 3});
  ASSERT_TRUE(continueTexts(generator, texts, {.newTokens = 4}, times));
  // The last token was never given to the model.
  EXPECT_EQ(generator.length(), 6);
  ASSERT_TRUE(generator.truncate({2}));
  EXPECT_EQ(generator.length(), 2);
  texts.clear();
  add({1, 2, 9, 8});
  texts[0].input = {9, 8};
  ASSERT_TRUE(continueTexts(generator, texts, {.newTokens = 4}, times));
  EXPECT_EQ(texts[0].tokens, FakeDecoder::continued({1, 2, 9, 8}, 4));
  EXPECT_EQ(generator.truncate({8}).error().message, "expected 0 to 7 tokens to keep, but got 8");
}

TEST_F(Continue, FailsWhereThereIsNoRoom) {
  Generator generator = make(2, 4);
  add({1});
  add({1, 2, 3, 4, 5});
  Result<void> done = continueTexts(generator, texts, {}, times);
  ASSERT_FALSE(done);
  EXPECT_EQ(done.error().message, "sequence 1: expected at most 4 more tokens, but got 5");
}

/// The error of a decoder whose signatures `change` has changed.
static std::string problemOf(const std::function<void(FakeDecoder &)> &change) {
  auto code = std::make_unique<FakeDecoder>(2, std::vector<int64_t>{4, 2}, 8);
  change(*code);
  Result<Generator> made = Generator::create(std::move(code), {});
  return made ? "" : made.error().message;
}

TEST(DecoderSignatures, AreCheckedBeforeMemoryIsTaken) {
  EXPECT_EQ(problemOf([](FakeDecoder &) {}), "");
  const char *takes = "expected @decode to take tokens, lengths and caches of keys and values";
  const char *gives = "expected @decode to give next tokens, logits and the arguments it updates";
  auto decode = [](FakeDecoder &code) -> ModuleSignature & {
    return code.signatures[DecoderCode::Decode];
  };
  EXPECT_EQ(problemOf([&](FakeDecoder &code) { decode(code).names[0] = "ids"; }), takes);
  EXPECT_EQ(problemOf([&](FakeDecoder &code) { decode(code).function.arguments[0].dims = {0, 1}; }),
            takes);
  EXPECT_EQ(problemOf([&](FakeDecoder &code) { decode(code).function.arguments[2].dims.clear(); }),
            takes);
  EXPECT_EQ(problemOf([&](FakeDecoder &code) { decode(code).function.results.pop_back(); }), gives);
  EXPECT_EQ(problemOf([&](FakeDecoder &code) { decode(code).function.results[1].dims = {2}; }),
            gives);
  EXPECT_EQ(problemOf([&](FakeDecoder &code) { decode(code).names.pop_back(); }),
            "expected @decode to name its arguments");
  EXPECT_EQ(problemOf([&](FakeDecoder &code) {
              decode(code).function.arguments[0].dims[0] = TensorSpec::dynamic;
            }),
            "expected @decode to take tensors of static sizes, but got tensor<?x1xi32>");
  // A cache of the prefill that is shorter than the decode step's.
  EXPECT_EQ(problemOf([](FakeDecoder &code) {
              FunctionSignature &prefill = code.signatures[DecoderCode::FirstPrefill].function;
              prefill.arguments[3].dims[2] = prefill.results[3].dims[2] = 4;
            }),
            "expected @prefill to take tokens, lengths and caches of keys and values");
  // The second prefill, and none.
  EXPECT_EQ(problemOf([](FakeDecoder &code) {
              code.signatures[2].function.results[1].dims[1] = 12;
              code.signatures[2].function.name = "prefill_2";
            }),
            "expected @prefill_2 and @decode to give the same logits, but got tensor<2x12xf32> and "
            "tensor<2x11xf32>");
  // Pages of which the prefill has others.
  auto code = std::make_unique<FakeDecoder>(2, std::vector<int64_t>{4}, 8, 4, 3);
  FunctionSignature &paged = code->signatures[1].function;
  paged.arguments[4].dims[0] = paged.results[3].dims[0] = 4;
  EXPECT_EQ(Generator::create(std::move(code), {}).error().message,
            "expected @prefill to take tokens, lengths and caches of keys and values");
  // One sequence alone, of caches that are not shared.
  EXPECT_EQ(problemOf([](FakeDecoder &code) {
              for (TensorSpec &spec : code.signatures[2].function.arguments)
                spec.dims[0] = 1;
              code.signatures[2].function.name = "prefill_alone_2";
            }),
            "expected @prefill_alone_2 to take tokens, lengths and caches of keys and values");
  EXPECT_EQ(problemOf([](FakeDecoder &code) { code.signatures.resize(1); }),
            "expected a prefill and a decode step");
}
