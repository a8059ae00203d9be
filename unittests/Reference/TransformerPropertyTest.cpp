// Laws of the transformer reference, on random inputs.
#include "TestTensors.h"

#include "forge/Reference/Elementwise.h"
#include "forge/Reference/Linear.h"
#include "forge/Reference/Normalization.h"
#include "forge/Reference/Shape.h"

#include <rapidcheck.h>

#include <cmath>

using namespace forge;
using namespace forge::reference;

namespace {

/// Sizes from 1 to 7.
int64_t randomSize() { return *rc::gen::inRange<int64_t>(1, 8); }

/// Doubles in [-limit, limit] on a grid of a thousandth of it.
HostTensor randomTensor(Dims dims, double limit = 4) {
  std::vector<double> values;
  for (int64_t i = 0; i < product(dims); ++i)
    values.push_back(*rc::gen::inRange(-1000, 1001) * limit / 1000);
  return floats(std::move(dims), values, DType::F64);
}

bool near(const HostTensor &x, const HostTensor &y, double tolerance = 1e-12) {
  if (x.dims() != y.dims())
    return false;
  for (int64_t i = 0; i < x.numElements(); ++i)
    if (!(std::fabs(x.getDouble(i) - y.getDouble(i)) <=
          tolerance * (1 + std::fabs(y.getDouble(i)))))
      return false;
  return true;
}

HostTensor mapped(const HostTensor &x, double (*function)(double)) {
  HostTensor result = x;
  for (int64_t i = 0; i < x.numElements(); ++i)
    result.setDouble(i, function(x.getDouble(i)));
  return result;
}

/// x * factor + term, element by element.
HostTensor affine(const HostTensor &x, double factor, double term) {
  HostTensor result = x;
  for (int64_t i = 0; i < x.numElements(); ++i)
    result.setDouble(i, x.getDouble(i) * factor + term);
  return result;
}

} // namespace

TEST(TransformerProperty, SoftmaxRowsSumToOneAndForgetShifts) {
  EXPECT_TRUE(rc::check([] {
    int64_t rows = randomSize(), length = randomSize();
    HostTensor x = randomTensor({rows, length}, 50), p = *softmax(x, 1);
    for (int64_t r = 0; r < rows; ++r) {
      double sum = 0;
      for (int64_t i = 0; i < length; ++i)
        sum += p.getDouble(r * length + i);
      RC_ASSERT(std::fabs(sum - 1) < 1e-12);
    }
    RC_ASSERT(near(*softmax(affine(x, 1, 1000), 1), p));
    RC_ASSERT(near(mapped(*logSoftmax(x, 1), std::exp), p));
  }));
}

TEST(TransformerProperty, SoftmaxAlongTheFirstDimensionIsThatOfTheTranspose) {
  EXPECT_TRUE(rc::check([] {
    HostTensor x = randomTensor({randomSize(), randomSize()});
    HostTensor turned = *transpose(*softmax(*transpose(x, {1, 0}), 1), {1, 0});
    RC_ASSERT(near(*softmax(x, 0), turned, 0));
  }));
}

TEST(TransformerProperty, LayerNormForgetsScaleAndShiftOfItsRows) {
  EXPECT_TRUE(rc::check([] {
    int64_t rows = randomSize(), length = randomSize() + 1;
    HostTensor x = randomTensor({rows, length}), y = *layerNorm(x, nullptr, nullptr, 1e-30);
    for (int64_t r = 0; r < rows; ++r) {
      double first = x.getDouble(r * length), sum = 0, squares = 0;
      bool constant = true;
      for (int64_t i = 0; i < length; ++i) {
        constant &= std::fabs(x.getDouble(r * length + i) - first) < 1e-6;
        sum += y.getDouble(r * length + i);
        squares += y.getDouble(r * length + i) * y.getDouble(r * length + i);
      }
      RC_PRE(!constant); // 0 over 0, up to rounding
      RC_ASSERT(std::fabs(sum) < 1e-9 * static_cast<double>(length));
      RC_ASSERT(std::fabs(squares / static_cast<double>(length) - 1) < 1e-9);
    }
    RC_ASSERT(near(*layerNorm(affine(x, 8, 32), nullptr, nullptr, 1e-30), y, 1e-8));
  }));
}

TEST(TransformerProperty, RmsNormHasMeanSquareOne) {
  EXPECT_TRUE(rc::check([] {
    int64_t length = randomSize();
    HostTensor x = randomTensor({1, length}), zeros = affine(x, 0, 0);
    RC_PRE(!near(x, zeros));
    HostTensor y = *rmsNorm(x, nullptr, 0, false), scale = affine(*reshape(x, {length}), 0, 0);
    double squares = 0;
    for (int64_t i = 0; i < length; ++i)
      squares += y.getDouble(i) * y.getDouble(i);
    RC_ASSERT(std::fabs(squares / static_cast<double>(length) - 1) < 1e-12);
    // 1 + 0 is a scale of one.
    RC_ASSERT(near(*rmsNorm(x, &scale, 0, true), y, 0));
  }));
}

TEST(TransformerProperty, TransposedFactorsGiveTheSameProduct) {
  EXPECT_TRUE(rc::check([] {
    int64_t b = randomSize(), m = randomSize(), k = randomSize(), n = randomSize();
    HostTensor x = randomTensor({b, m, k}), y = randomTensor({b, k, n});
    HostTensor xt = *transpose(x, {0, 2, 1}), yt = *transpose(y, {0, 2, 1});
    HostTensor expected = *matmul(x, y, {}, DType::F64);
    RC_ASSERT(near(*matmul(xt, y, {.transposeLhs = true}, DType::F64), expected, 0));
    RC_ASSERT(near(*matmul(x, yt, {.transposeRhs = true}, DType::F64), expected, 0));
    // (x y)^T = y^T x^T
    RC_ASSERT(near(*transpose(*matmul(yt, xt, {}, DType::F64), {0, 2, 1}), expected));
  }));
}

TEST(TransformerProperty, GroupsAreSlices) {
  EXPECT_TRUE(rc::check([] {
    int64_t experts = randomSize(), k = randomSize(), n = randomSize(), rows = 0;
    std::vector<int64_t> sizes, offsets = {0};
    for (int64_t e = 0; e < experts; ++e) {
      sizes.push_back(*rc::gen::inRange<int64_t>(0, 4));
      offsets.push_back(rows += sizes.back());
    }
    HostTensor x = randomTensor({rows, k}), w = randomTensor({experts, k, n});
    HostTensor bySize = *groupedMatmul(x, w, ints({experts}, sizes), {}, DType::F64);
    RC_ASSERT(
        near(*groupedMatmul(x, w, ints({experts + 1}, offsets), {.offsets = true}, DType::F64),
             bySize, 0));
    for (int64_t e = 0; e < experts; ++e) {
      HostTensor part = *slice(x, {offsets[e], 0}, {offsets[e + 1], k}, {1, 1});
      HostTensor matrix = *reshape(*slice(w, {e, 0, 0}, {e + 1, k, n}, {1, 1, 1}), {k, n});
      RC_ASSERT(near(*matmul(part, matrix, {}, DType::F64),
                     *slice(bySize, {offsets[e], 0}, {offsets[e + 1], n}, {1, 1}), 0));
    }
  }));
}

TEST(TransformerProperty, BlocksAreTheirProducts) {
  EXPECT_TRUE(rc::check([] {
    int64_t m = randomSize(), h = randomSize(), f = randomSize(), o = randomSize();
    HostTensor x = randomTensor({m, h}), g = randomTensor({h, f}), u = randomTensor({h, f}),
               d = randomTensor({f, o});
    Activation kind = *rc::gen::element(Activation::Relu, Activation::Silu, Activation::GeluTanh);
    HostTensor gate = *activation(kind, *matmul(x, g, {}, DType::F64));
    HostTensor branch = *matmul(x, u, {}, DType::F64);
    RC_ASSERT(near(*mlp(x, {&g, nullptr}, {&d, nullptr}, {.activation = kind}),
                   *matmul(gate, d, {}, DType::F64), 0));
    HostTensor hidden = *binary(BinaryOp::Multiply, gate, branch);
    HostTensor gt = *transpose(g, {1, 0}), ut = *transpose(u, {1, 0}), dt = *transpose(d, {1, 0});
    RC_ASSERT(near(*gatedMlp(x, {&gt, nullptr}, {&ut, nullptr}, {&dt, nullptr},
                             {.activation = kind, .transposeWeights = true}),
                   *matmul(hidden, d, {}, DType::F64), 0));
  }));
}

TEST(TransformerProperty, QuantisedNumbersAreWithinHalfAStepAndInOrder) {
  EXPECT_TRUE(rc::check([] {
    int64_t length = randomSize() + 1;
    HostTensor x = randomTensor({length}, 3);
    double step = *rc::gen::inRange(30, 200) / 1000.0; // 3 / 0.03 is 100: nothing saturates
    HostTensor scale = floats({}, {step}, DType::F64);
    HostTensor narrow = *quantize(x, {&scale}, DType::F64, DType::I8);
    HostTensor back = *dequantize(narrow, {&scale}, DType::F64, DType::F64);
    for (int64_t i = 0; i < length; ++i)
      RC_ASSERT(std::fabs(back.getDouble(i) - x.getDouble(i)) <= step / 2 * (1 + 1e-12));
    for (int64_t i = 1; i < length; ++i)
      if (x.getDouble(i - 1) <= x.getDouble(i))
        RC_ASSERT(getInteger(narrow, i - 1) <= getInteger(narrow, i));
    // What is on the grid stays.
    expectSame(quantize(back, {&scale}, DType::F64, DType::I8), narrow);
  }));
}

TEST(TransformerProperty, LinearOfBlocksIsLinearOfNumbers) {
  EXPECT_TRUE(rc::check([] {
    int64_t m = randomSize(), n = randomSize(), k = randomSize(), p = randomSize(),
            q = randomSize();
    std::vector<int64_t> values, zeros;
    Dims groups = {(n + p - 1) / p, (k + q - 1) / q};
    for (int64_t i = 0; i < n * k; ++i)
      values.push_back(*rc::gen::inRange<int64_t>(-8, 8));
    for (int64_t i = 0; i < product(groups); ++i)
      zeros.push_back(*rc::gen::inRange<int64_t>(-8, 8));
    HostTensor w = ints({n, k}, values, DType::I4), zero = ints(groups, zeros, DType::I4);
    HostTensor scale = randomTensor(groups), x = randomTensor({m, k});
    Quantization blocks{&scale, &zero};
    blocks.block = Dims{p, q};
    HostTensor numbers = *dequantize(w, blocks, DType::F64, DType::F64);
    for (int64_t i = 0; i < n; ++i)
      for (int64_t j = 0; j < k; ++j) {
        int64_t group = i / p * groups[1] + j / q;
        double expected =
            static_cast<double>(values[i * k + j] - zeros[group]) * scale.getDouble(group);
        RC_ASSERT(numbers.getDouble(i * k + j) == expected);
      }
    RC_ASSERT(near(*linear(x, w, blocks, {}, DType::F64),
                   *matmul(x, numbers, {.transposeRhs = true}, DType::F64), 0));
  }));
}
