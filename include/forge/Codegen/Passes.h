// The passes of code generation: fusion and tiling of row kernels, contractions, math.
#ifndef FORGE_CODEGEN_PASSES_H
#define FORGE_CODEGEN_PASSES_H

#include "forge/Dialect/Forge/IR/Forge.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Pass/Pass.h"

namespace forge {

#define GEN_PASS_DECL
#include "forge/Codegen/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "forge/Codegen/Passes.h.inc"

} // namespace forge

#endif // FORGE_CODEGEN_PASSES_H
