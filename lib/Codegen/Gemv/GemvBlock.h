// One block of a product of a few rows, where the matrix has its terms side by side or matrix
// instructions multiply: its columns, and what follows its sums.
#ifndef FORGE_LIB_CODEGEN_GEMV_GEMVBLOCK_H
#define FORGE_LIB_CODEGEN_GEMV_GEMVBLOCK_H

#include "GemvResult.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

namespace forge {

/// What a thread has read ahead.
using GemvAhead = llvm::SmallVector<mlir::Value>;

/// Emits the groups of columns of a block: `compute` emits a group's sums, of which the first reads
/// are `ahead`, `load` the first reads of another group, and `store` what follows the sums. The
/// next group's reads are under way while a group's sums are joined.
void emitGroups(mlir::ImplicitLocOpBuilder &b, const GemvProduct &product, const GemvPlan &plan,
                mlir::Value first, mlir::ValueRange ahead,
                llvm::function_ref<GemvAhead(mlir::Value group)> load,
                llvm::function_ref<GemvAhead(mlir::Value group, mlir::ValueRange ahead)> compute,
                llvm::function_ref<void(mlir::Value group, mlir::ValueRange sums)> store);

class GemvBlock {
public:
  /// `group` is the number of its columns' group.
  GemvBlock(mlir::ImplicitLocOpBuilder &b, const GemvProduct &product, const GemvPlan &plan,
            int64_t warpSize, mlir::Value group);

  mlir::Value thread() const { return threadId; }
  /// Column `number` of the block, in the matrix; the last one instead of one that it does not
  /// have.
  mlir::Value columnOf(int64_t number) const;
  mlir::Value columnOf(mlir::Value number) const;
  /// The first of `count` columns side by side, of which number `number` is the first in the block:
  /// the last ones of the matrix instead of some that it does not have. `count` divides `number`,
  /// what the block has side by side, and the columns of the matrix.
  mlir::Value columnsOf(mlir::Value number, int64_t count) const;

  /// Of the block in one row, those of a matrix behind each other.
  int64_t sumsOfRow() const { return plan.columns * product.numMatrices(); }
  int64_t numSums() const { return product.rows * sumsOfRow(); }
  int64_t warps() const { return plan.threads / warpSize; }

  /// Sums in shared memory from one row of x to the next.
  int64_t strideOfSums() const { return forge::strideOfSums(product, plan); }
  /// Shared memory for sums of each warp, [warps, sums], from a multiple of 16 bytes on.
  mlir::Value allocSums(int64_t sums, mlir::Type type) const;

  /// Adds the sums of all warps, in their order, computes what follows, and stores that: a thread
  /// for each element of the result, or the step of a placement that is the element's, which may
  /// read others of the block. Sum number row * strideOfSums() + matrix * columns + column of
  /// `buffer` is what warps have of one.
  void storeResults(mlir::Value buffer) const;

private:
  mlir::Value index(int64_t value) const { return mlir::arith::ConstantIndexOp::create(b, value); }
  mlir::Value add(mlir::Value x, int64_t y) const;
  int64_t sideBySide() const;
  int64_t distance() const;
  mlir::Value firstColumnOf(mlir::Value block) const;
  mlir::Value existing(mlir::Value column, int64_t count) const;
  mlir::Value placeOf(mlir::Value number) const;
  mlir::Value numberOf(mlir::Value column) const;
  void storeElement(mlir::Value buffer, mlir::Value element) const;
  llvm::SmallVector<mlir::Value> sumsAt(mlir::Value buffer, mlir::Value row,
                                        mlir::Value within) const;

  mlir::ImplicitLocOpBuilder &b;
  const GemvProduct &product;
  const GemvPlan &plan;
  int64_t warpSize;
  mlir::Value threadId, firstColumn;
};

} // namespace forge

#endif // FORGE_LIB_CODEGEN_GEMV_GEMVBLOCK_H
