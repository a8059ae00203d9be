// What the host computes for a call of a kernel: values of the kernel function that depend on its
// arguments only, and views of the operands.
#ifndef FORGE_LIB_CODEGEN_STRATEGY_HOSTVALUES_H
#define FORGE_LIB_CODEGEN_STRATEGY_HOSTVALUES_H

#include "forge/Codegen/Strategy.h"

#include "mlir/IR/IRMapping.h"

namespace forge {

/// Values of the kernel function of `call`, computed before the call from its operands.
class HostValues {
public:
  HostValues(mlir::func::CallOp call, mlir::func::FuncOp kernel);

  /// Fails with a diagnostic where a value does not follow from arguments. Constants stay such in
  /// `fold`.
  mlir::FailureOr<mlir::Value> value(mlir::OpFoldResult value);
  mlir::FailureOr<mlir::OpFoldResult> fold(mlir::OpFoldResult value);
  /// The elements of the operand, as a buffer of these dimensions.
  mlir::FailureOr<mlir::Value> view(const StridedArgument &argument);

private:
  mlir::func::CallOp call;
  mlir::OpBuilder builder;
  mlir::IRMapping mapping;
};

} // namespace forge

#endif // FORGE_LIB_CODEGEN_STRATEGY_HOSTVALUES_H
