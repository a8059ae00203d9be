// The step of a fold: what reductions, windows and scatters share. No MLIR.
#ifndef FORGE_LIB_REFERENCE_FOLD_H
#define FORGE_LIB_REFERENCE_FOLD_H

#include "forge/Reference/Reduce.h"

namespace forge::reference {

/// A tensor of `dims` for each initial value (rank 0), filled with it.
Result<std::vector<HostTensor>> accumulators(const std::vector<HostTensor> &inits,
                                             const Dims &dims);

/// results[at]... = body(results[at]..., values[from]...), places in row-major order.
Result<void> fold(std::vector<HostTensor> &results, int64_t at,
                  const std::vector<HostTensor> &values, int64_t from, const Body &body);

} // namespace forge::reference

#endif // FORGE_LIB_REFERENCE_FOLD_H
