// The options of a program that continues texts: forge generate, and forge-exec with a prompt.
#ifndef FORGE_TOOLS_GENERATEOPTIONS_H
#define FORGE_TOOLS_GENERATEOPTIONS_H

#include "forge/Generate/GenerateCommand.h"

#include <CLI/CLI.hpp>

namespace forge::tool {

/// Declares them; parsing fills `request`, which lives as long as `app`.
void addGenerateOptions(CLI::App &app, GenerateRequest &request);

/// What is wrong with what was parsed, or empty.
std::string whyNoPrompts(const GenerateRequest &request);

} // namespace forge::tool

#endif // FORGE_TOOLS_GENERATEOPTIONS_H
