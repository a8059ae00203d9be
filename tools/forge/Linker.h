// Objects made into shared objects, by the system's compiler driver.
#ifndef FORGE_TOOLS_FORGE_LINKER_H
#define FORGE_TOOLS_FORGE_LINKER_H

#include "forge/Support/ModuleSignature.h"

#include <string>

namespace forge::tool {

/// The bytes of a shared object that holds `object`, `signature` and Forge's runtime, which stands
/// next to this program (../lib); see forge/Runtime/ModuleABI.h. Needs clang++ or g++ in PATH.
Result<std::string> linkSharedObject(const std::string &object, const ModuleSignature &signature);

} // namespace forge::tool

#endif // FORGE_TOOLS_FORGE_LINKER_H
