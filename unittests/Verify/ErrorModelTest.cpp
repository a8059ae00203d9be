// The error model is to be neither loose (planted errors are caught) nor tight (rounding never is).
#include "TestModule.h"

#include "forge/Reference/Elementwise.h"
#include "forge/Verify/ErrorModel.h"
#include "forge/Verify/Inputs.h"
#include "forge/Verify/Interpreter.h"

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
static std::string variance(int n, int divisor) {
  std::string wide = "tensor<64x" + std::to_string(n) + "xf32>", mean = std::to_string(n) + ".0";
  return "func.func @main(%x: " + wide + R"() -> tensor<64xf32> {
      %zero = stablehlo.constant dense<0.0> : tensor<f32>
      %n = stablehlo.constant dense<)" +
         mean + R"(> : tensor<64xf32>
      %d = stablehlo.constant dense<)" +
         std::to_string(divisor) + ".0> : tensor<64xf32>\n" +
         "%0 = stablehlo.reduce(%x init: %zero) applies stablehlo.add across dimensions = [1] : (" +
         wide +
         ", tensor<f32>) -> tensor<64xf32>\n%1 = stablehlo.divide %0, %n : tensor<64xf32>\n" +
         "%2 = stablehlo.broadcast_in_dim %1, dims = [0] : (tensor<64xf32>) -> " + wide +
         "\n%3 = stablehlo.subtract %x, %2 : " + wide +
         "\n%4 = stablehlo.multiply %3, %3 : " + wide +
         "\n%5 = stablehlo.reduce(%4 init: %zero) applies stablehlo.add across dimensions = [1] : "
         "(" +
         wide +
         ", tensor<f32>) -> tensor<64xf32>\n%6 = stablehlo.divide %5, %d : tensor<64xf32>\nreturn "
         "%6 : tensor<64xf32> }";
}

static std::vector<HostTensor> run(TestModule &module, const std::vector<HostTensor> &inputs,
                                   InterpreterOptions options = {}) {
  auto results = Interpreter(module.get(), options).run(module.function(), inputs);
  EXPECT_TRUE(succeeded(results)) << module.messages;
  return *results;
}

/// Whether `wrong` passes for `right` under right's tolerances, widened as `forge verify` does.
static bool passes(const std::string &right, const std::string &wrong) {
  TestModule good(right), bad(wrong);
  std::vector<HostTensor> inputs = *makeInputs(good.function(), {1, 5});
  std::vector<Tolerance> tolerances = estimateTolerances(good.function());
  widenTolerances(tolerances, good.function(), inputs);
  return compare(run(bad, inputs)[0], run(good, inputs)[0], tolerances[0]).agree;
}

static const std::string kNone = "[0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0]";
static const std::string kEdge = "[0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, -1.0e+30]";

TEST(ErrorModel, PlantedErrorsAreCaught) {
  std::string right = attention("0.25", kEdge, "f32");
  EXPECT_TRUE(passes(right, right));
  EXPECT_FALSE(passes(right, attention("1.0", kEdge, "f32"))) << "missing 1/sqrt(d)";
  EXPECT_FALSE(passes(right, attention("0.0", kEdge, "f32"))) << "uniform attention";
  EXPECT_FALSE(passes(right, attention("0.25", kNone, "f32"))) << "dropped mask edge";
  EXPECT_FALSE(passes(variance(64, 64), variance(64, 63))) << "biased variance";
  EXPECT_FALSE(passes(variance(4096, 4096), variance(4096, 4095)))
      << "biased variance of a long row";
}

TEST(ErrorModel, PlantedErrorsAreCaughtInBf16) {
  std::string right = attention("0.25", kEdge, "bf16");
  EXPECT_TRUE(passes(right, right));
  EXPECT_FALSE(passes(right, attention("1.0", kEdge, "bf16"))) << "missing 1/sqrt(d)";
  EXPECT_FALSE(passes(right, attention("0.0", kEdge, "bf16"))) << "uniform attention";
  EXPECT_FALSE(passes(right, attention("0.25", kNone, "bf16"))) << "dropped mask edge";
}

TEST(ErrorModel, RoundingIsNoDifference) {
  // Without any rounding in between, another correct execution, for many inputs.
  for (const std::string &text :
       {attention("0.25", kEdge, "f32"), attention("0.25", kNone, "bf16"), variance(512, 512)})
    for (uint64_t seed = 0; seed < 20; ++seed) {
      TestModule module(text);
      std::vector<HostTensor> inputs = *makeInputs(module.function(), {seed, 5});
      std::vector<Tolerance> tolerances = estimateTolerances(module.function());
      InterpreterOptions options;
      options.precision = InterpreterOptions::Precision::Double;
      HostTensor expected = run(module, inputs)[0];
      Result<HostTensor> exact =
          reference::convert(run(module, inputs, options)[0], expected.type());
      Comparison comparison = compare(*exact, expected, tolerances[0]);
      EXPECT_TRUE(comparison.agree)
          << "seed " << seed << ": " << describe(comparison) << describe(tolerances[0]);
    }
}

TEST(ErrorModel, DataMovementAndIntegersAreExact) {
  TestModule module(R"(
    func.func @main(%x: tensor<4xf32>, %i: tensor<4xi32>) -> (tensor<4xf32>, tensor<4xi32>, tensor<4xi32>) {
      %a = stablehlo.reverse %x, dims = [0] : tensor<4xf32>
      %b = stablehlo.add %i, %i : tensor<4xi32>
      %s = stablehlo.add %x, %x : tensor<4xf32>
      %c = stablehlo.convert %s : (tensor<4xf32>) -> tensor<4xi32>
      return %a, %b, %c : tensor<4xf32>, tensor<4xi32>, tensor<4xi32>
    })");
  std::vector<Tolerance> tolerances = estimateTolerances(module.function());
  EXPECT_EQ(describe(tolerances[0]), "exact");
  EXPECT_EQ(describe(tolerances[1]), "exact");
  EXPECT_EQ(describe(tolerances[2]), "exact, though rounded floats decide it");
}

TEST(ErrorModel, GrowsWithTermsRoundingsAndTrips) {
  auto ofScale = [](const std::string &text) {
    TestModule module(text);
    return estimateTolerances(module.function())[0].ofScale;
  };
  EXPECT_GT(ofScale(variance(4096, 4096)), 2 * ofScale(variance(64, 64)));
  auto loop = [](const std::string &trips) {
    return R"(func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
      %zero = stablehlo.constant dense<0> : tensor<i32>
      %one = stablehlo.constant dense<1> : tensor<i32>
      %n = stablehlo.constant dense<)" +
           trips + R"(> : tensor<i32>
      %r:2 = "stablehlo.while"(%zero, %x) ({
      ^bb0(%i: tensor<i32>, %s: tensor<4xf32>):
        %more = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
        stablehlo.return %more : tensor<i1>
      }, {
      ^bb0(%i: tensor<i32>, %s: tensor<4xf32>):
        %next = stablehlo.add %i, %one : tensor<i32>
        %t = stablehlo.add %s, %s : tensor<4xf32>
        stablehlo.return %next, %t : tensor<i32>, tensor<4xf32>
      }) : (tensor<i32>, tensor<4xf32>) -> (tensor<i32>, tensor<4xf32>)
      return %r#1 : tensor<4xf32> })";
  };
  EXPECT_NEAR(ofScale(loop("100")) / ofScale(loop("1")), 10, 0.01); // the root of the trips
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
  std::vector<Tolerance> tolerances = estimateTolerances(module.function());
  double expected = run(module, inputs)[0].getDouble(0);
  HostTensor other = floats({}, {-2 * expected});
  EXPECT_FALSE(compare(other, floats({}, {expected}), tolerances[0]).agree);
  widenTolerances(tolerances, module.function(), inputs);
  EXPECT_TRUE(compare(other, floats({}, {expected}), tolerances[0]).agree);
  EXPECT_LT(tolerances[0].absolute, 1e-3);
}
