// Links code objects, by LLD in this process or by another program.
#ifndef FORGE_TARGET_ROCDL_LINK_H
#define FORGE_TARGET_ROCDL_LINK_H

#include "forge/Support/Result.h"

#include <optional>
#include <string>

namespace forge {

/// The code object of a relocatable object: a shared object without unresolved symbols. Linked in
/// this process if LLD is part of it (option FORGE_LINK_LLD of the build), unless the environment
/// variable FORGE_LLD names a program. Safe from any thread.
Result<std::string> linkCodeObject(const std::string &object);

/// The path of ld.lld: FORGE_LLD, PATH or the usual folders; an error that says where was looked.
Result<std::string> findDeviceLinker();

/// LLD as a library: links `source` to `target`. Nothing where it is not part of this process, or
/// has failed in a way after which it cannot run again.
std::optional<Result<void>> linkInProcess(const std::string &source, const std::string &target);

} // namespace forge

#endif // FORGE_TARGET_ROCDL_LINK_H
