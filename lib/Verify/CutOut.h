// Functions cut out of a function: some of its ops, with what they use from outside as arguments.
#ifndef FORGE_LIB_VERIFY_CUTOUT_H
#define FORGE_LIB_VERIFY_CUTOUT_H

#include "forge/Support/HostTensor.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "llvm/ADT/SetVector.h"

namespace forge {

/// A module with one public function @main, and the values of the original that are its arguments.
struct CutOut {
  mlir::OwningOpRef<mlir::ModuleOp> module;
  llvm::SetVector<mlir::Value> inputs;
  mlir::func::FuncOp entry() { return module->lookupSymbol<mlir::func::FuncOp>("main"); }
};

/// Cuts out `ops` (of one block, in its order), returning the results of the last. Constants they
/// use come along; everything else from outside becomes an argument. Functions they call are
/// copied.
CutOut cutOut(llvm::ArrayRef<mlir::Operation *> ops);

/// The ops of `op`'s block that `op` depends on, at most `levels` steps back, in block order and
/// with `op` last. Constants do not count.
llvm::SmallVector<mlir::Operation *> backwardSlice(mlir::Operation *op, int64_t levels);

} // namespace forge

#endif // FORGE_LIB_VERIFY_CUTOUT_H
