// Copies that end later than they begin.
#ifndef FORGE_LIB_SIMULATOR_MACHINE_ASYNC_H
#define FORGE_LIB_SIMULATOR_MACHINE_ASYNC_H

#include "State.h"

#include <deque>

namespace forge::sim {

/// One copy to shared memory that has begun: `source` bytes are read, zeros fill the rest of
/// `bytes`.
struct PendingCopy {
  uintptr_t to = 0, from = 0;
  uint32_t bytes = 0, source = 0;
  uint32_t site = 0;
};

/// Copies of a thread (cp.async), in groups from the oldest to the youngest; the last group is not
/// committed yet.
struct AsyncState {
  std::deque<std::vector<PendingCopy>> groups{1};
};

/// An mbarrier object in shared memory, by its offset (PTX ISA, 9.7.13.15).
struct MBarrier {
  uint32_t expected = 0, pending = 0;
  int64_t bytes = 0;
  uint64_t phase = 0;
};

/// Begins a copy by the running thread: both ends are checked, the target counts as pending.
void beginCopy(const PendingCopy &copy);
/// Ends it: the bytes are written now, by `thread`.
void endCopy(Thread &thread, const PendingCopy &copy);

} // namespace forge::sim

#endif // FORGE_LIB_SIMULATOR_MACHINE_ASYNC_H
