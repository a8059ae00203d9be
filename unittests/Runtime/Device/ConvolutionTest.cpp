// Conformance: convolutions by the vendor's library, against those in double.
#include "DnnFixture.h"

#include <cmath>

using namespace forge;
using namespace forge::test;

namespace {
using Axis = rt::ConvolutionCall::Axis;

class ConvolutionTest : public DnnTest {
protected:
  void check(const rt::ConvolutionCall &call);
};

/// Strides of these sizes where channels are the innermost dimension, or are where they are.
std::vector<int64_t> stridesOf(const std::vector<int64_t> &sizes, bool channelsLast) {
  std::vector<int64_t> strides(sizes.size());
  int64_t next = 1;
  auto take = [&](size_t dim) {
    strides[dim] = next;
    next *= sizes[dim];
  };
  if (channelsLast)
    take(1);
  for (size_t dim = sizes.size(); dim-- > 2;)
    take(dim);
  if (!channelsLast)
    take(1);
  take(0);
  return strides;
}

rt::ConvolutionCall convolution(int64_t batch, int64_t inputs, int64_t outputs,
                                std::vector<Axis> axes, bool channelsLast = true,
                                int64_t groups = 1) {
  rt::ConvolutionCall call;
  call.batch = batch;
  call.groups = groups;
  call.inputs = inputs;
  call.outputs = outputs;
  call.axes = std::move(axes);
  std::vector<int64_t> image{batch, groups * inputs}, kernel{groups * outputs, inputs},
      out{batch, groups * outputs};
  for (const Axis &axis : call.axes) {
    image.push_back(axis.size);
    kernel.push_back(axis.window);
    out.push_back(axis.places());
  }
  call.imageStrides = stridesOf(image, channelsLast);
  call.kernelStrides = stridesOf(kernel, channelsLast);
  call.outStrides = stridesOf(out, channelsLast);
  return call;
}

template <typename Visit> void forEachIndex(const std::vector<int64_t> &sizes, const Visit &visit) {
  std::vector<int64_t> index(sizes.size());
  for (size_t dim = 1; dim > 0;) {
    visit(index);
    for (dim = sizes.size(); dim > 0 && ++index[dim - 1] == sizes[dim - 1]; --dim)
      index[dim - 1] = 0;
  }
}

double activate(int64_t activation, double x) {
  if (activation == FORGE_RT_EPILOGUE_RELU)
    return std::max(x, 0.0);
  if (activation == FORGE_RT_EPILOGUE_GELU_TANH)
    return x / 2 * (1 + std::tanh(std::sqrt(2 / M_PI) * (x + 0.044715 * x * x * x)));
  return x;
}

void ConvolutionTest::check(const rt::ConvolutionCall &call) {
  std::vector<Operand> operands = draw(call);
  run(call, operands);
  const Operand &image = operands[0], &kernel = operands[1], &out = operands.back();
  std::vector<Axis> axes = call.axes;
  if (axes.size() == 1)
    axes.insert(axes.begin(), Axis{});
  double rounding = call.outType == FORGE_RT_F16    ? 0x1p-10
                    : call.outType == FORGE_RT_BF16 ? 0x1p-7
                                                    : 0x1p-22;
  std::vector<int64_t> terms(kernel.tensor.sizes.begin() + 1, kernel.tensor.sizes.end());
  forEachIndex(out.tensor.sizes, [&](const std::vector<int64_t> &at) {
    double sum = 0, magnitude = 0;
    auto add = [&](double term) {
      sum += term;
      magnitude += std::abs(term);
    };
    size_t next = 2;
    if (call.hasBias)
      add(operands[next++].at({0, at[1], 0, 0}));
    if (call.hasResidual)
      add(operands[next++].at(at));
    forEachIndex(terms, [&](const std::vector<int64_t> &term) {
      std::vector<int64_t> from{at[0], at[1] / call.outputs * call.inputs + term[0]}, of{at[1]};
      of.insert(of.end(), term.begin(), term.end());
      bool isInside = true;
      for (size_t i = 0; i < axes.size(); ++i) {
        from.push_back(at[i + 2] * axes[i].stride + term[i + 1] * axes[i].dilation -
                       axes[i].lowPadding);
        isInside &= from.back() >= 0 && from.back() < axes[i].size;
      }
      if (isInside)
        add(image.at(from) * kernel.at(of));
    });
    double expected = activate(call.activation, sum);
    ASSERT_NEAR(out.at(at), expected, rounding * std::abs(expected) + 0x1p-18 * magnitude)
        << at[0] << " " << at[1] << " " << at[2] << " " << at[3];
  });
}

FORGE_FOR_ALL_DEVICES(ConvolutionTest);

TEST_P(ConvolutionTest, ChannelsLast) {
  check(convolution(2, 16, 24, {{10, 3, 1, 1, 1, 1}, {12, 3, 1, 1, 1, 1}}));
}

TEST_P(ConvolutionTest, ChannelsFirst) {
  check(convolution(2, 16, 24, {{10, 3}, {12, 3}}, /*channelsLast=*/false));
}

TEST_P(ConvolutionTest, InF16WithGapsAndEverySecondPlace) {
  rt::ConvolutionCall call = convolution(1, 16, 8, {{15, 3, 2, 1, 1, 1}, {17, 3, 2, 2, 2, 2}});
  call.type = call.outType = FORGE_RT_F16;
  check(call);
}

TEST_P(ConvolutionTest, AlongOneAxis) { check(convolution(2, 16, 8, {{40, 5, 1, 1, 2, 2}})); }

TEST_P(ConvolutionTest, InGroups) {
  check(convolution(2, 8, 8, {{9, 3}, {9, 3}}, /*channelsLast=*/true, /*groups=*/4));
}

// No tf32: the sums are those of f32 numbers as they are.
TEST_P(ConvolutionTest, InF32) {
  rt::ConvolutionCall call =
      convolution(2, 16, 8, {{8, 3, 1, 1, 1, 1}, {8, 3, 1, 1, 1, 1}}, /*channelsLast=*/false);
  call.type = call.outType = FORGE_RT_F32;
  check(call);
}

TEST_P(ConvolutionTest, BiasAndRelu) {
  rt::ConvolutionCall call = convolution(2, 16, 24, {{8, 3, 1, 1, 1, 1}, {8, 3, 1, 1, 1, 1}});
  call.hasBias = true;
  call.activation = FORGE_RT_EPILOGUE_RELU;
  check(call);
}

TEST_P(ConvolutionTest, BiasResidualAndGelu) {
  rt::ConvolutionCall call = convolution(1, 16, 24, {{8, 3, 1, 1, 1, 1}, {8, 3, 1, 1, 1, 1}});
  call.hasBias = call.hasResidual = true;
  call.activation = FORGE_RT_EPILOGUE_GELU_TANH;
  check(call);
}

TEST_P(ConvolutionTest, WrongCallsAreErrors) {
  rt::ConvolutionCall call = convolution(1, 16, 24, {{8, 9}, {8, 3}});
  EXPECT_ERROR(library->prepare(call), "expected sizes of at least 1, and padding of at least 0");
}

} // namespace
