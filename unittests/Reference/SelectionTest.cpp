#include "TestTensors.h"

#include "forge/Reference/Random.h"
#include "forge/Reference/Selection.h"

#include <cmath>

using namespace forge;
using namespace forge::reference;

//===----------------------------------------------------------------------===//
// Falling order, argmax, top_k
//===----------------------------------------------------------------------===//

TEST(FallingOrder, NaNFirstThenNumbersEqualsByIndex) {
  EXPECT_EQ(fallingOrder({1, kNaN, 3, 3, -kInf, -0.0, 0.0, -kNaN, kInf}),
            (std::vector<int64_t>{1, 7, 8, 2, 3, 0, 5, 6, 4}));
  EXPECT_TRUE(fallingOrder({}).empty());
}

TEST(Argmax, FirstOfTheLargest) {
  expectSame(argmax(floats({3, 3}, {1, 5, 5, kNaN, 1, kNaN, -kInf, -kInf, -kInf}), DType::I32),
             ints({3}, {1, 0, 0}));
  expectSame(argmax(floats({1}, {-7}), DType::I64), ints({}, {0}, DType::I64));
  expectSame(argmax(floats({2, 0}, {}), DType::I32), ints({2}, {0, 0}));
  expectError(argmax(floats({}, {1}), DType::I32), "expected rows");
}

TEST(Largest, ValuesAndPlaces) {
  Result<Selected> top = largest(floats({2, 4}, {1, 3, kNaN, 3, -0.0, 0.0, -1, -1}), 3, DType::I32);
  ASSERT_TRUE(top);
  expectSame(top->values, floats({2, 3}, {kNaN, 3, 3, -0.0, 0.0, -1}));
  expectSame(top->indices, ints({2, 3}, {2, 1, 3, 0, 1, 2}));
  expectError(largest(floats({2}, {1, 2}), 3, DType::I32), "at least 3");
  expectError(largest(floats({2}, {1, 2}), 0, DType::I32), "at least 0");
}

//===----------------------------------------------------------------------===//
// sample
//===----------------------------------------------------------------------===//

namespace {
/// Parameters of one row.
struct Draw {
  std::optional<double> temperature = {}, topP = {};
  std::optional<int64_t> topK = {};
  int64_t seed = 0, step = 0;
};
} // namespace

static int64_t sampleOne(const std::vector<double> &logits, const Draw &draw) {
  HostTensor temperature = floats({1}, {draw.temperature.value_or(1)}),
             topP = floats({1}, {draw.topP.value_or(1)}), topK = ints({1}, {draw.topK.value_or(0)});
  SampleOptions options;
  options.temperature = draw.temperature ? &temperature : nullptr;
  options.topP = draw.topP ? &topP : nullptr;
  options.topK = draw.topK ? &topK : nullptr;
  Result<HostTensor> token = sample(
      floats({1, static_cast<int64_t>(logits.size())}, logits), ints({1}, {draw.seed}, DType::I64),
      ints({1}, {draw.step}, DType::I64), options, DType::F32, DType::I32);
  EXPECT_TRUE(token);
  return getInteger(*token, 0);
}

TEST(Sample, UsesPhiloxWithTheSeedAsKeyAndTheStepAsCounter) {
  // Weights 1 each: the token is floor(16 u), u from the generator's first word.
  std::vector<double> even(16, 0.0);
  for (int64_t seed : {int64_t{0}, int64_t{7}, int64_t{-1}, int64_t{1} << 40})
    for (int64_t step : {int64_t{0}, int64_t{1}, int64_t{1} << 33}) {
      auto word = [](int64_t x, int part) {
        return static_cast<uint32_t>(static_cast<uint64_t>(x) >> (32 * part));
      };
      uint32_t bits =
          philox4x32({word(seed, 0), word(seed, 1)}, {word(step, 0), word(step, 1), 0, 0})[0];
      EXPECT_EQ(sampleOne(even, {.seed = seed, .step = step}), bits >> 28);
    }
}

TEST(Sample, ColdOrUnboundedRowsAreGreedy) {
  std::vector<double> logits = {1, 4, 2};
  for (int64_t step = 0; step < 20; ++step) {
    EXPECT_EQ(sampleOne(logits, {.temperature = 0, .step = step}), 1);
    EXPECT_EQ(sampleOne(logits, {.temperature = -1, .step = step}), 1);
    EXPECT_EQ(sampleOne(logits, {.temperature = kNaN, .step = step}), 1);
    EXPECT_EQ(sampleOne({1, kInf, 2}, {.step = step}), 1);
    EXPECT_EQ(sampleOne({1, 2, kNaN}, {.step = step}), 2);
    EXPECT_EQ(sampleOne({-kInf, -kInf}, {.step = step}), 0);
    EXPECT_EQ(sampleOne({-kInf, 3, -kInf}, {.step = step}), 1);
  }
}

TEST(Sample, CutsKeepTheBeginningOfTheOrder) {
  // Weights 1/10, 4/10, 2/10, 3/10.
  std::vector<double> logits = {0, std::log(4), std::log(2), std::log(3)};
  auto seen = [&](Draw draw) {
    std::vector<bool> tokens(4);
    for (draw.step = 0; draw.step < 400; ++draw.step)
      tokens[sampleOne(logits, draw)] = true;
    return tokens;
  };
  using Flags = std::vector<bool>;
  EXPECT_EQ(seen({}), (Flags{true, true, true, true}));
  EXPECT_EQ(seen({.topK = 2}), (Flags{false, true, false, true}));
  EXPECT_EQ(seen({.topK = 1}), (Flags{false, true, false, false}));
  EXPECT_EQ(seen({.topK = 0}), (Flags{true, true, true, true}));
  EXPECT_EQ(seen({.topK = 9}), (Flags{true, true, true, true}));
  EXPECT_EQ(seen({.topP = 0.75}), (Flags{false, true, true, true}));
  EXPECT_EQ(seen({.topP = 0.5}), (Flags{false, true, false, true}));
  EXPECT_EQ(seen({.topP = 0}), (Flags{false, true, false, false}));
  EXPECT_EQ(seen({.topP = kNaN}), (Flags{true, true, true, true}));
  // The share is of what top_k left: 4/7 is more than a half of 7.
  EXPECT_EQ(seen({.topP = 0.5, .topK = 2}), (Flags{false, true, false, false}));
}

TEST(Sample, EqualLogitsAreCutByIndex) {
  std::vector<bool> tokens(4);
  for (int64_t step = 0; step < 200; ++step)
    tokens[sampleOne({5, 5, 5, 5}, {.topK = 2, .step = step})] = true;
  EXPECT_EQ(tokens, (std::vector<bool>{true, true, false, false}));
}

TEST(Sample, FrequenciesAreTheWeights) {
  // 8000 draws: a standard deviation is 44 at most.
  std::vector<double> logits = {0, std::log(3)};
  int counts[2] = {0, 0}, flat[2] = {0, 0};
  for (int64_t step = 0; step < 8000; ++step) {
    ++counts[sampleOne(logits, {.seed = 11, .step = step})];
    ++flat[sampleOne(logits, {.temperature = 1e6, .seed = 11, .step = step})];
  }
  EXPECT_NEAR(counts[1], 6000, 250);
  EXPECT_NEAR(flat[1], 4000, 250);
}

//===----------------------------------------------------------------------===//
// cross_entropy
//===----------------------------------------------------------------------===//

TEST(CrossEntropy, LossesSumAndMean) {
  HostTensor logits = floats({2, 2}, {0, 0, std::log(3), 0}, DType::F64),
             classes = ints({2}, {1, 0});
  double first = std::log(2.0), second = std::log(4.0 / 3);
  auto loss = [&](CrossEntropyOptions options) {
    return crossEntropy(logits, classes, options, DType::F64);
  };
  Result<HostTensor> all = loss({.reduction = LossReduction::None});
  EXPECT_NEAR(all->getDouble(0), first, 1e-15);
  EXPECT_NEAR(all->getDouble(1), second, 1e-15);
  EXPECT_NEAR(loss({.reduction = LossReduction::Sum})->getDouble(0), first + second, 1e-15);
  EXPECT_NEAR(loss({})->getDouble(0), (first + second) / 2, 1e-15);
  EXPECT_NEAR(loss({.ignoreIndex = 1})->getDouble(0), second, 1e-15);
  // Half on the class, half spread evenly: log(4) - log(3) / 2 for the latter.
  double even = std::log(4.0) - std::log(3.0) / 2;
  EXPECT_NEAR(loss({.reduction = LossReduction::Sum, .ignoreIndex = 1, .labelSmoothing = 0.5})
                  ->getDouble(0),
              (second + even) / 2, 1e-15);
}

TEST(CrossEntropy, IgnoredAndUnknownClasses) {
  HostTensor logits = floats({3, 2}, {1, 2, 3, 4, 5, 6});
  Result<HostTensor> losses =
      crossEntropy(logits, ints({3}, {-100, 2, -1}),
                   {.reduction = LossReduction::None, .ignoreIndex = -100}, DType::F32);
  EXPECT_EQ(losses->getDouble(0), 0);
  EXPECT_TRUE(std::isnan(losses->getDouble(1)));
  EXPECT_TRUE(std::isnan(losses->getDouble(2)));
  // Nothing counts: the mean is 0, not 0 / 0.
  expectSame(crossEntropy(logits, ints({3}, {7, 7, 7}), {.ignoreIndex = 7}, DType::F32),
             floats({}, {0}));
  expectError(crossEntropy(logits, ints({2}, {0, 0}), {}, DType::F32), "targets of shape [3]");
}

TEST(CrossEntropy, LargeLogitsDoNotOverflow) {
  expectSame(crossEntropy(floats({1, 2}, {1e30, 1e30}), ints({1}, {0}), {}, DType::F32),
             floats({}, {static_cast<float>(std::log(2.0))}));
  expectSame(crossEntropy(floats({1, 2}, {1e30, -1e30}), ints({1}, {1}), {}, DType::F32),
             floats({}, {2e30}));
  expectSame(crossEntropy(floats({1, 1}, {-kInf}), ints({1}, {0}), {}, DType::F32),
             floats({}, {kNaN}));
}

//===----------------------------------------------------------------------===//
// moe_route
//===----------------------------------------------------------------------===//

static void expectRoute(const HostTensor &logits, const RouteOptions &options,
                        std::vector<double> weights, std::vector<int64_t> experts) {
  Result<Selected> chosen = moeRoute(logits, options, DType::I32);
  ASSERT_TRUE(chosen) << chosen.error().message;
  EXPECT_EQ(intsOf(chosen->indices), experts);
  for (size_t i = 0; i < weights.size(); ++i)
    EXPECT_NEAR(chosen->values.getDouble(i), weights[i], 1e-6) << i;
}

TEST(MoeRoute, SoftmaxOverAllAndOverTheChosen) {
  // Scores 1/10, 4/10, 2/10, 3/10.
  HostTensor x = floats({1, 4}, {0, std::log(4), std::log(2), std::log(3)}, DType::F64);
  expectRoute(x, {.k = 2}, {0.4, 0.3}, {1, 3});
  expectRoute(x, {.k = 2, .normalize = true}, {4.0 / 7, 3.0 / 7}, {1, 3});
  expectRoute(x, {.k = 2, .normalize = true, .scale = 7}, {4, 3}, {1, 3});
}

TEST(MoeRoute, SigmoidAndBiasThatOnlyChooses) {
  HostTensor x = floats({1, 3}, {0, 0, std::log(3)}), bias = floats({3}, {0, 1, 0});
  expectRoute(x, {.score = RouterScore::Sigmoid, .k = 2}, {0.75, 0.5}, {2, 0});
  expectRoute(x, {.score = RouterScore::Sigmoid, .k = 2, .bias = &bias}, {0.5, 0.75}, {1, 2});
}

TEST(MoeRoute, GroupsLimitTheChoice) {
  // Groups [0.9 0.1], [0.6 0.5], [0.2 0.3] of sigmoids.
  auto logit = [](double p) { return std::log(p / (1 - p)); };
  HostTensor x =
      floats({1, 6}, {logit(0.9), logit(0.1), logit(0.6), logit(0.5), logit(0.2), logit(0.3)});
  RouteOptions options{.score = RouterScore::Sigmoid, .k = 2, .groups = 3, .topGroups = 1};
  expectRoute(x, options, {0.9, 0.1}, {0, 1});
  options.groupScore = GroupScore::Top2; // 1.0, 1.1, 0.5
  expectRoute(x, options, {0.6, 0.5}, {2, 3});
  options.topGroups = 2;
  expectRoute(x, options, {0.9, 0.6}, {0, 2});
  options.k = 4;
  expectRoute(x, options, {0.9, 0.6, 0.5, 0.1}, {0, 2, 3, 1});
  options.k = 5;
  expectError(moeRoute(x, options, DType::I32), "cannot choose 5");
}

TEST(MoeRoute, ExcludedExpertsAreNeverChosen) {
  // A bias of -inf in the best group is still before everybody in the others.
  HostTensor x = floats({1, 4}, {5, 5, 0, 0}), bias = floats({4}, {-kInf, 0, 0, 0});
  expectRoute(x,
              {.score = RouterScore::Sigmoid, .k = 2, .groups = 2, .topGroups = 1, .bias = &bias},
              {0.9933072, 0.9933072}, {1, 0});
}

TEST(MoeRoute, TiesGoToTheLowerIndex) {
  HostTensor x = floats({1, 4}, {1, 1, 1, 1});
  expectRoute(x, {.k = 2}, {0.25, 0.25}, {0, 1});
  expectRoute(x, {.k = 1, .groups = 2, .topGroups = 1}, {0.25}, {0});
}
