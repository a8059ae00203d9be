#include "DecoderWeights.h"
#include "PlaceScope.h"

#include <cmath>

using namespace forge;
using namespace forge::huggingface;
using namespace forge::transformer;
using mlir::Value;

/// What checkpoints call the module that a weight is of: "model.layers.0.mlp.down_proj"; empty
/// where the value is no weight itself.
static llvm::StringRef placeOf(Value weight) {
  auto argument = llvm::dyn_cast_if_present<mlir::BlockArgument>(weight);
  auto name = argument ? llvm::dyn_cast<mlir::NameLoc>(argument.getLoc()) : mlir::NameLoc();
  return name ? name.getName().getValue().rsplit('.').first : llvm::StringRef();
}

namespace {
/// 1. Declares weights, in the order of their names in checkpoints.
/// 2. Builds the model layer by layer.
class DecoderBuilder {
public:
  DecoderBuilder(Graph &graph, const DecoderConfig &config, const WeightTypes &types)
      : graph(graph), c(config), types(types), weights(graph, config, types) {}

  Value build(Value tokens, llvm::MutableArrayRef<KvCache> caches, LogitRows rows);

private:
  Value norm(Value x, const NormWeights &w) {
    if (!w.exists)
      return x;
    PlaceScope place(graph, placeOf(w.scale));
    return c.layerNorms ? graph.layerNorm(x, w.scale, w.shift, c.normEpsilon)
                        : graph.rmsNorm(x, w.scale, c.normEpsilon, c.unitOffset);
  }
  /// Of a head of queries or keys, [B, heads, S, headDim].
  Value headNorm(Value x, const NormWeights &w) {
    if (c.queryKeyNorm != QueryKeyNorm::EachHead)
      return norm(x, w);
    return graph.multiplyHeads(norm(x, NormWeights{true, {}, {}}), w.scale);
  }
  Value linear(Value x, const LinearWeights &w, Value residual = {}) {
    PlaceScope place(graph, placeOf(w.matrix));
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
  Value gatedMlp(Value h, const LinearWeights &gate, const LinearWeights &up,
                 const LinearWeights &down, Value residual);
  Value feedForward(Value h, const LayerWeights &w, Value residual);
  Value buildLayer(Value x, int64_t layer, KvCache *cache);
  /// Elements of a row of the embedding.
  int64_t embeddingDim() const { return c.embeddingDim ? c.embeddingDim : c.hidden; }
  Value embed(Value tokens, const KvCache *cache);

  Graph &graph;
  const DecoderConfig &c;
  const WeightTypes &types;
  DecoderWeights weights;
  Value embedding;
};
} // namespace

Value DecoderBuilder::withResidual(Value x, llvm::function_ref<Value(Value)> part,
                                   const NormWeights &behind) {
  if (!behind.exists && !c.residualScale)
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
  if (!acrossHeads && c.queryKeyNorm != QueryKeyNorm::None) {
    projected[0] = headNorm(projected[0], w.queryNorm);
    projected[1] = headNorm(projected[1], w.keyNorm);
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
          graph.columns(heads, latent.plain, weights.valueDim())};
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
  if (c.scaleByLayer)
    options.scale = c.scale.value_or(1 / std::sqrt(static_cast<double>(c.headDim))) /
                    static_cast<double>(layer + 1);
  options.softCap = c.softCap;
  options.sinks = w.sinks;
  options.window = c.windows.empty() ? c.window : c.windows[static_cast<size_t>(layer)];
  return linear(graph.joinHeads(causalAttention(graph, q, k, v, options, cache)), w.output,
                residual);
}

MoeConfig DecoderBuilder::expertConfig() const {
  MoeConfig experts{c.hidden, c.experts, c.expertsPerToken, c.expertIntermediate,
                    c.normalizeExperts};
  if (c.activation.kind)
    experts.activation = *c.activation.kind;
  else
    experts.otherActivation = [this](Graph &in, Value x) { return c.activation.apply(in, x); };
  experts.score = c.routerScore;
  experts.groups = c.expertGroups;
  experts.topGroups = c.topExpertGroups;
  experts.routerScale = c.routerScale;
  experts.wideRouter = c.wideRouter;
  experts.alpha = c.gateAlpha;
  experts.limit = c.gateLimit;
  return experts;
}

/// One operation where there is one: without biases, and of a plain activation.
Value DecoderBuilder::gatedMlp(Value h, const LinearWeights &gate, const LinearWeights &up,
                               const LinearWeights &down, Value residual) {
  // Of all three matrices.
  PlaceScope place(graph, placeOf(down.matrix).rsplit('.').first);
  if (c.activation.kind && !c.feedForwardBiases)
    return graph.gatedMlp(h, gate.matrix, up.matrix, down.matrix, *c.activation.kind, residual);
  Value gated = c.activation.apply(graph, linear(h, gate));
  return linear(graph.multiply(gated, linear(h, up)), down, residual);
}

Value DecoderBuilder::feedForward(Value h, const LayerWeights &w, Value residual) {
  if (w.experts.router) {
    Value result = moeFeedForward(graph, h, w.experts, expertConfig());
    if (w.sharedGate.matrix)
      result = gatedMlp(h, w.sharedGate, w.sharedUp, w.sharedDown, result);
    return residual ? graph.add(residual, result) : result;
  }
  if (c.mergedGate) {
    Value both = linear(h, w.mergedGate);
    Value gate = c.activation.apply(graph, graph.columns(both, 0, c.intermediate));
    return linear(graph.multiply(gate, graph.columns(both, c.intermediate, c.intermediate)), w.down,
                  residual);
  }
  if (c.gated)
    return gatedMlp(h, w.gate, w.up, w.down, residual);
  if (!c.activation.kind)
    return linear(c.activation.apply(graph, linear(h, w.up)), w.down, residual);
  PlaceScope place(graph, placeOf(w.down.matrix).rsplit('.').first);
  return graph.mlp(h, w.up.matrix, w.up.bias, w.down.matrix, w.down.bias, *c.activation.kind,
                   residual, c.layout);
}

Value DecoderBuilder::buildLayer(Value x, int64_t layer, KvCache *cache) {
  PlaceScope place(graph, c.names.layer + std::to_string(layer));
  LayerWeights w = weights.layer(layer);
  Value h = c.normsOfSums ? x : norm(x, w.attentionNorm);
  Value attended = withResidual(
      x, [&](Value residual) { return attention(h, w, layer, cache, residual); },
      w.attentionResultNorm);
  if (graph.hasFailed())
    return {};
  if (c.normsOfSums) {
    attended = norm(attended, w.attentionNorm);
    return norm(feedForward(attended, w, attended), w.feedForwardNorm);
  }
  Value input = c.residuals == Residuals::Sequential ? attended : x;
  Value h2 = c.residuals == Residuals::ParallelShared ? h : norm(input, w.feedForwardNorm);
  return withResidual(
      attended, [&](Value residual) { return feedForward(h2, w, residual); },
      w.feedForwardResultNorm);
}

Value DecoderBuilder::embed(Value tokens, const KvCache *cache) {
  const std::string name = c.names.embedding + ".weight";
  PlaceScope place(graph, c.names.embedding);
  Value x;
  if (Value rows = weights.blocks(name, {c.vocabulary, embeddingDim()})) {
    embedding = graph.fromBlocks(rows, *types.blocks(name), types.element);
    x = graph.fromBlocks(rows, *types.blocks(name), types.element, tokens);
  } else {
    embedding = weights.weight(name, {c.vocabulary, embeddingDim()});
    x = graph.embedding(embedding, tokens);
  }
  if (!c.names.projectIn.empty())
    x = linear(x, weights.linear(c.names.projectIn, c.hidden, embeddingDim(), false));
  if (c.embeddingScale)
    x = graph.scaled(x, *c.embeddingScale);
  if (c.positions == 0)
    return x;
  Value table =
      weights.weight(c.names.positions + ".weight", {c.positions + c.positionOffset, c.hidden});
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
  NormWeights last = c.normAtEnd ? weights.norm(c.names.norm, {c.hidden}) : NormWeights();
  LinearWeights project;
  if (!c.names.projectOut.empty())
    project = weights.linear(c.names.projectOut, embeddingDim(), c.hidden, false);
  LinearWeights head{embedding, Value()};
  // Of the table single rows are read; the head, all of it, is another argument where it is narrow.
  if (!c.tiedEmbeddings || c.matrices != MatrixFormat::Stored)
    head.matrix = weights.matrix(c.names.head + ".weight", {c.vocabulary, embeddingDim()});
  if (c.headBias)
    head.bias = weights.weight(c.names.head + ".bias", {c.vocabulary});
  x = norm(headInput(graph, x, caches, rows), last);
  if (project.matrix)
    x = linear(x, project);
  PlaceScope place(graph, c.names.head);
  Value logits = graph.linear(x, head.matrix, {.bias = head.bias});
  if (c.logitScale)
    logits = graph.scaled(logits, *c.logitScale);
  return c.logitsSoftCap ? graph.softCapped(logits, *c.logitsSoftCap) : logits;
}

Value huggingface::buildDecoder(Graph &graph, Value tokens, const DecoderConfig &config,
                                const WeightTypes &types, llvm::MutableArrayRef<KvCache> caches,
                                LogitRows rows) {
  return DecoderBuilder(graph, config, types).build(tokens, caches, rows);
}
