// The strategy *generic*: one thread for one element of the result.
#ifndef FORGE_LIB_CODEGEN_GENERIC_GENERIC_H
#define FORGE_LIB_CODEGEN_GENERIC_GENERIC_H

#include "Destinations.h"
#include "Slices.h"

#include "forge/Codegen/Strategy.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace forge {

/// Takes any kernel. Schedule: `threads` of a block, and `reduce_threads`, how many of them share
/// the terms of one reduction.
extern const Strategy genericStrategy;

/// What an elementwise operation reads and another operation of the kernel computes: each element
/// is computed where it is read.
struct InlineProducer {
  mlir::linalg::LinalgOp op;
  /// The scalar its output starts from; null where that is what it holds.
  mlir::Value init;
};

/// A block whose threads share elements of a reduction.
struct Sharing {
  /// Threads that share one; a power of two.
  int64_t parts = 1;
  int64_t elements = 1;
};

/// How a block should share elements of what `op` reduces; nothing where each is one thread's.
std::optional<Sharing> planSharing(mlir::linalg::LinalgOp op, const GPUChip &chip);

/// Whether `op` is a reduction whose partial results can be joined.
bool canShare(mlir::linalg::LinalgOp op);

/// The reduction loop that threads which share an element divide: one whose size is known at run
/// time only, or the longest.
unsigned sharedLoop(mlir::linalg::GenericOp op);

/// Whether steps of that loop side by side read elements side by side.
bool sharesAlongMemory(mlir::linalg::GenericOp op);

/// Replaces `op` (on memrefs) by code for one thread that computes whole elements of the results;
/// `inits` are the scalars its outputs start from, null where that is what they hold. `producer`,
/// if there is one, computes one of its inputs, and goes. `parts` of the threads share an element,
/// if it can be shared (canShare). Gives the number of blocks.
mlir::OpFoldResult emitPerElement(mlir::linalg::LinalgOp op, llvm::ArrayRef<mlir::Value> inits,
                                  int64_t threads,
                                  std::optional<InlineProducer> producer = std::nullopt,
                                  int64_t parts = 1);

/// Rewrites the loops of `kernel` to what one thread does of the slices, or, `byBlock`, of the
/// chunks of a slice that its block does. Gives the number of blocks.
mlir::OpFoldResult emitPerSlice(mlir::func::FuncOp kernel, const Slices &slices, bool byBlock,
                                int64_t threads);

/// Replaces the loops of `kernel` by code for blocks that own parts of what they write, and do the
/// updates that go there. Gives the number of blocks.
mlir::OpFoldResult emitPerDestination(const Destinations &destinations, int64_t threads);

} // namespace forge

#endif // FORGE_LIB_CODEGEN_GENERIC_GENERIC_H
