#include "forge/Support/TensorSource.h"

#include "forge/Support/Pieces.h"

#include <cstring>

using namespace forge;

TensorSource TensorSource::of(HostTensor tensor) {
  auto shared = std::make_shared<const HostTensor>(std::move(tensor));
  return {{shared->type(), shared->dims()}, [shared](size_t offset, std::span<char> bytes) {
            std::memcpy(bytes.data(), shared->dataAs<char>() + offset, bytes.size());
          }};
}

size_t TensorSource::numBytes() const {
  size_t bytes = byteWidth(spec.type);
  for (int64_t size : spec.dims)
    bytes *= static_cast<size_t>(size);
  return bytes;
}

Result<HostTensor> TensorSource::tensor() const {
  Result<HostTensor> tensor = HostTensor::create(spec.type, spec.dims);
  if (!tensor)
    return tensor;
  auto *data = static_cast<char *>(tensor->data());
  forEachPiece(tensor->numBytes(), kPieceBytes, copyWorkers(),
               [&](size_t, size_t offset, size_t size) { copy(offset, {data + offset, size}); });
  return tensor;
}
