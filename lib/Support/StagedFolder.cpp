#include "forge/Support/StagedFolder.h"

#include "forge/Support/Interrupt.h"

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

/// The folders from `outermost` in to `folder`; none when `outermost` is empty.
static std::vector<fs::path> foldersBetween(const fs::path &outermost, const fs::path &folder) {
  std::vector<fs::path> chain;
  for (fs::path at = folder; !outermost.empty(); at = at.parent_path()) {
    chain.push_back(at);
    if (at == outermost)
      break;
  }
  return chain;
}

Result<StagedFolder> StagedFolder::create(const std::string &folder) {
  // "out/" is the folder "out".
  fs::path path =
      fs::path(folder).has_filename() ? fs::path(folder) : fs::path(folder).parent_path();
  StagedFolder staged(path, outermostMissing(path));
  fs::path stage = path / (".tmp." + std::to_string(getpid()));
  std::error_code error;
  for (const fs::path &made : foldersBetween(staged.outermostNew, path))
    removeOnInterrupt(made.string());
  removeOnInterrupt(stage.string());
  staged.stage = stage;
  fs::create_directories(stage, error);
  if (error)
    return Error{folder + ": cannot make this folder: " + error.message()};
  return staged;
}

StagedFolder::StagedFolder(StagedFolder &&other) noexcept
    : folder(std::move(other.folder)), stage(std::exchange(other.stage, fs::path())),
      outermostNew(std::exchange(other.outermostNew, fs::path())), names(std::move(other.names)) {}

StagedFolder::~StagedFolder() {
  if (stage.empty())
    return;
  std::error_code ignored;
  fs::remove_all(stage, ignored);
  removeNewFolders();
  forgetNames();
}

std::string StagedFolder::pathOf(const std::string &name) {
  std::string path = (stage / name).string();
  removeOnInterrupt(path);
  names.push_back(path);
  return path;
}

void StagedFolder::forgetNames() {
  for (const std::string &name : names)
    forgetOnInterrupt(name);
  forgetOnInterrupt(stage.string());
  for (const fs::path &made : foldersBetween(outermostNew, folder))
    forgetOnInterrupt(made.string());
}

/// Innermost first; one in which somebody else has put something stays.
void StagedFolder::removeNewFolders() {
  std::error_code error;
  for (const fs::path &made : foldersBetween(outermostNew, folder))
    fs::remove(made, error);
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
  forgetNames();
  fs::remove(std::exchange(stage, fs::path()), error);
  return {};
}
