// A trait of transformer operations whose operands need not have equal types.
#ifndef FORGE_DIALECT_TRANSFORMER_IR_FOLDSCASTS_H
#define FORGE_DIALECT_TRANSFORMER_IR_FOLDSCASTS_H

#include "mlir/IR/OpDefinition.h"

namespace forge::transformer {

/// The canonical form takes operands of better known sizes, hidden by tensor.cast, as they are; the
/// sizes of the results are those that reifyResultShapes gives.
template <typename ConcreteType>
class FoldsCasts : public mlir::OpTrait::TraitBase<ConcreteType, FoldsCasts> {};

} // namespace forge::transformer

#endif // FORGE_DIALECT_TRANSFORMER_IR_FOLDSCASTS_H
