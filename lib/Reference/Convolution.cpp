#include "forge/Reference/Convolution.h"

#include "ProductSum.h"

#include "forge/Reference/Reduce.h"

using namespace forge;
using namespace forge::reference;

namespace {
/// The sizes and strides the loops need, under plain names.
struct Plan {
  Dims resultDims, lhsStrides, rhsStrides, resultStrides, spatialResult, kernel;
  int64_t batches, groupBatches, features, groupFeatures, groupOutputs;
};
} // namespace

static Result<Plan> makePlan(const HostTensor &lhs, const HostTensor &rhs,
                             const ConvolutionDimensions &c) {
  size_t spatial = c.inputSpatial.size();
  if (lhs.rank() != static_cast<int64_t>(spatial) + 2 || rhs.rank() != lhs.rank() ||
      c.kernelSpatial.size() != spatial || c.outputSpatial.size() != spatial ||
      c.reversed.size() != spatial)
    return Error{"dimension numbers do not fit " + typeString(lhs) + " and " + typeString(rhs)};
  Plan plan;
  plan.kernel = pick(rhs.dims(), c.kernelSpatial);
  Dims input = pick(lhs.dims(), c.inputSpatial);
  for (size_t d = 0; d < spatial; ++d)
    if (plan.kernel[d] == 0)
      return Error{"cannot convolve with an empty kernel " + typeString(rhs)};
  Result<Dims> positions =
      windowedDims(input, {plan.kernel, c.strides, c.lhsDilation, c.rhsDilation, c.low, c.high});
  if (!positions)
    return positions.error();
  plan.spatialResult = *positions;
  plan.batches = lhs.dims()[c.inputBatch];
  plan.features = rhs.dims()[c.kernelOutputFeature];
  plan.groupFeatures = rhs.dims()[c.kernelInputFeature];
  if (c.featureGroups < 1 || c.batchGroups < 1 || plan.batches % c.batchGroups ||
      plan.features % (c.featureGroups * c.batchGroups) ||
      lhs.dims()[c.inputFeature] != plan.groupFeatures * c.featureGroups)
    return Error{"feature or batch groups do not divide " + typeString(lhs) + " and " +
                 typeString(rhs)};
  plan.groupBatches = plan.batches / c.batchGroups;
  plan.groupOutputs = plan.features / (c.featureGroups * c.batchGroups);
  plan.resultDims.assign(spatial + 2, 0);
  plan.resultDims[c.outputBatch] = plan.groupBatches;
  plan.resultDims[c.outputFeature] = plan.features;
  for (size_t d = 0; d < spatial; ++d)
    plan.resultDims[c.outputSpatial[d]] = plan.spatialResult[d];
  plan.lhsStrides = stridesOf(lhs.dims());
  plan.rhsStrides = stridesOf(rhs.dims());
  plan.resultStrides = stridesOf(plan.resultDims);
  return plan;
}

/// Where kernel element `tap` of the window at `place` lies: positions in lhs and rhs, features and
/// batch left out. False in the padding and in the gaps of lhs dilation.
static bool locate(const Plan &plan, const HostTensor &lhs, const ConvolutionDimensions &c,
                   const Dims &place, const Dims &tap, int64_t &left, int64_t &right) {
  left = right = 0;
  for (size_t d = 0; d < tap.size(); ++d) {
    // Reversing the window is reading the input backwards under an unmoved kernel.
    int64_t step = c.reversed[d] ? plan.kernel[d] - 1 - tap[d] : tap[d];
    int64_t padded = place[d] * c.strides[d] + step * c.rhsDilation[d] - c.low[d];
    if (padded < 0 || padded % c.lhsDilation[d] ||
        padded / c.lhsDilation[d] >= lhs.dims()[c.inputSpatial[d]])
      return false;
    left += padded / c.lhsDilation[d] * plan.lhsStrides[c.inputSpatial[d]];
    right += tap[d] * plan.rhsStrides[c.kernelSpatial[d]];
  }
  return true;
}

/// Positions in lhs and rhs of what the window at `place` multiplies, of the first input feature of
/// a group on: the same for each batch and output feature, from other positions on.
static void locateAll(const Plan &plan, const HostTensor &lhs, const ConvolutionDimensions &c,
                      const Dims &place, std::vector<int64_t> &left, std::vector<int64_t> &right) {
  left.clear();
  right.clear();
  Dims tap(plan.kernel.size(), 0);
  do {
    int64_t l, r;
    if (!locate(plan, lhs, c, place, tap, l, r))
      continue;
    for (int64_t f = 0; f < plan.groupFeatures; ++f) {
      left.push_back(l + f * plan.lhsStrides[c.inputFeature]);
      right.push_back(r + f * plan.rhsStrides[c.kernelInputFeature]);
    }
  } while (advance(tap, plan.kernel));
}

Result<HostTensor> reference::convolution(const HostTensor &lhs, const HostTensor &rhs,
                                          const ConvolutionDimensions &c, DType resultType) {
  // Integers may be multiplied to floats, as what they are converted to.
  if (isFloat(lhs.type()) != isFloat(rhs.type()) || (isFloat(lhs.type()) && !isFloat(resultType)))
    return Error{"cannot convolve " + typeString(lhs) + " and " + typeString(rhs) + " to " +
                 std::string(dtypeName(resultType))};
  Result<Plan> plan = makePlan(lhs, rhs, c);
  if (!plan)
    return plan.error();
  Result<HostTensor> result = HostTensor::create(resultType, plan->resultDims);
  if (!result || result->numElements() == 0)
    return result;
  ProductSum sum(lhs, rhs, resultType);
  std::vector<int64_t> left, right;
  Dims place(plan->spatialResult.size(), 0);
  do {
    int64_t spatialPosition = flatten(place, pick(plan->resultStrides, c.outputSpatial));
    locateAll(*plan, lhs, c, place, left, right);
    for (int64_t n = 0; n < plan->groupBatches; ++n)
      for (int64_t o = 0; o < plan->features; ++o) {
        // Output features come in groups: each reads its own input features, or its own part of the
        // batch.
        int64_t group = o / plan->groupOutputs;
        int64_t firstFeature = c.batchGroups > 1 ? 0 : group * plan->groupFeatures;
        int64_t batch = c.batchGroups > 1 ? group * plan->groupBatches + n : n;
        sum.addAll(batch * plan->lhsStrides[c.inputBatch] +
                       firstFeature * plan->lhsStrides[c.inputFeature],
                   left, o * plan->rhsStrides[c.kernelOutputFeature], right);
        sum.store(*result, spatialPosition + n * plan->resultStrides[c.outputBatch] +
                               o * plan->resultStrides[c.outputFeature]);
      }
  } while (advance(place, plan->spatialResult));
  return result;
}
