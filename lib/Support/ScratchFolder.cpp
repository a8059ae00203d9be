#include "forge/Support/ScratchFolder.h"

#include "forge/Support/Interrupt.h"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <utility>

#include <stdlib.h>

using namespace forge;
namespace fs = std::filesystem;

/// The folder of temporary files, and in `from` where it is named.
static std::string temporaryFolder(std::string &from) {
  for (const char *name : {"TMPDIR", "TMP", "TEMP", "TEMPDIR"})
    if (const char *value = std::getenv(name); value && *value) {
      from = std::string(" (") + name + ")";
      return value;
    }
  return "/tmp";
}

Result<ScratchFolder> ScratchFolder::create(const std::string &prefix) {
  std::string from, parent = temporaryFolder(from);
  std::string pattern = (fs::path(parent) / (prefix + "-XXXXXX")).string();
  if (!mkdtemp(pattern.data()))
    return Error{"cannot make a temporary folder in " + parent + from + ": " +
                 std::strerror(errno)};
  removeOnInterrupt(pattern);
  return ScratchFolder(std::move(pattern));
}

ScratchFolder::ScratchFolder(ScratchFolder &&other) noexcept
    : folder(std::exchange(other.folder, std::string())) {}

ScratchFolder::~ScratchFolder() {
  if (folder.empty())
    return;
  std::error_code ignored;
  for (const fs::directory_entry &entry : fs::directory_iterator(folder, ignored))
    forgetOnInterrupt(entry.path().string());
  fs::remove_all(folder, ignored);
  forgetOnInterrupt(folder);
}

std::string ScratchFolder::file(const std::string &name) {
  std::string path = folder + "/" + name;
  forgetOnInterrupt(path); // named once, however often it is asked for
  removeOnInterrupt(path);
  return path;
}
