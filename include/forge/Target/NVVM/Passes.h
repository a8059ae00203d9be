// The passes of the NVVM target: device code from the gpu dialect to the LLVM dialect.
#ifndef FORGE_TARGET_NVVM_PASSES_H
#define FORGE_TARGET_NVVM_PASSES_H

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Pass/Pass.h"

namespace forge {

#define GEN_PASS_DECL
#include "forge/Target/NVVM/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "forge/Target/NVVM/Passes.h.inc"

} // namespace forge

#endif // FORGE_TARGET_NVVM_PASSES_H
