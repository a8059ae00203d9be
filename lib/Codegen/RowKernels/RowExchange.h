// How the threads of a row join their partial results.
#ifndef FORGE_LIB_CODEGEN_ROWKERNELS_ROWEXCHANGE_H
#define FORGE_LIB_CODEGEN_ROWKERNELS_ROWEXCHANGE_H

#include "RowPlan.h"

#include "mlir/IR/ImplicitLocOpBuilder.h"

#include <functional>

namespace forge {

/// How two sets of partial results become one.
struct RowJoin {
  std::function<llvm::SmallVector<mlir::Value>(mlir::ValueRange, mlir::ValueRange)> combine;
  /// Joining x with y and y with x gives the same bits.
  bool isSymmetric = false;
};

/// Threads of a warp by butterfly; warps through shared memory; blocks of a cluster by storing into
/// each other's. Always in the same order, so that all threads of the row get the same bits.
class RowExchange {
public:
  RowExchange(mlir::ImplicitLocOpBuilder &b, const RowPlan &plan, int64_t warpSize)
      : b(b), plan(plan), warpSize(warpSize) {}

  /// At the beginning of the kernel: the thread's number among those of its block that share the
  /// row, and the block's among those of the row (null where it is alone).
  void begin(mlir::Value lane, mlir::Value piece);

  /// Joins the partial results of all threads of the row.
  llvm::SmallVector<mlir::Value> join(const RowJoin &join, llvm::SmallVector<mlir::Value> partial);

private:
  mlir::Value index(int64_t value);
  void butterfly(const RowJoin &join, llvm::SmallVector<mlir::Value> &partial, int64_t lanes);
  void throughBlock(const RowJoin &join, llvm::SmallVector<mlir::Value> &partial);
  void throughCluster(const RowJoin &join, llvm::SmallVector<mlir::Value> &partial);
  /// A buffer in shared memory for `count` partial results of each kind.
  llvm::SmallVector<mlir::Value> allocate(mlir::ValueRange partial, int64_t count);

  mlir::ImplicitLocOpBuilder &b;
  const RowPlan &plan;
  int64_t warpSize;
  mlir::Value lane, piece;
  /// All blocks of the cluster are known to have begun.
  bool clusterBegan = false;
};

} // namespace forge

#endif // FORGE_LIB_CODEGEN_ROWKERNELS_ROWEXCHANGE_H
