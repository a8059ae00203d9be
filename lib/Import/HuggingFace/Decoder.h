// Decoders of all families: one description, what its weights are called, and the model.
#ifndef FORGE_LIB_IMPORT_HUGGINGFACE_DECODER_H
#define FORGE_LIB_IMPORT_HUGGINGFACE_DECODER_H

#include "forge/Dialect/Transformer/Builders/Blocks.h"

#include <string>

namespace forge::huggingface {

/// What the weights of a decoder are called in checkpoints. Names of layers are behind
/// `layer` and the layer's number; all without ".weight" or ".bias".
struct DecoderNames {
  std::string embedding = "model.embed_tokens", positions = {}, layer = "model.layers.";
  std::string norm = "model.norm", head = "lm_head";
  std::string attentionNorm = "input_layernorm", feedForwardNorm = "post_attention_layernorm";
  /// Of the parts' results.
  std::string attentionResultNorm = {}, feedForwardResultNorm = {};
  std::string query = "self_attn.q_proj", key = "self_attn.k_proj", value = "self_attn.v_proj";
  /// Of all three, where they are stored as one.
  std::string merged = {};
  std::string queryNorm = "self_attn.q_norm", keyNorm = "self_attn.k_norm";
  std::string output = "self_attn.o_proj";
  std::string gate = "mlp.gate_proj", up = "mlp.up_proj", down = "mlp.down_proj";
  /// Of gate and up, where they are stored as one.
  std::string mergedGate = {};
  /// Of experts, whose number is where the `*` is.
  std::string router = "mlp.gate", expertGate = "mlp.experts.*.gate_proj",
              expertUp = "mlp.experts.*.up_proj", expertDown = "mlp.experts.*.down_proj";
  /// Checkpoints may have this in front of each name, or not.
  std::string optionalPrefix = {};
};

/// How queries, keys and values are stored.
enum class QkvLayout {
  Separate,
  Merged, ///< all queries, then all keys, then all values
  ByHead  ///< of each head its query, key and value, as in GPT-NeoX
};

/// What a layer adds to the residual stream x.
enum class Residuals {
  Sequential,    ///< y = x + attention(norm(x)); y + mlp(norm(y))
  Parallel,      ///< x + attention(norm(x)) + mlp(norm(x)), each with its norm
  ParallelShared ///< the same with one norm for both
};

/// What norms of queries and keys, before rope, run over.
enum class QueryKeyNorm { None, Head, AllHeads };

struct DecoderConfig {
  DecoderNames names;
  int64_t layers = 0, vocabulary = 0;
  int64_t hidden = 0, heads = 0, kvHeads = 0, headDim = 0, intermediate = 0;

  bool layerNorms = false; ///< instead of RMS norms
  bool normBiases = false;
  double normEpsilon = 1e-5;
  bool unitOffset = false;  ///< norms scale by 1 + weight
  bool normsBefore = true;  ///< of the inputs of attention and feed-forward part
  bool normsBehind = false; ///< of their results
  QueryKeyNorm queryKeyNorm = QueryKeyNorm::None;
  Residuals residuals = Residuals::Sequential;

  QkvLayout qkv = QkvLayout::Separate;
  transformer::WeightLayout layout = transformer::WeightLayout::OutIn;
  bool inputBiases = false, outputBias = false; ///< of attention
  bool feedForwardBiases = false, headBias = false;
  bool gated = true; ///< down(activation(gate(x)) * up(x)) instead of down(activation(up(x)))
  bool mergedGate = false;
  transformer::ActivationKind activation = transformer::ActivationKind::Silu;

  /// Experts in place of the feed-forward part; 0: none.
  int64_t experts = 0, expertsPerToken = 0, expertIntermediate = 0;
  bool normalizeExperts = true; ///< weights of a token's experts sum to one
  /// Per layer, where some have no experts; empty: all have them.
  llvm::SmallVector<bool> hasExperts;

  std::optional<double> scale, softCap; ///< of scores
  /// None: no rope.
  std::optional<transformer::RopeBuildOptions> rope;
  std::optional<int64_t> window;
  /// Per layer, where layers differ; empty: as above.
  llvm::SmallVector<std::optional<int64_t>> windows;
  llvm::SmallVector<std::optional<transformer::RopeBuildOptions>> ropes;

  /// Learned positions, of which the first `positionOffset` are no token's; 0: none.
  int64_t positions = 0, positionOffset = 0;
  bool tiedEmbeddings = false;
  /// Matrices of products are stored in 8 bits, where `layout` is OutIn: i8 with a scale for each
  /// output feature. Not embeddings, nor experts and what chooses them.
  bool narrowMatrices = false;
  std::optional<double> embeddingScale, residualScale, logitScale, logitsSoftCap;
};

/// Declares the weights as arguments of the graph and builds logits of tokens [B, S]: of all rows,
/// [B, S, vocabulary], or of the last token of each sequence, [B, vocabulary]. `caches` is empty,
/// or holds one per layer.
mlir::Value buildDecoder(transformer::Graph &graph, mlir::Value tokens, const DecoderConfig &config,
                         mlir::Type element,
                         llvm::MutableArrayRef<transformer::KvCache> caches = {},
                         transformer::LogitRows rows = transformer::LogitRows::All);

} // namespace forge::huggingface

#endif // FORGE_LIB_IMPORT_HUGGINGFACE_DECODER_H
