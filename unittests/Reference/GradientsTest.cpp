// Gradients: hand-computed values, edge cases, and each against central differences of the function
// it is the gradient of.
#include "Differences.h"

#include "forge/Reference/AttentionGrad.h"
#include "forge/Reference/Gradients.h"
#include "forge/Reference/Linear.h"
#include "forge/Reference/Normalization.h"
#include "forge/Reference/Position.h"
#include "forge/Reference/SelectionGrad.h"

using namespace forge;
using namespace forge::reference;

//===----------------------------------------------------------------------===//
// By hand
//===----------------------------------------------------------------------===//

TEST(Gradients, SlopesAtZeroInfinityAndNaN) {
  for (Activation kind : {Activation::Relu, Activation::ReluSquared}) {
    EXPECT_EQ(activationSlope(kind, 0), 0);
    EXPECT_EQ(activationSlope(kind, kNaN), 0);
    EXPECT_EQ(activationSlope(kind, -kInf), 0);
  }
  EXPECT_EQ(activationSlope(Activation::Relu, kInf), 1);
  for (Activation kind : {Activation::Gelu, Activation::GeluTanh, Activation::Silu}) {
    EXPECT_EQ(activationSlope(kind, 0), 0.5);
    EXPECT_EQ(activationSlope(kind, kInf), 1);
    EXPECT_EQ(activationSlope(kind, -kInf), 0);
    EXPECT_TRUE(std::isnan(activationSlope(kind, kNaN)));
  }
  EXPECT_EQ(activationSlope(Activation::Sigmoid, 0), 0.25);
  EXPECT_EQ(activationSlope(Activation::Tanh, 0), 1);
}

TEST(Gradients, EmbeddingAddsUpByToken) {
  HostTensor rows = floats({3, 2}, {1, 2, 10, 20, 100, 200});
  expectSame(embeddingGrad(rows, ints({3}, {1, 0, 1}), 3),
             floats({3, 2}, {10, 20, 101, 202, 0, 0}));
  // Tokens outside of the table are its first or last row.
  expectSame(embeddingGrad(rows, ints({3}, {-7, 0, 9}), 2), floats({2, 2}, {11, 22, 100, 200}));
  expectError(embeddingGrad(rows, ints({2}, {0, 0}), 2), "expected integers");
}

TEST(Gradients, SoftmaxOfEqualScores) {
  HostTensor d = floats({2}, {1, 3}), p = floats({2}, {0.5, 0.5});
  expectSame(softmaxGrad(d, p, 0), floats({2}, {-0.5, 0.5}));
  HostTensor alone = floats({1}, {5});
  expectSame(softmaxGrad(alone, floats({1}, {1}), 0), floats({1}, {0}));
  expectError(softmaxGrad(d, p, 1), "no dimension 1");
}

TEST(Gradients, GroupedOuterBySizesAndPositions) {
  HostTensor x = floats({4, 1}, {1, 2, 3, 4}), y = floats({4, 1}, {1, 10, 100, 1000});
  expectSame(groupedOuter(x, y, ints({3}, {1, 0, 2})), floats({3, 1, 1}, {1, 0, 320}));
  // Negative sizes are empty, and rows end where they end.
  expectSame(groupedOuter(x, y, ints({2}, {-5, 99})), floats({2, 1, 1}, {0, 4321}));
  expectSame(groupedOuter(x, y, ints({3}, {1, 2, 4}), true), floats({2, 1, 1}, {20, 4300}));
  // A row of two groups counts for the last: [0, 3) and [1, 4), with nothing between them.
  expectSame(groupedOuter(x, y, ints({4}, {-9, 3, 1, 99}), true), floats({3, 1, 1}, {1, 0, 4320}));
  expectError(groupedOuter(x, y, ints({0}, {}), true), "does not fit");
}

TEST(Gradients, RowsOfACache) {
  HostTensor rows = floats({2, 1, 2, 1}, {0, 0, 0, 0}),
             d = floats({2, 1, 3, 1}, {1, 2, 3, 4, 5, 6});
  expectSame(kvAppendGrad(d, rows, ints({2}, {0, 1}), nullptr), floats({2, 1, 2, 1}, {1, 2, 5, 6}));
  // What was dropped has none.
  expectSame(kvAppendGrad(d, rows, ints({2}, {-1, 2}), nullptr),
             floats({2, 1, 2, 1}, {0, 1, 6, 0}));
  HostTensor table = ints({2, 2}, {1, 0, -1, 2});
  expectSame(kvAppendGrad(d, rows, ints({2}, {2, 2}), &table), floats({2, 1, 2, 1}, {6, 1, 0, 0}));
  expectError(kvAppendGrad(d, rows, ints({1}, {0}), nullptr), "no gradient");
}

TEST(Gradients, AttentionOfOneKeyIsItsValue) {
  HostTensor q = floats({1, 1, 1, 2}, {3, 4}), k = floats({1, 1, 1, 2}, {1, 2}),
             v = floats({1, 1, 1, 1}, {7}), d = floats({1, 1, 1, 1}, {5});
  Result<AttentionGradients> grads = attentionGrad(d, nullptr, q, k, v, {});
  ASSERT_TRUE(grads) << grads.error().message;
  expectSame(grads->query, floats({1, 1, 1, 2}, {0, 0}));
  expectSame(grads->key, floats({1, 1, 1, 2}, {0, 0}));
  expectSame(grads->value, d);
  AttentionOptions options;
  options.score = [](double x, int64_t, int64_t, int64_t, int64_t) -> Result<double> { return x; };
  expectError(attentionGrad(d, nullptr, q, k, v, options), "slope");
}

// A query that sees no key gives and gets nothing, also where keys hold NaN.
TEST(Gradients, HiddenKeysHaveNone) {
  HostTensor q = floats({1, 1, 1, 1}, {3}), k = floats({1, 1, 2, 1}, {kNaN, kInf}),
             n = ints({1}, {0});
  AttentionOptions options;
  options.lengths = &n;
  Result<AttentionGradients> grads = attentionGrad(q, nullptr, q, k, k, options);
  ASSERT_TRUE(grads) << grads.error().message;
  expectSame(grads->query, floats({1, 1, 1, 1}, {0}));
  expectSame(grads->key, floats({1, 1, 2, 1}, {0, 0}));
  expectSame(grads->value, floats({1, 1, 2, 1}, {0, 0}));
}

TEST(Gradients, TopKCollectsByPlace) {
  HostTensor d = floats({1, 3}, {1, 10, 100});
  expectSame(topKGrad(d, ints({1, 3}, {2, 0, 2}), 3), floats({1, 3}, {10, 0, 101}));
  expectSame(topKGrad(d, ints({1, 3}, {-1, 3, 1}), 3), floats({1, 3}, {0, 100, 0}));
}

//===----------------------------------------------------------------------===//
// Against differences
//===----------------------------------------------------------------------===//

RC_GTEST_PROP(GradientProperties, Softmaxes, ()) {
  Dims dims = {*rc::gen::inRange(1, 5), *rc::gen::inRange(1, 5)};
  int64_t dimension = *rc::gen::inRange(0, 2);
  HostTensor x = randomDoubles(dims), d = randomDoubles(dims);
  auto plain = [&](const HostTensor &at) { return softmax(at, dimension); };
  expectDerivative(plain, x, d, *softmaxGrad(d, *plain(x), dimension));
  auto logarithm = [&](const HostTensor &at) { return logSoftmax(at, dimension); };
  expectDerivative(logarithm, x, d, *logSoftmaxGrad(d, *logarithm(x), dimension));
}

RC_GTEST_PROP(GradientProperties, Norms, ()) {
  int64_t width = *rc::gen::inRange(2, 5);
  HostTensor x = randomDoubles({3, width}), d = randomDoubles({3, width}),
             scale = randomDoubles({width});
  bool unit = *rc::gen::arbitrary<bool>();
  auto layer = [&](const HostTensor &at) { return layerNorm(at, &scale, nullptr, 0.1); };
  auto byScale = [&](const HostTensor &at) { return layerNorm(x, &at, nullptr, 0.1); };
  auto layerGrads = *layerNormGrad(d, x, &scale, 0.1);
  expectDerivative(layer, x, d, layerGrads[0]);
  expectDerivative(byScale, scale, d, layerGrads[1]);
  auto rms = [&](const HostTensor &at) { return rmsNorm(at, &scale, 0.1, unit); };
  auto rmsByScale = [&](const HostTensor &at) { return rmsNorm(x, &at, 0.1, unit); };
  auto rmsGrads = *rmsNormGrad(d, x, &scale, 0.1, unit);
  expectDerivative(rms, x, d, rmsGrads[0]);
  expectDerivative(rmsByScale, scale, d, rmsGrads[1]);
}

RC_GTEST_PROP(GradientProperties, GroupedProducts, ()) {
  HostTensor x = randomDoubles({5, 2}), w = randomDoubles({3, 2, 3}), d = randomDoubles({5, 3});
  std::vector<int64_t> positions;
  for (int i = 0; i < 4; ++i)
    positions.push_back(*rc::gen::inRange(-2, 8));
  HostTensor groups = ints({4}, positions);
  auto product = [&](const HostTensor &at) {
    return groupedMatmul(x, at, groups, {.offsets = true, .activation = {}}, DType::F64);
  };
  expectDerivative(product, w, d, *groupedOuter(x, d, groups, true));
}

RC_GTEST_PROP(GradientProperties, AttentionThroughAScoreFunction, ()) {
  HostTensor q = randomDoubles({1, 2, 2, 3}), k = randomDoubles({1, 1, 3, 3}),
             v = randomDoubles({1, 1, 3, 2}), d = randomDoubles({1, 2, 2, 2});
  AttentionOptions options;
  options.causal = *rc::gen::arbitrary<bool>();
  if (*rc::gen::arbitrary<bool>())
    options.softCap = 1.5;
  options.score = [](double x, int64_t, int64_t h, int64_t, int64_t t) -> Result<double> {
    return std::sin(x) * static_cast<double>(h + 1) + x * static_cast<double>(t);
  };
  options.slope = [](double x, int64_t, int64_t h, int64_t, int64_t t) -> Result<double> {
    return std::cos(x) * static_cast<double>(h + 1) + static_cast<double>(t);
  };
  AttentionGradients grads = *attentionGrad(d, nullptr, q, k, v, options);
  auto run = [&](const HostTensor &query, const HostTensor &key, const HostTensor &value) {
    return Result<HostTensor>(attention(query, key, value, options, DType::F64)->result);
  };
  expectDerivative([&](const HostTensor &at) { return run(at, k, v); }, q, d, grads.query);
  expectDerivative([&](const HostTensor &at) { return run(q, at, v); }, k, d, grads.key);
  expectDerivative([&](const HostTensor &at) { return run(q, k, at); }, v, d, grads.value);
}

// Slopes per head times the distance, and a bias by clipped distance that a slope of the score
// multiplies.
RC_GTEST_PROP(GradientProperties, AttentionByTables, ()) {
  HostTensor q = randomDoubles({2, 2, 2, 3}), k = randomDoubles({2, 1, 3, 3}),
             v = randomDoubles({2, 1, 3, 2}), d = randomDoubles({2, 2, 2, 2}),
             slopes = randomDoubles({2}), bias = randomDoubles({2, 3});
  AttentionOptions options;
  options.causal = *rc::gen::arbitrary<bool>();
  if (*rc::gen::arbitrary<bool>())
    options.softCap = 1.5;
  options.tables = {&slopes, &bias};
  auto place = [](int64_t h, int64_t s, int64_t t) {
    return h * 3 + std::clamp<int64_t>(t - s + 1, 0, 2);
  };
  options.score = [&](double x, int64_t, int64_t h, int64_t s, int64_t t) -> Result<double> {
    return x + options.tables[0]->getDouble(h) * static_cast<double>(s - t) +
           x * x * options.tables[1]->getDouble(place(h, s, t));
  };
  options.slope = [&](double x, int64_t, int64_t h, int64_t s, int64_t t) -> Result<double> {
    return 1 + 2 * x * bias.getDouble(place(h, s, t));
  };
  using Reads = std::vector<AttentionOptions::Read>;
  options.reads = [&](double x, int64_t, int64_t h, int64_t s, int64_t t) -> Result<Reads> {
    return Reads{{h, static_cast<double>(s - t)}, {place(h, s, t), x * x}};
  };
  AttentionGradients grads = *attentionGrad(d, nullptr, q, k, v, options);
  RC_ASSERT(grads.tables.size() == 2u);
  for (size_t table : {0, 1}) {
    const HostTensor *original = options.tables[table];
    auto byTable = [&](const HostTensor &at) {
      options.tables[table] = &at;
      auto result = attention(q, k, v, options, DType::F64);
      options.tables[table] = original;
      return Result<HostTensor>(std::move(result->result));
    };
    expectDerivative(byTable, *original, d, grads.tables[table]);
  }
}

// Two queries of one head that see the same two keys: every number by hand.
TEST(Gradients, AttentionByATable) {
  HostTensor q = floats({1, 1, 2, 1}, {0, 0}, DType::F64),
             k = floats({1, 1, 2, 1}, {0, 0}, DType::F64),
             v = floats({1, 1, 2, 1}, {1, 3}, DType::F64),
             d = floats({1, 1, 2, 1}, {1, 10}, DType::F64),
             bias = floats({3}, {0, 0, 0}, DType::F64);
  AttentionOptions options;
  options.score = [](double x, int64_t, int64_t, int64_t, int64_t) -> Result<double> { return x; };
  options.slope = [](double, int64_t, int64_t, int64_t, int64_t) -> Result<double> { return 1; };
  options.tables = {&bias};
  EXPECT_FALSE(attentionGrad(d, nullptr, q, k, v, options));
  using Reads = std::vector<AttentionOptions::Read>;
  int64_t first = 1;
  options.reads = [&](double, int64_t, int64_t, int64_t s, int64_t t) -> Result<Reads> {
    return Reads{{t - s + first, 1}};
  };
  // Weights are 1/2 each. Gradients of scores: (1/2) (d v - d 2) = -d/2 and d/2.
  AttentionGradients grads = *attentionGrad(d, nullptr, q, k, v, options);
  EXPECT_EQ(toDoubles(grads.tables[0]), (std::vector<double>{-5, -0.5 + 5, 0.5}));
  first = 0;
  EXPECT_FALSE(attentionGrad(d, nullptr, q, k, v, options));
}

RC_GTEST_PROP(GradientProperties, RowsAndCache, ()) {
  HostTensor rows = randomDoubles({2, 1, 3, 2}), cache = randomDoubles({2, 1, 4, 2}),
             d = randomDoubles({2, 1, 4, 2});
  HostTensor at = ints({2}, {*rc::gen::inRange(-3, 5), *rc::gen::inRange(-3, 5)});
  expectDerivative([&](const HostTensor &x) { return kvAppend(x, cache, at, nullptr); }, rows, d,
                   *kvAppendGrad(d, rows, at, nullptr));
  HostTensor zeros = *HostTensor::create(DType::F64, rows.dims());
  expectDerivative([&](const HostTensor &x) { return kvAppend(rows, x, at, nullptr); }, cache, d,
                   *kvAppend(zeros, d, at, nullptr));
}
