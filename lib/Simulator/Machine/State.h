// What a launch in progress consists of: threads, warps, blocks, the cluster that runs, the
// machine.
#ifndef FORGE_LIB_SIMULATOR_MACHINE_STATE_H
#define FORGE_LIB_SIMULATOR_MACHINE_STATE_H

#include "Clocks.h"
#include "Fiber.h"
#include "Memory.h"

#include "forge/Simulator/Machine.h"

#include <deque>
#include <functional>
#include <unordered_map>

namespace forge::sim {

struct Block;
struct Thread;
struct WarpGroupMeeting;
struct Warp;

/// Shared memory is at addresses whose low bits are its offset, as in the hardware's shared
/// window.
inline constexpr uint64_t kSharedWindow = 256 << 10;

/// Why a thread does not run.
enum class Wait : uint8_t {
  None,
  Barrier,
  NamedBarrier,
  ClusterBarrier,
  Collective,
  MBarrier,
  Poll
};

struct Thread {
  Block *block = nullptr;
  Warp *warp = nullptr;
  /// Number in the block, in the grid, in the warp.
  uint32_t linear = 0, global = 0, lane = 0;
  uint32_t id[3] = {0, 0, 0};

  uint32_t clock = 0;
  /// Accesses of the block with a clock below are over; to shared memory, and to global memory.
  uint32_t base[2] = {0, 0};
  /// The same for accesses of the warp.
  uint32_t warpBase = 0;
  /// What else is over, if anything.
  Clocks known;
  bool knows = false;
  /// What a fence has made ready for the next atomic operation, and what atomic operations have
  /// brought for the next fence.
  bool fenced = false;
  Clocks fetched;

  boost::context::detail::fcontext_t context = nullptr;
  Stack stack;
  Wait wait = Wait::None;
  bool started = false, exited = false;
  uint32_t clusterPhase = 0;
  /// Whether it has arrived at the cluster's barrier and not waited for it.
  bool hasArrived = false;
  /// Steps of loops taken, and those of the turn that are left.
  uint64_t steps = 0;
  uint32_t stepsOfTurn = 0;
  /// Where it waits.
  uint32_t site = 0;
  /// Asynchronous copies of this thread (see Async.cpp).
  std::unique_ptr<struct AsyncState> async;
};

/// A meeting of lanes at a warp operation that has not happened yet.
struct Collective {
  uint32_t kind = 0, site = 0;
  /// Lanes that take part, and those that are here.
  uint64_t mask = 0, arrived = 0;
  /// Lanes that do not come are left out, as on a processor that runs the active lanes of a warp in
  /// step.
  bool activeLanes = false;
  void *payloads[64] = {};
  void (*complete)(Collective &, Warp &) = nullptr;
};

struct Warp {
  Block *block = nullptr;
  uint32_t first = 0, lanes = 0;
  /// Lanes that have not exited.
  uint64_t live = 0;
  std::vector<Collective> pending;
};

/// A barrier with a number, and as many threads as it was called with.
struct NamedBarrier {
  uint32_t expected = 0, arrived = 0;
  std::vector<Thread *> waiting;
  Clocks clocks;
};

struct Block {
  uint32_t id[3] = {0, 0, 0};
  uint32_t linear = 0, rankInCluster = 0;
  uint32_t firstThread = 0;
  std::vector<Thread> threads;
  std::vector<Warp> warps;
  uint32_t live = 0, atBarrier = 0, barrierSite = 0;
  /// The number of bytes of shared memory, and their place. The low 18 bits of the address are the
  /// offset.
  Region shared;
  Pages sharedContent, sharedStates, sharedCells;
  std::map<uint32_t, NamedBarrier> named;
  std::map<uint32_t, struct MBarrier> mbarriers;
  /// By number of the warpgroup: a product that waits for threads, and who reads its operands.
  std::unique_ptr<WarpGroupMeeting> warpGroups[8];
  uint32_t groupAgents[8] = {};
  /// Accesses of its threads that fences have ordered before what is asynchronous.
  Clocks fenced;
  Block();
  ~Block();
};

/// A place in the code with what the last access there has found.
struct Site {
  /// An access at `address` is inside if address - low < span.
  uintptr_t low = 0, span = 0;
  Region *region = nullptr;
  uint32_t bytes = 0, alignMask = 0;
};

/// An argument's part of the memory; an end of 0 is not known.
struct Extent {
  uintptr_t base = 0, end = 0;
};

/// The launch in progress.
struct Launch {
  const Kernel *kernel = nullptr;
  LaunchConfig config;
  void **args = nullptr;
  uint32_t epoch = 0;
  std::vector<Site> sites;
  std::vector<Extent> extents;
  std::deque<Region> regions;
  uint64_t usedCells = 0;
  std::vector<Pages> moreCells;
  /// Blocks that run at the same time, and their threads that can go on or wait for something to
  /// poll.
  std::vector<Block *> cluster;
  std::deque<Thread *> ready, polling;
  std::vector<Thread *> unstarted;
  size_t nextUnstarted = 0;
  uint32_t idlePolls = 0, clusterArrived = 0, clusterPhase = 0;
  /// Threads that have exited, of which the cluster's barrier no longer waits; and those of them
  /// that are among `clusterArrived`.
  uint32_t clusterExited = 0, clusterExitedHere = 0;
  Clocks clusterClocks, clusterDone;
  /// Those that are no threads but access memory (copies, products of warpgroups), numbered after
  /// all threads; for each the operation it was made by.
  std::vector<Party> agents;
  uint32_t takeAgent(Party party) {
    agents.push_back(std::move(party));
    return config.grid.count() * config.block.count() + agents.size() - 1;
  }
  /// What atomic operations have published, by address.
  std::unordered_map<uintptr_t, Clocks> published;
};

struct MachineState {
  Chip chip;
  Options options;
  Statistics statistics;
  Memory memory;
  StackPool stacks;
  Pages cells;
  std::vector<std::unique_ptr<Block>> blocks;
  /// Last clock given.
  uint32_t clock = 0;
  std::unique_ptr<Launch> launch;
  std::optional<Finding> finding;
  /// Where the launch goes on when a thread waits or ends, and the thread that runs.
  FiberCaller scheduler;
  Thread *current = nullptr;

  uint32_t tick();
};

/// The machine whose kernel runs on this thread of the process.
extern thread_local MachineState *machine;

//--- Report.cpp

/// Ends the launch with a finding about the running thread at `site`, and with the others that take
/// part.
[[noreturn]] void fail(FindingKind kind, std::string what, uint32_t site,
                       const std::vector<Party> &others = {});
/// Ends the launch with a finding.
[[noreturn]] void fail(Finding finding);
/// The same about a thread that does not run.
[[noreturn]] void failAt(const Thread &thread, FindingKind kind, std::string what, uint32_t site,
                         const std::vector<Party> &others = {});
Party partyOf(const Thread &thread, uint32_t site);
/// The party of an earlier access.
Party partyOf(const Record &record);

//--- Scheduler.cpp

/// Runs all threads of `launch.cluster` to their ends.
void runCluster(MachineState &machine);
/// The running thread waits, until another one makes it ready, or for ever if the launch ends with
/// a finding: the caller must own nothing on the stack.
void suspend(Wait wait, uint32_t site);
void makeReady(Thread &thread);
/// Gives a thread the steps of loops that it may take until others have their turn.
void beginTurn(Thread &thread);
/// The running thread lets all others run first. A deadlock if nothing happens any more.
void poll(uint32_t site);
/// Something has happened that a polling thread may wait for.
void notePolledChange();

//--- Barrier.cpp, Collective.cpp, Async.cpp: what the scheduler tells them

void threadExitedBarrier(Thread &thread);
void threadExitedCluster(Thread &thread);
void threadExitedWarp(Thread &thread);
/// Completes an operation of active lanes whose other lanes will not come; true if there was one.
bool completeActiveLanes(Launch &launch);
/// Describes what everybody waits for, and ends the launch.
[[noreturn]] void reportDeadlock(Launch &launch);

//--- Collective.cpp

/// The running thread waits until all lanes of `mask` have come (0: all that live, at the same
/// site), or as many as come if `activeLanes`. The last one calls `complete`.
void meet(uint32_t kind, uint64_t mask, bool activeLanes, void *payload,
          void (*complete)(Collective &, Warp &), uint32_t site);

//--- Access.cpp

/// Checks `bytes` bytes from `address` on, and notes the access.
enum class Access : uint8_t { Load, Store, Atomic, AtomicLoad };
void checkAccess(Access access, uintptr_t address, uint64_t bytes, uint32_t site);
/// The region that an access must lie in; ends the launch if there is none.
Region &regionAt(uintptr_t address, uint64_t bytes, uint32_t site, int32_t root, Extent &bounds);

//--- Synchronisation.cpp

/// What is over when the running thread has done what it does now.
Clocks snapshot(const Thread &thread);
/// The thread publishes what it did: later accesses are not covered.
void advance(Thread &thread);
void acquire(Thread &thread, const Clocks &clocks);
/// Whether the access `record` is over for `thread` by what it has learned from others than
/// barriers of its block.
bool orderedBefore(const Record &record, const Thread &thread);

} // namespace forge::sim

#endif // FORGE_LIB_SIMULATOR_MACHINE_STATE_H
