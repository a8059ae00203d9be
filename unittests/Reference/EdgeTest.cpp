// Where numbers end: rows of one element, zeros, infinities, NaN, the largest and smallest numbers,
// prime sizes, tensors without elements; for the operations whose own tests do not go there.
#include "TestTensors.h"

#include "forge/Reference/AttentionGrad.h"
#include "forge/Reference/Gradients.h"
#include "forge/Reference/Linear.h"
#include "forge/Reference/Normalization.h"
#include "forge/Reference/Position.h"
#include "forge/Reference/SelectionGrad.h"

#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <cmath>

using namespace forge;
using namespace forge::reference;

TEST(Edge, RowsOfOneElement) {
  HostTensor x = floats({3, 1}, {-4, 0.5, 1e30}), scale = floats({1}, {3}),
             shift = floats({1}, {7});
  expectSame(softmax(x, 1), floats({3, 1}, {1, 1, 1}));
  expectSame(logSoftmax(x, 1), floats({3, 1}, {0, 0, 0}));
  expectSame(layerNorm(x, &scale, &shift, 1e-5), floats({3, 1}, {7, 7, 7}));
  HostTensor small = floats({2, 1}, {-4, 0.5});
  expectSame(rmsNorm(small, &scale, 0, false), floats({2, 1}, {-3, 3}));
  HostTensor d = floats({3, 1}, {1, -2, 5});
  expectSame(softmaxGrad(d, *softmax(x, 1), 1), floats({3, 1}, {0, 0, 0}));
  expectSame(logSoftmaxGrad(d, *logSoftmax(x, 1), 1), floats({3, 1}, {0, 0, 0}));
  // The mean of one element is the element: nothing is left to differ.
  expectSame((*layerNormGrad(d, x, &scale, 1e-5))[0], floats({3, 1}, {0, 0, 0}));
  expectSame(crossEntropy(x, ints({3}, {0, 0, 0}), {.reduction = LossReduction::Sum}, DType::F32),
             floats({}, {0}));
  expectSame(moeRoute(x, {.k = 1, .normalize = true}, DType::I32)->values,
             floats({3, 1}, {1, 1, 1}));
}

TEST(Edge, LogSoftmaxAtInfinities) {
  HostTensor x = floats({4, 2}, {-kInf, 3, kInf, 3, -kInf, -kInf, kNaN, 3});
  expectSame(logSoftmax(x, 1), floats({4, 2}, {-kInf, 0, kNaN, kNaN, kNaN, kNaN, kNaN, kNaN}));
  HostTensor far = floats({1, 3}, {3e38, 3e38, -3e38});
  expectSame(logSoftmax(far, 1), floats({1, 3}, {std::log(0.5), std::log(0.5), -kInf}));
}

TEST(Edge, NormsOfZerosInfinitiesAndNaN) {
  HostTensor x = floats({4, 2}, {0, 0, kInf, 1, kNaN, 1, 3, 4});
  // With no epsilon a row of zeros is 0 / 0; a row with an infinity or NaN is lost, the others are
  // not.
  HostTensor y = *rmsNorm(x, nullptr, 0, false);
  EXPECT_TRUE(std::isnan(y.getDouble(0)) && std::isnan(y.getDouble(2)) &&
              std::isnan(y.getDouble(4)));
  EXPECT_NEAR(y.getDouble(6), 3 / std::sqrt(12.5), 1e-7);
  expectSame(rmsNorm(floats({1, 2}, {0, 0}), nullptr, 1, false), floats({1, 2}, {0, 0}));
  HostTensor z = *layerNorm(x, nullptr, nullptr, 0);
  for (int64_t i = 0; i < 6; ++i)
    EXPECT_TRUE(std::isnan(z.getDouble(i))) << i;
  EXPECT_NEAR(z.getDouble(6), -1, 1e-6);
  // Small numbers are as good as others, and so are the largest of f16.
  HostTensor tiny = floats({1, 2}, {1e-18, 3e-18}),
             large = floats({1, 2}, {65504, -65504}, DType::F16);
  EXPECT_NEAR(layerNorm(tiny, nullptr, nullptr, 0)->getDouble(1), 1, 1e-6);
  expectSame(layerNorm(large, nullptr, nullptr, 0), floats({1, 2}, {1, -1}, DType::F16));
  expectSame(rmsNorm(large, nullptr, 0, false), floats({1, 2}, {1, -1}, DType::F16));
}

TEST(Edge, NormGradientsOfZerosAndNaN) {
  HostTensor d = floats({2, 2}, {1, 2, 3, 4}), x = floats({2, 2}, {0, 0, kNaN, 1});
  std::vector<HostTensor> rms = *rmsNormGrad(d, x, nullptr, 0.25, false);
  // At zero rms_norm is x / sqrt(epsilon).
  EXPECT_EQ(rms[0].getDouble(0), 2);
  EXPECT_EQ(rms[0].getDouble(1), 4);
  EXPECT_TRUE(std::isnan(rms[0].getDouble(2)) && std::isnan(rms[0].getDouble(3)));
  // Rows of equal elements: only the part that is not the mean goes through.
  std::vector<HostTensor> layer = *layerNormGrad(d, floats({2, 2}, {5, 5, 5, 5}), nullptr, 0.25);
  EXPECT_EQ(layer[0].getDouble(0), -1);
  EXPECT_EQ(layer[0].getDouble(1), 1);
  EXPECT_EQ(layer[2].getDouble(0), 4);
}

TEST(Edge, RopeFarAwayAndOfNaN) {
  // Angles of billions of radians still rotate: the norm is kept.
  HostTensor x = floats({1, 1, 1, 2}, {3, 4}, DType::F64);
  RopeOptions options;
  options.angleType = DType::F64;
  options.rotaryDims = 2;
  HostTensor y = *rope(x, ints({1}, {2147483647}), options);
  EXPECT_NEAR(std::hypot(y.getDouble(0), y.getDouble(1)), 5, 1e-9);
  // A NaN stays in its pair, an infinity too.
  options.rotaryDims = 4;
  HostTensor lost = floats({1, 1, 1, 4}, {kNaN, 1, 2, 3}, DType::F64);
  HostTensor z = *rope(lost, ints({1}, {0}), options);
  EXPECT_TRUE(std::isnan(z.getDouble(0)) && std::isnan(z.getDouble(2)));
  EXPECT_EQ(z.getDouble(1), 1);
  EXPECT_EQ(z.getDouble(3), 3);
  expectSame(rope(floats({1, 2, 0, 4}, {}), ints({0}, {}), options), floats({1, 2, 0, 4}, {}));
}

TEST(Edge, FeedForwardOfZerosInfinitiesAndNaN) {
  HostTensor up = floats({2, 2}, {1, 1, 1, 1}), down = floats({2, 1}, {1, 1});
  MlpOptions options{.activation = Activation::Relu};
  // Row by row: zeros, minus infinity (which relu stops), NaN, the largest f32.
  HostTensor x = floats({4, 2}, {0, 0, -kInf, 2, kNaN, 1, 3e38, 3e38});
  expectSame(mlp(x, {&up, nullptr}, {&down, nullptr}, options), floats({4, 1}, {0, 0, kNaN, kInf}));
  expectSame(gatedMlp(x, {&up, nullptr}, {&up, nullptr}, {&down, nullptr}, options),
             floats({4, 1}, {0, kNaN, kNaN, kInf}));
  expectSame(mlp(floats({0, 2}, {}), {&up, nullptr}, {&down, nullptr}, options),
             floats({0, 1}, {}));
}

TEST(Edge, LossesOfExtremeLogits) {
  HostTensor x = floats({3, 3}, {1e38, -1e38, 0, 0, 0, 0, kNaN, 0, 0});
  HostTensor targets = ints({3}, {0, 2, 1});
  HostTensor losses = *crossEntropy(x, targets, {.reduction = LossReduction::None}, DType::F32);
  EXPECT_EQ(losses.getDouble(0), 0);
  EXPECT_NEAR(losses.getDouble(1), std::log(3.0), 1e-7);
  EXPECT_TRUE(std::isnan(losses.getDouble(2)));
  HostTensor d = floats({3}, {1, 1, 1});
  HostTensor g = *crossEntropyGrad(d, x, targets, {.reduction = LossReduction::None});
  expectSame(Result<HostTensor>(floats({3}, {g.getDouble(0), g.getDouble(1), g.getDouble(2)})),
             floats({3}, {0, 0, 0}));
  EXPECT_NEAR(g.getDouble(5), 1.0 / 3 - 1, 1e-7);
  EXPECT_TRUE(std::isnan(g.getDouble(6)));
  // No row counts: nothing, not 0 / 0.
  expectSame(crossEntropy(x, ints({3}, {7, 7, 7}), {.ignoreIndex = 7}, DType::F32),
             floats({}, {0}));
  expectSame(crossEntropyGrad(floats({}, {1}), x, ints({3}, {7, 7, 7}), {.ignoreIndex = 7}),
             floats({3, 3}, std::vector<double>(9, 0)));
}

TEST(Edge, RoutesOfExtremeLogits) {
  HostTensor x = floats({2, 3}, {200, -200, 199, -300, -301, -302});
  Selected sigmoid = *moeRoute(x, {.score = RouterScore::Sigmoid, .k = 2}, DType::I32);
  EXPECT_EQ(intsOf(sigmoid.indices)[0], 0);
  EXPECT_EQ(sigmoid.values.getDouble(0), 1);
  // Scores of nothing, normalised: the smallest divisor is 1e-20, and no weight is NaN.
  Selected none =
      *moeRoute(x, {.score = RouterScore::Sigmoid, .k = 2, .normalize = true}, DType::I32);
  for (int64_t i = 0; i < 4; ++i)
    EXPECT_TRUE(std::isfinite(none.values.getDouble(i)));
  HostTensor d = floats({2, 2}, {1, 2, 3, 4});
  HostTensor g =
      *moeRouteGrad(d, x, none.indices, {.score = RouterScore::Sigmoid, .k = 2, .normalize = true});
  for (int64_t i = 0; i < 6; ++i)
    EXPECT_TRUE(std::isfinite(g.getDouble(i))) << i;
}

TEST(Edge, GradientsWhereNothingIsSeen) {
  HostTensor q = floats({1, 1, 2, 1}, {1, kNaN}), k = floats({1, 1, 2, 1}, {kNaN, kInf});
  HostTensor d = floats({1, 1, 2, 1}, {1, 1}), none = ints({1}, {0});
  AttentionGradients grads = *attentionGrad(d, nullptr, q, k, k, {.lengths = &none});
  for (const HostTensor &gradient : {grads.query, grads.key, grads.value})
    for (int64_t i = 0; i < 2; ++i)
      EXPECT_EQ(gradient.getDouble(i), 0);
}

// Prime sizes: nothing is a multiple of anything.
RC_GTEST_PROP(EdgeProperties, ProductsOfPrimeSizes, ()) {
  int64_t m = *rc::gen::element<int64_t>(1, 2, 3, 7, 13), n = *rc::gen::element<int64_t>(1, 5, 11),
          k = *rc::gen::element<int64_t>(1, 3, 17);
  auto numbers = [](const Dims &dims) {
    HostTensor tensor = *HostTensor::create(DType::F64, dims);
    for (int64_t i = 0; i < tensor.numElements(); ++i)
      tensor.setDouble(i, *rc::gen::inRange(-50, 50));
    return tensor;
  };
  HostTensor a = numbers({m, k}), b = numbers({k, n});
  HostTensor y = *matmul(a, b, {}, DType::F64);
  for (int64_t i = 0; i < m; ++i)
    for (int64_t j = 0; j < n; ++j) {
      double sum = 0;
      for (int64_t l = 0; l < k; ++l)
        sum += a.getDouble(i * k + l) * b.getDouble(l * n + j);
      RC_ASSERT(y.getDouble(i * n + j) == sum);
    }
}

// The loss does not change when all logits of a row move alike, and is never below 0.
RC_GTEST_PROP(EdgeProperties, LossesForgetShifts, ()) {
  int64_t classes = *rc::gen::inRange(1, 8);
  HostTensor x = *HostTensor::create(DType::F64, {2, classes}), moved = x;
  double by = *rc::gen::inRange(-700, 700);
  for (int64_t i = 0; i < x.numElements(); ++i) {
    x.setDouble(i, *rc::gen::inRange(-300, 300) / 10.0);
    moved.setDouble(i, x.getDouble(i) + by);
  }
  HostTensor targets = ints({2}, {*rc::gen::inRange<int64_t>(0, classes), 0});
  double loss = crossEntropy(x, targets, {}, DType::F64)->getDouble(0);
  RC_ASSERT(loss >= 0);
  RC_ASSERT(std::fabs(crossEntropy(moved, targets, {}, DType::F64)->getDouble(0) - loss) < 1e-11);
}

// What was appended is found where it was put, and everything else is as before.
RC_GTEST_PROP(EdgeProperties, AppendedRowsAreFoundAgain, ()) {
  int64_t capacity = *rc::gen::inRange(1, 8), count = *rc::gen::inRange(1, 4),
          at = *rc::gen::inRange(-4, 9);
  HostTensor cache = *HostTensor::create(DType::F32, {1, 1, capacity, 1}),
             rows = *HostTensor::create(DType::F32, {1, 1, count, 1});
  for (int64_t t = 0; t < capacity; ++t)
    cache.setDouble(t, static_cast<double>(t));
  for (int64_t s = 0; s < count; ++s)
    rows.setDouble(s, 100 + static_cast<double>(s));
  HostTensor result = *kvAppend(rows, cache, ints({1}, {at}), nullptr);
  for (int64_t t = 0; t < capacity; ++t) {
    bool written = t >= at && t < at + count;
    RC_ASSERT(result.getDouble(t) ==
              (written ? 100 + static_cast<double>(t - at) : static_cast<double>(t)));
  }
}
