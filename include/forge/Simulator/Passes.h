// The passes that make code for the simulator of the kernels of a module.
#ifndef FORGE_SIMULATOR_PASSES_H
#define FORGE_SIMULATOR_PASSES_H

#include "mlir/Pass/Pass.h"

namespace forge {

#define GEN_PASS_DECL
#include "forge/Simulator/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "forge/Simulator/Passes.h.inc"

/// Everything from the gpu phase to the LLVM dialect with the simulator's calls.
/// `warpSize`: lanes of a warp, for reductions of warps that are still operations.
void buildSimulationPipeline(mlir::OpPassManager &pm, unsigned warpSize);

} // namespace forge

#endif // FORGE_SIMULATOR_PASSES_H
