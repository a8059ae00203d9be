#include "forge/Runtime/Arena.h"

#include "forge/Support/AvailableMemory.h"
#include "forge/Support/HugePages.h"

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <sys/mman.h>
#include <unistd.h>

using namespace forge::rt;

/// Stands in the 64 bytes before each block.
struct Arena::Header {
  size_t sizeClass;
  Header *next;
};

static constexpr size_t kFirstChunk = size_t(1) << 20;
static constexpr size_t kLargestGrowth = size_t(256) << 20;

Arena::~Arena() {
  for (const Chunk &chunk : chunks)
    munmap(chunk.base, chunk.bytes);
}

// A class is (exponent, eighth): sizes up to (8 + eighth) * 2^exponent units of 64 bytes.
size_t Arena::classOf(size_t bytes) {
  size_t units = (bytes + alignment - 1) / alignment;
  if (units < 8)
    return units;
  unsigned exponent = std::bit_width(units) - 4;
  size_t eighth = (units + (size_t(1) << exponent) - 1) >> exponent; // 8 .. 16
  return exponent * 8 + eighth;
}

size_t Arena::classBytes(size_t index) {
  if (index < 16)
    return index * alignment;
  size_t exponent = index / 8 - 1;
  return (index - exponent * 8) * alignment << exponent;
}

bool Arena::grow(size_t bytes) {
  size_t wanted = reserved < kFirstChunk ? kFirstChunk : std::min(reserved, kLargestGrowth);
  size_t page = static_cast<size_t>(sysconf(_SC_PAGESIZE));
  bytes = (bytes + page - 1) / page * page;
  size_t left = limit > reserved ? limit - reserved : 0;
  if (bytes > left)
    return false;
  size_t size = std::min(std::max(bytes, wanted), left / page * page);
  if (exceedsMemory(size))
    size = bytes;
  if (exceedsMemory(size))
    return false;
  void *base = mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (base == MAP_FAILED && size > bytes) {
    size = bytes;
    base = mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  }
  if (base == MAP_FAILED)
    return false;
  preferHugePages(base, size);
  chunks.push_back({static_cast<char *>(base), size, 0});
  reserved += size;
  return true;
}

void *Arena::cut(size_t bytes) {
  // From the newest chunk back: the older ones are smaller and mostly full.
  for (size_t i = chunks.size(); i-- > 0;) {
    Chunk &chunk = chunks[i];
    if (chunk.bytes - chunk.used < bytes)
      continue;
    void *place = chunk.base + chunk.used;
    chunk.used += bytes;
    return place;
  }
  return nullptr;
}

void *Arena::allocate(size_t bytes) {
  if (bytes > limit)
    return nullptr;
  std::lock_guard<std::mutex> lock(mutex);
  size_t index = classOf(bytes);
  size_t size = classBytes(index);
  Header *header = freeLists[index];
  if (header) {
    freeLists[index] = header->next;
  } else {
    size_t needed = size + alignment;
    void *place = cut(needed);
    if (!place && grow(needed))
      place = cut(needed);
    if (!place)
      return nullptr;
    header = static_cast<Header *>(place);
    header->sizeClass = index;
  }
  live += size;
  peak = std::max(peak, live);
  return reinterpret_cast<char *>(header) + alignment;
}

void Arena::release(void *pointer) {
  if (!pointer)
    return;
  Header *header = reinterpret_cast<Header *>(static_cast<char *>(pointer) - alignment);
  std::lock_guard<std::mutex> lock(mutex);
  live -= classBytes(header->sizeClass);
  header->next = freeLists[header->sizeClass];
  freeLists[header->sizeClass] = header;
}

void Arena::reset() {
  std::lock_guard<std::mutex> lock(mutex);
  for (Chunk &chunk : chunks)
    chunk.used = 0;
  for (Header *&list : freeLists)
    list = nullptr;
  live = peak = 0;
}

size_t forge::rt::defaultMemoryLimit() {
  if (const char *text = std::getenv("FORGE_MEMORY_LIMIT")) {
    char *end = nullptr;
    unsigned long long value = std::strtoull(text, &end, 10);
    unsigned shift = *end == 'K' ? 10 : *end == 'M' ? 20 : *end == 'G' ? 30 : 0;
    if (end != text && value <= (~0ull >> shift))
      return static_cast<size_t>(value) << shift;
  }
  long pages = sysconf(_SC_PHYS_PAGES);
  long page = sysconf(_SC_PAGESIZE);
  if (pages <= 0 || page <= 0)
    return size_t(1) << 40;
  return static_cast<size_t>(pages) / 10 * 9 * static_cast<size_t>(page);
}
