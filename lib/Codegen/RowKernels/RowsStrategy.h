// Strategy "rows": everything that shares a row space, in one pass over memory.
#ifndef FORGE_LIB_CODEGEN_ROWKERNELS_ROWSSTRATEGY_H
#define FORGE_LIB_CODEGEN_ROWKERNELS_ROWSSTRATEGY_H

#include "RowPlan.h"

#include "forge/Codegen/Strategy.h"

namespace forge {

/// Norms, softmax, residual sums, activations, reductions of rows, argmax: a few threads, a warp or
/// a block take a row, keep it in registers between its reductions, and read and write memory 16
/// bytes at a time.
///
/// Schedule: `vector` elements of one access, `loads` of each thread per row (0: a loop over the
/// row), `rows` of one block, `blocks` of one row, and `threads` of a block.
extern const Strategy rowsStrategy;

/// What plans of rows may use of `chip`.
RowPlanLimits rowLimitsOf(const GPUChip &chip);

} // namespace forge

#endif // FORGE_LIB_CODEGEN_ROWKERNELS_ROWSSTRATEGY_H
