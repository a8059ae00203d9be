// Blocks from the builders: their gradients, their execution, and their key-value cache.
#include "GradientCheck.h"

#include "forge/Dialect/Transformer/Builders/Blocks.h"
#include "forge/Verify/Verify.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace forge;
using namespace forge::transformer;
using mlir::Value;

namespace {

constexpr int64_t kTokens = 4;

LlamaConfig smallLlama() {
  return {.hidden = 12,
          .heads = 4,
          .kvHeads = 2,
          .headDim = 4,
          .intermediate = 10,
          .rope = {.base = 100}};
}
Gpt2Config smallGpt2() { return {.hidden = 12, .heads = 3, .intermediate = 10}; }
MoeConfig smallMoe() {
  return {.hidden = 12, .experts = 5, .expertsPerToken = 2, .intermediate = 6};
}

/// Builds one of the blocks over x [2, tokens, 12].
enum class Kind { Llama, Gpt2, Moe };

std::string textOf(Result<mlir::OwningOpRef<mlir::ModuleOp>> module) {
  EXPECT_TRUE(static_cast<bool>(module)) << module.error().message;
  if (!module)
    return "";
  std::string text;
  llvm::raw_string_ostream(text) << **module;
  return text;
}

Value addBlock(Graph &graph, Kind kind, Value x, mlir::Type element, KvCache *cache) {
  if (kind == Kind::Gpt2)
    return gpt2Block(graph, x, gpt2Weights(graph, "h.0.", smallGpt2(), element), smallGpt2(),
                     cache);
  LlamaConfig config = smallLlama();
  if (kind == Kind::Moe)
    config.intermediate = 0;
  LlamaWeights weights = llamaWeights(graph, "model.layers.0.", config, element);
  if (kind == Kind::Llama)
    return llamaBlock(graph, x, weights, config, cache);
  return moeBlock(graph, x, weights, config,
                  moeWeights(graph, "model.layers.0.mlp.", smallMoe(), element), smallMoe(), cache);
}

std::string blockText(Kind kind, const char *element) {
  mlir::MLIRContext context;
  Graph graph(context, "main");
  mlir::Builder b(&context);
  mlir::Type type = element == std::string("f64") ? mlir::Type(b.getF64Type()) : b.getF32Type();
  Value x = graph.argument("x", {2, kTokens, 12}, type);
  return textOf(graph.finish({addBlock(graph, kind, x, type, nullptr)}));
}

/// Takes `tokens` new tokens and a cache of eight; returns the hidden states and the new cache.
std::string decodeText(Kind kind, int64_t tokens) {
  mlir::MLIRContext context;
  Graph graph(context, "main");
  mlir::Builder b(&context);
  int64_t heads = kind == Kind::Gpt2 ? 3 : 2, depth = 4;
  Value x = graph.argument("x", {2, tokens, 12}, b.getF64Type());
  KvCache cache{graph.argument("keys", {2, heads, 8, depth}, b.getF64Type()),
                graph.argument("values", {2, heads, 8, depth}, b.getF64Type()),
                graph.argument("length", {2}, b.getI32Type())};
  Value y = addBlock(graph, kind, x, b.getF64Type(), &cache);
  return textOf(graph.finish({y, cache.keys, cache.values, cache.length}));
}

class BlocksTest : public testing::TestWithParam<Kind> {};
INSTANTIATE_TEST_SUITE_P(All, BlocksTest, testing::Values(Kind::Llama, Kind::Gpt2, Kind::Moe));

std::vector<HostTensor> interpret(TestModule &module, const std::vector<HostTensor> &inputs) {
  auto results = Interpreter(module.get()).run(module.function(), inputs);
  EXPECT_TRUE(mlir::succeeded(results)) << module.messages;
  return mlir::succeeded(results) ? *results : std::vector<HostTensor>();
}

} // namespace

// Of every weight and of the hidden states, in double.
TEST_P(BlocksTest, GradientsAreThoseOfFiniteDifferences) {
  std::string text = blockText(GetParam(), "f64");
  for (uint64_t seed = 0; seed < 4; ++seed)
    EXPECT_EQ(GradientCheck(text, seed).run(), "") << text;
}

TEST_P(BlocksTest, CompiledBlockAgreesWithReference) {
  TestModule module(blockText(GetParam(), "f32"));
  auto report = forge::verify(module.get(), VerifyOptions());
  ASSERT_TRUE(mlir::succeeded(report)) << module.messages;
  EXPECT_TRUE(report->agree()) << describe(*report);
}

TEST_P(BlocksTest, CompiledGradientsAgreeWithReference) {
  TestModule module(blockText(GetParam(), "f32"));
  ASSERT_TRUE(mlir::succeeded(transformer::differentiate(module.function(), {})));
  VerifyOptions options;
  options.function = "main_grad";
  auto report = forge::verify(module.get(), options);
  ASSERT_TRUE(mlir::succeeded(report)) << module.messages;
  EXPECT_TRUE(report->agree()) << describe(*report);
}

// Token by token with a cache gives what all tokens at once give.
TEST_P(BlocksTest, DecodeWithCacheEqualsPrefill) {
  TestModule whole(blockText(GetParam(), "f64")), step(decodeText(GetParam(), 1));
  std::vector<HostTensor> inputs = *makeInputs(whole.function(), {});
  HostTensor expected = interpret(whole, inputs)[0];
  int64_t heads = GetParam() == Kind::Gpt2 ? 3 : 2;
  HostTensor keys = *HostTensor::create(DType::F64, {2, heads, 8, 4}), values = keys,
             length = *HostTensor::create(DType::I32, {2});
  for (int64_t s = 0; s < kTokens; ++s) {
    HostTensor token = *HostTensor::create(DType::F64, {2, 1, 12});
    for (int64_t b = 0; b < 2; ++b)
      for (int64_t d = 0; d < 12; ++d)
        token.setDouble(b * 12 + d, inputs[0].getDouble((b * kTokens + s) * 12 + d));
    std::vector<HostTensor> arguments = {token, keys, values, length};
    arguments.insert(arguments.end(), inputs.begin() + 1, inputs.end());
    std::vector<HostTensor> results = interpret(step, arguments);
    ASSERT_EQ(results.size(), 4u);
    for (int64_t b = 0; b < 2; ++b)
      for (int64_t d = 0; d < 12; ++d)
        EXPECT_NEAR(results[0].getDouble(b * 12 + d),
                    expected.getDouble((b * kTokens + s) * 12 + d), 1e-12);
    keys = results[1];
    values = results[2];
    length = results[3];
    EXPECT_EQ(reference::getInteger(length, 0), s + 1);
  }
}

TEST(Graph, ErrorsNameTheCallAndTheShapes) {
  mlir::MLIRContext context;
  mlir::Builder b(&context);
  auto errorOf = [&](auto build) {
    Graph graph(context, "main");
    Value x = graph.argument("x", {2, 3, 8}, b.getF32Type());
    Value y = build(graph, x);
    auto module = graph.finish({y});
    return module ? std::string("built") : module.error().message;
  };
  EXPECT_EQ(errorOf([&](Graph &g, Value x) {
              return g.linear(x, g.argument("q_proj", {8, 6}, b.getF32Type()));
            }),
            "linear 'q_proj': expected weights of shape [?, 8], but got tensor<8x6xf32>");
  EXPECT_EQ(errorOf([&](Graph &g, Value x) {
              return g.linear(x, g.argument("w", {6, 8}, b.getF32Type()),
                              {.bias = g.argument("b", {8}, b.getF32Type())});
            }),
            "linear 'w': expected bias of shape [6], but got tensor<8xf32>");
  EXPECT_EQ(errorOf([&](Graph &g, Value x) {
              return g.linear(x, g.argument("w", {6, 8}, b.getBF16Type()));
            }),
            "linear 'w': expected weights of f32, but got tensor<6x8xbf16>");
  EXPECT_EQ(errorOf([&](Graph &g, Value x) { return g.splitHeads(x, 3); }),
            "splitHeads: expected features that 3 heads divide, but got 8");
  EXPECT_EQ(errorOf([&](Graph &g, Value x) { return g.add(x, g.columns(x, 0, 4)); }),
            "add: expected right operand of shape [2, 3, 8], but got tensor<2x3x4xf32>");
  EXPECT_EQ(errorOf([&](Graph &g, Value x) { return g.columns(x, 6, 4); }),
            "columns 'x': expected columns below 8, but got 6 to 10");
  EXPECT_EQ(errorOf([&](Graph &g, Value x) { return g.attention(x, x, x); }),
            "attention: expected query of rank 4, but got tensor<2x3x8xf32>");
  EXPECT_EQ(errorOf([&](Graph &g, Value x) { return g.linear(x, Value()); }),
            "linear: expected weights, but got none");
  EXPECT_EQ(errorOf([&](Graph &g, Value x) {
              return g.layerNorm(x, g.argument("ln", {6}, b.getF32Type()), {}, 1e-5);
            }),
            "layerNorm 'ln': expected scale of shape [8], but got tensor<6xf32>");
  EXPECT_EQ(errorOf([&](Graph &g, Value x) {
              Value q = g.splitHeads(x, 2);
              return g.attention(q, g.argument("k", {2, 2, 5, 8}, b.getF32Type()), q);
            }),
            "attention: expected key of shape [2, ?, ?, 4], but got tensor<2x2x5x8xf32>");
  LlamaConfig config = smallLlama();
  config.heads = 3;
  EXPECT_EQ(errorOf([&](Graph &g, Value x) {
              return llamaBlock(g, x, llamaWeights(g, "", config, b.getF32Type()), config);
            }),
            "llamaWeights: expected heads to be a multiple of the 2 kvHeads, but got 3");
  EXPECT_EQ(
      errorOf([&](Graph &g, Value x) { return g.route(g.reshape(x, {6, 8}), {.k = 9}).first; }),
      "route: expected 1 to 8 experts per token, but got 9");
}

// After the first error nothing is built, and the first error stays.
TEST(Graph, FirstErrorStays) {
  mlir::MLIRContext context;
  mlir::Builder b(&context);
  Graph graph(context, "main");
  Value x = graph.argument("x", {2, 3, 8}, b.getF32Type());
  Value bad = graph.splitHeads(x, 5), after = graph.add(x, x);
  EXPECT_FALSE(bad || after);
  EXPECT_TRUE(graph.hasFailed());
  EXPECT_EQ(graph.error(), "splitHeads: expected features that 5 heads divide, but got 8");
  EXPECT_FALSE(static_cast<bool>(graph.finish({after})));
}

// A graph is over once it is finished, and operands that are no tensors are told.
TEST(Graph, MisuseIsAnError) {
  mlir::MLIRContext context;
  mlir::Builder b(&context);
  Graph graph(context, "main");
  Value x = graph.argument("x", {2, 3, 8}, b.getF32Type());
  auto module = graph.finish({x});
  ASSERT_TRUE(static_cast<bool>(module));
  EXPECT_FALSE(graph.add(x, x));
  EXPECT_EQ(graph.error(), "add: the graph is finished");
  EXPECT_FALSE(static_cast<bool>(graph.finish({x})));

  Graph scalars(context, "main");
  Value number = mlir::arith::ConstantIndexOp::create(scalars.builder(), 3);
  EXPECT_FALSE(scalars.activation(ActivationKind::Relu, number));
  EXPECT_EQ(scalars.error(), "activation: expected a ranked tensor for input, but got index");
  Graph untyped(context, "main");
  EXPECT_FALSE(untyped.argument("x", {2}, mlir::Type()));
  EXPECT_EQ(untyped.error(), "argument 'x': invalid element type");
}

TEST(Graph, ErrorsOfPagesAndNarrowWeights) {
  mlir::MLIRContext context;
  mlir::Builder b(&context);
  mlir::Type f32 = b.getF32Type(), i32 = b.getI32Type();
  auto errorOf = [&](auto build) {
    Graph graph(context, "main");
    Value y = build(graph, graph.argument("x", {2, 3, 8}, f32));
    auto module = graph.finish({y});
    return module ? std::string("built") : module.error().message;
  };
  EXPECT_EQ(errorOf([&](Graph &g, Value x) {
              return g.linear(x, g.quantizedArgument("w", 6, 4, {.storage = b.getI8Type()}));
            }),
            "linear 'w': expected weights of shape [?, 8], but got tensor<6x4xi8>");
  EXPECT_EQ(errorOf([&](Graph &g, Value x) {
              return g.linear(x, g.argument("w", {6, 8}, b.getI8Type()));
            }),
            "linear 'w': expected weights of f32, but got tensor<6x8xi8>");
  EXPECT_EQ(
      errorOf([&](Graph &g, Value) { return g.quantizedArgument("w", 6, 8, {.storage = f32}); }),
      "quantizedArgument 'w': expected weights of i4, i8, f8E4M3FN or f8E5M2");
  for (QuantizedFormat format : {QuantizedFormat{.storage = b.getI8Type(), .roundsInput = true},
                                 QuantizedFormat{.storage = b.getType<mlir::Float8E4M3FNType>(),
                                                 .block = std::pair<int64_t, int64_t>(2, 2),
                                                 .roundsInput = true}})
    EXPECT_EQ(
        errorOf([&](Graph &g, Value) { return g.quantizedArgument("w", 6, 8, format); }),
        "quantizedArgument 'w': expected f8 and a scale for each output feature to round inputs");
  EXPECT_EQ(errorOf([&](Graph &g, Value x) {
              Value q = g.splitHeads(x, 2), pages = g.argument("pages", {5, 2, 4, 4}, f32);
              return g.pagedAttention(q, pages, pages, g.argument("table", {3, 2}, i32),
                                      {.lengths = g.argument("lengths", {2}, i32)});
            }),
            "pagedAttention: expected table of shape [2, ?], but got tensor<3x2xi32>");
  EXPECT_EQ(errorOf([&](Graph &g, Value x) {
              LlamaModelConfig config{.block = smallLlama(), .layers = 2};
              return llamaModel(g, x, llamaModelWeights(g, config, f32), config);
            }),
            "llamaModelWeights: expected vocabulary above 0, but got 0");
}

namespace {

/// One step of decoding for two sequences with a cache of eight tokens each, contiguous or in
/// pages.
std::string stepText(bool paged) {
  mlir::MLIRContext context;
  Graph graph(context, "main");
  mlir::Builder b(&context);
  Value x = graph.argument("x", {2, 1, 12}, b.getF64Type());
  std::vector<int64_t> shape =
      paged ? std::vector<int64_t>{4, 2, 4, 4} : std::vector<int64_t>{2, 2, 8, 4};
  KvCache cache{graph.argument("keys", shape, b.getF64Type()),
                graph.argument("values", shape, b.getF64Type()),
                graph.argument("length", {2}, b.getI32Type())};
  if (paged)
    cache.table = graph.argument("table", {2, 2}, b.getI32Type());
  LlamaConfig config = smallLlama();
  Value y = llamaBlock(graph, x, llamaWeights(graph, "", config, b.getF64Type()), config, &cache);
  return textOf(graph.finish({y, cache.keys}));
}

} // namespace

// The same keys in pages give the same hidden states, and the new key goes where the table says.
TEST(Blocks, PagesEqualAContiguousCache) {
  TestModule plain(stepText(false)), paged(stepText(true));
  std::vector<HostTensor> inputs = *makeInputs(plain.function(), {});
  inputs[3] = ints({2}, {5, 2});
  HostTensor table = ints({2, 2}, {2, 0, 1, 3});
  auto inPages = [&](const HostTensor &tensor) {
    HostTensor pages = *HostTensor::create(DType::F64, {4, 2, 4, 4});
    for (int64_t sequence = 0; sequence < 2; ++sequence)
      for (int64_t head = 0; head < 2; ++head)
        for (int64_t t = 0; t < 8; ++t)
          for (int64_t d = 0; d < 4; ++d) {
            int64_t page = static_cast<int64_t>(reference::getInteger(table, sequence * 2 + t / 4));
            pages.setDouble(((page * 2 + head) * 4 + t % 4) * 4 + d,
                            tensor.getDouble(((sequence * 2 + head) * 8 + t) * 4 + d));
          }
    return pages;
  };
  std::vector<HostTensor> expected = interpret(plain, inputs);
  std::vector<HostTensor> arguments = {inputs[0], inPages(inputs[1]), inPages(inputs[2]), inputs[3],
                                       table};
  arguments.insert(arguments.end(), inputs.begin() + 4, inputs.end());
  std::vector<HostTensor> results = interpret(paged, arguments);
  ASSERT_EQ(results.size(), 2u);
  for (int64_t i = 0; i < results[0].numElements(); ++i)
    EXPECT_NEAR(results[0].getDouble(i), expected[0].getDouble(i), 1e-12);
  HostTensor keys = inPages(expected[1]);
  for (int64_t i = 0; i < keys.numElements(); ++i)
    EXPECT_EQ(results[1].getDouble(i), keys.getDouble(i));
}

// Weights of every narrow kind: the compiled block, and the gradients of scales, norms and hidden
// states.
TEST(Blocks, NarrowWeights) {
  for (bool blocks : {false, true}) {
    auto textWith = [&](bool wide) {
      mlir::MLIRContext context;
      Graph graph(context, "main");
      mlir::Builder b(&context);
      LlamaConfig config = smallLlama();
      config.quantized = QuantizedFormat{.storage = b.getI8Type(), .zeroPoint = blocks};
      if (blocks)
        config.quantized->block = {4, 5};
      mlir::Type element = wide ? mlir::Type(b.getF64Type()) : mlir::Type(b.getF32Type());
      Value x = graph.argument("x", {1, 3, 12}, element);
      LlamaWeights weights = llamaWeights(graph, "", config, element);
      return textOf(graph.finish({llamaBlock(graph, x, weights, config)}));
    };
    TestModule module(textWith(false));
    auto report = forge::verify(module.get(), VerifyOptions());
    ASSERT_TRUE(mlir::succeeded(report)) << module.messages;
    EXPECT_TRUE(report->agree()) << describe(*report);
    TestModule wide(textWith(true));
    EXPECT_TRUE(mlir::succeeded(transformer::differentiate(wide.function(), {}))) << wide.messages;
  }
}

// Inputs in 8 bits, too: the compiled block, and an error where a gradient is asked for.
TEST(Blocks, InputsInFloat8) {
  mlir::MLIRContext context;
  Graph graph(context, "main");
  mlir::Builder b(&context);
  LlamaConfig config = smallLlama();
  config.quantized =
      QuantizedFormat{.storage = b.getType<mlir::Float8E4M3FNType>(), .roundsInput = true};
  Value x = graph.argument("x", {1, 3, 12}, b.getBF16Type());
  LlamaWeights weights = llamaWeights(graph, "", config, b.getBF16Type());
  std::string text = textOf(graph.finish({llamaBlock(graph, x, weights, config)}));
  TestModule module(text);
  auto report = forge::verify(module.get(), VerifyOptions());
  ASSERT_TRUE(mlir::succeeded(report)) << module.messages;
  EXPECT_TRUE(report->agree()) << describe(*report);
  TestModule trained(text);
  EXPECT_TRUE(mlir::failed(transformer::differentiate(trained.function(), {})));
  EXPECT_NE(trained.messages.find("quantize_rows"), std::string::npos) << trained.messages;
}

// From tokens to the loss, with the head tied to the embedding.
TEST(Blocks, GradientsOfAModelsLoss) {
  mlir::MLIRContext context;
  Graph graph(context, "main");
  mlir::Builder b(&context);
  LlamaModelConfig config{
      .block = smallLlama(), .layers = 2, .vocabulary = 7, .tiedEmbeddings = true};
  Value tokens = graph.argument("tokens", {2, kTokens}, b.getI32Type());
  Value targets = graph.argument("targets", {2, kTokens}, b.getI32Type());
  LlamaModelWeights weights = llamaModelWeights(graph, config, b.getF64Type());
  Value loss = graph.crossEntropy(llamaModel(graph, tokens, weights, config), targets);
  std::string text = textOf(graph.finish({loss}));
  EXPECT_EQ(GradientCheck(text).run(), "") << text;
}
