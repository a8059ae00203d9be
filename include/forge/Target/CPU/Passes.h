// The passes of the CPU target: from bufferization to the LLVM dialect.
#ifndef FORGE_TARGET_CPU_PASSES_H
#define FORGE_TARGET_CPU_PASSES_H

#include "mlir/Pass/Pass.h"

namespace mlir {
class LLVMTypeConverter;
class RewritePatternSet;
} // namespace mlir

namespace forge {

/// Marks a function that forge-outline-parts has made, and forge-inline-parts undoes.
inline constexpr llvm::StringLiteral kPartAttr = "forge.part";

#define GEN_PASS_DECL
#include "forge/Target/CPU/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "forge/Target/CPU/Passes.h.inc"

/// memref.alloc, dealloc, copy, and cf.assert as calls of the runtime. They win over the upstream
/// patterns.
void populateRuntimeCallPatterns(const mlir::LLVMTypeConverter &converter,
                                 mlir::RewritePatternSet &patterns);

} // namespace forge

#endif // FORGE_TARGET_CPU_PASSES_H
