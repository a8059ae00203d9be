// The type in which an operation of the transformer dialect holds its sums.
#ifndef FORGE_DIALECT_TRANSFORMER_IR_ACCUMULATION_H
#define FORGE_DIALECT_TRANSFORMER_IR_ACCUMULATION_H

#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Operation.h"

#include <optional>

namespace forge::transformer {

/// `accumulate` where an operation names it; otherwise f64 for f64 elements, i32 for integers, f32
/// for every narrower float.
mlir::Type accumulationType(mlir::Type element, std::optional<mlir::Type> accumulate);

/// Fails unless `accumulate` is absent, f32 or f64 and no narrower than a float `element`, or i32
/// for an integer one.
llvm::LogicalResult checkAccumulation(mlir::Operation *op, mlir::Type element,
                                      std::optional<mlir::Type> accumulate);

} // namespace forge::transformer

#endif // FORGE_DIALECT_TRANSFORMER_IR_ACCUMULATION_H
