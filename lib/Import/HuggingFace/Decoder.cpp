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
};

/// 1. Declares weights, in the order of their names in checkpoints.
/// 2. Builds the model layer by layer.
class DecoderBuilder {
public:
  DecoderBuilder(Graph &graph, const DecoderConfig &config, mlir::Type element)
      : graph(graph), c(config), element(element) {}

  Value build(Value tokens, llvm::MutableArrayRef<KvCache> caches, LogitRows rows);

private:
  Value weight(const std::string &name, llvm::ArrayRef<int64_t> shape) {
    return graph.argument(name, shape, element);
  }
  NormWeights normWeights(const std::string &name, int64_t size) {
    NormWeights w;
    w.scale = weight(name + ".weight", {size});
    if (c.normBiases)
      w.shift = weight(name + ".bias", {size});
    return w;
  }
  /// [out, in], perhaps in 8 bits.
  Value matrix(const std::string &name, int64_t out, int64_t in) {
    return c.narrowMatrices
               ? graph.quantizedArgument(name, out, in, {graph.builder().getIntegerType(8)})
               : weight(name, {out, in});
  }
  LinearWeights linearWeights(const std::string &name, int64_t out, int64_t in, bool bias) {
    LinearWeights w;
    w.matrix = c.layout == WeightLayout::OutIn ? matrix(name + ".weight", out, in)
                                               : weight(name + ".weight", {in, out});
    if (bias)
      w.bias = weight(name + ".bias", {out});
    return w;
  }
  void declareAttention(LayerWeights &w, const std::string &prefix);
  void declareFeedForward(LayerWeights &w, const std::string &prefix);
  void declareExperts(LayerWeights &w, const std::string &prefix);
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
  Value attention(Value h, const LayerWeights &w, int64_t layer, KvCache *cache, Value residual);
  Value feedForward(Value h, const LayerWeights &w, Value residual);
  Value buildLayer(Value x, int64_t layer, KvCache *cache);
  Value embed(Value tokens, const KvCache *cache);

  Graph &graph;
  const DecoderConfig &c;
  mlir::Type element;
  Value embedding;
};
} // namespace

//===----------------------------------------------------------------------===//
// Weights

void DecoderBuilder::declareAttention(LayerWeights &w, const std::string &prefix) {
  int64_t queries = c.heads * c.headDim, keys = c.kvHeads * c.headDim;
  if (c.qkv == QkvLayout::Separate) {
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
  w.output = linearWeights(prefix + c.names.output, c.hidden, queries, c.outputBias);
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
  w.experts.gate = weight(prefix + c.names.expertGate + ".weight", {c.experts, inside, c.hidden});
  w.experts.up = weight(prefix + c.names.expertUp + ".weight", {c.experts, inside, c.hidden});
  w.experts.down = weight(prefix + c.names.expertDown + ".weight", {c.experts, c.hidden, inside});
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

Value DecoderBuilder::attention(Value h, const LayerWeights &w, int64_t layer, KvCache *cache,
                                Value residual) {
  auto [q, k, v] = project(h, w);
  if (graph.hasFailed())
    return {};
  const auto &rope = c.ropes.empty() ? c.rope : c.ropes[static_cast<size_t>(layer)];
  if (rope) {
    Value positions =
        cache ? graph.positionsFrom(cache->length,
                                    mlir::cast<mlir::RankedTensorType>(h.getType()).getDimSize(1))
              : graph.positionsOf(h);
    q = graph.rope(q, positions, *rope);
    k = graph.rope(k, positions, *rope);
  }
  AttentionBuildOptions options;
  options.scale = c.scale;
  options.softCap = c.softCap;
  options.window = c.windows.empty() ? c.window : c.windows[static_cast<size_t>(layer)];
  return linear(graph.joinHeads(causalAttention(graph, q, k, v, options, cache)), w.output,
                residual);
}

Value DecoderBuilder::feedForward(Value h, const LayerWeights &w, Value residual) {
  if (w.experts.router) {
    MoeConfig experts{c.hidden,           c.experts,   c.expertsPerToken, c.expertIntermediate,
                      c.normalizeExperts, c.activation};
    Value result = moeFeedForward(graph, h, w.experts, experts);
    return residual ? graph.add(residual, result) : result;
  }
  if (c.mergedGate) {
    Value both = linear(h, w.mergedGate);
    Value gate = graph.activation(c.activation, graph.columns(both, 0, c.intermediate));
    return linear(graph.multiply(gate, graph.columns(both, c.intermediate, c.intermediate)), w.down,
                  residual);
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
  embedding = weight(c.names.embedding + ".weight", {c.vocabulary, c.hidden});
  Value x = graph.embedding(embedding, tokens);
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
  if (!c.tiedEmbeddings || c.narrowMatrices)
    head.matrix = matrix(c.names.head + ".weight", c.vocabulary, c.hidden);
  if (c.headBias)
    head.bias = weight(c.names.head + ".bias", {c.vocabulary});
  Value logits =
      graph.linear(norm(headInput(graph, x, caches, rows), last), head.matrix, {.bias = head.bias});
  if (c.logitScale)
    logits = graph.scaled(logits, *c.logitScale);
  return c.logitsSoftCap ? graph.softCapped(logits, *c.logitsSoftCap) : logits;
}

Value huggingface::buildDecoder(Graph &graph, Value tokens, const DecoderConfig &config,
                                mlir::Type element, llvm::MutableArrayRef<KvCache> caches,
                                LogitRows rows) {
  return DecoderBuilder(graph, config, element).build(tokens, caches, rows);
}
