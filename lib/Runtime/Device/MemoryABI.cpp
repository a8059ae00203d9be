// The C functions of device memory.
#include "ABIContext.h"

#include "forge/Runtime/DeviceABI.h"
#include "forge/Runtime/MemRef.h"

#include <cstring>

using namespace forge;
using namespace forge::rt;

static bool allocate(int64_t bytes, void *&pointer) {
  DeviceContext *target = device();
  if (!target)
    return false;
  if (bytes < 0) {
    context().recordError("negative size of a temporary");
    return false;
  }
  return take(target->allocate(static_cast<size_t>(bytes)), pointer);
}

void *forge_rt_device_alloc(int64_t bytes) {
  void *pointer = nullptr;
  if (!allocate(bytes, pointer))
    Context::leave();
  return pointer;
}

static bool release(void *pointer) {
  DeviceContext *target = device();
  return target && record(target->release(pointer));
}

void forge_rt_device_free(void *pointer) {
  if (!release(pointer))
    Context::leave();
}

static bool copy(void *target, const void *source, int64_t bytes) {
  DeviceContext *where = device();
  return where && record(where->stream().copyOnDevice(target, source, static_cast<size_t>(bytes)));
}

void forge_rt_device_copy(void *target, const void *source, int64_t bytes) {
  if (bytes > 0 && !copy(target, source, bytes))
    Context::leave();
}

namespace {
/// One loop of a strided copy; strides in elements.
struct CopyLoop {
  int64_t size, sourceStride, targetStride;
};
} // namespace

/// The loops over both memrefs, innermost last, neighbours merged where both sides allow it; none
/// when there is nothing to copy.
static std::vector<CopyLoop> mergeLoops(MemRef source, MemRef target) {
  std::vector<CopyLoop> loops;
  for (int64_t dim = 0; dim < source.rank(); ++dim) {
    CopyLoop loop{source.size(dim), source.stride(dim), target.stride(dim)};
    if (loop.size == 1)
      continue;
    if (!loops.empty() && loops.back().sourceStride == loop.size * loop.sourceStride &&
        loops.back().targetStride == loop.size * loop.targetStride) {
      loops.back() = {loops.back().size * loop.size, loop.sourceStride, loop.targetStride};
      continue;
    }
    loops.push_back(loop);
  }
  return loops;
}

/// Enqueues the copies of loops[depth...]; `run` bytes lie together on both sides below them.
static Result<void> copyLoops(Stream &stream, const std::vector<CopyLoop> &loops, size_t depth,
                              char *target, const char *source, int64_t elementBytes, size_t run) {
  if (depth == loops.size())
    return stream.copyOnDevice(target, source, run);
  const CopyLoop &loop = loops[depth];
  int64_t from = loop.sourceStride * elementBytes, to = loop.targetStride * elementBytes;
  if (depth + 1 == loops.size() && from >= static_cast<int64_t>(run) &&
      to >= static_cast<int64_t>(run))
    return stream.copyRows(target, static_cast<size_t>(to), source, static_cast<size_t>(from), run,
                           static_cast<size_t>(loop.size));
  for (int64_t i = 0; i < loop.size; ++i)
    if (Result<void> done = copyLoops(stream, loops, depth + 1, target + i * to, source + i * from,
                                      elementBytes, run);
        !done)
      return done;
  return {};
}

static bool copyStrided(int64_t elementBytes, MemRef source, MemRef target) {
  DeviceContext *where = device();
  if (!where)
    return false;
  if (source.numElements() == 0)
    return true;
  std::vector<CopyLoop> loops = mergeLoops(source, target);
  size_t run = static_cast<size_t>(elementBytes);
  if (!loops.empty() && loops.back().sourceStride == 1 && loops.back().targetStride == 1) {
    run *= static_cast<size_t>(loops.back().size);
    loops.pop_back();
  }
  size_t width = static_cast<size_t>(elementBytes);
  return record(copyLoops(where->stream(), loops, 0, target.base(width), source.base(width),
                          elementBytes, run));
}

void forge_rt_device_copy_strided(int64_t elementBytes, int64_t sourceRank, void *source,
                                  int64_t targetRank, void *target) {
  if (!copyStrided(elementBytes, MemRef(sourceRank, source), MemRef(targetRank, target)))
    Context::leave();
}

static bool fill(void *target, int64_t value, int64_t elementBytes, int64_t count) {
  DeviceContext *where = device();
  if (!where)
    return false;
  auto low = static_cast<uint32_t>(value);
  auto high = static_cast<uint32_t>(static_cast<uint64_t>(value) >> 32);
  size_t number = static_cast<size_t>(count);
  if (elementBytes != 8)
    return record(where->stream().fill(target, low, static_cast<size_t>(elementBytes), number));
  if (low == high)
    return record(where->stream().fill(target, low, 4, 2 * number));
  // Two words that differ: the first element from words, then doubling what is there.
  char *base = static_cast<char *>(target);
  bool ok = record(where->stream().fill(base, low, 4, 1)) &&
            record(where->stream().fill(base + 4, high, 4, 1));
  for (size_t done = 1; ok && done < number; done *= 2)
    ok = record(
        where->stream().copyOnDevice(base + 8 * done, base, 8 * std::min(done, number - done)));
  return ok;
}

void forge_rt_device_fill(void *target, int64_t value, int64_t elementBytes, int64_t count) {
  if (count > 0 && !fill(target, value, elementBytes, count))
    Context::leave();
}

static bool readBack(void *host, const void *source, int64_t bytes) {
  DeviceContext *where = device();
  return where && outsideGraph(*where, "reading from the device") &&
         record(where->stream().copyToHost(host, source, static_cast<size_t>(bytes))) &&
         record(where->synchronize());
}

void forge_rt_device_read(void *host, const void *source, int64_t bytes) {
  if (bytes > 0 && !readBack(host, source, bytes))
    Context::leave();
}

static bool writeOver(void *target, const void *host, int64_t bytes) {
  DeviceContext *where = device();
  return where && outsideGraph(*where, "writing to the device") &&
         record(where->stream().copyToDevice(target, host, static_cast<size_t>(bytes))) &&
         record(where->synchronize());
}

void forge_rt_device_write(void *target, const void *host, int64_t bytes) {
  if (bytes > 0 && !writeOver(target, host, bytes))
    Context::leave();
}

static bool synchronize() {
  DeviceContext *where = device();
  return where && outsideGraph(*where, "waiting for the device") && record(where->synchronize());
}

void forge_rt_device_synchronize(void) {
  if (!synchronize())
    Context::leave();
}
