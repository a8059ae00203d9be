#include "forge/Support/LargeBlocks.h"

#include "forge/Support/AvailableMemory.h"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <map>
#include <mutex>
#include <unistd.h>
#include <unordered_map>

using namespace forge;

#if defined(__SANITIZE_ADDRESS__)
static constexpr bool kKeepsBlocks = false;
#elif defined(__has_feature)
static constexpr bool kKeepsBlocks = !__has_feature(address_sanitizer);
#else
static constexpr bool kKeepsBlocks = true;
#endif

static constexpr size_t kLeastKept = size_t(256) << 20;

/// Of a block that is larger than asked for, an eighth may be unused.
static constexpr size_t kUnusedShare = 8;

namespace {
class LargeBlocks {
public:
  /// Never destroyed: tensors may outlive it.
  static LargeBlocks &instance() {
    static auto *blocks = new LargeBlocks;
    return *blocks;
  }

  void *take(size_t bytes) {
    std::lock_guard<std::mutex> lock(mutex);
    if (auto found = kept.lower_bound(bytes);
        found != kept.end() && found->first <= bytes + bytes / kUnusedShare) {
      auto [size, block] = *found;
      kept.erase(found);
      keptBytes -= size;
      return use(block, size);
    }
    if (exceedsMemory(bytes)) {
      drop(0);
      if (exceedsMemory(bytes))
        return nullptr;
    }
    void *block = std::aligned_alloc(kHugePage, bytes);
    if (!block) {
      drop(0);
      block = std::aligned_alloc(kHugePage, bytes);
    }
    if (!block)
      return nullptr;
    preferHugePages(block, bytes);
    return use(block, bytes);
  }

  bool release(void *block) {
    std::lock_guard<std::mutex> lock(mutex);
    auto found = used.find(block);
    if (found == used.end())
      return false;
    size_t bytes = found->second;
    used.erase(found);
    usedBytes -= bytes;
    kept.emplace(bytes, block);
    keptBytes += bytes;
    drop(kKeepsBlocks ? std::min(std::max(usedBytes, kLeastKept), mostKept) : 0);
    return true;
  }

  /// Keeps no more than `most` bytes; the smallest go first, which are taken anew at the least
  /// cost.
  void drop(size_t most) {
    while (keptBytes > most) {
      auto smallest = kept.begin();
      keptBytes -= smallest->first;
      std::free(smallest->second);
      kept.erase(smallest);
    }
  }

  std::mutex mutex;
  size_t keptBytes = 0;

private:
  void *use(void *block, size_t bytes) {
    used.emplace(block, bytes);
    usedBytes += bytes;
    return block;
  }

  std::unordered_map<void *, size_t> used;
  std::multimap<size_t, void *> kept;
  size_t usedBytes = 0;
  size_t mostKept = static_cast<size_t>(std::max(sysconf(_SC_PHYS_PAGES), 0L)) *
                    static_cast<size_t>(std::max(sysconf(_SC_PAGESIZE), 0L)) / 16;
};
} // namespace

void *forge::takeLargeBlock(size_t bytes) { return LargeBlocks::instance().take(bytes); }

bool forge::releaseLargeBlock(void *pointer) {
  // Most pointers are of small blocks, and not looked for.
  return pointer && reinterpret_cast<uintptr_t>(pointer) % kHugePage == 0 &&
         LargeBlocks::instance().release(pointer);
}

size_t forge::keptLargeBlockBytes() {
  LargeBlocks &blocks = LargeBlocks::instance();
  std::lock_guard<std::mutex> lock(blocks.mutex);
  return blocks.keptBytes;
}

void forge::dropLargeBlocks() {
  LargeBlocks &blocks = LargeBlocks::instance();
  std::lock_guard<std::mutex> lock(blocks.mutex);
  blocks.drop(0);
}
