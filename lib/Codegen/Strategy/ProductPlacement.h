// What puts the results of a product to their places, in the product's kernel.
#ifndef FORGE_LIB_CODEGEN_STRATEGY_PRODUCTPLACEMENT_H
#define FORGE_LIB_CODEGEN_STRATEGY_PRODUCTPLACEMENT_H

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

#include <optional>
#include <string>

namespace forge {

/// Independent loops, one in the other, each step of which puts something somewhere that it
/// computes of elements of one row of a product: of columns c, c + inner, ..., c + (group - 1) *
/// inner. Rotary positions are computed of pairs, `inner` being half a head.
struct ProductPlacement {
  /// Outermost first; null handles if there is none.
  llvm::SmallVector<mlir::scf::ForOp, 0> loops;
  /// The step for element e = row * columns + column is the one with the counters
  /// (e / weight) % extent, and e is that of at most one step.
  llvm::SmallVector<int64_t, 0> extents, weights;
  /// Whether every element has a step.
  bool isForAll = true;
  int64_t group = 1, inner = 1;
  /// Of each read of elements in the body, in the order of its operations, and each place in the
  /// group that a step's own element may have, the place of the one that is read; nothing for one
  /// that no such step uses. Empty where steps with one place read different ones.
  llvm::SmallVector<llvm::SmallVector<std::optional<int64_t>, 4>, 0> placesRead;

  /// Whether a block can have `count` columns: with each of them all of its group.
  bool canHave(int64_t count) const;
  /// Columns of a block side by side, where it has `count`.
  int64_t sideBySide(int64_t count) const;
  mlir::Block &body() const { return *mlir::scf::ForOp(loops.back()).getBody(); }
};

/// `root` as what places `values`, the result of a product with `rows` and `columns`, on tensors or
/// buffers; or nothing, and why.
std::optional<ProductPlacement> matchPlacement(mlir::scf::ForOp root, mlir::Value values,
                                               int64_t rows, int64_t columns, std::string &why);

/// Emits, on buffers, the step of `placement` for the element at `row` and `column`, which reads
/// `values` at columns of that row: `valueAt` gives the value at one of them, which may be any
/// column where the value is not used.
void emitPlacement(mlir::ImplicitLocOpBuilder &b, const ProductPlacement &placement,
                   mlir::Value values, mlir::Value row, mlir::Value column, int64_t columns,
                   llvm::function_ref<mlir::Value(mlir::Value column)> valueAt);

} // namespace forge

#endif // FORGE_LIB_CODEGEN_STRATEGY_PRODUCTPLACEMENT_H
