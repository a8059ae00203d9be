// A contraction, and what is done to its sums, as tile programs compute it: axes, and strides of
// everything that is read and written along them.
#ifndef FORGE_LIB_CODEGEN_TILECONTRACTION_TILECONTRACTION_H
#define FORGE_LIB_CODEGEN_TILECONTRACTION_TILECONTRACTION_H

#include "../Strategy/AxisAccess.h"
#include "../Strategy/ProductAxes.h"

#include "forge/Codegen/Schedule.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace forge {

/// out[o, m, n] = epilogue(sum over t, k of left[o, t, m, k] * right[o, t, n, k]), all of known
/// size.
struct TileContraction {
  mlir::linalg::LinalgOp op;
  /// Elementwise on the sums, or null.
  mlir::linalg::GenericOp epilogue;
  llvm::SmallVector<ProductAxis, 8> axes;
  /// The axes that tiles divide; nothing: one row, one column.
  std::optional<unsigned> row, column;
  unsigned term = 0;
  /// The batch with other rows and columns, and other terms.
  llvm::SmallVector<unsigned, 4> outer, outerTerms;
  AxisAccess left, right;
  /// Where factors are not multiplied in their own types: they are made of the sums' type, by these
  /// operations of the body; null where a factor has it.
  bool isConverted = false;
  mlir::Operation *leftCast = nullptr, *rightCast = nullptr;
  /// Of each axis, the result's dimensions, the outermost first; none of terms.
  llvm::SmallVector<llvm::SmallVector<unsigned, 4>, 8> resultLoops;
  llvm::SmallVector<int64_t, 4> resultShape;
  /// Of each input of the epilogue: none for the sums and for scalars.
  llvm::SmallVector<std::optional<AxisAccess>, 4> inputs;
  llvm::SmallVector<AxisAccess, 2> results;

  int64_t sizeOf(std::optional<unsigned> axis) const { return axis ? axes[*axis].size : 1; }
  int64_t sizeOf(llvm::ArrayRef<unsigned> list) const;
  int64_t multiplications() const;
  /// Of a factor in shared memory.
  mlir::Type factorType() const {
    return isConverted ? sumType() : getElementTypeOrSelf(op->getOperand(0));
  }
  mlir::Type sumType() const { return getElementTypeOrSelf(op->getOperand(2)); }
};

/// The contraction that a kernel function, on tensors or buffers, is, if it is one of known sizes
/// and nothing else that tiles do not compute; says why not.
mlir::FailureOr<TileContraction> matchTileContraction(mlir::func::FuncOp kernel, WhyNot whyNot);

} // namespace forge

#endif // FORGE_LIB_CODEGEN_TILECONTRACTION_TILECONTRACTION_H
