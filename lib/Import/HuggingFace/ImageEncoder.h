// ViT: its description, and the model.
#ifndef FORGE_LIB_IMPORT_HUGGINGFACE_IMAGEENCODER_H
#define FORGE_LIB_IMPORT_HUGGINGFACE_IMAGEENCODER_H

#include "HiddenActivation.h"

#include "forge/Dialect/Transformer/Builders/Graph.h"

namespace forge::huggingface {

/// A class token and the patches of an image go through layers: y = x + attention(norm(x)),
/// y + mlp(norm(y)).
struct ImageEncoderConfig {
  int64_t layers = 0, hidden = 0, heads = 0, intermediate = 0;
  int64_t imageSize = 0, patchSize = 0, channels = 3; ///< images are squares; patches divide them
  double normEpsilon = 1e-12;
  HiddenActivation activation = transformer::ActivationKind::Gelu;
  bool inputBiases = true; ///< of queries, keys and values
  /// Classes; 0: hidden states, and those of the pooler.
  int64_t labels = 0;

  int64_t patches() const { return (imageSize / patchSize) * (imageSize / patchSize); }
  static constexpr llvm::StringLiteral embedding = "embeddings.patch_embeddings.projection";
  /// Checkpoints with a head have it in front of the other names.
  static constexpr llvm::StringLiteral optionalPrefix = "vit.";
};

/// Declares the weights as arguments of the graph and builds the results of images [B, channels,
/// size, size]: hidden states [B, 1 + patches, hidden] and the pooler's [B, hidden], or logits [B,
/// labels].
llvm::SmallVector<mlir::Value> buildImageEncoder(transformer::Graph &graph, mlir::Value images,
                                                 const ImageEncoderConfig &config,
                                                 mlir::Type element);

} // namespace forge::huggingface

#endif // FORGE_LIB_IMPORT_HUGGINGFACE_IMAGEENCODER_H
