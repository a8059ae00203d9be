// Between the files of lib/Tune: one process at a time.
#ifndef FORGE_LIB_TUNE_FILELOCK_H
#define FORGE_LIB_TUNE_FILELOCK_H

#include "forge/Support/Result.h"

#include <string>

namespace forge {

/// Held from lock() to its end; another process, or another FileLock, that asks for the same file
/// waits.
class FileLock {
public:
  FileLock() = default;
  FileLock(const FileLock &) = delete;
  FileLock &operator=(const FileLock &) = delete;
  ~FileLock();

  /// Makes the file where it is missing. An error if the file cannot be opened or locked.
  Result<void> lock(const std::string &path);

private:
  int descriptor = -1;
};

} // namespace forge

#endif // FORGE_LIB_TUNE_FILELOCK_H
