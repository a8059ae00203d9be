// Copies and products that end later than they begin.
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

/// A copy of a box by the tensor memory accelerator: one piece for each row of the box, and what it
/// does when it ends.
struct BulkCopy {
  struct Piece {
    uintptr_t to, from;
    /// Bytes to write, of which so many are read and the rest is zero.
    uint32_t bytes, source;
  };
  std::vector<Piece> pieces;
  uint32_t site = 0;
  Thread *issuer = nullptr;
  /// Of a load: the mbarrier it reports to, and the bytes it reports.
  Block *owner = nullptr;
  uint32_t barrier = 0, bytes = 0;
};

struct AsyncState {
  /// Copies of a thread (cp.async), in groups from the oldest to the youngest; the last group is
  /// not committed yet.
  std::deque<std::vector<PendingCopy>> groups{1};
  /// The same of bulk copies to global memory.
  std::deque<std::vector<BulkCopy>> stores{1};
  /// The same of warpgroup products: clocks of their reads.
  std::deque<std::vector<uint32_t>> products{1};
};

inline AsyncState &asyncOf(Thread &thread) {
  if (!thread.async)
    thread.async = std::make_unique<AsyncState>();
  return *thread.async;
}

/// An mbarrier object in shared memory (PTX ISA 9.7.13.15), by its offset.
struct MBarrier {
  uint32_t expected = 0, pending = 0;
  int64_t bytes = 0;
  uint64_t phase = 0;
  /// What was done before the arrivals of this phase; of the phases that are over.
  Clocks arriving, over;
  /// The initialisation, which others must know of.
  Record initialised;
  /// Stands for the copies that report here, in the records of accesses.
  uint32_t agent = 0;
  /// Copies that have not ended, oldest first.
  std::deque<BulkCopy> copies;
  std::vector<Thread *> waiting;
  /// Threads that have asked whether the phase is over, and let others run before they hear.
  uint32_t asking = 0;
};

/// Threads of a warpgroup that have come for a product, and its operands.
struct WarpGroupMeeting {
  uint32_t arrived = 0, site = 0;
  /// Of D, and of A where that is in registers.
  void *registers[128] = {}, *left[128] = {};
  uint64_t a = 0, b = 0;
};

/// Begins a copy by the running thread: both ends are checked, the target counts as pending.
void beginCopy(const PendingCopy &copy);
/// Ends it: the bytes are written now.
void endCopy(const PendingCopy &copy);
/// Marks bytes of shared memory as the target of a copy that has not ended, or takes the mark away.
void setPending(uintptr_t address, uint64_t bytes, uint32_t site, bool pending);
/// Requires a fence between what threads have done to these bytes of shared memory and an
/// asynchronous operation that reads them, or writes them (PTX ISA, "Async proxy").
/// `what` the operation does: "a tensor copy writes".
void requireFence(uintptr_t address, uint64_t bytes, bool writes, const char *what, uint32_t site);
/// Ends one copy that a thread waits for; true if there was one. No other thread can run.
bool endAwaitedCopy(Launch &launch);
/// Notes an access by `agent`, which is no thread, at `clock`; checks what a thread's would be
/// checked for.
void agentAccess(Access access, uintptr_t address, uint64_t bytes, uint32_t agent, uint32_t clock,
                 uint32_t site);

} // namespace forge::sim

#endif // FORGE_LIB_SIMULATOR_MACHINE_ASYNC_H
