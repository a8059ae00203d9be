// Builds the tile program of gradients of attention.
#ifndef FORGE_LIB_CODEGEN_FLASHBACKWARD_BUILDBACKWARD_H
#define FORGE_LIB_CODEGEN_FLASHBACKWARD_BUILDBACKWARD_H

#include "FlashBackward.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace forge {

/// Adds to the end of `kernel`, on buffers, a tile program that computes `flash` in place of its
/// operations of linalg, which stay.
void buildBackward(mlir::func::FuncOp kernel, const FlashBackward &flash, const BackwardPlan &plan);

} // namespace forge

#endif // FORGE_LIB_CODEGEN_FLASHBACKWARD_BUILDBACKWARD_H
