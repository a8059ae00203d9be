#include "TestTensors.h"

#include "forge/Reference/RegisterProgram.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

using namespace forge;
using namespace forge::reference;
using I = RegisterInstruction;
using Kind = I::Kind;

static I load(int64_t dst, int64_t buffer) {
  return {.kind = Kind::Load, .dst = dst, .buffer = buffer};
}
static I store(int64_t src, int64_t buffer) {
  return {.kind = Kind::Store, .lhs = src, .buffer = buffer};
}
static I operation(Kind kind, int64_t dst, int64_t lhs, int64_t rhs = 0) {
  return {.kind = kind, .dst = dst, .lhs = lhs, .rhs = rhs};
}
static I loop(int64_t times, std::vector<I> body) {
  return {.kind = Kind::Loop, .times = times, .body = std::move(body)};
}

/// `kind` of two numbers.
static double of(Kind kind, double x, double y = 0) {
  auto result =
      runProgram({load(0, 0), load(1, 1), operation(kind, 2, 0, 1), store(2, 0)}, DType::F64,
                 {floats({1}, {x}, DType::F64), floats({1}, {y}, DType::F64)});
  EXPECT_TRUE(result) << result.error().message;
  return result ? (*result)[0].getDouble(0) : 0;
}

TEST(RegisterProgram, Operations) {
  EXPECT_EQ(of(Kind::Add, 2, 3), 5);
  EXPECT_EQ(of(Kind::Subtract, 2, 3), -1);
  EXPECT_EQ(of(Kind::Multiply, 2, 3), 6);
  EXPECT_EQ(of(Kind::Divide, 3, 2), 1.5);
  EXPECT_EQ(of(Kind::Minimum, 3, 2), 2);
  EXPECT_EQ(of(Kind::Maximum, 3, 2), 3);
  EXPECT_EQ(of(Kind::Negate, 3), -3);
  EXPECT_EQ(of(Kind::Abs, -3), 3);
  EXPECT_EQ(of(Kind::Sqrt, 9), 3);
  EXPECT_EQ(of(Kind::Exponential, 2), std::exp(2.0));
  EXPECT_EQ(of(Kind::Log, 2), std::log(2.0));
  EXPECT_EQ(of(Kind::Sine, 2), std::sin(2.0));
  EXPECT_EQ(of(Kind::Cosine, 2), std::cos(2.0));
  EXPECT_EQ(of(Kind::Tanh, 2), std::tanh(2.0));
}

TEST(RegisterProgram, NaNAndZerosInMinimumAndMaximum) {
  double nan = std::numeric_limits<double>::quiet_NaN();
  for (Kind kind : {Kind::Minimum, Kind::Maximum}) {
    EXPECT_TRUE(std::isnan(of(kind, nan, 1)));
    EXPECT_TRUE(std::isnan(of(kind, 1, nan)));
    bool isMinimum = kind == Kind::Minimum;
    EXPECT_EQ(std::signbit(of(kind, 0.0, -0.0)), isMinimum);
    EXPECT_EQ(std::signbit(of(kind, -0.0, 0.0)), isMinimum);
  }
}

TEST(RegisterProgram, LoopsRepeatAndNegativeTimesAreNone) {
  // x doubled three times two times.
  std::vector<I> program = {
      load(0, 0), loop(3, {loop(2, {operation(Kind::Add, 0, 0, 0)}), store(0, 0)}),
      loop(-1, {operation(Kind::Negate, 0, 0), store(0, 0)}), loop(0, {store(1, 0)})};
  auto result = runProgram(program, DType::F32, {floats({3}, {1, -2, 0.5})});
  ASSERT_TRUE(result);
  EXPECT_EQ(toDoubles((*result)[0]), (std::vector<double>{64, -128, 32}));
}

TEST(RegisterProgram, EachElementHasRegistersOfItsOwnBuffers) {
  auto result =
      runProgram({load(0, 0), load(65535, 1), operation(Kind::Subtract, 1, 0, 65535), store(1, 1),
                  load(2, 1), operation(Kind::Multiply, 2, 2, 2), store(2, 0)},
                 DType::F32, {floats({2, 2}, {1, 2, 3, 4}), floats({2, 2}, {4, 2, 1, 0})});
  ASSERT_TRUE(result);
  EXPECT_EQ(toDoubles((*result)[0]), (std::vector<double>{9, 0, 4, 16}));
  EXPECT_EQ(toDoubles((*result)[1]), (std::vector<double>{-3, 0, 2, 4}));
}

TEST(RegisterProgram, RoundsToTheRegistersAndStoresToTheBuffer) {
  // 2^24 + 1 is no f32, and 2049 no f16.
  std::vector<I> program = {load(0, 0),
                            {.kind = Kind::Constant, .dst = 1, .value = 1},
                            operation(Kind::Add, 0, 0, 1),
                            store(0, 0)};
  auto run = [&](DType registers, DType buffer, double x) {
    return (*runProgram(program, registers, {floats({1}, {x}, buffer)}))[0].getDouble(0);
  };
  EXPECT_EQ(run(DType::F32, DType::F32, 0x1p24), 0x1p24);
  EXPECT_EQ(run(DType::F64, DType::F64, 0x1p24), 0x1p24 + 1);
  EXPECT_EQ(run(DType::F32, DType::F16, 2048), 2048);
}

TEST(RegisterProgram, NoElements) {
  auto result = runProgram({load(0, 0), store(0, 0)}, DType::F32, {floats({0, 3}, {})});
  ASSERT_TRUE(result);
  EXPECT_EQ((*result)[0].numElements(), 0);
}

TEST(RegisterProgram, Refused) {
  expectError(runProgram({}, DType::F32, {}), "expected a buffer for each that the program uses");
  expectError(runProgram({load(0, 1)}, DType::F32, {floats({1}, {1})}), "but got 1");
  expectError(runProgram({}, DType::F32, {floats({1}, {1}), floats({2}, {1, 2})}),
              "expected buffers of floats of one shape, but got tensor<1xf32> and tensor<2xf32>");
  expectError(runProgram({}, DType::F32, {ints({1}, {1})}), "expected buffers of floats");
  expectError(runProgram({loop(int64_t(1) << 62, {operation(Kind::Negate, 0, 0)})}, DType::F32,
                         {floats({4}, {1, 2, 3, 4})}),
              "expected a program of at most 2^34 steps, but got 2^65");
}
