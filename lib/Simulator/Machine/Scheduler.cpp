// Runs the threads of a cluster on stacks of their own, deterministically:
// 1. A thread that can go on runs before one that has not begun: few are in flight.
// 2. A stack whose thread has ended takes the next thread that has not begun, without a switch: a
//    kernel that never waits runs on one stack.
// 3. Threads that poll run when no other can. When all do and nothing changes, they never end.
// 4. A thread that stays in loops for long lets others run too, as on a device, where it may be
//    them it waits for. One that takes more steps than the limit counts as endless.
// 5. When no thread can run and not all have ended, the launch ends with a finding.
#include "Async.h"

using namespace forge::sim;
using boost::context::detail::make_fcontext;
using boost::context::detail::transfer_t;

/// Rounds of polling without any change after which a launch counts as dead.
static constexpr uint32_t kIdlePolls = 64;

/// Steps of loops after which other threads run.
static constexpr uint32_t kStepsOfTurn = 1 << 16;

static Thread *takeUnstarted(Launch &launch) {
  if (launch.nextUnstarted == launch.unstarted.size())
    return nullptr;
  return launch.unstarted[launch.nextUnstarted++];
}

/// The thread has returned from the kernel.
static void endThread(Thread &thread) {
  thread.exited = true;
  notePolledChange();
  --thread.block->live;
  threadExitedWarp(thread);
  threadExitedBarrier(thread);
  threadExitedCluster(thread);
}

/// What a stack does: one thread after the other, as long as none waits.
static void stackMain(transfer_t from) {
  MachineState &state = *machine;
  Launch &launch = *state.launch;
  beginFiber(from, state.scheduler);
  Thread *thread = static_cast<Thread *>(from.data);
  while (thread) {
    state.current = thread;
    thread->started = true;
    launch.kernel->entry(launch.args);
    Stack stack = thread->stack;
    endThread(*thread);
    Thread *next = launch.ready.empty() ? takeUnstarted(launch) : nullptr;
    if (next)
      next->stack = stack;
    thread = next;
  }
  // The stack is free as soon as the scheduler runs.
  endFiber(state.scheduler);
}

/// A stack, or a finding and a null `memory`.
static Stack takeStack(MachineState &state) {
  Stack stack = state.stacks.take();
  if (!stack.memory)
    state.finding = Finding{FindingKind::InvalidOperation,
                            state.launch->kernel->name,
                            "no memory for the stack of a thread",
                            {}};
  return stack;
}

static void resume(MachineState &state, Thread &thread) {
  state.current = &thread;
  ++state.statistics.switches;
  boost::context::detail::fcontext_t context = thread.context;
  if (!thread.started) {
    thread.stack = takeStack(state);
    if (!thread.stack.memory)
      return;
    context = make_fcontext(thread.stack.top(), thread.stack.bytes, stackMain);
  }
  context = enterFiber(context, thread.stack, &thread);
  Thread &stopped = *state.current;
  if (state.finding)
    return;
  if (stopped.exited)
    state.stacks.giveBack(stopped.stack);
  else
    stopped.context = context;
}

void forge::sim::suspend(Wait wait, uint32_t site) {
  MachineState &state = *machine;
  Thread &self = *state.current;
  self.wait = wait;
  self.site = site;
  leaveFiber(state.scheduler);
  self.wait = Wait::None;
}

void forge::sim::makeReady(Thread &thread) {
  machine->launch->ready.push_back(&thread);
  notePolledChange();
}

void forge::sim::notePolledChange() { machine->launch->idlePolls = 0; }

void forge::sim::poll(uint32_t site) {
  machine->launch->polling.push_back(machine->current);
  suspend(Wait::Poll, site);
}

void forge::sim::beginTurn(Thread &thread) {
  uint64_t limit = machine->options.stepLimit;
  uint64_t left = limit > thread.steps ? limit - thread.steps : 0;
  thread.stepsOfTurn = std::min<uint64_t>(left + 1, kStepsOfTurn);
  thread.steps += thread.stepsOfTurn;
}

/// The running thread has taken all steps of its turn.
static void endTurn(uint32_t site) {
  MachineState &state = *machine;
  Thread &self = *state.current;
  if (self.steps > state.options.stepLimit)
    fail(FindingKind::Endless,
         "a thread has not ended after " + std::to_string(state.options.stepLimit) +
             " steps of loops",
         site);
  beginTurn(self);
  // Not idle: what this thread does may be what others poll for.
  notePolledChange();
  poll(site);
}

/// The next thread to run, or null if all have ended.
static Thread *next(Launch &launch) {
  if (!launch.ready.empty()) {
    Thread *thread = launch.ready.front();
    launch.ready.pop_front();
    return thread;
  }
  if (Thread *thread = takeUnstarted(launch))
    return thread;
  if (!launch.polling.empty() && launch.idlePolls < kIdlePolls * launch.polling.size()) {
    ++launch.idlePolls;
    Thread *thread = launch.polling.front();
    launch.polling.pop_front();
    return thread;
  }
  return nullptr;
}

static bool anyLive(const Launch &launch) {
  for (const Block *block : launch.cluster)
    if (block->live)
      return true;
  return false;
}

/// Runs on a stack of its own for the length of one call: what ends a launch jumps to the
/// scheduler.
static void reportMain(transfer_t from) {
  beginFiber(from, machine->scheduler);
  if (!completeActiveLanes(*machine->launch) && !endAwaitedCopy(*machine->launch))
    reportDeadlock(*machine->launch);
  endFiber(machine->scheduler);
}

void forge::sim::runCluster(MachineState &state) {
  Launch &launch = *state.launch;
  while (!state.finding) {
    if (Thread *thread = next(launch)) {
      resume(state, *thread);
      continue;
    }
    if (!anyLive(launch))
      return;
    Stack stack = takeStack(state);
    if (!stack.memory)
      return;
    enterFiber(make_fcontext(stack.top(), stack.bytes, reportMain), stack, nullptr);
    state.stacks.giveBack(stack);
  }
}

extern "C" void forge_sim_step(uint32_t site) {
  if (--machine->current->stepsOfTurn == 0) [[unlikely]]
    endTurn(site);
}
