// Attention of a few queries as a graph: the scores of every key, their softmax, the weighted sum
// of the values, and what is computed of each along the way.
#ifndef FORGE_LIB_CODEGEN_ATTENTION_ATTENTIONPROGRAM_H
#define FORGE_LIB_CODEGEN_ATTENTION_ATTENTIONPROGRAM_H

#include "../RowKernels/RowLinks.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

#include <string>

namespace forge {

/// One linalg.generic of the kernel.
struct AttentionStage {
  mutable mlir::linalg::GenericOp op; // a handle: reading it changes nothing
  /// What its operands hold when it runs.
  llvm::SmallVector<RowContent> operands;
  /// For each loop the axis it runs over.
  llvm::SmallVector<unsigned> axes;

  bool runsOver(unsigned axis) const { return llvm::is_contained(axes, axis); }
};

/// Memory that a factor of a contraction is read from along its last dimension: by operand
/// `operand` of `stage`, which is the contraction itself or computes the factor element by element;
/// or by `extract` in the body of `stage`, which computes where the element is (a page of a
/// pool).
struct AttentionRead {
  int stage = -1;
  unsigned operand = 0;
  /// tensor.extract or memref.load, or null.
  mlir::Operation *extract = nullptr;
};

/// A value that the kernel leaves in memory: one for each row, or for each row and column.
struct AttentionWrite {
  int stage = -1;
  unsigned result = 0;
  bool perColumn = false;
  /// Null on tensors.
  mlir::Value memref;
};

/// For every place along the outer axes, and every row r, key t, depth d and column c:
///   score[r, t] = sum over d of query[r, d] * key[t, d]
///   x[r, t]     = what `logit` makes of the score
///   largest[r]  = max over t of x[r, t]
///   weight[r, t] = exp(x[r, t] - base[r])      where base follows from largest; perhaps divided by
///                                              a number that follows from sums
///   sums[r]     = sum over t of exp(x[r, t] - base[r])
///   weighted[r, c] = sum over t of weight[r, t] * value[t, c]
/// and what follows from largest, sums and weighted. Outer axes are those that queries and keys
/// share (batch, key head), rows those of queries alone (query heads of a key head, positions).
struct AttentionProgram {
  struct Extent {
    int64_t size = mlir::ShapedType::kDynamic;
    /// Where the size stands, if it is dynamic.
    mlir::Value memref;
    unsigned dim = 0;
  };

  std::vector<AttentionStage> stages;
  int scores = -1, largest = -1, weights = -1, sums = -1, weighted = -1;
  /// Values in the body of `exponentials`: `weights`, or the stage that it divides.
  int exponentials = -1;
  mlir::Value logit, base;
  /// What weights are divided by, or multiplied with, before they meet the values: a number of each
  /// row that is computed of largest, sums and memory, usually sums itself; or a truth value of the
  /// row, with or without which they are zero. A row's weighted sum is instead.
  struct RowFactor {
    enum Kind { Divides, Multiplies, ZeroIf, ZeroUnless };
    int stage = -1;
    mlir::Value value;
    Kind kind = Divides;

    bool isCondition() const { return kind == ZeroIf || kind == ZeroUnless; }
    /// `number` after this, which is `ofRow` for its row; `zero` is of the type of `number`.
    mlir::Value applyTo(mlir::ImplicitLocOpBuilder &b, mlir::Value number, mlir::Value ofRow,
                        mlir::Value zero) const;
  };
  /// In the order in which weights meet them.
  llvm::SmallVector<RowFactor, 2> rowFactors;
  /// By axis: outer ones and rows, in the order of the maximum, then key, depth and column.
  llvm::SmallVector<Extent> extents;
  llvm::SmallVector<bool> isRow;
  AttentionRead query, key, value;
  llvm::SmallVector<AttentionWrite> writes;

  unsigned keyAxis() const { return isRow.size(); }
  unsigned depthAxis() const { return isRow.size() + 1; }
  unsigned columnAxis() const { return isRow.size() + 2; }
  /// Rows of one outer place; static.
  int64_t numRows() const;
  int64_t depth() const { return extents[depthAxis()].size; }
  int64_t columns() const { return extents[columnAxis()].size; }

  /// The memory of a read, and its map from the loops of its stage.
  mlir::Value memoryOf(const AttentionRead &read) const;

  /// Reads `ops`, in program order, on tensors or buffers. Fails, with the reason in `why`, on what
  /// is no attention of rows, depth and columns of static sizes.
  static mlir::FailureOr<AttentionProgram> build(llvm::ArrayRef<mlir::Operation *> ops,
                                                 std::string &why);
};

} // namespace forge

#endif // FORGE_LIB_CODEGEN_ATTENTION_ATTENTIONPROGRAM_H
