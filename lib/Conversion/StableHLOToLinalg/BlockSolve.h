// triangular_solve and cholesky by the threads of a block. Private to ForgeStableHLOToLinalg.
#ifndef FORGE_LIB_CONVERSION_STABLEHLOTOLINALG_BLOCKSOLVE_H
#define FORGE_LIB_CONVERSION_STABLEHLOTOLINALG_BLOCKSOLVE_H

#include "forge/Conversion/Utils/IndexBuilder.h"
#include "forge/Dialect/StableHLO/IR/BlockMatrices.h"

namespace forge {

/// A matrix out of a batch, perhaps read transposed.
struct Matrix {
  llvm::SmallVector<mlir::Value> batch;
  bool transposed;

  llvm::SmallVector<mlir::Value> at(mlir::Value row, mlir::Value column) const {
    llvm::SmallVector<mlir::Value> position(batch);
    position.append({transposed ? column : row, transposed ? row : column});
    return position;
  }
};

/// Sizes of all dimensions but the last two.
llvm::SmallVector<mlir::Value> getBatchSizes(mlir::OpBuilder &builder, mlir::Location loc,
                                             mlir::Value tensor);

/// An element in the type that is computed in, and back.
mlir::Value readWide(IndexBuilder ib, mlir::Value tensor, mlir::ValueRange position);
mlir::Value writeNarrow(IndexBuilder ib, mlir::Value value, mlir::Value tensor,
                        mlir::ValueRange position);

/// A square matrix in the memory of a block, as far as whole panels go: the identity is behind it.
/// Its rows and columns may count from the last one on.
class BlockMatrix {
public:
  /// Of the matrices `tensor`, [..., rows, rows].
  BlockMatrix(mlir::Value tensor, bool transposed, bool reversed);

  int64_t rows() const { return size; }
  int64_t wholeRows() const { return whole; }
  int64_t panels() const { return whole / stablehlo::kPanelRows; }
  /// The type that is computed in.
  mlir::Type element() const { return wide; }
  /// Number `i` of the rows or columns as the tensor has it, for one behind them that of the last.
  mlir::Value numberInTensor(IndexBuilder in, mlir::Value i) const;
  /// Null if the matrix has no padding.
  mlir::Value isBehind(IndexBuilder in, mlir::Value i) const;

  /// The loop in which the threads read the matrix of `batch`; the memory it is in then.
  mlir::Value read(IndexBuilder in, mlir::ValueRange batch) const;

  /// What a step of such a loop does with element (row, column): each has some, those of threads
  /// side by side are side by side in the tensor.
  using Visit = llvm::function_ref<void(IndexBuilder, mlir::Value row, mlir::Value column)>;
  /// Steps of a loop over all elements.
  mlir::Value steps(IndexBuilder in) const { return in.constant(whole * stablehlo::kPanelRows); }
  void visit(IndexBuilder in, mlir::Value step, Visit body) const;

private:
  mlir::Value tensor;
  bool transposed, reversed;
  int64_t size, whole;
  mlir::Type wide;
};

/// 1 / x.
mlir::Value reciprocal(IndexBuilder in, mlir::Value x);
/// a - x y, rounded once.
mlir::Value subtractProduct(IndexBuilder in, mlir::Value a, mlir::Value x, mlir::Value y);

/// Independent loops, a step for each block, whose counters `body` takes; none are one block.
mlir::Value
overBlocks(IndexBuilder ib, llvm::ArrayRef<mlir::Value> extents, mlir::Value target,
           llvm::function_ref<mlir::Value(IndexBuilder, mlir::ValueRange, mlir::Value)> body);

/// The loops that factor `a`, matrices of known size that a block has memory for.
mlir::Value createBlockCholesky(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value a,
                                bool lower);

/// The loops that solve a x = b, or x a = b unless `left`, likewise. `transposed` and `lower`: `a`
/// as it is read for a x = b.
mlir::Value createBlockSolve(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value a,
                             mlir::Value b, bool left, bool transposed, bool lower,
                             bool unitDiagonal);

} // namespace forge

#endif // FORGE_LIB_CONVERSION_STABLEHLOTOLINALG_BLOCKSOLVE_H
