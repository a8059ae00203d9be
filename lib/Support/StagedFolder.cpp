#include "forge/Support/StagedFolder.h"

#include <utility>
#include <vector>

#include <unistd.h>

using namespace forge;
namespace fs = std::filesystem;

/// The outermost folder on the way to `folder` that does not exist; empty if all do.
static fs::path outermostMissing(const fs::path &folder) {
  fs::path missing;
  std::error_code ignored;
  for (fs::path at = folder; !at.empty() && !fs::exists(at, ignored); at = at.parent_path())
    missing = at;
  return missing;
}

Result<StagedFolder> StagedFolder::create(const std::string &folder) {
  // "out/" is the folder "out".
  fs::path path =
      fs::path(folder).has_filename() ? fs::path(folder) : fs::path(folder).parent_path();
  StagedFolder staged(path, outermostMissing(path));
  fs::path stage = path / (".tmp." + std::to_string(getpid()));
  std::error_code error;
  fs::create_directories(stage, error);
  if (error) {
    staged.removeNewFolders();
    return Error{folder + ": cannot make this folder: " + error.message()};
  }
  staged.stage = stage;
  return staged;
}

StagedFolder::StagedFolder(StagedFolder &&other) noexcept
    : folder(std::move(other.folder)), stage(std::exchange(other.stage, fs::path())),
      outermostNew(std::exchange(other.outermostNew, fs::path())) {}

StagedFolder::~StagedFolder() {
  if (stage.empty())
    return;
  std::error_code ignored;
  fs::remove_all(stage, ignored);
  removeNewFolders();
}

/// Innermost first; one in which somebody else has put something stays.
void StagedFolder::removeNewFolders() {
  if (outermostNew.empty())
    return;
  std::error_code error;
  for (fs::path at = folder;; at = at.parent_path()) {
    fs::remove(at, error);
    if (at == outermostNew)
      return;
  }
}

Result<void> StagedFolder::commit() {
  std::error_code error;
  std::vector<fs::path> files;
  for (const fs::directory_entry &entry : fs::directory_iterator(stage, error))
    files.push_back(entry.path());
  for (const fs::path &file : files) {
    fs::rename(file, folder / file.filename(), error);
    if (error)
      return Error{(folder / file.filename()).string() + ": cannot write: " + error.message()};
  }
  fs::remove(std::exchange(stage, fs::path()), error);
  return {};
}
