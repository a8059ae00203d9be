// Which buffers an operation of the host reads and writes on the device.
#ifndef FORGE_LIB_TARGET_DEVICE_BUFFERACCESSES_H
#define FORGE_LIB_TARGET_DEVICE_BUFFERACCESSES_H

#include "mlir/Dialect/GPU/IR/GPUDialect.h"

#include "llvm/ADT/DenseMap.h"

#include <optional>

namespace forge {

/// A box of elements of a buffer of a static shape: where it begins along each dimension, and its
/// size there.
struct BufferRegion {
  llvm::SmallVector<int64_t> begin, size;
};

/// What is done to a buffer: `buffer` is what its views are views of.
struct BufferAccess {
  mlir::Value buffer;
  bool reads = false, writes = false;
  /// Where it is done, if that is known: a part of a concatenation.
  std::optional<BufferRegion> region = std::nullopt;
};

/// Answers for the operations of one module, while no kernel changes.
class BufferAccesses {
public:
  /// Accesses of `op`, launches included. Nothing for one of which they are not all known.
  /// An allocation has none: nobody knows of its buffer yet.
  std::optional<llvm::SmallVector<BufferAccess>> of(mlir::Operation *op);

  /// The kernel that is launched.
  mlir::gpu::GPUFuncOp kernelOf(mlir::gpu::LaunchFuncOp launch);

private:
  /// One for each argument of a kernel; `buffer` is the argument.
  llvm::ArrayRef<BufferAccess> ofArguments(mlir::gpu::GPUFuncOp kernel);

  mlir::SymbolTableCollection symbols;
  llvm::DenseMap<mlir::Operation *, llvm::SmallVector<BufferAccess>> kernels;
};

/// Whether `op` makes a tensor map in one of these memories of the host.
bool makesTensorMapFor(mlir::Operation *op,
                       const llvm::SmallPtrSetImpl<mlir::Operation *> &memories);

/// Whether the order of two operations with these accesses may matter: one writes what the other
/// reads or writes, in the same place. Different arguments of a function are different buffers, as
/// bufferization takes them to be.
bool mayConflict(llvm::ArrayRef<BufferAccess> some, llvm::ArrayRef<BufferAccess> others);

} // namespace forge

#endif // FORGE_LIB_TARGET_DEVICE_BUFFERACCESSES_H
