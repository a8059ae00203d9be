// Builds the tile program of attention.
#ifndef FORGE_LIB_CODEGEN_FLASHATTENTION_BUILDFLASH_H
#define FORGE_LIB_CODEGEN_FLASHATTENTION_BUILDFLASH_H

#include "FlashPlan.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace forge {

/// Adds to the end of `kernel`, on buffers, a tile program that computes `flash` in place of its
/// operations of linalg, which stay. Returns whether the kernel's last argument is now a counter of
/// work (LaunchShape).
bool buildFlash(mlir::func::FuncOp kernel, const FlashAttention &flash, const FlashPlan &plan,
                const GPUChip &chip);

} // namespace forge

#endif // FORGE_LIB_CODEGEN_FLASHATTENTION_BUILDFLASH_H
