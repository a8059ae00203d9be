// Entries are files of
//
//   magic [8], key [64], digest [32], bytes of the facts [8], bytes of the object [8],
//   facts as JSON (kernels, bytes of temporaries), object
//
// with numbers in little-endian order. The digest is BLAKE3 of all bytes behind it.
#include "forge/Execution/CodeCache.h"

#include "forge/Support/AtomicFile.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/BLAKE3.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/Path.h"

#include <chrono>
#include <cstdlib>
#include <filesystem>

#include <sys/stat.h>
#include <unistd.h>

using namespace forge;
namespace fs = std::filesystem;
namespace json = llvm::json;

static constexpr llvm::StringLiteral magic = "FORGECC2", extension = ".forge-code";
static constexpr size_t keySize = 64, digestSize = 32, digestAt = 8 + keySize,
                        sizesAt = digestAt + digestSize, headerSize = sizesAt + 16;

//===----------------------------------------------------------------------===//
// An entry
//===----------------------------------------------------------------------===//

/// The counts of a kernel by the names they have in JSON.
static constexpr std::pair<llvm::StringLiteral, int64_t KernelInfo::*> counts[] = {
    {"flops", &KernelInfo::flops},
    {"bytes", &KernelInfo::bytes},
    {"launches", &KernelInfo::launches},
    {"registers", &KernelInfo::registers},
    {"scalar_registers", &KernelInfo::scalarRegisters},
    {"shared_bytes", &KernelInfo::sharedBytes},
    {"stack_bytes", &KernelInfo::stackBytes},
    {"spill_bytes", &KernelInfo::spillBytes},
};

static std::string writeFacts(const std::vector<KernelInfo> &kernels, int64_t temporaryBytes) {
  json::Array list;
  for (const KernelInfo &kernel : kernels) {
    json::Object object{{"name", kernel.name},         {"strategy", kernel.strategy},
                        {"schedule", kernel.schedule}, {"places", kernel.places},
                        {"stages", kernel.stages},     {"stage_rows", kernel.stageRows}};
    for (auto [name, count] : counts)
      object[name] = kernel.*count;
    list.push_back(std::move(object));
  }
  std::string text;
  llvm::raw_string_ostream(text) << json::Value(
      json::Object{{"kernels", std::move(list)}, {"temporary_bytes", temporaryBytes}});
  return text;
}

// Found by llvm::json::parse.
namespace forge {
static bool fromJSON(const json::Value &value, KernelInfo &kernel, json::Path path) {
  json::ObjectMapper map(value, path);
  bool good = map && map.map("name", kernel.name) && map.map("strategy", kernel.strategy) &&
              map.map("schedule", kernel.schedule) && map.map("places", kernel.places) &&
              map.map("stages", kernel.stages) && map.map("stage_rows", kernel.stageRows);
  for (auto [name, count] : counts)
    good = good && map.map(name, kernel.*count);
  return good;
}
} // namespace forge

/// Fails where the text is not what writeFacts writes.
static bool readFacts(llvm::StringRef text, CodeCache::Code &code) {
  llvm::Expected<json::Value> facts = json::parse(text);
  if (!facts) {
    llvm::consumeError(facts.takeError());
    return false;
  }
  json::Path::Root root;
  json::ObjectMapper map(*facts, root);
  return map && map.map("kernels", code.kernels) && map.map("temporary_bytes", code.temporaryBytes);
}

/// Everything up to the facts.
static std::string makeHeader(llvm::StringRef key, llvm::StringRef facts, llvm::StringRef object) {
  char sizes[16];
  llvm::support::endian::write64le(sizes, facts.size());
  llvm::support::endian::write64le(sizes + 8, object.size());
  llvm::BLAKE3 hasher;
  hasher.update(llvm::StringRef(sizes, sizeof(sizes)));
  hasher.update(facts);
  hasher.update(object);
  auto digest = hasher.final<digestSize>();
  std::string header = magic.str() + key.str();
  header.append(reinterpret_cast<const char *>(digest.data()), digest.size());
  header.append(sizes, sizeof(sizes));
  return header;
}

/// The code in a file; nothing where the file is not what was written for `key`.
static std::optional<CodeCache::Code> readEntry(llvm::StringRef file, llvm::StringRef key) {
  if (file.size() < headerSize)
    return std::nullopt;
  llvm::StringRef header = file.take_front(headerSize), rest = file.drop_front(headerSize);
  uint64_t factsSize = llvm::support::endian::read64le(header.data() + sizesAt);
  if (factsSize > rest.size())
    return std::nullopt;
  llvm::StringRef facts = rest.take_front(factsSize), object = rest.drop_front(factsSize);
  CodeCache::Code code;
  if (header != makeHeader(key, facts, object) || !readFacts(facts, code))
    return std::nullopt;
  code.object = llvm::MemoryBuffer::getMemBufferCopy(object, "cached code");
  return code;
}

//===----------------------------------------------------------------------===//
// The folder
//===----------------------------------------------------------------------===//

/// Why code from a folder cannot be run, or empty.
static std::string rejectFolder(const std::string &folder) {
  std::error_code error;
  fs::path parent = fs::path(folder).parent_path();
  if (!parent.empty())
    fs::create_directories(parent, error);
  if (mkdir(folder.c_str(), 0700) != 0 && errno != EEXIST)
    return folder + ": cannot make it: " + std::strerror(errno);
  struct stat info;
  if (stat(folder.c_str(), &info) != 0)
    return folder + ": " + std::strerror(errno);
  if (!S_ISDIR(info.st_mode))
    return folder + ": expected a folder";
  if (info.st_uid != geteuid() || (info.st_mode & (S_IWGRP | S_IWOTH)))
    return folder + ": expected a folder of one's own, which nobody else can write to";
  return "";
}

CodeCache::CodeCache(std::string folder, uint64_t maxBytes)
    : folder(std::move(folder)), maxBytes(maxBytes), trouble(rejectFolder(this->folder)) {}

std::string CodeCache::defaultFolder() {
  if (const char *folder = std::getenv("FORGE_CACHE_DIR"))
    return folder;
  const char *caches = std::getenv("XDG_CACHE_HOME");
  // Relative ones are to be ignored (XDG Base Directory Specification).
  if (caches && *caches == '/')
    return std::string(caches) + "/forge";
  const char *home = std::getenv("HOME");
  return home && *home ? std::string(home) + "/.cache/forge" : "";
}

std::string CodeCache::fileOf(llvm::StringRef key) const {
  assert(key.size() == keySize && llvm::all_of(key, llvm::isHexDigit));
  return (fs::path(folder) / (key + extension).str()).string();
}

std::optional<CodeCache::Code> CodeCache::find(llvm::StringRef key) {
  std::lock_guard<std::mutex> lock(mutex);
  std::optional<Code> code;
  std::string path = fileOf(key);
  std::error_code error;
  if (trouble.empty() && fs::is_regular_file(path, error))
    if (auto file = llvm::MemoryBuffer::getFile(path, /*IsText=*/false,
                                                /*RequiresNullTerminator=*/false))
      code = readEntry((*file)->getBuffer(), key);
  if (code)
    fs::last_write_time(path, fs::file_time_type::clock::now(), error);
  ++(code ? hits : misses);
  return code;
}

void CodeCache::store(llvm::StringRef key, llvm::MemoryBufferRef object,
                      const std::vector<KernelInfo> &kernels, int64_t temporaryBytes) {
  std::lock_guard<std::mutex> lock(mutex);
  if (!trouble.empty())
    return;
  std::string text = writeFacts(kernels, temporaryBytes);
  llvm::StringRef code = object.getBuffer();
  std::string header = makeHeader(key, text, code);
  Result<void> written = writeFileAtomically(
      fileOf(key),
      {{header.data(), header.size()}, {text.data(), text.size()}, {code.data(), code.size()}});
  if (!written)
    trouble = written.error().message;
  evict();
}

/// Whether a file is what a process that was ended has left of writing an entry.
static bool isAbandoned(const fs::directory_entry &file) {
  std::error_code error;
  fs::file_time_type written = file.last_write_time(error);
  return !error && file.path().filename().string().starts_with(".tmp.") &&
         fs::file_time_type::clock::now() - written > std::chrono::hours(1);
}

/// Another process may do the same: files that have gone are no errors.
void CodeCache::evict() const {
  struct File {
    fs::file_time_type used;
    uint64_t bytes;
    fs::path path;
  };
  std::vector<File> files;
  uint64_t total = 0;
  std::error_code error;
  for (fs::directory_iterator it(folder, error), end; !error && it != end; it.increment(error)) {
    std::error_code gone;
    if (isAbandoned(*it))
      fs::remove(it->path(), gone);
    if (it->path().extension() != extension.str())
      continue;
    File file{it->last_write_time(gone), it->file_size(gone), it->path()};
    if (gone)
      continue;
    total += file.bytes;
    files.push_back(std::move(file));
  }
  llvm::sort(files, [](const File &a, const File &b) { return a.used < b.used; });
  for (const File &file : files) {
    if (total <= maxBytes)
      break;
    fs::remove(file.path, error);
    total -= file.bytes;
  }
}
