// Softmax and norms along one dimension. No MLIR. Everything is computed in double and rounded
// once.
#ifndef FORGE_REFERENCE_NORMALIZATION_H
#define FORGE_REFERENCE_NORMALIZATION_H

#include "forge/Reference/Elements.h"

namespace forge::reference {

/// exp(x[i] - max) / sum_j exp(x[j] - max) along `dimension` of a float tensor of any shape. A row
/// with NaN or +inf, or of -inf alone, is NaN.
Result<HostTensor> softmax(const HostTensor &x, int64_t dimension);

/// x[i] - max - log(sum_j exp(x[j] - max)) along `dimension`.
Result<HostTensor> logSoftmax(const HostTensor &x, int64_t dimension);

/// (x[i] - mean) / sqrt(var + epsilon) * scale[i] + shift[i] along the last dimension, with the
/// biased variance (Ba et al., Layer Normalization, 2016). `scale` and `shift` have the shape [N];
/// null is one and zero.
Result<HostTensor> layerNorm(const HostTensor &x, const HostTensor *scale, const HostTensor *shift,
                             double epsilon);

/// x[i] / sqrt(mean of squares + epsilon) * scale[i] along the last dimension (Zhang and Sennrich,
/// Root Mean Square Layer Normalization, 2019); the factor is 1 + scale[i] with `unitOffset`. A
/// null `scale` is one.
Result<HostTensor> rmsNorm(const HostTensor &x, const HostTensor *scale, double epsilon,
                           bool unitOffset);

} // namespace forge::reference

#endif // FORGE_REFERENCE_NORMALIZATION_H
