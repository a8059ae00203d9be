// One kernel that does the work of several, each in blocks of its own.
#ifndef FORGE_LIB_TARGET_DEVICE_FUSEDKERNEL_H
#define FORGE_LIB_TARGET_DEVICE_FUSEDKERNEL_H

#include "BufferAccesses.h"

namespace forge {

/// A launch that may be fused with others: of a one-dimensional grid.
struct LaunchPart {
  mlir::gpu::LaunchFuncOp launch;
  mlir::gpu::GPUFuncOp kernel;
  int64_t blocks = 0;
  /// Of a block; shared memory that the launch asks for.
  int64_t threads = 0, dynamicSharedBytes = 0;
  llvm::SmallVector<BufferAccess> accesses;
};

/// What kernels have to agree on: all attributes that are not one kernel's own.
mlir::DictionaryAttr sharedAttributes(mlir::gpu::GPUFuncOp kernel);

/// The arguments of one kernel with these parts that the host gives by value, as it gives theirs.
llvm::SmallVector<int64_t> argumentsByValue(llvm::ArrayRef<LaunchPart> parts);

/// Static shared memory of one kernel with these parts, which share buffers of equal types.
int64_t sharedBytes(llvm::ArrayRef<mlir::gpu::GPUFuncOp> kernels);

/// Whether both can be parts of one kernel, as far as the sizes of their blocks go.
bool canHaveOneBlockSize(const LaunchPart &part, const LaunchPart &other);

/// A part with blocks as large as any.
const LaunchPart &largestPart(llvm::ArrayRef<LaunchPart> parts);

/// A new kernel next to those of `parts`, with their arguments, one part's after the other's. Its
/// grid has the blocks of each in the same order, and a block's number says which part it belongs
/// to; threads that a part does not have do nothing.
mlir::gpu::GPUFuncOp fuseKernels(llvm::ArrayRef<LaunchPart> parts);

/// A new kernel next to those of `phases`, with their arguments, one's after the other's: a cluster
/// of `cluster` blocks that computes each of them, one after the other.
mlir::gpu::GPUFuncOp chainKernels(llvm::ArrayRef<LaunchPart> phases, int64_t cluster);

} // namespace forge

#endif // FORGE_LIB_TARGET_DEVICE_FUSEDKERNEL_H
