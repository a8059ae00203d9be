#include "RandomModel.h"

#include "forge/Dialect/Transformer/Builders/Blocks.h"
#include "forge/Dialect/Transformer/Transforms/Differentiation.h"

#include <random>

using namespace forge;
using namespace forge::transformer;
using mlir::Value;

namespace {

/// Numbers from a seed, the same on every machine.
class Draw {
public:
  explicit Draw(uint64_t seed) : generator(seed) {}
  int64_t operator()(int64_t low, int64_t high) {
    return low + static_cast<int64_t>(generator() % static_cast<uint64_t>(high - low + 1));
  }
  template <typename T> T of(std::initializer_list<T> choices) {
    return choices.begin()[(*this)(0, static_cast<int64_t>(choices.size()) - 1)];
  }
  bool one(int64_t in) { return (*this)(1, in) == 1; }

private:
  std::mt19937_64 generator;
};

/// 1. The shapes are drawn: heads, widths, lengths, how matrices are stored, the cache.
/// 2. Tokens go through the embedding, the blocks of the family, a norm and the head.
/// 3. The results: logits and caches, a token that follows from them, or a loss and its gradients.
class Maker {
public:
  Maker(mlir::MLIRContext &context, uint64_t seed, const ExampleOptions &options)
      : context(context), b(&context), draw(seed), graph(context, "model") {
    family = draw.of<std::string>({"llama", "gpt2", "moe"});
    mode = draw.of<std::string>({"prefill", "decode", "decode", "train"});
    layers = draw(1, 3);
    if (!options.family.empty())
      family = options.family;
    if (!options.mode.empty())
      mode = options.mode;
    layers = options.layers.value_or(layers);
  }

  RandomModel make() {
    drawShapes();
    RandomModel result{Error{""}, "model", describe()};
    Value tokens = graph.argument("tokens", {batch, length}, b.getI32Type());
    drawCaches();
    Value logits = build(tokens);
    if (mode != "train") {
      result.module = graph.finish(resultsOf(logits));
      return result;
    }
    Value targets = graph.argument("targets", {batch, length}, b.getI32Type());
    result.module = graph.finish({graph.crossEntropy(logits, targets)});
    result.function = "model_grad";
    if (!result.module)
      return result;
    auto loss = (**result.module).lookupSymbol<mlir::func::FuncOp>("model");
    DifferentiationOptions options;
    options.primalResults = true;
    if (mlir::failed(differentiate(loss, options)))
      result.module = Error{"the loss has no gradient"};
    return result;
  }

private:
  enum class CacheKind { None, Whole, Pages };

  void drawShapes() {
    element = b.getF32Type();
    if (draw.one(3))
      element = draw.one(2) ? mlir::Type(b.getBF16Type()) : mlir::Type(b.getF16Type());
    batch = draw(1, 3);
    length = mode == "decode" ? draw.of<int64_t>({1, 1, 1, 2, 3}) : draw(1, 12);
    vocabulary = draw(3, 40);
    attention.kvHeads = draw(1, 3);
    attention.heads = attention.kvHeads * draw(1, 4);
    attention.headDim = draw.of<int64_t>({2, 4, 6, 8, 8, 12, 16, 16, 32});
    attention.hidden = draw.one(2) ? draw(2, 6) * 8 : draw(3, 50);
    attention.rope.base = draw.of<double>({100, 10000});
    attention.rope.interleaved = draw.one(3);
    if (draw.one(4))
      attention.window = draw(1, 6);
    intermediate = draw.one(2) ? draw(1, 8) * 8 : draw(2, 70);
    cacheKind = mode == "train" ? CacheKind::None
                : mode == "decode"
                    ? draw.of<CacheKind>({CacheKind::Whole, CacheKind::Pages})
                    : draw.of<CacheKind>({CacheKind::None, CacheKind::Whole, CacheKind::Pages});
    isTied = draw.one(3);
    if (mode != "train" && family != "gpt2" && draw.one(3))
      drawFormat();
    if (attention.headDim > 2 && draw.one(4))
      attention.rope.rotaryDims = draw(1, attention.headDim / 2) * 2;
    layout = draw.of<WeightLayout>({WeightLayout::OutIn, WeightLayout::InOut});
    activation = draw.of<ActivationKind>({ActivationKind::GeluTanh, ActivationKind::Gelu,
                                          ActivationKind::Silu, ActivationKind::Relu});
    if (family == "gpt2")
      attention.hidden = attention.heads * attention.headDim;
    experts.hidden = attention.hidden;
    experts.experts = draw(2, 6);
    experts.expertsPerToken = draw(1, std::min<int64_t>(experts.experts, 3));
    experts.intermediate = draw(2, 40);
    experts.normalize = !draw.one(3);
    if (draw.one(3))
      experts.activation = activation;
    if (family != "moe")
      attention.intermediate = family == "llama" ? intermediate : 0;
  }

  /// Blocks of scales divide the matrices only where all widths are multiples of them.
  void drawFormat() {
    QuantizedFormat format{.storage = b.getI8Type()};
    int64_t kind = draw(0, 3);
    if (kind == 1)
      format.storage = b.getIntegerType(4);
    if (kind == 2)
      format.storage = mlir::Float8E4M3FNType::get(&context);
    if (kind == 3)
      format.storage = mlir::Float8E5M2Type::get(&context);
    format.zeroPoint = kind < 2 && draw.one(2);
    if (draw.one(2)) {
      attention.hidden = draw(1, 5) * 8;
      attention.headDim = draw.of<int64_t>({8, 16});
      intermediate = draw(1, 6) * 8;
      format.block =
          std::pair<int64_t, int64_t>(draw.of<int64_t>({1, 2, 8}), draw.of<int64_t>({2, 4, 8}));
    }
    // Roundings of inputs have no gradient.
    format.roundsInput = kind >= 2 && !format.block && mode != "train" && draw.one(2);
    attention.quantized = format;
  }

  int64_t cacheHeads() const { return family == "gpt2" ? attention.heads : attention.kvHeads; }

  void drawCaches() {
    if (cacheKind == CacheKind::None)
      return;
    mlir::Type i32 = b.getI32Type();
    Value start = graph.argument("length", {batch}, i32), table;
    llvm::SmallVector<int64_t> shape = {batch, cacheHeads(), length + draw(0, 12),
                                        attention.headDim};
    if (cacheKind == CacheKind::Pages) {
      int64_t rows = draw.of<int64_t>({1, 2, 4, 8}), pages = (shape[2] + rows - 1) / rows;
      table = graph.argument("table", {batch, pages}, i32);
      shape[0] = batch * pages + draw(0, 3);
      shape[2] = rows;
    }
    for (int64_t layer = 0; layer < layers; ++layer) {
      std::string name = "." + std::to_string(layer);
      caches.push_back({graph.argument("keys" + name, shape, element),
                        graph.argument("values" + name, shape, element), start, table});
    }
  }

  Value block(Value x, int64_t layer) {
    KvCache *cache = caches.empty() ? nullptr : &caches[static_cast<size_t>(layer)];
    if (family == "gpt2") {
      Gpt2Config config{.hidden = attention.hidden,
                        .heads = attention.heads,
                        .intermediate = intermediate,
                        .activation = activation,
                        .layout = layout};
      std::string prefix = "h." + std::to_string(layer) + ".";
      return gpt2Block(graph, x, gpt2Weights(graph, prefix, config, element), config, cache);
    }
    std::string prefix = "model.layers." + std::to_string(layer) + ".";
    LlamaWeights weights = llamaWeights(graph, prefix, attention, element);
    if (family == "llama")
      return llamaBlock(graph, x, weights, attention, cache);
    MoeWeights expertWeights = moeWeights(graph, prefix + "block_sparse_moe.", experts, element);
    return moeBlock(graph, x, weights, attention, expertWeights, experts, cache);
  }

  Value build(Value tokens) {
    llvm::SmallVector<int64_t> table = {vocabulary, attention.hidden};
    Value embedding = graph.argument("model.embed_tokens.weight", table, element);
    Value x = graph.embedding(embedding, tokens);
    for (int64_t layer = 0; layer < layers && !graph.hasFailed(); ++layer)
      x = block(x, layer);
    Value scale = graph.argument("model.norm.weight", {attention.hidden}, element);
    x = family == "gpt2"
            ? graph.layerNorm(x, scale,
                              graph.argument("model.norm.bias", {attention.hidden}, element), 1e-5)
            : graph.rmsNorm(x, scale, 1e-5);
    return graph.linear(x, isTied ? embedding : graph.argument("lm_head.weight", table, element));
  }

  std::vector<Value> resultsOf(Value logits) {
    std::vector<Value> results = {logits};
    if (mode == "decode") {
      Value last = graph.lastToken(logits);
      results.push_back(last);
      if (draw.one(2))
        results.push_back(graph.argmax(last));
      else
        results.push_back(graph.sample(last, graph.argument("seeds", {batch}, b.getI64Type()),
                                       graph.argument("steps", {batch}, b.getI64Type())));
    }
    for (const KvCache &cache : caches)
      results.insert(results.end(), {cache.keys, cache.values});
    if (!caches.empty())
      results.push_back(caches.back().length);
    return results;
  }

  std::string describe() {
    std::string text = family + " " + mode + ", " + std::to_string(layers) + " layers, ";
    llvm::raw_string_ostream os(text);
    os << element << ", batch " << batch << ", tokens " << length << ", hidden " << attention.hidden
       << ", heads " << attention.heads << "/" << cacheHeads() << " of " << attention.headDim
       << ", "
       << (cacheKind == CacheKind::None    ? "no cache"
           : cacheKind == CacheKind::Whole ? "cache"
                                           : "pages");
    if (attention.window && family != "gpt2")
      os << ", window " << *attention.window;
    if (attention.quantized) {
      os << ", weights of " << attention.quantized->storage;
      if (attention.quantized->block)
        os << " in blocks";
      if (attention.quantized->roundsInput)
        os << ", inputs too";
    }
    return text;
  }

  mlir::MLIRContext &context;
  mlir::Builder b;
  Draw draw;
  Graph graph;
  std::string family, mode;
  int64_t layers = 1, batch = 1, length = 1, vocabulary = 0, intermediate = 0;
  mlir::Type element;
  LlamaConfig attention;
  MoeConfig experts;
  WeightLayout layout = WeightLayout::OutIn;
  ActivationKind activation = ActivationKind::GeluTanh;
  CacheKind cacheKind = CacheKind::None;
  bool isTied = false;
  std::vector<KvCache> caches;
};

} // namespace

RandomModel forge::makeRandomModel(mlir::MLIRContext &context, uint64_t seed,
                                   const ExampleOptions &options) {
  return Maker(context, seed, options).make();
}
