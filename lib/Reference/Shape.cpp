#include "forge/Reference/Shape.h"

#include <algorithm>

using namespace forge;
using namespace forge::reference;

/// A tensor of `dims` with what `box` is in `operand`.
static Result<HostTensor> taken(const HostTensor &operand, const ElementBox &box,
                                const Dims &dims) {
  Result<HostTensor> result = HostTensor::createUnset(operand.type(), dims);
  if (result)
    copyBox(*result, {0, stridesOf(dims)}, operand, box, dims);
  return result;
}

Result<HostTensor> reference::broadcastInDim(const HostTensor &operand, const Dims &broadcastDims,
                                             const Dims &resultDims) {
  if (static_cast<int64_t>(broadcastDims.size()) != operand.rank())
    return Error{"expected " + std::to_string(operand.rank()) + " broadcast dimensions, but got " +
                 std::to_string(broadcastDims.size())};
  Dims strides = stridesOf(operand.dims()), steps(resultDims.size(), 0);
  for (size_t d = 0; d < broadcastDims.size(); ++d) {
    int64_t to = broadcastDims[d], size = operand.dims()[d];
    if (to < 0 || to >= static_cast<int64_t>(resultDims.size()))
      return Error{"broadcast dimension " + std::to_string(to) + " is not below " +
                   std::to_string(resultDims.size())};
    if (size != 1 && size != resultDims[to])
      return Error{"cannot broadcast dimension " + std::to_string(d) + " of " +
                   typeString(operand) + " to size " + std::to_string(resultDims[to])};
    steps[to] = size == 1 ? 0 : strides[d];
  }
  return taken(operand, {0, std::move(steps)}, resultDims);
}

Result<HostTensor> reference::reshape(const HostTensor &operand, const Dims &resultDims) {
  Result<HostTensor> result = HostTensor::createUnset(operand.type(), resultDims);
  if (!result)
    return result;
  if (result->numElements() != operand.numElements())
    return Error{"cannot reshape " + typeString(operand) + " to " + typeString(*result)};
  std::copy_n(operand.dataAs<char>(), operand.numBytes(), result->dataAs<char>());
  return result;
}

Result<HostTensor> reference::transpose(const HostTensor &operand, const Dims &permutation) {
  Dims sorted = permutation;
  std::sort(sorted.begin(), sorted.end());
  if (sorted != otherDims(operand.rank(), {}))
    return Error{dimsString(permutation) + " is no permutation of the dimensions of " +
                 typeString(operand)};
  Dims steps = pick(stridesOf(operand.dims()), permutation),
       dims = pick(operand.dims(), permutation);
  return taken(operand, {0, std::move(steps)}, dims);
}

Result<HostTensor> reference::slice(const HostTensor &operand, const Dims &start, const Dims &limit,
                                    const Dims &strides) {
  size_t rank = operand.dims().size();
  if (start.size() != rank || limit.size() != rank || strides.size() != rank)
    return Error{"expected " + std::to_string(rank) + " slice bounds"};
  Dims dims(rank), steps = stridesOf(operand.dims());
  int64_t first = flatten(start, steps);
  for (size_t d = 0; d < rank; ++d) {
    if (start[d] < 0 || start[d] > limit[d] || limit[d] > operand.dims()[d] || strides[d] < 1)
      return Error{"slice " + std::to_string(start[d]) + ":" + std::to_string(limit[d]) + ":" +
                   std::to_string(strides[d]) + " does not fit dimension " + std::to_string(d) +
                   " of " + typeString(operand)};
    dims[d] = (limit[d] - start[d]) / strides[d] + ((limit[d] - start[d]) % strides[d] != 0);
    steps[d] *= dims[d] > 1 ? strides[d]
                            : 1; // a stride is never taken in a dimension of 1, and may be huge
  }
  return taken(operand, {first, std::move(steps)}, dims);
}

/// Moves `start` so that a window of `sizes` is inside `dims`.
static Result<Dims> clampStart(const HostTensor &operand, const Dims &start, const Dims &sizes) {
  size_t rank = operand.dims().size();
  if (start.size() != rank || sizes.size() != rank)
    return Error{"expected " + std::to_string(rank) + " start indices and sizes for " +
                 typeString(operand)};
  Dims inside(rank);
  for (size_t d = 0; d < rank; ++d) {
    if (sizes[d] < 0 || sizes[d] > operand.dims()[d])
      return Error{"slice size " + std::to_string(sizes[d]) + " does not fit dimension " +
                   std::to_string(d) + " of " + typeString(operand)};
    inside[d] = std::clamp<int64_t>(start[d], 0, operand.dims()[d] - sizes[d]);
  }
  return inside;
}

Result<HostTensor> reference::dynamicSlice(const HostTensor &operand, const Dims &start,
                                           const Dims &sizes) {
  Result<Dims> inside = clampStart(operand, start, sizes);
  if (!inside)
    return inside.error();
  Dims limit = *inside;
  for (size_t d = 0; d < limit.size(); ++d)
    limit[d] += sizes[d];
  return slice(operand, *inside, limit, Dims(sizes.size(), 1));
}

Result<HostTensor> reference::dynamicUpdateSlice(const HostTensor &operand,
                                                 const HostTensor &update, const Dims &start) {
  if (operand.type() != update.type())
    return Error{"expected an update of " + typeString(operand) + ", but got " +
                 typeString(update)};
  Result<Dims> inside = clampStart(operand, start, update.dims());
  if (!inside)
    return inside.error();
  HostTensor result = operand;
  Dims strides = stridesOf(operand.dims());
  int64_t first = flatten(*inside, strides);
  copyBox(result, {first, std::move(strides)}, update, {0, stridesOf(update.dims())},
          update.dims());
  return result;
}

Result<HostTensor> reference::insertSlice(const HostTensor &operand, const HostTensor &update,
                                          const Dims &start, const Dims &strides) {
  size_t rank = operand.dims().size();
  if (operand.type() != update.type() || update.dims().size() != rank || start.size() != rank ||
      strides.size() != rank)
    return Error{"cannot insert " + typeString(update) + " into " + typeString(operand)};
  HostTensor result = operand;
  if (update.numElements() == 0)
    return result;
  Dims steps = stridesOf(operand.dims());
  int64_t first = flatten(start, steps);
  for (size_t d = 0; d < rank; ++d) {
    int64_t last = start[d] + (update.dims()[d] - 1) * strides[d];
    if (std::min(start[d], last) < 0 || std::max(start[d], last) >= operand.dims()[d])
      return Error{typeString(update) + " does not fit dimension " + std::to_string(d) + " of " +
                   typeString(operand)};
    steps[d] *= strides[d];
  }
  copyBox(result, {first, std::move(steps)}, update, {0, stridesOf(update.dims())}, update.dims());
  return result;
}

Result<HostTensor> reference::concatenate(const std::vector<HostTensor> &operands,
                                          int64_t dimension) {
  if (operands.empty() || dimension < 0 || dimension >= operands[0].rank())
    return Error{"concatenate has no operands or no dimension " + std::to_string(dimension)};
  Dims dims = operands[0].dims();
  int64_t total = 0;
  for (const HostTensor &operand : operands) {
    if (operand.rank() == operands[0].rank())
      dims[dimension] = operand.dims()[dimension];
    if (operand.type() != operands[0].type() || operand.dims() != dims)
      return Error{"cannot concatenate " + typeString(operands[0]) + " and " + typeString(operand) +
                   " along dimension " + std::to_string(dimension)};
    total += dims[dimension];
  }
  dims[dimension] = total;
  Result<HostTensor> result = HostTensor::create(operands[0].type(), dims);
  if (!result)
    return result;
  Dims strides = stridesOf(dims);
  int64_t offset = 0;
  for (const HostTensor &operand : operands) {
    copyBox(*result, {offset * strides[dimension], strides}, operand,
            {0, stridesOf(operand.dims())}, operand.dims());
    offset += operand.dims()[dimension];
  }
  return result;
}

Result<Dims> reference::paddedDims(const Dims &dims, const Dims &low, const Dims &high,
                                   const Dims &interior) {
  if (low.size() != dims.size() || high.size() != dims.size() || interior.size() != dims.size())
    return Error{"expected " + std::to_string(dims.size()) + " padding entries"};
  Dims padded(dims.size());
  for (size_t d = 0; d < dims.size(); ++d) {
    int64_t gaps, size = dims[d];
    bool overflow = __builtin_mul_overflow(std::max<int64_t>(size - 1, 0), interior[d], &gaps) ||
                    __builtin_add_overflow(size, gaps, &size) ||
                    __builtin_add_overflow(size, low[d], &size) ||
                    __builtin_add_overflow(size, high[d], &size);
    if (overflow || size < 0 || interior[d] < 0)
      return Error{"padding " + std::to_string(low[d]) + ", " + std::to_string(high[d]) + ", " +
                   std::to_string(interior[d]) + " gives dimension " + std::to_string(d) +
                   " of size " + std::to_string(dims[d]) + " an invalid size"};
    padded[d] = size;
  }
  return padded;
}

Result<HostTensor> reference::pad(const HostTensor &operand, const HostTensor &value,
                                  const Dims &low, const Dims &high, const Dims &interior) {
  if (value.type() != operand.type() || value.rank() != 0)
    return Error{"expected a scalar padding value for " + typeString(operand) + ", but got " +
                 typeString(value)};
  Result<Dims> dims = paddedDims(operand.dims(), low, high, interior);
  if (!dims)
    return dims.error();
  Result<HostTensor> result = HostTensor::create(operand.type(), *dims);
  if (!result)
    return result;
  copyElements(*result, {0, 1}, value, {0, 0}, result->numElements());
  Dims strides = stridesOf(*dims), index(dims->size(), 0), target(dims->size());
  for (int64_t i = 0; i < operand.numElements(); ++i, advance(index, operand.dims())) {
    bool inside = true;
    for (size_t d = 0; d < index.size(); ++d) {
      target[d] = low[d] + index[d] * (interior[d] + 1);
      inside &= target[d] >= 0 && target[d] < (*dims)[d];
    }
    if (inside)
      copyElement(*result, flatten(target, strides), operand, i);
  }
  return result;
}

Result<HostTensor> reference::reverse(const HostTensor &operand, const Dims &dimensions) {
  ElementBox mirrored{0, stridesOf(operand.dims())};
  for (int64_t d = 0; d < operand.rank(); ++d)
    if (contains(dimensions, d)) {
      mirrored.first += (operand.dims()[d] - 1) * mirrored.steps[d];
      mirrored.steps[d] = -mirrored.steps[d];
    }
  return taken(operand, mirrored, operand.dims());
}

Result<HostTensor> reference::iota(DType type, const Dims &resultDims, int64_t dimension) {
  if (dimension < 0 || dimension >= static_cast<int64_t>(resultDims.size()))
    return Error{"iota has no dimension " + std::to_string(dimension)};
  Result<HostTensor> result = HostTensor::create(type, resultDims);
  if (!result)
    return result;
  Dims index(resultDims.size(), 0);
  for (int64_t i = 0; i < result->numElements(); ++i, advance(index, resultDims)) {
    if (isFloat(type))
      result->setDouble(i, static_cast<double>(index[dimension]));
    else
      setInteger(*result, i, static_cast<uint64_t>(index[dimension]));
  }
  return result;
}
