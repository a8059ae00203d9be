// A file's bytes, mapped for reading. No MLIR.
#ifndef FORGE_CHECKPOINT_MAPPEDFILE_H
#define FORGE_CHECKPOINT_MAPPEDFILE_H

#include "forge/Support/Result.h"

#include <cstddef>
#include <string_view>
#include <utility>

namespace forge {

class MappedFile {
public:
  /// Maps the whole of a regular file. Errors start with the path.
  static Result<MappedFile> open(const std::string &path);

  std::string_view bytes() const { return {static_cast<const char *>(begin), size}; }

  /// Copies a part of a mapped file; faster than memcpy where pages are not mapped yet.
  static void copy(char *target, std::string_view part);

  MappedFile(MappedFile &&other) noexcept
      : begin(std::exchange(other.begin, nullptr)), size(std::exchange(other.size, 0)) {}
  MappedFile &operator=(MappedFile &&other) noexcept {
    std::swap(begin, other.begin);
    std::swap(size, other.size);
    return *this;
  }
  ~MappedFile();

private:
  MappedFile() = default;
  void *begin = nullptr;
  size_t size = 0;
};

} // namespace forge

#endif // FORGE_CHECKPOINT_MAPPEDFILE_H
