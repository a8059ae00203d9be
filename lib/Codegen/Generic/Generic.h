// The strategy *generic*: one thread for one element of the result.
#ifndef FORGE_LIB_CODEGEN_GENERIC_GENERIC_H
#define FORGE_LIB_CODEGEN_GENERIC_GENERIC_H

#include "Destinations.h"
#include "Slices.h"

#include "forge/Codegen/Strategy.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace forge {

/// Blocks of one launch: within what every driver takes, and more than any device runs at once.
inline constexpr int64_t kMaxBlocks = 1 << 22;

/// Takes any kernel. Schedule: `threads` of a block, and `reduce_threads`, how many of them share
/// the terms of one reduction.
extern const Strategy genericStrategy;

/// An elementwise operation that alone reads the result of another operation of the kernel, element
/// by element.
struct Epilogue {
  mlir::linalg::LinalgOp op;
  /// The scalars its outputs start from; null where that is what they hold.
  llvm::SmallVector<mlir::Value> inits;
  /// The loop of the other operation that each loop of `op` is.
  llvm::SmallVector<unsigned> loops;
};

/// A block whose threads share elements of a reduction.
struct Sharing {
  /// Threads that share one; a power of two.
  int64_t parts = 1;
  int64_t elements = 1;
};

/// How a block should share elements of what `op` reduces; nothing where each is one thread's.
std::optional<Sharing> planSharing(mlir::linalg::LinalgOp op, const GPUChip &chip);

/// Whether all that reads what `padding` makes, on tensors or buffers, are sums through windows of
/// it, and it only surrounds a tensor with zeros: threads read what is inside, and it is not made.
bool readsInside(mlir::linalg::GenericOp padding);

/// Whether `op` is a reduction whose partial results can be joined.
bool canShare(mlir::linalg::LinalgOp op);

/// The reduction loop that threads which share an element divide: one whose size is known at run
/// time only, or the longest.
unsigned sharedLoop(mlir::linalg::GenericOp op);

/// The map whose results say in which order threads take the elements of the reduction `op`: that
/// of `output`, or of an input of which neighbours in memory are read together then.
mlir::AffineMap orderOfElements(mlir::linalg::LinalgOp op, mlir::AffineMap output);

/// Whether threads side by side should take steps of that loop rather than elements.
bool sharesAlongMemory(mlir::linalg::GenericOp op);

/// Replaces `op` (on memrefs), and `epilogue`, if there is one, by code for threads that compute
/// tiles of the results; `inits` are the scalars its outputs start from, null where that is what
/// they hold. Gives the number of blocks.
mlir::OpFoldResult emitPerElement(mlir::linalg::LinalgOp op, llvm::ArrayRef<mlir::Value> inits,
                                  int64_t threads, std::optional<Epilogue> epilogue = std::nullopt);

/// Like emitPerElement of a reduction that can be shared (canShare): `parts` of the threads of a
/// block share an element.
mlir::OpFoldResult emitSharedElements(mlir::linalg::LinalgOp op, llvm::ArrayRef<mlir::Value> inits,
                                      int64_t threads, int64_t parts);

/// Rewrites the loops of `kernel` to what one thread does of the slices, or, `byBlock`, of the
/// chunks of a slice that its block does. Gives the number of blocks.
mlir::OpFoldResult emitPerSlice(mlir::func::FuncOp kernel, const Slices &slices, bool byBlock,
                                int64_t threads);

/// Replaces the loops of `kernel` by code for blocks that own parts of what they write, and do the
/// updates that go there. Gives the number of blocks.
mlir::OpFoldResult emitPerDestination(const Destinations &destinations, int64_t threads);

} // namespace forge

#endif // FORGE_LIB_CODEGEN_GENERIC_GENERIC_H
