// The function of a module that is compiled, run or verified, and what it takes and returns.
#ifndef FORGE_EXECUTION_ENTRYFUNCTION_H
#define FORGE_EXECUTION_ENTRYFUNCTION_H

#include "forge/Support/Result.h"
#include "forge/Support/TensorSpec.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"

#include <optional>

namespace forge {

/// The function `name`; for an empty name "main", or else the only public function. Declarations do
/// not count. Errors: "module has no function 'f'".
Result<mlir::func::FuncOp> findEntry(mlir::ModuleOp module, llvm::StringRef name);

/// The signature of the function findEntry gives, in a module at any phase; of one in the LLVM
/// dialect, that of the packed form. What forge.signature records of a function counts. Fails if
/// there is no such function, if an argument or result is no tensor (or memref) of a known element
/// type, or if the record does not fit the function.
Result<FunctionSignature> signatureOf(mlir::ModuleOp module, llvm::StringRef name);

/// What forge.signature records of `function`, which has the signs of integers that lowering drops;
/// nothing if there is no such record, or none that fits.
std::optional<FunctionSignature> recordedSignature(mlir::func::FuncOp function);

} // namespace forge

#endif // FORGE_EXECUTION_ENTRYFUNCTION_H
