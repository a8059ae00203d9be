// The function of a module that is compiled, run or verified, and what it takes and returns.
#ifndef FORGE_EXECUTION_ENTRYFUNCTION_H
#define FORGE_EXECUTION_ENTRYFUNCTION_H

#include "forge/Support/Result.h"
#include "forge/Support/TensorSpec.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"

namespace forge {

/// The function `name`; for an empty name "main", or else the only public function. Declarations do
/// not count. Errors: "module has no function 'f'".
Result<mlir::func::FuncOp> findEntry(mlir::ModuleOp module, llvm::StringRef name);

/// The signature of the function findEntry gives, in a module at any phase before bufferize. Fails
/// if there is no such function, or if an argument or result is no tensor of a known element type.
Result<FunctionSignature> signatureOf(mlir::ModuleOp module, llvm::StringRef name);

} // namespace forge

#endif // FORGE_EXECUTION_ENTRYFUNCTION_H
