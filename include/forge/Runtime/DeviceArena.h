// Memory of a device, handed out in blocks. No MLIR.
#ifndef FORGE_RUNTIME_DEVICEARENA_H
#define FORGE_RUNTIME_DEVICEARENA_H

#include "forge/Runtime/Device.h"

#include <cstddef>
#include <map>
#include <memory>
#include <set>
#include <unordered_map>
#include <vector>

namespace forge::rt {

/// Hands out 256-byte aligned blocks of a device's memory in the order of one stream: a block given
/// back may be handed out again at once, because what uses it next is enqueued later. Best fit
/// within chunks taken from the device, free neighbours merged; `reset` gives all blocks back and
/// keeps the chunks. When the device has no more, the chunks that are wholly free go back to it
/// first. The same requests after a reset get the same addresses.
class DeviceArena {
public:
  static constexpr size_t alignment = 256;

  struct Options {
    /// The most that is taken from the device; 0: what the device has.
    size_t limitBytes = 0;
    /// A chunk is as large as all before it together, up to this, and at least as large as the
    /// block asked for.
    size_t largestGrowth = size_t(1) << 30;
    /// Work in flight may use blocks that were released.
    bool inFlight = true;
  };

  explicit DeviceArena(std::shared_ptr<Device> device)
      : DeviceArena(std::move(device), Options()) {}
  DeviceArena(std::shared_ptr<Device> device, Options options);
  ~DeviceArena();
  DeviceArena(const DeviceArena &) = delete;
  DeviceArena &operator=(const DeviceArena &) = delete;

  /// Null for 0 bytes.
  Result<void *> allocate(size_t bytes);
  /// `pointer` comes from allocate since the last reset, or is null.
  Result<void> release(void *pointer);
  /// True if allocate gave `pointer` since the last reset, and it was not released.
  bool owns(void *pointer) const { return used.count(static_cast<char *>(pointer)) != 0; }
  /// All blocks become free.
  void reset();
  /// Gives chunks without a block in use back to the device; true if there was one.
  Result<bool> dropFreeChunks();
  /// From here on chunks are always kept: a graph knows addresses in them.
  void pinChunks() { pinned = true; }

  size_t liveBytes() const { return live; }
  /// The most bytes alive at once since the last reset.
  size_t peakBytes() const { return peak; }
  /// What is held of the device's memory.
  size_t reservedBytes() const { return reserved; }

private:
  /// A piece of a chunk, by offset.
  struct Span {
    size_t bytes;
    bool free;
  };
  struct Chunk {
    char *base;
    size_t bytes;
    /// By offset; without gaps, no two free neighbours.
    std::map<size_t, Span> spans;
  };
  /// Bytes, number of the chunk, offset: the first that fits is the smallest, oldest, lowest.
  using FreeKey = std::tuple<size_t, size_t, size_t>;

  void *take(size_t bytes);
  Result<void> grow(size_t bytes);
  void putBack(size_t chunk, size_t offset);

  std::shared_ptr<Device> device;
  uint64_t generation;
  Options options;
  bool pinned = false;
  /// By number; numbers are not used again.
  std::map<size_t, Chunk> chunks;
  size_t nextChunk = 0;
  std::set<FreeKey> freeSpans;
  /// Chunk and offset of each block handed out.
  std::unordered_map<char *, std::pair<size_t, size_t>> used;
  size_t reserved = 0;
  size_t live = 0;
  size_t peak = 0;
};

} // namespace forge::rt

#endif // FORGE_RUNTIME_DEVICEARENA_H
