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

/// The cluster whose second product is `product`. Nothing if its factors are not made of another
/// product of matrices by rows, if a row does not have to be complete (no reduction), or if there
/// are no batch loops: the second factors are then the weights of a layer, and reading them again
/// for each block of rows costs more than keeping the scores in memory.
std::optional<ScoreCluster> matchScores(mlir::linalg::LinalgOp product);

/// Takes reshapes out from between the operations of each of `clusters`, by giving those between
/// the products the products' batch dimensions. The clusters' operations are then others.
void expandRows(mlir::Operation *function, llvm::ArrayRef<ScoreCluster> clusters);

} // namespace forge

#endif // FORGE_LIB_CODEGEN_ROWS_SCORECLUSTER_H
