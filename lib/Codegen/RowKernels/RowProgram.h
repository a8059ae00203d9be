// A kernel over rows as a graph of values: what is computed once per row, once per element, or by
// reducing a row.
#ifndef FORGE_LIB_CODEGEN_ROWKERNELS_ROWPROGRAM_H
#define FORGE_LIB_CODEGEN_ROWKERNELS_ROWPROGRAM_H

#include "../Strategy/RowReduction.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"

#include <vector>

namespace forge {

/// Where an operand comes from. `map` leads from (row..., column) to the dimensions of the memref.
struct RowRead {
  /// Computed in this kernel: a result of a stage ...
  int stage = -1;
  unsigned result = 0;
  /// ... or the same scalar everywhere ...
  mlir::Value splat;
  /// ... or memory.
  mlir::Value memref;
  mlir::AffineMap map;
};

/// One linalg operation of the kernel.
struct RowStage {
  enum Kind {
    /// One value per row: all its loops are rows.
    PerRow,
    /// One value per element of the row.
    PerColumn,
    /// Reduces the column to one value per row.
    Reduction,
  };
  mutable mlir::linalg::GenericOp op; // a handle: reading it changes nothing
  Kind kind = PerRow;
  /// For each loop of `op`, the dimension of the row space it runs over: 0 to numRows - 1 for rows,
  /// numRows for the column.
  llvm::SmallVector<unsigned> axes;
  /// One per operand: inputs, then what outputs hold before (null unless the body reads it).
  llvm::SmallVector<RowRead> reads;
  /// How a reduction's body combines (kind Reduction).
  RowReduction reduction;
};

/// A value that the kernel leaves in memory.
struct RowWrite {
  RowRead value;
  /// Null on tensors: the result of the stage.
  mlir::Value memref;
  /// From (row..., column) to the memref's dimensions.
  mlir::AffineMap map;
  /// One element per column, or one per row.
  bool perColumn = false;
};

/// The row space is rows[0] x ... x rows[n-1] x column. Sizes are those of a dimension of memory,
/// or of a temporary, each.
struct RowProgram {
  struct Extent {
    int64_t size = mlir::ShapedType::kDynamic;
    mlir::Value memref;
    unsigned dim = 0;

    /// On buffers: the size as an index.
    mlir::Value sizeValue(mlir::OpBuilder &b, mlir::Location loc) const;
  };
  llvm::SmallVector<Extent> rows;
  /// Of size 1, without a memref, where the kernel has no columns.
  Extent column;
  std::vector<RowStage> stages;
  llvm::SmallVector<RowWrite> writes;

  bool hasReduction() const {
    return llvm::any_of(stages,
                        [](const RowStage &stage) { return stage.kind == RowStage::Reduction; });
  }
  /// False if a reduction walks through memory with steps: threads side by side would then read
  /// places far apart, where one thread for each result reads neighbouring ones.
  bool reducesAlongMemory() const;
  unsigned columnAxis() const { return rows.size(); }

  /// Reads `ops`, consecutive in effect: linalg.generic and fills, on tensors or on buffers. What
  /// they use and do not compute is memory; what they compute and somebody else uses (on tensors),
  /// or what the function's arguments hold in the end (on buffers), they write. Rows are the
  /// parallel loops of the last generic, without the one along which its result is contiguous if
  /// that can be the column. Fails, with the reason in `why`, on what is no row kernel.
  static mlir::FailureOr<RowProgram> build(llvm::ArrayRef<mlir::Operation *> ops, std::string &why);
};

} // namespace forge

#endif // FORGE_LIB_CODEGEN_ROWKERNELS_ROWPROGRAM_H
