// Assembly and code objects for AMD GPUs. Needs nothing of ROCm.
#ifndef FORGE_TARGET_ROCDL_HSACO_H
#define FORGE_TARGET_ROCDL_HSACO_H

#include "forge/Target/Device/DeviceCode.h"

namespace forge {

/// Assembly of a gpu.module in the LLVM dialect.
Result<std::string> emitAMDAssembly(mlir::gpu::GPUModuleOp module, const GPUChip &chip);

/// The linked code object; `resources` gets what its metadata tell of each kernel.
Result<std::string> emitHSACO(mlir::gpu::GPUModuleOp module, const GPUChip &chip,
                              std::vector<KernelResources> &resources);

} // namespace forge

#endif // FORGE_TARGET_ROCDL_HSACO_H
