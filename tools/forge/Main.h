// The whole of `forge`, as a function.
#ifndef FORGE_TOOLS_FORGE_MAIN_H
#define FORGE_TOOLS_FORGE_MAIN_H

namespace forge::tool {

/// Runs the command line; the exit status.
int runForge(int argc, char **argv);

} // namespace forge::tool

#endif // FORGE_TOOLS_FORGE_MAIN_H
