// dot_general. No MLIR.
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

} // namespace forge::reference

#endif // FORGE_REFERENCE_CONTRACTION_H
