// Activations by the names that transformers has for them.
#ifndef FORGE_LIB_IMPORT_HUGGINGFACE_HIDDENACTIVATION_H
#define FORGE_LIB_IMPORT_HUGGINGFACE_HIDDENACTIVATION_H

#include "forge/Dialect/Transformer/Builders/Graph.h"

namespace forge::huggingface {

struct HiddenActivation {
  /// As one operation, which products have in their epilogue.
  std::optional<transformer::ActivationKind> kind = std::nullopt;
  /// Otherwise made of several, of f32 (f64) numbers.
  mlir::Value (*composed)(transformer::Graph &, mlir::Value) = nullptr;

  HiddenActivation(transformer::ActivationKind kind) : kind(kind) {}
  HiddenActivation(mlir::Value (*composed)(transformer::Graph &, mlir::Value))
      : composed(composed) {}

  /// Rounded once, to the type of `input`.
  mlir::Value apply(transformer::Graph &graph, mlir::Value input) const;
};

/// None where the name is not known, or the activation has parameters.
std::optional<HiddenActivation> findActivation(llvm::StringRef name);
/// "silu, swish, ... or tanh".
std::string activationNames();

} // namespace forge::huggingface

#endif // FORGE_LIB_IMPORT_HUGGINGFACE_HIDDENACTIVATION_H
