// Tensors that are known with their dimensions in another order.
#ifndef FORGE_LIB_DIALECT_STABLEHLO_TRANSFORMS_IMAGEORDERS_H
#define FORGE_LIB_DIALECT_STABLEHLO_TRANSFORMS_IMAGEORDERS_H

#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Value.h"

#include "llvm/ADT/DenseMap.h"

namespace forge {

/// In an order, dimension i is dimension `order[i]` of the tensor as the module has it.
class ImageOrders {
public:
  using Order = llvm::SmallVector<int64_t>;

  static llvm::SmallVector<int64_t> permuted(llvm::ArrayRef<int64_t> list,
                                             llvm::ArrayRef<int64_t> order);
  /// `value` as a transpose with this order; itself if that changes nothing.
  static mlir::Value transpose(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value value,
                               llvm::ArrayRef<int64_t> order);

  /// `value` in this order, at `op`: as it is known, or transposed there.
  mlir::Value transposed(mlir::OpBuilder &builder, mlir::Operation *op, mlir::Value value,
                         llvm::ArrayRef<int64_t> order);

  /// `made` is what `value`, a result, is in this order: whoever reads `value` gets a transpose of
  /// it.
  void replace(mlir::Value value, mlir::Value made, llvm::ArrayRef<int64_t> order);

  /// Computes the result of `op` in the order in which an operand is known, if all others are known
  /// in it, or can be made in it: elementwise operations, windows of reductions and padding.
  /// Reductions read that operand there.
  void carryOver(mlir::Operation *op);

private:
  struct Known {
    mlir::Value value;
    Order order;
  };

  const Known *knownAt(mlir::Operation *op, mlir::Value value) const;
  mlir::Value inOrder(mlir::OpBuilder &builder, mlir::Operation *op, mlir::Value value,
                      llvm::ArrayRef<int64_t> order) const;
  void carryElementwise(mlir::Operation *op);
  void carryWindows(mlir::Operation *op, const Known &input);
  void carryReduction(mlir::Operation *op, const Known &input);

  llvm::DenseMap<mlir::Value, Known> known;
};

} // namespace forge

#endif // FORGE_LIB_DIALECT_STABLEHLO_TRANSFORMS_IMAGEORDERS_H
