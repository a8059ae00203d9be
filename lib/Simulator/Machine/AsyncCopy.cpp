// cp.async: copies of 4 to 16 bytes from global to shared memory, in groups that a thread waits
// for. They end when the thread waits for them, no earlier, so that what reads too soon sees what
// was there before; and it is reported.
#include "Access.h"
#include "Async.h"

#include <cstring>
#include <utility>

using namespace forge::sim;

void forge::sim::setPending(uintptr_t address, uint64_t bytes, uint32_t site, bool pending) {
  Extent bounds;
  Region &region = regionAt(address, bytes, site, -1, bounds);
  uint8_t *states = region.states + (address - region.base);
  for (uint64_t i = 0; i < bytes; ++i)
    states[i] = pending ? states[i] | kPending : states[i] & ~kPending;
}

void forge::sim::beginCopy(const PendingCopy &copy) {
  if (copy.source)
    checkAccess(Access::Load, copy.from, copy.source, copy.site);
  checkAccess(Access::Store, copy.to, copy.bytes, copy.site);
  setPending(copy.to, copy.bytes, copy.site, true);
}

void forge::sim::endCopy(const PendingCopy &copy) {
  if (copy.source)
    std::memcpy(reinterpret_cast<void *>(copy.to), reinterpret_cast<void *>(copy.from),
                copy.source);
  std::memset(reinterpret_cast<void *>(copy.to + copy.source), 0, copy.bytes - copy.source);
}

/// The same for a thread of its own: it has no block, and nothing is over for it but what is for
/// the one that began.
void forge::sim::agentAccess(Access access, uintptr_t address, uint64_t bytes, uint32_t agent,
                             uint32_t clock, uint32_t site) {
  MachineState &state = *machine;
  Thread &self = *state.current;
  uint32_t global = std::exchange(self.global, agent), own = std::exchange(self.clock, clock);
  // What the thread itself has done is over for what it begins.
  bool knew = std::exchange(self.knows, true);
  self.known.threads.raise(global, own);
  checkAccess(access, address, bytes, site);
  self.global = global;
  self.clock = own;
  self.knows = knew || self.knows;
}

/// Whether `record` is of a thread, not of a copy or product, and no fence has ordered it.
static bool lacksFence(const Record &record, const Region &region) {
  const Launch &launch = *machine->launch;
  uint64_t threads = launch.config.block.count();
  if (record.clock < region.epoch || record.thread >= launch.config.grid.count() * threads)
    return false;
  uint32_t number = record.thread / threads;
  for (const Block *block : launch.cluster)
    if (block->linear == number)
      return block->fenced.threads.lookup(record.thread) < record.clock &&
             block->fenced.blocks.lookup(number) <= record.clock;
  return false;
}

void forge::sim::requireFence(uintptr_t address, uint64_t bytes, bool writes, const char *what,
                              uint32_t site) {
  if (!machine->options.races)
    return;
  Extent bounds;
  const Region &region = regionAt(address, bytes, site, -1, bounds);
  // What a copy that has not ended writes is reported as that.
  if (!region.shared || anyPending(region.states + (address - region.base), bytes))
    return;
  auto check = [&](const Record &record, uint64_t cell, const char *did) {
    if (lacksFence(record, region))
      fail(FindingKind::DataRace,
           std::string(what) + " what a thread has " + did + " before, at offset " +
               std::to_string(cell << region.shift) +
               " of shared memory, without fence.proxy.async in between",
           site, {partyOf(record)});
  };
  uint64_t first = (address - region.base) >> region.shift,
           last = (address + bytes - 1 - region.base) >> region.shift;
  for (uint64_t cell = first; cell <= last; ++cell) {
    check(region.cells[cell].write, cell, "written");
    for (unsigned read = 0; writes && read < 2; ++read)
      check(region.cells[cell].reads[read], cell, "read");
  }
}

static bool holds(const BulkCopy &copy, uintptr_t address) {
  for (const BulkCopy::Piece &piece : copy.pieces)
    if (address - piece.to < piece.bytes)
      return true;
  return false;
}

void forge::sim::reportPendingCopy(const Region &region, uintptr_t address, uint32_t site) {
  std::string what = "offset " + std::to_string(address - region.base) +
                     (region.shared ? " of shared memory" : " of global memory") +
                     " is the target of a copy that no thread has waited for";
  for (Block *block : machine->launch->cluster)
    for (const Thread &thread : block->threads) {
      if (!thread.async)
        continue;
      for (const std::vector<PendingCopy> &group : thread.async->groups)
        for (const PendingCopy &copy : group)
          if (address - copy.to < copy.bytes)
            fail(FindingKind::PendingCopy, std::move(what), site, {partyOf(thread, copy.site)});
      for (const std::vector<BulkCopy> &group : thread.async->stores)
        for (const BulkCopy &copy : group)
          if (holds(copy, address))
            fail(FindingKind::PendingCopy, std::move(what), site, {partyOf(thread, copy.site)});
    }
  for (Block *block : machine->launch->cluster)
    for (const auto &[offset, barrier] : block->mbarriers)
      for (const BulkCopy &copy : barrier.copies)
        if (holds(copy, address))
          fail(FindingKind::PendingCopy, std::move(what), site, {partyOf(*copy.issuer, copy.site)});
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
  asyncOf(thread).groups.back().push_back(copy);
}

void forge_sim_cp_async_commit() { asyncOf(*machine->current).groups.emplace_back(); }

/// Waits until at most the youngest `groups` committed groups have not ended.
void forge_sim_cp_async_wait(uint32_t groups) {
  Thread &thread = *machine->current;
  if (!thread.async)
    return;
  while (thread.async->groups.size() - 1 > groups) {
    for (const PendingCopy &copy : thread.async->groups.front()) {
      setPending(copy.to, copy.bytes, copy.site, false);
      checkAccess(Access::Store, copy.to, copy.bytes, copy.site);
      endCopy(copy);
    }
    thread.async->groups.pop_front();
  }
}
}
