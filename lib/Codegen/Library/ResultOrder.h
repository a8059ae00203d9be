// The order of the dimensions of a contraction's result.
#ifndef FORGE_LIB_CODEGEN_LIBRARY_RESULTORDER_H
#define FORGE_LIB_CODEGEN_LIBRARY_RESULTORDER_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"

#include <optional>

namespace forge {

/// The order of the dimensions of `sums` in which `follow`, elementwise, would read them as its
/// results are; nothing if it does already, or reads anything but a permutation.
std::optional<llvm::SmallVector<unsigned>> readOrder(mlir::linalg::GenericOp follow,
                                                     mlir::Value sums);

llvm::SmallVector<unsigned> inverseOrder(llvm::ArrayRef<unsigned> order);

/// `list[order[0]], list[order[1]], ...`
template <typename T>
llvm::SmallVector<T> inOrder(llvm::ArrayRef<T> list, llvm::ArrayRef<unsigned> order) {
  return llvm::map_to_vector(order, [&](unsigned from) { return list[from]; });
}

/// `map` with its results in this order.
mlir::AffineMap inOrder(mlir::AffineMap map, llvm::ArrayRef<unsigned> order);

/// `contraction`, on tensors and from a fill, with these factors and maps, and with dimension
/// `order[i]` of its result as the i-th one. What it was made from stays.
mlir::linalg::GenericOp remakeContraction(mlir::linalg::LinalgOp contraction,
                                          llvm::ArrayRef<mlir::Value> factors,
                                          llvm::ArrayRef<mlir::AffineMap> maps,
                                          llvm::ArrayRef<unsigned> order);

/// Replaces `contraction` by one that reads factors where they were before they were transposed, or
/// repeated along further dimensions; itself if there is no such factor.
mlir::linalg::LinalgOp readUntransposed(mlir::linalg::LinalgOp contraction);

/// Replaces `contraction`, which only `follow` uses, by itself with its result in this order.
mlir::linalg::GenericOp reorderResult(mlir::linalg::LinalgOp contraction,
                                      mlir::linalg::GenericOp follow,
                                      llvm::ArrayRef<unsigned> order);

} // namespace forge

#endif // FORGE_LIB_CODEGEN_LIBRARY_RESULTORDER_H
