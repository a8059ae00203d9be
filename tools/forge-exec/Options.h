// The command line of forge-exec, read by hand: a library for it would be larger than the rest.
#ifndef FORGE_TOOLS_FORGE_EXEC_OPTIONS_H
#define FORGE_TOOLS_FORGE_EXEC_OPTIONS_H

#include "forge/Support/Result.h"

#include <cstdint>
#include <string>
#include <vector>

namespace forge::exec {

struct Options {
  std::string module;
  std::vector<std::string> inputs, expected, tolerances;
  std::string saveFolder, weightsFolder;
  int64_t device = -1;
  /// Runs to time, after two that are not timed; 0: none.
  int64_t timedRuns = 0;
  /// Inputs are drawn at random, from this seed, where none is given.
  bool random = false;
  int64_t seed = 0;
  bool verbose = false, info = false, help = false;
  /// In force before options are read, so that their errors are JSON, too.
  bool jsonDiagnostics = false;
};

/// Whether a call has prompts: it is then one of forge-exec-text.
bool areForTexts(int argc, char **argv);

/// The options, or what is wrong with the call.
Result<Options> parseOptions(int argc, char **argv);

extern const char *const usage;

} // namespace forge::exec

#endif // FORGE_TOOLS_FORGE_EXEC_OPTIONS_H
