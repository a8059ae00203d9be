#include "forge/Runtime/ThreadPool.h"

#include <algorithm>
#include <cstdlib>

using namespace forge::rt;

/// How often a thread looks before it sleeps: about 50 microseconds.
static constexpr int kSpins = 2000;
/// Chunks per thread: more balance the load better, fewer cost less.
static constexpr int64_t kChunksPerThread = 4;

/// Set in workers, and in the caller while it runs chunks: a nested loop runs in its own thread.
static thread_local bool insideLoop = false;

static void relax() {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#endif
}

unsigned forge::rt::defaultNumThreads() {
  if (const char *text = std::getenv("FORGE_NUM_THREADS")) {
    long value = std::strtol(text, nullptr, 10);
    if (value > 0)
      return static_cast<unsigned>(std::min(value, 1024l));
  }
  return std::max(1u, std::thread::hardware_concurrency());
}

ThreadPool &ThreadPool::global() {
  static ThreadPool pool(defaultNumThreads());
  return pool;
}

ThreadPool::ThreadPool(unsigned threads) {
  for (unsigned i = 1; i < threads; ++i)
    workers.emplace_back([this] { workerMain(); });
}

ThreadPool::~ThreadPool() {
  stopping = true;
  state.fetch_add(oneJob);
  state.notify_all();
  for (std::thread &worker : workers)
    worker.join();
}

void ThreadPool::runChunks() {
  for (;;) {
    int64_t from = job.next.fetch_add(job.chunk, std::memory_order_relaxed);
    if (from >= job.end)
      return;
    (*job.body)(from, std::min(from + job.chunk, job.end));
  }
}

void ThreadPool::workerMain() {
  insideLoop = true;
  uint64_t seen = 0;
  int spins = 0;
  while (!stopping.load(std::memory_order_relaxed)) {
    uint64_t now = state.load(std::memory_order_acquire);
    uint64_t number = now / oneJob;
    if ((now & openBit) && number != seen) {
      if (!state.compare_exchange_weak(now, now + oneWorker, std::memory_order_acq_rel))
        continue;
      seen = number;
      runChunks();
      state.fetch_sub(oneWorker, std::memory_order_acq_rel);
      spins = 0;
      continue;
    }
    if (++spins < kSpins)
      relax();
    else
      state.wait(now, std::memory_order_acquire);
  }
}

void ThreadPool::parallelFor(int64_t begin, int64_t end, int64_t grain,
                             const std::function<void(int64_t, int64_t)> &body) {
  if (begin >= end)
    return;
  int64_t count = end - begin;
  grain = std::max<int64_t>(grain, 1);
  std::unique_lock<std::mutex> lock(owner, std::defer_lock);
  if (workers.empty() || insideLoop || count <= grain || !lock.try_lock())
    return body(begin, end);

  int64_t parts = kChunksPerThread * numThreads();
  job.body = &body;
  job.chunk = std::max(grain, (count + parts - 1) / parts);
  // Overflow of `next` beyond `end` is out of reach: it grows by one chunk per thread.
  job.end = end;
  job.next.store(begin, std::memory_order_relaxed);
  state.fetch_add(oneJob + openBit, std::memory_order_acq_rel);
  state.notify_all();

  insideLoop = true;
  runChunks();
  insideLoop = false;

  state.fetch_sub(openBit, std::memory_order_acq_rel);
  while (state.load(std::memory_order_acquire) & workerMask)
    relax();
}
