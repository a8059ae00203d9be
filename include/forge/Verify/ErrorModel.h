// The error model: how far apart two correct executions of a function may be. See docs/numerics.md.
#ifndef FORGE_VERIFY_ERRORMODEL_H
#define FORGE_VERIFY_ERRORMODEL_H

#include "forge/Verify/Compare.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace forge {

/// One tolerance per result of `function`, from its StableHLO body alone: the element types, the
/// number of rounding steps and the number of accumulated terms on the way to each result. Calls
/// are followed; a `while` counts its body as often as its trip count is known to be, else a fixed
/// allowance. Integer and truth-value results are exact unless a float decides them (an argmax, a
/// rounding): then they are still exact, and a note in `basis` says so.
std::vector<Tolerance> estimateTolerances(mlir::func::FuncOp function);

} // namespace forge

#endif // FORGE_VERIFY_ERRORMODEL_H
