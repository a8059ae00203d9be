// The error model is to be not loose: planted errors are caught. That it is not tight either:
// FalseAlarmTest.cpp.
#include "TestModule.h"

#include "forge/Reference/Elements.h"
#include "forge/Verify/ErrorModel.h"
#include "forge/Verify/Inputs.h"
#include "forge/Verify/Interpreter.h"

#include <cmath>
#include <limits>

using namespace forge;

/// Attention over [8, 16] queries, keys and values; `scale` is 1/sqrt(16), `bias` what is added to
/// score 3.
static std::string attention(const std::string &scale, const std::string &mask,
                             const std::string &type) {
  std::string text = R"(
    func.func @main(%q: tensor<8x16xT>, %k: tensor<8x16xT>, %v: tensor<8x16xT>) -> tensor<8x16xT> {
      %scale = stablehlo.constant dense<SCALE> : tensor<8x8xT>
      %mask = stablehlo.constant dense<MASK> : tensor<8xT>
      %bias = stablehlo.broadcast_in_dim %mask, dims = [1] : (tensor<8xT>) -> tensor<8x8xT>
      %zero = stablehlo.constant dense<0.0> : tensor<T>
      %low = stablehlo.constant dense<-1.0e+30> : tensor<T>
      %0 = stablehlo.dot_general %q, %k, contracting_dims = [1] x [1] : (tensor<8x16xT>, tensor<8x16xT>) -> tensor<8x8xT>
      %1 = stablehlo.multiply %0, %scale : tensor<8x8xT>
      %2 = stablehlo.add %1, %bias : tensor<8x8xT>
      %3 = stablehlo.reduce(%2 init: %low) applies stablehlo.maximum across dimensions = [1] : (tensor<8x8xT>, tensor<T>) -> tensor<8xT>
      %4 = stablehlo.broadcast_in_dim %3, dims = [0] : (tensor<8xT>) -> tensor<8x8xT>
      %5 = stablehlo.subtract %2, %4 : tensor<8x8xT>
      %6 = stablehlo.exponential %5 : tensor<8x8xT>
      %7 = stablehlo.reduce(%6 init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<8x8xT>, tensor<T>) -> tensor<8xT>
      %8 = stablehlo.broadcast_in_dim %7, dims = [0] : (tensor<8xT>) -> tensor<8x8xT>
      %9 = stablehlo.divide %6, %8 : tensor<8x8xT>
      %10 = stablehlo.dot_general %9, %v, contracting_dims = [1] x [0] : (tensor<8x8xT>, tensor<8x16xT>) -> tensor<8x16xT>
      return %10 : tensor<8x16xT>
    })";
  auto replace = [&](const std::string &from, const std::string &to) {
    for (size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size()))
      text.replace(at, from.size(), to);
  };
  replace("SCALE", scale);
  replace("MASK", mask);
  replace("xT>", "x" + type + ">");
  replace("tensor<T>", "tensor<" + type + ">");
  return text;
}

/// The variance of 64 rows of `n` numbers, over `divisor`.
static std::string variance(int n, int divisor, const std::string &type = "f32") {
  std::string wide = "tensor<64x" + std::to_string(n) + "xf32>", mean = std::to_string(n) + ".0";
  std::string text =
      "func.func @main(%x: " + wide + R"() -> tensor<64xf32> {
      %zero = stablehlo.constant dense<0.0> : tensor<f32>
      %n = stablehlo.constant dense<)" +
      mean + R"(> : tensor<64xf32>
      %d = stablehlo.constant dense<)" +
      std::to_string(divisor) + ".0> : tensor<64xf32>\n" +
      "%0 = stablehlo.reduce(%x init: %zero) applies stablehlo.add across dimensions = [1] : (" +
      wide + ", tensor<f32>) -> tensor<64xf32>\n%1 = stablehlo.divide %0, %n : tensor<64xf32>\n" +
      "%2 = stablehlo.broadcast_in_dim %1, dims = [0] : (tensor<64xf32>) -> " + wide +
      "\n%3 = stablehlo.subtract %x, %2 : " + wide + "\n%4 = stablehlo.multiply %3, %3 : " + wide +
      "\n%5 = stablehlo.reduce(%4 init: %zero) applies stablehlo.add across dimensions = [1] : "
      "(" +
      wide +
      ", tensor<f32>) -> tensor<64xf32>\n%6 = stablehlo.divide %5, %d : tensor<64xf32>\nreturn "
      "%6 : tensor<64xf32> }";
  for (size_t at = text.find("f32>"); at != std::string::npos; at = text.find("f32>", at + 1))
    text.replace(at, 4, type + ">");
  return text;
}

static std::vector<HostTensor> run(TestModule &module, const std::vector<HostTensor> &inputs,
                                   InterpreterOptions options = {}) {
  auto results = Interpreter(module.get(), options).run(module.function(), inputs);
  EXPECT_TRUE(succeeded(results)) << module.messages;
  return *results;
}

/// Whether `actual` passes for the result of `right`.
static bool passes(TestModule &right, const std::vector<HostTensor> &inputs,
                   const HostTensor &actual) {
  std::vector<Tolerance> tolerances = measureTolerances(right.function(), inputs);
  return compare(actual, run(right, inputs)[0], tolerances[0]).agree;
}

/// Whether `wrong` passes for `right`.
static bool passes(const std::string &right, const std::string &wrong) {
  TestModule good(right), bad(wrong);
  std::vector<HostTensor> inputs = *makeInputs(good.function(), {1, 5});
  return passes(good, inputs, run(bad, inputs)[0]);
}

static const std::string kNone = "[0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0]";
static const std::string kEdge = "[0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, -1.0e+30]";
static const std::string kEdgeF16 = "[0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, -6.0e+04]";

class PlantedError : public testing::TestWithParam<std::string> {};

TEST_P(PlantedError, IsCaught) {
  std::string type = GetParam(), edge = type == "f16" ? kEdgeF16 : kEdge;
  std::string right = attention("0.25", edge, type);
  EXPECT_TRUE(passes(right, right));
  EXPECT_FALSE(passes(right, attention("1.0", edge, type))) << "missing 1/sqrt(d)";
  EXPECT_FALSE(passes(right, attention("0.0", edge, type))) << "uniform attention";
  EXPECT_FALSE(passes(right, attention("0.25", kNone, type))) << "dropped mask edge";
  int n = type == "bf16" ? 16 : 64; // 1/64 is hardly more than two units in bf16's last place
  EXPECT_FALSE(passes(variance(n, n, type), variance(n, n - 1, type))) << "biased variance";
  if (type == "f32")
    EXPECT_FALSE(passes(variance(4096, 4096), variance(4096, 4095)))
        << "biased variance of a long row";
}

TEST_P(PlantedError, OfAFewUnitsInOneElementIsCaught) {
  // One element of a product of random numbers, off by 4 units in the last place times the root of
  // the number of terms in f32, or 4 units in the last place of the result's own type.
  std::string type = GetParam();
  for (int k : {4, 64, 1024}) {
    std::string depth = std::to_string(k) + "x";
    std::string lhs = "tensor<6x" + depth + type + ">",
                rhs = "tensor<" + depth + "10x" + type + ">", result = "tensor<6x10x" + type + ">";
    TestModule module("func.func @main(%x: " + lhs + ", %y: " + rhs + ") -> " + result +
                      "{\n%0 = stablehlo.dot_general %x, %y, contracting_dims = [1] x [0] : (" +
                      lhs + ", " + rhs + ") -> " + result + "\nreturn %0 : " + result + "}");
    std::vector<HostTensor> inputs = *makeInputs(module.function(), {2, 5});
    HostTensor actual = run(module, inputs)[0];
    EXPECT_TRUE(passes(module, inputs, actual));
    double rms = std::sqrt(k) / 3,
           unit = std::max(epsilonOf(actual.type()), epsilonOf(DType::F32) * std::sqrt(k));
    actual.setDouble(17, actual.getDouble(17) + 4 * unit * rms);
    EXPECT_FALSE(passes(module, inputs, actual)) << k << " terms";
  }
}

INSTANTIATE_TEST_SUITE_P(Types, PlantedError, testing::Values("f32", "f16", "bf16"),
                         [](const auto &info) { return info.param; });

TEST(ErrorModel, DataMovementAndIntegersAreExact) {
  TestModule module(R"(
    func.func @main(%x: tensor<4xf32>, %i: tensor<4xi32>) -> (tensor<4xf32>, tensor<4xi32>, tensor<4xi32>) {
      %a = stablehlo.reverse %x, dims = [0] : tensor<4xf32>
      %b = stablehlo.add %i, %i : tensor<4xi32>
      %c = stablehlo.convert %x : (tensor<4xf32>) -> tensor<4xi32>
      return %a, %b, %c : tensor<4xf32>, tensor<4xi32>, tensor<4xi32>
    })");
  for (const Tolerance &tolerance :
       measureTolerances(module.function(), *makeInputs(module.function(), {1, 5})))
    EXPECT_EQ(describe(tolerance), "exact");
}

TEST(ErrorModel, GrowsWithTheTermsOfSums) {
  auto largest = [](int n) {
    TestModule module(variance(n, n));
    std::vector<Tolerance> tolerances =
        measureTolerances(module.function(), *makeInputs(module.function(), {1, 5}));
    return *llvm::max_element(tolerances[0].elements->allowed);
  };
  EXPECT_GT(largest(4096), 2 * largest(64));
  EXPECT_LT(largest(4096), 20 * largest(64)); // the root of the terms, not the terms
}

TEST(ErrorModel, CancelledResultsAreMeasured) {
  // Sums of differences from the mean are nothing but rounding.
  TestModule module(R"(
    func.func @main(%x: tensor<64xf32>) -> tensor<f32> {
      %zero = stablehlo.constant dense<0.0> : tensor<f32>
      %n = stablehlo.constant dense<64.0> : tensor<f32>
      %0 = stablehlo.reduce(%x init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<64xf32>, tensor<f32>) -> tensor<f32>
      %1 = stablehlo.divide %0, %n : tensor<f32>
      %2 = stablehlo.broadcast_in_dim %1, dims = [] : (tensor<f32>) -> tensor<64xf32>
      %3 = stablehlo.subtract %x, %2 : tensor<64xf32>
      %4 = stablehlo.reduce(%3 init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<64xf32>, tensor<f32>) -> tensor<f32>
      return %4 : tensor<f32>
    })");
  std::vector<HostTensor> inputs = *makeInputs(module.function(), {3, 5});
  double expected = run(module, inputs)[0].getDouble(0);
  EXPECT_TRUE(passes(module, inputs, floats({}, {-2 * expected})));
  EXPECT_FALSE(passes(module, inputs, floats({}, {1e-4})));
}

TEST(ErrorModel, SmallElementsBesideLargeOnesHaveTheirOwnTolerance) {
  TestModule module(R"(
    func.func @main(%x: tensor<64xf32>) -> tensor<64xf32> {
      %0 = stablehlo.exponential %x : tensor<64xf32>
      return %0 : tensor<64xf32>
    })");
  std::vector<double> powers(64);
  for (size_t i = 0; i < powers.size(); ++i)
    powers[i] = static_cast<double>(i) - 32;
  std::vector<HostTensor> inputs = {floats({64}, powers)};
  HostTensor actual = run(module, inputs)[0];
  actual.setDouble(0, actual.getDouble(0) * (1 + 16 * epsilonOf(DType::F32)));
  EXPECT_FALSE(passes(module, inputs, actual));
}

TEST(ErrorModel, WindowsMayRoundEveryPartialSum) {
  // Running sums in bf16, as XLA computes them: each partial sum is an element of the result.
  TestModule module(R"(
    func.func @main(%x: tensor<64xbf16>) -> tensor<64xbf16> {
      %zero = stablehlo.constant dense<0.0> : tensor<bf16>
      %0 = "stablehlo.reduce_window"(%x, %zero) ({
      ^bb0(%a: tensor<bf16>, %b: tensor<bf16>):
        %s = stablehlo.add %a, %b : tensor<bf16>
        stablehlo.return %s : tensor<bf16>
      }) {padding = dense<[[63, 0]]> : tensor<1x2xi64>, window_dimensions = array<i64: 64>} : (tensor<64xbf16>, tensor<bf16>) -> tensor<64xbf16>
      return %0 : tensor<64xbf16>
    })");
  std::vector<HostTensor> inputs = *makeInputs(module.function(), {3, 5});
  HostTensor rounded = run(module, inputs)[0], withoutLast = rounded;
  double sum = 0;
  for (int64_t i = 0; i < 64; ++i) {
    rounded.setDouble(i, sum + inputs[0].getDouble(i));
    withoutLast.setDouble(i, sum);
    sum = rounded.getDouble(i);
  }
  EXPECT_TRUE(passes(module, inputs, rounded));
  EXPECT_FALSE(passes(module, inputs, withoutLast));
}

TEST(ErrorModel, SumsMayRoundEveryPartialSum) {
  // As XLA computes some sums of bf16. The first row adds up to 0, and no relative error moves
  // that.
  TestModule module(R"(
    func.func @main(%x: tensor<16x9xbf16>) -> tensor<16xbf16> {
      %zero = stablehlo.constant dense<0.0> : tensor<bf16>
      %0 = stablehlo.reduce(%x init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<16x9xbf16>, tensor<bf16>) -> tensor<16xbf16>
      return %0 : tensor<16xbf16>
    })");
  std::vector<HostTensor> inputs = *makeInputs(module.function(), {3, 5});
  const double cancelling[] = {0.8515625,   -1.4921875,  0.55078125, -1.75,    1.8671875,
                               -0.42382812, -0.46289062, -0.3203125, 1.1796875};
  for (int64_t i = 0; i < 9; ++i)
    inputs[0].setDouble(i, cancelling[i]);
  HostTensor rounded = run(module, inputs)[0], withoutLast = rounded;
  for (int64_t row = 0; row < 16; ++row) {
    rounded.setDouble(row, 0);
    for (int64_t i = 0; i < 9; ++i) {
      withoutLast.setDouble(row, rounded.getDouble(row));
      rounded.setDouble(row, rounded.getDouble(row) + inputs[0].getDouble(row * 9 + i));
    }
  }
  EXPECT_NE(rounded.getDouble(0), 0);
  EXPECT_TRUE(passes(module, inputs, rounded));
  EXPECT_FALSE(passes(module, inputs, withoutLast));
}

/// The index of the largest of sums in which the first two are the same but for the order of their
/// terms, and the rest is smaller.
static constexpr const char *kNearTie = R"(
    func.func @main(%x: tensor<4x32xf32>) -> (tensor<2xf32>, tensor<2xi32>, tensor<4xf32>) {
      %zero = stablehlo.constant dense<0.0> : tensor<f32>
      %0 = stablehlo.reduce(%x init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<4x32xf32>, tensor<f32>) -> tensor<4xf32>
      %v, %i = chlo.top_k(%0, k = 2) : tensor<4xf32> -> (tensor<2xf32>, tensor<2xi32>)
      %f = stablehlo.floor %0 : tensor<4xf32>
      return %v, %i, %f : tensor<2xf32>, tensor<2xi32>, tensor<4xf32>
    })";

TEST(ErrorModel, NearTiesMayFallEitherWay) {
  TestModule module(kNearTie);
  HostTensor x = (*makeInputs(module.function(), {1, 5}))[0];
  for (int64_t i = 0; i < 32; ++i)
    x.setDouble(i, x.getDouble(i) + 1);
  for (int64_t i = 0; i < 32; ++i)
    x.setDouble(32 + i, x.getDouble(31 - i));
  std::vector<Tolerance> tolerances = measureTolerances(module.function(), {x});
  std::vector<HostTensor> expected = run(module, {x});
  auto agrees = [&](size_t result, const HostTensor &actual) {
    return compare(actual, expected[result], tolerances[result]).agree;
  };
  EXPECT_TRUE(agrees(1, ints({2}, {0, 1})));
  EXPECT_TRUE(agrees(1, ints({2}, {1, 0})));
  EXPECT_FALSE(agrees(1, ints({2}, {2, 0})));
  EXPECT_FALSE(agrees(1, ints({2}, {1, 3})));
  HostTensor wrong = expected[0];
  wrong.setDouble(1, wrong.getDouble(1) * 0.999);
  EXPECT_FALSE(agrees(0, wrong)) << "values are compared as ever";
}

/// A count is a sum that no order of its terms rounds: the rows of an expert are as many as they
/// are, and those of the next begin where they end.
TEST(ErrorModel, CountsAreExact) {
  TestModule module(R"(
    func.func @main(%x: tensor<40x3xf32>) -> (tensor<3xi32>, tensor<3xf32>) {
      %zero = arith.constant dense<0.0> : tensor<40x3xf32>
      %one = arith.constant dense<1.0> : tensor<40x3xf32>
      %is = arith.cmpf ogt, %x, %zero : tensor<40x3xf32>
      %ones = arith.select %is, %one, %zero : tensor<40x3xi1>, tensor<40x3xf32>
      %counts = transformer.sum %ones {dimensions = array<i64: 0>} : tensor<40x3xf32> -> tensor<3xf32>
      %integers = arith.fptosi %counts : tensor<3xf32> to tensor<3xi32>
      %sums = transformer.sum %x {dimensions = array<i64: 0>} : tensor<40x3xf32> -> tensor<3xf32>
      return %integers, %sums : tensor<3xi32>, tensor<3xf32>
    })");
  std::vector<HostTensor> inputs = *makeInputs(module.function(), {1, 5});
  std::vector<Tolerance> tolerances = measureTolerances(module.function(), inputs);
  std::vector<HostTensor> expected = *Interpreter(module.get()).run(module.function(), inputs);
  HostTensor fewer = expected[0];
  EXPECT_TRUE(compare(fewer, expected[0], tolerances[0]).agree);
  reference::setInteger(fewer, 1, static_cast<uint64_t>(fewer.getDouble(1)) - 1);
  EXPECT_FALSE(compare(fewer, expected[0], tolerances[0]).agree);
  // Any other sum is not.
  EXPECT_NE(tolerances[1].basis, Tolerance::exact().basis);
  // Halves on a grid that f32 has are.
  inputs = *makeInputs(module.function(), {1, 5, Distribution::Ties});
  EXPECT_EQ(measureTolerances(module.function(), inputs)[1].basis, Tolerance::exact().basis);
}

TEST(ErrorModel, ThresholdsMayFallEitherWay) {
  TestModule module(kNearTie);
  HostTensor x = floats({4, 32}, std::vector<double>(128, 0.1)); // 3.2 in each row
  // Row 0: 3 but for rounding. 0.1 and 0.3 are no numbers of f32.
  for (int64_t i = 0; i < 32; ++i)
    x.setDouble(i, i < 10 ? 0.3 : 0);
  std::vector<Tolerance> tolerances = measureTolerances(module.function(), {x});
  HostTensor expected = run(module, {x})[2];
  EXPECT_TRUE(compare(floats({4}, {2, 3, 3, 3}), expected, tolerances[2]).agree);
  EXPECT_TRUE(compare(floats({4}, {3, 3, 3, 3}), expected, tolerances[2]).agree);
  EXPECT_FALSE(compare(floats({4}, {3, 2, 3, 3}), expected, tolerances[2]).agree);
  EXPECT_FALSE(compare(floats({4}, {1, 3, 3, 3}), expected, tolerances[2]).agree);
}

TEST(ErrorModel, OverflowOnTheEdgeMayBeInfinite) {
  TestModule module(R"(
    func.func @main(%x: tensor<3xf16>, %y: tensor<3xf16>) -> tensor<3xf16> {
      %0 = stablehlo.multiply %x, %x : tensor<3xf16>
      %1 = stablehlo.subtract %0, %y : tensor<3xf16>
      return %1 : tensor<3xf16>
    })");
  // 256^2 is past the largest f16; less 1024 it is not. 0 - nan is nan.
  double nan = std::numeric_limits<double>::quiet_NaN(),
         infinity = std::numeric_limits<double>::infinity();
  std::vector<HostTensor> inputs = {floats({3}, {256, 2, 0}, DType::F16),
                                    floats({3}, {1024, 1, nan}, DType::F16)};
  EXPECT_TRUE(passes(module, inputs, floats({3}, {infinity, 3, nan}, DType::F16)));
  EXPECT_TRUE(passes(module, inputs, floats({3}, {64512, 3, nan}, DType::F16)));
  EXPECT_FALSE(passes(module, inputs, floats({3}, {infinity, infinity, nan}, DType::F16)));
  EXPECT_FALSE(passes(module, inputs, floats({3}, {infinity, 3, 0}, DType::F16)));
}

TEST(ErrorModel, WhatCannotBeExecutedIsEstimated) {
  TestModule module(variance(64, 64));
  ErrorModelOptions options;
  options.mostWork = 10;
  std::vector<HostTensor> inputs = *makeInputs(module.function(), {1, 5});
  std::string text = describe(measureTolerances(module.function(), inputs, options)[0]);
  EXPECT_NE(text.find("of the largest value (estimated, not measured: f32, 6 roundings"),
            std::string::npos)
      << text;
}

/// Sums over three dimensions of four, of the given types, and a product of matrices.
static std::string sums(const std::string &type, const std::string &rows) {
  return "func.func @main(%x: " + type + ") -> " + rows + R"( {
      %zero = stablehlo.constant dense<0.0> : tensor<f32>
      %0 = stablehlo.multiply %x, %x : )" +
         type + R"(
      %1 = stablehlo.reduce(%0 init: %zero) applies stablehlo.add across dimensions = [1, 2, 3] : ()" +
         type + ", tensor<f32>) -> " + rows + R"(
      %2 = transformer.rms_norm %0 {epsilon = 1.0e-5 : f32} : ()" +
         type + ") -> " + type + R"(
      %3 = transformer.sum %2 {dimensions = array<i64: 1, 2, 3>} : )" +
         type + " -> " + rows + R"(
      %4 = stablehlo.add %1, %3 : )" +
         rows + R"(
      return %4 : )" +
         rows + "\n}";
}

TEST(ErrorModel, OpenSizesAreThoseOfTheInputs) {
  TestModule known(sums("tensor<2x32x48x40xf32>", "tensor<2xf32>")),
      open(sums("tensor<?x?x?x?xf32>", "tensor<?xf32>"));
  std::vector<HostTensor> inputs = *makeInputs(known.function(), {1, 5});
  for (double mostWork : {2e9, 2.4e7}) { // measured, and estimated after one execution
    ErrorModelOptions options;
    options.mostWork = mostWork;
    EXPECT_EQ(describe(measureTolerances(open.function(), inputs, options)[0]),
              describe(measureTolerances(known.function(), inputs, options)[0]));
  }
}

TEST(ErrorModel, LargeProductsOfOpenSizesAreNotExecuted) {
  TestModule module(R"(
    func.func @main(%x: tensor<?x?xf32>, %y: tensor<?x?xf32>) -> tensor<?x?xf32> {
      %0 = stablehlo.dot_general %x, %y, contracting_dims = [1] x [1] : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
      return %0 : tensor<?x?xf32>
    })");
  // 2^39 terms would take three hours.
  std::vector<HostTensor> inputs = {*HostTensor::create(DType::F32, {32768, 512}),
                                    *HostTensor::create(DType::F32, {32768, 512})};
  std::string text = describe(measureTolerances(module.function(), inputs)[0]);
  EXPECT_NE(text.find("estimated, not measured: f32, 1 roundings, sums of up to 512 terms"),
            std::string::npos)
      << text;
}
