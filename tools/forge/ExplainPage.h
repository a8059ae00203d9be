// The page of forge explain --html.
#ifndef FORGE_TOOLS_FORGE_EXPLAINPAGE_H
#define FORGE_TOOLS_FORGE_EXPLAINPAGE_H

#include "forge/Codegen/Target.h"

#include "mlir/IR/BuiltinOps.h"

#include <nlohmann/json.hpp>

#include <map>
#include <string>
#include <vector>

namespace forge::tool {

/// The launches of a module at phase `kernels`, in the order of its text: for each the number of
/// its kernel in `names`, how many loops it is in, and the numbers of the launches whose results it
/// reads.
nlohmann::ordered_json launchesOf(mlir::ModuleOp module, const std::vector<std::string> &names);

/// Kernel functions by name, as text, of a module at phase `kernels` or later. Long ones are cut,
/// and say so.
std::map<std::string, std::string> kernelTexts(mlir::ModuleOp module);

/// A page that needs nothing else, with `data` in it. What comes from the module cannot end the
/// script that it is in.
std::string explainPage(const nlohmann::ordered_json &data);

} // namespace forge::tool

#endif // FORGE_TOOLS_FORGE_EXPLAINPAGE_H
