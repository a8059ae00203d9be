// Padding by amounts known at run time; private to this library.
#ifndef FORGE_LIB_CONVERSION_STABLEHLOTOLINALG_DYNAMICPAD_H
#define FORGE_LIB_CONVERSION_STABLEHLOTOLINALG_DYNAMICPAD_H

#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinTypes.h"

namespace forge {

/// Amounts of padding as index values, one of each kind per dimension.
struct PadAmounts {
  llvm::SmallVector<mlir::Value> low, high, interior;
};

/// `operand` padded by the scalar `padding`, as `type`, whose static sizes are checked at run time.
/// Each result element asks which operand element, if any, is at its position.
mlir::Value createDynamicPad(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value operand,
                             mlir::Value padding, mlir::RankedTensorType type,
                             const PadAmounts &amounts);

} // namespace forge

#endif // FORGE_LIB_CONVERSION_STABLEHLOTOLINALG_DYNAMICPAD_H
