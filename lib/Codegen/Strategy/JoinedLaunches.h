// Strategies of kernels whose launches can be one.
#ifndef FORGE_LIB_CODEGEN_STRATEGY_JOINEDLAUNCHES_H
#define FORGE_LIB_CODEGEN_STRATEGY_JOINEDLAUNCHES_H

#include "forge/Codegen/Target.h"

#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/SetVector.h"

namespace forge {

/// Products that the library was chosen for, each alone, of which several are called with nothing
/// between them that they wait for: those whose other schedules join launches
/// (`Strategy::joinsLaunches`), and are predicted to take less as one launch than the library takes
/// for one after the other, get these (kJoinedAttr). `free`: kernels whose schedules are not said
/// by anyone.
void preferJoinedLaunches(mlir::ModuleOp module, const llvm::SetVector<mlir::Operation *> &free,
                          const GPUChip &chip);

} // namespace forge

#endif // FORGE_LIB_CODEGEN_STRATEGY_JOINEDLAUNCHES_H
