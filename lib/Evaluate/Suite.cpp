#include "forge/Evaluate/Suite.h"

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

Result<std::vector<SuiteEntry>> forge::parseSuite(llvm::StringRef text, llvm::StringRef file) {
  fs::path folder = fs::path(file.str()).parent_path();
  std::vector<SuiteEntry> entries;
  unsigned number = 0;
  auto wrong = [&](const std::string &why) {
    return Error{(file + ":" + llvm::Twine(number) + ": ").str() + why};
  };
  while (!text.empty()) {
    llvm::StringRef line;
    std::tie(line, text) = text.split('\n');
    ++number;
    if (number == 1 && line.rtrim() != kFirstLine)
      return wrong("expected '" + kFirstLine.str() + "'");
    line = line.split("//").first.trim();
    if (number == 1 || line.empty())
      continue;
    llvm::SmallVector<llvm::StringRef> words;
    line.split(words, ' ', -1, /*KeepEmpty=*/false);
    SuiteEntry entry;
    entry.name = words.front().str();
    entry.path = (folder / entry.name).lexically_normal();
    for (llvm::StringRef setting : llvm::drop_begin(words))
      if (std::string why = readSetting(setting, entry); !why.empty())
        return wrong(why);
    auto isSame = [&](const SuiteEntry &other) {
      return other.name == entry.name && other.function == entry.function;
    };
    if (llvm::any_of(entries, isSame))
      return wrong("'" + entry.name + "' is there twice");
    entries.push_back(std::move(entry));
  }
  if (entries.empty())
    return wrong("expected a module on each line, but there is none");
  return entries;
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
    llvm::sort(entries,
               [](const SuiteEntry &a, const SuiteEntry &b) { return a.name < b.name; });
    if (entries.empty())
      return Error{path + ": expected modules (.mlir), or folders with config.json"};
    return entries;
  }
  if (!fs::is_directory(path, error)) {
    auto file = llvm::MemoryBuffer::getFile(path);
    if (!file)
      return Error{path + ": cannot read: " + file.getError().message()};
    if ((*file)->getBuffer().starts_with("forge-suite"))
      return parseSuite((*file)->getBuffer(), path);
  }
  SuiteEntry entry;
  entry.name = fs::path(path).filename();
  entry.path = path;
  return std::vector<SuiteEntry>{entry};
}
