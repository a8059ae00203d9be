// convolution. No MLIR.
#ifndef FORGE_REFERENCE_CONVOLUTION_H
#define FORGE_REFERENCE_CONVOLUTION_H

#include "forge/Reference/Elements.h"

namespace forge::reference {

/// The attributes of stablehlo.convolution, under the specification's names.
struct ConvolutionDimensions {
  int64_t inputBatch = 0, inputFeature = 0;
  int64_t kernelInputFeature = 0, kernelOutputFeature = 0;
  int64_t outputBatch = 0, outputFeature = 0;
  Dims inputSpatial, kernelSpatial, outputSpatial;
  /// One entry per spatial dimension.
  Dims strides, low, high, lhsDilation, rhsDilation;
  std::vector<bool> reversed;
  int64_t featureGroups = 1, batchGroups = 1;
};

/// Accumulates like dotGeneral.
Result<HostTensor> convolution(const HostTensor &lhs, const HostTensor &rhs,
                               const ConvolutionDimensions &dimensions, DType resultType);

} // namespace forge::reference

#endif // FORGE_REFERENCE_CONVOLUTION_H
