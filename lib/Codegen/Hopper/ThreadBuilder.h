// Arithmetic of one thread's code.
#ifndef FORGE_LIB_CODEGEN_HOPPER_THREADBUILDER_H
#define FORGE_LIB_CODEGEN_HOPPER_THREADBUILDER_H

#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace forge {

/// i32 arithmetic with constants, at an insertion point.
class ThreadBuilder : public mlir::ImplicitLocOpBuilder {
public:
  using ImplicitLocOpBuilder::ImplicitLocOpBuilder;

  /// While it lives, operations are made at the insertion point of another builder, as in the body
  /// of a loop.
  struct Inside {
    Inside(ThreadBuilder &b, mlir::OpBuilder &there) : guard(b) {
      b.setInsertionPoint(there.getInsertionBlock(), there.getInsertionPoint());
    }
    mlir::OpBuilder::InsertionGuard guard;
  };

  mlir::Value i32(int64_t value);
  mlir::Value i64(int64_t value);
  mlir::Value add(mlir::Value a, mlir::Value b);
  mlir::Value sub(mlir::Value a, mlir::Value b);
  mlir::Value mul(mlir::Value a, mlir::Value b);
  mlir::Value div(mlir::Value a, mlir::Value b);
  mlir::Value rem(mlir::Value a, mlir::Value b);
  mlir::Value ceilDiv(mlir::Value a, int64_t b);
  mlir::Value equals(mlir::Value a, int64_t b);
  mlir::Value toIndex(mlir::Value value);
  mlir::Value toI32(mlir::Value index);
  /// `number` as an index of each of these `sizes`, the last one's fastest.
  llvm::SmallVector<mlir::Value> split(mlir::Value number, llvm::ArrayRef<mlir::Value> sizes);
};

} // namespace forge

#endif // FORGE_LIB_CODEGEN_HOPPER_THREADBUILDER_H
