// Products of a few rows with a large matrix, and what is done to their sums.
#ifndef FORGE_LIB_CODEGEN_GEMV_GEMVPRODUCT_H
#define FORGE_LIB_CODEGEN_GEMV_GEMVPRODUCT_H

#include "../Strategy/AccessBytes.h"
#include "../Strategy/ProductPlacement.h"

#include "forge/Codegen/LibraryUse.h"
#include "forge/Codegen/Target.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"

#include <optional>

namespace forge {

/// The most rows of the left factor: with more, arithmetic takes longer than reading the matrix, or
/// by matrix instructions of warps, reading the left factor does.
inline constexpr int64_t kMostGemvRows = 8, kMostGemvRowsByMatrixUnits = 16;
/// The most rows for which a multiplication at a time takes no longer than reading the matrix.
inline constexpr int64_t kFewGemvRows = 4;
/// Terms that four lanes have of a column, and columns of half of a matrix instruction.
inline constexpr int64_t kGemvMatrixTerms = 32, kGemvMatrixHalf = 8;
/// The most columns of all matrices of a block that matrix instructions multiply.
inline constexpr int64_t kMostGemvMatrixColumns = 64;

/// One of the matrices of a product.
struct GemvMatrix {
  mutable mlir::linalg::LinalgOp op; // a handle: reading it changes nothing
  unsigned operand = 1;
  /// What computes it in registers, element by element; null if it is an argument.
  mutable mlir::linalg::GenericOp prologue;

  mlir::Value value() const { return op->getOperand(operand); }
};

/// out[m, n] = follow(sum over k of x[m, k] * w(n, k)): all sizes static, x contiguous along k, w
/// along k or along n. Both of one type, or w of i8 and contiguous along k. Of several such
/// products of one x, all alike, at once where `follow` takes their sums; with w contiguous along n
/// by matrix instructions only.
struct GemvProduct {
  mutable mlir::linalg::LinalgOp op; ///< the first of them
  llvm::SmallVector<GemvMatrix, 2> matrices;
  /// The elementwise operation on its result, or null.
  mlir::linalg::GenericOp follow;
  /// What puts its results to places, if anything.
  std::optional<ProductPlacement> placement;
  /// What computes x in the same kernel, row by row, fills among it, in its order; none if x is an
  /// argument.
  llvm::SmallVector<mlir::Operation *, 0> prologue;
  /// The operand number of x in `op`.
  unsigned lhs = 0;
  int64_t rows = 1, columns = 1, length = 1;
  /// w is [length, columns] in memory, not [columns, length].
  bool columnsInside = false;
  /// Elements of 16 bytes of w, or of those that are computed together.
  int64_t vector = 1;
  /// Matrix instructions of warps multiply: more than a few rows of 16 bits, on chips that have
  /// them.
  bool byMatrixUnits = false;
  /// Terms that four lanes have of a column then, and words of each that are read at once.
  int32_t matrixTerms = kGemvMatrixTerms;

  /// Accesses of one column of w along k, where k is inside; runs of rows of w otherwise.
  int64_t accesses() const { return length / vector; }
  mlir::Value left() const { return mlir::linalg::LinalgOp(op)->getOperand(lhs); }
  /// Makes all of the products read `value` as x.
  void setLeft(mlir::Value value) {
    for (GemvMatrix &matrix : matrices)
      matrix.op->setOperand(1 - matrix.operand, value);
  }
  int64_t numMatrices() const { return static_cast<int64_t>(matrices.size()); }
  /// Whether w is computed in registers.
  bool isComputed() const {
    return llvm::any_of(matrices, [](const GemvMatrix &matrix) { return bool(matrix.prologue); });
  }
  /// The sums that `follow` takes.
  llvm::SmallVector<mlir::Value> sums() const;
  /// What the last operation on the sums computes: on buffers, a temporary if it is placed.
  mlir::Value values() const;
  /// Threads without matrix instructions that have columns of w side by side: each block computes
  /// one group of neighbouring columns of one matrix.
  bool isByThreadsInside() const { return columnsInside && !byMatrixUnits; }
  /// Whether the last group of columns may be a part of one: its other columns are the last ones
  /// again, and not stored.
  bool canHavePart() const { return !placement && !isByThreadsInside(); }
  /// Columns of one matrix that a block has by matrix instructions are multiples of this: with the
  /// columns inside a lane has pairs of them.
  int64_t columnsOfUnit() const { return columnsInside ? 2 * kGemvMatrixHalf : kGemvMatrixHalf; }
  /// Whether a block can have `count` columns.
  bool canHaveColumns(int64_t count) const {
    return (columns % count == 0 || (canHavePart() && count < columns)) &&
           (!placement || placement->canHave(count)) &&
           (!byMatrixUnits ||
            (count % columnsOfUnit() == 0 && count * numMatrices() % (2 * kGemvMatrixHalf) == 0 &&
             count * numMatrices() <= kMostGemvMatrixColumns));
  }
  /// Whether a block can have any columns: few rows that matrix instructions do not multiply are
  /// multiplied without them, where threads can.
  bool settleColumns();
};

/// The product that `contractions` and `follow` (null: nothing) are, on tensors or buffers, if a
/// warp of this chip has work with every row of the matrix.
std::optional<GemvProduct> matchGemv(llvm::ArrayRef<mlir::linalg::LinalgOp> contractions,
                                     mlir::linalg::GenericOp follow, const GPUChip &chip);

/// Elements that `operations` read of values that they do not compute; nothing if a size is not
/// known.
std::optional<int64_t> elementsRead(llvm::ArrayRef<mlir::Operation *> operations);

/// Whether the library is not asked for `product` first: a few rows, or as many as matrix
/// instructions of warps multiply while the matrix is read.
bool isBeforeLibrary(const GemvProduct &product, const LibraryUse &use);

/// The product that `contraction`, the first one of its cluster, and what else is in that are; of
/// one without a cluster, that it alone is.
std::optional<GemvProduct> matchGemvCluster(mlir::linalg::LinalgOp contraction,
                                            const GPUChip &chip);

/// The product a kernel function is, if it is one and nothing else.
std::optional<GemvProduct> matchGemvKernel(mlir::func::FuncOp kernel, const GPUChip &chip);

} // namespace forge

#endif // FORGE_LIB_CODEGEN_GEMV_GEMVPRODUCT_H
