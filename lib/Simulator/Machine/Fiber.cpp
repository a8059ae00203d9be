#include "Fiber.h"

#include "forge/Support/Sanitizers.h"

#include <sys/mman.h>
#include <unwind.h>

using namespace forge::sim;
using boost::context::detail::fcontext_t;
using boost::context::detail::jump_fcontext;
using boost::context::detail::transfer_t;

#if FORGE_ADDRESS_SANITIZER
#include <sanitizer/asan_interface.h>
#include <sanitizer/common_interface_defs.h>

/// Before a switch to `to`. What the sanitizer keeps for the stack that is left goes to `kept`; a
/// null `kept` says that it is not come back to.
static void startSwitch(void **kept, const Stack &to) {
  __sanitizer_start_switch_fiber(kept, to.memory, to.bytes);
}
/// After a switch. Gives the stack that was left.
static Stack finishSwitch(void *kept) {
  const void *memory = nullptr;
  size_t bytes = 0;
  __sanitizer_finish_switch_fiber(kept, &memory, &bytes);
  return {static_cast<char *>(const_cast<void *>(memory)), bytes};
}
/// Frames that were left without a return are no frames any more.
static void forgetFrames(const Stack &stack) {
  __asan_unpoison_memory_region(stack.memory, stack.bytes);
}
#else
static void startSwitch(void **, const Stack &) {}
static Stack finishSwitch(void *) { return {}; }
static void forgetFrames(const Stack &) {}
#endif

static constexpr size_t kPage = 4096;

void StackPool::releaseAll() {
  for (const Stack &stack : all) {
    forgetFrames(stack);
    munmap(stack.memory - kPage, stack.bytes + kPage);
  }
  all.clear();
  idle.clear();
}

StackPool::~StackPool() { releaseAll(); }

void StackPool::reserve(size_t bytes) {
  bytes = (bytes + kPage - 1) / kPage * kPage;
  if (bytes <= stackBytes)
    return;
  releaseAll();
  stackBytes = bytes;
}

Stack StackPool::take() {
  if (!idle.empty()) {
    Stack stack = idle.back();
    idle.pop_back();
    forgetFrames(stack);
    return stack;
  }
  void *memory = mmap(nullptr, stackBytes + kPage, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED)
    return Stack();
  mprotect(memory, kPage, PROT_NONE);
  Stack stack{static_cast<char *>(memory) + kPage, stackBytes};
  all.push_back(stack);
  return stack;
}

fcontext_t forge::sim::enterFiber(fcontext_t context, const Stack &stack, void *data) {
  void *kept = nullptr;
  startSwitch(&kept, stack);
  transfer_t back = jump_fcontext(context, data);
  finishSwitch(kept);
  return back.fctx;
}

void forge::sim::beginFiber(transfer_t from, FiberCaller &caller) {
  caller = {from.fctx, finishSwitch(nullptr)};
}

void forge::sim::leaveFiber(FiberCaller &caller) {
  void *kept = nullptr;
  startSwitch(&kept, caller.stack);
  transfer_t back = jump_fcontext(caller.context, nullptr);
  caller = {back.fctx, finishSwitch(kept)};
}

void forge::sim::endFiber(const FiberCaller &caller) {
  startSwitch(nullptr, caller.stack);
  jump_fcontext(caller.context, nullptr);
  __builtin_unreachable();
}

/// Called before each frame is left, and when there is none that the unwinder knows: the code of
/// the kernel, which owns nothing, or the start of the stack.
static _Unwind_Reason_Code endAtLastFrame(int, _Unwind_Action actions, _Unwind_Exception_Class,
                                          _Unwind_Exception *, _Unwind_Context *, void *caller) {
  if (actions & _UA_END_OF_STACK)
    endFiber(*static_cast<const FiberCaller *>(caller));
  return _URC_NO_REASON;
}

void forge::sim::unwindFiber(FiberCaller &caller) {
  // Not on the stack: what the frames above it stood on is used again while they are left.
  thread_local _Unwind_Exception unwinding;
  unwinding = {};
  _Unwind_ForcedUnwind(&unwinding, endAtLastFrame, &caller);
  endFiber(caller); // the unwinder found no way: what is left there is lost
}
