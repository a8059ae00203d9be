#include "HostMemory.h"

#include "forge/Support/AvailableMemory.h"

#include <sys/mman.h>
#include <unistd.h>

using namespace forge;
using namespace forge::rt;

/// The size of the mapping that holds `bytes`.
static size_t mappedBytes(size_t bytes) {
  size_t page = static_cast<size_t>(sysconf(_SC_PAGESIZE));
  return (bytes + page - 1) / page * page;
}

HostMemory::~HostMemory() {
  for (auto &[base, bytes] : blocks)
    munmap(const_cast<char *>(base), mappedBytes(bytes));
}

Result<void *> HostMemory::allocate(size_t bytes) {
  if (bytes == 0)
    return static_cast<void *>(nullptr);
  std::lock_guard<std::mutex> lock(mutex);
  Error full{"out of memory: " + std::to_string(bytes) + " bytes on top of " +
             std::to_string(used) + " (limit " + std::to_string(limit) + ")"};
  if (bytes > limit || used > limit - bytes || exceedsMemory(bytes))
    return full;
  void *base = mmap(nullptr, mappedBytes(bytes), PROT_READ | PROT_WRITE,
                    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (base == MAP_FAILED)
    return full;
  blocks[static_cast<char *>(base)] = bytes;
  used += bytes;
  return base;
}

Result<void> HostMemory::release(void *pointer) {
  if (!pointer)
    return {};
  std::lock_guard<std::mutex> lock(mutex);
  auto it = blocks.find(static_cast<char *>(pointer));
  if (it == blocks.end())
    return Error{"release: expected an address that allocate gave, not yet released"};
  munmap(pointer, mappedBytes(it->second));
  used -= it->second;
  blocks.erase(it);
  return {};
}

Result<void> HostMemory::check(const void *pointer, size_t bytes, const char *what) {
  if (bytes == 0)
    return {};
  std::lock_guard<std::mutex> lock(mutex);
  const char *start = static_cast<const char *>(pointer);
  auto it = blocks.upper_bound(start);
  if (it == blocks.begin())
    return Error{std::string(what) + ": expected device memory, but the address is in no block"};
  --it;
  size_t offset = static_cast<size_t>(start - it->first);
  if (offset >= it->second)
    return Error{std::string(what) + ": expected device memory, but the address is in no block"};
  if (bytes > it->second - offset)
    return Error{std::string(what) + ": expected at most " + std::to_string(it->second - offset) +
                 " bytes to the end of the block, but got " + std::to_string(bytes)};
  return {};
}

size_t HostMemory::usedBytes() {
  std::lock_guard<std::mutex> lock(mutex);
  return used;
}
