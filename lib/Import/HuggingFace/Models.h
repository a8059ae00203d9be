// The models of all families, built in one way.
#ifndef FORGE_LIB_IMPORT_HUGGINGFACE_MODELS_H
#define FORGE_LIB_IMPORT_HUGGINGFACE_MODELS_H

#include "Families.h"

namespace forge::huggingface {

int64_t layersOf(const ModelConfig &config);
/// The name of the token embedding among the weights.
llvm::StringRef embeddingOf(const ModelConfig &config);
bool isTied(const ModelConfig &config);
/// The most tokens of a sequence, where more have no position.
std::optional<int64_t> positionsOf(const ModelConfig &config);
/// Heads and elements per head of a layer's keys; those of values are the same.
std::pair<int64_t, int64_t> cacheHeads(const ModelConfig &config);

/// Declares the weights as arguments and builds logits as transformer::llamaModel gives them.
mlir::Value buildModel(transformer::Graph &graph, mlir::Value tokens, const ModelConfig &config,
                       mlir::Type element, llvm::MutableArrayRef<transformer::KvCache> caches = {},
                       transformer::LogitRows rows = transformer::LogitRows::All);

} // namespace forge::huggingface

#endif // FORGE_LIB_IMPORT_HUGGINGFACE_MODELS_H
