// How much of its weights a step of decoding reads.
#ifndef FORGE_LIB_GENERATE_COMPILER_WEIGHTREADS_H
#define FORGE_LIB_GENERATE_COMPILER_WEIGHTREADS_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace forge {

/// Bytes that a run of `function` reads of an argument: of a table the rows that are looked up, of
/// experts' matrices at most one for each row that is sent to them, of all others everything. All
/// sizes are static.
uint64_t bytesRead(mlir::BlockArgument argument);

} // namespace forge

#endif // FORGE_LIB_GENERATE_COMPILER_WEIGHTREADS_H
