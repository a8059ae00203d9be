// What an imported function's arguments are.
#ifndef FORGE_LIB_GENERATE_COMPILER_TAKEWEIGHTS_H
#define FORGE_LIB_GENERATE_COMPILER_TAKEWEIGHTS_H

#include "forge/Support/ModuleSignature.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace forge {

/// Weights of a function that importDecoder has built, which become plain arguments, and names of
/// the others; of the signature only these.
Result<ModuleSignature> takeWeights(mlir::func::FuncOp function);

} // namespace forge

#endif // FORGE_LIB_GENERATE_COMPILER_TAKEWEIGHTS_H
