// The place in a row at which the running sum of its weights reaches a number.
#ifndef FORGE_LIB_CONVERSION_TRANSFORMERTOLINALG_RUNNINGSUMS_H
#define FORGE_LIB_CONVERSION_TRANSFORMERTOLINALG_RUNNINGSUMS_H

#include "forge/Conversion/Utils/IndexBuilder.h"
#include "forge/Conversion/Utils/TensorUtils.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

namespace forge {

/// Searched in three steps, each by one thread of a row: the sums of groups of blocks of weights,
/// which are computed side by side, say in which group the place is, those of its blocks in which
/// block, and the weights of that one where. What is added before a block is so the sum of the
/// groups, and of the blocks, before it.
class RunningSums {
public:
  /// Of `rows` rows of `length` weights.
  RunningSums(mlir::ImplicitLocOpBuilder &b, mlir::OpFoldResult rows, mlir::OpFoldResult length);

  /// Weights of a row with the zeros behind the last one.
  mlir::OpFoldResult filled() const { return filledSize; }

  /// Weights in f64, [rows, filled], and the sums of their blocks and of the groups of those.
  struct Levels {
    mlir::Value weights, blocks, groups;
  };
  Levels emitLevels(mlir::Value weights);

  // Of one row, where `isWanted`, i1, says so: else they take no time, and give any number.

  /// The sum of the weights of row `row`, f64.
  mlir::Value emitSum(IndexBuilder in, const Levels &levels, mlir::Value row,
                      mlir::Value isWanted) const;
  /// The first place of row `row` at which the running sum of its weights is such that `predicate`
  /// holds for it and `target`, an index. The last place of a weight above zero, if rounding leaves
  /// none.
  mlir::Value emitPlace(IndexBuilder in, const Levels &levels, mlir::Value row,
                        mlir::arith::CmpFPredicate predicate, mlir::Value target,
                        mlir::Value isWanted) const;

private:
  mlir::Value emitSums(mlir::Value values, mlir::OpFoldResult count, int64_t size);
  mlir::Value groupsIf(IndexBuilder in, mlir::Value isWanted) const;

  mlir::ImplicitLocOpBuilder &b;
  mlir::OpFoldResult rows;
  /// Weights of a block, and blocks of a group; the last group of a row is filled up with zeros.
  int64_t blockSize = 64, groupSize = 32;
  mlir::OpFoldResult numGroups, numBlocks, filledSize;
};

} // namespace forge

#endif // FORGE_LIB_CONVERSION_TRANSFORMERTOLINALG_RUNNINGSUMS_H
