// Objects made into shared objects, by the system's compiler driver.
#ifndef FORGE_TOOLS_FORGE_LINKER_H
#define FORGE_TOOLS_FORGE_LINKER_H

#include "forge/Support/ModuleSignature.h"

#include <string>

namespace forge::tool {

/// A function that the shared object has.
struct LinkedFunction {
  std::string object;
  ModuleSignature signature;
};

/// The bytes of a shared object that holds functions, which are found by their names if there are
/// several, files (name and bytes) if there are any, and Forge's runtime, which is next to this
/// program (../lib); see forge/Runtime/ModuleABI.h. Needs clang++ or g++ in PATH.
Result<std::string>
linkSharedObject(const std::vector<LinkedFunction> &functions,
                 const std::vector<std::pair<std::string, std::string>> &files = {});

} // namespace forge::tool

#endif // FORGE_TOOLS_FORGE_LINKER_H
