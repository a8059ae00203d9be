// Errors planted in operations of the transformer dialect are caught: the tolerance that the
// reference's own steps give (forge/Reference/Rounding.h) is not loose. That it is not tight:
// TransformerMatrixTest.cpp, FalseAlarmTest.cpp.
#include "TestModule.h"

#include "forge/Execution/Executable.h"
#include "forge/Verify/ErrorModel.h"
#include "forge/Verify/Inputs.h"
#include "forge/Verify/Interpreter.h"

#include <algorithm>
#include <cmath>

using namespace forge;

static std::string replaced(std::string text, const std::string &from, const std::string &to) {
  for (size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size()))
    text.replace(at, from.size(), to);
  return text;
}

/// One op, "E" being the element type, between its arguments and results.
static std::string moduleOf(const std::string &type, const std::string &arguments,
                            const std::string &op, const std::string &results) {
  std::string names, count = std::to_string(1 + std::count(results.begin(), results.end(), ','));
  for (int i = 0; i < std::stoi(count); ++i)
    names += (i ? ", %r#" : "%r#") + std::to_string(i);
  return replaced("func.func @main(" + arguments + ") -> (" + results + ") {\n  %r:" + count +
                      " = " + op + "\n  return " + names + " : " + results + "\n}\n",
                  "E>", type + ">");
}

static std::vector<HostTensor> run(TestModule &module, const std::vector<HostTensor> &inputs) {
  auto results = Interpreter(module.get()).run(module.function(), inputs);
  EXPECT_TRUE(succeeded(results)) << module.messages;
  return *results;
}

static std::vector<HostTensor> inputsOf(TestModule &module, Distribution distribution) {
  return *makeInputs(module.function(), {3, 5, distribution});
}

/// Whether result `i` of `wrong` passes for that of `right`.
static bool passes(const std::string &right, const std::string &wrong, size_t i = 0,
                   Distribution distribution = Distribution::Uniform) {
  TestModule good(right), bad(wrong);
  std::vector<HostTensor> inputs = inputsOf(good, distribution);
  std::vector<Tolerance> tolerances = measureTolerances(good.function(), inputs);
  return compare(run(bad, inputs)[i], run(good, inputs)[i], tolerances[i]).agree;
}

class PlantedStep : public testing::TestWithParam<std::string> {
protected:
  static std::string attention(const std::string &attributes) {
    return moduleOf(GetParam(),
                    "%q: tensor<1x4x7x16xE>, %k: tensor<1x2x9x16xE>, %v: tensor<1x2x9x8xE>",
                    "transformer.attention %q, %k, %v " + attributes +
                        " : (tensor<1x4x7x16xE>, tensor<1x2x9x16xE>, tensor<1x2x9x8xE>) -> "
                        "tensor<1x4x7x8xE>",
                    "tensor<1x4x7x8xE>");
  }
  static std::string attentionGrad(const std::string &attributes) {
    std::string types = "tensor<1x4x7x16xE>, tensor<1x2x9x16xE>, tensor<1x2x9x8xE>";
    return moduleOf(GetParam(),
                    "%d: tensor<1x4x7x8xE>, %q: tensor<1x4x7x16xE>, %k: tensor<1x2x9x16xE>, "
                    "%v: tensor<1x2x9x8xE>",
                    "transformer.attention_grad %d, %q, %k, %v " + attributes +
                        " : (tensor<1x4x7x8xE>, " + types + ") -> (" + types + ")",
                    types);
  }
  static std::string activationGrad(const std::string &kind) {
    return moduleOf(GetParam(), "%d: tensor<9x17xE>, %x: tensor<9x17xE>",
                    "transformer.activation_grad " + kind + " %d, %x : tensor<9x17xE>",
                    "tensor<9x17xE>");
  }
  static std::string norm(const std::string &epsilon) {
    return moduleOf(GetParam(), "%x: tensor<9x33xE>",
                    "transformer.layer_norm %x {epsilon = " + epsilon +
                        " : f32} : (tensor<9x33xE>) -> tensor<9x33xE>",
                    "tensor<9x33xE>");
  }
};

TEST_P(PlantedStep, InAttentionIsCaught) {
  std::string right = attention("{causal}");
  EXPECT_TRUE(passes(right, right));
  EXPECT_FALSE(passes(right, attention("{causal, scale = 1.0 : f32}"))) << "missing 1/sqrt(d)";
  EXPECT_FALSE(passes(right, attention("{causal, scale = 0.0 : f32}"))) << "uniform weights";
  EXPECT_FALSE(passes(right, attention(""))) << "no mask";
  EXPECT_FALSE(passes(right, attention("{causal, window = 8 : i64}"))) << "a mask's edge";
}

TEST_P(PlantedStep, InGradientsOfAttentionIsCaught) {
  std::string right = attentionGrad("{causal}");
  EXPECT_TRUE(passes(right, right));
  for (size_t i : {0, 1, 2}) {
    EXPECT_FALSE(passes(right, attentionGrad("{causal, scale = 0.3 : f32}"), i)) << "scale";
    EXPECT_FALSE(passes(right, attentionGrad("{causal, window = 8 : i64}"), i)) << "a mask's edge";
  }
}

TEST_P(PlantedStep, InGradientsOfActivationsIsCaught) {
  for (Distribution distribution : {Distribution::Uniform, Distribution::Large})
    for (auto [right, wrong] : {std::pair("gelu", "gelu_tanh"), std::pair("silu", "gelu"),
                                std::pair("sigmoid", "tanh"), std::pair("tanh", "sigmoid")})
      EXPECT_FALSE(passes(activationGrad(right), activationGrad(wrong), 0, distribution))
          << wrong << " for " << right;
}

TEST_P(PlantedStep, InNormsIsCaught) {
  // The variance over n - 1 for n = 33: what divides grows by 1/64, which is two units of bf16.
  TestModule module(norm("1.0e-05"));
  std::vector<HostTensor> inputs = inputsOf(module, Distribution::Uniform);
  HostTensor right = run(module, inputs)[0], biased = right;
  for (int64_t i = 0; i < biased.numElements(); ++i)
    biased.setDouble(i, right.getDouble(i) * std::sqrt(32.0 / 33.0));
  std::vector<Tolerance> tolerances = measureTolerances(module.function(), inputs);
  EXPECT_TRUE(compare(right, right, tolerances[0]).agree);
  EXPECT_FALSE(compare(biased, right, tolerances[0]).agree) << "biased variance";
}

namespace {
/// One operation as it should be, and what is wrong in it: `from` became `to`.
struct Mistake {
  const char *arguments, *op, *results, *from, *to;
};
} // namespace

// One plausible mistake in each of the other operations, on numbers up to 1.
TEST_P(PlantedStep, InOtherOperationsIsCaught) {
  const Mistake all[] = {
      {"%x: tensor<2x3x7x8xE>, %p: tensor<7xi32>",
       "transformer.rope %x positions %p {rotary_dims = 8 : i64} : (tensor<2x3x7x8xE>, "
       "tensor<7xi32>) -> tensor<2x3x7x8xE>",
       "tensor<2x3x7x8xE>", "rotary_dims = 8 : i64", "interleaved"},
      {"%x: tensor<2x3x7x8xE>, %p: tensor<7xi32>",
       "transformer.rope %x positions %p {base = 1.0e+04 : f64} : (tensor<2x3x7x8xE>, "
       "tensor<7xi32>) -> tensor<2x3x7x8xE>",
       "tensor<2x3x7x8xE>", "1.0e+04", "1.01e+04"},
      {"%x: tensor<9x33xE>, %g: tensor<33xE>",
       "transformer.rms_norm %x scale %g {epsilon = 1.0e-03 : f32} : (tensor<9x33xE>, "
       "tensor<33xE>) -> tensor<9x33xE>",
       "tensor<9x33xE>", "f32}", "f32, unit_offset}"},
      {"%x: tensor<5x12xE>, %g: tensor<20x12xE>, %u: tensor<20x12xE>, %d: tensor<12x20xE>",
       "transformer.gated_mlp %x gate %g up %u down %d {activation = "
       "#transformer.activation<silu>, transpose_weights} : (tensor<5x12xE>, tensor<20x12xE>, "
       "tensor<20x12xE>, tensor<12x20xE>) -> tensor<5x12xE>",
       "tensor<5x12xE>", "gate %g up %u", "gate %u up %g"},
      {"%x: tensor<5x12xE>, %w: tensor<8x12xi8>, %s: tensor<8x3xf32>, %t: tensor<8x3xf32>",
       "transformer.linear %x, %w scale %s {block = array<i64: 1, 4>} : (tensor<5x12xE>, "
       "tensor<8x12xi8>, tensor<8x3xf32>) -> tensor<5x8xE>",
       "tensor<5x8xE>", "scale %s", "scale %t"},
      {"%x: tensor<16x40xE>, %t: tensor<16xi32>",
       "transformer.cross_entropy mean %x, %t {label_smoothing = 0.1 : f32} : (tensor<16x40xE>, "
       "tensor<16xi32>) -> tensor<f32>",
       "tensor<f32>", "0.1", "0.11"},
      {"%x: tensor<6x16xE>",
       "transformer.moe_route softmax %x {k = 4 : i64, normalize} : (tensor<6x16xE>) -> "
       "(tensor<6x4xE>, tensor<6x4xi32>)",
       "tensor<6x4xE>, tensor<6x4xi32>", ", normalize", ""},
      {"%d: tensor<6x4xE>, %x: tensor<6x16xE>, %e: tensor<6x4xi32>",
       "transformer.moe_route_grad softmax %d, %x, %e {normalize} : (tensor<6x4xE>, "
       "tensor<6x16xE>, tensor<6x4xi32>) -> tensor<6x16xE>",
       "tensor<6x16xE>", "{normalize}", ""},
      {"%d: tensor<6x18xE>, %x: tensor<6x18xE>",
       "transformer.log_softmax_grad %d, %x {dimension = 1 : i64} : tensor<6x18xE>",
       "tensor<6x18xE>", "log_softmax_grad", "softmax_grad"},
      {"%x: tensor<18x18xE>", "transformer.softmax %x {dimension = 1 : i64} : tensor<18x18xE>",
       "tensor<18x18xE>", "= 1", "= 0"},
      {"%x: tensor<12x16xE>, %w: tensor<3x16x8xE>, %g: tensor<3xi32>, %h: tensor<3xi32>",
       "transformer.grouped_matmul %x, %w groups %g : (tensor<12x16xE>, tensor<3x16x8xE>, "
       "tensor<3xi32>) -> tensor<12x8xE>",
       "tensor<12x8xE>", "groups %g", "groups %h"},
  };
  for (const Mistake &planted : all) {
    std::string right = moduleOf(GetParam(), planted.arguments, planted.op, planted.results);
    std::string wrong = moduleOf(GetParam(), planted.arguments,
                                 replaced(planted.op, planted.from, planted.to), planted.results);
    EXPECT_TRUE(passes(right, right)) << right;
    EXPECT_FALSE(passes(right, wrong)) << wrong;
  }
}

// A window, a length, a cap and a sink that are off, in attention.
TEST_P(PlantedStep, InOptionsOfAttentionIsCaught) {
  EXPECT_FALSE(passes(attention("{window = 4 : i64}"), attention("{window = 5 : i64}")));
  EXPECT_FALSE(passes(attention("{soft_cap = 3.0 : f32}"), attention("")));
  EXPECT_FALSE(passes(attention("{causal}"), attention("{causal, window = 8 : i64}")));
}

INSTANTIATE_TEST_SUITE_P(Types, PlantedStep, testing::Values("f32", "f16", "bf16"),
                         [](const auto &info) { return info.param; });

/// Whether the element of `module`'s result 0 at `index`, off by `error`, passes.
static bool passesOff(const std::string &text, const std::vector<HostTensor> &inputs, int64_t index,
                      double error) {
  TestModule module(text);
  HostTensor right = run(module, inputs)[0], wrong = right;
  wrong.setDouble(index, right.getDouble(index) + error);
  return compare(wrong, right, measureTolerances(module.function(), inputs)[0]).agree;
}

TEST(PlantedUnits, InASlopeThatCancelsAreCaught) {
  // x where the terms of gelu's slope cancel: the slope is 0 at -0.7518.
  std::string text =
      moduleOf("f32", "%d: tensor<4xE>, %x: tensor<4xE>",
               "transformer.activation_grad gelu %d, %x : tensor<4xE>", "tensor<4xE>");
  std::vector<HostTensor> inputs = {floats({4}, {1, 1, 1, 1}),
                                    floats({4}, {-0.7518, -0.75179, -0.7517, -0.752})};
  double u = 0x1p-24;
  EXPECT_TRUE(passesOff(text, inputs, 0, u / 2)) << "what the terms, 0.23 each, err by";
  EXPECT_FALSE(passesOff(text, inputs, 0, 16 * u));
}

TEST(PlantedUnits, InSaturatedSlopesAreCaught) {
  // 1 - tanh^2 where tanh is 1: exactly 0, not u times something.
  std::string text =
      moduleOf("f32", "%d: tensor<4xE>, %x: tensor<4xE>",
               "transformer.activation_grad gelu_tanh %d, %x : tensor<4xE>", "tensor<4xE>");
  std::vector<HostTensor> inputs = {floats({4}, {1, 1, 1, 1}), floats({4}, {900, 500, -500, -900})};
  EXPECT_FALSE(passesOff(text, inputs, 0, 8 * 0x1p-23));
  EXPECT_FALSE(passesOff(text, inputs, 3, 1e-6));
}

static std::string rope(const std::string &type, const std::string &rest,
                        const std::string &types) {
  return moduleOf(type, "%x: tensor<1x1x4x8xE>, %p: tensor<4xi32>" + types,
                  "transformer.rope %x positions %p " + rest +
                      " : (tensor<1x1x4x8xE>, tensor<4xi32>" +
                      (types.empty() ? "" : ", tensor<4xE>") + ") -> tensor<1x1x4x8xE>",
                  "tensor<1x1x4x8xE>");
}

/// Rope at positions up to 4000, its frequencies relatively off by `error`.
static bool passesRope(const std::string &type, double error) {
  TestModule module(rope(type, "frequencies %f", ", %f: tensor<4xE>"));
  std::vector<HostTensor> inputs = inputsOf(module, Distribution::Uniform), wrong;
  inputs[1] = ints({4}, {0, 100, 1500, 4000});
  for (int64_t i = 0; i < 4; ++i)
    inputs[2].setDouble(i, std::pow(10.0, -static_cast<double>(i)));
  wrong = inputs;
  for (int64_t i = 0; i < 4; ++i)
    wrong[2].setDouble(i, inputs[2].getDouble(i) * (1 + error));
  std::vector<Tolerance> tolerances = measureTolerances(module.function(), inputs);
  return compare(run(module, wrong)[0], run(module, inputs)[0], tolerances[0]).agree;
}

TEST(PlantedUnits, InGivenFrequenciesOfRopeAreCaught) {
  // A given frequency is exact: one unit in its last place turns position 4000 by 2.4e-4.
  EXPECT_TRUE(passesRope("f32", 0));
  EXPECT_FALSE(passesRope("f32", 0x1p-23));
  EXPECT_FALSE(passesRope("f64", 0x1p-52));
}

TEST(PlantedUnits, InADynamicBaseOfRopeAreCaught) {
  // Powers at run time are right to some units of f64: position 4000 is turned by that often 1e-13.
  auto scaled = [](const std::string &factor) {
    return rope("f64",
                "{scaling = #transformer.rope_scaling<dynamic, factor = " + factor +
                    ", original_length = 1024>}",
                "");
  };
  TestModule good(scaled("2.0")), bad(scaled("2.00000000001"));
  std::vector<HostTensor> inputs = inputsOf(good, Distribution::Uniform);
  inputs[1] = ints({4}, {0, 100, 1500, 4000});
  std::vector<Tolerance> tolerances = measureTolerances(good.function(), inputs);
  EXPECT_TRUE(compare(run(good, inputs)[0], run(good, inputs)[0], tolerances[0]).agree);
  EXPECT_FALSE(compare(run(bad, inputs)[0], run(good, inputs)[0], tolerances[0]).agree);
}

TEST(RangeOfSteps, SquaresOfNormsOverflow) {
  // 1e20^2 is beyond f32: 0 as the steps give it, or 1 as without them; nothing far from these.
  std::string text = moduleOf("f32", "%x: tensor<2x8xE>",
                              "transformer.rms_norm %x {epsilon = 1.0e-06 : f32} : (tensor<2x8xE>) "
                              "-> tensor<2x8xE>",
                              "tensor<2x8xE>");
  std::vector<double> values(16, 1e20);
  for (size_t i = 8; i < 16; ++i)
    values[i] = 1e18;
  std::vector<HostTensor> inputs = {floats({2, 8}, values)};
  EXPECT_TRUE(passesOff(text, inputs, 0, -1));
  EXPECT_FALSE(passesOff(text, inputs, 0, 100));
  TestModule module(text);
  EXPECT_EQ(run(module, inputs)[0].getDouble(0), 1) << "without them nothing overflows";
  mlir::OwningOpRef<mlir::ModuleOp> clone = module.get().clone();
  // What is compiled does as the operation's page says, and passes.
  Result<Executable> executable = Executable::compile(*clone, CompileOptions());
  ASSERT_TRUE(executable) << executable.error().message;
  Result<RunResult> compiled = executable->run(inputs);
  ASSERT_TRUE(compiled) << compiled.error().message;
  EXPECT_EQ(compiled->results[0].getDouble(0), 0);
  EXPECT_NEAR(compiled->results[0].getDouble(8), 1, 1e-6);
  EXPECT_TRUE(compare(compiled->results[0], run(module, inputs)[0],
                      measureTolerances(module.function(), inputs)[0])
                  .agree);
}

TEST(RangeOfSteps, PartialSumsOverflow) {
  // 1e40 - 1e40 + 2e20: that, an infinity, or NaN, by the order of the terms. Nothing else finite.
  std::string text = moduleOf("f32", "%x: tensor<1x4xE>, %w: tensor<4x1xE>",
                              "transformer.matmul %x, %w : (tensor<1x4xE>, tensor<4x1xE>) -> "
                              "tensor<1x1xE>",
                              "tensor<1x1xE>");
  std::vector<HostTensor> inputs = {floats({1, 4}, {1e20, 1e20, 1e20, 1e20}),
                                    floats({4, 1}, {1e20, -1e20, 1, 1})};
  TestModule module(text);
  HostTensor exact = run(module, inputs)[0];
  EXPECT_NEAR(exact.getDouble(0) / 2e20, 1, 1e-6);
  Tolerance tolerance = measureTolerances(module.function(), inputs)[0];
  for (double possible : {double(INFINITY), -double(INFINITY), double(NAN)})
    EXPECT_TRUE(compare(floats({1, 1}, {possible}), exact, tolerance).agree) << possible;
  EXPECT_FALSE(compare(floats({1, 1}, {3e38}), exact, tolerance).agree);
}
