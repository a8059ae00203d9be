#include "forge/Generate/Compiler/Perplexity.h"

#include "forge/Pipelines/InitAll.h"

#include <gtest/gtest.h>

#include <cmath>

using namespace forge;

namespace {
class PerplexityOfTinyLlama : public testing::Test {
protected:
  PerplexityOfTinyLlama() {
    mlir::DialectRegistry registry;
    registerAllDialects(registry);
    context.appendDialectRegistry(registry);
  }
  Result<Perplexity> measure(const std::vector<int32_t> &tokens, int64_t window) {
    PerplexityOptions options;
    options.context = window;
    return measurePerplexity(FORGE_TINY_LLAMA, context, tokens, options);
  }

  mlir::MLIRContext context;
};
} // namespace

// Windows [0, 3), [2, 5) and [4, 7) of 7 tokens are texts of their own, each of two predictions.
TEST_F(PerplexityOfTinyLlama, IsThatOfItsWindows) {
  std::vector<int32_t> tokens = {3, 1, 4, 1, 5, 9, 2};
  Result<Perplexity> all = measure(tokens, 3);
  ASSERT_TRUE(all) << all.error().message;
  EXPECT_EQ(all->windows, 3);
  EXPECT_EQ(all->predicted, 6);
  double sum = 0;
  for (ptrdiff_t begin : {0, 2, 4}) {
    Result<Perplexity> one = measure({tokens.begin() + begin, tokens.begin() + begin + 3}, 3);
    ASSERT_TRUE(one) << one.error().message;
    EXPECT_EQ(one->windows, 1);
    sum += one->logLikelihood;
  }
  EXPECT_NEAR(all->logLikelihood, sum, 1e-9);
  EXPECT_NEAR(all->value(), std::exp(-sum / 6), 1e-9);
}

// The last window ends with the text; of its tokens those count that no window before had.
TEST_F(PerplexityOfTinyLlama, PredictsEachTokenOnce) {
  std::vector<int32_t> tokens = {3, 1, 4, 1, 5, 9};
  Result<Perplexity> all = measure(tokens, 4), first = measure({3, 1, 4, 1}, 4),
                     last = measure({4, 1, 5, 9}, 4), before = measure({4, 1}, 4);
  ASSERT_TRUE(all && first && last && before);
  EXPECT_EQ(all->windows, 2);
  EXPECT_EQ(all->predicted, 5);
  EXPECT_NEAR(all->logLikelihood,
              first->logLikelihood + last->logLikelihood - before->logLikelihood, 1e-5);
}

TEST_F(PerplexityOfTinyLlama, NeedsTokensOfTheModel) {
  EXPECT_EQ(measure({1}, 4).error().message,
            "expected two tokens or more, in the text and in a window, but got 1 and 4");
  EXPECT_EQ(measure({1, 2, 3}, 1).error().message,
            "expected two tokens or more, in the text and in a window, but got 3 and 1");
  EXPECT_EQ(measure({1, 11}, 4).error().message, "expected tokens from 0 to 10, but got 11");
  EXPECT_EQ(measure({-1, 1}, 4).error().message, "expected tokens from 0 to 10, but got -1");
}
