// The derivative of what a score region computes.
#ifndef FORGE_LIB_DIALECT_TRANSFORMER_TRANSFORMS_SCORESLOPE_H
#define FORGE_LIB_DIALECT_TRANSFORMER_TRANSFORMS_SCORESLOPE_H

#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace forge::transformer {

/// Fills the empty region `slope` with a block like that of `score`, a score region, that yields
/// the derivative of what `score` yields by the score it takes, then for each of `reads`,
/// operations of `score`, that by the element read and its indices. Fails at the operation of
/// `score` that has no derivative.
llvm::LogicalResult buildSlope(mlir::Region &score, mlir::Region &slope,
                               llvm::ArrayRef<mlir::tensor::ExtractOp> reads);

} // namespace forge::transformer

#endif // FORGE_LIB_DIALECT_TRANSFORMER_TRANSFORMS_SCORESLOPE_H
