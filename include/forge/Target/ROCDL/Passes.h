// The passes of the ROCDL target: device code from the gpu dialect to the LLVM dialect.
#ifndef FORGE_TARGET_ROCDL_PASSES_H
#define FORGE_TARGET_ROCDL_PASSES_H

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Pass/Pass.h"

namespace forge {

#define GEN_PASS_DECL
#include "forge/Target/ROCDL/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "forge/Target/ROCDL/Passes.h.inc"

} // namespace forge

#endif // FORGE_TARGET_ROCDL_PASSES_H
