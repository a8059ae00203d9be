#include "forge/Evaluate/Suite.h"

#include "forge/Support/ErrorDetails.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MemoryBuffer.h"

#include <algorithm>
#include <filesystem>

using namespace forge;
namespace fs = std::filesystem;

static constexpr llvm::StringLiteral kFirstLine = "forge-suite 1";

/// Reads "KEY=VALUE" into `entry`; what is wrong with it, or empty.
static std::string readSetting(llvm::StringRef setting, SuiteEntry &entry) {
  auto [key, value] = setting.split('=');
  if (value.empty())
    return "expected KEY=VALUE behind the path, but got '" + setting.str() + "'";
  if (key == "function") {
    entry.function = value.str();
  } else if (key == "from") {
    std::optional<Phase> phase = parsePhase(value);
    if (!phase)
      return "expected one of the phases " + phaseNames() + ", but got '" + value.str() + "'";
    entry.from = *phase;
  } else if (key == "size") {
    if (value.getAsInteger(10, entry.dynamicSize) || entry.dynamicSize < 0 ||
        entry.dynamicSize > int64_t(1) << 20)
      return "expected a size from 0 to 2^20, but got '" + value.str() + "'";
  } else if (key == "chip") {
    if (!findChip(value))
      return "unknown chip '" + value.str() + "'";
    entry.chip = value.str();
  } else {
    return "expected function, from, size or chip, but got '" + key.str() + "'";
  }
  return "";
}

namespace {
/// Reads a suite line by line.
class SuiteReader {
public:
  explicit SuiteReader(llvm::StringRef file)
      : file(file), folder(std::filesystem::path(file.str()).parent_path()) {}

  Result<std::vector<SuiteEntry>> read(llvm::StringRef text);

private:
  /// An entry, of a line that has one.
  Result<SuiteEntry> readEntry(llvm::StringRef words);
  /// "s.txt:2:8", of what is at `text` in the line.
  std::string locationOf(llvm::StringRef text) const {
    return (file + ":" + llvm::Twine(number) + ":" + llvm::Twine(text.begin() - line.begin() + 1))
        .str();
  }
  Error wrong(llvm::StringRef text, const std::string &why) const {
    return withDetails(Error{why}, {.location = locationOf(text)});
  }

  llvm::StringRef file, line;
  fs::path folder;
  unsigned number = 0;
};
} // namespace

Result<SuiteEntry> SuiteReader::readEntry(llvm::StringRef text) {
  llvm::SmallVector<llvm::StringRef> words;
  text.split(words, ' ', -1, /*KeepEmpty=*/false);
  SuiteEntry entry;
  entry.name = words.front().str();
  entry.path = (folder / entry.name).lexically_normal();
  entry.location = locationOf(words.front());
  for (llvm::StringRef setting : llvm::drop_begin(words))
    if (std::string why = readSetting(setting, entry); !why.empty())
      return wrong(setting, why);
  return entry;
}

Result<std::vector<SuiteEntry>> SuiteReader::read(llvm::StringRef text) {
  std::vector<SuiteEntry> entries;
  do {
    std::tie(line, text) = text.split('\n');
    ++number;
    if (number == 1 && line.rtrim() != kFirstLine)
      return wrong(line, "expected '" + kFirstLine.str() + "'");
    llvm::StringRef words = line.split("//").first.trim();
    if (number == 1 || words.empty())
      continue;
    Result<SuiteEntry> entry = readEntry(words);
    if (!entry)
      return entry.error();
    auto isSame = [&](const SuiteEntry &other) {
      return other.name == entry->name && other.function == entry->function;
    };
    if (llvm::any_of(entries, isSame))
      return wrong(words, "'" + entry->name + "' is there twice");
    entries.push_back(std::move(*entry));
  } while (!text.empty());
  if (entries.empty())
    return wrong(line, "expected a module on each line, but there is none");
  return entries;
}

Result<std::vector<SuiteEntry>> forge::parseSuite(llvm::StringRef text, llvm::StringRef file) {
  return SuiteReader(file).read(text);
}

static bool isCheckpoint(const fs::path &path) {
  std::error_code error;
  return fs::exists(path / "config.json", error);
}

/// Modules and checkpoints in `folder` and the folders in it.
static void collect(const fs::path &folder, const fs::path &root,
                    std::vector<SuiteEntry> &entries) {
  std::error_code error;
  for (fs::directory_iterator it(folder, error), end; !error && it != end; it.increment(error)) {
    std::error_code unknown;
    bool isFolder = it->is_directory(unknown);
    if (isFolder ? isCheckpoint(it->path()) : it->path().extension() == ".mlir") {
      SuiteEntry entry;
      entry.name = it->path().lexically_relative(root);
      entry.path = it->path();
      entries.push_back(std::move(entry));
    } else if (isFolder && !it->is_symlink(unknown)) {
      collect(it->path(), root, entries);
    }
  }
}

Result<std::vector<SuiteEntry>> forge::openSuite(const std::string &path) {
  std::error_code error;
  if (fs::is_directory(path, error) && !isCheckpoint(path)) {
    std::vector<SuiteEntry> entries;
    collect(path, path, entries);
    llvm::sort(entries, [](const SuiteEntry &a, const SuiteEntry &b) { return a.name < b.name; });
    if (entries.empty())
      return Error{path + ": expected modules (.mlir), or folders with config.json"};
    return entries;
  }
  if (!fs::is_directory(path, error)) {
    auto file = llvm::MemoryBuffer::getFile(path);
    if (!file)
      return Error{path + ": cannot read: " + file.getError().message()};
    if ((*file)->getBuffer().empty())
      return withDetails(Error{"expected a module, or '" + kFirstLine.str() +
                               "' in the first line of a suite, but the file is empty"},
                         {.location = path + ":1:1"});
    if ((*file)->getBuffer().starts_with("forge-suite"))
      return parseSuite((*file)->getBuffer(), path);
  }
  SuiteEntry entry;
  entry.name = fs::path(path).filename();
  entry.path = path;
  return std::vector<SuiteEntry>{entry};
}
