// What the fuzzers of modules do: load one, print it, run passes on it.
#ifndef FORGE_FUZZ_LOWERING_H
#define FORGE_FUZZ_LOWERING_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/OwningOpRef.h"
#include "mlir/Pass/PassManager.h"

namespace forge::fuzz {

/// A context with the dialects in `registry`, made anew from time to time: it keeps every type that
/// it has seen.
mlir::MLIRContext &freshContext(const mlir::DialectRegistry &registry);

/// The verified module that `text` is; null where it is refused with a diagnostic, and for
/// bytecode, which is left out: MLIR's reader of it trusts its input, and loadModule only guards
/// against its crashes. Ends the process where nothing is said, or where a parser of Forge's
/// crashes, which loadModule would survive as well.
mlir::OwningOpRef<mlir::ModuleOp> loadText(llvm::StringRef text, mlir::MLIRContext &context);

/// Ends the process unless what `module` prints loads again.
void loadPrinted(mlir::ModuleOp module);

/// Runs what `add` adds on a copy of `module`. Ends the process unless that ends well, or with a
/// diagnostic.
void runPasses(mlir::ModuleOp module, llvm::function_ref<void(mlir::OpPassManager &)> add);

/// The phases `simplify` and `linalg` for the CPU, run in this way.
void lowerToLinalg(mlir::ModuleOp module);

} // namespace forge::fuzz

#endif // FORGE_FUZZ_LOWERING_H
