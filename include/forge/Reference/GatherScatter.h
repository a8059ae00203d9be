// gather and scatter. No MLIR.
#ifndef FORGE_REFERENCE_GATHERSCATTER_H
#define FORGE_REFERENCE_GATHERSCATTER_H

#include "forge/Reference/Reduce.h"

namespace forge::reference {

/// Dimension numbers of gather; those of scatter are the same with other names, given after the
/// slash.
struct GatherDimensions {
  Dims offset;          // offset_dims / update_window_dims
  Dims collapsed;       // collapsed_slice_dims / inserted_window_dims
  Dims operandBatching; // operand_batching_dims / input_batching_dims
  Dims indicesBatching; // start_indices_batching_dims / scatter_indices_batching_dims
  Dims startMap;        // start_index_map / scatter_dims_to_operand_dims
  int64_t indexVectorDim = 0;
};

/// Slices of `sliceSizes` out of `operand`, at starts clamped so that they lie inside.
Result<HostTensor> gather(const HostTensor &operand, const HostTensor &startIndices,
                          const GatherDimensions &dimensions, const Dims &sliceSizes);

/// `inputs` with result[i]... = body(result[i]..., update[u]...) for every update u, in row-major
/// order; updates that fall outside are left out. The body's results are stored as the inputs' type
/// after each step.
Result<std::vector<HostTensor>> scatter(const std::vector<HostTensor> &inputs,
                                        const HostTensor &scatterIndices,
                                        const std::vector<HostTensor> &updates,
                                        const GatherDimensions &dimensions, const Body &body);

} // namespace forge::reference

#endif // FORGE_REFERENCE_GATHERSCATTER_H
