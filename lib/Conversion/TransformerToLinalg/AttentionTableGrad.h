// The gradients of tables that scores of attention read.
#ifndef FORGE_LIB_CONVERSION_TRANSFORMERTOLINALG_ATTENTIONTABLEGRAD_H
#define FORGE_LIB_CONVERSION_TRANSFORMERTOLINALG_ATTENTIONTABLEGRAD_H

#include "Emit.h"

namespace forge {

/// What the gradients of tables are made of, [B, Hq, S, T] each: the gradients of the masked
/// scores, the scores, and how a score becomes the number that the regions take.
struct ScoreGradients {
  mlir::Value gradients, scores;
  llvm::function_ref<mlir::Value(mlir::ImplicitLocOpBuilder &, mlir::Value)> toRegion;
};

/// The gradients of the tables of `op`, in the types of the tables.
llvm::SmallVector<mlir::Value> emitTableGrads(mlir::ImplicitLocOpBuilder &b,
                                              transformer::AttentionGradOp op,
                                              const ScoreGradients &from);

} // namespace forge

#endif // FORGE_LIB_CONVERSION_TRANSFORMERTOLINALG_ATTENTIONTABLEGRAD_H
