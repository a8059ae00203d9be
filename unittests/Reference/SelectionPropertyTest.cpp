// Laws of rotary positions, of choices among scores and of routing, tried on random inputs.
#include "TestTensors.h"

#include "forge/Reference/Position.h"
#include "forge/Reference/Selection.h"

#include <rapidcheck.h>

#include <cmath>
#include <set>

using namespace forge;
using namespace forge::reference;

static HostTensor randomScores(Dims dims, double magnitude, DType type = DType::F64) {
  HostTensor tensor = *HostTensor::create(type, std::move(dims));
  for (int64_t i = 0; i < tensor.numElements(); ++i)
    tensor.setDouble(i, magnitude * *rc::gen::inRange(-1000000, 1000001) * 1e-6);
  return tensor;
}

static RopeOptions randomRope(int64_t depth) {
  RopeOptions options;
  options.rotaryDims = 2 * *rc::gen::inRange<int64_t>(1, depth / 2 + 1);
  options.interleaved = *rc::gen::arbitrary<bool>();
  options.base = *rc::gen::element(100.0, 10000.0, 500000.0);
  options.angleType = DType::F64;
  return options;
}

static double norm(const HostTensor &x, int64_t row, int64_t length) {
  double sum = 0;
  for (int64_t i = 0; i < length; ++i)
    sum += x.getDouble(row * length + i) * x.getDouble(row * length + i);
  return std::sqrt(sum);
}

TEST(RopeProperty, NormsAreKept) {
  EXPECT_TRUE(rc::check([] {
    int64_t depth = 2 * *rc::gen::inRange<int64_t>(1, 6), length = *rc::gen::inRange<int64_t>(1, 5);
    HostTensor x = randomScores({2, 3, length, depth}, 5);
    HostTensor positions = *HostTensor::create(DType::I32, {length});
    for (int64_t i = 0; i < length; ++i)
      setInteger(positions, i, *rc::gen::inRange<uint64_t>(0, 100000));
    HostTensor y = *rope(x, positions, randomRope(depth));
    for (int64_t row = 0; row < 6 * length; ++row)
      RC_ASSERT(std::fabs(norm(y, row, depth) - norm(x, row, depth)) < 1e-9);
  }));
}

TEST(RopeProperty, ScoresDependOnDistancesAlone) {
  EXPECT_TRUE(rc::check([] {
    int64_t depth = 2 * *rc::gen::inRange<int64_t>(1, 6);
    HostTensor q = randomScores({1, 1, 1, depth}, 1), k = randomScores({1, 1, 1, depth}, 1);
    RopeOptions options = randomRope(depth);
    auto score = [&](int64_t queryAt, int64_t keyAt) {
      HostTensor a = *rope(q, ints({1}, {queryAt}), options),
                 b = *rope(k, ints({1}, {keyAt}), options);
      double sum = 0;
      for (int64_t i = 0; i < depth; ++i)
        sum += a.getDouble(i) * b.getDouble(i);
      return sum;
    };
    int64_t at = *rc::gen::inRange<int64_t>(0, 1000), distance = *rc::gen::inRange<int64_t>(0, 50),
            moved = *rc::gen::inRange<int64_t>(0, 1000);
    RC_ASSERT(std::fabs(score(at + distance, at) - score(at + moved + distance, at + moved)) <
              1e-9);
  }));
}

TEST(SelectionProperty, ArgmaxIsTheFirstOfTheLargest) {
  EXPECT_TRUE(rc::check([] {
    int64_t n = *rc::gen::inRange<int64_t>(1, 12);
    // Few values, so that there are ties.
    HostTensor x = *HostTensor::create(DType::F32, {3, n});
    for (int64_t i = 0; i < x.numElements(); ++i)
      x.setDouble(i, *rc::gen::element(-1.0, 0.0, 0.5, 2.0, kInf, -kInf));
    HostTensor first = *argmax(x, DType::I32);
    Selected one = *largest(x, 1, DType::I32), all = *largest(x, n, DType::I32);
    for (int64_t row = 0; row < 3; ++row) {
      RC_ASSERT(getInteger(first, row) == getInteger(one.indices, row));
      RC_ASSERT(getInteger(first, row) == getInteger(all.indices, row * n));
      std::set<int64_t> places;
      for (int64_t i = 0; i < n; ++i)
        places.insert(getInteger(all.indices, row * n + i));
      RC_ASSERT(static_cast<int64_t>(places.size()) == n); // each once
    }
  }));
}

/// Pearson's statistic of the tokens sampled `count` times from one row of logits, and what it may
/// be: the quantile at six standard deviations, by Wilson and Hilferty.
static std::pair<double, double> chiSquare(const HostTensor &row, int64_t count, int64_t seed) {
  int64_t vocabulary = row.dims()[1];
  HostTensor logits = *HostTensor::create(DType::F64, {count, vocabulary}),
             seeds = *HostTensor::create(DType::I64, {count}),
             steps = *HostTensor::create(DType::I64, {count});
  double sum = 0;
  for (int64_t i = 0; i < vocabulary; ++i)
    sum += std::exp(row.getDouble(i));
  for (int64_t i = 0; i < count; ++i) {
    setInteger(seeds, i, static_cast<uint64_t>(seed));
    setInteger(steps, i, static_cast<uint64_t>(i));
    for (int64_t j = 0; j < vocabulary; ++j)
      logits.setDouble(i * vocabulary + j, row.getDouble(j));
  }
  HostTensor tokens = *sample(logits, seeds, steps, {}, DType::F64, DType::I32);
  std::vector<double> counts(static_cast<size_t>(vocabulary));
  for (int64_t i = 0; i < count; ++i)
    ++counts[getInteger(tokens, i)];
  double statistic = 0;
  for (int64_t i = 0; i < vocabulary; ++i) {
    double expected = static_cast<double>(count) * std::exp(row.getDouble(i)) / sum;
    statistic += (counts[i] - expected) * (counts[i] - expected) / expected;
  }
  double freedom = static_cast<double>(vocabulary - 1), spread = 2 / (9 * freedom);
  return {statistic, freedom * std::pow(1 - spread + 6 * std::sqrt(spread), 3)};
}

TEST(SelectionProperty, SampledTokensFollowTheirWeights) {
  EXPECT_TRUE(rc::check([] {
    // Weights within e^3 of each other: 1000 samples give each a count to speak of.
    HostTensor row = randomScores({1, *rc::gen::inRange<int64_t>(2, 9)}, 1.5);
    auto [statistic, bound] = chiSquare(row, 1000, *rc::gen::inRange<int64_t>(0, 1 << 30));
    RC_ASSERT(statistic < bound);
  }));
}

TEST(SelectionProperty, TheStatisticSeesAWrongWeight) {
  // Of 4000 tokens of even weights, compared with weights of which one is larger by half.
  HostTensor even = floats({1, 4}, {0, 0, 0, 0}, DType::F64),
             uneven = floats({1, 4}, {0.45, 0, 0, 0}, DType::F64);
  HostTensor logits = *HostTensor::create(DType::F64, {4000, 4}),
             seeds = *HostTensor::create(DType::I64, {4000}), steps = seeds;
  for (int64_t i = 0; i < 4000; ++i)
    setInteger(steps, i, static_cast<uint64_t>(i));
  HostTensor tokens = *sample(logits, seeds, steps, {}, DType::F64, DType::I32);
  double statistic = 0, sum = std::exp(0.45) + 3;
  std::vector<double> counts(4);
  for (int64_t i = 0; i < 4000; ++i)
    ++counts[getInteger(tokens, i)];
  for (int64_t i = 0; i < 4; ++i) {
    double expected = 4000 * std::exp(uneven.getDouble(i)) / sum;
    statistic += (counts[i] - expected) * (counts[i] - expected) / expected;
  }
  auto [own, bound] = chiSquare(even, 4000, 0);
  EXPECT_LT(own, bound);
  EXPECT_GT(statistic, bound);
}

TEST(RoutingProperty, NormalisedWeightsSumToTheScale) {
  EXPECT_TRUE(rc::check([] {
    RouteOptions options;
    options.groups = *rc::gen::element<int64_t>(1, 2, 4);
    options.topGroups = *rc::gen::inRange<int64_t>(1, options.groups + 1);
    int64_t perGroup = *rc::gen::inRange<int64_t>(2, 5), experts = options.groups * perGroup;
    options.k = *rc::gen::inRange<int64_t>(1, options.topGroups * perGroup + 1);
    options.score = *rc::gen::element(RouterScore::Softmax, RouterScore::Sigmoid);
    options.groupScore = *rc::gen::element(GroupScore::Max, GroupScore::Top2);
    options.scale = *rc::gen::element(1.0, 2.5);
    options.normalize = true;
    options.scoreType = DType::F64;
    HostTensor logits = randomScores({4, experts}, 6);
    Selected chosen = *moeRoute(logits, options, DType::I32);
    for (int64_t row = 0; row < 4; ++row) {
      double sum = 0;
      std::set<int64_t> which, groups;
      for (int64_t i = 0; i < options.k; ++i) {
        double weight = chosen.values.getDouble(row * options.k + i);
        RC_ASSERT(weight >= 0);
        sum += weight;
        int64_t expert = getInteger(chosen.indices, row * options.k + i);
        RC_ASSERT(expert >= 0 && expert < experts);
        which.insert(expert);
        groups.insert(expert / perGroup);
      }
      RC_ASSERT(std::fabs(sum - options.scale) < 1e-9);
      RC_ASSERT(static_cast<int64_t>(which.size()) == options.k); // each expert once
      RC_ASSERT(static_cast<int64_t>(groups.size()) <= options.topGroups);
    }
  }));
}
