// Barriers of a block, with and without number, and of a cluster.
#include "State.h"

using namespace forge::sim;

/// Everybody is here: what was done before is over for all. `spaces`: bit 0 shared, bit 1 global
/// memory.
static void releaseBlock(Block &block, uint32_t spaces) {
  MachineState &state = *machine;
  uint32_t now = state.tick();
  // What one thread has learned by other means, all know now.
  Clocks known;
  bool any = false;
  for (Thread &thread : block.threads)
    if (thread.knows) {
      known.join(thread.known);
      any = true;
    }
  for (Thread &thread : block.threads) {
    thread.clock = now;
    for (int space = 0; space < 2; ++space)
      if (spaces & (1u << space))
        thread.base[space] = now;
    if (any) {
      thread.known = known;
      thread.knows = true;
    }
    if (thread.wait == Wait::Barrier)
      makeReady(thread);
  }
  block.atBarrier = 0;
}

static const Thread *findThread(const Block &block, Wait wait) {
  for (const Thread &thread : block.threads)
    if (thread.wait == wait)
      return &thread;
  return nullptr;
}

static const Thread *findExited(const Block &block) {
  for (const Thread &thread : block.threads)
    if (thread.exited)
      return &thread;
  return nullptr;
}

static Party exitParty(const Thread &thread) {
  Party party = partyOf(thread, ~0u);
  party.operation = "end of the kernel";
  return party;
}

/// All live threads wait at the block's barrier, others have left the kernel.
[[noreturn]] static void failExited(Block &block) {
  const Thread *waiting = findThread(block, Wait::Barrier);
  const Thread *exited = findExited(block);
  Finding finding{FindingKind::BarrierDivergence, {}, {}, {}};
  finding.what = std::to_string(block.atBarrier) + " threads wait at a barrier that " +
                 std::to_string(block.threads.size() - block.live) +
                 " have not come to before they ended";
  finding.parties = {partyOf(*waiting, waiting->site), exitParty(*exited)};
  fail(std::move(finding));
}

void forge::sim::threadExitedBarrier(Thread &thread) {
  Block &block = *thread.block;
  if (block.atBarrier && block.atBarrier == block.live)
    failExited(block);
}

/// Goes on if all threads of the cluster that have not exited have arrived (PTX ISA,
/// "barrier.cluster").
static void completeClusterBarrier(Launch &launch) {
  uint64_t all = 0;
  for (Block *block : launch.cluster)
    all += block->threads.size();
  if (launch.clusterArrived == 0 || launch.clusterArrived + launch.clusterExited < all)
    return;
  launch.clusterExited += std::exchange(launch.clusterExitedHere, 0);
  launch.clusterArrived = 0;
  ++launch.clusterPhase;
  launch.clusterDone = std::move(launch.clusterClocks);
  launch.clusterClocks.clear();
  for (Block *block : launch.cluster)
    for (Thread &thread : block->threads)
      if (thread.wait == Wait::ClusterBarrier)
        makeReady(thread);
}

void forge::sim::threadExitedCluster(Thread &thread) {
  Launch &launch = *machine->launch;
  bool isAmongArrived = thread.hasArrived && thread.clusterPhase == launch.clusterPhase;
  ++(isAmongArrived ? launch.clusterExitedHere : launch.clusterExited);
  completeClusterBarrier(launch);
}

extern "C" {
/// The barrier of all threads of a block. `spaces`: bit 0 orders shared memory, bit 1 global
/// memory.
void forge_sim_barrier(uint32_t spaces, uint32_t site) {
  Thread &self = *machine->current;
  Block &block = *self.block;
  if (block.atBarrier && block.barrierSite != site)
    fail(FindingKind::BarrierDivergence, "threads of a block wait at different barriers", site,
         {partyOf(*findThread(block, Wait::Barrier), block.barrierSite)});
  block.barrierSite = site;
  ++block.atBarrier;
  if (block.atBarrier == block.threads.size())
    return releaseBlock(block, spaces);
  if (block.atBarrier == block.live) {
    self.wait = Wait::Barrier;
    self.site = site;
    failExited(block);
  }
  suspend(Wait::Barrier, site);
}

/// Barrier `number` for `expected` threads of the block, which need not come from the same place.
/// Those that only arrive do not wait.
void forge_sim_named_barrier(uint32_t number, uint32_t expected, uint32_t waits, uint32_t site) {
  MachineState &state = *machine;
  Thread &self = *state.current;
  uint32_t warpSize = state.chip.warpSize;
  if (number >= 16)
    fail(FindingKind::InvalidOperation,
         "expected a barrier number below 16, but got " + std::to_string(number), site);
  if (expected == 0 || expected % warpSize != 0)
    fail(FindingKind::InvalidOperation,
         "expected a multiple of " + std::to_string(warpSize) + " threads at a barrier, but got " +
             std::to_string(expected),
         site);
  NamedBarrier &barrier = self.block->named[number];
  if (barrier.arrived && barrier.expected != expected)
    fail(FindingKind::BarrierDivergence,
         "barrier " + std::to_string(number) + " is waited for with " +
             std::to_string(barrier.expected) + " and with " + std::to_string(expected) +
             " threads",
         site);
  barrier.expected = expected;
  ++barrier.arrived;
  barrier.clocks.join(snapshot(self));
  advance(self);
  if (waits)
    barrier.waiting.push_back(&self);
  if (barrier.arrived < expected) {
    if (waits)
      suspend(Wait::NamedBarrier, site);
    return;
  }
  NamedBarrier done = std::move(barrier);
  barrier = NamedBarrier();
  for (Thread *thread : done.waiting) {
    acquire(*thread, done.clocks);
    if (thread != &self)
      makeReady(*thread);
  }
}

/// The barrier of all threads of a cluster, in two halves.
void forge_sim_cluster_arrive() {
  Launch &launch = *machine->launch;
  Thread &self = *machine->current;
  launch.clusterClocks.join(snapshot(self));
  advance(self);
  self.clusterPhase = launch.clusterPhase;
  self.hasArrived = true;
  ++launch.clusterArrived;
  completeClusterBarrier(launch);
}

void forge_sim_cluster_wait(uint32_t site) {
  MachineState &state = *machine;
  Launch &launch = *state.launch;
  if (state.current->clusterPhase == launch.clusterPhase)
    suspend(Wait::ClusterBarrier, site);
  state.current->hasArrived = false;
  acquire(*state.current, launch.clusterDone);
}

void forge_sim_assert(uint32_t condition, uint32_t site) {
  if (!condition)
    fail(FindingKind::Assertion, "the condition does not hold", site);
}
}
