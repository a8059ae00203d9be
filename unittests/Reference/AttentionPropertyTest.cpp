// Laws of attention and of what is around it, tried on random inputs in f64.
#include "TestTensors.h"

#include "forge/Reference/Activation.h"
#include "forge/Reference/Attention.h"
#include "forge/Reference/Elementwise.h"
#include "forge/Reference/Normalization.h"
#include "forge/Reference/Reduce.h"
#include "forge/Reference/Sort.h"

#include <rapidcheck.h>

#include <algorithm>
#include <cmath>
#include <numeric>

using namespace forge;
using namespace forge::reference;

/// Elements between -magnitude and magnitude.
static HostTensor randomOperand(Dims dims, double magnitude = 4) {
  HostTensor tensor = *HostTensor::create(DType::F64, std::move(dims));
  for (int64_t i = 0; i < tensor.numElements(); ++i)
    tensor.setDouble(i, magnitude * *rc::gen::inRange(-1000000, 1000001) * 1e-6);
  return tensor;
}

static int64_t randomSize(int64_t most = 6) { return *rc::gen::inRange<int64_t>(1, most + 1); }

static bool near(const HostTensor &a, const HostTensor &b, double tolerance) {
  if (a.dims() != b.dims())
    return false;
  for (int64_t i = 0; i < a.numElements(); ++i)
    if (!(std::fabs(a.getDouble(i) - b.getDouble(i)) <= tolerance))
      return false;
  return true;
}

/// factor * x + addend
static HostTensor scaled(HostTensor x, double factor, double addend) {
  for (int64_t i = 0; i < x.numElements(); ++i)
    x.setDouble(i, factor * x.getDouble(i) + addend);
  return x;
}

static std::vector<int64_t> randomOrder(int64_t n) {
  std::vector<int64_t> order(static_cast<size_t>(n));
  std::iota(order.begin(), order.end(), 0);
  for (size_t i = order.size(); i > 1; --i)
    std::swap(order[i - 1], order[*rc::gen::inRange<size_t>(0, i)]);
  return order;
}

/// `x` with the slices of one dimension in another order.
static HostTensor permuted(const HostTensor &x, int64_t dimension,
                           const std::vector<int64_t> &order) {
  HostTensor result = x;
  Dims index(x.dims().size(), 0), strides = stridesOf(x.dims());
  if (x.numElements() == 0)
    return result;
  do {
    Dims from = index;
    from[dimension] = order[index[dimension]];
    copyElement(result, flatten(index, strides), x, flatten(from, strides));
  } while (advance(index, x.dims()));
  return result;
}

TEST(NormalizationProperty, LogSoftmaxIsTheLogarithmOfSoftmax) {
  EXPECT_TRUE(rc::check([] {
    HostTensor x = randomOperand({randomSize(), randomSize()});
    RC_ASSERT(near(*logSoftmax(x, 1), *unary(UnaryOp::Log, *softmax(x, 1)), 1e-12));
  }));
}

TEST(NormalizationProperty, LayerNormRowsHaveMeanZeroAndVarianceOne) {
  EXPECT_TRUE(rc::check([] {
    int64_t n = 2 + randomSize(20);
    HostTensor x = randomOperand({n});
    HostTensor y = *layerNorm(x, nullptr, nullptr, 0);
    double sum = 0, squares = 0;
    for (int64_t i = 0; i < n; ++i) {
      RC_PRE(std::isfinite(y.getDouble(i)));
      sum += y.getDouble(i);
      squares += y.getDouble(i) * y.getDouble(i);
    }
    RC_ASSERT(std::fabs(sum) < 1e-8 * static_cast<double>(n));
    RC_ASSERT(std::fabs(squares / static_cast<double>(n) - 1) < 1e-8);
  }));
}

TEST(NormalizationProperty, RmsNormForgetsScaleButNotSign) {
  EXPECT_TRUE(rc::check([] {
    HostTensor x = randomOperand({randomSize(), 1 + randomSize()}),
               g = randomOperand({x.dims()[1]});
    HostTensor y = *rmsNorm(x, &g, 0, false);
    for (int64_t i = 0; i < y.numElements(); ++i)
      RC_PRE(std::isfinite(y.getDouble(i)));
    RC_ASSERT(near(*rmsNorm(scaled(x, 250, 0), &g, 0, false), y, 1e-9));
    RC_ASSERT(near(*rmsNorm(scaled(x, -2, 0), &g, 0, false), scaled(y, -1, 0), 1e-9));
    // 1 + w with w = g - 1.
    HostTensor w = scaled(g, 1, -1);
    RC_ASSERT(near(*rmsNorm(x, &w, 0, true), y, 1e-9));
  }));
}

namespace {
struct AttentionInputs {
  HostTensor query, key, value;
  static AttentionInputs random() {
    int64_t batch = randomSize(2), groups = randomSize(2), members = randomSize(3),
            queries = randomSize(4), keys = randomSize(7), depth = randomSize(5),
            width = randomSize(5);
    return {randomOperand({batch, groups * members, queries, depth}),
            randomOperand({batch, groups, keys, depth}),
            randomOperand({batch, groups, keys, width})};
  }
};
} // namespace

TEST(AttentionProperty, AttentionDoesNotDependOnTheOrderOfKeys) {
  EXPECT_TRUE(rc::check([] {
    AttentionInputs in = AttentionInputs::random();
    std::vector<int64_t> order = randomOrder(in.key.dims()[2]);
    HostTensor expected = *attention(in.query, in.key, in.value, {});
    HostTensor actual =
        *attention(in.query, permuted(in.key, 2, order), permuted(in.value, 2, order), {});
    RC_ASSERT(near(actual, expected, 1e-12));
  }));
}

TEST(AttentionProperty, AttentionIsAMeanOfValues) {
  EXPECT_TRUE(rc::check([] {
    AttentionInputs in = AttentionInputs::random();
    HostTensor constant = scaled(in.value, 0, 3.25);
    HostTensor result = *attention(in.query, in.key, constant, {});
    for (int64_t i = 0; i < result.numElements(); ++i)
      RC_ASSERT(std::fabs(result.getDouble(i) - 3.25) < 1e-12);
  }));
}

TEST(AttentionProperty, CausalAttentionIgnoresTheFuture) {
  EXPECT_TRUE(rc::check([] {
    AttentionInputs in = AttentionInputs::random();
    int64_t queries = in.query.dims()[2], keys = in.key.dims()[2];
    RC_PRE(keys >= queries);
    AttentionOptions causal;
    causal.causal = true;
    HostTensor expected = *attention(in.query, in.key, in.value, causal);
    // The last key is seen by the last query alone.
    Dims dims = in.value.dims(), index(4, 0), strides = stridesOf(dims);
    HostTensor changed = in.value;
    do {
      if (index[2] == keys - 1)
        changed.setDouble(flatten(index, strides), 100);
    } while (advance(index, dims));
    HostTensor actual = *attention(in.query, in.key, changed, causal);
    Dims at(4, 0), resultStrides = stridesOf(actual.dims());
    do {
      if (at[2] < queries - 1)
        RC_ASSERT(actual.getDouble(flatten(at, resultStrides)) ==
                  expected.getDouble(flatten(at, resultStrides)));
    } while (advance(at, actual.dims()));
  }));
}

TEST(AttentionProperty, AMaskOfMinusInfinityIsOneOfFalse) {
  EXPECT_TRUE(rc::check([] {
    AttentionInputs in = AttentionInputs::random();
    Dims dims = {1, 1, in.query.dims()[2], in.key.dims()[2]};
    HostTensor kept = *HostTensor::create(DType::I1, dims),
               added = *HostTensor::create(DType::F64, dims);
    for (int64_t i = 0; i < kept.numElements(); ++i) {
      bool keep = *rc::gen::inRange(0, 3) > 0;
      setInteger(kept, i, keep);
      added.setDouble(i, keep ? 0 : -kInf);
    }
    AttentionOptions byTruth, bySum;
    byTruth.mask = &kept;
    bySum.mask = &added;
    RC_ASSERT(near(*attention(in.query, in.key, in.value, byTruth),
                   *attention(in.query, in.key, in.value, bySum), 0));
  }));
}

TEST(SelectionProperty, TheFirstOfTopKIsTheMaximum) {
  EXPECT_TRUE(rc::check([] {
    int64_t n = randomSize(12), k = *rc::gen::inRange<int64_t>(1, n + 1);
    HostTensor x = randomOperand({randomSize(3), n}, *rc::gen::element(1e-5, 2.0));
    TopK top = *topK(x, k);
    HostTensor largest =
        *reduce(x, floats({}, {-kInf}, DType::F64), {1}, BinaryOp::Maximum, DType::F64);
    for (int64_t row = 0; row < x.dims()[0]; ++row) {
      RC_ASSERT(top.values.getDouble(row * k) == largest.getDouble(row));
      for (int64_t i = 0; i < k; ++i) {
        int64_t at = getInteger(top.indices, row * k + i);
        RC_ASSERT(x.getDouble(row * n + at) == top.values.getDouble(row * k + i));
        if (i > 0)
          RC_ASSERT(top.values.getDouble(row * k + i) <= top.values.getDouble(row * k + i - 1));
      }
    }
  }));
}

TEST(ActivationProperty, GatesAreBetweenZeroAndTheirInput) {
  EXPECT_TRUE(rc::check([] {
    double x = *rc::gen::inRange(-10000000, 10000001) * 1e-6;
    for (Activation kind : {Activation::Gelu, Activation::GeluTanh, Activation::Silu}) {
      double y = activation(kind, x);
      // x times a probability; and f(x) - f(-x) = x.
      RC_ASSERT(std::fabs(y) <= std::fabs(x));
      RC_ASSERT(std::fabs(y - activation(kind, -x) - x) < 1e-12);
    }
    RC_ASSERT(std::fabs(activation(Activation::Gelu, x) - activation(Activation::GeluTanh, x)) <
              1e-3);
  }));
}
