// A folder for the files of another program's run. No MLIR.
#ifndef FORGE_SUPPORT_SCRATCHFOLDER_H
#define FORGE_SUPPORT_SCRATCHFOLDER_H

#include "forge/Support/Result.h"

#include <string>

namespace forge {

/// A new folder among the system's temporary ones. It goes with its owner, or with the process when
/// that is interrupted.
class ScratchFolder {
public:
  /// "forge-link" becomes /tmp/forge-link-XXXXXX. Errors: "cannot make a temporary folder in
  /// /nowhere (TMPDIR): No such file or directory".
  static Result<ScratchFolder> create(const std::string &prefix);
  ScratchFolder(ScratchFolder &&other) noexcept;
  ScratchFolder(const ScratchFolder &) = delete;
  ScratchFolder &operator=(const ScratchFolder &) = delete;
  ScratchFolder &operator=(ScratchFolder &&) = delete;
  ~ScratchFolder();

  const std::string &path() const { return folder; }
  /// The path of a file in it, which somebody will write.
  std::string file(const std::string &name);

private:
  explicit ScratchFolder(std::string folder) : folder(std::move(folder)) {}

  std::string folder; // empty when moved from
};

} // namespace forge

#endif // FORGE_SUPPORT_SCRATCHFOLDER_H
