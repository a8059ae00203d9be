// Blocks of known models, each one call: Llama, GPT-2, mixture of experts; and the weights they
// take, named and laid out as checkpoints have them.
#ifndef FORGE_DIALECT_TRANSFORMER_BUILDERS_BLOCKS_H
#define FORGE_DIALECT_TRANSFORMER_BUILDERS_BLOCKS_H

#include "forge/Dialect/Transformer/Builders/Graph.h"

#include <functional>

namespace forge::transformer {

/// Keys and values of earlier tokens, [B, Hkv, T, D] each, and how many there are, [B] of i32. A
/// block that is given one writes its own keys and values behind them and replaces both tensors by
/// the new ones. With a table [B, M] they lie in pages [P, Hkv, R, D] that sequences share.
///
/// Where sequences get different numbers of tokens at a time, `counts` [B] of i32 says how many of
/// S each: the next ones are written in the place of the others, and nothing sees them. All count
/// without it.
struct KvCache {
  mlir::Value keys, values, length, table = {}, counts = {};
  /// Tokens of each sequence when all of its prompt is there, [B] of i32: rope may depend on it.
  mlir::Value contexts = {};
};

/// Which rows the logits of a model are of.
enum class LogitRows {
  All, ///< [B, S, vocabulary]
  Last ///< [B, vocabulary]: the last token that counts
};

/// Causal attention of queries [B, Hq, S, D], without a cache over their own keys and values. With
/// one, these are written into it, and all of it up to them is seen.
mlir::Value causalAttention(Graph &graph, mlir::Value query, mlir::Value key, mlir::Value value,
                            AttentionBuildOptions options, KvCache *cache);

/// What the head multiplies, of the hidden states [B, S, hidden] behind the blocks.
mlir::Value headInput(Graph &graph, mlir::Value x, llvm::ArrayRef<KvCache> caches, LogitRows rows);

//===----------------------------------------------------------------------===//
// Llama (also Mistral, Qwen 2 and 3, Gemma 2, and their like)
//===----------------------------------------------------------------------===//

struct LlamaConfig {
  int64_t hidden = 0;       ///< width of the residual stream
  int64_t heads = 0;        ///< query heads
  int64_t kvHeads = 0;      ///< key and value heads; heads is a multiple
  int64_t headDim = 0;      ///< elements per head
  int64_t intermediate = 0; ///< width inside the feed-forward part; 0 where experts take its place
  double normEpsilon = 1e-5;
  RopeBuildOptions rope = {};
  std::optional<int64_t> window = std::nullopt; ///< sliding window, as in Mistral
  ActivationKind activation = ActivationKind::Silu;
  bool inputBias = false;                     ///< of queries, keys and values, as in Qwen 2
  bool outputBias = false;                    ///< of the projection behind attention
  bool headNorms = false;                     ///< of each query and key, as in Qwen 3
  bool unitOffset = false;                    ///< norms scale by 1 + weight, as in Gemma
  bool normsBehind = false;                   ///< norms of both parts' results, too, as in Gemma 2
  std::optional<double> scale = std::nullopt; ///< of scores; 1 / sqrt(headDim) unless given
  std::optional<double> softCap = std::nullopt; ///< of scores
  /// How the matrices are stored; as floats unless given.
  std::optional<QuantizedFormat> quantized = std::nullopt;
};

/// Named as `model.layers.N.*` in Hugging Face checkpoints; matrices are [out, in].
struct LlamaWeights {
  mlir::Value inputNorm;                 ///< input_layernorm, [hidden]
  mlir::Value query, key, value, output; ///< self_attn.{q,k,v,o}_proj
  mlir::Value postNorm;                  ///< post_attention_layernorm, [hidden]
  mlir::Value gate, up, down;            ///< mlp.{gate,up,down}_proj
  // Null where the configuration has none.
  mlir::Value queryBias, keyBias, valueBias, outputBias; ///< self_attn.{q,k,v,o}_proj
  mlir::Value queryNorm, keyNorm;                        ///< self_attn.{q,k}_norm, [headDim]
  /// {pre,post}_feedforward_layernorm, [hidden]; with them, postNorm is of attention's result.
  mlir::Value feedForwardNorm, feedForwardResultNorm;
};

/// Declares the weights as arguments of the graph, each name behind `prefix`.
LlamaWeights llamaWeights(Graph &graph, llvm::StringRef prefix, const LlamaConfig &config,
                          mlir::Type element);

/// The residual stream [B, S, hidden] after a block: x + attention(norm(x)), then that +
/// mlp(norm(that)). Without a cache the tokens have positions 0 to S - 1; with one, which needs a
/// static S, they come behind the tokens in it, for prefill (S > 1) and decode (S = 1) alike.
mlir::Value llamaBlock(Graph &graph, mlir::Value x, const LlamaWeights &weights,
                       const LlamaConfig &config, KvCache *cache = nullptr);

/// Attention of a Llama block alone, with its norm and residual.
mlir::Value llamaAttention(Graph &graph, mlir::Value x, const LlamaWeights &weights,
                           const LlamaConfig &config, KvCache *cache = nullptr);

struct LlamaModelConfig {
  LlamaConfig block;
  int64_t layers = 0;
  int64_t vocabulary = 0;                              ///< tokens
  bool tiedEmbeddings = false;                         ///< the embedding is the head's matrix too
  std::optional<double> embeddingScale = std::nullopt; ///< of embeddings, as in Gemma
  std::optional<double> logitsSoftCap = std::nullopt;
  /// Per block its window, or none; empty: that of `block` in all.
  llvm::SmallVector<std::optional<int64_t>> windows = {};
};

struct LlamaModelWeights {
  mlir::Value embedding; ///< model.embed_tokens, [vocabulary, hidden]
  llvm::SmallVector<LlamaWeights> blocks;
  mlir::Value norm; ///< model.norm, [hidden]
  mlir::Value head; ///< lm_head, [vocabulary, hidden]; the embedding where tied
};

LlamaModelWeights llamaModelWeights(Graph &graph, const LlamaModelConfig &config,
                                    mlir::Type element);

/// Logits of tokens [B, S], integers: embedding, blocks, norm, head. `caches` is empty, or holds
/// one per block. Those of last tokens alone need static B and S where `counts` are given.
mlir::Value llamaModel(Graph &graph, mlir::Value tokens, const LlamaModelWeights &weights,
                       const LlamaModelConfig &config, llvm::MutableArrayRef<KvCache> caches = {},
                       LogitRows rows = LogitRows::All);

//===----------------------------------------------------------------------===//
// GPT-2
//===----------------------------------------------------------------------===//

struct Gpt2Config {
  int64_t hidden = 0;
  int64_t heads = 0; ///< divide hidden
  int64_t intermediate = 0;
  double normEpsilon = 1e-5;
  ActivationKind activation = ActivationKind::GeluTanh;
  /// Hugging Face's GPT-2 checkpoints store [in, out] (Conv1D); most others [out, in].
  WeightLayout layout = WeightLayout::OutIn;
};

/// Named as `h.N.*` in Hugging Face checkpoints.
struct Gpt2Weights {
  mlir::Value norm1Scale, norm1Shift;     ///< ln_1, [hidden]
  mlir::Value qkv, qkvBias;               ///< attn.c_attn: queries, keys, values side by side
  mlir::Value output, outputBias;         ///< attn.c_proj
  mlir::Value norm2Scale, norm2Shift;     ///< ln_2, [hidden]
  mlir::Value up, upBias, down, downBias; ///< mlp.c_fc, mlp.c_proj
};

Gpt2Weights gpt2Weights(Graph &graph, llvm::StringRef prefix, const Gpt2Config &config,
                        mlir::Type element);

/// The residual stream [B, S, hidden] after a block; the cache as in llamaBlock.
mlir::Value gpt2Block(Graph &graph, mlir::Value x, const Gpt2Weights &weights,
                      const Gpt2Config &config, KvCache *cache = nullptr);

struct Gpt2ModelConfig {
  Gpt2Config block;
  int64_t layers = 0;
  int64_t vocabulary = 0; ///< tokens
  int64_t positions = 0;  ///< that have an embedding
};

struct Gpt2ModelWeights {
  mlir::Value embedding, positions; ///< wte and wpe; the first is the head's matrix too
  llvm::SmallVector<Gpt2Weights> blocks;
  mlir::Value normScale, normShift; ///< ln_f
};

Gpt2ModelWeights gpt2ModelWeights(Graph &graph, const Gpt2ModelConfig &config, mlir::Type element);

/// Logits of tokens [B, S], integers; caches and rows as in llamaModel.
mlir::Value gpt2Model(Graph &graph, mlir::Value tokens, const Gpt2ModelWeights &weights,
                      const Gpt2ModelConfig &config, llvm::MutableArrayRef<KvCache> caches = {},
                      LogitRows rows = LogitRows::All);

//===----------------------------------------------------------------------===//
// Mixture of experts (Mixtral, Qwen 2 MoE and their like)
//===----------------------------------------------------------------------===//

struct MoeConfig {
  int64_t hidden = 0;
  int64_t experts = 0;
  int64_t expertsPerToken = 0;
  int64_t intermediate = 0; ///< width inside one expert
  bool normalize = true;    ///< weights of a token's experts sum to one
  ActivationKind activation = ActivationKind::Silu;
  RouterScore score = RouterScore::Softmax;
  int64_t groups = 0, topGroups = 0; ///< as in RouteOptions
  double routerScale = 1;            ///< of the experts' weights
  bool wideRouter = false;           ///< logits of experts are not rounded to 16 bits
  double alpha = 1, limit = 1;       ///< of clampedGate
  /// Where given, what is applied in place of `activation`.
  std::function<mlir::Value(Graph &, mlir::Value)> otherActivation = {};
};

/// Experts' matrices stacked, [E, out, in].
struct MoeWeights {
  mlir::Value router;         ///< [E, hidden]
  mlir::Value gate, up, down; ///< [E, intermediate, hidden] twice, [E, hidden, intermediate]
  // Null where the model has none.
  mlir::Value routerBias; ///< [E]
  mlir::Value choiceBias; ///< of scores, for the choice alone, [E]
  /// In place of gate and up, features of both in turn, [E, hidden, 2 * intermediate], or [E, 2 *
  /// intermediate, hidden] where `isMergedOutIn`: experts compute clampedGate. So is `down` then
  /// stored.
  mlir::Value merged;
  bool isMergedOutIn = false;
  mlir::Value mergedBias, downBias; ///< [E, 2 * intermediate] and [E, hidden]
};

MoeWeights moeWeights(Graph &graph, llvm::StringRef prefix, const MoeConfig &config,
                      mlir::Type element);

/// The feed-forward part of a block, x [B, S, hidden]: every token goes through its experts' gated
/// MLPs, whose results are weighted and added up. Rows are sorted by expert and multiplied in
/// groups: no token waits for another's experts. B and S are static.
mlir::Value moeFeedForward(Graph &graph, mlir::Value x, const MoeWeights &weights,
                           const MoeConfig &config);

/// A Llama block with experts in place of its feed-forward part.
mlir::Value moeBlock(Graph &graph, mlir::Value x, const LlamaWeights &attention,
                     const LlamaConfig &attentionConfig, const MoeWeights &weights,
                     const MoeConfig &config, KvCache *cache = nullptr);

} // namespace forge::transformer

#endif // FORGE_DIALECT_TRANSFORMER_BUILDERS_BLOCKS_H
