// Reshapes, slices and broadcasts of tensors some of whose sizes are known only at run time.
#ifndef FORGE_LIB_DIALECT_STABLEHLO_TRANSFORMS_SIZEDOPS_H
#define FORGE_LIB_DIALECT_STABLEHLO_TRANSFORMS_SIZEDOPS_H

#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinTypes.h"

namespace forge::stablehlo {

/// Each gives `shape`, whose dynamic sizes are those of `value` in the same places (of `like` for a
/// broadcast). Without dynamic sizes these are the operations for static shapes.
class SizedOps {
public:
  SizedOps(mlir::OpBuilder &builder, mlir::Location loc) : builder(builder), loc(loc) {}

  mlir::Value reshape(mlir::Value value, llvm::ArrayRef<int64_t> shape);
  /// Elements `from` to below `to` along the static dimension `dim`.
  mlir::Value slice(mlir::Value value, int64_t dim, int64_t from, int64_t to);
  mlir::Value broadcast(mlir::Value value, mlir::Value like, llvm::ArrayRef<int64_t> dims);

private:
  /// The sizes of `shape` as a tensor.
  mlir::Value sizes(mlir::Value value, llvm::ArrayRef<int64_t> shape);

  mlir::OpBuilder &builder;
  mlir::Location loc;
};

} // namespace forge::stablehlo

#endif // FORGE_LIB_DIALECT_STABLEHLO_TRANSFORMS_SIZEDOPS_H
