// What the C functions of a device have in common. Private to ForgeRuntime.
#ifndef FORGE_LIB_RUNTIME_DEVICE_ABICONTEXT_H
#define FORGE_LIB_RUNTIME_DEVICE_ABICONTEXT_H

#include "forge/Runtime/Context.h"
#include "forge/Runtime/DeviceContext.h"
#include "forge/Runtime/MemRef.h"

#include <cstdio>
#include <cstdlib>

namespace forge::rt {

inline Context &context() {
  Context *current = Context::current();
  if (!current) {
    std::fputs("forge runtime: called outside of an execution context\n", stderr);
    std::abort();
  }
  return *current;
}

/// Null, and an error recorded, when the context has no device.
inline DeviceContext *device() {
  DeviceContext *device = context().device();
  if (!device)
    context().recordError("code for a device runs in a context without one");
  return device;
}

inline bool record(const Result<void> &result) {
  if (!result)
    context().recordError(result.error().message);
  return static_cast<bool>(result);
}

/// The value, or nothing and an error recorded.
template <typename T> bool take(Result<T> result, T &value) {
  if (!result) {
    context().recordError(result.error().message);
    return false;
  }
  value = *result;
  return true;
}

/// Sizes of dimensions from..to, multiplied.
inline int64_t extent(MemRef memref, int64_t from, int64_t to) {
  int64_t size = 1;
  for (int64_t dim = from; dim < to; ++dim)
    size *= memref.size(dim);
  return size;
}

/// Fails inside a graph: `what` would happen once, and not at each replay.
inline bool outsideGraph(DeviceContext &device, const char *what) {
  if (!device.inSequence())
    return true;
  context().recordError(std::string(what) + " inside a graph sequence");
  return false;
}

} // namespace forge::rt

#endif // FORGE_LIB_RUNTIME_DEVICE_ABICONTEXT_H
