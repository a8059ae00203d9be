// Objects made into shared objects, by the system's compiler driver.
#ifndef FORGE_TOOLS_FORGE_LINKER_H
#define FORGE_TOOLS_FORGE_LINKER_H

#include "forge/Support/Result.h"

#include <string>

namespace forge::tool {

/// The bytes of a shared object that holds `object` and Forge's runtime, which stands beside this
/// program (../lib). Needs clang++ or g++ in PATH.
Result<std::string> linkSharedObject(const std::string &object);

} // namespace forge::tool

#endif // FORGE_TOOLS_FORGE_LINKER_H
