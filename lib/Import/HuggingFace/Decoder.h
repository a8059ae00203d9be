// Decoders of all families: one description, what its weights are called, and the model.
#ifndef FORGE_LIB_IMPORT_HUGGINGFACE_DECODER_H
#define FORGE_LIB_IMPORT_HUGGINGFACE_DECODER_H

#include "HiddenActivation.h"

#include "forge/Dialect/Transformer/Builders/Blocks.h"
#include "forge/Import/HuggingFace.h"

#include <functional>
#include <string>

namespace forge::huggingface {

/// What the weights of a decoder are called in checkpoints. Names of layers are behind
/// `layer` and the layer's number; all without ".weight" or ".bias".
struct DecoderNames {
  std::string embedding = "model.embed_tokens", positions = {}, layer = "model.layers.";
  std::string norm = "model.norm", head = "lm_head";
  /// Of matrices between embedding and hidden states, and hidden states and head; empty: none.
  std::string projectIn = {}, projectOut = {};
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
  /// Of gate and up of all experts, where they are stored as one; whole names, as is then that of
  /// `expertDown`.
  std::string mergedExperts = {};
  std::string sinks = {}; ///< of attention, whole
  /// What is added to scores of experts for the choice, whole.
  std::string choiceBias = {};
  std::string sharedGate = "mlp.shared_experts.gate_proj", sharedUp = "mlp.shared_experts.up_proj",
              sharedDown = "mlp.shared_experts.down_proj";
  /// Of latent attention.
  std::string queryDown = "self_attn.q_a_proj", queryLatentNorm = "self_attn.q_a_layernorm",
              queryUp = "self_attn.q_b_proj", latentDown = "self_attn.kv_a_proj_with_mqa",
              latentNorm = "self_attn.kv_a_layernorm", latentUp = "self_attn.kv_b_proj";
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
enum class QueryKeyNorm {
  None,
  Head,     ///< each head, with the same weights for all
  EachHead, ///< each head, with weights [heads, headDim] and no bias
  AllHeads  ///< all heads of a token together
};

/// Keys and values of all heads from one vector of a token, as in DeepSeek V2 and V3. Heads of
/// queries and keys are `plain` elements and `rotated` ones, which keys share.
struct LatentAttention {
  int64_t queryRank = 0; ///< of queries' own vector; 0: they have none
  int64_t rank = 0, plain = 0, rotated = 0;
  double normEpsilon = 1e-6; ///< of both vectors
};

/// The types that weights have in a checkpoint.
struct WeightTypes {
  mlir::Type element; ///< of all that are not narrow
  /// Of a tensor, by name; null where there is none. Empty: none is known.
  std::function<mlir::Type(llvm::StringRef name)> stored = {};
  /// Whether experts that are stored as one may be MXFP4, as NAME_blocks and NAME_scales.
  bool mxfp4 = false;
  /// Output and input features that share a scale, NAME_scale_inv, of matrices that are stored as
  /// f8; none: no matrix may be.
  std::optional<std::pair<int64_t, int64_t>> f8Block = std::nullopt;
  /// Of a tensor, by name, the blocks that its rows are stored in; empty: none are.
  std::function<std::optional<BlockFormat>(llvm::StringRef name)> blocks = {};
  /// Whether floats of another type than `element` are converted.
  bool mixed = false;

  mlir::Type of(llvm::StringRef name) const { return stored ? stored(name) : mlir::Type(); }
};

struct DecoderConfig {
  DecoderNames names;
  int64_t layers = 0, vocabulary = 0;
  int64_t hidden = 0, heads = 0, kvHeads = 0, headDim = 0, intermediate = 0;

  bool layerNorms = false; ///< instead of RMS norms
  bool normScales = true;  ///< norms have weights, and
  bool normBiases = false; ///< biases
  double normEpsilon = 1e-5;
  bool unitOffset = false;  ///< norms scale by 1 + weight
  bool normsBefore = true;  ///< of the inputs of attention and feed-forward part
  bool normsBehind = false; ///< of their results
  bool normsOfSums = false; ///< of the stream with a part's result added, in place of `normsBefore`
  bool normAtEnd = true;    ///< in front of the head
  QueryKeyNorm queryKeyNorm = QueryKeyNorm::None;
  Residuals residuals = Residuals::Sequential;

  QkvLayout qkv = QkvLayout::Separate;
  std::optional<LatentAttention> latent; ///< in place of `qkv`
  int64_t valueDim = 0;                  ///< elements of a head of values; 0: headDim
  transformer::WeightLayout layout = transformer::WeightLayout::OutIn;
  bool inputBiases = false, outputBias = false; ///< of attention
  bool feedForwardBiases = false, headBias = false;
  bool gated = true; ///< down(activation(gate(x)) * up(x)) instead of down(activation(up(x)))
  bool mergedGate = false;
  HiddenActivation activation = transformer::ActivationKind::Silu;

  /// Experts in place of the feed-forward part; 0: none.
  int64_t experts = 0, expertsPerToken = 0, expertIntermediate = 0;
  bool normalizeExperts = true; ///< weights of a token's experts sum to one
  bool routerBias = false;
  transformer::RouterScore routerScore = transformer::RouterScore::Softmax;
  int64_t expertGroups = 0, topExpertGroups = 0; ///< as in RouteOptions
  double routerScale = 1;
  bool wideRouter = false;        ///< logits of experts are not rounded to 16 bits
  int64_t sharedIntermediate = 0; ///< of an expert that all tokens have; 0: none
  /// Experts that are stored as one, [E, in, out], rows of gate and up in turn, with biases; they
  /// clamp the gate, by these numbers.
  bool mergedExperts = false;
  double gateAlpha = 1, gateLimit = 1;
  /// Per layer, where some have no experts; empty: all have them.
  llvm::SmallVector<bool> hasExperts;

  std::optional<double> scale, softCap; ///< of scores
  bool scaleByLayer = false;            ///< scores are divided by the layer's number, from 1 on
  /// None: no rope.
  std::optional<transformer::RopeBuildOptions> rope;
  std::optional<int64_t> window;
  /// Once a sequence is long enough for a rope's long frequencies, all its keys are computed again.
  bool recomputesLongKeys = false;
  /// Per layer, where layers differ; empty: as above.
  llvm::SmallVector<std::optional<int64_t>> windows;
  llvm::SmallVector<std::optional<transformer::RopeBuildOptions>> ropes;

  /// Learned positions, of which the first `positionOffset` are no token's; 0: none.
  int64_t positions = 0, positionOffset = 0;
  bool tiedEmbeddings = false;
  int64_t embeddingDim = 0; ///< of a row of the embedding and the head; 0: hidden
  /// How matrices of products are kept, where `layout` is OutIn. Not embeddings, nor experts and
  /// what chooses them.
  MatrixFormat matrices = MatrixFormat::Stored;
  std::optional<double> embeddingScale, residualScale, logitScale, logitsSoftCap;
};

/// Declares the weights as arguments of the graph and builds logits of tokens [B, S]: of all rows,
/// [B, S, vocabulary], or of the last token of each sequence, [B, vocabulary]. `caches` is empty,
/// or holds one per layer.
mlir::Value buildDecoder(transformer::Graph &graph, mlir::Value tokens, const DecoderConfig &config,
                         const WeightTypes &types,
                         llvm::MutableArrayRef<transformer::KvCache> caches = {},
                         transformer::LogitRows rows = transformer::LogitRows::All);

} // namespace forge::huggingface

#endif // FORGE_LIB_IMPORT_HUGGINGFACE_DECODER_H
