// Products of a few rows with a large matrix, and what is done to their sums.
#ifndef FORGE_LIB_CODEGEN_GEMV_GEMVPRODUCT_H
#define FORGE_LIB_CODEGEN_GEMV_GEMVPRODUCT_H

#include "forge/Codegen/Target.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"

#include <optional>

namespace forge {

/// The most rows of the left factor: with more, arithmetic takes longer than reading the matrix.
inline constexpr int64_t kMostGemvRows = 8;
/// Bytes of one memory access.
inline constexpr int64_t kAccessBytes = 16;

/// out[m, n] = follow(sum over k of x[m, k] * w(n, k)): all sizes static, x contiguous along k, w
/// along k or along n. Both of one type, or w of i8 and contiguous along k.
struct GemvProduct {
  mutable mlir::linalg::LinalgOp op; // a handle: reading it changes nothing
  /// The elementwise operation on its result, or null.
  mlir::linalg::GenericOp follow;
  /// What computes x in the same kernel, row by row, fills among it, in its order; none if x is an
  /// argument.
  llvm::SmallVector<mlir::Operation *> prologue;
  /// The operand numbers of x and w: 0 and 1, or 1 and 0.
  unsigned lhs = 0, rhs = 1;
  int64_t rows = 1, columns = 1, length = 1;
  /// w is [length, columns] in memory, not [columns, length].
  bool columnsInside = false;
  /// Elements of 16 bytes of w.
  int64_t vector = 1;

  /// Accesses of one column of w along k, where k is inside; runs of rows of w otherwise.
  int64_t accesses() const { return length / vector; }
  mlir::Value left() const { return mlir::linalg::LinalgOp(op)->getOperand(lhs); }
  mlir::Value right() const { return mlir::linalg::LinalgOp(op)->getOperand(rhs); }
};

/// The product that `contraction` and `follow` (null: nothing) are, on tensors or buffers, if a
/// warp of this chip has work with every row of the matrix.
std::optional<GemvProduct> matchGemv(mlir::linalg::LinalgOp contraction,
                                     mlir::linalg::GenericOp follow, int64_t warpSize);

/// The product a kernel function is, if it is one and nothing else.
std::optional<GemvProduct> matchGemvKernel(mlir::func::FuncOp kernel, int64_t warpSize);

} // namespace forge

#endif // FORGE_LIB_CODEGEN_GEMV_GEMVPRODUCT_H
