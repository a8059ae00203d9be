// Device memory that is host memory: blocks known by address, so that a copy beyond one is an error
// and not a crash. Private to ForgeRuntime.
#ifndef FORGE_LIB_RUNTIME_DEVICE_HOSTMEMORY_H
#define FORGE_LIB_RUNTIME_DEVICE_HOSTMEMORY_H

#include "forge/Support/Result.h"

#include <cstddef>
#include <map>
#include <mutex>

namespace forge::rt {

/// Safe to call from several threads.
class HostMemory {
public:
  explicit HostMemory(size_t limitBytes) : limit(limitBytes) {}
  ~HostMemory();
  HostMemory(const HostMemory &) = delete;
  HostMemory &operator=(const HostMemory &) = delete;

  Result<void *> allocate(size_t bytes);
  Result<void> release(void *pointer);
  /// Fails unless [pointer, pointer + bytes) is in one live block; `what` says what for.
  Result<void> check(const void *pointer, size_t bytes, const char *what);
  size_t usedBytes();
  size_t limitBytes() const { return limit; }

private:
  std::mutex mutex;
  std::map<const char *, size_t> blocks;
  size_t used = 0;
  size_t limit;
};

} // namespace forge::rt

#endif // FORGE_LIB_RUNTIME_DEVICE_HOSTMEMORY_H
