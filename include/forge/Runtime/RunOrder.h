// The order of runs of several contexts on the same tensors. No MLIR.
#ifndef FORGE_RUNTIME_RUNORDER_H
#define FORGE_RUNTIME_RUNORDER_H

#include "forge/Runtime/Device.h"

#include <memory>
#include <mutex>

namespace forge::rt {

/// Each context has a stream of its own, and streams are not ordered among each other: a run waits
/// on the device for the one that was begun last, if that is on another stream. Safe to call from
/// several threads.
class RunOrder {
public:
  /// What `stream` is given from here on waits for the run that was begun last.
  Result<void> follow(Stream &stream);
  /// A run was begun on `stream`, which ends where `end` is recorded.
  void begun(Stream &stream, std::shared_ptr<Event> end);

private:
  std::mutex mutex;
  const Stream *last = nullptr;
  std::shared_ptr<Event> end;
  /// Of the device, when the run was begun: a reset ends all runs.
  uint64_t generation = 0;
};

} // namespace forge::rt

#endif // FORGE_RUNTIME_RUNORDER_H
