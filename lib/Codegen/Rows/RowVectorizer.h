// Vector code for one linalg operation on buffers.
#ifndef FORGE_LIB_CODEGEN_ROWS_ROWVECTORIZER_H
#define FORGE_LIB_CODEGEN_ROWS_ROWVECTORIZER_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/IRMapping.h"

#include <string>
#include <variant>

namespace forge {

/// How an operand moves along the vector loop.
enum class LaneAccess {
  /// Neighbouring lanes are neighbours in memory: one load or store.
  Contiguous,
  /// All lanes are the same element: a scalar load before the loop.
  Invariant,
  /// Neighbouring lanes are not neighbours in memory: a scalar load each.
  Gathered,
};

/// Which loop becomes vectors, of how many lanes, and how each operand is accessed.
struct VectorPlan {
  unsigned loop = 0;
  int64_t lanes = 0;
  /// The vector loop reduces.
  bool isReduction = false;
  /// The vector loop goes along results, and other loops reduce into each of them.
  bool isColumns = false;
  llvm::SmallVector<LaneAccess> access;
  /// For a reduction, per result: the operation that combines, and its kind.
  llvm::SmallVector<mlir::Operation *> combiners;
  llvm::SmallVector<mlir::vector::CombiningKind> kinds;

  bool reduces() const { return isReduction || isColumns; }
};

/// Plans vector code for `op`; the error is a reason for a match failure.
std::variant<VectorPlan, std::string> planVectorCode(mlir::linalg::GenericOp op,
                                                     int64_t vectorBytes);

/// Replaces `op`, on buffers, by loops whose innermost works on vectors as `plan` says.
void emitVectorCode(mlir::RewriterBase &rewriter, mlir::linalg::GenericOp op,
                    const VectorPlan &plan);

} // namespace forge

#endif // FORGE_LIB_CODEGEN_ROWS_ROWVECTORIZER_H
