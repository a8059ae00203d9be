#include "forge/Generate/ChoosePrefill.h"

#include <gtest/gtest.h>

#include <vector>

using namespace forge;

/// The lengths that are run one after the other.
static std::vector<int64_t> runs(const std::vector<int64_t> &lengths, int64_t tokens,
                                 int64_t overhead) {
  std::vector<int64_t> made;
  while (tokens > 0) {
    made.push_back(lengths[choosePrefill(lengths, tokens, overhead)]);
    tokens -= made.back();
  }
  return made;
}

/// What the cheapest runs cost, tried one by one.
static int64_t least(const std::vector<int64_t> &lengths, int64_t tokens, int64_t overhead) {
  std::vector<int64_t> costs(static_cast<size_t>(tokens) + 1);
  for (int64_t left = 1; left <= tokens; ++left) {
    int64_t best = INT64_MAX;
    for (int64_t length : lengths)
      best = std::min(best, length + overhead +
                                costs[static_cast<size_t>(std::max<int64_t>(left - length, 0))]);
    costs[static_cast<size_t>(left)] = best;
  }
  return costs.back();
}

TEST(ChoosePrefill, TakesTheLongestThatIsFilledAndOneForTheRest) {
  std::vector<int64_t> lengths = {2048, 512, 128, 32};
  using Runs = std::vector<int64_t>;
  EXPECT_EQ(runs(lengths, 1, 256), (Runs{32}));
  EXPECT_EQ(runs(lengths, 32, 256), (Runs{32}));
  EXPECT_EQ(runs(lengths, 33, 256), (Runs{128}));
  EXPECT_EQ(runs(lengths, 128, 256), (Runs{128}));
  EXPECT_EQ(runs(lengths, 300, 256), (Runs{512}));
  EXPECT_EQ(runs(lengths, 520, 256), (Runs{512, 32}));
  EXPECT_EQ(runs(lengths, 1000, 256), (Runs{512, 512}));
  EXPECT_EQ(runs(lengths, 1900, 256), (Runs{2048}));
  EXPECT_EQ(runs(lengths, 2000, 256), (Runs{2048}));
  EXPECT_EQ(runs(lengths, 5000, 256), (Runs{2048, 2048, 512, 512}));
  // Where weights cost little, less is padded.
  EXPECT_EQ(runs(lengths, 300, 16), (Runs{128, 128, 32, 32}));
  EXPECT_EQ(runs({64}, 130, 0), (Runs{64, 64, 64}));
}

TEST(ChoosePrefill, CostsTheLeastOfAllWhereEachLengthIsAMultipleOfTheNext) {
  for (const std::vector<int64_t> &lengths :
       {std::vector<int64_t>{256, 64, 16}, {64, 4, 1}, {12}, {32, 16, 8, 4, 2, 1}})
    for (int64_t overhead : {0, 1, 5, 16, 300})
      for (int64_t tokens = 1; tokens < 600; ++tokens) {
        int64_t cost = 0;
        for (int64_t length : runs(lengths, tokens, overhead))
          cost += length + overhead;
        EXPECT_EQ(cost, least(lengths, tokens, overhead))
            << lengths.front() << " " << overhead << " " << tokens;
      }
}
