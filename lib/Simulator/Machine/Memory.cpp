#include "Memory.h"

#include <sys/mman.h>
#include <utility>

using namespace forge;
using namespace forge::sim;

Pages Pages::map(uint64_t bytes) {
  Pages pages;
  if (bytes == 0)
    return pages;
  void *memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED)
    return pages;
  pages.memory = static_cast<uint8_t *>(memory);
  pages.bytes = bytes;
  return pages;
}

Pages::~Pages() {
  if (memory)
    munmap(memory, bytes);
}

Pages::Pages(Pages &&other) noexcept
    : memory(std::exchange(other.memory, nullptr)), bytes(std::exchange(other.bytes, 0)) {}

Pages &Pages::operator=(Pages &&other) noexcept {
  std::swap(memory, other.memory);
  std::swap(bytes, other.bytes);
  return *this;
}

void Pages::clear() {
  if (memory)
    madvise(memory, bytes, MADV_DONTNEED);
}

Result<void *> Memory::allocate(uint64_t bytes) {
  // A page more than asked for: no two allocations touch, and one of no bytes has an address of its
  // own.
  uint64_t padded = bytes + 4096;
  auto allocation = std::make_unique<Allocation>();
  if (padded > bytes) {
    allocation->content = Pages::map(padded);
    allocation->states = Pages::map(padded);
  }
  if (!allocation->content.data() || !allocation->states.data())
    return Error{"out of memory: " + std::to_string(bytes) + " bytes asked for, " +
                 std::to_string(inUse) + " in use"};
  allocation->bytes = bytes;
  allocation->base = reinterpret_cast<uintptr_t>(allocation->content.data());
  inUse += bytes;
  void *pointer = allocation->content.data();
  allocations.emplace(allocation->base, std::move(allocation));
  return pointer;
}

Result<void> Memory::free(void *pointer) {
  auto it = allocations.find(reinterpret_cast<uintptr_t>(pointer));
  if (it == allocations.end())
    return Error{"the pointer to free is not the start of an allocation"};
  inUse -= it->second->bytes;
  allocations.erase(it);
  return {};
}

Allocation *Memory::find(uintptr_t address) {
  auto it = allocations.upper_bound(address);
  if (it == allocations.begin())
    return nullptr;
  Allocation &allocation = *std::prev(it)->second;
  return address - allocation.base < allocation.bytes ? &allocation : nullptr;
}

Result<Allocation *> Memory::findRange(const void *pointer, uint64_t bytes) {
  uintptr_t address = reinterpret_cast<uintptr_t>(pointer);
  auto it = allocations.upper_bound(address);
  if (it != allocations.begin()) {
    Allocation &allocation = *std::prev(it)->second;
    uint64_t offset = address - allocation.base;
    if (offset <= allocation.bytes && bytes <= allocation.bytes - offset)
      return &allocation;
  }
  return Error{"expected " + std::to_string(bytes) +
               " bytes of device memory, but the address is " + describe(address)};
}

std::string Memory::describe(uintptr_t address) const {
  auto it = allocations.upper_bound(address);
  if (it == allocations.begin())
    return "in no allocation";
  const Allocation &before = *std::prev(it)->second;
  uint64_t offset = address - before.base;
  std::string size = std::to_string(before.bytes) + " bytes";
  if (offset < before.bytes)
    return "at offset " + std::to_string(offset) + " of an allocation of " + size;
  uint64_t past = offset - before.bytes;
  if (past < (1 << 20))
    return std::to_string(past) + " bytes after the end of an allocation of " + size;
  return "in no allocation";
}
