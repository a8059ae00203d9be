// Host code and device code in one module.
#ifndef FORGE_TARGET_DEVICE_HOSTCODE_H
#define FORGE_TARGET_DEVICE_HOSTCODE_H

#include "mlir/IR/BuiltinOps.h"

namespace forge {

/// On memref.alloc: in host memory. On memref.copy: from the device to the host.
inline constexpr llvm::StringLiteral kHostAttr = "forge.host";

/// A unit attribute of gpu.launch_func: the kernel waits for the work before it itself, in every
/// thread, before it touches memory. forge-dependent-launches writes it.
inline constexpr llvm::StringLiteral kDependentLaunchAttr = "forge.dependent_launch";

/// On a gpu.func: the names of the kernels it was made of, an array in the order of their blocks.
/// forge-fuse-launches writes it.
inline constexpr llvm::StringLiteral kPartsAttr = "forge.parts";

/// The symbols of the device code and of its size.
inline constexpr llvm::StringLiteral kDeviceCode = "forge_device_code";
inline constexpr llvm::StringLiteral kDeviceCodeSize = "forge_device_code_size";

/// Defines kDeviceCode and kDeviceCodeSize in `module`, host code in the LLVM dialect, and drops
/// its gpu.module.
void embedDeviceCode(mlir::ModuleOp module, llvm::StringRef code);

} // namespace forge

#endif // FORGE_TARGET_DEVICE_HOSTCODE_H
