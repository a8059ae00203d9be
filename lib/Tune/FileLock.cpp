#include "FileLock.h"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

using namespace forge;

FileLock::~FileLock() {
  if (descriptor >= 0)
    close(descriptor);
}

Result<void> FileLock::lock(const std::string &path) {
  descriptor = open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  while (descriptor >= 0 && flock(descriptor, LOCK_EX) != 0)
    if (errno != EINTR)
      return Error{path + ": cannot lock: " + std::strerror(errno)};
  if (descriptor < 0)
    return Error{path + ": cannot open: " + std::strerror(errno)};
  return {};
}
