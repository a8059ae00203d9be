#include "forge/Checkpoint/MappedFile.h"

#include <cerrno>
#include <cstdint>
#include <cstring>

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace forge;

Result<MappedFile> MappedFile::open(const std::string &path) {
  auto failed = [&](const std::string &what) { return Error{path + ": " + what}; };
  // Without O_NONBLOCK, opening a pipe would wait for a writer.
  int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (fd < 0)
    return failed(std::string("cannot open: ") + std::strerror(errno));
  MappedFile file;
  struct stat status;
  int error = fstat(fd, &status) == 0 ? 0 : errno;
  bool isRegular = error == 0 && S_ISREG(status.st_mode);
  if (isRegular && status.st_size > 0) {
    void *mapped =
        mmap(nullptr, static_cast<size_t>(status.st_size), PROT_READ, MAP_PRIVATE, fd, 0);
    if (mapped == MAP_FAILED) {
      error = errno;
    } else {
      file.begin = mapped;
      file.size = static_cast<size_t>(status.st_size);
    }
  }
  close(fd);
  if (error)
    return failed(std::string("cannot map: ") + std::strerror(error));
  if (!isRegular)
    return failed("expected a regular file");
  return file;
}

/// Pages are mapped by one call, not by a fault each (Linux 5.14; elsewhere the copy does it).
void MappedFile::copy(char *target, std::string_view part) {
  if (part.empty())
    return;
#ifdef MADV_POPULATE_READ
  auto page = static_cast<uintptr_t>(sysconf(_SC_PAGESIZE));
  uintptr_t begin = reinterpret_cast<uintptr_t>(part.data()) / page * page;
  uintptr_t end = reinterpret_cast<uintptr_t>(part.data()) + part.size();
  (void)madvise(reinterpret_cast<void *>(begin), end - begin, MADV_POPULATE_READ);
#endif
  std::memcpy(target, part.data(), part.size());
}

MappedFile::~MappedFile() {
  if (begin)
    munmap(begin, size);
}
