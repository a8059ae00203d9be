#include "TestTensors.h"

#include "forge/Reference/Attention.h"

#include <rapidcheck/gtest.h>

#include <cmath>
#include <numeric>

using namespace forge;
using namespace forge::reference;

/// One batch, one head, one element per key and value: all scores are 0 for a query of 0.
static HostTensor column(std::vector<double> values, DType type = DType::F64) {
  int64_t size = static_cast<int64_t>(values.size());
  return floats({1, 1, size, 1}, std::move(values), type);
}

TEST(Attention, OneKeyIsItsValue) {
  HostTensor q = floats({1, 2, 1, 3}, {1, 2, 3, -1, 0, 5}), k = floats({1, 1, 1, 3}, {7, 8, 9});
  expectSame(attention(q, k, floats({1, 1, 1, 2}, {4, 5}), {}), floats({1, 2, 1, 2}, {4, 5, 4, 5}));
}

TEST(Attention, EqualScoresAverageAndCausalityCuts) {
  HostTensor q = column({0, 0}), k = column({3, 4}), v = column({2, 6});
  expectSame(attention(q, k, v, {}), column({4, 4}));
  expectSame(attention(q, k, v, {.causal = true}), column({2, 4}));
  // One query at the end sees all keys.
  expectSame(attention(column({0}), k, v, {.causal = true}), column({4}));
  // More queries than keys: the first sees none.
  expectSame(attention(column({0, 0, 0}), k, v, {.causal = true}), column({0, 2, 4}));
}

TEST(Attention, ScaleIsOneOverTheRootOfTheDepth) {
  HostTensor q = floats({1, 1, 1, 4}, {2, 0, 0, 0}, DType::F64),
             k = floats({1, 1, 2, 4}, {1, 0, 0, 0, 0, 0, 0, 0}, DType::F64),
             v = floats({1, 1, 2, 1}, {1, 0}, DType::F64);
  auto weight = [](double score) { return 1 / (1 + std::exp(-score)); };
  EXPECT_NEAR(attention(q, k, v, {})->getDouble(0), weight(1), 1e-15);
  EXPECT_NEAR(attention(q, k, v, {.scale = 3})->getDouble(0), weight(6), 1e-15);
}

TEST(Attention, HeadsShareKeysInGroups) {
  // Query heads 0 and 1 read key head 0, heads 2 and 3 key head 1; values are wider than keys.
  HostTensor q = floats({1, 4, 1, 1}, {0, 0, 0, 0}), k = floats({1, 2, 1, 1}, {1, 1}),
             v = floats({1, 2, 1, 2}, {1, 2, 3, 4});
  expectSame(attention(q, k, v, {}), floats({1, 4, 1, 2}, {1, 2, 1, 2, 3, 4, 3, 4}));
}

TEST(Attention, Masks) {
  HostTensor q = column({0, 0}), v = column({2, 6});
  HostTensor seen = ints({1, 1, 2, 2}, {1, 0, 0, 0}, DType::I1);
  expectSame(attention(q, v, v, {.mask = &seen}), column({2, 0}));
  HostTensor added = floats({1, 1, 1, 2}, {-kInf, 0});
  expectSame(attention(q, v, v, {.mask = &added}), column({6, 6}));
  HostTensor unfit = floats({1, 1, 3, 2}, {0, 0, 0, 0, 0, 0});
  expectError(attention(q, v, v, {.mask = &unfit}), "mask");
}

TEST(Attention, WindowsReachToBothSides) {
  HostTensor q = column({0, 0, 0, 0}), v = column({1, 2, 4, 8});
  expectSame(attention(q, v, v, {.causal = true, .window = 2}), column({1, 1.5, 3, 6}));
  expectSame(attention(q, v, v, {.window = 1}), column({1, 2, 4, 8}));
  expectSame(attention(q, v, v, {.window = 2}), column({1.5, 7.0 / 3, 14.0 / 3, 6}));
}

TEST(Attention, SoftCapBoundsScores) {
  // Scores 1000 and 0 become 2 * tanh(500) = 2 and 0.
  HostTensor q = column({1}), k = column({1000, 0}), v = column({1, 0});
  EXPECT_NEAR(attention(q, k, v, {.scale = 1, .softCap = 2})->getDouble(0), 1 / (1 + std::exp(-2)),
              1e-15);
}

TEST(Attention, LengthsAndOffsets) {
  HostTensor q = column({0, 0}), v = column({2, 6, kNaN});
  HostTensor two = ints({1}, {2}), none = ints({1}, {0}), many = ints({1}, {9});
  // What is beyond the length is not looked at, NaN or not.
  expectSame(attention(q, v, v, {.lengths = &two}), column({4, 4}));
  expectSame(attention(q, v, v, {.causal = true, .lengths = &two}), column({2, 4}));
  expectSame(attention(q, v, v, {.lengths = &none}), column({0, 0}));
  HostTensor clean = column({2, 6, 1});
  expectSame(attention(q, clean, clean, {.lengths = &many}), column({3, 3}));
  // Queries at positions 1 and 2; and at -1 and 0: the first sees nothing.
  HostTensor one = ints({1}, {1}), before = ints({1}, {-1});
  expectSame(attention(q, clean, clean, {.causal = true, .offsets = &one}), column({4, 3}));
  expectSame(attention(q, clean, clean, {.causal = true, .offsets = &before}), column({0, 2}));
  HostTensor wrong = ints({2}, {1, 1});
  expectError(attention(q, v, v, {.lengths = &wrong}), "lengths");
}

TEST(Attention, SinksTakeWeightAndGiveNothing) {
  // One key of score 0 and a sink of score log(3): a quarter of the weight is the key's.
  HostTensor q = column({0}), v = column({8}), sink = floats({1}, {std::log(3.0)}, DType::F64);
  Result<AttentionResult> both = attention(q, v, v, {.sinks = &sink}, DType::F64);
  ASSERT_TRUE(both);
  EXPECT_NEAR(both->result.getDouble(0), 2, 1e-14);
  EXPECT_NEAR(both->lse.getDouble(0), std::log(4.0), 1e-15);
  // A row that sees nothing but its sink is zero, its lse the sink.
  HostTensor none = ints({1}, {0});
  both = attention(q, v, v, {.lengths = &none, .sinks = &sink}, DType::F64);
  EXPECT_EQ(both->result.getDouble(0), 0);
  EXPECT_NEAR(both->lse.getDouble(0), std::log(3.0), 1e-15);
}

TEST(Attention, LogSumExp) {
  HostTensor q = column({0, 0}), v = column({5, 7});
  Result<AttentionResult> both = attention(q, v, v, {.causal = true}, DType::F64);
  EXPECT_EQ(both->lse.getDouble(0), 0);
  EXPECT_NEAR(both->lse.getDouble(1), std::log(2.0), 1e-15);
  HostTensor none = ints({1}, {0});
  EXPECT_EQ(attention(q, v, v, {.lengths = &none}, DType::F64)->lse.getDouble(0), -kInf);
}

TEST(Attention, ScoreFunctions) {
  HostTensor q = column({0, 0}), v = column({2, 6});
  AttentionOptions options;
  // Key t of query s gets the score log(1 + 2 t (1 - s)).
  options.score = [](double, int64_t, int64_t, int64_t s, int64_t t) -> Result<double> {
    return std::log(1.0 + 2.0 * static_cast<double>(t * (1 - s)));
  };
  Result<HostTensor> result = attention(q, v, v, options);
  EXPECT_NEAR(result->getDouble(0), 5, 1e-14);
  EXPECT_NEAR(result->getDouble(1), 4, 1e-14);
  options.score = [](double, int64_t, int64_t, int64_t, int64_t) -> Result<double> {
    return Error{"no such score"};
  };
  expectError(attention(q, v, v, options), "no such score");
}

TEST(Attention, LargeAndSmallScores) {
  HostTensor v = column({2, 6});
  expectSame(attention(column({1e300}), column({1, 1}), v, {}), column({4}));
  expectSame(attention(column({-1e300}), column({1, 1}), v, {}), column({4}));
  expectSame(attention(column({1e300}), column({1, -1}), v, {}), column({2}));
  expectSame(attention(column({1e-300}), column({1e-300, -1e-300}), v, {}), column({4}));
}

TEST(Attention, NaNAndInfinitySpread) {
  HostTensor v = column({2, 6});
  expectSame(attention(column({kNaN, 0}), column({1, 1}), v, {}), column({kNaN, 4}));
  expectSame(attention(column({1}), column({kInf, 1}), v, {}), column({kNaN}));
  expectSame(attention(column({1}), column({-kInf, 1}), v, {}), column({6}));
  expectSame(attention(column({0}), column({1, 1}), column({kInf, 1}), {}), column({kInf}));
}

TEST(Attention, UnevenGroupsAreRefused) {
  HostTensor q = floats({1, 3, 1, 1}, {1, 2, 3}), k = floats({1, 2, 1, 1}, {1, 2});
  expectError(attention(q, k, k, {}), "multiple of the 2 key heads");
  expectError(attention(q, floats({1, 1, 1, 2}, {1, 2}), k, {}), "does not fit");
}

/// Elements of a tensor of `dims`, given by RapidCheck.
static HostTensor arbitrary(const Dims &dims) {
  std::vector<double> values;
  for (int64_t i = 0; i < product(dims); ++i)
    values.push_back(*rc::gen::inRange(-1000, 1000) / 250.0);
  return floats(dims, values, DType::F64);
}

RC_GTEST_PROP(AttentionProperties, PermutedKeysChangeNothing, ()) {
  int64_t keys = *rc::gen::inRange(1, 7), depth = *rc::gen::inRange(1, 5);
  HostTensor q = arbitrary({1, 1, 3, depth}), k = arbitrary({1, 1, keys, depth}),
             v = arbitrary({1, 1, keys, 2});
  std::vector<int64_t> order(keys);
  std::iota(order.begin(), order.end(), 0);
  std::rotate(order.begin(), order.begin() + *rc::gen::inRange<int64_t>(0, keys), order.end());
  HostTensor k2 = k, v2 = v;
  for (int64_t t = 0; t < keys; ++t) {
    for (int64_t d = 0; d < depth; ++d)
      k2.setDouble(t * depth + d, k.getDouble(order[t] * depth + d));
    for (int64_t d = 0; d < 2; ++d)
      v2.setDouble(t * 2 + d, v.getDouble(order[t] * 2 + d));
  }
  Result<HostTensor> x = attention(q, k, v, {}), y = attention(q, k2, v2, {});
  for (int64_t i = 0; i < x->numElements(); ++i)
    RC_ASSERT(std::fabs(x->getDouble(i) - y->getDouble(i)) < 1e-12);
}

RC_GTEST_PROP(AttentionProperties, PartsJoinByTheirLogSumExp, ()) {
  // Split-KV decoding: two parts of the keys, weighted by exp(lse), are the whole.
  int64_t first = *rc::gen::inRange(1, 5), second = *rc::gen::inRange(1, 5);
  HostTensor q = arbitrary({1, 1, 2, 3}), k = arbitrary({1, 1, first + second, 3}),
             v = arbitrary({1, 1, first + second, 1});
  auto part = [](const HostTensor &whole, int64_t from, int64_t size) {
    int64_t width = whole.dims()[3];
    HostTensor tensor = *HostTensor::create(DType::F64, {1, 1, size, width});
    for (int64_t i = 0; i < size * width; ++i)
      tensor.setDouble(i, whole.getDouble(from * width + i));
    return tensor;
  };
  Result<AttentionResult> all = attention(q, k, v, {}, DType::F64),
                          left = attention(q, part(k, 0, first), part(v, 0, first), {}, DType::F64),
                          right = attention(q, part(k, first, second), part(v, first, second), {},
                                            DType::F64);
  for (int64_t s = 0; s < 2; ++s) {
    double a = std::exp(left->lse.getDouble(s)), b = std::exp(right->lse.getDouble(s));
    double joined = (a * left->result.getDouble(s) + b * right->result.getDouble(s)) / (a + b);
    RC_ASSERT(std::fabs(joined - all->result.getDouble(s)) < 1e-12);
    RC_ASSERT(std::fabs(std::log(a + b) - all->lse.getDouble(s)) < 1e-12);
  }
}

//===----------------------------------------------------------------------===//
// Pages
//===----------------------------------------------------------------------===//

TEST(PagedAttention, PagesInAnyOrder) {
  // Two sequences of 3 and 2 keys in pages of 2: [4, 1] and [0].
  HostTensor pages = column({0}), table = ints({2, 2}, {4, 1, 0, -7}), n = ints({2}, {3, 2});
  pages = floats({5, 1, 2, 1}, {10, 20, 3, kNaN, kNaN, kNaN, kNaN, kNaN, 1, 2});
  HostTensor q = floats({2, 1, 1, 1}, {0, 0});
  Result<AttentionResult> both =
      pagedAttention(q, pages, pages, table, {.causal = true, .lengths = &n}, DType::F64);
  ASSERT_TRUE(both) << both.error().message;
  expectSame(both->result, floats({2, 1, 1, 1}, {2, 15}));
}

TEST(PagedAttention, EntriesOutsideThePoolAreClamped) {
  HostTensor pages = floats({2, 1, 1, 1}, {5, 7}), q = floats({1, 1, 1, 1}, {0});
  HostTensor table = ints({1, 2}, {-3, 9}), n = ints({1}, {2});
  expectSame(pagedAttention(q, pages, pages, table, {.lengths = &n}, DType::F64)->result,
             floats({1, 1, 1, 1}, {6}));
  expectError(pagedAttention(q, pages, pages, table, {}, DType::F64), "does not fit");
}
