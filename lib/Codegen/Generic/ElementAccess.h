// The elements that a kernel of plain loops reads and writes, on tensors (to plan) and on buffers
// (to lower).
#ifndef FORGE_LIB_CODEGEN_GENERIC_ELEMENTACCESS_H
#define FORGE_LIB_CODEGEN_GENERIC_ELEMENTACCESS_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace forge {

/// A read or a write of one element.
struct ElementAccess {
  mlir::Operation *op;
  /// The buffer, or the first tensor of a chain of updates. Different arguments of a kernel share
  /// no memory where one of them is written, as bufferization copies what would: elements of two
  /// bases never are the same.
  mlir::Value base;
  llvm::SmallVector<mlir::Value> indices;
  bool isWrite;
};

/// All accesses of `kernel`, in order; failure where it is not made of loops over elements alone.
mlir::FailureOr<llvm::SmallVector<ElementAccess>> collectAccesses(mlir::func::FuncOp kernel);

/// What is written, each once, in the order of first writes.
llvm::SmallVector<mlir::Value> writtenBases(llvm::ArrayRef<ElementAccess> accesses);

/// The loop of which `index` is the counter, or null.
mlir::scf::ForOp counterLoop(mlir::Value index);

} // namespace forge

#endif // FORGE_LIB_CODEGEN_GENERIC_ELEMENTACCESS_H
