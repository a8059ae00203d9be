// Strategy "flash_backward": gradients of attention, whose weights never reach memory.
#ifndef FORGE_LIB_CODEGEN_FLASHBACKWARD_BACKWARDSTRATEGY_H
#define FORGE_LIB_CODEGEN_FLASHBACKWARD_BACKWARDSTRATEGY_H

#include "forge/Codegen/Strategy.h"

namespace forge {

/// Sums over keys, or over rows, of what follows from the weights of attention (ScoreProgram),
/// which are computed again: of known sizes, with factors of bf16 or f16, on chips with products of
/// warpgroups, as a tile program.
///
/// Schedule: a block has a tile of `m` rows, or keys, and goes through tiles of `n` of the others.
extern const Strategy flashBackwardStrategy;

/// Whether a kernel of these operations, on tensors, can be one of this strategy.
bool isFlashBackward(llvm::ArrayRef<mlir::Operation *> ops, const GPUChip &chip, WhyNot whyNot);

} // namespace forge

#endif // FORGE_LIB_CODEGEN_FLASHBACKWARD_BACKWARDSTRATEGY_H
