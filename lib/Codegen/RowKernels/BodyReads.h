// What the body of an operation reads by itself, beside its operands.
#ifndef FORGE_LIB_CODEGEN_ROWKERNELS_BODYREADS_H
#define FORGE_LIB_CODEGEN_ROWKERNELS_BODYREADS_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "llvm/ADT/SmallBitVector.h"

namespace forge {

/// A read of an element of `values` at sums and products of loops and constants.
struct BodyRead {
  mlir::Value values;
  /// The loops that the index of each dimension is computed of.
  llvm::SmallVector<llvm::SmallBitVector> loops;

  /// Of any dimension, and of the innermost one whose index is not a constant.
  llvm::SmallBitVector allLoops() const;
  llvm::SmallBitVector innermostLoops() const;
};

/// Those reads of the body of `op`. Reads at other places, as of a table, are left out.
llvm::SmallVector<BodyRead> bodyReadsOf(mlir::linalg::GenericOp op);

} // namespace forge

#endif // FORGE_LIB_CODEGEN_ROWKERNELS_BODYREADS_H
