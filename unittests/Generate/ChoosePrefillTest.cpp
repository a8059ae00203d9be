#include "forge/Generate/ChoosePrefill.h"

#include <gtest/gtest.h>

#include <vector>

using namespace forge;

/// The lengths that are run one after the other.
static std::vector<int64_t> runs(const std::vector<int64_t> &lengths, int64_t tokens,
                                 const PrefillCosts &costs) {
  std::vector<int64_t> made;
  while (tokens > 0) {
    made.push_back(lengths[choosePrefill(lengths, tokens, costs)]);
    tokens -= made.back();
  }
  return made;
}

/// What the cheapest runs cost, tried one by one.
static int64_t least(const std::vector<int64_t> &lengths, int64_t tokens,
                     const PrefillCosts &costs) {
  std::vector<int64_t> all(static_cast<size_t>(tokens) + 1);
  for (int64_t left = 1; left <= tokens; ++left) {
    int64_t best = INT64_MAX;
    for (int64_t length : lengths)
      best = std::min(best, costs.ofRun(length) +
                                all[static_cast<size_t>(std::max<int64_t>(left - length, 0))]);
    all[static_cast<size_t>(left)] = best;
  }
  return all.back();
}

TEST(ChoosePrefill, TakesTheLongestThatIsFilledAndOneForTheRest) {
  std::vector<int64_t> lengths = {2048, 512, 128, 32};
  using Runs = std::vector<int64_t>;
  auto onGPU = PrefillCosts::of(/*isCPU=*/false, /*batch=*/1);
  EXPECT_EQ(runs(lengths, 1, onGPU), (Runs{32}));
  EXPECT_EQ(runs(lengths, 32, onGPU), (Runs{32}));
  EXPECT_EQ(runs(lengths, 33, onGPU), (Runs{128}));
  EXPECT_EQ(runs(lengths, 128, onGPU), (Runs{128}));
  EXPECT_EQ(runs(lengths, 200, onGPU), (Runs{128, 128}));
  EXPECT_EQ(runs(lengths, 300, onGPU), (Runs{512}));
  EXPECT_EQ(runs(lengths, 520, onGPU), (Runs{512, 32}));
  EXPECT_EQ(runs(lengths, 1000, onGPU), (Runs{512, 512}));
  EXPECT_EQ(runs(lengths, 1500, onGPU), (Runs{512, 512, 512}));
  EXPECT_EQ(runs(lengths, 2000, onGPU), (Runs{2048}));
  EXPECT_EQ(runs(lengths, 5000, onGPU), (Runs{2048, 2048, 512, 512}));
  // Rows of all sequences count, and what a run takes besides.
  EXPECT_EQ(runs({256, 64}, 65, PrefillCosts::of(false, 16)), (Runs{64, 64}));
  EXPECT_EQ(runs({256, 64}, 65, {.launches = 300}), (Runs{256}));
  EXPECT_EQ(runs(lengths, 200, PrefillCosts::of(/*isCPU=*/true, 1)), (Runs{128, 32, 32, 32}));
  EXPECT_EQ(runs({64}, 130, {}), (Runs{64, 64, 64}));
  EXPECT_EQ(prefillCost(lengths, 520, onGPU), 512 + 32 + 192 + 32);
  EXPECT_EQ(prefillCost({}, 1, onGPU), INT64_MAX);
}

TEST(ChoosePrefill, CostsTheLeastOfAllWhereEachLengthIsAMultipleOfTheNext) {
  for (const std::vector<int64_t> &lengths :
       {std::vector<int64_t>{256, 64, 16}, {64, 4, 1}, {12}, {32, 16, 8, 4, 2, 1}})
    for (int64_t batch : {1, 3})
      for (int64_t weights : {0, 7, 50, 192})
        for (int64_t launches : {0, 1, 32, 300})
          for (int64_t tokens = 1; tokens < 600; tokens += 7) {
            PrefillCosts costs{batch, weights, launches};
            int64_t cost = 0;
            for (int64_t length : runs(lengths, tokens, costs))
              cost += costs.ofRun(length);
            EXPECT_EQ(cost, least(lengths, tokens, costs))
                << lengths.front() << " " << weights << " " << launches << " " << tokens;
          }
}
