// Stacks that threads of a kernel run on, and the switch between them.
#ifndef FORGE_LIB_SIMULATOR_MACHINE_FIBER_H
#define FORGE_LIB_SIMULATOR_MACHINE_FIBER_H

#include <boost/context/detail/fcontext.hpp>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace forge::sim {

/// Memory of one stack, with a page below it that faults.
struct Stack {
  char *memory = nullptr;
  size_t bytes = 0;
  bool contains(uintptr_t address) const {
    return address - reinterpret_cast<uintptr_t>(memory) < bytes;
  }
  char *top() const { return memory + bytes; }
};

/// Stacks of one size. Those that are given back are taken again; pages that no thread has touched
/// cost nothing.
class StackPool {
public:
  StackPool() = default;
  ~StackPool();
  StackPool(const StackPool &) = delete;
  StackPool &operator=(const StackPool &) = delete;

  /// Drops all stacks when `bytes` is larger than before. None may be in use.
  void reserve(size_t bytes);
  /// A null `memory` if the system has none left.
  Stack take();
  void giveBack(Stack stack) { idle.push_back(stack); }
  /// All stacks are idle again, no matter what was on them.
  void reset() { idle = all; }

private:
  void releaseAll();
  size_t stackBytes = 0;
  std::vector<Stack> all, idle;
};

/// Who entered a fiber: where that goes on, and the stack it is on.
struct FiberCaller {
  boost::context::detail::fcontext_t context = nullptr;
  Stack stack;
};

// The switches. Under AddressSanitizer each tells it of the stack that comes next.

/// Starts a fiber, or goes on with it, on its `stack`. Returns when it goes back, with the place
/// where it goes on.
boost::context::detail::fcontext_t enterFiber(boost::context::detail::fcontext_t context,
                                              const Stack &stack, void *data);
/// What a fiber does first: notes who entered it.
void beginFiber(boost::context::detail::transfer_t from, FiberCaller &caller);
/// Goes back to the caller; returns when the fiber is entered again, and notes by whom.
void leaveFiber(FiberCaller &caller);
/// Goes back to the caller, and never on.
[[noreturn]] void endFiber(const FiberCaller &caller);
/// The same from the middle of a fiber: what the frames on its stack own is destroyed first, up to
/// the first frame of code that has no unwind tables.
[[noreturn]] void unwindFiber(FiberCaller &caller);

} // namespace forge::sim

#endif // FORGE_LIB_SIMULATOR_MACHINE_FIBER_H
