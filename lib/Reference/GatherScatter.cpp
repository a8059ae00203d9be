#include "forge/Reference/GatherScatter.h"

#include "Fold.h"

#include <algorithm>
#include <limits>

using namespace forge;
using namespace forge::reference;

namespace {
/// What gather and scatter share: from the position among the batch dimensions to where a slice
/// starts.
class StartFinder {
public:
  StartFinder(const HostTensor &indices, const GatherDimensions &dimensions, int64_t operandRank)
      : indices(indices), dimensions(dimensions), operandRank(operandRank),
        strides(stridesOf(indices.dims())) {}

  /// Shape of the batch dimensions: that of the indices without the index vector.
  Dims batchDims() const {
    return pick(indices.dims(), otherDims(indices.rank(), {dimensions.indexVectorDim}));
  }

  /// The start of the slice for `batchIndex`, not clamped, zero where the map says nothing.
  Dims start(const Dims &batchIndex) const {
    Dims position = batchIndex;
    bool hasVector = dimensions.indexVectorDim < indices.rank();
    if (hasVector)
      position.insert(position.begin() + dimensions.indexVectorDim, 0);
    Dims start(operandRank, 0);
    for (size_t k = 0; k < dimensions.startMap.size(); ++k) {
      if (hasVector)
        position[dimensions.indexVectorDim] = static_cast<int64_t>(k);
      start[dimensions.startMap[k]] = getIndex(flatten(position, strides));
    }
    return start;
  }

  /// The part of the position that batching dimensions contribute.
  Dims batching(const Dims &batchIndex) const {
    Dims index(operandRank, 0);
    for (size_t k = 0; k < dimensions.operandBatching.size(); ++k) {
      int64_t d = dimensions.indicesBatching[k];
      index[dimensions.operandBatching[k]] = batchIndex[d < dimensions.indexVectorDim ? d : d - 1];
    }
    return index;
  }

private:
  /// Unsigned indices beyond the signed range count as very large.
  int64_t getIndex(int64_t position) const {
    int64_t value = getInteger(indices, position);
    return isUnsignedInteger(indices.type()) && value < 0 ? std::numeric_limits<int64_t>::max()
                                                          : value;
  }

  const HostTensor &indices;
  const GatherDimensions &dimensions;
  int64_t operandRank;
  Dims strides;
};
} // namespace

static Result<void> check(const HostTensor &operand, const HostTensor &indices,
                          const GatherDimensions &dims) {
  auto inRange = [](const Dims &list, int64_t rank) {
    return std::all_of(list.begin(), list.end(), [&](int64_t d) { return d >= 0 && d < rank; });
  };
  int64_t vectorSize = dims.indexVectorDim >= 0 && dims.indexVectorDim < indices.rank()
                           ? indices.dims()[dims.indexVectorDim]
                           : 1;
  bool fits = !isFloat(indices.type()) && dims.indexVectorDim >= 0 &&
              dims.indexVectorDim <= indices.rank() &&
              static_cast<int64_t>(dims.startMap.size()) == vectorSize &&
              inRange(dims.startMap, operand.rank()) && inRange(dims.collapsed, operand.rank()) &&
              inRange(dims.operandBatching, operand.rank()) &&
              inRange(dims.indicesBatching, indices.rank()) &&
              dims.operandBatching.size() == dims.indicesBatching.size() &&
              static_cast<int64_t>(dims.offset.size() + dims.collapsed.size() +
                                   dims.operandBatching.size()) == operand.rank();
  if (!fits)
    return Error{"dimension numbers do not fit operand " + typeString(operand) + " and indices " +
                 typeString(indices)};
  return {};
}

/// The operand's dimensions that a slice or window extends over.
static Dims windowDims(int64_t rank, const GatherDimensions &dims) {
  Dims without = dims.collapsed;
  without.insert(without.end(), dims.operandBatching.begin(), dims.operandBatching.end());
  return otherDims(rank, without);
}

Result<HostTensor> reference::gather(const HostTensor &operand, const HostTensor &startIndices,
                                     const GatherDimensions &dims, const Dims &sliceSizes) {
  if (Result<void> ok = check(operand, startIndices, dims); !ok)
    return ok.error();
  int64_t rank = operand.rank();
  for (int64_t d = 0; d < rank; ++d)
    if (static_cast<int64_t>(sliceSizes.size()) != rank || sliceSizes[d] < 0 ||
        sliceSizes[d] > operand.dims()[d])
      return Error{"slice sizes " + dimsString(sliceSizes) + " do not fit " + typeString(operand)};
  StartFinder finder(startIndices, dims, rank);
  Dims window = windowDims(rank, dims), batchSizes = finder.batchDims();
  int64_t resultRank = static_cast<int64_t>(batchSizes.size() + window.size());
  Dims batchDims = otherDims(resultRank, dims.offset), resultDims(resultRank);
  if (batchDims.size() != batchSizes.size())
    return Error{"offset dimensions " + dimsString(dims.offset) + " do not fit a result of rank " +
                 std::to_string(resultRank)};
  for (size_t b = 0; b < batchDims.size(); ++b)
    resultDims[batchDims[b]] = batchSizes[b];
  for (size_t w = 0; w < window.size(); ++w)
    resultDims[dims.offset[w]] = sliceSizes[window[w]];
  Result<HostTensor> result = HostTensor::create(operand.type(), resultDims);
  if (!result || result->numElements() == 0)
    return result;
  Dims strides = stridesOf(operand.dims()), index(resultRank, 0);
  int64_t position = 0;
  do {
    Dims batchIndex = pick(index, batchDims), start = finder.start(batchIndex);
    for (int64_t d = 0; d < rank; ++d)
      start[d] = std::clamp<int64_t>(start[d], 0, operand.dims()[d] - sliceSizes[d]);
    int64_t from = flatten(start, strides) + flatten(finder.batching(batchIndex), strides);
    for (size_t w = 0; w < window.size(); ++w)
      from += index[dims.offset[w]] * strides[window[w]];
    copyElement(*result, position++, operand, from);
  } while (advance(index, resultDims));
  return result;
}

Result<std::vector<HostTensor>> reference::scatter(const std::vector<HostTensor> &inputs,
                                                   const HostTensor &scatterIndices,
                                                   const std::vector<HostTensor> &updates,
                                                   const GatherDimensions &dims, const Body &body) {
  if (inputs.empty() || inputs.size() != updates.size())
    return Error{"expected as many updates as inputs (" + std::to_string(inputs.size()) +
                 "), but got " + std::to_string(updates.size())};
  if (Result<void> ok = check(inputs[0], scatterIndices, dims); !ok)
    return ok.error();
  int64_t rank = inputs[0].rank();
  StartFinder finder(scatterIndices, dims, rank);
  Dims window = windowDims(rank, dims), updateDims = updates[0].dims();
  Dims scatterDims = otherDims(updates[0].rank(), dims.offset);
  if (pick(updateDims, scatterDims) != finder.batchDims())
    return Error{"updates " + typeString(updates[0]) + " do not fit indices " +
                 typeString(scatterIndices)};
  // How far a window extends along each dimension of the inputs.
  Dims extent(rank, 1), strides = stridesOf(inputs[0].dims()), index(updateDims.size(), 0);
  for (size_t w = 0; w < window.size(); ++w)
    extent[window[w]] = updateDims[dims.offset[w]];
  std::vector<HostTensor> results = inputs;
  for (int64_t u = 0; u < updates[0].numElements(); ++u, advance(index, updateDims)) {
    Dims batchIndex = pick(index, scatterDims), start = finder.start(batchIndex);
    Dims batching = finder.batching(batchIndex);
    bool inside = true;
    for (int64_t d = 0; d < rank; ++d) {
      start[d] += batching[d]; // one of the two is zero
      inside &= start[d] >= 0 && start[d] <= inputs[0].dims()[d] - extent[d];
    }
    if (!inside)
      continue;
    int64_t to = flatten(start, strides);
    for (size_t w = 0; w < window.size(); ++w)
      to += index[dims.offset[w]] * strides[window[w]];
    if (Result<void> ok = fold(results, to, updates, u, body); !ok)
      return ok.error();
  }
  return results;
}
