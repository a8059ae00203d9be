// The body of a reduction, taken apart: what is computed from the element alone, and how it joins
// an accumulator.
#ifndef FORGE_LIB_CODEGEN_STRATEGY_ROWREDUCTION_H
#define FORGE_LIB_CODEGEN_STRATEGY_ROWREDUCTION_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"

#include <string>

namespace forge {

/// Whether `op` multiplies matrices or a matrix and a vector: it sums over a loop of both factors,
/// and has a parallel loop that only one factor has. Other sums of products (of a scaled tensor, of
/// squares) read each element once and are reductions like any.
bool isMatrixProduct(mlir::linalg::LinalgOp op);

/// For accumulators a_0 ... a_k-1 and an element, the body computes values x_0 ... x_k-1 from the
/// element, and then new accumulators from both. Two partial accumulators are joined by the same
/// second part, with one as the x.
struct RowReduction {
  /// The x_i, in the order of the accumulators: values of the body. Accumulators of different groups
  /// may have the same one (a row's maximum, and its place with another maximum).
  llvm::SmallVector<mlir::Value> elements;
  /// Per accumulator, the number of those that are joined together: the new ones follow from each
  /// other.
  llvm::SmallVector<unsigned> groups;
  /// Operations that depend on an accumulator, in order.
  llvm::SmallVector<mlir::Operation *> combiner;
  /// Per accumulator, what threads that begin in the middle start from: null for the initial value
  /// itself, where joining it several times does no harm (maximum, minimum, and, or, selections by
  /// comparison).
  llvm::SmallVector<mlir::TypedAttr> neutral;

  /// Fails, with the reason in `why`, if partial results of `op`'s body cannot be joined that way.
  static mlir::FailureOr<RowReduction> match(mlir::linalg::GenericOp op, std::string &why);

  /// Joins `accumulators` and `elements` at the builder's place.
  llvm::SmallVector<mlir::Value> combine(mlir::OpBuilder &b, mlir::linalg::GenericOp op,
                                         mlir::ValueRange accumulators,
                                         mlir::ValueRange elements) const;
};

} // namespace forge

#endif // FORGE_LIB_CODEGEN_STRATEGY_ROWREDUCTION_H
