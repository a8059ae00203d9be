#include "TestTensors.h"

#include "forge/Reference/Attention.h"

#include <cmath>

using namespace forge;
using namespace forge::reference;

TEST(Attention, OneKeyIsItsValue) {
  HostTensor q = floats({1, 2, 1, 3}, {1, 2, 3, -1, 0, 5}), k = floats({1, 1, 1, 3}, {7, 8, 9});
  expectSame(attention(q, k, floats({1, 1, 1, 2}, {4, 5}), {}),
             floats({1, 2, 1, 2}, {4, 5, 4, 5}));
}

TEST(Attention, EqualScoresAverageAndCausalityCuts) {
  HostTensor q = floats({1, 1, 2, 1}, {0, 0}), k = floats({1, 1, 2, 1}, {3, 4}),
             v = floats({1, 1, 2, 1}, {2, 6});
  expectSame(attention(q, k, v, {}), floats({1, 1, 2, 1}, {4, 4}));
  expectSame(attention(q, k, v, {.causal = true}), floats({1, 1, 2, 1}, {2, 4}));
  // One query at the end sees all keys.
  expectSame(attention(floats({1, 1, 1, 1}, {0}), k, v, {.causal = true}),
             floats({1, 1, 1, 1}, {4}));
  // More queries than keys: the first sees none.
  expectSame(attention(floats({1, 1, 3, 1}, {0, 0, 0}), k, v, {.causal = true}),
             floats({1, 1, 3, 1}, {0, 2, 4}));
}

TEST(Attention, ScaleIsOneOverTheRootOfTheDepth) {
  HostTensor q = floats({1, 1, 1, 4}, {2, 0, 0, 0}, DType::F64),
             k = floats({1, 1, 2, 4}, {1, 0, 0, 0, 0, 0, 0, 0}, DType::F64),
             v = floats({1, 1, 2, 1}, {1, 0}, DType::F64);
  auto weight = [](double score) { return 1 / (1 + std::exp(-score)); };
  EXPECT_NEAR(attention(q, k, v, {})->getDouble(0), weight(1), 1e-15);
  EXPECT_NEAR(attention(q, k, v, {.scale = 3})->getDouble(0), weight(6), 1e-15);
}

TEST(Attention, Masks) {
  HostTensor q = floats({1, 1, 2, 1}, {0, 0}), v = floats({1, 1, 2, 1}, {2, 6});
  HostTensor seen = ints({1, 1, 2, 2}, {1, 0, 0, 0}, DType::I1);
  expectSame(attention(q, v, v, {.mask = &seen}), floats({1, 1, 2, 1}, {2, 0}));
  HostTensor added = floats({1, 1, 1, 2}, {-kInf, 0});
  expectSame(attention(q, v, v, {.mask = &added}), floats({1, 1, 2, 1}, {6, 6}));
  HostTensor unfit = floats({1, 1, 3, 2}, {0, 0, 0, 0, 0, 0});
  expectError(attention(q, v, v, {.mask = &unfit}), "mask");
}

TEST(Attention, LargeScoresDoNotOverflow) {
  HostTensor q = floats({1, 1, 1, 1}, {1e30}), k = floats({1, 1, 2, 1}, {1, 1}),
             v = floats({1, 1, 2, 1}, {2, 6});
  expectSame(attention(q, k, v, {}), floats({1, 1, 1, 1}, {4}));
}

TEST(Attention, UnevenGroupsAreRefused) {
  HostTensor q = floats({1, 3, 1, 1}, {1, 2, 3}), k = floats({1, 2, 1, 1}, {1, 2});
  expectError(attention(q, k, k, {}), "attention cannot take");
}
