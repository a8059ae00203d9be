#include "forge/Runtime/MemRef.h"

#include "forge/Runtime/CABI.h"
#include "forge/Runtime/ThreadPool.h"

#include <cstring>

using namespace forge::rt;

/// Copies dimensions [dim, rank).
static void copyFrom(size_t bytes, const MemRef &source, const MemRef &target, int64_t dim,
                     const char *from, char *to) {
  if (dim == source.rank()) {
    std::memcpy(to, from, bytes);
    return;
  }
  int64_t size = source.size(dim);
  int64_t fromStep = source.stride(dim) * static_cast<int64_t>(bytes);
  int64_t toStep = target.stride(dim) * static_cast<int64_t>(bytes);
  int64_t width = static_cast<int64_t>(bytes);
  if (dim + 1 == source.rank() && fromStep == width && toStep == width) {
    std::memcpy(to, from, bytes * static_cast<size_t>(size));
    return;
  }
  for (int64_t i = 0; i < size; ++i)
    copyFrom(bytes, source, target, dim + 1, from + i * fromStep, to + i * toStep);
}

/// From these on a copy is shared out: some hundred microseconds on one core.
static constexpr size_t kSharedCopy = size_t(4) << 20;

/// As memmove; large blocks that do not overlap by all threads.
static void moveBytes(char *to, const char *from, size_t bytes) {
  bool overlaps = to < from + bytes && from < to + bytes;
  if (bytes < kSharedCopy || overlaps) {
    std::memmove(to, from, bytes);
    return;
  }
  constexpr int64_t piece = 1 << 20;
  ThreadPool::global().parallelFor(
      0, static_cast<int64_t>(bytes), piece, [=](int64_t begin, int64_t end) {
        std::memcpy(to + begin, from + begin, static_cast<size_t>(end - begin));
      });
}

void forge::rt::copyElements(size_t elementBytes, MemRef source, MemRef target) {
  int64_t count = source.numElements();
  if (count == 0)
    return;
  const char *from = source.base(elementBytes);
  char *to = target.base(elementBytes);
  if (source.isContiguous() && target.isContiguous())
    moveBytes(to, from, elementBytes * static_cast<size_t>(count));
  else
    copyFrom(elementBytes, source, target, 0, from, to);
}

void forge_rt_copy(int64_t elementBytes, int64_t sourceRank, void *source, int64_t targetRank,
                   void *target) {
  copyElements(static_cast<size_t>(elementBytes), MemRef(sourceRank, source),
               MemRef(targetRank, target));
}
