#include "FakeState.h"

#include <cstdlib>
#include <cstring>
#include <iterator>

namespace fake {

int memAlloc(void **pointer, size_t bytes) {
  Device &d = device();
  if (d.error)
    return d.error;
  if (bytes == 0)
    return InvalidValue;
  if (bytes > kMemoryBytes - d.used)
    return OutOfMemory;
  *pointer = std::aligned_alloc(256, (bytes + 255) / 256 * 256);
  std::memset(*pointer, 0xcd, bytes);
  d.blocks[static_cast<char *>(*pointer)] = bytes;
  d.used += bytes;
  return Success;
}

int memFree(void *pointer) {
  Device &d = device();
  if (d.error)
    return d.error;
  auto it = d.blocks.find(static_cast<char *>(pointer));
  if (it == d.blocks.end())
    return InvalidValue;
  // Freeing waits for the device.
  synchronize();
  d.used -= it->second;
  std::free(pointer);
  d.blocks.erase(it);
  return d.error;
}

int memGetInfo(size_t *free, size_t *total) {
  *free = kMemoryBytes - device().used;
  *total = kMemoryBytes;
  return device().error;
}

int hostAlloc(void **pointer, size_t bytes) {
  *pointer = std::malloc(bytes);
  return device().error;
}
int hostFree(void *pointer) {
  std::free(pointer);
  return device().error;
}

int copyRows(void *target, size_t targetPitch, const void *source, size_t sourcePitch, size_t bytes,
             size_t rows, void *stream) {
  return enqueue(stream, [=]() -> int {
    for (size_t row = 0; row < rows; ++row) {
      char *to = static_cast<char *>(target) + row * targetPitch;
      const char *from = static_cast<const char *>(source) + row * sourcePitch;
      if (!isDeviceMemory(to, bytes) || !isDeviceMemory(from, bytes))
        return IllegalAddress;
      std::memcpy(to, from, bytes);
    }
    return Success;
  });
}

int copy(Copy kind, void *target, const void *source, size_t bytes, void *stream) {
  if ((kind != Copy::ToHost && !isDeviceMemory(target, bytes)) ||
      (kind != Copy::ToDevice && !isDeviceMemory(source, bytes)))
    return device().error ? device().error : InvalidValue;
  return enqueue(stream, [=]() -> int {
    std::memcpy(target, source, bytes);
    return Success;
  });
}

int fill(void *target, uint32_t value, size_t elementBytes, size_t count, void *stream) {
  if (!isDeviceMemory(target, elementBytes * count))
    return device().error ? device().error : InvalidValue;
  return enqueue(stream, [=]() -> int {
    for (size_t i = 0; i < count; ++i)
      std::memcpy(static_cast<char *>(target) + i * elementBytes, &value, elementBytes);
    return Success;
  });
}

} // namespace fake
