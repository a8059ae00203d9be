// Where the temporaries of a kernel are: in the memory of a thread, or of a block.
#ifndef FORGE_LIB_CODEGEN_GENERIC_LOCALMEMORY_H
#define FORGE_LIB_CODEGEN_GENERIC_LOCALMEMORY_H

#include "forge/Codegen/Target.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace forge {

/// Whether the temporaries of a thread fit its own memory, with a diagnostic: those of a kernel
/// that another strategy keeps in the memory of a block may not.
mlir::LogicalResult checkLocalBytes(mlir::func::FuncOp kernel);

/// Puts temporaries of static size in the thread's own memory; others are left for the host to
/// allocate.
void allocateLocally(mlir::func::FuncOp kernel);

/// Puts temporaries of static size in the memory of the block: the bytes of it that a launch has to
/// ask for, 0 where they are few enough to be a kernel's own. Fails where the chip has less.
mlir::FailureOr<int64_t> allocateShared(mlir::func::FuncOp kernel, const GPUChip &chip);

} // namespace forge

#endif // FORGE_LIB_CODEGEN_GENERIC_LOCALMEMORY_H
