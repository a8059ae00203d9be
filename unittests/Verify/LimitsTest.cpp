// What the error model says at the limits of types and functions, and where rounding is systematic:
// executions at random that leave the range of a type say nothing of those that do not.
#include "TestModule.h"

#include "forge/Execution/Executable.h"
#include "forge/Verify/ErrorModel.h"
#include "forge/Verify/Inputs.h"
#include "forge/Verify/Interpreter.h"

#include <cmath>
#include <iostream>
#include <limits>

using namespace forge;

static std::vector<HostTensor> interpreted(TestModule &module,
                                           const std::vector<HostTensor> &inputs) {
  auto results = Interpreter(module.get()).run(module.function(), inputs);
  EXPECT_TRUE(succeeded(results)) << module.messages;
  return *results;
}

static Comparison compared(TestModule &module, const std::vector<HostTensor> &inputs,
                           const HostTensor &actual) {
  return compare(actual, interpreted(module, inputs)[0],
                 measureTolerances(module.function(), inputs)[0]);
}

/// The gradient of `function` by x = `argument`, from its result t: x^2 (1 - t^2).
static std::string slopeOf(const std::string &function) {
  return "func.func @main(%x: tensor<32xf32>) -> tensor<32xf32> {\n"
         "  %one = stablehlo.constant dense<1.0> : tensor<32xf32>\n"
         "  %t = " +
         function +
         " %x : tensor<32xf32>\n"
         "  %t2 = stablehlo.multiply %t, %t : tensor<32xf32>\n"
         "  %s = stablehlo.subtract %one, %t2 : tensor<32xf32>\n"
         "  %x2 = stablehlo.multiply %x, %x : tensor<32xf32>\n"
         "  %r = stablehlo.multiply %x2, %s : tensor<32xf32>\n"
         "  return %r : tensor<32xf32>\n}";
}

/// Implementations give 1 far out, so that nothing is left to be multiplied with something large.
TEST(Limits, AFunctionThatReachedItsLimitStaysThere) {
  std::vector<double> far(32), near(32);
  for (size_t i = 0; i < far.size(); ++i) {
    far[i] = 1e6 * static_cast<double>(i + 1);
    near[i] = 0.1 * static_cast<double>(i + 1);
  }
  for (const char *function : {"stablehlo.tanh", "stablehlo.logistic", "chlo.erf"}) {
    std::string text = slopeOf(function);
    if (std::string(function) == "chlo.erf")
      text.replace(text.find("%x : tensor<32xf32>\n"), 19, "%x : tensor<32xf32> -> tensor<32xf32>");
    TestModule module(text);
    std::vector<Tolerance> tolerances = measureTolerances(module.function(), {floats({32}, far)});
    EXPECT_EQ(describe(tolerances[0]), "exact") << function;
    EXPECT_FALSE(compared(module, {floats({32}, far)}, floats({32}, far)).agree) << function;
    tolerances = measureTolerances(module.function(), {floats({32}, near)});
    EXPECT_NE(describe(tolerances[0]), "exact") << function;
  }
}

/// The scores are beyond f32, so that executions that round every step in f32 subtract infinities.
/// One that scales the queries first, as the reference in double may, gives numbers.
TEST(Limits, WhereExecutionsOverflowOthersAreKnown) {
  TestModule module(R"(
    func.func @main(%q: tensor<1x1x4x16xf32>, %k: tensor<1x1x6x16xf32>, %v: tensor<1x1x6x16xf32>) -> tensor<1x1x4x16xf32> {
      %0 = transformer.attention %q, %k, %v {scale = 2.0e-38 : f32} : (tensor<1x1x4x16xf32>, tensor<1x1x6x16xf32>, tensor<1x1x6x16xf32>) -> tensor<1x1x4x16xf32>
      return %0 : tensor<1x1x4x16xf32>
    })");
  std::vector<HostTensor> inputs = *makeInputs(module.function(), {1, 5});
  for (HostTensor *factor : {&inputs[0], &inputs[1]})
    for (int64_t i = 0; i < factor->numElements(); ++i)
      factor->setDouble(i, 1e20 * (1 + 0.01 * factor->getDouble(i)));
  HostTensor actual = interpreted(module, inputs)[0], wrong = actual;
  ASSERT_TRUE(std::isfinite(actual.getDouble(3)));
  actual.setDouble(3, actual.getDouble(3) * (1 + 2 * epsilonOf(DType::F32)));
  EXPECT_TRUE(compared(module, inputs, actual).agree);
  wrong.setDouble(3, wrong.getDouble(3) * 1.05);
  EXPECT_FALSE(compared(module, inputs, wrong).agree);
}

/// x x^T with K equal columns: a chain of equal terms errs the same way at each step.
static std::string equalTerms(int k) {
  std::string depth = std::to_string(k), lhs = "tensor<8x" + depth + "xf32>",
              rhs = "tensor<" + depth + "x8xf32>";
  return "func.func @main(%x: tensor<8xf32>) -> tensor<8x8xf32> {\n"
         "  %a = stablehlo.broadcast_in_dim %x, dims = [0] : (tensor<8xf32>) -> " +
         lhs + "\n  %b = stablehlo.broadcast_in_dim %x, dims = [1] : (tensor<8xf32>) -> " + rhs +
         "\n  %r = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (" + lhs + ", " +
         rhs + ") -> tensor<8x8xf32>\n  return %r : tensor<8x8xf32>\n}";
}

TEST(Limits, EqualTermsInOneChainAreNoFalseAlarm) {
  double largest = 0;
  for (int k : {40, 100, 256, 500, 1000})
    for (Tier tier : {Tier::Optimized, Tier::Correctness}) {
      TestModule module(equalTerms(k));
      CompileOptions options;
      options.tier = tier;
      Result<Executable> executable = Executable::compile(module.get(), options);
      ASSERT_TRUE(executable) << executable.error().message;
      for (uint64_t seed = 1; seed <= 4; ++seed) {
        std::vector<HostTensor> inputs = *makeInputs(module.function(), {seed, 5});
        Result<RunResult> result = executable->run(inputs);
        ASSERT_TRUE(result) << result.error().message;
        Comparison comparison = compared(module, inputs, result->results[0]);
        EXPECT_TRUE(comparison.agree) << k << " terms: " << describe(comparison);
        largest = std::max(largest, comparison.maxOfAllowed);
      }
    }
  std::cout << "largest error: " << largest << " of what is allowed\n";
}

/// What equal terms are allowed is their own: 4 sqrt(K) units of one element are caught among them
/// where a chain rounds nothing.
TEST(Limits, EqualTermsThatAddUpExactlyAreExact) {
  TestModule module(equalTerms(500));
  std::vector<HostTensor> inputs = {floats({8}, {1, 2, 3, 4, 5, 6, 7, 8})};
  HostTensor actual = interpreted(module, inputs)[0];
  actual.setDouble(5, actual.getDouble(5) * (1 + epsilonOf(DType::F32)));
  EXPECT_FALSE(compared(module, inputs, actual).agree);
}

/// A softmax of one score far above the others is 1 and 0, and its gradient nothing at all.
TEST(Limits, SumsOfOneTermAndNothingAreExact) {
  TestModule module(R"(
    func.func @main(%x: tensor<4x16xf32>, %d: tensor<4x16xf32>) -> tensor<4x16xf32> {
      %y = transformer.softmax %x {dimension = 1 : i64} : tensor<4x16xf32>
      %r = transformer.softmax_grad %d, %y {dimension = 1 : i64} : tensor<4x16xf32>
      return %r : tensor<4x16xf32>
    })");
  std::vector<HostTensor> inputs = *makeInputs(module.function(), {1, 5, Distribution::Huge});
  HostTensor actual = interpreted(module, inputs)[0];
  EXPECT_TRUE(compared(module, inputs, actual).agree);
  EXPECT_EQ(actual.getDouble(5), 0);
  actual.setDouble(5, 1e-3);
  EXPECT_FALSE(compared(module, inputs, actual).agree);
}

/// Functions may flush what is below the smallest normal number of f32, and nothing above it.
TEST(Limits, FunctionsMayFlushSubnormalResults) {
  TestModule module(R"(
    func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
      %0 = stablehlo.exponential %x : tensor<2xf32>
      return %0 : tensor<2xf32>
    })");
  std::vector<HostTensor> inputs = {floats({2}, {-90, -80})};
  EXPECT_TRUE(compared(module, inputs, interpreted(module, inputs)[0]).agree);
  EXPECT_TRUE(compared(module, inputs, floats({2}, {0, std::exp(-80)})).agree);
  EXPECT_FALSE(compared(module, inputs, floats({2}, {std::exp(-90), 0})).agree);
}

/// A constant cotangent less its mean is nothing but the rounding of three terms in some order.
TEST(Limits, TermsOfAGradientMayBeAddedInAnyOrder) {
  TestModule module(R"(
    func.func @main(%d: tensor<5x3xf32>, %x: tensor<5x3xf32>, %g: tensor<3xf32>) -> tensor<f32> {
      %zero = stablehlo.constant dense<0.0> : tensor<f32>
      %r:3 = transformer.layer_norm_grad %d, %x scale %g {epsilon = 1.0e-02 : f32} : (tensor<5x3xf32>, tensor<5x3xf32>, tensor<3xf32>) -> (tensor<5x3xf32>, tensor<3xf32>, tensor<3xf32>)
      %s = stablehlo.reduce(%r#0 init: %zero) applies stablehlo.add across dimensions = [0, 1] : (tensor<5x3xf32>, tensor<f32>) -> tensor<f32>
      return %s : tensor<f32>
    })");
  std::vector<HostTensor> inputs = *makeInputs(module.function(), {1, 5});
  inputs[0] = floats({5, 3}, std::vector<double>(15, -4));
  inputs[2] = floats({3}, {0.75, 0.75, 0.75});
  // Half a unit in the last place of 3 in each element, over standard deviations of about 1 / 2.
  EXPECT_TRUE(compared(module, inputs, floats({}, {4 * 0x1p-23})).agree);
  EXPECT_FALSE(compared(module, inputs, floats({}, {1e-3})).agree);
}

/// What hides a key leaves open whether 0 times an infinite value is 0 or NaN; where its weight is
/// not 0 nothing is open.
TEST(Limits, HiddenInfinitiesMayShow) {
  TestModule module(R"(
    func.func @main(%q: tensor<1x1x2x4xf32>, %k: tensor<1x1x2x4xf32>, %v: tensor<1x1x2x1xf32>) -> tensor<1x1x2x1xf32> {
      %0 = transformer.attention %q, %k, %v {causal} : (tensor<1x1x2x4xf32>, tensor<1x1x2x4xf32>, tensor<1x1x2x1xf32>) -> tensor<1x1x2x1xf32>
      return %0 : tensor<1x1x2x1xf32>
    })");
  double infinity = std::numeric_limits<double>::infinity(), nan = std::nan("");
  std::vector<HostTensor> inputs = *makeInputs(module.function(), {1, 5});
  inputs[2] = floats({1, 1, 2, 1}, {3, infinity});
  EXPECT_TRUE(compared(module, inputs, floats({1, 1, 2, 1}, {3, infinity})).agree);
  EXPECT_TRUE(compared(module, inputs, floats({1, 1, 2, 1}, {nan, infinity})).agree);
  EXPECT_FALSE(compared(module, inputs, floats({1, 1, 2, 1}, {infinity, infinity})).agree);
  EXPECT_FALSE(compared(module, inputs, floats({1, 1, 2, 1}, {3, nan})).agree);
  inputs[2] = floats({1, 1, 2, 1}, {3, 4});
  EXPECT_FALSE(compared(module, inputs, floats({1, 1, 2, 1}, {nan, 4})).agree);
}
