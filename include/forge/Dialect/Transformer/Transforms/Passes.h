// Rewrites of transformer modules that run before they are lowered.
#ifndef FORGE_DIALECT_TRANSFORMER_TRANSFORMS_PASSES_H
#define FORGE_DIALECT_TRANSFORMER_TRANSFORMS_PASSES_H

#include "forge/Dialect/Transformer/IR/Transformer.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Pass/Pass.h"

namespace forge {

#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "forge/Dialect/Transformer/Transforms/Passes.h.inc"

/// mlp and gated_mlp to matmul and multiply.
void populateTransformerDecomposeBlockPatterns(mlir::RewritePatternSet &patterns);

/// Those, linear to dequantize and matmul, and the activation and residual of matmul to operations
/// of their own: the patterns of transformer-decompose.
void populateTransformerDecomposePatterns(mlir::RewritePatternSet &patterns);

/// The patterns of transformer-fuse-epilogues.
void populateTransformerFuseEpiloguesPatterns(mlir::RewritePatternSet &patterns);

} // namespace forge

#endif // FORGE_DIALECT_TRANSFORMER_TRANSFORMS_PASSES_H
