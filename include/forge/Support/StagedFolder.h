// Several files written to one folder, all or nothing. No MLIR.
#ifndef FORGE_SUPPORT_STAGEDFOLDER_H
#define FORGE_SUPPORT_STAGEDFOLDER_H

#include "forge/Support/Result.h"

#include <filesystem>
#include <string>
#include <vector>

namespace forge {

/// Files are written to a temporary folder inside the wanted one, and moved up together by
/// `commit`. A stage that is dropped without it leaves nothing: neither files, nor the folders that
/// were made for them.
class StagedFolder {
public:
  /// Makes `folder`, and those above it, if they do not exist. Errors: "out: cannot make this
  /// folder: Permission denied".
  static Result<StagedFolder> create(const std::string &folder);
  /// Makes a new folder in `parent`, called by the number after the largest there: 1, 2 ...
  static Result<StagedFolder> createNumbered(const std::string &parent);
  StagedFolder(StagedFolder &&other) noexcept;
  StagedFolder(const StagedFolder &) = delete;
  StagedFolder &operator=(const StagedFolder &) = delete;
  StagedFolder &operator=(StagedFolder &&) = delete;
  ~StagedFolder();

  /// The folder the files will be in.
  std::string path() const { return folder.string(); }
  /// Where to write the file that will be `name` in the folder.
  std::string pathOf(const std::string &name);
  /// An error about a file of the stage, as one about the file it will be.
  Error inFolder(const Error &error) const;
  /// Moves the files into the folder, over older ones of the same names.
  Result<void> commit();

private:
  StagedFolder(std::filesystem::path folder, std::filesystem::path outermostNew)
      : folder(std::move(folder)), outermostNew(std::move(outermostNew)) {}
  void removeNewFolders();
  /// An interrupt shall not remove them any more.
  void forgetNames();

  /// Makes the stage in `folder`, and what is missing above it.
  Result<void> makeStage();

  /// `stage` is empty when there is nothing to clean up; `outermostNew` when no folder was made.
  std::filesystem::path folder, stage, outermostNew;
  /// The paths given out.
  std::vector<std::string> names;
};

} // namespace forge

#endif // FORGE_SUPPORT_STAGEDFOLDER_H
