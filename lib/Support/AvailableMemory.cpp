#include "forge/Support/AvailableMemory.h"

#include <algorithm>
#include <fstream>
#include <limits>
#include <optional>

using namespace forge;

static constexpr uint64_t kUnlimited = std::numeric_limits<uint64_t>::max();

/// The number behind the first line that starts with the word `key`.
static std::optional<uint64_t> numberOf(const std::string &path, const std::string &key) {
  std::ifstream file(path);
  std::string word;
  while (file >> word) {
    uint64_t number = 0;
    if (word == key)
      return file >> number ? std::optional(number) : std::nullopt;
    file.ignore(std::numeric_limits<std::streamsize>::max(), '\n');
  }
  return std::nullopt;
}

/// The number that is all of a file; nothing for "max".
static std::optional<uint64_t> numberIn(const std::string &path) {
  std::ifstream file(path);
  uint64_t number = 0;
  return file >> number ? std::optional(number) : std::nullopt;
}

namespace {
/// The names of the files of a memory control group.
struct GroupFiles {
  const char *limit, *usage, *inactive, *active;
};
} // namespace

static constexpr GroupFiles kVersion1 = {"/memory.limit_in_bytes", "/memory.usage_in_bytes",
                                         "total_inactive_file", "total_active_file"};
static constexpr GroupFiles kVersion2 = {"/memory.max", "/memory.current", "inactive_file",
                                         "active_file"};

/// What one group leaves.
static uint64_t availableIn(const std::string &folder, const GroupFiles &files) {
  std::optional<uint64_t> limit = numberIn(folder + files.limit),
                          usage = numberIn(folder + files.usage);
  if (!limit || !usage)
    return kUnlimited;
  uint64_t cache = numberOf(folder + "/memory.stat", files.inactive).value_or(0) +
                   numberOf(folder + "/memory.stat", files.active).value_or(0);
  uint64_t taken = *usage - std::min(cache, *usage);
  return *limit - std::min(taken, *limit);
}

/// The least that the group `path` below `root` and those above it leave.
static uint64_t availableAbove(const std::string &root, std::string path, const GroupFiles &files) {
  uint64_t available = kUnlimited;
  while (true) {
    while (!path.empty() && path.back() == '/')
      path.pop_back();
    available = std::min(available, availableIn(root + path, files));
    if (path.empty())
      return available;
    path.resize(path.find_last_of('/') == std::string::npos ? 0 : path.find_last_of('/'));
  }
}

uint64_t forge::availableMemory(const std::string &proc, const std::string &cgroups) {
  uint64_t available = kUnlimited;
  if (std::optional<uint64_t> kilobytes = numberOf(proc + "/meminfo", "MemAvailable:"))
    available = (*kilobytes + numberOf(proc + "/meminfo", "SwapFree:").value_or(0)) * 1024;
  // Lines are NUMBER:CONTROLLERS:PATH; version 2 has number 0 and no controllers.
  std::ifstream groups(proc + "/self/cgroup");
  for (std::string line; std::getline(groups, line);) {
    size_t first = line.find(':'), second = line.find(':', first + 1);
    if (first == std::string::npos || second == std::string::npos)
      continue;
    std::string controllers = line.substr(first + 1, second - first - 1);
    std::string path = line.substr(second + 1);
    if (controllers.empty())
      available = std::min(available, availableAbove(cgroups, path, kVersion2));
    else if (("," + controllers + ",").find(",memory,") != std::string::npos)
      available = std::min(available, availableAbove(cgroups + "/memory", path, kVersion1));
  }
  return available;
}

bool forge::exceedsMemory(size_t bytes) {
  constexpr size_t kSmall = size_t(64) << 20;
  return bytes >= kSmall && bytes > availableMemory();
}
