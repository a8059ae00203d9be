// Reductions in blocks, so that few terms are added one after the other.
#ifndef FORGE_LIB_CODEGEN_ROWS_BLOCKEDSUM_H
#define FORGE_LIB_CODEGEN_ROWS_BLOCKEDSUM_H

#include "mlir/IR/Builders.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace forge {

/// Steps from `step` to `step` of one loop of a reduction, over [from, to).
struct ReductionRange {
  mlir::Value from, to;
  int64_t step = 1;
};

/// What is accumulated, one value for each accumulator.
using Accumulators = llvm::SmallVector<mlir::Value>;
/// The accumulators after the iteration at an index.
using AccumulateFn = llvm::function_ref<Accumulators(mlir::Value, mlir::ValueRange)>;
/// Two partial results joined.
using JoinFn = llvm::function_ref<Accumulators(mlir::ValueRange, mlir::ValueRange)>;

/// The sizes of nested blocks, in iterations, the largest first, for a sum of `count` terms, or of
/// a number not known: none of its chains is then longer than a few square roots of the number.
llvm::SmallVector<int64_t> blocksOfSum(std::optional<int64_t> count);

/// Reduces `range` from `neutral`. With `blocks` given, in iterations, partial results of each
/// block start from `neutral` in turn and are joined in order: the error of a sum grows with the
/// longest chain of additions, whose length is then the sum of the blocks' instead of their
/// product.
Accumulators emitBlockedReduction(mlir::OpBuilder &b, mlir::Location loc, ReductionRange range,
                                  llvm::ArrayRef<int64_t> blocks, mlir::ValueRange neutral,
                                  AccumulateFn accumulate, JoinFn join);

} // namespace forge

#endif // FORGE_LIB_CODEGEN_ROWS_BLOCKEDSUM_H
