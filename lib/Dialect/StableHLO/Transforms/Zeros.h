// Tensors of zeros.
#ifndef FORGE_LIB_DIALECT_STABLEHLO_TRANSFORMS_ZEROS_H
#define FORGE_LIB_DIALECT_STABLEHLO_TRANSFORMS_ZEROS_H

#include "forge/Dialect/StableHLO/IR/StableHLO.h"

#include "mlir/IR/Matchers.h"

namespace forge::stablehlo {

/// Whether all elements of `value` are 0.
inline bool isZeros(mlir::Value value) {
  if (auto broadcast = value.getDefiningOp<BroadcastInDimOp>())
    value = broadcast.getOperand();
  return mlir::matchPattern(value, mlir::m_AnyZeroFloat()) ||
         mlir::matchPattern(value, mlir::m_Zero());
}

} // namespace forge::stablehlo

#endif // FORGE_LIB_DIALECT_STABLEHLO_TRANSFORMS_ZEROS_H
