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

/// The patterns of forge-legalize-chlo.
void populateLegalizeChloPatterns(mlir::RewritePatternSet &patterns);

/// chlo.scan becomes a reduce_window where it is a running reduction, else a loop.
void populateLegalizeScanPatterns(mlir::RewritePatternSet &patterns);

} // namespace forge

#endif // FORGE_DIALECT_STABLEHLO_TRANSFORMS_PASSES_H
