// What the fuzzers of modules do with one that loads.
#ifndef FORGE_FUZZ_LOWERING_H
#define FORGE_FUZZ_LOWERING_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Pass/PassManager.h"

namespace forge::fuzz {

/// A context with the dialects in `registry`, made anew from time to time: it keeps every type that
/// it has seen.
mlir::MLIRContext &freshContext(const mlir::DialectRegistry &registry);

/// Runs what `add` adds on a copy of `module`. Ends the process unless that ends well, or with a
/// diagnostic.
void runPasses(mlir::ModuleOp module, llvm::function_ref<void(mlir::OpPassManager &)> add);

/// The phases `simplify` and `linalg` for the CPU, run in this way.
void lowerToLinalg(mlir::ModuleOp module);

} // namespace forge::fuzz

#endif // FORGE_FUZZ_LOWERING_H
