// What the tools' command lines have in common, whoever parses them. No MLIR.
#ifndef FORGE_SUPPORT_COMMANDLINE_H
#define FORGE_SUPPORT_COMMANDLINE_H

#include "forge/Support/Result.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace forge {

/// Whether a file named on the command line can be opened: where not, the call was wrong. Errors:
/// "a.npy: cannot read: No such file or directory".
Result<void> checkReadable(const std::string &path);

/// The one of `names` that `given` is most likely meant to be: it begins like it, or differs by a
/// third of its letters at most.
std::optional<std::string> closestName(std::string_view given,
                                       const std::vector<std::string> &names);

/// Repeats an option of `options` before every further .npy file (or /dev/fd/N), so that a pattern
/// of the shell can follow it: "--input a.npy b.npy" becomes "--input a.npy --input b.npy".
std::vector<std::string> repeatBeforeFiles(const std::vector<std::string> &arguments,
                                           const std::vector<std::string> &options);

} // namespace forge

#endif // FORGE_SUPPORT_COMMANDLINE_H
