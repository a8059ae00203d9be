#include "forge/Support/AtomicFile.h"

#include "forge/Support/Interrupt.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace forge;

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

static bool isSpecialFile(const std::string &path) {
  struct stat info;
  return stat(path.c_str(), &info) == 0 && !S_ISREG(info.st_mode);
}

Result<void> forge::writeFileAtomically(const std::string &path,
                                        std::initializer_list<ByteSpan> parts) {
  bool direct = isSpecialFile(path);
  std::string target = direct ? path : path + ".tmp." + std::to_string(getpid());
  if (!direct)
    removeOnInterrupt(target);
  int fd = open(target.c_str(), O_WRONLY | O_CLOEXEC | (direct ? 0 : O_CREAT | O_TRUNC), 0666);
  if (fd < 0) {
    int error = errno;
    forgetOnInterrupt(target);
    return cannotWrite(path, error);
  }
  int error = writeParts(fd, parts) ? 0 : errno;
  if (close(fd) != 0 && !error)
    error = errno;
  if (!error && !direct && rename(target.c_str(), path.c_str()) != 0)
    error = errno;
  if (error && !direct)
    unlink(target.c_str());
  forgetOnInterrupt(target);
  if (!error)
    return {};
  return cannotWrite(path, error);
}

Result<void> forge::writeFileAtomically(const std::string &path, std::string_view text) {
  // NOLINTNEXTLINE(bugprone-suspicious-stringview-data-usage): with its size
  return writeFileAtomically(path, {{text.data(), text.size()}});
}
