// Rotary positions by frequencies that are given to the builder: built, checked, and computed.
#include "TestModule.h"

#include "forge/Dialect/Transformer/Builders/Graph.h"
#include "forge/Verify/Interpreter.h"

#include <cmath>

using namespace forge;
using namespace forge::transformer;
using mlir::Value;

namespace {

/// Rotates x [1, 1, 2, 6] of f64 by positions [2] of i32.
class GraphRope : public testing::Test {
protected:
  Result<mlir::OwningOpRef<mlir::ModuleOp>> build(const RopeBuildOptions &options) {
    Graph graph(context, "main");
    Value x = graph.argument("x", {1, 1, 2, 6}, b.getF64Type());
    Value positions = graph.argument("positions", {2}, b.getI32Type());
    return graph.finish({graph.rope(x, positions, options)});
  }

  std::string errorOf(const RopeBuildOptions &options) {
    auto module = build(options);
    return module ? std::string("built") : module.error().message;
  }

  HostTensor valueOf(const RopeBuildOptions &options, std::vector<double> positions) {
    auto built = build(options);
    EXPECT_TRUE(static_cast<bool>(built)) << built.error().message;
    if (!built)
      return HostTensor();
    std::string text;
    llvm::raw_string_ostream(text) << **built;
    TestModule module(text);
    auto results =
        Interpreter(module.get()).run(module.function(), {x, floats({2}, positions, DType::I32)});
    EXPECT_TRUE(mlir::succeeded(results)) << module.messages;
    return mlir::succeeded(results) ? results->front() : HostTensor();
  }

  mlir::MLIRContext context;
  mlir::Builder b{&context};
  HostTensor x = floats({1, 1, 2, 6}, {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12}, DType::F64);
};

/// Pairs (0, 2) and (1, 3) of each row, by position * frequency, times factor.
void expectRotated(const HostTensor &x, const HostTensor &y, const std::vector<double> &positions,
                   const std::vector<double> &frequencies, double factor) {
  ASSERT_EQ(y.numElements(), 12);
  for (int64_t row = 0; row < 2; ++row) {
    for (int64_t i = 0; i < 2; ++i) {
      double angle = positions[static_cast<size_t>(row)] * frequencies[static_cast<size_t>(i)];
      double first = x.getDouble(row * 6 + i), second = x.getDouble(row * 6 + i + 2);
      EXPECT_NEAR(y.getDouble(row * 6 + i),
                  factor * (first * std::cos(angle) - second * std::sin(angle)), 1e-12);
      EXPECT_NEAR(y.getDouble(row * 6 + i + 2),
                  factor * (second * std::cos(angle) + first * std::sin(angle)), 1e-12);
    }
    // The rest passes through.
    for (int64_t i = 4; i < 6; ++i)
      EXPECT_EQ(y.getDouble(row * 6 + i), x.getDouble(row * 6 + i));
  }
}

} // namespace

TEST_F(GraphRope, LongFrequenciesFromAPositionOn) {
  RopeBuildOptions options;
  options.rotaryDims = 4;
  options.frequencies = {1, 0.25};
  options.longFrequencies = {0.5, 0.125};
  options.longFrom = 5;
  options.factor = 1.5;
  expectRotated(x, valueOf(options, {3, 4}), {3, 4}, options.frequencies, 1.5);
  expectRotated(x, valueOf(options, {5, 2}), {5, 2}, options.longFrequencies, 1.5);
}

TEST_F(GraphRope, GivenFrequenciesThatDoNotFit) {
  RopeBuildOptions options;
  options.frequencies = {1, 2};
  EXPECT_EQ(errorOf(options), "rope: expected 3 frequencies, but got 2");
  options.frequencies = {1, 2, NAN};
  EXPECT_EQ(errorOf(options), "rope: expected finite frequencies");
  options.frequencies = {1, 2, 3};
  options.longFrequencies = {1, 2};
  EXPECT_EQ(errorOf(options), "rope: expected 3 frequencies, but got 2");
  options.longFrequencies = {1, 2, 3};
  EXPECT_EQ(errorOf(options),
            "rope: expected long frequencies from a position of 1 to 2^31 - 1 on, but got 0");
  options.longFrom = 1;
  options.factor = 0;
  EXPECT_EQ(errorOf(options), "rope: expected a factor that is finite and above 0");
  options = {};
  options.factor = 2;
  EXPECT_EQ(errorOf(options), "rope: expected frequencies with long ones and a factor");
}
