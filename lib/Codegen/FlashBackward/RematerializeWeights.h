// Gradients of attention from weights that kernels compute again.
#ifndef FORGE_LIB_CODEGEN_FLASHBACKWARD_REMATERIALIZEWEIGHTS_H
#define FORGE_LIB_CODEGEN_FLASHBACKWARD_REMATERIALIZEWEIGHTS_H

#include "forge/Codegen/Target.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace forge {

/// Gradients of attention are sums of what follows from its weights. Where these are a softmax of
/// products of f16 or bf16, no matrix of them is kept:
///
/// 1. `lse = log(sum) + maximum` of each row, infinite where the sum is 0.
/// 2. The sum over keys of weights times their gradients is that over columns of the result times
///    its cotangent. A result that nothing computes is computed for it.
/// 3. The products, `exp(logit - lse)`, what gradients make of it, and the gradients, become two
///    clusters: one for those that are sums over keys, one for those that are sums over rows.
///
/// Nothing is changed where one of the clusters would be no kernel of strategy flash_backward.
void rematerializeWeights(mlir::func::FuncOp function, const GPUChip &chip);

} // namespace forge

#endif // FORGE_LIB_CODEGEN_FLASHBACKWARD_REMATERIALIZEWEIGHTS_H
