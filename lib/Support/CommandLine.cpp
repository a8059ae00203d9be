#include "forge/Support/CommandLine.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <numeric>

#include <sys/stat.h>
#include <unistd.h>

using namespace forge;

Result<void> forge::checkReadable(const std::string &path) {
  struct stat info;
  int error = stat(path.c_str(), &info) != 0    ? errno
              : S_ISDIR(info.st_mode)           ? EISDIR
              : access(path.c_str(), R_OK) != 0 ? errno
                                                : 0;
  if (!error)
    return {};
  return Error{path + ": cannot read: " + std::strerror(error)};
}

/// Letters to insert, remove or replace (Levenshtein), and neighbours swapped count as two.
static size_t editDistance(std::string_view from, std::string_view to) {
  std::vector<size_t> row(to.size() + 1);
  std::iota(row.begin(), row.end(), size_t(0));
  for (size_t i = 0; i < from.size(); ++i) {
    size_t diagonal = row[0];
    row[0] = i + 1;
    for (size_t j = 0; j < to.size(); ++j) {
      size_t replaced = diagonal + (from[i] != to[j]);
      diagonal = row[j + 1];
      row[j + 1] = std::min({replaced, row[j] + 1, diagonal + 1});
    }
  }
  return row.back();
}

std::optional<std::string> forge::closestName(std::string_view given,
                                              const std::vector<std::string> &names) {
  std::optional<std::string> closest;
  size_t least = given.size() / 3 + 1;
  for (const std::string &name : names) {
    size_t distance = editDistance(given, name);
    if (given.size() > 2 && name.starts_with(given))
      distance = std::min<size_t>(distance, 1);
    else if (given.size() > 2 && given.starts_with(name))
      distance = std::min(distance, given.size() / 3);
    if (distance >= least)
      continue;
    least = distance;
    closest = name;
  }
  return closest;
}

std::vector<std::string> forge::repeatBeforeFiles(const std::vector<std::string> &arguments,
                                                  const std::vector<std::string> &options) {
  std::vector<std::string> result;
  std::string option; // the one that files may follow
  for (size_t i = 0; i < arguments.size(); ++i) {
    const std::string &argument = arguments[i];
    if (argument == "--") {
      result.insert(result.end(), arguments.begin() + i, arguments.end());
      break;
    }
    if (argument.starts_with("-")) {
      std::string name = argument.substr(0, argument.find('='));
      bool isRepeated = std::find(options.begin(), options.end(), name) != options.end();
      option = isRepeated ? name : "";
      result.push_back(argument);
      // The first value, under any name.
      if (isRepeated && name == argument && i + 1 < arguments.size())
        result.push_back(arguments[++i]);
      continue;
    }
    // Process substitution of the shell gives /dev/fd/63.
    bool isFile = argument.ends_with(".npy") || argument.starts_with("/dev/fd/");
    if (isFile && !option.empty())
      result.push_back(option);
    else
      option.clear();
    result.push_back(argument);
  }
  return result;
}
