// Device memory, and the shadow that says of every byte whether it was written and of every granule
// who was there.
#ifndef FORGE_LIB_SIMULATOR_MACHINE_MEMORY_H
#define FORGE_LIB_SIMULATOR_MACHINE_MEMORY_H

#include "forge/Support/Result.h"

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace forge::sim {

/// Pages that are zero until they are touched.
class Pages {
public:
  Pages() = default;
  ~Pages();
  Pages(Pages &&other) noexcept;
  Pages &operator=(Pages &&other) noexcept;
  /// Null if the system has no address space left.
  static Pages map(uint64_t bytes);
  uint8_t *data() const { return memory; }
  uint64_t size() const { return bytes; }
  /// All of it is zero again.
  void clear();

private:
  uint8_t *memory = nullptr;
  uint64_t bytes = 0;
};

/// The state of a byte.
enum : uint8_t { kUninitialised = 0, kInitialised = 1, kPending = 2 };

struct Allocation {
  uintptr_t base = 0;
  uint64_t bytes = 0;
  Pages content, states;
};

class Memory {
public:
  Result<void *> allocate(uint64_t bytes);
  Result<void> free(void *pointer);
  /// The allocation that holds `address`, or null.
  Allocation *find(uintptr_t address);
  /// The one all of whose bytes from `address` on lie in, or an error that says what is there
  /// instead.
  Result<Allocation *> findRange(const void *address, uint64_t bytes);
  /// Where `address` lies, for a message: "8 bytes after an allocation of 64 bytes".
  std::string describe(uintptr_t address) const;
  uint64_t bytesInUse() const { return inUse; }

private:
  std::map<uintptr_t, std::unique_ptr<Allocation>> allocations;
  uint64_t inUse = 0;
};

/// An access as the shadow remembers it: the thread's number in the grid, its clock, the site.
struct Record {
  uint32_t thread = 0, clock = 0;
  uint32_t site : 31, atomic : 1;
  Record() : site(0), atomic(0) {}
  Record(uint32_t thread, uint32_t clock, uint32_t site, bool atomic)
      : thread(thread), clock(clock), site(site), atomic(atomic) {}
};

/// The last write of a granule, and two reads by different threads: with barriers alone these
/// suffice to find every write that is not ordered after all reads, because one of two readers is
/// another thread than the writer.
struct Cell {
  Record write, reads[2];
};

/// A range of memory whose accesses are compared with each other: the arguments of a launch that
/// overlap, an allocation, or the shared memory of a block.
struct Region {
  uintptr_t base = 0, end = 0;
  uint8_t *states = nullptr;
  Cell *cells = nullptr;
  /// A granule has 1 << shift bytes, the smallest access so far.
  unsigned shift = 2;
  /// Accesses with a clock below this are over: earlier launches, or earlier blocks of shared
  /// memory.
  uint32_t epoch = 0;
  bool shared = false;
  std::string name;
};

} // namespace forge::sim

#endif // FORGE_LIB_SIMULATOR_MACHINE_MEMORY_H
