// What orders accesses of different threads, apart from the block's barrier.
#include "State.h"

using namespace forge::sim;

uint32_t MachineState::tick() {
  if (++clock == 0)
    fail(FindingKind::InvalidOperation, "more synchronisation than the simulator can count", 0);
  return clock;
}

Clocks forge::sim::snapshot(const Thread &thread) {
  Clocks clocks = thread.known;
  clocks.threads.raise(thread.global, thread.clock);
  const Block &block = *thread.block;
  if (uint32_t base = std::min(thread.base[0], thread.base[1]))
    clocks.blocks.raise(block.linear, base);
  if (thread.warpBase > std::min(thread.base[0], thread.base[1]))
    for (uint32_t lane = 0; lane < thread.warp->lanes; ++lane)
      clocks.threads.raise(block.firstThread + thread.warp->first + lane, thread.warpBase - 1);
  return clocks;
}

void forge::sim::advance(Thread &thread) { thread.clock = machine->tick(); }

void forge::sim::acquire(Thread &thread, const Clocks &clocks) {
  thread.known.join(clocks);
  thread.knows = !thread.known.empty();
}

bool forge::sim::orderedBefore(const Record &record, const Thread &thread) {
  uint32_t block = record.thread / uint32_t(machine->launch->config.block.count());
  return thread.known.threads.lookup(record.thread) >= record.clock ||
         thread.known.blocks.lookup(block) > record.clock;
}

/// Threads whose accesses one address may speak for, before it speaks for nothing any more: an
/// address that tens of thousands of threads add to orders none of them.
static constexpr size_t kPublishers = 4096;

static void publish(uintptr_t address, const Clocks &clocks) {
  Clocks &published = machine->launch->published[address];
  if (published.threads.size() < kPublishers)
    published.join(clocks);
}

extern "C" {
/// An atomic operation. Bits of `flags`: 1 it releases, 2 it acquires, 4 it only reads, 8 its
/// result is used: without, it brings the thread nothing.
void forge_sim_atomic(uintptr_t address, uint32_t flags, uint32_t site) {
  MachineState &state = *machine;
  Thread &thread = *state.current;
  notePolledChange();
  checkAccess(flags & 4 ? Access::AtomicLoad : Access::Atomic, address,
              state.launch->sites[site].bytes, site);
  if (address & state.launch->sites[site].alignMask)
    fail(FindingKind::Misaligned,
         "an atomic operation on an address that is not a multiple of its size", site);
  bool releases = (flags & 1) || thread.fenced;
  if (releases && !(flags & 4))
    publish(address, snapshot(thread));
  if (flags & 8)
    if (auto it = state.launch->published.find(address); it != state.launch->published.end()) {
      // Without acquire order it takes a fence to have an effect.
      thread.fetched.join(it->second);
      if (flags & 2)
        acquire(thread, it->second);
    }
  if (releases)
    advance(thread);
}

/// A fence: what was done before is published by the next atomic operation, and what atomic
/// operations have read takes effect.
void forge_sim_fence() {
  Thread &thread = *machine->current;
  thread.fenced = true;
  acquire(thread, thread.fetched);
  thread.fetched.clear();
}

/// A fence between accesses by threads and asynchronous ones: what the thread knows to be over is
/// ordered before the copies and products of its block that begin from now on.
void forge_sim_proxy_fence() {
  Thread &thread = *machine->current;
  thread.block->fenced.join(snapshot(thread));
  advance(thread);
}
}
