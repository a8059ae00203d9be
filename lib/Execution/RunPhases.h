// A module taken through the phases, and the kernels met on the way.
#ifndef FORGE_LIB_EXECUTION_RUNPHASES_H
#define FORGE_LIB_EXECUTION_RUNPHASES_H

#include "forge/Execution/Lowering.h"

namespace forge {

/// Adds the loop nests and other operations of a module on tensors, just before bufferization.
void collectTensorKernels(mlir::ModuleOp module, std::vector<KernelInfo> &kernels);
/// Adds the products of a module on tensors, just before bufferization.
void collectProducts(mlir::ModuleOp module, std::vector<KernelInfo> &products);
/// Adds the functions that are kernels (contractions), in a module at phase lower, and those of
/// `products` that none of them computes: plain loops.
void collectFunctionKernels(mlir::ModuleOp module, std::vector<KernelInfo> products,
                            std::vector<KernelInfo> &kernels);

/// Adds the kernel functions of a module at phase kernels.
void collectKernelFunctions(mlir::ModuleOp module, std::vector<KernelInfo> &kernels);

/// What phase `gpu` leaves: a kernel that was fused of several replaces those of them that nothing
/// launches alone any more.
void collectFusedKernels(mlir::ModuleOp module, std::vector<KernelInfo> &kernels);

/// Adds the stages of kernels that take time stamps, in what phase `gpu` leaves.
void collectStages(mlir::ModuleOp module, std::vector<KernelInfo> &kernels);

/// The most bytes of temporaries that are alive at once in a run of the public function, of sizes
/// known when it is compiled. Its results do not count. `module` is at a phase with buffers.
int64_t plannedTemporaryBytes(mlir::ModuleOp module);

/// Fails, with a diagnostic at the operation, if `module` holds something that no module at `phase`
/// of `target` holds, or a schedule where none is read.
mlir::LogicalResult checkPhase(mlir::ModuleOp module, Phase phase, const Target &target);

/// Runs the phases after `options.from` on `module`, adding their times to `report`; kernels as
/// they are before bufferization. On an internal failure writes a reproducer and names it in the
/// error.
Result<void> runPhases(mlir::ModuleOp module, const CompileOptions &options, Phase to,
                       CompileReport &report);

} // namespace forge

#endif // FORGE_LIB_EXECUTION_RUNPHASES_H
