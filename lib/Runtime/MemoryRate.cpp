#include "forge/Runtime/MemoryRate.h"

#include "forge/Runtime/Device.h"
#include "forge/Runtime/ThreadPool.h"

#include <algorithm>
#include <chrono>
#include <new>

using namespace forge;
using namespace forge::rt;

/// Four sums, so that reading and not adding takes the time.
static uint64_t sumOf(const uint64_t *words, int64_t count) {
  uint64_t sums[4] = {};
  for (int64_t i = 0; i + 4 <= count; i += 4)
    for (int64_t j = 0; j < 4; ++j)
      sums[j] += words[i + j];
  return sums[0] + sums[1] + sums[2] + sums[3];
}

static double readRate(uint64_t wanted) {
  constexpr uint64_t least = 1 << 20, most = 128 << 20;
  auto count = static_cast<int64_t>(std::clamp(wanted, least, most) / sizeof(uint64_t));
  // Written, so that every page is one of its own.
  std::unique_ptr<uint64_t[]> words(new (std::nothrow) uint64_t[static_cast<size_t>(count)]);
  if (!words)
    return 0;
  ThreadPool &pool = ThreadPool::global();
  auto threads = static_cast<int64_t>(pool.numThreads());
  int64_t share = (count + threads - 1) / threads;
  pool.parallelFor(0, count, share, [&](int64_t begin, int64_t end) {
    std::fill(words.get() + begin, words.get() + end, 1);
  });
  // Others may be running: the fastest of several passes says what memory can do. Small ones are
  // many, so that a clock's resolution does not matter.
  constexpr int passes = 5;
  int64_t rounds = std::max<int64_t>(1, static_cast<int64_t>(most / 4 / sizeof(uint64_t)) / count);
  double best = 0;
  std::atomic<uint64_t> sum{0};
  for (int pass = 0; pass < passes; ++pass) {
    auto start = std::chrono::steady_clock::now();
    for (int64_t round = 0; round < rounds; ++round)
      pool.parallelFor(0, count, share, [&](int64_t begin, int64_t end) {
        sum += sumOf(words.get() + begin, end - begin);
      });
    double seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    if (seconds > 0)
      best = std::max(best, static_cast<double>(rounds * count) * sizeof(uint64_t) / seconds);
  }
  return sum > 0 ? best : 0;
}

/// Bytes that copies from `source` to `target` read and write in a second.
static Result<double> copyRate(Device &device, void *target, void *source, size_t bytes) {
  constexpr int copies = 8;
  Result<std::unique_ptr<Stream>> stream = device.createStream();
  Result<std::unique_ptr<Event>> start = device.createEvent(/*timed=*/true),
                                 end = device.createEvent(/*timed=*/true);
  if (!stream || !start || !end)
    return 0.0;
  // The first one is not timed: clocks rise with work.
  Result<void> done = (*stream)->copyOnDevice(target, source, bytes);
  if (done)
    done = (*stream)->record(**start);
  for (int i = 0; done && i < copies; ++i)
    done = (*stream)->copyOnDevice(target, source, bytes);
  if (done)
    done = (*stream)->record(**end);
  if (done)
    done = (*stream)->synchronize();
  if (!done)
    return done.error();
  Result<double> ms = (*end)->millisecondsSince(**start);
  if (!ms || *ms <= 0)
    return 0.0;
  return 2.0 * copies * static_cast<double>(bytes) / (*ms / 1000);
}

static double copyRate(Device &device) {
  // More than any cache of a GPU holds.
  constexpr size_t bytes = 512 << 20;
  Result<MemoryInfo> memory = device.memoryInfo();
  if (!memory || memory->freeBytes < 4 * bytes)
    return 0;
  Result<void *> source = device.allocate(bytes), target = device.allocate(bytes);
  double rate = 0;
  if (source && target)
    if (Result<double> measured = copyRate(device, *target, *source, bytes))
      rate = *measured;
  // Released also after a failure; then there is nothing more to say.
  for (const Result<void *> &memoryOf : {source, target})
    if (memoryOf)
      (void)device.release(*memoryOf);
  return rate;
}

double rt::memoryRate(Device *device, uint64_t bytes) {
  if (!device)
    return readRate(bytes);
  bool isGPU = device->driverName() == "cuda" || device->driverName() == "hip";
  return isGPU ? copyRate(*device) : 0;
}
