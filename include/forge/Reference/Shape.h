// StableHLO ops that move elements without changing them. No MLIR.
#ifndef FORGE_REFERENCE_SHAPE_H
#define FORGE_REFERENCE_SHAPE_H

#include "forge/Reference/Elements.h"

namespace forge::reference {

/// result[i] = operand[i[broadcastDims...]], with index 0 where the operand's size is 1.
Result<HostTensor> broadcastInDim(const HostTensor &operand, const Dims &broadcastDims,
                                  const Dims &resultDims);
Result<HostTensor> reshape(const HostTensor &operand, const Dims &resultDims);
/// Dimension d of the result is dimension permutation[d] of the operand.
Result<HostTensor> transpose(const HostTensor &operand, const Dims &permutation);
/// Elements start, start + stride, … below limit, per dimension.
Result<HostTensor> slice(const HostTensor &operand, const Dims &start, const Dims &limit,
                         const Dims &strides);
/// A slice of `sizes` at `start`, moved so that it is inside.
Result<HostTensor> dynamicSlice(const HostTensor &operand, const Dims &start, const Dims &sizes);
/// `operand` with `update` written at `start`, moved so that it is inside.
Result<HostTensor> dynamicUpdateSlice(const HostTensor &operand, const HostTensor &update,
                                      const Dims &start);
/// `operand` with element i of `update` written at start + i * strides, all of which must lie inside.
Result<HostTensor> insertSlice(const HostTensor &operand, const HostTensor &update,
                               const Dims &start, const Dims &strides);
Result<HostTensor> concatenate(const std::vector<HostTensor> &operands, int64_t dimension);
/// Interior padding first, then `low` and `high`, which cut off where negative.
Result<HostTensor> pad(const HostTensor &operand, const HostTensor &value, const Dims &low,
                       const Dims &high, const Dims &interior);
/// The shape that pad gives; fails on sizes that do not fit 64 bits and on negative ones.
Result<Dims> paddedDims(const Dims &dims, const Dims &low, const Dims &high, const Dims &interior);
Result<HostTensor> reverse(const HostTensor &operand, const Dims &dimensions);
/// 0, 1, 2, … along `dimension`.
Result<HostTensor> iota(DType type, const Dims &resultDims, int64_t dimension);

} // namespace forge::reference

#endif // FORGE_REFERENCE_SHAPE_H
