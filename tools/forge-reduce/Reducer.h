// Makes a module smaller while a test still finds it interesting.
#ifndef FORGE_TOOLS_REDUCE_REDUCER_H
#define FORGE_TOOLS_REDUCE_REDUCER_H

#include "forge/Support/Result.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

#include <functional>

namespace forge::reduce {

/// Whether a module, which verifies, is interesting; an error ends the reduction.
using Test = std::function<Result<bool>(mlir::ModuleOp)>;
/// Told what each step that was kept has done: "dropped 12 operations, 30 are left".
using Progress = std::function<void(const std::string &)>;

/// Operations in `module`, terminators included, itself not.
size_t countOperations(mlir::ModuleOp module);

/// Replaces `module`, which is interesting, by a smaller one that is too, in rounds until none of
/// these makes it smaller:
///  1. functions and other symbols without users are dropped;
///  2. results of functions without callers are dropped, or become an operand of what computes
///  them;
///  3. runs of operations are dropped, long runs first (delta debugging, Zeller and Hildebrandt
///     2002); users of a dropped result get an operand of its type, else zeros;
///  4. arguments without users, of functions without callers, are dropped.
/// After every step what is dead is erased. MLIR's own -reduction-tree drops only operations
/// without users and their functions, so that it leaves chains whole.
Result<void> reduce(mlir::OwningOpRef<mlir::ModuleOp> &module, const Test &test,
                    const Progress &progress);

} // namespace forge::reduce

#endif // FORGE_TOOLS_REDUCE_REDUCER_H
