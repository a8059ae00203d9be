// Between the files of lib/Execution: device code of a module at the last phase of a GPU target.
#ifndef FORGE_LIB_EXECUTION_DEVICEIMAGE_H
#define FORGE_LIB_EXECUTION_DEVICEIMAGE_H

#include "forge/Codegen/Target.h"
#include "forge/Execution/Lowering.h"
#include "forge/Target/Device/DeviceCode.h"

namespace forge {

/// What a driver loads: for cuda a cubin, or PTX where no ptxas is found; for hip a code object;
/// for sim the gpu.module as MLIR bytecode. `resources` gets what is known of the kernels' machine
/// code.
Result<std::string> compileDevice(mlir::ModuleOp module, const Target &target,
                                  std::vector<KernelResources> &resources);

/// Device code of the one form, as text or bytes.
Result<std::string> emitDeviceForm(mlir::ModuleOp module, const Target &target, CodeForm form,
                                   std::vector<KernelResources> &resources);

/// Adds what is known of the machine code to the kernels of the same names.
void addResources(const std::vector<KernelResources> &resources, std::vector<KernelInfo> &kernels);

} // namespace forge

#endif // FORGE_LIB_EXECUTION_DEVICEIMAGE_H
