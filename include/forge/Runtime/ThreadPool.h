// Threads that run the chunks of parallel loops. No MLIR.
#ifndef FORGE_RUNTIME_THREADPOOL_H
#define FORGE_RUNTIME_THREADPOOL_H

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

namespace forge::rt {

/// A fixed set of threads which look for work for some microseconds after each loop, and then
/// sleep. The thread that calls parallelFor works too.
class ThreadPool {
public:
  /// `threads` in all, the caller's included; at least 1.
  explicit ThreadPool(unsigned threads);
  ~ThreadPool();

  /// The process's pool: FORGE_NUM_THREADS threads, otherwise one per hardware thread. Started at
  /// first use.
  static ThreadPool &global();

  unsigned numThreads() const { return static_cast<unsigned>(workers.size()) + 1; }

  /// Calls body(from, to) for chunks of at least `grain` iterations (but the last) that cover
  /// [begin, end) once each. Returns when all are done. Runs in the calling thread alone when
  /// called from inside a body, or while another thread uses the pool. `body` must not throw.
  void parallelFor(int64_t begin, int64_t end, int64_t grain,
                   const std::function<void(int64_t, int64_t)> &body);

private:
  struct Job {
    const std::function<void(int64_t, int64_t)> *body = nullptr;
    int64_t end = 0;
    int64_t chunk = 1;
    std::atomic<int64_t> next{0};
  };

  void workerMain();
  void runChunks();

  // The state word: bit 0 a job is open, bits 1..15 workers inside it, from bit 16 the job's
  // number.
  static constexpr uint64_t openBit = 1, oneWorker = 2, workerMask = 0xfffe, oneJob = 0x10000;
  std::atomic<uint64_t> state{0};
  std::atomic<bool> stopping{false};
  Job job;
  std::mutex owner;
  std::vector<std::thread> workers;
};

/// FORGE_NUM_THREADS where it is a positive number, otherwise the number of hardware threads.
unsigned defaultNumThreads();

} // namespace forge::rt

#endif // FORGE_RUNTIME_THREADPOOL_H
