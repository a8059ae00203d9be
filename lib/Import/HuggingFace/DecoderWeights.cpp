#include "DecoderWeights.h"

using namespace forge;
using namespace forge::huggingface;
using namespace forge::transformer;
using mlir::Value;

Value DecoderWeights::weight(const std::string &name, llvm::ArrayRef<int64_t> shape) {
  if (Value rows = blocks(name, shape))
    return graph.fromBlocks(rows, *types.blocks(name), types.element);
  mlir::Type stored = types.mixed ? types.of(name) : mlir::Type();
  if (!stored || !llvm::isa<mlir::FloatType>(stored))
    return graph.argument(name, shape, types.element);
  return graph.converted(graph.argument(name, shape, stored), types.element);
}

Value DecoderWeights::blocks(const std::string &name, llvm::ArrayRef<int64_t> shape) {
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

Value DecoderWeights::matrix(const std::string &name, llvm::ArrayRef<int64_t> shape) {
  mlir::Type stored = types.of(name);
  bool isF8 = types.f8Block && stored && llvm::isa<mlir::Float8E4M3FNType>(stored);
  if (!isF8 && c.matrices == MatrixFormat::I8 && shape.size() == 2)
    return graph.quantizedArgument(name, shape[0], shape[1], {graph.builder().getI8Type()});
  if (!isF8 && c.matrices == MatrixFormat::F8 && shape.size() == 2)
    return graph.quantizedArgument(
        name, shape[0], shape[1],
        {.storage = graph.builder().getType<mlir::Float8E4M3FNType>(), .roundsInput = true});
  if (!isF8 && c.matrices == MatrixFormat::I4 && shape.size() == 2)
    return graph.nibbleArgument(name, shape[0], shape[1], types.element);
  if (!isF8)
    return weight(name, shape);
  return graph.quantizedArgument(name, shape, {.storage = stored, .block = types.f8Block},
                                 "_scale_inv");
}

NormWeights DecoderWeights::norm(const std::string &name, llvm::ArrayRef<int64_t> shape) {
  NormWeights w;
  w.exists = true;
  if (c.normScales)
    w.scale = weight(name + ".weight", shape);
  if (c.normScales && c.normBiases)
    w.shift = weight(name + ".bias", shape);
  return w;
}

LinearWeights DecoderWeights::linear(const std::string &name, int64_t out, int64_t in, bool bias) {
  LinearWeights w;
  w.matrix = c.layout == WeightLayout::OutIn ? matrix(name + ".weight", {out, in})
                                             : weight(name + ".weight", {in, out});
  if (bias)
    w.bias = weight(name + ".bias", {out});
  return w;
}

void DecoderWeights::declareLatent(LayerWeights &w, const std::string &prefix) {
  const LatentAttention &latent = *c.latent;
  int64_t queries = c.heads * c.headDim;
  if (latent.queryRank) {
    w.queryDown = linear(prefix + c.names.queryDown, latent.queryRank, c.hidden, c.inputBiases);
    w.queryLatentNorm = norm(prefix + c.names.queryLatentNorm, {latent.queryRank});
    w.queryUp = linear(prefix + c.names.queryUp, queries, latent.queryRank, false);
  } else {
    w.query = linear(prefix + c.names.query, queries, c.hidden, false);
  }
  w.latentDown =
      linear(prefix + c.names.latentDown, latent.rank + latent.rotated, c.hidden, c.inputBiases);
  w.latentNorm = norm(prefix + c.names.latentNorm, {latent.rank});
  w.latentUp =
      linear(prefix + c.names.latentUp, c.heads * (latent.plain + valueDim()), latent.rank, false);
}

void DecoderWeights::declareAttention(LayerWeights &w, const std::string &prefix) {
  int64_t queries = c.heads * c.headDim, keys = c.kvHeads * c.headDim;
  if (c.latent) {
    declareLatent(w, prefix);
  } else if (c.qkv == QkvLayout::Separate) {
    w.query = linear(prefix + c.names.query, queries, c.hidden, c.inputBiases);
    w.key = linear(prefix + c.names.key, keys, c.hidden, c.inputBiases);
    w.value = linear(prefix + c.names.value, keys, c.hidden, c.inputBiases);
  } else {
    w.merged = linear(prefix + c.names.merged, queries + 2 * keys, c.hidden, c.inputBiases);
  }
  switch (c.queryKeyNorm) {
  case QueryKeyNorm::None:
    break;
  case QueryKeyNorm::Head:
    w.queryNorm = norm(prefix + c.names.queryNorm, {c.headDim});
    w.keyNorm = norm(prefix + c.names.keyNorm, {c.headDim});
    break;
  case QueryKeyNorm::AllHeads:
    w.queryNorm = norm(prefix + c.names.queryNorm, {queries});
    w.keyNorm = norm(prefix + c.names.keyNorm, {keys});
    break;
  case QueryKeyNorm::EachHead:
    w.queryNorm = {true, weight(prefix + c.names.queryNorm + ".weight", {c.heads, c.headDim}), {}};
    w.keyNorm = {true, weight(prefix + c.names.keyNorm + ".weight", {c.kvHeads, c.headDim}), {}};
    break;
  }
  w.output = linear(prefix + c.names.output, c.hidden, c.heads * valueDim(), c.outputBias);
  if (!c.names.sinks.empty())
    w.sinks = weight(prefix + c.names.sinks, {c.heads});
}

void DecoderWeights::declareFeedForward(LayerWeights &w, const std::string &prefix) {
  if (c.mergedGate)
    w.mergedGate =
        linear(prefix + c.names.mergedGate, 2 * c.intermediate, c.hidden, c.feedForwardBiases);
  else if (c.gated)
    w.gate = linear(prefix + c.names.gate, c.intermediate, c.hidden, c.feedForwardBiases);
  if (!c.mergedGate)
    w.up = linear(prefix + c.names.up, c.intermediate, c.hidden, c.feedForwardBiases);
  w.down = linear(prefix + c.names.down, c.hidden, c.intermediate, c.feedForwardBiases);
}

void DecoderWeights::declareExperts(LayerWeights &w, const std::string &prefix) {
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
    w.sharedGate = linear(prefix + c.names.sharedGate, shared, c.hidden, false);
    w.sharedUp = linear(prefix + c.names.sharedUp, shared, c.hidden, false);
    w.sharedDown = linear(prefix + c.names.sharedDown, c.hidden, shared, false);
  }
}

/// [E, in, out]; MXFP4 are [E, out, in].
Value DecoderWeights::mergedMatrices(const std::string &name, int64_t out, int64_t in) {
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

void DecoderWeights::declareMergedExperts(MoeWeights &w, const std::string &prefix) {
  int64_t inside = c.expertIntermediate;
  const std::string both = prefix + c.names.mergedExperts, down = prefix + c.names.expertDown;
  w.merged = mergedMatrices(both, 2 * inside, c.hidden);
  w.mergedBias = weight(both + "_bias", {c.experts, 2 * inside});
  w.down = mergedMatrices(down, c.hidden, inside);
  w.isMergedOutIn = types.mxfp4 && types.of(both + "_blocks");
  w.downBias = weight(down + "_bias", {c.experts, c.hidden});
}

LayerWeights DecoderWeights::layer(int64_t number) {
  std::string prefix = c.names.layer + std::to_string(number) + ".";
  LayerWeights w;
  if (c.normsBefore || c.normsOfSums)
    w.attentionNorm = norm(prefix + c.names.attentionNorm, {c.hidden});
  declareAttention(w, prefix);
  if (c.normsBehind)
    w.attentionResultNorm = norm(prefix + c.names.attentionResultNorm, {c.hidden});
  if ((c.normsBefore || c.normsOfSums) && c.residuals != Residuals::ParallelShared)
    w.feedForwardNorm = norm(prefix + c.names.feedForwardNorm, {c.hidden});
  bool hasExperts =
      c.experts > 0 && (c.hasExperts.empty() || c.hasExperts[static_cast<size_t>(number)]);
  if (hasExperts)
    declareExperts(w, prefix);
  else
    declareFeedForward(w, prefix);
  if (c.normsBehind)
    w.feedForwardResultNorm = norm(prefix + c.names.feedForwardResultNorm, {c.hidden});
  return w;
}
