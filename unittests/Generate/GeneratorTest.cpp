#include "forge/Generate/Compiler/CompileGenerator.h"

#include "forge/Checkpoint/Weights.h"
#include "forge/Import/HuggingFace.h"
#include "forge/Import/WeightAttribute.h"
#include "forge/Pipelines/InitAll.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <fstream>

#include <unistd.h>

using namespace forge;
using Tokens = std::vector<int32_t>;

namespace {
/// Generators of the made-up checkpoint in test/Tools/forge/Inputs/tiny-llama, of 11 tokens.
class GeneratorOfTinyLlama : public testing::Test {
protected:
  GeneratorOfTinyLlama() {
    mlir::DialectRegistry registry;
    registerAllDialects(registry);
    context.appendDialectRegistry(registry);
  }

  Generator make(CompileGeneratorOptions options) {
    options.logits = true;
    Result<Generator> made = compileGenerator(FORGE_TINY_LLAMA, context, options);
    EXPECT_TRUE(made) << made.error().message;
    return std::move(*made);
  }

  /// @main, which has neither caches, nor chunks and padding.
  void compileMain() {
    Result<mlir::OwningOpRef<mlir::ModuleOp>> module = importHuggingFace(FORGE_TINY_LLAMA, context);
    ASSERT_TRUE(module) << module.error().message;
    auto function = (*module)->lookupSymbol<mlir::func::FuncOp>("main");
    sources = *weightsOf(function);
    dropWeights(function);
    CompileOptions options;
    options.tier = Tier::Correctness;
    Result<Executable> code = Executable::compile(**module, options);
    ASSERT_TRUE(code) << code.error().message;
    main.emplace(std::move(*code));
  }

  /// Logits of all tokens, [1, S, 11].
  HostTensor logitsOf(const Tokens &tokens) {
    if (!main)
      compileMain();
    WeightFiles files({FORGE_TINY_LLAMA, ""});
    std::vector<HostTensor> inputs;
    inputs.push_back(*HostTensor::create(DType::I32, {1, static_cast<int64_t>(tokens.size())}));
    std::memcpy(inputs[0].data(), tokens.data(), inputs[0].numBytes());
    Result<std::vector<HostTensor>> all =
        withWeights(main->signature(), sources, std::move(inputs), files);
    EXPECT_TRUE(all) << all.error().message;
    Result<RunResult> run = main->run(std::move(*all));
    EXPECT_TRUE(run) << run.error().message;
    return std::move(run->results[0]);
  }

  /// Logits of row `row` are those of the last of `tokens`.
  void expectLogits(const Generator &generator, int64_t row, const Tokens &tokens) {
    HostTensor all = logitsOf(tokens);
    int64_t width = generator.vocabulary(),
            last = (static_cast<int64_t>(tokens.size()) - 1) * width;
    for (int64_t i = 0; i < width; ++i)
      EXPECT_NEAR(generator.logits().getDouble(row * width + i), all.getDouble(last + i), 1e-5);
  }

  mlir::MLIRContext context;
  std::optional<Executable> main;
  std::vector<std::optional<WeightSource>> sources;
};

class GeneratorOn : public GeneratorOfTinyLlama, public testing::WithParamInterface<const char *> {
protected:
  void sharePages(const PrefillLengths &lengths);
};
} // namespace

INSTANTIATE_TEST_SUITE_P(Targets, GeneratorOn, testing::Values("cpu", "sim:sm_90a", "sim:gfx942"),
                         [](const auto &info) {
                           std::string name = info.param;
                           std::replace(name.begin(), name.end(), ':', '_');
                           return name;
                         });

TEST_P(GeneratorOn, HasTheLogitsOfAllTokensAtOnce) {
  // A prefill of 2 tokens at a time: 5 tokens are three calls, of which the last is half full.
  Generator generator = make({.target = GetParam(), .capacity = 9, .prompts = {2}});
  Tokens tokens = {3, 1, 4, 1, 5};
  Result<Tokens> next = generator.prefill({tokens});
  ASSERT_TRUE(next) << next.error().message;
  expectLogits(generator, 0, tokens);
  for (int i = 0; i < 3; ++i) {
    tokens.push_back(next->front());
    next = generator.decode(*next);
    ASSERT_TRUE(next) << next.error().message;
    expectLogits(generator, 0, tokens);
  }
  EXPECT_EQ(generator.length(), 8);
}

TEST_P(GeneratorOn, HasTheSameLogitsByAllPrefills) {
  // Prefills of 16, 4 and 1 tokens, and the step: a prompt of 23 tokens, then 1, 5 and 2 more.
  Generator generator = make({.target = GetParam(), .capacity = 33, .prompts = {16, 4, 1}});
  Tokens tokens;
  for (size_t count : {23, 1, 5, 2}) {
    Tokens more;
    for (size_t i = 0; i < count; ++i)
      more.push_back(static_cast<int32_t>((tokens.size() + i * i) % 11));
    Result<Tokens> next = generator.prefill({more});
    ASSERT_TRUE(next) << next.error().message;
    tokens.insert(tokens.end(), more.begin(), more.end());
    expectLogits(generator, 0, tokens);
  }
  Result<Tokens> next = generator.decode({3});
  ASSERT_TRUE(next) << next.error().message;
  tokens.push_back(3);
  expectLogits(generator, 0, tokens);
  // Up to the last place of the caches, and again from some of the tokens.
  ASSERT_TRUE(generator.prefill({{7}}));
  tokens.push_back(7);
  EXPECT_EQ(generator.length(), generator.capacity());
  expectLogits(generator, 0, tokens);
  ASSERT_TRUE(generator.truncate({30}));
  tokens.resize(30);
  ASSERT_TRUE(generator.prefill({{9, 8, 2}}));
  tokens.insert(tokens.end(), {9, 8, 2});
  expectLogits(generator, 0, tokens);
}

TEST_P(GeneratorOn, SharesPages) {
  // Two sequences of 24 tokens at most, in 9 pages of 4: prompts of 17 and 5, then 3 and 7.
  sharePages({{8, 2}, {}});
}

TEST_P(GeneratorOn, SharesPagesWithPrefillsOfOneSequence) { sharePages({{}, {8, 1}}); }

void GeneratorOn::sharePages(const PrefillLengths &lengths) {
  CompileGeneratorOptions options;
  options.target = GetParam();
  options.batch = 2;
  options.capacity = 24;
  options.pageSize = 4;
  options.pages = 9;
  options.lengths = lengths;
  Generator generator = make(options);
  EXPECT_EQ(generator.capacity(), 24);
  for (auto [left, right] : {std::pair(17, 5), {3, 7}}) {
    ASSERT_TRUE(generator.reset());
    std::vector<Tokens> tokens = {Tokens(left, 3), Tokens(right, 4)};
    for (size_t i = 0; i < tokens[0].size(); ++i)
      tokens[0][i] = static_cast<int32_t>(i * i % 11);
    tokens[1][1] = 9;
    Result<Tokens> next = generator.prefill(tokens);
    for (int step = 0; step < 5; ++step) {
      ASSERT_TRUE(next) << next.error().message;
      for (size_t b = 0; b < 2; ++b) {
        expectLogits(generator, static_cast<int64_t>(b), tokens[b]);
        tokens[b].push_back((*next)[b]);
      }
      next = generator.decode(*next);
    }
    // A conversation goes on from tokens that are kept, with pages that the other has given back.
    ASSERT_TRUE(generator.truncate({6, 0}));
    tokens[0].resize(6);
    Tokens more = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 0, 1};
    ASSERT_TRUE(generator.prefill({more, {}}));
    tokens[0].insert(tokens[0].end(), more.begin(), more.end());
    expectLogits(generator, 0, tokens[0]);
  }
  EXPECT_EQ(generator.prefill({Tokens(6, 1), Tokens(13, 1)}).error().message,
            "expected tokens that take at most 9 pages of 4, but got some that take 10");
}

TEST_F(GeneratorOfTinyLlama, KeepsSequencesOfABatchApart) {
  Generator generator = make({.batch = 2, .capacity = 12, .prompts = {4}});
  std::vector<Tokens> tokens = {{7}, {2, 0, 6, 6, 9, 10}};
  Result<Tokens> next = generator.prefill(tokens);
  ASSERT_TRUE(next) << next.error().message;
  for (int i = 0; i < 3; ++i) {
    for (size_t b = 0; b < 2; ++b) {
      expectLogits(generator, static_cast<int64_t>(b), tokens[b]);
      tokens[b].push_back((*next)[b]);
    }
    next = generator.decode(*next);
    ASSERT_TRUE(next) << next.error().message;
  }
  // A conversation goes on: more tokens behind those of both.
  std::vector<Tokens> more = {{1, 2}, {3}};
  next = generator.prefill(more);
  ASSERT_TRUE(next) << next.error().message;
  for (size_t b = 0; b < 2; ++b) {
    tokens[b].insert(tokens[b].end(), more[b].begin(), more[b].end());
    expectLogits(generator, static_cast<int64_t>(b), tokens[b]);
  }
}

/// Bytes of memory that the process has in use.
static size_t memoryInUse() {
  std::ifstream file("/proc/self/statm");
  size_t all = 0, resident = 0;
  file >> all >> resident;
  return resident * static_cast<size_t>(sysconf(_SC_PAGESIZE));
}

TEST_P(GeneratorOn, KeepsMemoryFlatFromPromptToPrompt) {
  bool isCPU = std::string(GetParam()) == "cpu";
  int32_t prompts = isCPU ? 20 : 6, steps = isCPU ? 50 : 4;
  Generator generator = make({.target = GetParam(), .capacity = 64, .prompts = {4}});
  size_t before = 0;
  Tokens first;
  for (int32_t i = 0; i < prompts; ++i) {
    ASSERT_TRUE(generator.reset());
    Result<Tokens> next = generator.prefill({{i % 10, 1, 2}});
    Tokens made;
    for (int step = 0; next && step < steps; ++step) {
      made.push_back(next->front());
      next = generator.decode(*next);
    }
    ASSERT_TRUE(next) << next.error().message;
    // What is kept from run to run, graphs and plans among it, is there after some.
    if (i == 2)
      before = memoryInUse();
    if (i == 0)
      first = made;
    if (i == 10)
      EXPECT_EQ(made, first);
  }
  EXPECT_LT(memoryInUse(), before + (size_t(1) << 20));
}

TEST_F(GeneratorOfTinyLlama, KeepsMemoryFlatAsPromptsSharePages) {
  Generator generator =
      make({.batch = 3, .capacity = 64, .pageSize = 4, .pages = 24, .lengths = {{4}, {16}}});
  // One sequence after the other begins anew, while the others go on.
  std::vector<int64_t> sizes(3);
  Tokens last(3, Generator::kLeftOut);
  size_t before = 0;
  for (int32_t i = 0; i < 60; ++i) {
    size_t b = static_cast<size_t>(i) % 3;
    sizes = generator.sizes();
    sizes[b] = 0;
    ASSERT_TRUE(generator.truncate(sizes));
    std::vector<Tokens> inputs(3);
    inputs[b] = Tokens(static_cast<size_t>(1 + i * 7 % 20), i % 10);
    Result<Tokens> next = generator.prefill(inputs);
    ASSERT_TRUE(next) << next.error().message;
    last[b] = (*next)[b];
    for (int step = 0; step < 3; ++step) {
      next = generator.decode(last);
      ASSERT_TRUE(next) << next.error().message;
      last = *next;
    }
    if (i == 6)
      before = memoryInUse();
  }
  EXPECT_LT(memoryInUse(), before + (size_t(1) << 20));
}

TEST_P(GeneratorOn, ContinuesBehindTheTokensThatAreKept) {
  Generator generator = make({.target = GetParam(), .capacity = 9, .prompts = {2}});
  ASSERT_TRUE(generator.prefill({{3, 1, 4, 1, 5}}));
  ASSERT_TRUE(generator.truncate({2}));
  ASSERT_TRUE(generator.prefill({{7, 9, 2}}));
  expectLogits(generator, 0, {3, 1, 7, 9, 2});
}

TEST_F(GeneratorOfTinyLlama, StartsAnewAfterReset) {
  Generator generator = make({.capacity = 6, .prompts = {4}});
  ASSERT_TRUE(generator.prefill({{1, 2, 3, 4}}));
  ASSERT_TRUE(generator.reset());
  EXPECT_EQ(generator.length(), 0);
  ASSERT_TRUE(generator.prefill({{5, 6}}));
  expectLogits(generator, 0, {5, 6});
}

TEST_F(GeneratorOfTinyLlama, SamplesTheSameForASeed) {
  Generator generator = make({.capacity = 24, .prompts = {2}, .sampling = Sampling()});
  auto draw = [&](const Sampling &sampling) {
    EXPECT_TRUE(generator.reset());
    EXPECT_TRUE(generator.setSampling(sampling));
    Result<Tokens> next = generator.prefill({{1, 2}});
    Tokens tokens;
    for (int i = 0; next && i < 16; ++i) {
      tokens.push_back(next->front());
      next = generator.decode(*next);
    }
    EXPECT_TRUE(next);
    return tokens;
  };
  Tokens first = draw({.temperature = 3, .seed = 1});
  EXPECT_NE(first, draw({.temperature = 3, .seed = 2}));
  EXPECT_EQ(first, draw({.temperature = 3, .seed = 1}));
  // One token to draw from, in three ways: the most likely one.
  Tokens likely = draw({.temperature = 0, .seed = 1});
  EXPECT_EQ(likely, draw({.temperature = 3, .topK = 1, .seed = 5}));
  EXPECT_EQ(likely, draw({.temperature = 3, .topP = 0, .seed = 6}));
  EXPECT_NE(first, likely);
}

TEST_F(GeneratorOfTinyLlama, RefusesTokensThatDoNotFit) {
  Generator generator = make({.capacity = 4, .prompts = {4}});
  auto problem = [&](const std::vector<Tokens> &tokens) {
    Result<Tokens> next = generator.prefill(tokens);
    return next ? "" : next.error().message;
  };
  EXPECT_EQ(problem({}), "expected tokens of 1 sequences, but got 0");
  EXPECT_EQ(problem({{}}), "expected one token or more");
  EXPECT_EQ(problem({{1, 11}}), "expected tokens from 0 to 10, but got 11");
  EXPECT_EQ(problem({{-1}}), "expected tokens from 0 to 10, but got -1");
  EXPECT_EQ(problem({{1, 2, 3, 4, 5}}), "expected at most 4 more tokens, but got 5");
  EXPECT_EQ(problem({{1, 2, 3, 4}}), "");
  EXPECT_EQ(generator.decode({1}).error().message, "expected at most 0 more tokens, but got 1");
  EXPECT_EQ(generator.setSampling({}).error().message, "expected a generator that samples");
}

TEST(Generator, RefusesFoldersWithoutAModel) {
  mlir::MLIRContext context;
  Result<Generator> made = compileGenerator("/nowhere", context, {});
  ASSERT_FALSE(made);
  EXPECT_EQ(made.error().message, "/nowhere/config.json: cannot open: No such file or directory");
}
