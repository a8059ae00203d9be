#include "TestTensors.h"

#include "forge/Reference/Elementwise.h"

using namespace forge;
using namespace forge::reference;

TEST(Convert, FloatToIntegerSaturates) {
  HostTensor x = floats({7}, {kNaN, kInf, -kInf, 2.9, -2.9, 300, -300});
  expectSame(convert(x, DType::I8), ints({7}, {0, 127, -128, 2, -2, 127, -128}, DType::I8));
  expectSame(convert(x, DType::U8), ints({7}, {0, 255, 0, 2, 0, 255, 0}, DType::U8));
  expectSame(convert(x, DType::I1), ints({7}, {1, 1, 1, 1, 1, 1, 1}, DType::I1));
  expectSame(convert(floats({3}, {9.3e18, -9.3e18, 1.9e19}, DType::F64), DType::I64),
             ints({3}, {INT64_MAX, INT64_MIN, INT64_MAX}, DType::I64));
  expectSame(convert(floats({2}, {9.3e18, 1.9e19}, DType::F64), DType::U64),
             ints({2}, {static_cast<int64_t>(9300000000000000000u), -1}, DType::U64));
  expectSame(convert(floats({2}, {100, -100}), DType::I4), ints({2}, {7, -8}, DType::I4));
}

TEST(Convert, IntegersWrapAndWiden) {
  expectSame(convert(ints({3}, {300, -1, 128}), DType::I8), ints({3}, {44, -1, -128}, DType::I8));
  expectSame(convert(ints({2}, {-1, 5}, DType::I8), DType::U16), ints({2}, {65535, 5}, DType::U16));
  expectSame(convert(ints({2}, {255, 5}, DType::U8), DType::I32), ints({2}, {255, 5}));
  expectSame(convert(ints({2}, {1, 0}, DType::I1), DType::F32), floats({2}, {1, 0}));
}

TEST(Convert, WideIntegersRoundOnceToFloat) {
  // 2^24 + 1 is a tie below a sticky bit far down: rounding through double would lose it.
  int64_t tie = (int64_t{1} << 60) + (int64_t{1} << 36) + 1;
  Result<HostTensor> rounded = convert(ints({1}, {tie}, DType::I64), DType::F32);
  EXPECT_EQ(rounded->dataAs<float>()[0], static_cast<float>(tie));
  EXPECT_GT(rounded->getDouble(0), static_cast<double>(int64_t{1} << 60));
  Result<HostTensor> largest = convert(ints({1}, {-1}, DType::U64), DType::F32);
  EXPECT_EQ(largest->getDouble(0), 18446744073709551616.0);
}

TEST(BitcastConvert, WidensAndNarrowsLowBitsFirst) {
  HostTensor words = ints({2}, {0x01020304, -1}, DType::U32);
  HostTensor bytes = ints({2, 4}, {4, 3, 2, 1, 255, 255, 255, 255}, DType::U8);
  expectSame(bitcastConvert(words, DType::U8), bytes);
  expectSame(bitcastConvert(bytes, DType::U32), words);
  expectSame(bitcastConvert(floats({1}, {1}), DType::I32), ints({1}, {0x3f800000}));
  expectSame(bitcastConvert(ints({1}, {0x5f}, DType::I8), DType::I4),
             ints({1, 2}, {-1, 5}, DType::I4));
  expectSame(bitcastConvert(words, DType::I64),
             ints({}, {0x01020304 - (int64_t{1} << 32)}, DType::I64));
  expectError(bitcastConvert(ints({3}, {1, 2, 3}, DType::U8), DType::U32),
              "expected a last dimension of 4");
}

TEST(ReducePrecision, RoundsAndClampsTheExponent) {
  HostTensor x = floats({6}, {1.0 + 1.0 / 2048, 65520, 1e-6, kNaN, -70000, 1.0 + 3.0 / 2048});
  // To f16: 5 exponent and 10 mantissa bits; 1e-6 would be subnormal there.
  expectSame(reducePrecision(x, 5, 10), floats({6}, {1, kInf, 0, kNaN, -kInf, 1 + 2.0 / 1024}));
  expectSame(reducePrecision(x, 8, 23), x);
  expectSame(reducePrecision(floats({3}, {1.5, -0.0, kNaN}), 5, 0), floats({3}, {2, -0.0, kInf}));
  expectError(reducePrecision(x, 0, 3), "at least 1 exponent");
}
