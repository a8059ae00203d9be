// What forge doctor looks at.
#ifndef FORGE_TOOLS_FORGE_MACHINE_H
#define FORGE_TOOLS_FORGE_MACHINE_H

#include <string>
#include <vector>

namespace forge::tool {

/// One thing a machine has or lacks.
struct Finding {
  std::string name;
  bool present;
  /// What is there, or what was looked for.
  std::string detail;
  /// What it is needed for.
  std::string purpose;
  /// How to get it.
  std::string remedy;
};

/// Processor, memory, compiler, linker, drivers with their devices, and vendor libraries. Starts
/// the drivers, and uses no device.
std::vector<Finding> examineMachine();

} // namespace forge::tool

#endif // FORGE_TOOLS_FORGE_MACHINE_H
