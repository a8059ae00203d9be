#include "forge/Support/HostTensor.h"

#include "forge/Support/LargeBlocks.h"
#include "forge/Support/SmallFloat.h"

#include <bit>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <new>

using namespace forge;

void HostTensor::Free::operator()(void *pointer) const {
  if (!releaseLargeBlock(pointer))
    std::free(pointer);
}

/// False if there is not as much.
bool HostTensor::takeMemory(size_t bytes) {
  constexpr size_t kAlignmentOfMalloc = alignof(std::max_align_t);
  storage.reset(bytes < kLargeBlock ? std::malloc(bytes + kAlignment - kAlignmentOfMalloc)
                                    : takeLargeBlock(bytes));
  return storage != nullptr;
}

Result<HostTensor> HostTensor::create(DType type, std::vector<int64_t> dims) {
  Result<HostTensor> tensor = createUnset(type, std::move(dims));
  if (tensor)
    std::memset(tensor->data(), 0, tensor->numBytes());
  return tensor;
}

Result<HostTensor> HostTensor::createUnset(DType type, std::vector<int64_t> dims) {
  HostTensor tensor;
  int64_t count = 1;
  bool empty = false;
  for (int64_t dim : dims) {
    if (dim < 0)
      return Error{"negative dimension in " + typeString(type, dims)};
    if (dim == 0)
      empty = true;
    else if (count > std::numeric_limits<int64_t>::max() / dim)
      return Error{"size of " + typeString(type, dims) + " does not fit 64 bits"};
    else
      count *= dim;
  }
  tensor.count = empty ? 0 : count;
  constexpr size_t maxBytes = std::numeric_limits<int64_t>::max() - kAlignment;
  if (static_cast<size_t>(tensor.count) > maxBytes / byteWidth(type))
    return Error{"size of " + typeString(type, dims) + " does not fit 64 bits"};
  tensor.elementType = type;
  tensor.shape = std::move(dims);
  size_t bytes = (tensor.numBytes() / kAlignment + 1) * kAlignment;
  if (!tensor.takeMemory(bytes))
    return Error{"out of memory: " + typeString(tensor) + " takes " + std::to_string(bytes) +
                 " bytes"};
  // The bytes behind the last element.
  size_t used = tensor.numBytes();
  std::memset(static_cast<char *>(tensor.data()) + used, 0, bytes - used);
  return tensor;
}

HostTensor::HostTensor(const HostTensor &other)
    : elementType(other.elementType), shape(other.shape), count(other.count) {
  if (!other.storage)
    return;
  size_t bytes = (numBytes() / kAlignment + 1) * kAlignment;
  if (!takeMemory(bytes))
    throw std::bad_alloc();
  std::memcpy(data(), other.data(), numBytes());
}

HostTensor &HostTensor::operator=(const HostTensor &other) { return *this = HostTensor(other); }

/// A width that the compiler knows makes a copy one move. Elements are of other types than `Width`,
/// so they are copied, not read as it.
template <typename Width> static uint64_t bitsAt(const void *data, int64_t index) {
  Width bits;
  std::memcpy(&bits, static_cast<const char *>(data) + index * sizeof(Width), sizeof(Width));
  return bits;
}
template <typename Width> static void setBitsAt(void *data, int64_t index, uint64_t bits) {
  auto narrow = static_cast<Width>(bits);
  std::memcpy(static_cast<char *>(data) + index * sizeof(Width), &narrow, sizeof(Width));
}

uint64_t HostTensor::getBits(int64_t index) const {
  switch (byteWidth(elementType)) {
  case 1:
    return bitsAt<uint8_t>(data(), index);
  case 2:
    return bitsAt<uint16_t>(data(), index);
  case 4:
    return bitsAt<uint32_t>(data(), index);
  default:
    return bitsAt<uint64_t>(data(), index);
  }
}

void HostTensor::setBits(int64_t index, uint64_t bits) {
  switch (byteWidth(elementType)) {
  case 1:
    return setBitsAt<uint8_t>(data(), index, bits);
  case 2:
    return setBitsAt<uint16_t>(data(), index, bits);
  case 4:
    return setBitsAt<uint32_t>(data(), index, bits);
  default:
    return setBitsAt<uint64_t>(data(), index, bits);
  }
}

double HostTensor::decoded(int64_t index) const {
  if (elementType == DType::BF16)
    return std::bit_cast<float>(static_cast<uint32_t>(bitsAt<uint16_t>(data(), index)) << 16);
  uint64_t bits = getBits(index);
  if (isFloat(elementType))
    return decodeFloat(elementType, bits);
  if (!isSignedInteger(elementType))
    return static_cast<double>(bits);
  int shift = 64 - static_cast<int>(byteWidth(elementType)) * 8;
  return static_cast<double>(static_cast<int64_t>(bits << shift) >> shift);
}

void HostTensor::encode(int64_t index, double value) {
  if (isFloat(elementType))
    setBits(index, encodeFloat(elementType, value));
  else if (elementType == DType::I1)
    setBits(index, value != 0);
  else if (isSignedInteger(elementType))
    setBits(index, static_cast<uint64_t>(static_cast<int64_t>(value)));
  else
    setBits(index, static_cast<uint64_t>(value));
}

std::string forge::typeString(DType type, const std::vector<int64_t> &dims) {
  std::string text = "tensor<";
  for (int64_t dim : dims)
    text += std::to_string(dim) + "x";
  return text + std::string(dtypeName(type)) + ">";
}
