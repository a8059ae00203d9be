// The weights of a decoder, declared as arguments of a graph.
#ifndef FORGE_LIB_IMPORT_HUGGINGFACE_DECODERWEIGHTS_H
#define FORGE_LIB_IMPORT_HUGGINGFACE_DECODERWEIGHTS_H

#include "Decoder.h"

namespace forge::huggingface {

/// A norm, and its weights, which may be null.
struct NormWeights {
  bool exists = false;
  mlir::Value scale, shift;
};

/// A matrix and its bias, which may be null.
struct LinearWeights {
  mlir::Value matrix, bias;
};

struct LayerWeights {
  NormWeights attentionNorm, feedForwardNorm, attentionResultNorm, feedForwardResultNorm;
  NormWeights queryNorm, keyNorm;
  LinearWeights query, key, value, merged, output;
  LinearWeights gate, up, mergedGate, down;
  transformer::MoeWeights experts; ///< null: none
  mlir::Value sinks;
  LinearWeights queryDown, queryUp, latentDown, latentUp;
  NormWeights queryLatentNorm, latentNorm;
  LinearWeights sharedGate, sharedUp, sharedDown;
};

/// Declares weights under their names in checkpoints, in the order of the calls.
class DecoderWeights {
public:
  DecoderWeights(transformer::Graph &graph, const DecoderConfig &config, const WeightTypes &types)
      : graph(graph), c(config), types(types) {}

  mlir::Value weight(const std::string &name, llvm::ArrayRef<int64_t> shape);
  /// The bytes of a matrix [out, in] that is stored in blocks; null for others.
  mlir::Value blocks(const std::string &name, llvm::ArrayRef<int64_t> shape);
  /// A matrix [out, in], or those of all experts, [E, out, in]: as it is stored, perhaps of f8, or
  /// made narrow.
  mlir::Value matrix(const std::string &name, llvm::ArrayRef<int64_t> shape);
  NormWeights norm(const std::string &name, llvm::ArrayRef<int64_t> shape);
  LinearWeights linear(const std::string &name, int64_t out, int64_t in, bool bias);
  LayerWeights layer(int64_t number);
  /// Elements of a head of values.
  int64_t valueDim() const { return c.valueDim ? c.valueDim : c.headDim; }

private:
  void declareLatent(LayerWeights &w, const std::string &prefix);
  void declareAttention(LayerWeights &w, const std::string &prefix);
  void declareFeedForward(LayerWeights &w, const std::string &prefix);
  void declareExperts(LayerWeights &w, const std::string &prefix);
  void declareMergedExperts(transformer::MoeWeights &w, const std::string &prefix);
  mlir::Value mergedMatrices(const std::string &name, int64_t out, int64_t in);

  transformer::Graph &graph;
  const DecoderConfig &c;
  const WeightTypes &types;
};

} // namespace forge::huggingface

#endif // FORGE_LIB_IMPORT_HUGGINGFACE_DECODERWEIGHTS_H
