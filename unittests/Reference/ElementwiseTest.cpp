#include "TestTensors.h"

#include "forge/Reference/Elementwise.h"

#include <cmath>

using namespace forge;
using namespace forge::reference;

TEST(Elementwise, FloatUnaryAtEdges) {
  HostTensor x = floats({7}, {0.0, -0.0, kInf, -kInf, kNaN, 2.5, -2.5});
  expectSame(unary(UnaryOp::Abs, x), floats({7}, {0, 0, kInf, kInf, kNaN, 2.5, 2.5}));
  expectSame(unary(UnaryOp::Negate, x), floats({7}, {-0.0, 0.0, -kInf, kInf, kNaN, -2.5, 2.5}));
  expectSame(unary(UnaryOp::Sign, x), floats({7}, {0.0, -0.0, 1, -1, kNaN, 1, -1}));
  expectSame(unary(UnaryOp::RoundNearestAfz, x),
             floats({7}, {0.0, -0.0, kInf, -kInf, kNaN, 3, -3}));
  expectSame(unary(UnaryOp::RoundNearestEven, x),
             floats({7}, {0.0, -0.0, kInf, -kInf, kNaN, 2, -2}));
  expectSame(
      unary(UnaryOp::Logistic, x),
      floats({7}, {0.5, 0.5, 1, 0, kNaN, 1 / (1 + std::exp(-2.5)), 1 / (1 + std::exp(2.5))}));
  expectSame(unary(UnaryOp::Rsqrt, x),
             floats({7}, {kInf, -kInf, 0, kNaN, kNaN, 1 / std::sqrt(2.5), kNaN}));
  expectSame(unary(UnaryOp::IsFinite, x), ints({7}, {1, 1, 0, 0, 0, 1, 1}, DType::I1));
  expectSame(unary(UnaryOp::IsNegInf, x), ints({7}, {0, 0, 0, 1, 0, 0, 0}, DType::I1));
}

TEST(Elementwise, IntegerUnary) {
  HostTensor x = ints({4}, {-128, -1, 0, 127}, DType::I8);
  expectSame(unary(UnaryOp::Abs, x), ints({4}, {-128, 1, 0, 127}, DType::I8));
  expectSame(unary(UnaryOp::Sign, x), ints({4}, {-1, -1, 0, 1}, DType::I8));
  expectSame(unary(UnaryOp::Not, x), ints({4}, {127, 0, -1, -128}, DType::I8));
  expectSame(unary(UnaryOp::PopulationCount, x), ints({4}, {1, 8, 0, 7}, DType::I8));
  expectSame(unary(UnaryOp::CountLeadingZeros, x), ints({4}, {0, 0, 8, 1}, DType::I8));
  expectSame(unary(UnaryOp::CountLeadingZeros, ints({2}, {3, -8}, DType::I4)),
             ints({2}, {2, 0}, DType::I4));
  expectSame(unary(UnaryOp::Not, ints({2}, {0, 1}, DType::I1)), ints({2}, {1, 0}, DType::I1));
  expectError(unary(UnaryOp::Sine, x), "not defined for element type i8");
}

TEST(Elementwise, IntegerDivisionCorners) {
  HostTensor x = ints({4}, {-2147483648, 7, -7, 5}), y = ints({4}, {-1, 0, 2, -3});
  expectSame(binary(BinaryOp::Divide, x, y), ints({4}, {-2147483648, -1, -3, -1}));
  expectSame(binary(BinaryOp::Remainder, x, y), ints({4}, {0, 7, -1, 2}));
  HostTensor u = ints({2}, {200, 9}, DType::U8), v = ints({2}, {7, 0}, DType::U8);
  expectSame(binary(BinaryOp::Divide, u, v), ints({2}, {28, 255}, DType::U8));
}

TEST(Elementwise, ShiftsPastTheWidth) {
  HostTensor x = ints({4}, {-8, 5, -1, 64}, DType::I8), y = ints({4}, {1, 8, -1, 6}, DType::I8);
  expectSame(binary(BinaryOp::ShiftLeft, x, y), ints({4}, {-16, 0, 0, 0}, DType::I8));
  expectSame(binary(BinaryOp::ShiftRightArithmetic, x, y), ints({4}, {-4, 0, -1, 1}, DType::I8));
  expectSame(binary(BinaryOp::ShiftRightLogical, x, y), ints({4}, {124, 0, 0, 1}, DType::I8));
}

TEST(Elementwise, PowersAndHighProducts) {
  expectSame(binary(BinaryOp::Power, ints({5}, {2, -1, 0, 3, 2}), ints({5}, {-1, -3, 0, 4, 32})),
             ints({5}, {0, -1, 1, 81, 0}));
  expectSame(binary(BinaryOp::MultiplyHigh, ints({2}, {-2147483648, 3}), ints({2}, {2, 5})),
             ints({2}, {-1, 0}));
  expectSame(
      binary(BinaryOp::MultiplyHigh, ints({1}, {-1}, DType::U64), ints({1}, {-1}, DType::U64)),
      ints({1}, {-2}, DType::U64));
}

TEST(Elementwise, MaximumPropagatesNaNAndOrdersZeros) {
  HostTensor x = floats({4}, {kNaN, 1, -0.0, 0.0}), y = floats({4}, {1, kNaN, 0.0, -0.0});
  expectSame(binary(BinaryOp::Maximum, x, y), floats({4}, {kNaN, kNaN, 0.0, 0.0}));
  expectSame(binary(BinaryOp::Minimum, x, y), floats({4}, {kNaN, kNaN, -0.0, -0.0}));
}

TEST(Elementwise, NarrowFloatsRoundOnce) {
  // 1 + 2^-8 is between two bf16; ties go to even.
  HostTensor one = floats({2}, {1, 1 + 1.0 / 128}, DType::BF16),
             half = floats({2}, {1.0 / 256, 1.0 / 256}, DType::BF16);
  expectSame(binary(BinaryOp::Add, one, half), floats({2}, {1, 1 + 2.0 / 128}, DType::BF16));
  expectSame(binary(BinaryOp::Add, floats({1}, {448}, DType::F8E4M3FN),
                    floats({1}, {448}, DType::F8E4M3FN)),
             floats({1}, {kNaN}, DType::F8E4M3FN));
}

TEST(Elementwise, NextAfter) {
  HostTensor x = floats({5}, {0, 1, -1, 65504, kNaN}, DType::F16),
             y = floats({5}, {-1, 2, 0, kInf, 1}, DType::F16);
  Result<HostTensor> next = binary(BinaryOp::NextAfter, x, y);
  EXPECT_EQ(next->getBits(0), 0x8001u);
  EXPECT_EQ(next->getDouble(1), 1 + 1.0 / 1024);
  EXPECT_EQ(next->getDouble(2), -1 + 1.0 / 2048);
  EXPECT_EQ(next->getDouble(3), kInf);
  EXPECT_TRUE(std::isnan(next->getDouble(4)));
}

TEST(Elementwise, CompareWithNaNAndInTotalOrder) {
  HostTensor x = floats({4}, {kNaN, -0.0, 1, -kNaN}), y = floats({4}, {kNaN, 0.0, 2, -kInf});
  expectSame(compare(Direction::EQ, false, x, y), ints({4}, {0, 1, 0, 0}, DType::I1));
  expectSame(compare(Direction::NE, false, x, y), ints({4}, {1, 0, 1, 1}, DType::I1));
  expectSame(compare(Direction::GE, false, x, y), ints({4}, {0, 1, 0, 0}, DType::I1));
  expectSame(compare(Direction::LT, true, x, y), ints({4}, {0, 1, 1, 1}, DType::I1));
  expectSame(compare(Direction::GE, true, x, y), ints({4}, {1, 0, 0, 0}, DType::I1));
  expectSame(compare(Direction::GT, false, ints({1}, {255}, DType::U8), ints({1}, {1}, DType::U8)),
             ints({1}, {1}, DType::I1));
}

TEST(Elementwise, SelectAndClampWithScalars) {
  HostTensor x = floats({3}, {-1, 0.5, kNaN}), y = floats({3}, {7, 8, 9});
  expectSame(select(ints({}, {0}, DType::I1), x, y), y);
  expectSame(select(ints({3}, {1, 0, 1}, DType::I1), x, y), floats({3}, {-1, 8, kNaN}));
  expectSame(clamp(floats({}, {0}), x, floats({}, {0.25})), floats({3}, {0, 0.25, kNaN}));
  expectSame(clamp(ints({}, {5}), ints({2}, {1, 9}), ints({}, {3})), ints({2}, {3, 3}));
  expectError(select(ints({2}, {1, 0}, DType::I1), x, y), "expected a predicate");
}

TEST(Elementwise, EmptyTensors) {
  HostTensor none = floats({2, 0}, {});
  expectSame(unary(UnaryOp::Exponential, none), none);
  expectSame(binary(BinaryOp::Add, none, none), none);
  expectError(binary(BinaryOp::Add, none, floats({0}, {})), "expected operands of one type");
}
