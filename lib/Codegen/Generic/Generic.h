// The strategy *generic*: one thread for one element of the result.
#ifndef FORGE_LIB_CODEGEN_GENERIC_GENERIC_H
#define FORGE_LIB_CODEGEN_GENERIC_GENERIC_H

#include "Slices.h"

#include "forge/Codegen/Strategy.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace forge {

/// Takes any kernel. Schedule: tile = {1}, threads of a block.
class GenericStrategy : public Strategy {
public:
  llvm::StringRef name() const override { return "generic"; }
  std::optional<KernelSchedule> plan(mlir::func::FuncOp kernel, const GPUChip &chip) const override;
  mlir::FailureOr<LaunchShape> lower(mlir::func::FuncOp kernel, const KernelSchedule &schedule,
                                     const GPUChip &chip) const override;
};

/// What an elementwise operation reads and another operation of the kernel computes: each element
/// is computed where it is read.
struct InlineProducer {
  mlir::linalg::LinalgOp op;
  /// The scalar its output starts from; null where that is what it holds.
  mlir::Value init;
};

/// Replaces `op` (on memrefs) by code for one thread that computes whole elements of the results;
/// `inits` are the scalars its outputs start from, null where that is what they hold. `producer`,
/// if there is one, computes one of its inputs, and goes. Gives the number of blocks.
mlir::OpFoldResult emitPerElement(mlir::linalg::LinalgOp op, llvm::ArrayRef<mlir::Value> inits,
                                  int64_t threads,
                                  std::optional<InlineProducer> producer = std::nullopt);

/// Rewrites the loops of `kernel` to what one thread does of the slices, or, `byBlock`, of the
/// chunks of a slice that its block does. Gives the number of blocks.
mlir::OpFoldResult emitPerSlice(mlir::func::FuncOp kernel, const Slices &slices, bool byBlock,
                                int64_t threads);

} // namespace forge

#endif // FORGE_LIB_CODEGEN_GENERIC_GENERIC_H
