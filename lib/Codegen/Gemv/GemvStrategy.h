// Strategy "gemv": products of a few rows with a large matrix, bound by reading it.
#ifndef FORGE_LIB_CODEGEN_GEMV_GEMVSTRATEGY_H
#define FORGE_LIB_CODEGEN_GEMV_GEMVSTRATEGY_H

#include "forge/Codegen/Strategy.h"

namespace forge {

/// A block computes some columns of the result, its threads share their sums and read the matrix 16
/// bytes at a time, several accesses under way at once; what follows the product is computed on the
/// sums, in the same kernel.
///
/// Schedule: `n` columns of one block, `loads` from each of them that a thread has in flight, and
/// `threads` of a block. With the columns of the matrix side by side in memory `loads` is the rows
/// of it that a thread has in flight.
extern const Strategy gemvStrategy;

} // namespace forge

#endif // FORGE_LIB_CODEGEN_GEMV_GEMVSTRATEGY_H
