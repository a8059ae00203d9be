// Batch normalisation. No MLIR.
#ifndef FORGE_REFERENCE_BATCHNORM_H
#define FORGE_REFERENCE_BATCHNORM_H

#include "forge/Reference/Elements.h"

namespace forge::reference {

// Statistics and parameters are [n], n the operand's size along `feature`; all are of the operand's
// type. The variance is the biased one, over the number of elements per feature.

/// (operand - mean) / sqrt(variance + epsilon) * scale + offset.
Result<HostTensor> batchNormInference(const HostTensor &operand, const HostTensor &scale,
                                      const HostTensor &offset, const HostTensor &mean,
                                      const HostTensor &variance, double epsilon, int64_t feature);

/// The normalised operand, the mean and the variance.
Result<std::vector<HostTensor>> batchNormTraining(const HostTensor &operand,
                                                  const HostTensor &scale, const HostTensor &offset,
                                                  double epsilon, int64_t feature);

/// The gradients of operand, scale and offset.
Result<std::vector<HostTensor>> batchNormGrad(const HostTensor &operand, const HostTensor &scale,
                                              const HostTensor &mean, const HostTensor &variance,
                                              const HostTensor &gradient, double epsilon,
                                              int64_t feature);

} // namespace forge::reference

#endif // FORGE_REFERENCE_BATCHNORM_H
