#include "TestTensors.h"

#include "forge/Reference/Matmul.h"

#include <cmath>

using namespace forge;
using namespace forge::reference;

TEST(Matmul, TransposesAndBatches) {
  HostTensor a = floats({2, 3}, {1, 2, 3, 4, 5, 6}), b = floats({3, 2}, {1, 0, 0, 1, 1, 1});
  HostTensor at = floats({3, 2}, {1, 4, 2, 5, 3, 6}), bt = floats({2, 3}, {1, 0, 1, 0, 1, 1});
  HostTensor expected = floats({2, 2}, {4, 5, 10, 11});
  expectSame(matmul(a, b, {}, DType::F32), expected);
  expectSame(matmul(at, b, {.transposeLhs = true}, DType::F32), expected);
  expectSame(matmul(a, bt, {.transposeRhs = true}, DType::F32), expected);
  expectSame(matmul(at, bt, {.transposeLhs = true, .transposeRhs = true}, DType::F32), expected);
  HostTensor rows = floats({2, 1, 2}, {1, 2, 3, 4});
  expectSame(matmul(rows, floats({2, 2, 1}, {1, 1, 10, 1}), {}, DType::F32),
             floats({2, 1, 1}, {3, 34}));
  expectSame(matmul(rows, floats({2, 1}, {1, -1}), {}, DType::F32), floats({2, 1, 1}, {-1, -1}));
  expectSame(matmul(floats({2, 0}, {}), floats({0, 1}, {}), {}, DType::F32),
             floats({2, 1}, {0, 0}));
}

TEST(Matmul, EpilogueInOrder) {
  HostTensor a = floats({1, 1}, {2}), b = floats({1, 2}, {1, -3}), bias = floats({2}, {1, 2}),
             residual = floats({1, 2}, {100, 200});
  MatmulOptions options;
  options.epilogue = {&bias, &residual, Activation::Relu};
  expectSame(matmul(a, b, options, DType::F32), floats({1, 2}, {103, 200}));
  expectError(matmul(a, b, {.epilogue = {.bias = &residual}}, DType::F32), "bias of shape [2]");
  expectError(matmul(a, b, {.epilogue = {.residual = &bias}}, DType::F32), "residual");
}

TEST(Matmul, RoundsOnceAndWraps) {
  // 1 + 2^-8 is not a bf16, and twice it, minus 2, is lost only if the sum is rounded between.
  HostTensor a = floats({1, 3}, {1, 1, 1}, DType::BF16), b = floats({3, 1}, {1, 0x1p-8, -1}, DType::BF16);
  expectSame(matmul(a, b, {}, DType::BF16), floats({1, 1}, {0x1p-8}, DType::BF16));
  HostTensor i = ints({1, 2}, {-128, -128}, DType::I8), bias = ints({1}, {2147483647});
  expectSame(matmul(i, i, {.transposeRhs = true}, DType::I32), ints({1, 1}, {32768}));
  expectSame(matmul(i, i, {.transposeRhs = true, .epilogue = {.bias = &bias}}, DType::I32),
             ints({1, 1}, {-2147483648 + 32767}));
  expectError(matmul(i, i, {.transposeRhs = true}, DType::F32), "to f32");
}

TEST(Matmul, InfinitiesAndUnfitShapes) {
  HostTensor x = floats({1, 2}, {kInf, 0}), y = floats({2, 2}, {1, 0, 1, kInf});
  expectSame(matmul(x, y, {}, DType::F32), floats({1, 2}, {kInf, kNaN}));
  expectError(matmul(x, x, {}, DType::F32), "cannot multiply");
  expectError(matmul(floats({2}, {1, 2}), y, {}, DType::F32), "cannot multiply");
}

TEST(Activation, KnownPoints) {
  for (Activation kind : {Activation::Relu, Activation::ReluSquared, Activation::Gelu,
                          Activation::GeluTanh, Activation::Silu, Activation::Tanh}) {
    EXPECT_EQ(activation(kind, 0), 0);
    EXPECT_TRUE(std::isnan(activation(kind, kNaN)));
  }
  EXPECT_EQ(activation(Activation::Relu, -3), 0);
  EXPECT_EQ(activation(Activation::ReluSquared, 3), 9);
  EXPECT_EQ(activation(Activation::Sigmoid, 0), 0.5);
  EXPECT_EQ(activation(Activation::Sigmoid, -kInf), 0);
  EXPECT_EQ(activation(Activation::Sigmoid, 1000), 1);
  EXPECT_EQ(activation(Activation::Silu, kInf), kInf);
  EXPECT_NEAR(activation(Activation::Silu, 1), 0.7310585786300049, 1e-15);
  EXPECT_NEAR(activation(Activation::Gelu, 1), 0.8413447460685429, 1e-15);
  EXPECT_NEAR(activation(Activation::GeluTanh, 1), 0.8411919906082768, 1e-15);
  EXPECT_NEAR(activation(Activation::Gelu, -2), -0.04550026389635842, 1e-15);
}

TEST(Embedding, HoldsIdsInsideTheTable) {
  HostTensor table = floats({3, 2}, {0, 1, 10, 11, 20, 21});
  expectSame(embedding(table, ints({2, 2}, {2, 0, -5, 99})),
             floats({2, 2, 2}, {20, 21, 0, 1, 0, 1, 20, 21}));
  expectSame(embedding(table, ints({0}, {}, DType::I64)), floats({0, 2}, {}));
  expectError(embedding(floats({0, 2}, {}), ints({1}, {0})), "one row");
  expectError(embedding(table, table), "integers");
}
