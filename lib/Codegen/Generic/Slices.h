// What of a kernel of plain loops can be computed apart: slices of its results, and chunks of a
// merge. Works on tensors (to plan) and on buffers (to lower).
#ifndef FORGE_LIB_CODEGEN_GENERIC_SLICES_H
#define FORGE_LIB_CODEGEN_GENERIC_SLICES_H

#include "forge/Codegen/Fusion.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace forge {

/// A dimension of what the kernel writes, along which no element depends on another.
struct SliceDim {
  /// Loops over its coordinates: every access to what is written is in one of them, at that
  /// loop's counter.
  llvm::SmallVector<mlir::scf::ForOp> loops;
  /// What is written, and which of its dimensions this is: coordinates are below its size. Empty
  /// for a loop that is marked as independent: its steps are the coordinates.
  llvm::SmallVector<std::pair<mlir::Value, int64_t>> places;
};

/// The slices of a kernel, outermost dimension first.
struct Slices {
  llvm::SmallVector<SliceDim> dims;
  /// Loops whose steps do not depend on each other within a slice, each followed by others that
  /// need all of what it wrote. Empty if there is any write outside them.
  llvm::SmallVector<mlir::scf::ForOp> chunkLoops;
  /// Of the line that chunks are of; kDynamic if it is not known.
  int64_t lineLength = 0;
  /// Chunk loops are marked as shared: temporaries of a slice are its block's.
  bool hasBlockMemory = false;
};

/// Nothing where the kernel is not made of loops over elements alone.
Slices findSlices(mlir::func::FuncOp kernel);

} // namespace forge

#endif // FORGE_LIB_CODEGEN_GENERIC_SLICES_H
