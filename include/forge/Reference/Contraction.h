// dot_general and ragged_dot. No MLIR.
#ifndef FORGE_REFERENCE_CONTRACTION_H
#define FORGE_REFERENCE_CONTRACTION_H

#include "forge/Reference/Elements.h"

namespace forge::reference {

/// Dimension numbers of dot_general.
struct DotDimensions {
  Dims lhsBatching, rhsBatching, lhsContracting, rhsContracting;
};

/// result[batch..., lhs..., rhs...] = sum over the contracting dimensions of lhs * rhs. Floats are
/// accumulated in double and rounded once to `resultType`; integers modulo 2^width; i1 as or of
/// ands.
Result<HostTensor> dotGeneral(const HostTensor &lhs, const HostTensor &rhs,
                              const DotDimensions &dimensions, DType resultType);

/// Beside those of dot_general.
struct RaggedDimensions {
  /// Of lhs; of rhs where it counts groups.
  int64_t lhsRagged, rhsGroup;
  /// Of lhs: with their index the groups change, where the sizes have more than one dimension.
  Dims lhsPrefix;
};

/// chlo.ragged_dot; `sizes` are those of the groups, [g] or [prefix..., g].
Result<HostTensor> raggedDot(const HostTensor &lhs, const HostTensor &rhs, const HostTensor &sizes,
                             const DotDimensions &dot, const RaggedDimensions &ragged,
                             DType resultType);

} // namespace forge::reference

#endif // FORGE_REFERENCE_CONTRACTION_H
