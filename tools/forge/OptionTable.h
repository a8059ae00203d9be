// The subcommands and their options as data, for what is generated from them.
#ifndef FORGE_TOOLS_FORGE_OPTIONTABLE_H
#define FORGE_TOOLS_FORGE_OPTIONTABLE_H

#include <CLI/CLI.hpp>

#include <string>
#include <vector>

namespace forge::tool {

struct OptionEntry {
  /// "--to", "-o"; none for a positional argument.
  std::vector<std::string> names;
  /// What stands for the value in help: "PHASE"; empty for a flag.
  std::string value;
  std::string description;
  /// The values it may have, when they are few.
  std::vector<std::string> choices;
  /// What a shell offers: the choices, or else examples such as all targets.
  std::vector<std::string> completions;
  bool required = false;
  bool repeats = false;
  std::string defaultValue;
};

struct CommandEntry {
  std::string name;
  std::string description;
  std::vector<OptionEntry> options; // positional arguments first
};

std::vector<CommandEntry> tableOf(const CLI::App &app);

} // namespace forge::tool

#endif // FORGE_TOOLS_FORGE_OPTIONTABLE_H
