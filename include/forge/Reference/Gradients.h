// Gradients of activations, embedding, softmax and norms. No MLIR. Everything is computed in double
// and rounded once. A cotangent holds the derivative of some loss by each element of a result; a
// gradient, by each element of an operand.
#ifndef FORGE_REFERENCE_GRADIENTS_H
#define FORGE_REFERENCE_GRADIENTS_H

#include "forge/Reference/Activation.h"

namespace forge::reference {

/// The derivative of the activation at one point; 0 at 0 for both relus, the limit at infinities.
double activationSlope(Activation kind, double x);

/// cotangent[i] * f'(x[i]), both of one type and shape.
Result<HostTensor> activationGrad(Activation kind, const HostTensor &cotangent,
                                  const HostTensor &x);

/// The gradient [V, D] of the table of an embedding: row v is the sum of the rows of `cotangent`
/// [ids..., D] whose id, clamped to [0, V - 1], is v.
Result<HostTensor> embeddingGrad(const HostTensor &cotangent, const HostTensor &ids, int64_t rows);

/// The sum over `dimensions`; they go from the shape.
Result<HostTensor> sum(const HostTensor &x, const Dims &dimensions);

/// For rows [T, M] and [T, N] in groups of the sizes `groups` [E], held inside the rows there are:
/// per group the sum of lhs[t, :]^T rhs[t, :], [E, M, N]. With `offsets`, group e has the rows from
/// groups[e] to groups[e + 1], [E + 1], and a row counts for the last group that holds it. The
/// gradient of grouped_matmul's matrices.
Result<HostTensor> groupedOuter(const HostTensor &lhs, const HostTensor &rhs,
                                const HostTensor &groups, bool offsets = false);

/// p[i] * (cotangent[i] - sum_j cotangent[j] * p[j]) along `dimension`, for the weights `p` that
/// softmax gave.
Result<HostTensor> softmaxGrad(const HostTensor &cotangent, const HostTensor &p, int64_t dimension);

/// cotangent[i] - exp(l[i]) * sum_j cotangent[j] along `dimension`, for the logarithms `l` that
/// log_softmax gave.
Result<HostTensor> logSoftmaxGrad(const HostTensor &cotangent, const HostTensor &l,
                                  int64_t dimension);

/// The gradients of x [..., N], of the scale [N] and, for layer_norm, of the shift [N]. `scale` is
/// null for one.
Result<std::vector<HostTensor>> layerNormGrad(const HostTensor &cotangent, const HostTensor &x,
                                              const HostTensor *scale, double epsilon);
Result<std::vector<HostTensor>> rmsNormGrad(const HostTensor &cotangent, const HostTensor &x,
                                            const HostTensor *scale, double epsilon,
                                            bool unitOffset);

} // namespace forge::reference

#endif // FORGE_REFERENCE_GRADIENTS_H
