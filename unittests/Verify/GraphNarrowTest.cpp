// Narrow formats, clamped gates, and what latent attention is made of, from the builders: built,
// checked, and computed.
#include "TestModule.h"

#include "forge/Dialect/Transformer/Builders/Graph.h"
#include "forge/Verify/Interpreter.h"

#include <cmath>

using namespace forge;
using namespace forge::transformer;
using mlir::Value;

namespace {

class GraphNarrow : public testing::Test {
protected:
  using Arguments = std::vector<std::pair<std::vector<int64_t>, mlir::Type>>;
  using Build = llvm::function_ref<Value(Graph &, const std::vector<Value> &)>;

  Result<mlir::OwningOpRef<mlir::ModuleOp>> build(const Arguments &arguments, Build body) {
    Graph graph(context, "main");
    std::vector<Value> values;
    for (const auto &[shape, type] : arguments)
      values.push_back(graph.argument("x" + std::to_string(values.size()), shape, type));
    return graph.finish({body(graph, values)});
  }

  std::string errorOf(const Arguments &arguments, Build body) {
    auto module = build(arguments, body);
    return module ? std::string("built") : module.error().message;
  }

  HostTensor valueOf(const Arguments &arguments, Build body,
                     const std::vector<HostTensor> &inputs) {
    auto built = build(arguments, body);
    EXPECT_TRUE(static_cast<bool>(built)) << built.error().message;
    if (!built)
      return HostTensor();
    std::string text;
    llvm::raw_string_ostream(text) << **built;
    TestModule module(text);
    auto results = Interpreter(module.get()).run(module.function(), inputs);
    EXPECT_TRUE(mlir::succeeded(results)) << module.messages;
    return mlir::succeeded(results) ? results->front() : HostTensor();
  }

  mlir::MLIRContext context;
  mlir::Builder b{&context};
  mlir::Type i8 = b.getI8Type(), f32 = b.getF32Type(), f64 = b.getF64Type();
};

/// The numbers of E2M1, by code without sign (OCP Microscaling Formats v1.0, table 5).
constexpr double e2m1[] = {0, 0.5, 1, 1.5, 2, 3, 4, 6};

} // namespace

TEST_F(GraphNarrow, AllCodesOfMxfp4) {
  // Row r has the bytes 16 r to 16 r + 15 and the scale 2^(scale - 127).
  std::vector<double> bytes, scales;
  for (int row = 0; row < 16; ++row) {
    for (int i = 0; i < 16; ++i)
      bytes.push_back(static_cast<int8_t>(16 * row + i));
    scales.push_back(static_cast<int8_t>(17 * row));
  }
  HostTensor y =
      valueOf({{{16, 1, 16}, i8}, {{16, 1}, i8}},
              [&](Graph &g, const std::vector<Value> &x) { return g.fromMxfp4(x[0], x[1], f32); },
              {floats({16, 1, 16}, bytes, DType::I8), floats({16, 1}, scales, DType::I8)});
  ASSERT_EQ(y.dims(), (std::vector<int64_t>{16, 32}));
  for (int row = 0; row < 15; ++row)
    for (int i = 0; i < 32; ++i) {
      int byte = 16 * row + i / 2, code = i % 2 ? byte >> 4 : byte & 15;
      double number = (code & 8 ? -1 : 1) * e2m1[code & 7];
      EXPECT_EQ(y.getDouble(32 * row + i), std::ldexp(number, 17 * row - 127)) << row << " " << i;
    }
}

TEST_F(GraphNarrow, Mxfp4ThatDoesNotFit) {
  auto build = [&](Graph &g, const std::vector<Value> &x) { return g.fromMxfp4(x[0], x[1], f32); };
  EXPECT_EQ(errorOf({{{2, 1, 8}, i8}, {{2, 1}, i8}}, build),
            "fromMxfp4 'x0': expected blocks of 16 bytes, but got 8");
  EXPECT_EQ(errorOf({{{2, 1, 16}, i8}, {{2, 2}, i8}}, build),
            "fromMxfp4 'x0': expected scales of shape [2, 1], but got tensor<2x2xi8>");
  EXPECT_EQ(errorOf({{{2, 1, 16}, f32}, {{2, 1}, i8}}, build),
            "fromMxfp4 'x0': expected blocks and scales of i8 and of static shape");
}

TEST_F(GraphNarrow, ClampedGate) {
  auto build = [](Graph &g, const std::vector<Value> &x) {
    return g.clampedGate(x[0], x[1], 1.5, 2);
  };
  std::vector<double> gate = {-5, -1, 0.5, 3}, up = {-3, 0.25, 1, 7};
  HostTensor y = valueOf({{{4}, f64}, {{4}, f64}}, build,
                         {floats({4}, gate, DType::F64), floats({4}, up, DType::F64)});
  ASSERT_EQ(y.numElements(), 4);
  for (size_t i = 0; i < 4; ++i) {
    double g = std::min(gate[i], 2.0), u = std::clamp(up[i], -2.0, 2.0);
    EXPECT_NEAR(y.getDouble(static_cast<int64_t>(i)), (u + 1) * g / (1 + std::exp(-1.5 * g)),
                1e-12);
  }
  EXPECT_EQ(errorOf({{{4}, f64}, {{4}, f64}},
                    [](Graph &g, const std::vector<Value> &x) {
                      return g.clampedGate(x[0], x[1], 1, 0);
                    }),
            "clampedGate: expected a finite limit above 0");
}

TEST_F(GraphNarrow, JoinedInEachHead) {
  // [1, 2, 1, 2] and one head [1, 1, 1, 1].
  auto build = [](Graph &g, const std::vector<Value> &x) {
    return g.joined(x[0], g.inEachHead(x[1], 2));
  };
  HostTensor y = valueOf(
      {{{1, 2, 1, 2}, f64}, {{1, 1, 1, 1}, f64}}, build,
      {floats({1, 2, 1, 2}, {1, 2, 3, 4}, DType::F64), floats({1, 1, 1, 1}, {9}, DType::F64)});
  ASSERT_EQ(y.dims(), (std::vector<int64_t>{1, 2, 1, 3}));
  std::vector<double> expected = {1, 2, 9, 3, 4, 9};
  for (size_t i = 0; i < expected.size(); ++i)
    EXPECT_EQ(y.getDouble(static_cast<int64_t>(i)), expected[i]);
  EXPECT_EQ(errorOf({{{1, 2, 1, 2}, f64}, {{1, 2, 1, 2}, f64}}, build),
            "inEachHead: expected an input of one head");
}

TEST_F(GraphNarrow, EveryOtherColumn) {
  auto columns = [](int64_t begin, int64_t size) {
    return [=](Graph &g, const std::vector<Value> &x) { return g.columns(x[0], begin, size, 2); };
  };
  HostTensor y =
      valueOf({{{1, 5}, f64}}, columns(1, 2), {floats({1, 5}, {0, 1, 2, 3, 4}, DType::F64)});
  ASSERT_EQ(y.numElements(), 2);
  EXPECT_EQ(y.getDouble(0), 1);
  EXPECT_EQ(y.getDouble(1), 3);
  EXPECT_EQ(errorOf({{{1, 5}, f64}}, columns(1, 3)),
            "columns 'x0': expected columns below 5, but got 1 to 6");
}

TEST_F(GraphNarrow, RoutesInGroups) {
  auto route = [](int64_t k, int64_t groups, int64_t topGroups) {
    return [=](Graph &g, const std::vector<Value> &x) {
      RouteOptions options;
      options.k = k;
      options.score = RouterScore::Sigmoid;
      options.normalize = false;
      options.groups = groups;
      options.topGroups = topGroups;
      options.scale = 2;
      return g.route(x[0], options).first;
    };
  };
  // The second group has the larger sum of two; the first the largest expert.
  HostTensor y =
      valueOf({{{1, 4}, f64}}, route(1, 2, 1), {floats({1, 4}, {3, -9, 2, 1}, DType::F64)});
  ASSERT_EQ(y.numElements(), 1);
  EXPECT_NEAR(y.getDouble(0), 2 / (1 + std::exp(-2.0)), 1e-12);
  EXPECT_EQ(errorOf({{{1, 4}, f64}}, route(3, 2, 1)),
            "route 'x0': expected groups of two experts or more, and enough of them for 3 experts "
            "per token");
}
