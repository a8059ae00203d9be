// StableHLO reductions over dimensions and windows. No MLIR.
#ifndef FORGE_REFERENCE_REDUCE_H
#define FORGE_REFERENCE_REDUCE_H

#include "forge/Reference/Elementwise.h"
#include "forge/Reference/Shape.h"

#include <functional>

namespace forge::reference {

/// A region over scalars: takes and gives rank-0 tensors.
using Body = std::function<Result<std::vector<HostTensor>>(const std::vector<HostTensor> &)>;

/// Windows over a tensor, one entry per dimension. `low` and `high` may be negative.
struct Window {
  Dims sizes, strides, baseDilations, windowDilations, low, high;
  /// All strides and dilations 1, no padding.
  static Window of(Dims sizes);
};

/// The number of window positions per dimension.
Result<Dims> windowedDims(const Dims &inputDims, const Window &window);

/// Folds N inputs of one shape along `dimensions`, in row-major order: acc = body(acc...,
/// element...), from `inits`.
Result<std::vector<HostTensor>> reduce(const std::vector<HostTensor> &inputs,
                                       const std::vector<HostTensor> &inits, const Dims &dimensions,
                                       const Body &body);

/// The same with a single op for a body. Floats are accumulated in double and rounded once, at the
/// end.
Result<HostTensor> reduce(const HostTensor &input, const HostTensor &init, const Dims &dimensions,
                          BinaryOp op, DType resultType);

/// Folds every window; padding and the gaps of base dilation count as `inits`.
Result<std::vector<HostTensor>> reduceWindow(const std::vector<HostTensor> &inputs,
                                             const std::vector<HostTensor> &inits,
                                             const Window &window, const Body &body);
Result<HostTensor> reduceWindow(const HostTensor &input, const HostTensor &init,
                                const Window &window, BinaryOp op, DType resultType);

/// Per window of `operand`, `select` (gives i1; true keeps the left one) picks an element; the
/// window's element of `source` is folded into the result there with `scatter`, starting from
/// `init`.
Result<HostTensor> selectAndScatter(const HostTensor &operand, const HostTensor &source,
                                    const HostTensor &init, const Window &window,
                                    const Body &select, const Body &scatter);

/// body(operand[i]...) for every i.
Result<HostTensor> map(const std::vector<HostTensor> &operands, DType resultType, const Body &body);

} // namespace forge::reference

#endif // FORGE_REFERENCE_REDUCE_H
