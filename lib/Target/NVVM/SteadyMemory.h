// Memory that no launch of a module writes.
#ifndef FORGE_LIB_TARGET_NVVM_STEADYMEMORY_H
#define FORGE_LIB_TARGET_NVVM_STEADYMEMORY_H

#include "mlir/Dialect/GPU/IR/GPUDialect.h"

#include "llvm/ADT/DenseSet.h"

namespace forge {

/// Arguments of public functions of the host, as weights are, that nothing in the module writes.
/// Once the first launch of a run has begun, what was before the run has ended, and they can be
/// read at any time. Functions whose first launch is in a loop or a branch have none, nor has a
/// module where functions that launch are called.
class SteadyMemory {
public:
  explicit SteadyMemory(mlir::ModuleOp module);

  /// The arguments of `kernel` that are steady in all of its launches, tensor maps of such memory
  /// among them.
  llvm::DenseSet<mlir::Value> argumentsOf(mlir::gpu::GPUFuncOp kernel,
                                          llvm::ArrayRef<mlir::gpu::LaunchFuncOp> launches) const;
  /// Of the functions with such arguments.
  llvm::ArrayRef<mlir::gpu::LaunchFuncOp> getFirstLaunches() const { return firstLaunches; }

private:
  bool isSteady(mlir::Value operand) const;

  llvm::DenseSet<mlir::Value> buffers;
  /// What each tensor map may be of.
  llvm::DenseMap<mlir::Value, llvm::SmallVector<mlir::Value, 1>> mapped;
  llvm::SmallVector<mlir::gpu::LaunchFuncOp> firstLaunches;
};

/// Calls `emit` where a thread that executes `block` first touches memory that is not in `steady`,
/// or else at the block's end: in both branches, if it is in one.
void forEachFirstAccess(mlir::Block &block, const llvm::DenseSet<mlir::Value> &steady,
                        llvm::function_ref<void(mlir::OpBuilder &)> emit);

} // namespace forge

#endif // FORGE_LIB_TARGET_NVVM_STEADYMEMORY_H
