#include "Decoder.h"

using namespace forge;
using namespace forge::huggingface;
using namespace forge::transformer;
using mlir::Value;

namespace {
/// A norm's weights; both null: there is none.
struct NormWeights {
  Value scale, shift;
};

/// A matrix and its bias, which may be null.
struct LinearWeights {
  Value matrix, bias;
};

struct LayerWeights {
  NormWeights attentionNorm, feedForwardNorm, attentionResultNorm, feedForwardResultNorm;
  NormWeights queryNorm, keyNorm;
  LinearWeights query, key, value, merged, output;
  LinearWeights gate, up, mergedGate, down;
  MoeWeights experts; ///< null: none
  Value sinks;
  LinearWeights queryDown, queryUp, latentDown, latentUp;
  NormWeights queryLatentNorm, latentNorm;
  LinearWeights sharedGate, sharedUp, sharedDown;
};

/// 1. Declares weights, in the order of their names in checkpoints.
/// 2. Builds the model layer by layer.
class DecoderBuilder {
public:
  DecoderBuilder(Graph &graph, const DecoderConfig &config, const WeightTypes &types)
      : graph(graph), c(config), types(types) {}

  Value build(Value tokens, llvm::MutableArrayRef<KvCache> caches, LogitRows rows);

private:
  Value weight(const std::string &name, llvm::ArrayRef<int64_t> shape) {
    if (Value rows = blocks(name, shape))
      return graph.fromBlocks(rows, *types.blocks(name), types.element);
    mlir::Type stored = types.mixed ? types.of(name) : mlir::Type();
    if (!stored || !llvm::isa<mlir::FloatType>(stored))
      return graph.argument(name, shape, types.element);
    return graph.converted(graph.argument(name, shape, stored), types.element);
  }
  /// The bytes of a matrix [out, in] that is stored in blocks; null for others.
  Value blocks(const std::string &name, llvm::ArrayRef<int64_t> shape);
  /// A matrix [out, in], or those of all experts, [E, out, in]: as it is stored, perhaps of f8, or
  /// made narrow.
  Value matrix(const std::string &name, llvm::ArrayRef<int64_t> shape) {
    mlir::Type stored = types.of(name);
    bool isF8 = types.f8Block && stored && llvm::isa<mlir::Float8E4M3FNType>(stored);
    if (!isF8 && c.matrices == MatrixFormat::I8 && shape.size() == 2)
      return graph.quantizedArgument(name, shape[0], shape[1], {graph.builder().getI8Type()});
    if (!isF8 && c.matrices == MatrixFormat::I4 && shape.size() == 2)
      return graph.nibbleArgument(name, shape[0], shape[1], types.element);
    if (!isF8)
      return weight(name, shape);
    return graph.quantizedArgument(name, shape, {.storage = stored, .block = types.f8Block},
                                   "_scale_inv");
  }
  NormWeights normWeights(const std::string &name, int64_t size) {
    NormWeights w;
    w.scale = weight(name + ".weight", {size});
    if (c.normBiases)
      w.shift = weight(name + ".bias", {size});
    return w;
  }
  LinearWeights linearWeights(const std::string &name, int64_t out, int64_t in, bool bias) {
    LinearWeights w;
    w.matrix = c.layout == WeightLayout::OutIn ? matrix(name + ".weight", {out, in})
                                               : weight(name + ".weight", {in, out});
    if (bias)
      w.bias = weight(name + ".bias", {out});
    return w;
  }
  int64_t valueDim() const { return c.valueDim ? c.valueDim : c.headDim; }
  void declareLatent(LayerWeights &w, const std::string &prefix);
  void declareAttention(LayerWeights &w, const std::string &prefix);
  void declareFeedForward(LayerWeights &w, const std::string &prefix);
  void declareExperts(LayerWeights &w, const std::string &prefix);
  void declareMergedExperts(MoeWeights &w, const std::string &prefix);
  Value mergedMatrices(const std::string &name, int64_t out, int64_t in);
  LayerWeights declareLayer(int64_t layer);

  Value norm(Value x, const NormWeights &w) {
    if (!w.scale)
      return x;
    return c.layerNorms ? graph.layerNorm(x, w.scale, w.shift, c.normEpsilon)
                        : graph.rmsNorm(x, w.scale, c.normEpsilon, c.unitOffset);
  }
  Value linear(Value x, const LinearWeights &w, Value residual = {}) {
    return graph.linear(x, w.matrix, {.bias = w.bias, .residual = residual, .layout = c.layout});
  }
  /// x plus what a part gives; the part adds x itself where nothing is between.
  Value withResidual(Value x, llvm::function_ref<Value(Value)> part, const NormWeights &behind);
  /// Queries, keys and values, [B, heads, S, headDim] each.
  std::array<Value, 3> project(Value h, const LayerWeights &w);
  /// The same with rope, values [B, heads, S, valueDim].
  std::array<Value, 3> projectLatent(Value h, const LayerWeights &w,
                                     llvm::function_ref<Value(Value)> rotate);
  Value attention(Value h, const LayerWeights &w, int64_t layer, KvCache *cache, Value residual);
  MoeConfig expertConfig() const;
  Value feedForward(Value h, const LayerWeights &w, Value residual);
  Value buildLayer(Value x, int64_t layer, KvCache *cache);
  Value embed(Value tokens, const KvCache *cache);

  Graph &graph;
  const DecoderConfig &c;
  const WeightTypes &types;
  Value embedding;
};
} // namespace

Value DecoderBuilder::blocks(const std::string &name, llvm::ArrayRef<int64_t> shape) {
  std::optional<BlockFormat> format = types.blocks ? types.blocks(name) : std::nullopt;
  if (!format || shape.size() != 2)
    return {};
  int64_t elements = elementsOf(*format);
  if (shape[1] % elements != 0) {
    graph.fail("tensor '" + name + "'", "expected rows of a multiple of " + llvm::Twine(elements) +
                                            " elements, but got " + llvm::Twine(shape[1]));
    return {};
  }
  return graph.argument(name, {shape[0], shape[1] / elements * bytesOf(*format)},
                        graph.builder().getI8Type());
}

//===----------------------------------------------------------------------===//
// Weights

void DecoderBuilder::declareLatent(LayerWeights &w, const std::string &prefix) {
  const LatentAttention &latent = *c.latent;
  int64_t queries = c.heads * c.headDim;
  if (latent.queryRank) {
    w.queryDown =
        linearWeights(prefix + c.names.queryDown, latent.queryRank, c.hidden, c.inputBiases);
    w.queryLatentNorm = normWeights(prefix + c.names.queryLatentNorm, latent.queryRank);
    w.queryUp = linearWeights(prefix + c.names.queryUp, queries, latent.queryRank, false);
  } else {
    w.query = linearWeights(prefix + c.names.query, queries, c.hidden, false);
  }
  w.latentDown = linearWeights(prefix + c.names.latentDown, latent.rank + latent.rotated, c.hidden,
                               c.inputBiases);
  w.latentNorm = normWeights(prefix + c.names.latentNorm, latent.rank);
  w.latentUp = linearWeights(prefix + c.names.latentUp, c.heads * (latent.plain + valueDim()),
                             latent.rank, false);
}

void DecoderBuilder::declareAttention(LayerWeights &w, const std::string &prefix) {
  int64_t queries = c.heads * c.headDim, keys = c.kvHeads * c.headDim;
  if (c.latent) {
    declareLatent(w, prefix);
  } else if (c.qkv == QkvLayout::Separate) {
    w.query = linearWeights(prefix + c.names.query, queries, c.hidden, c.inputBiases);
    w.key = linearWeights(prefix + c.names.key, keys, c.hidden, c.inputBiases);
    w.value = linearWeights(prefix + c.names.value, keys, c.hidden, c.inputBiases);
  } else {
    w.merged = linearWeights(prefix + c.names.merged, queries + 2 * keys, c.hidden, c.inputBiases);
  }
  if (c.queryKeyNorm != QueryKeyNorm::None) {
    bool perHead = c.queryKeyNorm == QueryKeyNorm::Head;
    w.queryNorm = normWeights(prefix + c.names.queryNorm, perHead ? c.headDim : queries);
    w.keyNorm = normWeights(prefix + c.names.keyNorm, perHead ? c.headDim : keys);
  }
  w.output = linearWeights(prefix + c.names.output, c.hidden, c.heads * valueDim(), c.outputBias);
  if (!c.names.sinks.empty())
    w.sinks = weight(prefix + c.names.sinks, {c.heads});
}

void DecoderBuilder::declareFeedForward(LayerWeights &w, const std::string &prefix) {
  if (c.mergedGate)
    w.mergedGate = linearWeights(prefix + c.names.mergedGate, 2 * c.intermediate, c.hidden,
                                 c.feedForwardBiases);
  else if (c.gated)
    w.gate = linearWeights(prefix + c.names.gate, c.intermediate, c.hidden, c.feedForwardBiases);
  if (!c.mergedGate)
    w.up = linearWeights(prefix + c.names.up, c.intermediate, c.hidden, c.feedForwardBiases);
  w.down = linearWeights(prefix + c.names.down, c.hidden, c.intermediate, c.feedForwardBiases);
}

void DecoderBuilder::declareExperts(LayerWeights &w, const std::string &prefix) {
  int64_t inside = c.expertIntermediate;
  w.experts.router = weight(prefix + c.names.router + ".weight", {c.experts, c.hidden});
  if (c.routerBias)
    w.experts.routerBias = weight(prefix + c.names.router + ".bias", {c.experts});
  if (c.mergedExperts)
    return declareMergedExperts(w.experts, prefix);
  if (!c.names.choiceBias.empty()) {
    const std::string name = prefix + c.names.choiceBias;
    mlir::Type stored = types.of(name);
    w.experts.choiceBias = graph.argument(name, {c.experts}, stored ? stored : types.element);
  }
  w.experts.gate = matrix(prefix + c.names.expertGate + ".weight", {c.experts, inside, c.hidden});
  w.experts.up = matrix(prefix + c.names.expertUp + ".weight", {c.experts, inside, c.hidden});
  w.experts.down = matrix(prefix + c.names.expertDown + ".weight", {c.experts, c.hidden, inside});
  if (int64_t shared = c.sharedIntermediate) {
    w.sharedGate = linearWeights(prefix + c.names.sharedGate, shared, c.hidden, false);
    w.sharedUp = linearWeights(prefix + c.names.sharedUp, shared, c.hidden, false);
    w.sharedDown = linearWeights(prefix + c.names.sharedDown, c.hidden, shared, false);
  }
}

/// [E, in, out]; MXFP4 are [E, out, in].
Value DecoderBuilder::mergedMatrices(const std::string &name, int64_t out, int64_t in) {
  if (!types.mxfp4 || !types.of(name + "_blocks"))
    return weight(name, {c.experts, in, out});
  constexpr int64_t elements = 32;
  if (in % elements != 0) {
    graph.fail("tensor '" + name + "_blocks'", "expected a multiple of " + llvm::Twine(elements) +
                                                   " input features for MXFP4, but got " +
                                                   llvm::Twine(in));
    return {};
  }
  mlir::Type byte = graph.builder().getI8Type();
  Value blocks =
      graph.argument(name + "_blocks", {c.experts, out, in / elements, elements / 2}, byte);
  Value scales = graph.argument(name + "_scales", {c.experts, out, in / elements}, byte);
  return graph.fromMxfp4(blocks, scales, types.element);
}

void DecoderBuilder::declareMergedExperts(MoeWeights &w, const std::string &prefix) {
  int64_t inside = c.expertIntermediate;
  const std::string both = prefix + c.names.mergedExperts, down = prefix + c.names.expertDown;
  w.merged = mergedMatrices(both, 2 * inside, c.hidden);
  w.mergedBias = weight(both + "_bias", {c.experts, 2 * inside});
  w.down = mergedMatrices(down, c.hidden, inside);
  w.isMergedOutIn = types.mxfp4 && types.of(both + "_blocks");
  w.downBias = weight(down + "_bias", {c.experts, c.hidden});
}

LayerWeights DecoderBuilder::declareLayer(int64_t layer) {
  std::string prefix = c.names.layer + std::to_string(layer) + ".";
  LayerWeights w;
  if (c.normsBefore)
    w.attentionNorm = normWeights(prefix + c.names.attentionNorm, c.hidden);
  declareAttention(w, prefix);
  if (c.normsBehind)
    w.attentionResultNorm = normWeights(prefix + c.names.attentionResultNorm, c.hidden);
  if (c.normsBefore && c.residuals != Residuals::ParallelShared)
    w.feedForwardNorm = normWeights(prefix + c.names.feedForwardNorm, c.hidden);
  bool hasExperts =
      c.experts > 0 && (c.hasExperts.empty() || c.hasExperts[static_cast<size_t>(layer)]);
  if (hasExperts)
    declareExperts(w, prefix);
  else
    declareFeedForward(w, prefix);
  if (c.normsBehind)
    w.feedForwardResultNorm = normWeights(prefix + c.names.feedForwardResultNorm, c.hidden);
  return w;
}

//===----------------------------------------------------------------------===//
// The model

Value DecoderBuilder::withResidual(Value x, llvm::function_ref<Value(Value)> part,
                                   const NormWeights &behind) {
  if (!behind.scale && !c.residualScale)
    return part(x);
  Value result = norm(part(Value()), behind);
  return graph.add(x, c.residualScale ? graph.scaled(result, *c.residualScale) : result);
}

std::array<Value, 3> DecoderBuilder::project(Value h, const LayerWeights &w) {
  int64_t queries = c.heads * c.headDim, keys = c.kvHeads * c.headDim;
  if (c.qkv == QkvLayout::ByHead) {
    Value heads = graph.splitHeads(linear(h, w.merged), c.heads);
    auto part = [&](int64_t number) { return graph.columns(heads, number * c.headDim, c.headDim); };
    return {part(0), part(1), part(2)};
  }
  std::array<Value, 3> projected;
  if (c.qkv == QkvLayout::Merged) {
    Value all = linear(h, w.merged);
    projected = {graph.columns(all, 0, queries), graph.columns(all, queries, keys),
                 graph.columns(all, queries + keys, keys)};
  } else {
    projected = {linear(h, w.query), linear(h, w.key), linear(h, w.value)};
  }
  bool acrossHeads = c.queryKeyNorm == QueryKeyNorm::AllHeads;
  if (acrossHeads) {
    projected[0] = norm(projected[0], w.queryNorm);
    projected[1] = norm(projected[1], w.keyNorm);
  }
  for (auto [number, part] : llvm::enumerate(projected))
    part = graph.splitHeads(part, number == 0 ? c.heads : c.kvHeads);
  if (c.queryKeyNorm == QueryKeyNorm::Head) {
    projected[0] = norm(projected[0], w.queryNorm);
    projected[1] = norm(projected[1], w.keyNorm);
  }
  return projected;
}

std::array<Value, 3> DecoderBuilder::projectLatent(Value h, const LayerWeights &w,
                                                   llvm::function_ref<Value(Value)> rotate) {
  const LatentAttention &latent = *c.latent;
  auto vectorNorm = [&](Value x, const NormWeights &norm) {
    return graph.rmsNorm(x, norm.scale, latent.normEpsilon);
  };
  Value queries = latent.queryRank
                      ? linear(vectorNorm(linear(h, w.queryDown), w.queryLatentNorm), w.queryUp)
                      : linear(h, w.query);
  queries = graph.splitHeads(queries, c.heads);
  Value both = linear(h, w.latentDown);
  Value vector = vectorNorm(graph.columns(both, 0, latent.rank), w.latentNorm);
  Value key = rotate(graph.splitHeads(graph.columns(both, latent.rank, latent.rotated), 1));
  Value heads = graph.splitHeads(linear(vector, w.latentUp), c.heads);
  return {graph.joined(graph.columns(queries, 0, latent.plain),
                       rotate(graph.columns(queries, latent.plain, latent.rotated))),
          graph.joined(graph.columns(heads, 0, latent.plain), graph.inEachHead(key, c.heads)),
          graph.columns(heads, latent.plain, valueDim())};
}

Value DecoderBuilder::attention(Value h, const LayerWeights &w, int64_t layer, KvCache *cache,
                                Value residual) {
  const auto &rope = c.ropes.empty() ? c.rope : c.ropes[static_cast<size_t>(layer)];
  Value positions;
  auto rotate = [&](Value x) {
    if (!rope || graph.hasFailed()) // then there may be no input to ask for its size
      return x;
    if (!positions)
      positions =
          cache ? graph.positionsFrom(cache->length,
                                      mlir::cast<mlir::RankedTensorType>(h.getType()).getDimSize(1))
                : graph.positionsOf(h);
    return graph.rope(x, positions, *rope, cache ? cache->contexts : Value());
  };
  auto [q, k, v] = c.latent ? projectLatent(h, w, rotate) : project(h, w);
  if (!c.latent) {
    q = rotate(q);
    k = rotate(k);
  }
  if (graph.hasFailed())
    return {};
  AttentionBuildOptions options;
  options.scale = c.scale;
  options.softCap = c.softCap;
  options.sinks = w.sinks;
  options.window = c.windows.empty() ? c.window : c.windows[static_cast<size_t>(layer)];
  return linear(graph.joinHeads(causalAttention(graph, q, k, v, options, cache)), w.output,
                residual);
}

MoeConfig DecoderBuilder::expertConfig() const {
  MoeConfig experts{c.hidden,           c.experts,   c.expertsPerToken, c.expertIntermediate,
                    c.normalizeExperts, c.activation};
  experts.score = c.routerScore;
  experts.groups = c.expertGroups;
  experts.topGroups = c.topExpertGroups;
  experts.routerScale = c.routerScale;
  experts.wideRouter = c.wideRouter;
  experts.alpha = c.gateAlpha;
  experts.limit = c.gateLimit;
  return experts;
}

Value DecoderBuilder::feedForward(Value h, const LayerWeights &w, Value residual) {
  if (w.experts.router) {
    Value result = moeFeedForward(graph, h, w.experts, expertConfig());
    if (w.sharedGate.matrix)
      result = graph.gatedMlp(h, w.sharedGate.matrix, w.sharedUp.matrix, w.sharedDown.matrix,
                              c.activation, result);
    return residual ? graph.add(residual, result) : result;
  }
  if (c.mergedGate) {
    Value both = linear(h, w.mergedGate);
    Value gate = graph.activation(c.activation, graph.columns(both, 0, c.intermediate));
    return linear(graph.multiply(gate, graph.columns(both, c.intermediate, c.intermediate)), w.down,
                  residual);
  }
  if (c.gated && c.feedForwardBiases) {
    Value gate = graph.activation(c.activation, linear(h, w.gate));
    return linear(graph.multiply(gate, linear(h, w.up)), w.down, residual);
  }
  if (c.gated)
    return graph.gatedMlp(h, w.gate.matrix, w.up.matrix, w.down.matrix, c.activation, residual);
  return graph.mlp(h, w.up.matrix, w.up.bias, w.down.matrix, w.down.bias, c.activation, residual,
                   c.layout);
}

Value DecoderBuilder::buildLayer(Value x, int64_t layer, KvCache *cache) {
  LayerWeights w = declareLayer(layer);
  Value h = norm(x, w.attentionNorm);
  Value attended = withResidual(
      x, [&](Value residual) { return attention(h, w, layer, cache, residual); },
      w.attentionResultNorm);
  if (graph.hasFailed())
    return {};
  Value input = c.residuals == Residuals::Sequential ? attended : x;
  Value h2 = c.residuals == Residuals::ParallelShared ? h : norm(input, w.feedForwardNorm);
  return withResidual(
      attended, [&](Value residual) { return feedForward(h2, w, residual); },
      w.feedForwardResultNorm);
}

Value DecoderBuilder::embed(Value tokens, const KvCache *cache) {
  const std::string name = c.names.embedding + ".weight";
  Value x;
  if (Value rows = blocks(name, {c.vocabulary, c.hidden})) {
    embedding = graph.fromBlocks(rows, *types.blocks(name), types.element);
    x = graph.fromBlocks(rows, *types.blocks(name), types.element, tokens);
  } else {
    embedding = weight(name, {c.vocabulary, c.hidden});
    x = graph.embedding(embedding, tokens);
  }
  if (c.embeddingScale)
    x = graph.scaled(x, *c.embeddingScale);
  if (c.positions == 0)
    return x;
  Value table = weight(c.names.positions + ".weight", {c.positions + c.positionOffset, c.hidden});
  if (cache) {
    Value start = c.positionOffset ? graph.plus(cache->length, c.positionOffset) : cache->length;
    int64_t count = mlir::cast<mlir::RankedTensorType>(tokens.getType()).getDimSize(1);
    return graph.add(x, graph.embedding(table, graph.positionsFrom(start, count)));
  }
  Value positions = graph.positionsOf(tokens);
  if (c.positionOffset)
    positions = graph.plus(positions, c.positionOffset);
  return graph.addToEach(x, graph.embedding(table, positions));
}

Value DecoderBuilder::build(Value tokens, llvm::MutableArrayRef<KvCache> caches, LogitRows rows) {
  Value x = embed(tokens, caches.empty() ? nullptr : &caches.front());
  for (int64_t layer = 0; layer < c.layers && !graph.hasFailed(); ++layer)
    x = buildLayer(x, layer, caches.empty() ? nullptr : &caches[static_cast<size_t>(layer)]);
  if (graph.hasFailed())
    return {};
  NormWeights last = normWeights(c.names.norm, c.hidden);
  LinearWeights head{embedding, Value()};
  // Of the table single rows are read; the head, all of it, is another argument where it is narrow.
  if (!c.tiedEmbeddings || c.matrices != MatrixFormat::Stored)
    head.matrix = matrix(c.names.head + ".weight", {c.vocabulary, c.hidden});
  if (c.headBias)
    head.bias = weight(c.names.head + ".bias", {c.vocabulary});
  Value logits =
      graph.linear(norm(headInput(graph, x, caches, rows), last), head.matrix, {.bias = head.bias});
  if (c.logitScale)
    logits = graph.scaled(logits, *c.logitScale);
  return c.logitsSoftCap ? graph.softCapped(logits, *c.logitsSoftCap) : logits;
}

Value huggingface::buildDecoder(Graph &graph, Value tokens, const DecoderConfig &config,
                                const WeightTypes &types, llvm::MutableArrayRef<KvCache> caches,
                                LogitRows rows) {
  return DecoderBuilder(graph, config, types).build(tokens, caches, rows);
}
