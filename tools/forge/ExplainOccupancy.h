// forge explain --occupancy: what the machine code of kernels takes, and how many blocks run at
// once.
#ifndef FORGE_TOOLS_FORGE_EXPLAINOCCUPANCY_H
#define FORGE_TOOLS_FORGE_EXPLAINOCCUPANCY_H

#include "forge/Codegen/Occupancy.h"
#include "forge/Execution/Executable.h"
#include "forge/Support/Result.h"

#include <nlohmann/json.hpp>

namespace forge::tool {

/// Of one kernel of the machine code.
struct KernelOccupancy {
  std::string name;
  BlockResources block;
  int64_t spillBytes = 0;
  Occupancy occupancy;
};

/// Of the kernels of `module`, at phase `kernels` and left as it is; those that are launched
/// together are one, with the names of both. The error is the compiler's.
Result<std::vector<KernelOccupancy>> findOccupancies(mlir::ModuleOp module, const Target &target,
                                                     CompileOptions options);

/// "168 registers, 230512 bytes of shared memory, 384 threads: 1 block at once on a multiprocessor,
/// 12 of 64 warps, limited by registers".
std::string describe(const KernelOccupancy &kernel);
nlohmann::ordered_json occupancyJson(const KernelOccupancy &kernel);

} // namespace forge::tool

#endif // FORGE_TOOLS_FORGE_EXPLAINOCCUPANCY_H
