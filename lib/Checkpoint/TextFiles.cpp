#include "forge/Checkpoint/TextFiles.h"

#include "forge/Checkpoint/Gguf.h"
#include "forge/Checkpoint/MappedFile.h"

#include <filesystem>

using namespace forge;

static Result<void> checkSize(const std::string &path, size_t size) {
  constexpr size_t most = 100'000'000;
  if (size <= most)
    return {};
  return Error{path + ": expected at most " + std::to_string(most) +
               " bytes besides weights, but "
               "got " +
               std::to_string(size)};
}

Result<TextFiles> forge::readTextFiles(const std::string &checkpoint) {
  TextFiles files;
  if (isGgufFile(checkpoint)) {
    Result<MappedFile> mapped = MappedFile::open(checkpoint);
    if (!mapped)
      return mapped.error();
    Result<std::string> metadata = withoutTensors(mapped->bytes());
    if (!metadata)
      return Error{checkpoint + ": " + metadata.error().message};
    if (Result<void> fits = checkSize(checkpoint, metadata->size()); !fits)
      return fits.error();
    files.emplace_back(kGgufTextFile, std::move(*metadata));
    return files;
  }
  for (const char *name : kTextFiles) {
    std::string path = (std::filesystem::path(checkpoint) / name).string();
    std::error_code ignored;
    if (!std::filesystem::exists(path, ignored))
      continue;
    Result<MappedFile> mapped = MappedFile::open(path);
    if (!mapped)
      return mapped.error();
    if (Result<void> fits = checkSize(path, mapped->bytes().size()); !fits)
      return fits.error();
    files.emplace_back(name, mapped->bytes());
  }
  return files;
}
