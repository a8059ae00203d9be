// Conformance: attention and its gradients by the vendor's library, against those in double.
#include "DnnFixture.h"

#include <cmath>

using namespace forge;
using namespace forge::test;

namespace {
class AttentionTest : public DnnTest {
protected:
  void check(const rt::AttentionCall &call);
  void check(const rt::AttentionGradientCall &call);
};

/// Everything contiguous.
rt::AttentionCall dense(int64_t batch, int64_t heads, int64_t keyHeads, int64_t rows, int64_t keys,
                        int64_t depth) {
  rt::AttentionCall call;
  call.batch = batch;
  call.heads = heads;
  call.keyHeads = keyHeads;
  call.rows = rows;
  call.keys = keys;
  call.depth = call.columns = depth;
  call.scale = 1 / std::sqrt(static_cast<double>(depth));
  call.queryStrides = {heads * rows * depth, rows * depth, depth};
  call.keyStrides = call.valueStrides = {keyHeads * keys * depth, keys * depth, depth};
  return call;
}

rt::AttentionGradientCall gradientOf(const rt::AttentionCall &call) {
  return {call, {call.heads * call.rows * call.columns, call.rows * call.columns, call.columns}};
}

/// Weights of one row: of the keys that it sees.
struct Row {
  std::vector<double> weights;
  /// The logarithm of the sum of the exponentials of its scores.
  double statistic = 0;
};

template <typename Operand>
Row weightsOf(const rt::AttentionCall &call, const std::vector<Operand> &operands, int64_t b,
              int64_t h, int64_t r) {
  int64_t keyHead = h / (call.heads / call.keyHeads);
  int64_t seen = call.causal ? std::min(call.keys, r + 1) : call.keys;
  Row row;
  double sum = 0, largest = -INFINITY;
  for (int64_t t = 0; t < seen; ++t) {
    double score = 0;
    for (int64_t d = 0; d < call.depth; ++d)
      score += operands[0].at({b, h, r, d}) * operands[1].at({b, keyHead, t, d});
    row.weights.push_back(call.scale * score);
    largest = std::max(largest, row.weights.back());
  }
  for (double &weight : row.weights)
    sum += weight = std::exp(weight - largest);
  for (double &weight : row.weights)
    weight /= sum;
  row.statistic = largest + std::log(sum);
  return row;
}

template <typename Operand>
double resultOf(const rt::AttentionCall &call, const std::vector<Operand> &operands, const Row &row,
                int64_t b, int64_t h, int64_t c) {
  double sum = 0;
  for (size_t t = 0; t < row.weights.size(); ++t)
    sum += row.weights[t] *
           operands[2].at({b, h / (call.heads / call.keyHeads), static_cast<int64_t>(t), c});
  return sum;
}

template <typename Visit> void forEachRow(const rt::AttentionCall &call, const Visit &visit) {
  for (int64_t b = 0; b < call.batch; ++b)
    for (int64_t h = 0; h < call.heads; ++h)
      for (int64_t r = 0; r < call.rows; ++r)
        visit(b, h, r);
}

/// Weights are rounded to the type on the way; values are below 1.
double toleranceOf(const rt::AttentionCall &call) {
  return call.type == FORGE_RT_F16 ? 0x1p-9 : 0x1p-6;
}

void AttentionTest::check(const rt::AttentionCall &call) {
  std::vector<Operand> operands = draw(call);
  run(call, operands);
  forEachRow(call, [&](int64_t b, int64_t h, int64_t r) {
    Row row = weightsOf(call, operands, b, h, r);
    for (int64_t c = 0; c < call.columns; ++c)
      ASSERT_NEAR(operands[3].at({b, h, r, c}), resultOf(call, operands, row, b, h, c),
                  toleranceOf(call))
          << b << " " << h << " " << r << " " << c;
    if (call.hasStatistics)
      ASSERT_NEAR(operands[4].at({b, h, r, 0}), row.statistic, 0x1p-12)
          << b << " " << h << " " << r;
  });
}

/// A gradient's elements, and the sums of the magnitudes of their terms.
struct Gradient {
  std::vector<double> sums, magnitudes;

  explicit Gradient(const rt::DnnTensor &tensor)
      : sums(static_cast<size_t>(tensor.elements())), magnitudes(sums.size()) {}
  void add(int64_t offset, double term) {
    sums[static_cast<size_t>(offset)] += term;
    magnitudes[static_cast<size_t>(offset)] += std::abs(term);
  }
};

void AttentionTest::check(const rt::AttentionGradientCall &gradient) {
  const rt::AttentionCall &call = gradient.attention;
  std::vector<Operand> operands = draw(gradient);
  std::vector<Gradient> expected;
  for (size_t i = 6; i < 9; ++i)
    expected.emplace_back(operands[i].tensor);
  forEachRow(call, [&](int64_t b, int64_t h, int64_t r) {
    // Results and statistics belong to the queries, keys and values.
    Row row = weightsOf(call, operands, b, h, r);
    double ofRow = 0;
    for (int64_t c = 0; c < call.columns; ++c) {
      operands[3].set({b, h, r, c}, resultOf(call, operands, row, b, h, c));
      ofRow += operands[3].at({b, h, r, c}) * operands[4].at({b, h, r, c});
    }
    operands[5].set({b, h, r, 0}, row.statistic);
    int64_t keyHead = h / (call.heads / call.keyHeads);
    for (size_t i = 0; i < row.weights.size(); ++i) {
      auto t = static_cast<int64_t>(i);
      int64_t key = (b * call.keyHeads + keyHead) * call.keys + t,
              query = (b * call.heads + h) * call.rows + r;
      double toWeight = 0;
      for (int64_t c = 0; c < call.columns; ++c) {
        double cotangent = operands[4].at({b, h, r, c});
        toWeight += cotangent * operands[2].at({b, keyHead, t, c});
        expected[2].add(key * call.columns + c, row.weights[i] * cotangent);
      }
      double toScore = call.scale * row.weights[i] * (toWeight - ofRow);
      for (int64_t d = 0; d < call.depth; ++d) {
        expected[0].add(query * call.depth + d, toScore * operands[1].at({b, keyHead, t, d}));
        expected[1].add(key * call.depth + d, toScore * operands[0].at({b, h, r, d}));
      }
    }
  });
  run(gradient, operands);
  for (size_t i = 0; i < 3; ++i)
    for (size_t e = 0; e < expected[i].sums.size(); ++e)
      ASSERT_NEAR(operands[6 + i].memory.getDouble(static_cast<int64_t>(e)), expected[i].sums[e],
                  toleranceOf(call) * (expected[i].magnitudes[e] + 0x1p-4))
          << "gradient " << i << ", element " << e;
}

FORGE_FOR_ALL_DEVICES(AttentionTest);

TEST_P(AttentionTest, OfManyRows) { check(dense(2, 4, 4, 64, 64, 64)); }

TEST_P(AttentionTest, Causal) {
  rt::AttentionCall call = dense(2, 4, 2, 128, 128, 64);
  call.causal = true;
  check(call);
}

TEST_P(AttentionTest, OfOneRowAndGroupedHeads) { check(dense(3, 8, 2, 1, 256, 128)); }

TEST_P(AttentionTest, InF16WithHeadsInside) {
  rt::AttentionCall call = dense(2, 4, 4, 64, 128, 64);
  call.type = FORGE_RT_F16;
  call.queryStrides = {4 * 64 * 64, 64, 4 * 64};
  call.keyStrides = {4 * 128 * 64, 64, 4 * 64};
  check(call);
}

TEST_P(AttentionTest, WithStatistics) {
  rt::AttentionCall call = dense(2, 4, 2, 128, 128, 64);
  call.causal = call.hasStatistics = true;
  check(call);
}

TEST_P(AttentionTest, TwiceBySamePlan) {
  rt::AttentionCall call = dense(1, 2, 2, 64, 64, 64);
  check(call);
  check(call);
}

TEST_P(AttentionTest, Gradients) { check(gradientOf(dense(2, 2, 2, 128, 128, 64))); }

TEST_P(AttentionTest, GradientsTwiceBySamePlan) {
  rt::AttentionGradientCall call = gradientOf(dense(1, 2, 2, 64, 128, 64));
  check(call);
  check(call);
}

TEST_P(AttentionTest, CausalGradientsOfGroupedHeads) {
  rt::AttentionGradientCall call = gradientOf(dense(1, 4, 2, 128, 128, 64));
  call.attention.causal = true;
  check(call);
}

TEST_P(AttentionTest, GradientsInF16WithHeadsInside) {
  rt::AttentionCall of = dense(1, 4, 4, 64, 128, 64);
  of.type = FORGE_RT_F16;
  of.queryStrides = {4 * 64 * 64, 64, 4 * 64};
  of.keyStrides = {4 * 128 * 64, 64, 4 * 64};
  rt::AttentionGradientCall call = gradientOf(of);
  call.cotangentStrides = {4 * 64 * 64, 64, 4 * 64};
  check(call);
}

TEST_P(AttentionTest, RefusalNamesTheAttention) {
  EXPECT_ERROR(library->prepare(dense(1, 2, 2, 64, 64, 63)),
               "has no plan for attention, batch 1, 2 heads, 64 rows, 64 keys, depth 63, bf16: ");
  EXPECT_ERROR(library->prepare(dense(1, 3, 2, 64, 64, 64)),
               "expected heads that are a multiple of those of keys");
  EXPECT_ERROR(library->prepare(gradientOf(dense(1, 2, 2, 64, 128, 63))),
               "has no plan for gradients of attention, batch 1, 2 heads, 64 rows, 128 keys, depth "
               "63, bf16: ");
}

TEST_P(AttentionTest, OperandsAreCounted) {
  rt::AttentionCall call = dense(1, 2, 2, 64, 64, 64);
  EXPECT_ERROR(library->run(*stream, call, {nullptr}),
               "expected 4 operands, but got 1, of attention");
}

} // namespace
