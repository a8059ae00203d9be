#include "forge/Dialect/Transformer/Builders/Blocks.h"

#include "CallCheck.h"

using namespace mlir;

namespace forge::transformer {

/// Declares arguments behind a prefix, all of one element type.
namespace {
class Declare {
public:
  Declare(Graph &graph, StringRef prefix, Type element)
      : graph(graph), prefix(prefix), element(element) {}
  Value operator()(StringRef name, ArrayRef<int64_t> shape) {
    return graph.argument((prefix + name).str(), shape, element);
  }
  /// A matrix [out, in], as `format` stores it.
  Value matrix(StringRef name, int64_t out, int64_t in,
               const std::optional<QuantizedFormat> &format) {
    return format ? graph.quantizedArgument((prefix + name).str(), out, in, *format)
                  : (*this)(name, {out, in});
  }

private:
  Graph &graph;
  StringRef prefix;
  Type element;
};
} // namespace

static bool checkPositive(CallCheck &check, ArrayRef<std::pair<StringRef, int64_t>> numbers) {
  for (auto [name, number] : numbers)
    check.require(number > 0, "expected " + name + " above 0, but got " + Twine(number));
  return static_cast<bool>(check);
}

/// The tokens' hidden states.
static bool checkHidden(CallCheck &check, Value x, int64_t hidden) {
  check.rank(x, "x", 3);
  if (check)
    check.shape(x, "x", {ShapedType::kDynamic, ShapedType::kDynamic, hidden});
  return static_cast<bool>(check);
}

Value causalAttention(Graph &graph, Value q, Value k, Value v, AttentionBuildOptions options,
                      KvCache *cache) {
  options.causal = true;
  if (!cache)
    return graph.attention(q, k, v, options);
  cache->keys = graph.kvAppend(k, cache->keys, cache->length, cache->table);
  cache->values = graph.kvAppend(v, cache->values, cache->length, cache->table);
  if (graph.hasFailed())
    return {};
  options.offsets = cache->length;
  options.lengths = cache->length = cache->counts
                                        ? graph.plus(cache->length, cache->counts)
                                        : graph.plus(cache->length, typeOf(q).getDimSize(2));
  if (cache->table)
    return graph.pagedAttention(q, cache->keys, cache->values, cache->table, options);
  return graph.attention(q, cache->keys, cache->values, options);
}

Value headInput(Graph &graph, Value x, ArrayRef<KvCache> caches, LogitRows rows) {
  if (rows == LogitRows::All)
    return x;
  Value counts = caches.empty() ? Value() : caches.front().counts;
  return counts ? graph.lastToken(x, counts) : graph.lastToken(x);
}

static bool checkPerBlock(CallCheck &check, size_t weights, size_t caches, int64_t layers) {
  check.require(weights == static_cast<size_t>(layers),
                "expected weights of " + Twine(layers) + " blocks, but got " + Twine(weights));
  check.require(caches == 0 || caches == static_cast<size_t>(layers),
                "expected a cache per block or none, but got " + Twine(caches));
  return static_cast<bool>(check);
}

//===----------------------------------------------------------------------===//
// Llama
//===----------------------------------------------------------------------===//

static bool checkConfig(CallCheck &check, const LlamaConfig &c) {
  checkPositive(
      check,
      {{"hidden", c.hidden}, {"heads", c.heads}, {"kvHeads", c.kvHeads}, {"headDim", c.headDim}});
  if (check)
    check.require(c.heads % c.kvHeads == 0, "expected heads to be a multiple of the " +
                                                Twine(c.kvHeads) + " kvHeads, but got " +
                                                Twine(c.heads));
  return static_cast<bool>(check);
}

static LlamaWeights attentionWeights(Declare &declare, const LlamaConfig &c) {
  LlamaWeights w;
  w.inputNorm = declare("input_layernorm.weight", {c.hidden});
  w.query = declare.matrix("self_attn.q_proj.weight", c.heads * c.headDim, c.hidden, c.quantized);
  w.key = declare.matrix("self_attn.k_proj.weight", c.kvHeads * c.headDim, c.hidden, c.quantized);
  w.value = declare.matrix("self_attn.v_proj.weight", c.kvHeads * c.headDim, c.hidden, c.quantized);
  w.output = declare.matrix("self_attn.o_proj.weight", c.hidden, c.heads * c.headDim, c.quantized);
  w.postNorm = declare("post_attention_layernorm.weight", {c.hidden});
  if (c.inputBias) {
    w.queryBias = declare("self_attn.q_proj.bias", {c.heads * c.headDim});
    w.keyBias = declare("self_attn.k_proj.bias", {c.kvHeads * c.headDim});
    w.valueBias = declare("self_attn.v_proj.bias", {c.kvHeads * c.headDim});
  }
  if (c.outputBias)
    w.outputBias = declare("self_attn.o_proj.bias", {c.hidden});
  if (c.headNorms) {
    w.queryNorm = declare("self_attn.q_norm.weight", {c.headDim});
    w.keyNorm = declare("self_attn.k_norm.weight", {c.headDim});
  }
  if (c.normsBehind) {
    w.feedForwardNorm = declare("pre_feedforward_layernorm.weight", {c.hidden});
    w.feedForwardResultNorm = declare("post_feedforward_layernorm.weight", {c.hidden});
  }
  return w;
}

LlamaWeights llamaWeights(Graph &graph, StringRef prefix, const LlamaConfig &c, Type element) {
  CallCheck check(graph, "llamaWeights");
  if (!checkConfig(check, c))
    return {};
  Declare declare(graph, prefix, element);
  LlamaWeights w = attentionWeights(declare, c);
  if (c.intermediate <= 0)
    return w;
  w.gate = declare.matrix("mlp.gate_proj.weight", c.intermediate, c.hidden, c.quantized);
  w.up = declare.matrix("mlp.up_proj.weight", c.intermediate, c.hidden, c.quantized);
  w.down = declare.matrix("mlp.down_proj.weight", c.hidden, c.intermediate, c.quantized);
  return w;
}

static Value norm(Graph &graph, Value x, Value scale, const LlamaConfig &c) {
  return graph.rmsNorm(x, scale, c.normEpsilon, c.unitOffset);
}

Value llamaAttention(Graph &graph, Value x, const LlamaWeights &w, const LlamaConfig &c,
                     KvCache *cache) {
  CallCheck check(graph, "llamaAttention");
  if (!checkConfig(check, c) || !checkHidden(check, x, c.hidden))
    return {};
  int64_t tokens = typeOf(x).getDimSize(1);
  if (!check.require(!ShapedType::isDynamic(tokens) || !cache,
                     "expected a static number of tokens in x with a cache"))
    return {};
  Value positions = cache ? graph.positionsFrom(cache->length, tokens) : graph.positionsOf(x);
  Value h = norm(graph, x, w.inputNorm, c);
  auto heads = [&](Value matrix, Value bias, int64_t count) {
    return graph.splitHeads(graph.linear(h, matrix, {.bias = bias}), count);
  };
  auto rotated = [&](Value input, Value scale) {
    return graph.rope(scale ? norm(graph, input, scale, c) : input, positions, c.rope);
  };
  Value q = rotated(heads(w.query, w.queryBias, c.heads), w.queryNorm);
  Value k = rotated(heads(w.key, w.keyBias, c.kvHeads), w.keyNorm);
  Value v = heads(w.value, w.valueBias, c.kvHeads);
  Value attended = graph.joinHeads(causalAttention(
      graph, q, k, v, {.scale = c.scale, .window = c.window, .softCap = c.softCap}, cache));
  if (!c.normsBehind)
    return graph.linear(attended, w.output, {.bias = w.outputBias, .residual = x});
  Value result = graph.linear(attended, w.output, {.bias = w.outputBias});
  return graph.add(x, norm(graph, result, w.postNorm, c));
}

/// The input of a block's feed-forward part, from the residual stream behind attention.
static Value feedForwardInput(Graph &graph, Value attended, const LlamaWeights &w,
                              const LlamaConfig &c) {
  return norm(graph, attended, c.normsBehind ? w.feedForwardNorm : w.postNorm, c);
}

Value llamaBlock(Graph &graph, Value x, const LlamaWeights &w, const LlamaConfig &c,
                 KvCache *cache) {
  Value attended = llamaAttention(graph, x, w, c, cache);
  Value h = feedForwardInput(graph, attended, w, c);
  if (!c.normsBehind)
    return graph.gatedMlp(h, w.gate, w.up, w.down, c.activation, attended);
  Value result = graph.gatedMlp(h, w.gate, w.up, w.down, c.activation);
  return graph.add(attended, norm(graph, result, w.feedForwardResultNorm, c));
}

static bool checkConfig(CallCheck &check, const LlamaModelConfig &c) {
  return checkConfig(check, c.block) &&
         checkPositive(check, {{"layers", c.layers},
                               {"vocabulary", c.vocabulary},
                               {"intermediate", c.block.intermediate}});
}

LlamaModelWeights llamaModelWeights(Graph &graph, const LlamaModelConfig &c, Type element) {
  CallCheck check(graph, "llamaModelWeights");
  if (!checkConfig(check, c))
    return {};
  Declare declare(graph, "", element);
  LlamaModelWeights w;
  w.embedding = declare("model.embed_tokens.weight", {c.vocabulary, c.block.hidden});
  for (int64_t layer = 0; layer < c.layers; ++layer)
    w.blocks.push_back(
        llamaWeights(graph, "model.layers." + std::to_string(layer) + ".", c.block, element));
  w.norm = declare("model.norm.weight", {c.block.hidden});
  w.head =
      c.tiedEmbeddings ? w.embedding : declare("lm_head.weight", {c.vocabulary, c.block.hidden});
  return w;
}

Value llamaModel(Graph &graph, Value tokens, const LlamaModelWeights &w, const LlamaModelConfig &c,
                 MutableArrayRef<KvCache> caches, LogitRows rows) {
  CallCheck check(graph, "llamaModel");
  if (!checkConfig(check, c) || !check.rank(tokens, "tokens", 2))
    return {};
  size_t layers = static_cast<size_t>(c.layers);
  checkPerBlock(check, w.blocks.size(), caches.size(), c.layers);
  check.require(c.windows.empty() || c.windows.size() == layers,
                "expected a window per block or none, but got " + Twine(c.windows.size()));
  if (!check)
    return {};
  Value x = graph.embedding(w.embedding, tokens);
  if (c.embeddingScale)
    x = graph.scaled(x, *c.embeddingScale);
  LlamaConfig block = c.block;
  for (size_t layer = 0; layer < layers && !graph.hasFailed(); ++layer) {
    if (!c.windows.empty())
      block.window = c.windows[layer];
    x = llamaBlock(graph, x, w.blocks[layer], block, caches.empty() ? nullptr : &caches[layer]);
  }
  x = headInput(graph, x, caches, rows);
  Value logits = graph.linear(norm(graph, x, w.norm, c.block), w.head);
  return c.logitsSoftCap ? graph.softCapped(logits, *c.logitsSoftCap) : logits;
}

//===----------------------------------------------------------------------===//
// GPT-2
//===----------------------------------------------------------------------===//

static bool checkConfig(CallCheck &check, const Gpt2Config &c) {
  checkPositive(check,
                {{"hidden", c.hidden}, {"heads", c.heads}, {"intermediate", c.intermediate}});
  if (check)
    check.require(c.hidden % c.heads == 0, "expected hidden to be a multiple of the " +
                                               Twine(c.heads) + " heads, but got " +
                                               Twine(c.hidden));
  return static_cast<bool>(check);
}

Gpt2Weights gpt2Weights(Graph &graph, StringRef prefix, const Gpt2Config &c, Type element) {
  CallCheck check(graph, "gpt2Weights");
  if (!checkConfig(check, c))
    return {};
  Declare declare(graph, prefix, element);
  auto matrix = [&](StringRef name, int64_t out, int64_t in) {
    return c.layout == WeightLayout::OutIn ? declare(name, {out, in}) : declare(name, {in, out});
  };
  Gpt2Weights w;
  w.norm1Scale = declare("ln_1.weight", {c.hidden});
  w.norm1Shift = declare("ln_1.bias", {c.hidden});
  w.qkv = matrix("attn.c_attn.weight", 3 * c.hidden, c.hidden);
  w.qkvBias = declare("attn.c_attn.bias", {3 * c.hidden});
  w.output = matrix("attn.c_proj.weight", c.hidden, c.hidden);
  w.outputBias = declare("attn.c_proj.bias", {c.hidden});
  w.norm2Scale = declare("ln_2.weight", {c.hidden});
  w.norm2Shift = declare("ln_2.bias", {c.hidden});
  w.up = matrix("mlp.c_fc.weight", c.intermediate, c.hidden);
  w.upBias = declare("mlp.c_fc.bias", {c.intermediate});
  w.down = matrix("mlp.c_proj.weight", c.hidden, c.intermediate);
  w.downBias = declare("mlp.c_proj.bias", {c.hidden});
  return w;
}

Value gpt2Block(Graph &graph, Value x, const Gpt2Weights &w, const Gpt2Config &c, KvCache *cache) {
  CallCheck check(graph, "gpt2Block");
  if (!checkConfig(check, c) || !checkHidden(check, x, c.hidden))
    return {};
  int64_t tokens = typeOf(x).getDimSize(1);
  if (!check.require(!ShapedType::isDynamic(tokens) || !cache,
                     "expected a static number of tokens in x with a cache"))
    return {};
  Value h = graph.layerNorm(x, w.norm1Scale, w.norm1Shift, c.normEpsilon);
  Value qkv = graph.linear(h, w.qkv, {.bias = w.qkvBias, .layout = c.layout});
  auto part = [&](int64_t i) {
    return graph.splitHeads(graph.columns(qkv, i * c.hidden, c.hidden), c.heads);
  };
  Value q = part(0), k = part(1), v = part(2);
  Value attended =
      graph.linear(graph.joinHeads(causalAttention(graph, q, k, v, {}, cache)), w.output,
                   {.bias = w.outputBias, .residual = x, .layout = c.layout});
  Value h2 = graph.layerNorm(attended, w.norm2Scale, w.norm2Shift, c.normEpsilon);
  return graph.mlp(h2, w.up, w.upBias, w.down, w.downBias, c.activation, attended, c.layout);
}

static bool checkConfig(CallCheck &check, const Gpt2ModelConfig &c) {
  return checkConfig(check, c.block) && checkPositive(check, {{"layers", c.layers},
                                                              {"vocabulary", c.vocabulary},
                                                              {"positions", c.positions}});
}

Gpt2ModelWeights gpt2ModelWeights(Graph &graph, const Gpt2ModelConfig &c, Type element) {
  CallCheck check(graph, "gpt2ModelWeights");
  if (!checkConfig(check, c))
    return {};
  Declare declare(graph, "", element);
  Gpt2ModelWeights w;
  w.embedding = declare("wte.weight", {c.vocabulary, c.block.hidden});
  w.positions = declare("wpe.weight", {c.positions, c.block.hidden});
  for (int64_t layer = 0; layer < c.layers; ++layer)
    w.blocks.push_back(gpt2Weights(graph, "h." + std::to_string(layer) + ".", c.block, element));
  w.normScale = declare("ln_f.weight", {c.block.hidden});
  w.normShift = declare("ln_f.bias", {c.block.hidden});
  return w;
}

/// Embeddings of the tokens and of their positions, added up.
static Value gpt2Embedding(Graph &graph, Value tokens, const Gpt2ModelWeights &w,
                           const KvCache *cache) {
  Value x = graph.embedding(w.embedding, tokens);
  if (!cache)
    return graph.addToEach(x, graph.embedding(w.positions, graph.positionsOf(tokens)));
  Value positions = graph.positionsFrom(cache->length, typeOf(tokens).getDimSize(1));
  return graph.add(x, graph.embedding(w.positions, positions));
}

Value gpt2Model(Graph &graph, Value tokens, const Gpt2ModelWeights &w, const Gpt2ModelConfig &c,
                MutableArrayRef<KvCache> caches, LogitRows rows) {
  CallCheck check(graph, "gpt2Model");
  if (!checkConfig(check, c) || !check.rank(tokens, "tokens", 2))
    return {};
  checkPerBlock(check, w.blocks.size(), caches.size(), c.layers);
  if (!check.require(caches.empty() || !ShapedType::isDynamic(typeOf(tokens).getDimSize(1)),
                     "expected a static number of tokens with caches"))
    return {};
  Value x = gpt2Embedding(graph, tokens, w, caches.empty() ? nullptr : &caches.front());
  for (size_t layer = 0; layer < w.blocks.size() && !graph.hasFailed(); ++layer)
    x = gpt2Block(graph, x, w.blocks[layer], c.block, caches.empty() ? nullptr : &caches[layer]);
  x = headInput(graph, x, caches, rows);
  return graph.linear(graph.layerNorm(x, w.normScale, w.normShift, c.block.normEpsilon),
                      w.embedding);
}

//===----------------------------------------------------------------------===//
// Mixture of experts
//===----------------------------------------------------------------------===//

MoeWeights moeWeights(Graph &graph, StringRef prefix, const MoeConfig &c, Type element) {
  CallCheck check(graph, "moeWeights");
  if (!checkPositive(check, {{"hidden", c.hidden},
                             {"experts", c.experts},
                             {"expertsPerToken", c.expertsPerToken},
                             {"intermediate", c.intermediate}}))
    return {};
  Declare declare(graph, prefix, element);
  MoeWeights w;
  w.router = declare("gate.weight", {c.experts, c.hidden});
  w.gate = declare("experts.gate_proj.weight", {c.experts, c.intermediate, c.hidden});
  w.up = declare("experts.up_proj.weight", {c.experts, c.intermediate, c.hidden});
  w.down = declare("experts.down_proj.weight", {c.experts, c.hidden, c.intermediate});
  return w;
}

Value moeBlock(Graph &graph, Value x, const LlamaWeights &attention,
               const LlamaConfig &attentionConfig, const MoeWeights &w, const MoeConfig &c,
               KvCache *cache) {
  Value attended = llamaAttention(graph, x, attention, attentionConfig, cache);
  Value h = feedForwardInput(graph, attended, attention, attentionConfig);
  Value result = moeFeedForward(graph, h, w, c);
  if (attentionConfig.normsBehind)
    result = norm(graph, result, attention.feedForwardResultNorm, attentionConfig);
  return graph.add(attended, result);
}

} // namespace forge::transformer
