// Operations that share a row space: what one loop over tiles of rows can compute together.
#ifndef FORGE_LIB_CODEGEN_ROWS_ROWCLUSTER_H
#define FORGE_LIB_CODEGEN_ROWS_ROWCLUSTER_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/SetVector.h"

namespace forge {

/// The last operation of a cluster, and what is computed in its loop.
struct RowCluster {
  mlir::linalg::LinalgOp root;
  /// Producers, direct and indirect, in program order.
  llvm::SmallVector<mlir::linalg::LinalgOp> members;
  /// The loops of the root that are tiled, ascending.
  llvm::SmallVector<unsigned> rowDims;
};

/// True for an operation that this strategy tiles: on tensors, not a contraction or convolution,
/// with bounds known from its operands.
bool isRowOp(mlir::Operation *op);

/// Grows a cluster from `root` along the row dimensions given: a producer joins if its result is
/// read at the tiled rows only, and if nothing needs it before the root. It is a row operation or
/// one of `products`.
RowCluster growCluster(mlir::linalg::LinalgOp root, llvm::ArrayRef<unsigned> rowDims,
                       llvm::ArrayRef<mlir::Operation *> products = {});

/// Tiles the root along its row dimensions into one loop and computes the members in it; `tile` has
/// a size for each loop of the root, 0 for one that is not tiled. Fails, with a diagnostic at the
/// root, where it cannot be tiled.
llvm::FailureOr<mlir::scf::ForallOp> tileCluster(mlir::RewriterBase &rewriter, RowCluster cluster,
                                                 llvm::ArrayRef<int64_t> tile);

/// Folds the slices of empty tensors in `op`, so that temporaries of tiled clusters are as small as
/// a tile, and merges equal operations. Fails if the patterns do not come to an end.
mlir::LogicalResult foldTemporaries(mlir::Operation *op);

/// Chooses the row dimensions of `root`: its outer parallel loops, less those that would keep its
/// producers out.
llvm::SmallVector<unsigned> chooseRowDims(mlir::linalg::LinalgOp root);

/// The loop of `op` along which its first result (for a reduction to fewer dimensions, its widest
/// operand) is contiguous; nothing for an operation without loops.
std::optional<unsigned> contiguousLoop(mlir::linalg::LinalgOp op);

} // namespace forge

#endif // FORGE_LIB_CODEGEN_ROWS_ROWCLUSTER_H
