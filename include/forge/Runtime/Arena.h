// Memory for the temporaries of one execution context. No MLIR.
#ifndef FORGE_RUNTIME_ARENA_H
#define FORGE_RUNTIME_ARENA_H

#include <cstddef>
#include <cstdint>
#include <mutex>
#include <vector>

namespace forge::rt {

/// Blocks of size classes, eight per power of two, cut from large chunks; a block given back serves
/// the next request of its class. `reset` gives all blocks back and keeps the chunks. Safe to call
/// from several threads.
class Arena {
public:
  static constexpr size_t alignment = 64;

  /// Takes at most `limitBytes` from the system.
  explicit Arena(size_t limitBytes) : limit(limitBytes) {}
  ~Arena();
  Arena(const Arena &) = delete;
  Arena &operator=(const Arena &) = delete;

  /// 64-byte aligned, of undefined content; null if the limit or the system's memory does not allow
  /// it.
  void *allocate(size_t bytes);
  /// `pointer` comes from allocate, or is null.
  void release(void *pointer);
  /// All blocks become free. No pointer from before may be used again.
  void reset();

  size_t liveBytes() const { return live; }
  /// The most bytes alive at once since the last reset.
  size_t peakBytes() const { return peak; }
  size_t limitBytes() const { return limit; }
  /// What is held of the system's memory.
  size_t reservedBytes() const { return reserved; }

private:
  struct Chunk {
    char *base;
    size_t bytes;
    size_t used;
  };
  struct Header;
  static constexpr size_t numClasses = 8 * 64;

  static size_t classOf(size_t bytes);
  static size_t classBytes(size_t index);
  void *cut(size_t bytes);
  bool grow(size_t bytes);

  std::mutex mutex;
  std::vector<Chunk> chunks;
  Header *freeLists[numClasses] = {};
  size_t limit;
  size_t reserved = 0;
  size_t live = 0;
  size_t peak = 0;
};

/// The limit of an arena if nothing else is given: FORGE_MEMORY_LIMIT (bytes, or with suffix K, M,
/// G), otherwise nine tenths of the machine's memory.
size_t defaultMemoryLimit();

} // namespace forge::rt

#endif // FORGE_RUNTIME_ARENA_H
