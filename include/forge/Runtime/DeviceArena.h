// Memory for the temporaries of one stream of a device. No MLIR.
#ifndef FORGE_RUNTIME_DEVICEARENA_H
#define FORGE_RUNTIME_DEVICEARENA_H

#include "forge/Runtime/Device.h"

#include <cstddef>
#include <map>
#include <memory>
#include <unordered_map>
#include <vector>

namespace forge::rt {

/// Hands out 256-byte aligned blocks of a device's memory in the order of one stream: a block given
/// back may be handed out again at once, because what uses it next is enqueued later. Best fit
/// within chunks taken from the device, neighbours merged; `reset` gives all blocks back and keeps
/// the chunks. When the device has no chunk of the wanted size left, empty chunks go back to it
/// first. Given the same requests after a reset, it gives the same addresses.
class DeviceArena {
public:
  static constexpr size_t alignment = 256;

  /// Takes at most `limitBytes` from the device; 0: what the device has.
  explicit DeviceArena(std::shared_ptr<Device> device, size_t limitBytes = 0);
  ~DeviceArena();
  DeviceArena(const DeviceArena &) = delete;
  DeviceArena &operator=(const DeviceArena &) = delete;

  /// Null for 0 bytes.
  Result<void *> allocate(size_t bytes);
  /// `pointer` comes from allocate since the last reset, or is null.
  Result<void> release(void *pointer);
  /// All blocks become free, but those that are held.
  void reset();
  /// The block is not handed out again, whatever is released or reset, until `unhold`: for graphs,
  /// which know addresses.
  void hold(void *pointer);
  void unhold(void *pointer);

  size_t liveBytes() const { return live; }
  /// The most bytes alive at once since the last reset.
  size_t peakBytes() const { return peak; }
  /// What is held of the device's memory.
  size_t reservedBytes() const { return reserved; }

private:
  struct Chunk;
  struct Block {
    size_t bytes = 0;
    Chunk *chunk = nullptr;
    bool used = false;
    bool held = false;
  };
  struct Chunk {
    char *base;
    size_t bytes;
    /// By offset; cover the chunk without gaps, no two free neighbours.
    std::map<size_t, Block> blocks;
  };

  void *takeFree(size_t bytes);
  Result<void> grow(size_t bytes);
  void dropEmptyChunks();
  void mergeAround(Chunk &chunk, std::map<size_t, Block>::iterator block);
  std::map<size_t, Block>::iterator find(void *pointer, Chunk *&chunk);

  std::shared_ptr<Device> device;
  uint64_t generation;
  size_t limit;
  /// In the order they were taken: best fit prefers the older of two equal blocks.
  std::vector<std::unique_ptr<Chunk>> chunks;
  size_t reserved = 0;
  size_t live = 0;
  size_t peak = 0;
};

} // namespace forge::rt

#endif // FORGE_RUNTIME_DEVICEARENA_H
