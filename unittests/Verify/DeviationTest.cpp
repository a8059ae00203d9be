// Standard deviations from few samples: what overflowed does not count, and what happened once is
// told from what is spread.
#include "../../lib/Verify/Deviation.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

using namespace forge;

static HostTensor vectorOf(const std::vector<double> &values) {
  return *reference::fromDoubles(DType::F64, {static_cast<int64_t>(values.size())}, values);
}

TEST(Deviation, CountsTheExecutionsInWhichAnElementWasFinite) {
  double infinity = std::numeric_limits<double>::infinity();
  Deviation deviation(vectorOf({1, 1}));
  EXPECT_TRUE(deviation.lacksSamples());
  for (int sample = 0; sample < 15; ++sample)
    deviation.add(vectorOf({infinity, infinity}));
  EXPECT_TRUE(deviation.lacksSamples());
  deviation.add(vectorOf({1.5, 1}));
  EXPECT_FALSE(deviation.lacksSamples());
  // Not 0.5 / sqrt(16).
  EXPECT_GE(deviation.pooled()[0], 0.5);
}

/// 20 samples of 64 elements near 1, normal of deviation 1e-6.
static Deviation normalSamples(double event, int times) {
  std::mt19937_64 random(7);
  std::normal_distribution<double> normal(0, 1e-6);
  Deviation deviation(vectorOf(std::vector<double>(64, 1.25)));
  for (int sample = 0; sample < 20; ++sample) {
    std::vector<double> values(64);
    for (double &value : values)
      value = 1.25 + normal(random);
    if (sample < times)
      values[5] += event;
    deviation.add(vectorOf(values));
  }
  return deviation;
}

TEST(Deviation, TellsRareEventsFromASpread) {
  EXPECT_EQ(normalSamples(0, 0).rareEvents(), std::vector<double>(64, 0.0));
  // One execution in which one element was another: any element of its magnitude may be.
  for (double event : normalSamples(0.5, 1).rareEvents())
    EXPECT_NEAR(event, 0.5, 1e-5);
  // An element that is off in every second execution errs more than the others, which are not.
  EXPECT_EQ(normalSamples(0.5, 10).rareEvents(), std::vector<double>(64, 0.0));
}

TEST(Deviation, TellsFactorsFromDifferences) {
  std::mt19937_64 random(11);
  std::normal_distribution<double> normal;
  // By a factor; by a difference around 1, and around next to nothing; by a small factor.
  Deviation deviation(vectorOf({1e-9, 1, 1e-9, 1}));
  for (int sample = 0; sample < 20; ++sample)
    deviation.add(vectorOf({1e-9 * std::exp(2 * normal(random)), 1 + 1e-3 * normal(random),
                            1e-9 + 1e-3 * normal(random), std::exp(0.1 * normal(random))}));
  std::vector<double> allowed = deviation.byFactor(6);
  // 6 deviations of 2, which small samples make larger; a normal variable is beyond them never.
  EXPECT_GT(allowed[0], 1e-9 * std::expm1(12));
  EXPECT_LT(allowed[0], 1e-9 * std::expm1(12 * 2.5));
  EXPECT_EQ(allowed[1], 0);
  EXPECT_EQ(allowed[2], 0);
  EXPECT_EQ(allowed[3], 0);
}

TEST(Deviation, KnowsNoFactorOfFewSamplesOrOfZero) {
  Deviation few(vectorOf({1.0})), zero(vectorOf({0.0}));
  for (int sample = 0; sample < 20; ++sample) {
    if (sample < 10)
      few.add(vectorOf({std::exp(static_cast<double>(sample))}));
    zero.add(vectorOf({std::exp(static_cast<double>(sample))}));
  }
  EXPECT_EQ(few.byFactor(6)[0], 0);
  EXPECT_EQ(zero.byFactor(6)[0], 0);
}
