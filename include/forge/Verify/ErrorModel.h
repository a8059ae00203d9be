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

/// Adds to the tolerances what `function` makes of rounding errors on these inputs: the reference
/// is run once rounding after every op, with the terms of sums moved by half a unit in the last
/// place, and once in double; what they differ by is allowed, times 8 (times 2 where types narrower
/// than f32 are computed in). This is for results that are nothing but cancelled terms, whose own
/// magnitude says nothing about their error (the gradient of a bias that softmax takes out again).
/// Costs two executions by the interpreter; leaves the tolerances as they are where it cannot run.
void widenTolerances(std::vector<Tolerance> &tolerances, mlir::func::FuncOp function,
                     const std::vector<HostTensor> &inputs);

} // namespace forge

#endif // FORGE_VERIFY_ERRORMODEL_H
