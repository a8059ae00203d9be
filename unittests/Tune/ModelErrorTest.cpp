#include "forge/Tune/ModelError.h"

#include <gtest/gtest.h>

using namespace forge;

namespace {

Prediction one(double predicted, double measured, std::string kernel = "k") {
  return {std::move(kernel), "rows", predicted, measured};
}

TEST(ModelError, RanksDecide) {
  EXPECT_DOUBLE_EQ(*modelErrorOf({one(1, 10), one(2, 11), one(3, 90)}).rankCorrelation, 1);
  EXPECT_DOUBLE_EQ(*modelErrorOf({one(1, 90), one(2, 11), one(3, 10)}).rankCorrelation, -1);
  // Ranks 0 1 2 and 1 0 2: 1 - 6 * 2 / (3 * 8).
  EXPECT_DOUBLE_EQ(*modelErrorOf({one(1, 2), one(2, 1), one(3, 3)}).rankCorrelation, 0.5);
}

TEST(ModelError, EqualTimesShareARank) {
  // Ranks 0.5 0.5 2 and 0 1 2.
  EXPECT_NEAR(*modelErrorOf({one(1, 1), one(1, 2), one(3, 3)}).rankCorrelation, 0.8660254, 1e-6);
}

TEST(ModelError, WorstOnEitherSide) {
  ModelError slower = modelErrorOf({one(1, 1.5, "a"), one(1, 4, "b"), one(1, 0.5, "c")});
  EXPECT_EQ(slower.worst->kernel, "b");
  ModelError faster = modelErrorOf({one(1, 1.5, "a"), one(1, 4, "b"), one(1, 0.1, "c")});
  EXPECT_EQ(faster.worst->kernel, "c");
  EXPECT_EQ(faster.predictions, 3u);
}

TEST(ModelError, TypicalFactor) {
  EXPECT_DOUBLE_EQ(modelErrorOf({one(1, 2), one(2, 1)}).typicalFactor, 2);
  EXPECT_DOUBLE_EQ(modelErrorOf({}).typicalFactor, 1);
}

TEST(ModelError, NothingToSay) {
  EXPECT_FALSE(modelErrorOf({}).worst);
  EXPECT_FALSE(modelErrorOf({}).rankCorrelation);
  EXPECT_FALSE(modelErrorOf({one(1, 2)}).rankCorrelation);
  EXPECT_FALSE(modelErrorOf({one(1, 2), one(1, 3)}).rankCorrelation);
}

} // namespace
