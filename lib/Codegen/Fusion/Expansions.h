// Elementwise operations that make much of little, and where they are computed instead of being
// read from memory.
#ifndef FORGE_LIB_CODEGEN_FUSION_EXPANSIONS_H
#define FORGE_LIB_CODEGEN_FUSION_EXPANSIONS_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace forge {

/// Times that an operation runs more steps than its operands have elements, at least, for it to
/// make much of little: computing it again reads little.
inline constexpr int64_t kLeastExpansion = 4;

/// Whether `op` has static loops and pure bodies without regions, plain indexing maps, and
/// operands that have together at most a fourth of the elements that it runs steps. Memory that
/// its body looks elements up in does not count.
bool expands(mlir::linalg::GenericOp op);

/// The same of an elementwise operation with one result, of as many elements as it has steps.
bool isExpansion(mlir::linalg::GenericOp op);

/// Steps of the loops of `op`, which are static.
int64_t stepsOf(mlir::linalg::GenericOp op);

/// What an operation of a body costs on a GPU's thread, in operations such as an addition of
/// floats.
int64_t costOf(mlir::Operation &inner);

/// The same of the body of `op`.
int64_t bodyCost(mlir::linalg::GenericOp op);

/// Whether fusion may compute an operand of `user` there: it has no kernel of its own.
bool mayCompute(mlir::Operation *user);

/// Whether computing the expansion `op` in all that reads it takes a GPU less time than to write
/// its result and read it.
bool paysToRepeat(mlir::linalg::GenericOp op);

llvm::SmallVector<mlir::linalg::GenericOp> genericsOf(mlir::Operation *root);

/// Computes slices that alone are read of an expansion, each by itself: together they have no more
/// elements than it. Returns whether anything changed.
bool computeSlicesOfExpansions(mlir::Operation *root);

/// Makes elementwise operations of reductions of at most eight terms that expand, so that fusion
/// can compute them where they are read. Returns whether anything changed.
bool unrollReductions(mlir::Operation *root);

/// Computes expansions in all that read them where that takes less time than to write and read
/// them. Returns whether anything changed.
bool repeatExpansions(mlir::Operation *root);

} // namespace forge

#endif // FORGE_LIB_CODEGEN_FUSION_EXPANSIONS_H
