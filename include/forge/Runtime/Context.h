// Where compiled code runs: its memory, its error, its checks. No MLIR.
#ifndef FORGE_RUNTIME_CONTEXT_H
#define FORGE_RUNTIME_CONTEXT_H

#include "forge/Runtime/Arena.h"
#include "forge/Support/Result.h"

#include <cstdint>
#include <mutex>
#include <string>
#include <vector>

namespace forge::rt {

class DeviceContext;

/// One at a time runs in a thread; different threads may run different contexts. After an error the
/// context can be used again.
class Context {
public:
  explicit Context(size_t memoryLimit = defaultMemoryLimit()) : arena(memoryLimit) {}

  /// A function of compiled code: `void NAME__packed(void **args)`.
  using Entry = void (*)(void **args);

  /// Gives all memory of the last run back, and calls `entry`. An error inside (out of memory, a
  /// size or shape that does not fit) leaves `entry` at once, and is returned. Memory that results
  /// lie in stays until the next run or `reset`.
  Result<void> run(Entry entry, void **args);

  /// Gives all memory back to the arena; forgets checks.
  void reset();

  Arena &memory() { return arena; }
  /// The device compiled code drives through DeviceABI.h, or null. Not owned; outlives the runs.
  DeviceContext *device() { return deviceContext; }
  void setDevice(DeviceContext *device) { deviceContext = device; }
  /// The checks of the last run that did not hold, and how many ran.
  const std::vector<std::string> &failedChecks() const { return failures; }
  int64_t numChecks() const { return checks; }

  /// The context that runs in this thread (of the thread that started a parallel loop, inside of
  /// one), or null.
  static Context *current();

  // For the C functions (CABI.h) only.
  void recordError(std::string message);
  void recordCheck(std::string failure);
  /// Runs a chunk of a parallel loop in a worker: an error there skips the rest of the loop's
  /// chunks.
  void runChunk(void (*body)(void *, int64_t, int64_t), void *context, int64_t from, int64_t to);
  bool hasError();
  /// Leaves compiled code: back to `run`, or to `runChunk` in a worker. Holds no object that has a
  /// destructor.
  [[noreturn]] static void leave();

private:
  Arena arena;
  DeviceContext *deviceContext = nullptr;
  std::mutex mutex;
  std::string error;
  bool failed = false;
  std::vector<std::string> failures;
  int64_t checks = 0;
};

} // namespace forge::rt

#endif // FORGE_RUNTIME_CONTEXT_H
