#include "forge/Support/ScratchFolder.h"

#include "forge/Support/Interrupt.h"

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <utility>

#include <stdlib.h>

using namespace forge;
namespace fs = std::filesystem;

Result<ScratchFolder> ScratchFolder::create(const std::string &prefix) {
  std::error_code error;
  fs::path parent = fs::temp_directory_path(error);
  if (error)
    return Error{"no folder for temporary files: " + error.message()};
  std::string pattern = (parent / (prefix + "-XXXXXX")).string();
  if (!mkdtemp(pattern.data()))
    return Error{"no folder for temporary files: " + pattern + ": " + std::strerror(errno)};
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
