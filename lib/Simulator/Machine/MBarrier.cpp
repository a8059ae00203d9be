// mbarrier objects: arrivals and bytes are counted; a phase is over when neither is missing.
#include "Async.h"

using namespace forge::sim;

static std::string nameOf(uint32_t offset) {
  return "the mbarrier at offset " + std::to_string(offset);
}

/// The block whose shared memory holds `address`.
static Block &ownerOf(uintptr_t address, uint32_t site) {
  for (Block *block : machine->launch->cluster)
    if (address - block->shared.base < uint64_t(block->shared.end - block->shared.base))
      return *block;
  fail(FindingKind::OutOfBounds, "an mbarrier outside of shared memory", site);
}

static MBarrier &barrierAt(uintptr_t address, uint32_t site) {
  Block &owner = ownerOf(address, site);
  uint32_t offset = address - owner.shared.base;
  auto it = owner.mbarriers.find(offset);
  if (it == owner.mbarriers.end())
    fail(FindingKind::InvalidOperation, "nothing has initialised " + nameOf(offset), site);
  const Thread &thread = *machine->current;
  const Record &init = it->second.initialised;
  bool sameBlock = init.thread - thread.block->firstThread < thread.block->threads.size();
  if (init.thread != thread.global && !(sameBlock && init.clock < thread.base[0]) &&
      !orderedBefore(init, thread))
    fail(FindingKind::DataRace, "no synchronisation after the initialisation of " + nameOf(offset),
         site, {partyOf(init)});
  return it->second;
}

/// All have arrived and all bytes are here: the next phase begins.
static void advancePhase(MBarrier &barrier) {
  if (barrier.pending || barrier.bytes)
    return;
  ++barrier.phase;
  barrier.pending = barrier.expected;
  barrier.over.join(barrier.arriving);
  barrier.arriving.clear();
  for (Thread *thread : barrier.waiting)
    makeReady(*thread);
  barrier.waiting.clear();
  notePolledChange();
}

static void arrive(MBarrier &barrier, uint32_t count, uint32_t site) {
  Thread &self = *machine->current;
  if (count == 0 || count > barrier.pending)
    fail(FindingKind::InvalidOperation,
         std::to_string(count) + " arrivals at an mbarrier that expects " +
             std::to_string(barrier.pending) + " more in this phase",
         site);
  barrier.arriving.join(snapshot(self));
  advance(self);
  barrier.pending -= count;
  advancePhase(barrier);
}

/// Waits for the end of `phase`.
static void waitFor(MBarrier &barrier, uint64_t phase, uint32_t site) {
  while (barrier.phase <= phase) {
    barrier.waiting.push_back(machine->current);
    suspend(Wait::MBarrier, site);
  }
  acquire(*machine->current, barrier.over);
}

bool forge::sim::endAwaitedCopy(Launch &launch) {
  for (Block *block : launch.cluster)
    for (auto &[offset, barrier] : block->mbarriers) {
      if (barrier.copies.empty() || (barrier.waiting.empty() && !barrier.asking))
        continue;
      BulkCopy copy = std::move(barrier.copies.front());
      barrier.copies.pop_front();
      uint32_t clock = machine->tick();
      for (const BulkCopy::Piece &piece : copy.pieces) {
        setPending(piece.to, piece.bytes, copy.site, false);
        PendingCopy plain{piece.to, piece.from, piece.bytes, piece.source, copy.site};
        machine->current = copy.issuer;
        agentAccess(Access::Store, piece.to, piece.bytes, barrier.agent, clock, copy.site);
        endCopy(plain);
      }
      barrier.arriving.threads.raise(barrier.agent, clock);
      barrier.bytes -= copy.bytes;
      advancePhase(barrier);
      notePolledChange();
      return true;
    }
  return false;
}

extern "C" {
void forge_sim_mbarrier_init(uintptr_t address, uint32_t count, uint32_t site) {
  Thread &self = *machine->current;
  if (address % 8)
    fail(FindingKind::Misaligned, "expected an mbarrier at a multiple of 8 bytes", site);
  checkAccess(Access::Store, address, 8, site);
  Block &owner = ownerOf(address, site);
  MBarrier barrier;
  barrier.expected = barrier.pending = count;
  barrier.initialised = Record(self.global, self.clock, site, false);
  barrier.agent = machine->launch->takeAgent(partyOf(self, site));
  owner.mbarriers[address - owner.shared.base] = std::move(barrier);
}

void forge_sim_mbarrier_inval(uintptr_t address, uint32_t site) {
  barrierAt(address, site);
  Block &owner = ownerOf(address, site);
  owner.mbarriers.erase(address - owner.shared.base);
}

/// The state is the number of the phase.
uint64_t forge_sim_mbarrier_arrive(uintptr_t address, uint32_t count, uint32_t site) {
  MBarrier &barrier = barrierAt(address, site);
  uint64_t phase = barrier.phase;
  arrive(barrier, count, site);
  return phase;
}

void forge_sim_mbarrier_expect(uintptr_t address, uint32_t bytes, uint32_t site) {
  barrierAt(address, site).bytes += bytes;
}

uint64_t forge_sim_mbarrier_arrive_expect(uintptr_t address, uint32_t bytes, uint32_t site) {
  MBarrier &barrier = barrierAt(address, site);
  uint64_t phase = barrier.phase;
  barrier.bytes += bytes;
  arrive(barrier, 1, site);
  return phase;
}

void forge_sim_mbarrier_complete(uintptr_t address, uint32_t bytes, uint32_t site) {
  MBarrier &barrier = barrierAt(address, site);
  barrier.bytes -= bytes;
  advancePhase(barrier);
}

/// Waits for the phase of this parity: the current one, or the one before.
void forge_sim_mbarrier_wait_parity(uintptr_t address, uint32_t parity, uint32_t site) {
  MBarrier &barrier = barrierAt(address, site);
  bool isCurrent = (barrier.phase & 1) == (parity & 1);
  if (isCurrent)
    return waitFor(barrier, barrier.phase, site);
  acquire(*machine->current, barrier.over);
}

/// Waits for the phase that `state` names.
void forge_sim_mbarrier_wait(uintptr_t address, uint64_t state, uint32_t site) {
  waitFor(barrierAt(address, site), state, site);
}

/// mbarrier.test.wait: whether the phase is over. A program asks again and again: if the answer is
/// no, all others run first.
uint32_t forge_sim_mbarrier_test(uintptr_t address, uint64_t stateOrParity, uint32_t byParity,
                                 uint32_t site) {
  auto isOver = [&](const MBarrier &barrier) {
    return byParity ? (barrier.phase & 1) != (stateOrParity & 1) : barrier.phase > stateOrParity;
  };
  MBarrier *barrier = &barrierAt(address, site);
  if (!isOver(*barrier)) {
    ++barrier->asking;
    poll(site);
    barrier = &barrierAt(address, site);
    --barrier->asking;
  }
  if (!isOver(*barrier))
    return 0;
  acquire(*machine->current, barrier->over);
  return 1;
}

/// cp.async.mbarrier.arrive: the thread's copies have ended when its arrival counts.
void forge_sim_cp_async_arrive(uintptr_t address, uint32_t counted, uint32_t site) {
  MBarrier &barrier = barrierAt(address, site);
  AsyncState &async = asyncOf(*machine->current);
  for (std::vector<PendingCopy> &group : async.groups)
    for (const PendingCopy &copy : group) {
      setPending(copy.to, copy.bytes, copy.site, false);
      checkAccess(Access::Store, copy.to, copy.bytes, copy.site);
      endCopy(copy);
    }
  async.groups.clear();
  async.groups.emplace_back();
  if (!counted)
    ++barrier.pending;
  arrive(barrier, 1, site);
}
}
