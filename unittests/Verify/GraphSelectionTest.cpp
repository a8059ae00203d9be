// What is behind a model's last layer, from the builders: built, checked, and computed.
#include "TestModule.h"

#include "forge/Dialect/Transformer/Builders/Graph.h"
#include "forge/Verify/Interpreter.h"

#include <cmath>

using namespace forge;
using namespace forge::transformer;
using mlir::Value;

namespace {

/// Builds a function of x [2, 3, 4] of f64 and interprets it.
class GraphSelection : public testing::Test {
protected:
  template <typename Build> std::string errorOf(Build build) {
    Graph graph(context, "main");
    Value y = build(graph, graph.argument("x", {2, 3, 4}, b.getF64Type()));
    auto module = graph.finish({y});
    return module ? std::string("built") : module.error().message;
  }

  template <typename Build>
  HostTensor valueOf(Build build, const std::vector<HostTensor> &more = {}) {
    Graph graph(context, "main");
    Value y = build(graph, graph.argument("x", {2, 3, 4}, b.getF64Type()));
    auto built = graph.finish({y});
    EXPECT_TRUE(static_cast<bool>(built)) << built.error().message;
    if (!built)
      return HostTensor();
    std::string text;
    llvm::raw_string_ostream(text) << **built;
    TestModule module(text);
    std::vector<HostTensor> inputs{x};
    inputs.insert(inputs.end(), more.begin(), more.end());
    auto results = Interpreter(module.get()).run(module.function(), inputs);
    EXPECT_TRUE(mlir::succeeded(results)) << module.messages;
    return mlir::succeeded(results) ? results->front() : HostTensor();
  }

  static std::vector<int64_t> integers(const HostTensor &tensor) {
    std::vector<int64_t> values;
    for (int64_t i = 0; i < tensor.numElements(); ++i)
      values.push_back(static_cast<int64_t>(tensor.getDouble(i)));
    return values;
  }

  mlir::MLIRContext context;
  mlir::Builder b{&context};
  mlir::Type i32 = b.getI32Type(), i64 = b.getI64Type(), f32 = b.getF32Type();
  HostTensor x = floats({2, 3, 4}, {0, 1, 2, 3, 9, 1, 2, 3, 0, 7, 2, 3, //
                                    4, 1, 2, 3, 0, 1, 8, 3, 5, 5, 2, 3},
                        DType::F64);
};

} // namespace

TEST_F(GraphSelection, LastToken) {
  HostTensor last = valueOf([](Graph &g, Value x) { return g.lastToken(x); });
  EXPECT_EQ(last.dims(), (std::vector<int64_t>{2, 4}));
  EXPECT_EQ(integers(last), (std::vector<int64_t>{0, 7, 2, 3, 5, 5, 2, 3}));
}

TEST_F(GraphSelection, FirstToken) {
  HostTensor first = valueOf([](Graph &g, Value x) { return g.firstToken(x); });
  EXPECT_EQ(first.dims(), (std::vector<int64_t>{2, 4}));
  EXPECT_EQ(integers(first), (std::vector<int64_t>{0, 1, 2, 3, 4, 1, 2, 3}));
}

TEST_F(GraphSelection, TheFirstOfEqualElementsIsTheLargest) {
  HostTensor places = valueOf([](Graph &g, Value x) { return g.argmax(x); });
  EXPECT_EQ(places.dims(), (std::vector<int64_t>{2, 3}));
  EXPECT_EQ(integers(places), (std::vector<int64_t>{3, 0, 1, 0, 2, 0}));
}

// Of one token kept there is one to be drawn.
TEST_F(GraphSelection, SampleOfTheLargest) {
  HostTensor tokens = valueOf(
      [&](Graph &g, Value x) {
        Value seeds = g.argument("seeds", {2}, i64), steps = g.argument("steps", {2}, i64);
        return g.sample(g.lastToken(x), seeds, steps, {.topK = g.argument("k", {2}, i32)});
      },
      {ints({2}, {1, 2}, DType::I64), ints({2}, {3, 4}, DType::I64), ints({2}, {1, 1})});
  EXPECT_EQ(integers(tokens), (std::vector<int64_t>{1, 0}));
}

TEST_F(GraphSelection, LossWithoutTheIgnored) {
  auto loss = [&](LossReduction reduction) {
    return valueOf(
        [&](Graph &g, Value x) {
          return g.crossEntropy(g.lastToken(x), g.argument("targets", {2}, i32),
                                {.reduction = reduction, .ignoreIndex = 3});
        },
        {ints({2}, {1, 3})});
  };
  double expected = std::log(1 + std::exp(-7) + std::exp(-5) + std::exp(-4));
  EXPECT_NEAR(loss(LossReduction::Mean).getDouble(0), expected, 1e-15);
  HostTensor each = loss(LossReduction::None);
  EXPECT_EQ(each.dims(), (std::vector<int64_t>{2}));
  EXPECT_NEAR(each.getDouble(0), expected, 1e-15);
  EXPECT_EQ(each.getDouble(1), 0);
}

TEST_F(GraphSelection, LastTokenOfAKnownNumber) {
  EXPECT_EQ(errorOf([&](Graph &g, Value) {
              return g.lastToken(g.argument("y", {2, mlir::ShapedType::kDynamic, 4}, f32));
            }),
            "lastToken: expected a static number of tokens, one or more");
  EXPECT_EQ(errorOf([&](Graph &g, Value) { return g.lastToken(g.argument("y", {2, 0, 4}, f32)); }),
            "lastToken: expected a static number of tokens, one or more");
  EXPECT_EQ(errorOf([&](Graph &g, Value x) { return g.lastToken(g.lastToken(x)); }),
            "lastToken: expected input of rank 3, but got tensor<2x4xf64>");
}

TEST_F(GraphSelection, SampleErrors) {
  EXPECT_EQ(errorOf([](Graph &g, Value x) { return g.sample(x, {}, {}); }),
            "sample: expected logits of rank 2, but got tensor<2x3x4xf64>");
  auto sampled = [&](mlir::Type seed, mlir::Type temperature, int64_t steps) {
    return errorOf([&](Graph &g, Value x) {
      return g.sample(g.lastToken(x), g.argument("seeds", {2}, seed),
                      g.argument("steps", {steps}, i64),
                      {.temperature = g.argument("temperature", {2}, temperature)});
    });
  };
  EXPECT_EQ(sampled(i64, f32, 2), "built");
  EXPECT_EQ(sampled(i32, f32, 2), "sample: expected seeds of i64");
  EXPECT_EQ(sampled(i64, i64, 2), "sample: expected temperature of f32");
  EXPECT_EQ(sampled(i64, f32, 3), "sample: expected steps of shape [2], but got tensor<3xi64>");
}

TEST_F(GraphSelection, CrossEntropyErrors) {
  EXPECT_EQ(errorOf([&](Graph &g, Value x) {
              return g.crossEntropy(x, g.argument("targets", {2, 4}, i32));
            }),
            "crossEntropy: expected targets of shape [2, 3], but got tensor<2x4xi32>");
  EXPECT_EQ(errorOf([&](Graph &g, Value x) {
              return g.crossEntropy(x, g.argument("targets", {2, 3}, i32), {.labelSmoothing = 2.0});
            }),
            "crossEntropy: expected a label smoothing from 0 to 1");
  EXPECT_EQ(errorOf([&](Graph &g, Value) {
              return g.crossEntropy(g.argument("y", {2, 0}, f32), g.argument("t", {2}, i32));
            }),
            "crossEntropy: expected a class or more");
}
