// A trait of every transformer operation: it takes no attribute that it does not have.
#ifndef FORGE_DIALECT_TRANSFORMER_IR_KNOWNATTRIBUTES_H
#define FORGE_DIALECT_TRANSFORMER_IR_KNOWNATTRIBUTES_H

#include "mlir/IR/OpDefinition.h"

namespace forge::transformer {

/// Attributes that `op` does not define have the prefix of a dialect; an error otherwise. MLIR
/// keeps any other attribute without a word, so that a misspelled `causal` would be no mask at all.
mlir::LogicalResult verifyKnownAttributes(mlir::Operation *op);

template <typename ConcreteType>
class KnownAttributes : public mlir::OpTrait::TraitBase<ConcreteType, KnownAttributes> {
public:
  static mlir::LogicalResult verifyTrait(mlir::Operation *op) { return verifyKnownAttributes(op); }
};

} // namespace forge::transformer

#endif // FORGE_DIALECT_TRANSFORMER_IR_KNOWNATTRIBUTES_H
