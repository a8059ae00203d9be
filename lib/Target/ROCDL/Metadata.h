// The notes of a code object.
#ifndef FORGE_LIB_TARGET_ROCDL_METADATA_H
#define FORGE_LIB_TARGET_ROCDL_METADATA_H

#include "forge/Target/Device/DeviceCode.h"

namespace forge {

/// Adds what the NT_AMDGPU_METADATA note of `object` (an ELF file) tells of each kernel.
void readMetadata(llvm::StringRef object, std::vector<KernelResources> &resources);

} // namespace forge

#endif // FORGE_LIB_TARGET_ROCDL_METADATA_H
