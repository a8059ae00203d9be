#include "forge/Support/StagedFolder.h"

#include "forge/Support/Interrupt.h"

#include <algorithm>
#include <charconv>
#include <cstdint>
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

/// "out/" is the folder "out".
static fs::path withoutLastSlash(const std::string &folder) {
  fs::path path = folder;
  return path.has_filename() ? path : path.parent_path();
}

static Error cannotMake(const fs::path &folder, const std::string &reason) {
  return Error{folder.string() + ": cannot make this folder: " + reason};
}

Result<void> StagedFolder::makeStage() {
  stage = folder / (".tmp." + std::to_string(getpid()));
  for (const fs::path &made : foldersBetween(outermostNew, folder))
    removeOnInterrupt(made.string());
  removeOnInterrupt(stage.string());
  std::error_code error;
  fs::create_directories(stage, error);
  if (error)
    return cannotMake(folder, error.message());
  return {};
}

Result<StagedFolder> StagedFolder::create(const std::string &folder) {
  fs::path path = withoutLastSlash(folder);
  StagedFolder staged(path, outermostMissing(path));
  if (Result<void> made = staged.makeStage(); !made)
    return made.error();
  return staged;
}

/// The largest number that an entry of `folder` is called by; 0 when there is none.
static uint64_t largestNumber(const fs::path &folder) {
  uint64_t largest = 0;
  std::error_code error;
  for (const fs::directory_entry &entry : fs::directory_iterator(folder, error)) {
    std::string name = entry.path().filename().string();
    uint64_t number = 0;
    auto [end, status] = std::from_chars(name.data(), name.data() + name.size(), number);
    if (status == std::errc() && end == name.data() + name.size() && number < UINT64_MAX)
      largest = std::max(largest, number);
  }
  return largest;
}

Result<StagedFolder> StagedFolder::createNumbered(const std::string &parent) {
  fs::path above = withoutLastSlash(parent), outermostNew = outermostMissing(above);
  std::error_code error;
  fs::create_directories(above, error);
  fs::path folder = above;
  // A number that another process takes first is passed over.
  for (uint64_t number = largestNumber(above) + 1; !error; ++number) {
    folder = above / std::to_string(number);
    if (fs::create_directory(folder, error))
      break;
  }
  if (error) {
    StagedFolder(above, outermostNew).removeNewFolders();
    return cannotMake(folder, error.message());
  }
  StagedFolder staged(folder, outermostNew.empty() ? folder : outermostNew);
  if (Result<void> made = staged.makeStage(); !made)
    return made.error();
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

Error StagedFolder::inFolder(const Error &error) const {
  std::string message = error.message, staged = stage.string();
  if (size_t at = message.find(staged); at != std::string::npos)
    message.replace(at, staged.size(), folder.string());
  return Error{message};
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
