#include "TestTensors.h"

#include "forge/Reference/Linear.h"

#include <cmath>

using namespace forge;
using namespace forge::reference;

TEST(Linear, WeightsStandForNumbers) {
  HostTensor x = floats({1, 2}, {1, 10}), w = ints({2, 2}, {1, 2, 3, 4}, DType::I8);
  HostTensor all = floats({}, {0.5}), channels = floats({2}, {1, 2}),
             zeros = ints({2}, {1, -1}, DType::I8), blocks = floats({2, 2}, {1, 2, 3, 4});
  expectSame(linear(x, w, {&all}, {}, DType::F32), floats({1, 2}, {10.5, 21.5}));
  Quantization perChannel{&channels, &zeros};
  perChannel.axis = 0;
  // Rows [0, 1] and [8, 10].
  expectSame(linear(x, w, perChannel, {}, DType::F32), floats({1, 2}, {10, 108}));
  Quantization perBlock{&blocks};
  perBlock.block = Dims{1, 1};
  // Rows [1, 4] and [9, 16].
  expectSame(linear(x, w, perBlock, {}, DType::F32), floats({1, 2}, {41, 169}));
  HostTensor plain = floats({2, 2}, {1, 2, 3, 4}), bias = floats({2}, {0, -100});
  expectSame(linear(x, plain, {}, {.bias = &bias, .activation = Activation::Relu}, DType::F32),
             floats({1, 2}, {21, 0}));
  expectError(linear(x, w, {&channels}, {}, DType::F32), "shape []");
}

TEST(GroupedMatmul, SizesOffsetsAndRowsInNoGroup) {
  HostTensor x = floats({4, 1}, {1, 2, 3, 4}), w = floats({3, 1, 1}, {1, 10, 100});
  auto grouped = [&](HostTensor groups, GroupedOptions options = {}) {
    return groupedMatmul(x, w, groups, options, DType::F32);
  };
  expectSame(grouped(ints({3}, {1, 0, 2})), floats({4, 1}, {1, 200, 300, 0}));
  // Negative sizes are empty, and rows end where they end.
  expectSame(grouped(ints({3}, {-5, 1, 99})), floats({4, 1}, {10, 200, 300, 400}));
  expectSame(grouped(ints({4}, {1, 2, 2, 4}), {.offsets = true}), floats({4, 1}, {0, 2, 300, 400}));
  // Held inside the rows; the last of overlapping groups counts; an empty one does nothing.
  expectSame(grouped(ints({4}, {-9, 3, 1, 99}), {.offsets = true}),
             floats({4, 1}, {1, 200, 300, 400}));
  HostTensor bias = floats({3, 1}, {0.5, 0, -1000});
  expectSame(grouped(ints({3}, {2, 0, 2}), {.bias = &bias, .activation = Activation::Relu}),
             floats({4, 1}, {1.5, 2.5, 0, 0}));
  expectError(grouped(ints({2}, {1, 1})), "cannot multiply");
}

TEST(GroupedMatmul, OneGroupIsAProduct) {
  HostTensor x = floats({2, 3}, {1, 2, 3, 4, 5, 6}), w = floats({1, 2, 3}, {1, 0, 1, 0, 1, 1});
  expectSame(groupedMatmul(x, w, ints({1}, {2}), {.transposeRhs = true}, DType::F32),
             floats({2, 2}, {4, 5, 10, 11}));
}

TEST(Mlp, BothLayoutsAndTheRoundingBetween) {
  HostTensor x = floats({1, 2}, {1, -1}), up = floats({2, 1}, {3, 1}), upT = floats({1, 2}, {3, 1}),
             down = floats({1, 2}, {2, -2}), downT = floats({2, 1}, {2, -2}),
             bias = floats({1}, {5}), out = floats({2}, {0.5, 0});
  // relu(3 - 1 + 5) = 7.
  expectSame(mlp(x, {&up, &bias}, {&down, &out}, {.residual = &x}), floats({1, 2}, {15.5, -15}));
  expectSame(mlp(x, {&upT, &bias}, {&downT, &out}, {.transposeWeights = true, .residual = &x}),
             floats({1, 2}, {15.5, -15}));
  // The hidden 1 + 2^-8 is rounded to bf16 before it is used.
  HostTensor a = floats({1, 2}, {1, 0x1p-8}, DType::BF16),
             ones = floats({2, 1}, {1, 1}, DType::BF16), big = floats({1, 1}, {256}, DType::BF16),
             less = floats({1, 1}, {-256}, DType::BF16);
  expectSame(mlp(a, {&ones, nullptr}, {&big, nullptr}, {.residual = &less}),
             floats({1, 1}, {0}, DType::BF16));
}

TEST(GatedMlp, GateTimesBranch) {
  HostTensor x = floats({1, 1}, {2}, DType::F64), gate = floats({1, 2}, {1, -1}, DType::F64),
             up = floats({1, 2}, {3, 5}, DType::F64), down = floats({2, 1}, {1, 1}, DType::F64);
  double silu = 2 / (1 + std::exp(-2.0)), negative = -2 / (1 + std::exp(2.0));
  expectSame(gatedMlp(x, {&gate, nullptr}, {&up, nullptr}, {&down, nullptr},
                      {.activation = Activation::Silu}),
             floats({1, 1}, {silu * 6 + negative * 10}, DType::F64));
  HostTensor bias = floats({2}, {0, 10}, DType::F64);
  expectSame(gatedMlp(x, {&gate, &bias}, {&up, nullptr}, {&down, nullptr},
                      {.activation = Activation::Relu, .residual = &x}),
             floats({1, 1}, {12 + 80 + 2}, DType::F64));
  expectError(gatedMlp(x, {&down, nullptr}, {&up, nullptr}, {&down, nullptr}, {}),
              "cannot multiply");
}
