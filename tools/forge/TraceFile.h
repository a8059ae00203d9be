// --instrument: a file of trace events of what a command does.
#ifndef FORGE_TOOLS_FORGE_TRACEFILE_H
#define FORGE_TOOLS_FORGE_TRACEFILE_H

#include <CLI/CLI.hpp>

#include <functional>
#include <string>

namespace forge::tool {

struct TraceOption {
  /// Empty: nothing is recorded.
  std::string file;

  void addTo(CLI::App &app);
  /// What `command` returns. What it does is recorded, and written also if it fails; kFailed where
  /// the file cannot be written.
  int record(const std::function<int()> &command) const;
};

} // namespace forge::tool

#endif // FORGE_TOOLS_FORGE_TRACEFILE_H
