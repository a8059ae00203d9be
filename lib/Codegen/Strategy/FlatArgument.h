// What a kernel is launched with: pointers and scalars.
#ifndef FORGE_LIB_CODEGEN_STRATEGY_FLATARGUMENT_H
#define FORGE_LIB_CODEGEN_STRATEGY_FLATARGUMENT_H

#include "mlir/Dialect/MemRef/IR/MemRef.h"

namespace forge {

/// One argument of a kernel function, a contiguous memref or a scalar, as arguments of the
/// gpu.func:
/// - a memref of static shape, and a scalar: itself;
/// - a memref of sizes known at run time only: a pointer (a memref of rank 0), then those sizes;
/// - a memref whose type says that it has no elements: nothing.
class FlatArgument {
public:
  explicit FlatArgument(mlir::Type type);

  llvm::SmallVector<mlir::Type> types() const;
  /// What a launch passes for `value`.
  llvm::SmallVector<mlir::Value> flatten(mlir::OpBuilder &builder, mlir::Location loc,
                                         mlir::Value value) const;
  /// The argument again, from values of `types()`.
  mlir::Value rebuild(mlir::OpBuilder &builder, mlir::Location loc, mlir::ValueRange flat) const;

private:
  mlir::Type type;
  /// Null for a scalar.
  mlir::MemRefType memref;
  bool isWhole, isEmpty;
};

} // namespace forge

#endif // FORGE_LIB_CODEGEN_STRATEGY_FLATARGUMENT_H
