// Gradients of activations, sums, embedding, loss, routing, and of attention with everything it
// takes, against central differences.
#include "Differences.h"

#include "forge/Reference/AttentionGrad.h"
#include "forge/Reference/Gradients.h"
#include "forge/Reference/SelectionGrad.h"

using namespace forge;
using namespace forge::reference;

namespace {
bool coin() { return *rc::gen::arbitrary<bool>(); }
} // namespace

RC_GTEST_PROP(GradientDifferences, Activations, ()) {
  Activation kind = *rc::gen::element(Activation::Relu, Activation::ReluSquared, Activation::Gelu,
                                      Activation::GeluTanh, Activation::Silu, Activation::Sigmoid,
                                      Activation::Tanh);
  HostTensor x = randomDoubles({7}), d = randomDoubles({7});
  for (int64_t i = 0; i < 7; ++i) // relu bends at 0
    RC_PRE(std::fabs(x.getDouble(i)) > 1e-4);
  auto f = [&](const HostTensor &at) { return activation(kind, at); };
  expectDerivative(f, x, d, *activationGrad(kind, d, x));
}

// Far out every slope is that of the asymptote, without overflow on the way.
TEST(GradientDifferences, ActivationsFarOut) {
  for (double far : {40.0, 1e3, 1e30, 1e300, kInf}) {
    for (Activation kind : {Activation::Gelu, Activation::GeluTanh, Activation::Silu}) {
      EXPECT_EQ(activationSlope(kind, far), 1) << far;
      EXPECT_NEAR(activationSlope(kind, -far), 0, 1e-15) << far;
    }
    EXPECT_EQ(activationSlope(Activation::Tanh, far), 0) << far;
    EXPECT_NEAR(activationSlope(Activation::Sigmoid, -far), 0, 1e-15) << far;
  }
}

RC_GTEST_PROP(GradientDifferences, SumsAndEmbedding, ()) {
  int64_t n = *rc::gen::inRange(1, 5);
  HostTensor x = randomDoubles({3, n, 2}), d = randomDoubles({3, 2});
  HostTensor everywhere = *HostTensor::create(DType::F64, x.dims());
  for (int64_t i = 0; i < everywhere.numElements(); ++i)
    everywhere.setDouble(i, d.getDouble(i / (n * 2) * 2 + i % 2));
  expectDerivative([](const HostTensor &at) { return sum(at, {1}); }, x, d, everywhere);
  // Tokens may be outside of the table, and the same one may come several times.
  HostTensor table = randomDoubles({n, 2}), rows = randomDoubles({4, 2}),
             ids = ints({4}, {*rc::gen::inRange(-2, 7), 0, *rc::gen::inRange(-2, 7), 0});
  expectDerivative([&](const HostTensor &at) { return embedding(at, ids); }, table, rows,
                   *embeddingGrad(rows, ids, n));
}

RC_GTEST_PROP(GradientDifferences, CrossEntropy, ()) {
  CrossEntropyOptions options;
  options.reduction =
      *rc::gen::element(LossReduction::None, LossReduction::Mean, LossReduction::Sum);
  if (coin())
    options.ignoreIndex = 2;
  if (coin())
    options.labelSmoothing = 0.3;
  HostTensor x = randomDoubles({3, 5});
  HostTensor targets = ints({3}, {*rc::gen::inRange(0, 5), 2, *rc::gen::inRange(0, 5)});
  HostTensor d = randomDoubles(options.reduction == LossReduction::None ? Dims{3} : Dims{});
  auto loss = [&](const HostTensor &at) { return crossEntropy(at, targets, options, DType::F64); };
  expectDerivative(loss, x, d, *crossEntropyGrad(d, x, targets, options));
}

// The logits are so far apart that the choice does not change within a step.
RC_GTEST_PROP(GradientDifferences, MoeRoute, ()) {
  RouteOptions options;
  options.score = coin() ? RouterScore::Softmax : RouterScore::Sigmoid;
  options.k = *rc::gen::inRange(1, 4);
  options.normalize = coin();
  options.scale = 2.5;
  options.scoreType = DType::F64;
  HostTensor x = *HostTensor::create(DType::F64, {2, 5});
  std::vector<int> order = *rc::gen::container<std::vector<int>>(10, rc::gen::inRange(0, 3));
  for (int64_t i = 0; i < 10; ++i)
    x.setDouble(i, 0.1 * static_cast<double>(i * 7 % 10) + order[static_cast<size_t>(i)]);
  for (int64_t row = 0; row < 2; ++row)
    for (int64_t i = 0; i < 5; ++i)
      for (int64_t j = 0; j < i; ++j)
        RC_PRE(std::fabs(x.getDouble(row * 5 + i) - x.getDouble(row * 5 + j)) > 1e-3);
  HostTensor d = randomDoubles({2, options.k});
  auto weights = [&](const HostTensor &at) {
    return Result<HostTensor>(moeRoute(at, options, DType::I32)->values);
  };
  HostTensor experts = moeRoute(x, options, DType::I32)->indices;
  expectDerivative(weights, x, d, *moeRouteGrad(d, x, experts, options));
}

// Masks of numbers and of truth values, sinks, lengths, offsets, windows, and both cotangents.
RC_GTEST_PROP(GradientDifferences, AttentionWithEverything, ()) {
  HostTensor q = randomDoubles({2, 2, 2, 3}), k = randomDoubles({2, 1, 4, 3}),
             v = randomDoubles({2, 1, 4, 2}), d = randomDoubles({2, 2, 2, 2}),
             dl = randomDoubles({2, 2, 2}), mask = randomDoubles({1, 2, 1, 4}),
             sinks = randomDoubles({2});
  HostTensor lengths = ints({2}, {*rc::gen::inRange(0, 6), 3}),
             offsets = ints({2}, {*rc::gen::inRange(-1, 4), 1});
  AttentionOptions options;
  bool masked = coin(), sunk = coin();
  options.causal = coin();
  if (coin())
    options.window = 2;
  if (coin())
    options.lengths = &lengths;
  if (coin())
    options.offsets = &offsets;
  if (masked)
    options.mask = &mask;
  if (sunk)
    options.sinks = &sinks;
  AttentionGradients grads = *attentionGrad(d, &dl, q, k, v, options);
  // Rows that see nothing have the lse -inf, whatever moves: no difference.
  auto loss = [&](const HostTensor &query, const HostTensor &key, const HostTensor &value) {
    AttentionResult r = *attention(query, key, value, options, DType::F64);
    HostTensor total = *HostTensor::create(DType::F64, {});
    double sum = dot(d, r.result);
    for (int64_t i = 0; i < dl.numElements(); ++i)
      if (std::isfinite(r.lse.getDouble(i)))
        sum += dl.getDouble(i) * r.lse.getDouble(i);
    total.setDouble(0, sum);
    return Result<HostTensor>(total);
  };
  HostTensor one = floats({}, {1}, DType::F64);
  expectDerivative([&](const HostTensor &at) { return loss(at, k, v); }, q, one, grads.query);
  expectDerivative([&](const HostTensor &at) { return loss(q, at, v); }, k, one, grads.key);
  expectDerivative([&](const HostTensor &at) { return loss(q, k, at); }, v, one, grads.value);
  if (masked) {
    auto byMask = [&](const HostTensor &at) {
      options.mask = &at;
      Result<HostTensor> result = loss(q, k, v);
      options.mask = &mask;
      return result;
    };
    expectDerivative(byMask, mask, one, *grads.mask);
  }
  if (sunk) {
    auto bySinks = [&](const HostTensor &at) {
      options.sinks = &at;
      Result<HostTensor> result = loss(q, k, v);
      options.sinks = &sinks;
      return result;
    };
    expectDerivative(bySinks, sinks, one, *grads.sinks);
  }
}
