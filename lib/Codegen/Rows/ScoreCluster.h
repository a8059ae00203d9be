// Two products with rows between them: the scores of attention, their softmax, the weighted sum.
#ifndef FORGE_LIB_CODEGEN_ROWS_SCORECLUSTER_H
#define FORGE_LIB_CODEGEN_ROWS_SCORECLUSTER_H

#include "RowCluster.h"

#include <optional>

namespace forge {

/// scores[b, m, n] = sum over k of A[b, m, k] B[b, n, k]; row operations along n, a reduction among
/// them; then result[b, m, d] = sum over n of weights[b, m, n] V[b, n, d].
struct ScoreCluster {
  mlir::linalg::LinalgOp scores, weightedSum;
  /// The rows (b, m): the root is the weighted sum, or the one operation that reads it, and both
  /// products are members (or the root). Empty where there are reshapes between them.
  std::optional<RowCluster> rows;
  /// The loops of the root that are not batch loops of the products: the rows of one matrix of
  /// scores.
  llvm::SmallVector<unsigned> matrixRows;
};

/// The cluster whose second product is `product`, or nothing:
///  - if no factor of it is computed from another product by row operations;
///  - if there is no reduction between the products, so that a row need not be complete;
///  - if the products have no batch loops. Their second factors are then a layer's weights, and
///    reading those once for each tile of rows costs more than keeping the scores in memory.
std::optional<ScoreCluster> matchScores(mlir::linalg::LinalgOp product);

/// Takes reshapes out from between the operations of each of `clusters`, by giving those between
/// the products the products' batch dimensions. The clusters' operations are then others.
void expandRows(mlir::Operation *function, llvm::ArrayRef<ScoreCluster> clusters);

} // namespace forge

#endif // FORGE_LIB_CODEGEN_ROWS_SCORECLUSTER_H
