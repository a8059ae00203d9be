#include "TestTensors.h"

#include "forge/Reference/Position.h"

#include <rapidcheck/gtest.h>

#include <cmath>

using namespace forge;
using namespace forge::reference;

/// One row of D elements at a position.
static Result<HostTensor> rotate(std::vector<double> values, int64_t position,
                                 RopeOptions options) {
  int64_t depth = static_cast<int64_t>(values.size());
  options.angleType = DType::F64;
  if (options.rotaryDims == 0)
    options.rotaryDims = depth;
  return rope(floats({1, 1, 1, depth}, std::move(values), DType::F64), ints({1}, {position}),
              options);
}

static void expectNear(const Result<HostTensor> &actual, std::vector<double> expected) {
  ASSERT_TRUE(actual) << actual.error().message;
  ASSERT_EQ(actual->numElements(), static_cast<int64_t>(expected.size()));
  for (size_t i = 0; i < expected.size(); ++i)
    EXPECT_NEAR(actual->getDouble(i), expected[i], 1e-13) << "element " << i;
}

TEST(Rope, HalvesAndInterleaved) {
  // Frequencies 1 and 10000^(-1/2) = 0.01; position 2.
  double c0 = std::cos(2.0), s0 = std::sin(2.0), c1 = std::cos(0.02), s1 = std::sin(0.02);
  expectNear(rotate({1, 2, 3, 4}, 2, {}),
             {c0 - 3 * s0, 2 * c1 - 4 * s1, 3 * c0 + s0, 4 * c1 + 2 * s1});
  RopeOptions options;
  options.interleaved = true;
  expectNear(rotate({1, 2, 3, 4}, 2, options),
             {c0 - 2 * s0, 2 * c0 + s0, 3 * c1 - 4 * s1, 4 * c1 + 3 * s1});
}

TEST(Rope, TheRestPassesThrough) {
  RopeOptions options;
  options.rotaryDims = 2;
  double c = std::cos(3.0), s = std::sin(3.0);
  expectNear(rotate({1, 2, 7.5, 4}, 3, options), {c - 2 * s, 2 * c + s, 7.5, 4});
}

TEST(Rope, PositionZeroChangesNothing) { expectNear(rotate({1, 2, 3, 4}, 0, {}), {1, 2, 3, 4}); }

TEST(Rope, PositionsPerSequenceAndFrequencyTables) {
  HostTensor x = floats({2, 1, 1, 2}, {1, 0, 1, 0}, DType::F64),
             table = floats({1}, {0.5}, DType::F64);
  RopeOptions options;
  options.rotaryDims = 2;
  options.frequencies = &table;
  options.angleType = DType::F64;
  expectNear(rope(x, ints({2, 1}, {2, -4}), options),
             {std::cos(1.0), std::sin(1.0), std::cos(2.0), -std::sin(2.0)});
  expectError(rope(x, ints({2}, {1, 2}), options), "does not fit");
  options.rotaryDims = 4;
  expectError(rope(x, ints({1}, {1}), options), "does not fit");
}

TEST(Rope, AnglesAreRoundedToTheirType) {
  // 16777217 is no f32: the position is rounded to 16777216, and the angle is that.
  HostTensor x = floats({1, 1, 1, 2}, {1, 0}, DType::F64);
  RopeOptions options;
  options.rotaryDims = 2;
  EXPECT_EQ(rope(x, ints({1}, {16777217}), options)->getDouble(0), std::cos(16777216.0));
  options.angleType = DType::F64;
  EXPECT_EQ(rope(x, ints({1}, {16777217}), options)->getDouble(0), std::cos(16777217.0));
}

TEST(RopeScaling, Linear) {
  RopeScaling scaling{.kind = RopeScaling::Kind::Linear, .factor = 4};
  EXPECT_EQ(ropeFrequencies(4, 10000, scaling, 1), (std::vector<double>{0.25, 0.0025}));
}

TEST(RopeScaling, DynamicStretchesTheBaseBeyondTheOriginalContext) {
  RopeScaling scaling{.kind = RopeScaling::Kind::Dynamic, .factor = 2, .originalLength = 100};
  // Within it nothing changes.
  EXPECT_NEAR(ropeFrequencies(4, 10000, scaling, 100)[1], 0.01, 1e-16);
  // base * (2 * 200 / 100 - 1)^(4 / 2) = 90000.
  EXPECT_NEAR(ropeFrequencies(4, 10000, scaling, 200)[1], 1 / 300.0, 1e-16);
}

TEST(RopeScaling, YarnKeepsFastAndDividesSlowFrequencies) {
  RopeScaling scaling{.kind = RopeScaling::Kind::Yarn, .factor = 4, .originalLength = 4096};
  std::vector<double> plain = ropeFrequencies(64, 10000, {}, 1),
                      scaled = ropeFrequencies(64, 10000, scaling, 1);
  // By hand: 64 log(4096 / (2 pi r)) / (2 log 10000) is 10.47 for r = 32, 22.51 for r = 1: the ramp
  // goes from pair 10 to pair 23.
  EXPECT_EQ(scaled[10], plain[10]);
  EXPECT_NEAR(scaled[23], plain[23] / 4, 1e-18);
  EXPECT_NEAR(scaled[16], plain[16] * (6.0 / 13 / 4 + 7.0 / 13), 1e-15);
  // a = 0.1 log(4) + 1 on everything that is rotated.
  RopeOptions options;
  options.scaling = scaling;
  expectNear(rotate({1, 2}, 0, options), {0.1 * std::log(4.0) + 1, 2 * (0.1 * std::log(4.0) + 1)});
  options.scaling.attentionFactor = 3;
  expectNear(rotate({1, 2}, 0, options), {3, 6});
}

TEST(RopeScaling, Llama3KeepsShortAndDividesLongWaves) {
  RopeScaling scaling{.kind = RopeScaling::Kind::Llama3, .factor = 8, .originalLength = 8192};
  std::vector<double> plain = ropeFrequencies(128, 500000, {}, 1),
                      scaled = ropeFrequencies(128, 500000, scaling, 1);
  for (size_t i = 0; i < 64; ++i) {
    double turns = 8192 * plain[i] / (2 * M_PI);
    double kept = turns > 4 ? 1 : turns < 1 ? 0 : (turns - 1) / 3;
    EXPECT_NEAR(scaled[i], plain[i] * (kept + (1 - kept) / 8), 1e-15) << i;
  }
  EXPECT_EQ(scaled[0], 1);
  EXPECT_EQ(scaled[63], plain[63] / 8);
}

RC_GTEST_PROP(RopeProperties, PreservesNorms, ()) {
  std::vector<double> values;
  for (int i = 0; i < 6; ++i)
    values.push_back(*rc::gen::inRange(-1000, 1000) / 100.0);
  RopeOptions options;
  options.interleaved = *rc::gen::arbitrary<bool>();
  Result<HostTensor> rotated = rotate(values, *rc::gen::inRange(-100000, 100000), options);
  double before = 0, after = 0;
  for (int i = 0; i < 6; ++i) {
    before += values[i] * values[i];
    after += rotated->getDouble(i) * rotated->getDouble(i);
  }
  RC_ASSERT(std::fabs(before - after) <= 1e-12 * (1 + before));
}

RC_GTEST_PROP(RopeProperties, ProductsDependOnDistanceAlone, ()) {
  std::vector<double> q, k;
  for (int i = 0; i < 4; ++i) {
    q.push_back(*rc::gen::inRange(-100, 100) / 10.0);
    k.push_back(*rc::gen::inRange(-100, 100) / 10.0);
  }
  int64_t p = *rc::gen::inRange(0, 1000), d = *rc::gen::inRange(0, 1000);
  auto product = [&](int64_t at) {
    Result<HostTensor> x = rotate(q, at + d, {}), y = rotate(k, at, {});
    double sum = 0;
    for (int i = 0; i < 4; ++i)
      sum += x->getDouble(i) * y->getDouble(i);
    return sum;
  };
  RC_ASSERT(std::fabs(product(p) - product(0)) < 1e-9);
}

//===----------------------------------------------------------------------===//
// kv_append
//===----------------------------------------------------------------------===//

TEST(KvAppend, RowsGoWhereEachSequenceStands) {
  HostTensor rows = floats({2, 1, 2, 1}, {1, 2, 3, 4}),
             cache = floats({2, 1, 3, 1}, {0, 0, 0, 0, 0, 0});
  expectSame(kvAppend(rows, cache, ints({2}, {0, 1}), nullptr),
             floats({2, 1, 3, 1}, {1, 2, 0, 0, 3, 4}));
  // What is outside is dropped.
  expectSame(kvAppend(rows, cache, ints({2}, {-1, 2}), nullptr),
             floats({2, 1, 3, 1}, {2, 0, 0, 0, 0, 3}));
  expectSame(kvAppend(rows, cache, ints({2}, {-2, 3}), nullptr), cache);
  expectError(kvAppend(rows, cache, ints({1}, {0}), nullptr), "cannot append");
}

TEST(KvAppend, PagesByTable) {
  HostTensor rows = floats({1, 1, 3, 1}, {1, 2, 3}),
             pages = floats({3, 1, 2, 1}, {0, 0, 0, 0, 0, 0});
  HostTensor table = ints({1, 2}, {2, 0});
  expectSame(kvAppend(rows, pages, ints({1}, {1}), &table),
             floats({3, 1, 2, 1}, {2, 3, 0, 0, 0, 1}));
  // The last row is behind the table, and a page of -1 takes none.
  HostTensor holes = ints({1, 2}, {-1, 1});
  expectSame(kvAppend(rows, pages, ints({1}, {1}), &holes),
             floats({3, 1, 2, 1}, {0, 0, 2, 3, 0, 0}));
  expectSame(kvAppend(rows, pages, ints({1}, {2}), &table),
             floats({3, 1, 2, 1}, {1, 2, 0, 0, 0, 0}));
}
