// triangular_solve and cholesky. No MLIR.
#ifndef FORGE_REFERENCE_LINEARSOLVE_H
#define FORGE_REFERENCE_LINEARSOLVE_H

#include "forge/Reference/Elements.h"

namespace forge::reference {

struct TriangularSolve {
  bool leftSide = true;
  /// Which triangle of `a` is read; the other one is taken as zeros.
  bool lower = true;
  /// The diagonal is taken as ones.
  bool unitDiagonal = false;
  /// Solve with the transpose of `a`.
  bool transpose = false;
};

/// x with a x = b (or x a = b), for each pair of matrices in a batch: a is [..., n, n], b [..., n,
/// m] (or [..., m, n]).
Result<HostTensor> triangularSolve(const HostTensor &a, const HostTensor &b,
                                   const TriangularSolve &how);

/// The lower triangular l with a = l l^T (or the upper u with a = u^T u) of each matrix in a batch;
/// only that triangle of `a` is read, the other one of the result is zero. NaN where `a` is not
/// positive definite.
Result<HostTensor> cholesky(const HostTensor &a, bool lower);

} // namespace forge::reference

#endif // FORGE_REFERENCE_LINEARSOLVE_H
