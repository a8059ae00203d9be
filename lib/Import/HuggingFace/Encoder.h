// BERT: its description, and the model.
#ifndef FORGE_LIB_IMPORT_HUGGINGFACE_ENCODER_H
#define FORGE_LIB_IMPORT_HUGGINGFACE_ENCODER_H

#include "HiddenActivation.h"

#include "forge/Dialect/Transformer/Builders/Graph.h"

namespace forge::huggingface {

/// What is computed of the hidden states.
enum class EncoderHead {
  None,     ///< hidden states [B, S, hidden], and those of the pooler [B, hidden]
  Token,    ///< logits of each token's word, [B, S, vocabulary]
  Sequence, ///< logits of each sequence's class, [B, labels]
};

/// Norms are of the sums: y = norm(x + attention(x)), norm(y + mlp(y)).
struct EncoderConfig {
  int64_t layers = 0, vocabulary = 0, positions = 0, tokenTypes = 0;
  int64_t hidden = 0, heads = 0, intermediate = 0;
  double normEpsilon = 1e-12;
  HiddenActivation activation = transformer::ActivationKind::Gelu;
  EncoderHead head = EncoderHead::None;
  int64_t labels = 0;

  static constexpr llvm::StringLiteral embedding = "embeddings.word_embeddings";
  /// Checkpoints with a head have it in front of the other names.
  static constexpr llvm::StringLiteral optionalPrefix = "bert.";
};

/// Declares the weights as arguments of the graph and builds the results. All inputs are [B, S] of
/// i32: tokens; 0 where a token is none, which nothing sees; the type of each token.
llvm::SmallVector<mlir::Value> buildEncoder(transformer::Graph &graph, mlir::Value tokens,
                                            mlir::Value counts, mlir::Value types,
                                            const EncoderConfig &config, mlir::Type element);

} // namespace forge::huggingface

#endif // FORGE_LIB_IMPORT_HUGGINGFACE_ENCODER_H
