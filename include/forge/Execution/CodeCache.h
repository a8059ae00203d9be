// Machine code that is kept in a folder from one process to the next.
#ifndef FORGE_EXECUTION_CODECACHE_H
#define FORGE_EXECUTION_CODECACHE_H

#include "forge/Execution/Executable.h"

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/MemoryBuffer.h"

#include <mutex>

namespace forge {

/// A file for each function that was compiled, named by a hash of all that its code depends on.
/// Several processes, and threads, may use a folder at the same time: files are replaced whole. No
/// file is trusted: what is not as it was written counts as missing. Nothing here fails: without the
/// cache everything is compiled.
class CodeCache {
public:
  /// What is kept of a function.
  struct Code {
    std::unique_ptr<llvm::MemoryBuffer> object;
    std::vector<KernelInfo> kernels;
    int64_t temporaryBytes = 0;
  };

  static constexpr uint64_t defaultMaxBytes = uint64_t(2) << 30;

  /// Makes the folder where it is missing. One that is not the user's own, or that others can write
  /// to, is not used.
  explicit CodeCache(std::string folder, uint64_t maxBytes = defaultMaxBytes);

  /// FORGE_CACHE_DIR, else forge in XDG_CACHE_HOME, else .cache/forge in HOME. Empty where
  /// FORGE_CACHE_DIR is, or where there is none of them.
  static std::string defaultFolder();

  /// The code of a key (64 hexadecimal digits), and marks it as used now.
  std::optional<Code> find(llvm::StringRef key);
  /// Keeps code; beyond the most bytes the files that were used longest ago go.
  void store(llvm::StringRef key, llvm::MemoryBufferRef object,
             const std::vector<KernelInfo> &kernels, int64_t temporaryBytes);

  /// How often find has found code, and how often not.
  size_t numHits() const { return hits; }
  size_t numMisses() const { return misses; }
  /// Why nothing can be kept; empty where it can.
  const std::string &problem() const { return trouble; }

private:
  std::string fileOf(llvm::StringRef key) const;
  void evict() const;

  std::mutex mutex;
  std::string folder;
  uint64_t maxBytes;
  size_t hits = 0, misses = 0;
  std::string trouble;
};

} // namespace forge

#endif // FORGE_EXECUTION_CODECACHE_H
