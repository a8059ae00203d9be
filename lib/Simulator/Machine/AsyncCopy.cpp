// cp.async: copies of 4 to 16 bytes from global to shared memory, in groups that a thread waits
// for. They end when the thread waits for them, no earlier, so that what reads too soon sees what
// was there before; and it is reported.
#include "Access.h"
#include "Async.h"

#include <cstring>

using namespace forge::sim;

static void setPending(const PendingCopy &copy, bool pending) {
  Extent bounds;
  Region &region = regionAt(copy.to, copy.bytes, copy.site, -1, bounds);
  uint8_t *states = region.states + (copy.to - region.base);
  for (uint32_t i = 0; i < copy.bytes; ++i)
    states[i] = pending ? states[i] | kPending : states[i] & ~kPending;
}

void forge::sim::beginCopy(const PendingCopy &copy) {
  if (copy.source)
    checkAccess(Access::Load, copy.from, copy.source, copy.site);
  checkAccess(Access::Store, copy.to, copy.bytes, copy.site);
  setPending(copy, true);
}

void forge::sim::endCopy(Thread &thread, const PendingCopy &copy) {
  setPending(copy, false);
  checkAccess(Access::Store, copy.to, copy.bytes, copy.site);
  std::memcpy(reinterpret_cast<void *>(copy.to), reinterpret_cast<void *>(copy.from), copy.source);
  std::memset(reinterpret_cast<void *>(copy.to + copy.source), 0, copy.bytes - copy.source);
}

void forge::sim::reportPendingCopy(const Region &region, uintptr_t address, uint32_t site) {
  std::string what = "offset " + std::to_string(address - region.base) +
                     " of shared memory is the target of a copy that nobody has waited for";
  for (Block *block : machine->launch->cluster)
    for (const Thread &thread : block->threads) {
      if (!thread.async)
        continue;
      for (const std::vector<PendingCopy> &group : thread.async->groups)
        for (const PendingCopy &copy : group)
          if (address - copy.to < copy.bytes)
            fail(FindingKind::PendingCopy, std::move(what), site, {partyOf(thread, copy.site)});
    }
  fail(FindingKind::PendingCopy, std::move(what), site);
}

extern "C" {
/// Begins to copy `source` of `bytes` bytes; the rest becomes zero.
void forge_sim_cp_async(uintptr_t to, uintptr_t from, uint32_t bytes, uint32_t source,
                        uint32_t site) {
  Thread &thread = *machine->current;
  if (source > bytes)
    fail(FindingKind::InvalidOperation,
         "expected to read at most " + std::to_string(bytes) + " bytes, but got " +
             std::to_string(source),
         site);
  if (to % bytes || from % bytes)
    fail(FindingKind::Misaligned,
         "expected addresses that are a multiple of " + std::to_string(bytes) +
             " for an asynchronous copy",
         site);
  PendingCopy copy{to, from, bytes, source, site};
  beginCopy(copy);
  if (!thread.async)
    thread.async = std::make_unique<AsyncState>();
  thread.async->groups.back().push_back(copy);
}

void forge_sim_cp_async_commit() {
  Thread &thread = *machine->current;
  if (!thread.async)
    thread.async = std::make_unique<AsyncState>();
  thread.async->groups.emplace_back();
}

/// Waits until at most the youngest `groups` committed groups have not ended.
void forge_sim_cp_async_wait(uint32_t groups) {
  Thread &thread = *machine->current;
  if (!thread.async)
    return;
  while (thread.async->groups.size() - 1 > groups) {
    for (const PendingCopy &copy : thread.async->groups.front())
      endCopy(thread, copy);
    thread.async->groups.pop_front();
  }
}
}
