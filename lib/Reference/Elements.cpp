#include "forge/Reference/Elements.h"

#include "forge/Support/SmallFloat.h"

#include <algorithm>

using namespace forge;
using namespace forge::reference;

int64_t reference::wrapInteger(DType type, uint64_t value) {
  unsigned shift = 64 - bitWidth(type);
  value <<= shift;
  return isSignedInteger(type) ? static_cast<int64_t>(value) >> shift
                               : static_cast<int64_t>(value >> shift);
}

int64_t reference::getInteger(const HostTensor &tensor, int64_t index) {
  return wrapInteger(tensor.type(), tensor.getBits(index));
}

void reference::setInteger(HostTensor &tensor, int64_t index, uint64_t value) {
  tensor.setBits(index, static_cast<uint64_t>(wrapInteger(tensor.type(), value)));
}

double reference::roundToType(DType type, double value) {
  if (type == DType::F64)
    return value;
  if (type == DType::F32)
    return static_cast<float>(value);
  return decodeFloat(type, encodeFloat(type, value));
}

std::vector<double> reference::toDoubles(const HostTensor &tensor) {
  std::vector<double> values(static_cast<size_t>(tensor.numElements()));
  for (int64_t i = 0; i < tensor.numElements(); ++i)
    values[i] = tensor.getDouble(i);
  return values;
}

Result<HostTensor> reference::fromDoubles(DType type, Dims dims,
                                          const std::vector<double> &values) {
  Result<HostTensor> result = HostTensor::createUnset(type, std::move(dims));
  if (!result)
    return result;
  for (int64_t i = 0; i < result->numElements(); ++i)
    result->setDouble(i, values[i]);
  return result;
}

template <typename Width>
static void copyOfWidth(HostTensor &result, ElementRun to, const HostTensor &source,
                        ElementRun from, int64_t count) {
  char *target = result.dataAs<char>() + to.first * sizeof(Width);
  const char *taken = source.dataAs<char>() + from.first * sizeof(Width);
  if (to.step == 1 && from.step == 1) {
    std::memcpy(target, taken, static_cast<size_t>(count) * sizeof(Width));
    return;
  }
  for (int64_t i = 0; i < count; ++i)
    std::memcpy(target + i * to.step * sizeof(Width), taken + i * from.step * sizeof(Width),
                sizeof(Width));
}

void reference::copyElements(HostTensor &result, ElementRun to, const HostTensor &source,
                             ElementRun from, int64_t count) {
  switch (byteWidth(result.type())) {
  case 1:
    return copyOfWidth<uint8_t>(result, to, source, from, count);
  case 2:
    return copyOfWidth<uint16_t>(result, to, source, from, count);
  case 4:
    return copyOfWidth<uint32_t>(result, to, source, from, count);
  default:
    return copyOfWidth<uint64_t>(result, to, source, from, count);
  }
}

void reference::copyBox(HostTensor &result, const ElementBox &to, const HostTensor &source,
                        const ElementBox &from, const Dims &sizes) {
  if (contains(sizes, 0))
    return;
  if (sizes.empty())
    return copyElement(result, to.first, source, from.first);
  Dims rows = sizes, row(sizes.size(), 0);
  rows.back() = 1;
  do
    copyElements(result, {to.first + flatten(row, to.steps), to.steps.back()}, source,
                 {from.first + flatten(row, from.steps), from.steps.back()}, sizes.back());
  while (advance(row, rows));
}

HostTensor reference::scalarAt(const HostTensor &tensor, int64_t index) {
  Result<HostTensor> scalar = HostTensor::create(tensor.type(), {});
  if (!scalar)
    throw std::bad_alloc();
  copyElement(*scalar, 0, tensor, index);
  return std::move(*scalar);
}

Dims reference::stridesOf(const Dims &dims) {
  Dims strides(dims.size(), 1);
  for (size_t d = dims.size(); d-- > 1;)
    strides[d - 1] = strides[d] * dims[d];
  return strides;
}

int64_t reference::flatten(const Dims &index, const Dims &strides) {
  int64_t position = 0;
  for (size_t d = 0; d < index.size(); ++d)
    position += index[d] * strides[d];
  return position;
}

bool reference::advance(Dims &index, const Dims &dims) {
  for (size_t d = dims.size(); d-- > 0;) {
    if (++index[d] < dims[d])
      return true;
    index[d] = 0;
  }
  return false;
}

int64_t reference::product(const Dims &dims) {
  int64_t count = 1;
  for (int64_t dim : dims)
    count *= dim;
  return count;
}

bool reference::contains(const Dims &list, int64_t value) {
  return std::find(list.begin(), list.end(), value) != list.end();
}

Dims reference::otherDims(int64_t rank, const Dims &without) {
  Dims others;
  for (int64_t d = 0; d < rank; ++d)
    if (!contains(without, d))
      others.push_back(d);
  return others;
}

Dims reference::pick(const Dims &list, const Dims &positions) {
  Dims picked;
  for (int64_t position : positions)
    picked.push_back(list[position]);
  return picked;
}

std::string reference::dimsString(const Dims &dims) {
  std::string text = "[";
  for (size_t i = 0; i < dims.size(); ++i)
    text += (i ? ", " : "") + std::to_string(dims[i]);
  return text + "]";
}
