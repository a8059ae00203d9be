// Tokens as arguments and results of a program.
#ifndef FORGE_LIB_IMPORT_TOKENS_H
#define FORGE_LIB_IMPORT_TOKENS_H

#include "mlir/IR/BuiltinOps.h"

namespace forge {

/// Tokens that public functions take and give become tensors of no booleans, as JAX keeps them
/// between programs: nothing outside of a program is ordered by them. Functions that are called
/// keep theirs.
void makeTokensTensors(mlir::ModuleOp module);

} // namespace forge

#endif // FORGE_LIB_IMPORT_TOKENS_H
