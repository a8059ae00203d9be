#include "forge/Bench/Samples.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>

using namespace forge;

namespace {

/// 1 to n, in another order.
std::vector<double> numbers(int n) {
  std::vector<double> values(static_cast<size_t>(n));
  std::iota(values.begin(), values.end(), 1.0);
  std::reverse(values.begin(), values.end());
  return values;
}

/// The ranks of tables of the sign test at 5 %, both sides together: David and Nagaraja.
TEST(MedianInterval, RanksOfTables) {
  for (auto [n, rank] : {std::pair(6, 1),
                         {8, 1},
                         {9, 2},
                         {10, 2},
                         {12, 3},
                         {15, 4},
                         {20, 6},
                         {21, 6},
                         {25, 8},
                         {50, 18},
                         {100, 40}}) {
    std::optional<MedianInterval> found = medianInterval(numbers(n));
    ASSERT_TRUE(found) << n;
    EXPECT_EQ(found->low, rank) << n;
    EXPECT_EQ(found->high, n + 1 - rank) << n;
    EXPECT_EQ(found->median, (n + 1) / 2.0) << n;
  }
}

TEST(MedianInterval, TooFewSamples) {
  for (int n = 0; n < 6; ++n)
    EXPECT_FALSE(medianInterval(numbers(n))) << n;
  EXPECT_TRUE(medianInterval(numbers(kLeastSamples)));
}

TEST(MedianInterval, ManySamples) {
  MedianInterval found = *medianInterval(numbers(100000));
  // Half of it less 1.96 times half of the root.
  EXPECT_NEAR(found.low, 50000 - 0.98 * 316.2, 3);
}

/// Of intervals of skewed samples at least 95 % hold the median.
TEST(MedianInterval, HoldsTheMedian) {
  std::mt19937_64 random(1);
  int held = 0;
  const int tries = 4000;
  for (int i = 0; i < tries; ++i) {
    std::vector<double> samples;
    for (int k = 0; k < 21; ++k)
      samples.push_back(-std::log((double(random() >> 11) + 1) * 0x1p-53));
    MedianInterval found = *medianInterval(samples);
    held += found.low <= std::log(2.0) && std::log(2.0) <= found.high;
  }
  EXPECT_GT(held, 0.95 * tries);
  EXPECT_LT(held, 0.99 * tries);
}

TEST(CompareIntervals, OnlyBeyondBothIntervals) {
  MedianInterval before{9, 10, 11};
  EXPECT_EQ(compareIntervals(before, {11.5, 12, 13}, 0), Change::Slower);
  EXPECT_EQ(compareIntervals(before, {10.5, 12, 13}, 0), Change::None);
  EXPECT_EQ(compareIntervals(before, {11.5, 12, 13}, 0.1), Change::None);
  EXPECT_EQ(compareIntervals(before, {7, 8, 8.5}, 0), Change::Faster);
  EXPECT_EQ(compareIntervals(before, {7, 8, 8.5}, 0.1), Change::None);
  EXPECT_EQ(compareIntervals(before, before, 0), Change::None);
}

} // namespace
