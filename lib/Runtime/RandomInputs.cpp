#include "forge/Runtime/RandomInputs.h"

#include "forge/Runtime/DeviceContext.h"
#include "forge/Runtime/ThreadPool.h"

#include <algorithm>
#include <cstring>

using namespace forge;
using namespace forge::rt;

/// The finaliser of splitmix64 (Steele, Lea, Flood: Fast splittable pseudorandom number generators,
/// 2014).
static uint64_t mix(uint64_t x) {
  x += 0x9E3779B97F4A7C15u;
  x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9u;
  x = (x ^ x >> 27) * 0x94D049BB133111EBu;
  return x ^ x >> 31;
}

/// Different values in a pattern, drawn from these many.
static constexpr uint64_t kValues = 4096;
static constexpr int64_t kGrain = 1 << 16;

static Result<HostTensor> makePattern(DType type, uint64_t seed) {
  Result<HostTensor> values = HostTensor::create(type, {static_cast<int64_t>(kValues)});
  Result<HostTensor> pattern = HostTensor::create(type, {RandomInputs::kPeriod});
  if (!values || !pattern)
    return values ? pattern.error() : values.error();
  for (uint64_t i = 0; i < kValues; ++i) {
    double uniform = static_cast<double>(mix(seed ^ mix(~i)) >> 11) * 0x1p-53;
    values->setDouble(static_cast<int64_t>(i), isFloat(type) ? 2 * uniform - 1 : uniform < 0.5);
  }
  uint64_t key = mix(seed);
  size_t width = byteWidth(type);
  const char *from = values->dataAs<char>();
  char *to = pattern->dataAs<char>();
  ThreadPool::global().parallelFor(
      0, RandomInputs::kPeriod, kGrain, [&](int64_t begin, int64_t end) {
        for (int64_t i = begin; i < end; ++i)
          std::memcpy(to + static_cast<size_t>(i) * width,
                      from + mix(key ^ static_cast<uint64_t>(i)) % kValues * width, width);
      });
  return pattern;
}

RandomInputs::~RandomInputs() {
  for (auto &[type, pattern] : patterns)
    if (pattern.copy)
      (void)device->release(pattern.copy);
}

Result<RandomInputs::Pattern *> RandomInputs::patternOf(DType type) {
  auto [found, isNew] = patterns.try_emplace(type);
  if (isNew) {
    Result<HostTensor> made = makePattern(type, seed);
    if (!made) {
      patterns.erase(found);
      return made.error();
    }
    found->second.host = std::move(*made);
  }
  return &found->second;
}

int64_t RandomInputs::startOf(size_t argument) const {
  return static_cast<int64_t>(mix(mix(seed) ^ argument) % static_cast<uint64_t>(kPeriod));
}

Result<HostTensor> RandomInputs::draw(const TensorSpec &spec, size_t argument) {
  Result<HostTensor> tensor = HostTensor::create(spec.type, spec.dims);
  Result<Pattern *> pattern = patternOf(spec.type);
  if (!tensor || !pattern)
    return tensor ? Result<HostTensor>(pattern.error()) : tensor;
  size_t width = byteWidth(spec.type);
  const char *from = (*pattern)->host.dataAs<char>();
  char *to = tensor->dataAs<char>();
  int64_t start = startOf(argument);
  ThreadPool::global().parallelFor(
      0, tensor->numElements(), kGrain, [&](int64_t begin, int64_t end) {
        while (begin < end) {
          int64_t place = (begin + start) % kPeriod;
          int64_t count = std::min(end - begin, kPeriod - place);
          std::memcpy(to + static_cast<size_t>(begin) * width,
                      from + static_cast<size_t>(place) * width,
                      static_cast<size_t>(count) * width);
          begin += count;
        }
      });
  return tensor;
}

// 1. The pattern goes to the device once.
// 2. Its end, then its beginning: a period of the argument.
// 3. What is there is copied behind itself, twice as much each time.
Result<void> RandomInputs::draw(DeviceContext &context, void *memory, DType type, int64_t count,
                                size_t argument) {
  Result<Pattern *> pattern = patternOf(type);
  if (!pattern)
    return pattern.error();
  Stream &stream = context.stream();
  void *&copy = (*pattern)->copy;
  if (!copy) {
    const HostTensor &host = (*pattern)->host;
    Result<void *> made = context.allocate(host.numBytes());
    if (!made)
      return made.error();
    device = &context;
    copy = *made;
    if (Result<void> done = stream.copyToDevice(copy, host.data(), host.numBytes()); !done)
      return done;
  }
  size_t width = byteWidth(type);
  char *to = static_cast<char *>(memory), *from = static_cast<char *>(copy);
  int64_t have = 0;
  auto append = [&](const char *source, int64_t most) -> Result<void> {
    int64_t n = std::min(most, count - have);
    if (n <= 0)
      return {};
    Result<void> done = stream.copyOnDevice(to + static_cast<size_t>(have) * width, source,
                                            static_cast<size_t>(n) * width);
    have += n;
    return done;
  };
  int64_t start = startOf(argument);
  if (Result<void> done = append(from + static_cast<size_t>(start) * width, kPeriod - start); !done)
    return done;
  if (Result<void> done = append(from, start); !done)
    return done;
  while (have < count)
    if (Result<void> done = append(to, have); !done)
      return done;
  return {};
}
