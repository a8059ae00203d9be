// Strategy "gemv": products of a few rows with a large matrix, bound by reading it.
#ifndef FORGE_LIB_CODEGEN_GEMV_GEMVSTRATEGY_H
#define FORGE_LIB_CODEGEN_GEMV_GEMVSTRATEGY_H

#include "forge/Codegen/Strategy.h"

namespace forge {

/// A block computes some columns of the result, its threads share their sums and read the matrix 16
/// bytes at a time, several accesses under way at once; what follows the product is computed on the
/// sums, in the same kernel.
///
/// The tile of a schedule: {columns of one block, accesses to each of them that a thread has under
/// way}.
class GemvStrategy : public Strategy {
public:
  llvm::StringRef name() const override { return "gemv"; }
  std::optional<KernelSchedule> plan(mlir::func::FuncOp kernel, const GPUChip &chip) const override;
  mlir::LogicalResult verify(mlir::func::FuncOp kernel, const KernelSchedule &schedule,
                             const GPUChip &chip) const override;
  mlir::FailureOr<LaunchShape> lower(mlir::func::FuncOp kernel, const KernelSchedule &schedule,
                                     const GPUChip &chip) const override;
};

} // namespace forge

#endif // FORGE_LIB_CODEGEN_GEMV_GEMVSTRATEGY_H
