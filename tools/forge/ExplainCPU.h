// forge explain on the CPU, which has no kernel functions: the loops that a function became.
#ifndef FORGE_TOOLS_FORGE_EXPLAINCPU_H
#define FORGE_TOOLS_FORGE_EXPLAINCPU_H

#include "Session.h"

namespace forge::tool {

struct ExplainCPUOptions {
  bool asJson = false;
  /// Whether the function is timed.
  bool measure = false;
};

/// Prints how each loop nest of the function is computed, from which operations of the source, and
/// what it does; where that is asked for, the function's time beside this machine's ceilings.
/// Returns an exit status.
int explainOnCPU(Session &session, const ModuleOptions &module, const ExplainCPUOptions &options);

} // namespace forge::tool

#endif // FORGE_TOOLS_FORGE_EXPLAINCPU_H
