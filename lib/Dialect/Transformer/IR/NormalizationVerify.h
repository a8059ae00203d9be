// What normalisation and its gradients check alike.
#ifndef FORGE_LIB_DIALECT_TRANSFORMER_IR_NORMALIZATIONVERIFY_H
#define FORGE_LIB_DIALECT_TRANSFORMER_IR_NORMALIZATIONVERIFY_H

#include "ShapeUtils.h"

#include "forge/Dialect/Transformer/IR/Accumulation.h"
#include "forge/Dialect/Transformer/IR/Transformer.h"

namespace forge::transformer {

/// Of a softmax or its gradient, on `rows`: that there is its dimension, and its accumulation.
template <typename Op> llvm::LogicalResult verifySoftmax(Op op, mlir::RankedTensorType rows) {
  int64_t rank = rows.getRank(), dimension = op.getDimension();
  if (rank == 0)
    return op.emitOpError("expected rank 1 or more for input, but got 0");
  if (dimension < 0 || dimension >= rank)
    return op.emitOpError("expected dimension from 0 to ") << rank - 1 << ", but got " << dimension;
  return checkAccumulation(op, rows.getElementType(), op.getAccumulate());
}

/// Fails unless `input` has rows, and each of the named vectors that exists has their length.
llvm::LogicalResult verifyRows(mlir::Operation *op, mlir::RankedTensorType input,
                               llvm::ArrayRef<std::pair<llvm::StringRef, mlir::Value>> vectors);

} // namespace forge::transformer

#endif // FORGE_LIB_DIALECT_TRANSFORMER_IR_NORMALIZATIONVERIFY_H
