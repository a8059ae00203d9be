// Operations of a block to a function and a call.
#ifndef FORGE_TARGET_CPU_OUTLINEOPS_H
#define FORGE_TARGET_CPU_OUTLINEOPS_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace forge {

/// Moves `ops`, which are in one block and in its order, to a new private function, which is called
/// in place of the last of them. What they take from outside becomes arguments, and what is used
/// outside results; constants are made again inside.
mlir::func::CallOp outlineOps(llvm::ArrayRef<mlir::Operation *> ops, const llvm::Twine &name,
                              mlir::SymbolTable &symbols);

} // namespace forge

#endif // FORGE_TARGET_CPU_OUTLINEOPS_H
