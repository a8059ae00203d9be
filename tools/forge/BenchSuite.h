// What forge bench times: a module, or all of a suite.
#ifndef FORGE_TOOLS_FORGE_BENCHSUITE_H
#define FORGE_TOOLS_FORGE_BENCHSUITE_H

#include "Session.h"

#include "forge/Support/Result.h"

#include <vector>

namespace forge::tool {

/// What `options` name, in the order of their names: a module or a folder in Hugging Face form, as
/// it is; or of a suite, a folder, every .mlir file and every folder in Hugging Face form with a
/// file suite.json, with made-up weights and the sizes that this has:
///
///   [{"cache": 2048, "batch": 16}, {"length": 2048}]
///
/// Fails on another suite.json, with its location as a detail, and where there is nothing to time.
Result<std::vector<ModuleOptions>> subjectsOf(const ModuleOptions &options);

} // namespace forge::tool

#endif // FORGE_TOOLS_FORGE_BENCHSUITE_H
