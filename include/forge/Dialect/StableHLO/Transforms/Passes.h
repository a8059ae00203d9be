// Rewrites within StableHLO that run before it is lowered.
#ifndef FORGE_DIALECT_STABLEHLO_TRANSFORMS_PASSES_H
#define FORGE_DIALECT_STABLEHLO_TRANSFORMS_PASSES_H

#include "forge/Dialect/StableHLO/IR/StableHLO.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Pass/Pass.h"

namespace forge {

#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "forge/Dialect/StableHLO/Transforms/Passes.h.inc"

/// Of arguments and results of public functions that were tensors of complex numbers: the last
/// dimension holds the parts of a number (forge-split-complex).
inline constexpr llvm::StringLiteral kComplexAttr = "forge.complex";

/// The name of composites that are Fourier transforms.
inline constexpr llvm::StringLiteral kFftComposite = "forge.fft";
bool hasFftComposites(mlir::ModuleOp module);

/// What forge-expand-linear-algebra does, and both passes, for what reads a module before it
/// is lowered: what evaluates it, or needs its signature. `forGPU` makes Fourier transforms
/// composites of parts, whose products have few large steps.
void expandLinearAlgebra(mlir::ModuleOp module);
mlir::LogicalResult splitComplex(mlir::ModuleOp module, bool forGPU = false);

/// The patterns of forge-legalize-chlo.
void populateLegalizeChloPatterns(mlir::RewritePatternSet &patterns);

/// chlo.ragged_dot becomes a dot_general of operands whose groups are taken apart by masks.
void populateLegalizeRaggedDotPatterns(mlir::RewritePatternSet &patterns);

/// chlo.scan becomes a reduce_window where it is a running reduction, else a loop.
void populateLegalizeScanPatterns(mlir::RewritePatternSet &patterns);

} // namespace forge

#endif // FORGE_DIALECT_STABLEHLO_TRANSFORMS_PASSES_H
