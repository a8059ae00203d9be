// PTX, and cubin where ptxas is found.
#ifndef FORGE_TARGET_NVVM_PTX_H
#define FORGE_TARGET_NVVM_PTX_H

#include "forge/Target/Device/DeviceCode.h"

namespace forge {

/// PTX of a gpu.module in the LLVM dialect.
Result<std::string> emitPTX(mlir::gpu::GPUModuleOp module, const GPUChip &chip);

/// The path of ptxas: FORGE_PTXAS, PATH, or the usual folders of CUDA; an error that says where was
/// looked.
Result<std::string> findPtxas();

/// Assembles; `resources` gets what ptxas tells of each kernel.
Result<std::string> assemblePTX(const std::string &ptx, const GPUChip &chip,
                                std::vector<KernelResources> &resources);

} // namespace forge

#endif // FORGE_TARGET_NVVM_PTX_H
