#include "forge/Support/AtomicFile.h"

#include "forge/Support/Interrupt.h"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <optional>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace forge;
namespace fs = std::filesystem;

static Error cannotWrite(const std::string &path, int error) {
  return Error{path + ": cannot write: " + std::strerror(error)};
}

/// False, with errno set, when not everything could be written.
static bool writeParts(int fd, std::initializer_list<ByteSpan> parts) {
  constexpr size_t maxChunk = size_t(1) << 30; // write(2) takes at most 2 GiB at once
  for (ByteSpan part : parts) {
    const char *next = static_cast<const char *>(part.data);
    size_t left = part.size;
    while (left > 0) {
      ssize_t written = write(fd, next, std::min(left, maxChunk));
      if (written < 0 && errno == EINTR)
        continue;
      if (written < 0)
        return false;
      next += written;
      left -= static_cast<size_t>(written);
    }
  }
  return true;
}

/// Writes and closes; 0, or what went wrong.
static int writeAndClose(int fd, std::initializer_list<ByteSpan> parts) {
  int error = writeParts(fd, parts) ? 0 : errno;
  if (close(fd) != 0 && !error)
    error = errno;
  return error;
}

/// A pipe, a device: there is nothing to rename a file to.
static int writeDirectly(const std::string &path, std::initializer_list<ByteSpan> parts) {
  int fd = open(path.c_str(), O_WRONLY | O_CLOEXEC);
  return fd < 0 ? errno : writeAndClose(fd, parts);
}

/// The file that `path` leads to through symbolic links, whether it exists or not; fails, with
/// errno set, when they lead in a circle.
static std::optional<std::string> followLinks(const std::string &path) {
  fs::path file = path;
  std::error_code error;
  for (int links = 0; fs::is_symlink(fs::symlink_status(file, error)); ++links) {
    if (links == 40) { // as Linux has it
      errno = ELOOP;
      return std::nullopt;
    }
    fs::path target = fs::read_symlink(file, error);
    file = target.is_absolute() ? target : file.parent_path() / target;
  }
  return file.string();
}

/// Opens a new file in the folder of `file`; its path in `temporary`.
static int openBeside(const std::string &file, std::string &temporary) {
  static std::atomic<unsigned> counter{0};
  fs::path folder = fs::path(file).parent_path();
  for (;;) {
    std::string name = ".tmp." + std::to_string(getpid()) + "." + std::to_string(counter++);
    temporary = (folder / name).string();
    removeOnInterrupt(temporary);
    int fd = open(temporary.c_str(), O_WRONLY | O_CLOEXEC | O_CREAT | O_EXCL, 0666);
    int error = errno;
    if (fd >= 0)
      return fd;
    forgetOnInterrupt(temporary);
    errno = error;
    if (error != EEXIST) // left by another process of this number
      return -1;
  }
}

/// Writes a regular file, new or not, by renaming another to it.
static int writeByRenaming(const std::string &path, std::initializer_list<ByteSpan> parts) {
  std::optional<std::string> file = followLinks(path);
  if (!file)
    return errno;
  struct stat old;
  bool replaces = stat(file->c_str(), &old) == 0;
  // Renaming asks for the right to write to the folder only.
  if (replaces && access(file->c_str(), W_OK) != 0)
    return errno;
  std::string temporary;
  int fd = openBeside(*file, temporary);
  if (fd < 0)
    return errno;
  if (replaces)
    (void)fchmod(fd, old.st_mode & 07777);
  int error = writeAndClose(fd, parts);
  if (!error && rename(temporary.c_str(), file->c_str()) != 0)
    error = errno;
  if (error)
    unlink(temporary.c_str());
  forgetOnInterrupt(temporary);
  return error;
}

Result<void> forge::writeFileAtomically(const std::string &path,
                                        std::initializer_list<ByteSpan> parts) {
  struct stat info;
  bool isSpecial = stat(path.c_str(), &info) == 0 && !S_ISREG(info.st_mode);
  int error = isSpecial ? writeDirectly(path, parts) : writeByRenaming(path, parts);
  if (!error)
    return {};
  return cannotWrite(path, error);
}

Result<void> forge::writeFileAtomically(const std::string &path, std::string_view text) {
  // NOLINTNEXTLINE(bugprone-suspicious-stringview-data-usage): with its size
  return writeFileAtomically(path, {{text.data(), text.size()}});
}
