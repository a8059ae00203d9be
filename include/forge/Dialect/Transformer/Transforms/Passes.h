// Rewrites of transformer modules that run before they are lowered.
#ifndef FORGE_DIALECT_TRANSFORMER_TRANSFORMS_PASSES_H
#define FORGE_DIALECT_TRANSFORMER_TRANSFORMS_PASSES_H

#include "forge/Dialect/Transformer/IR/Transformer.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

namespace forge {

#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "forge/Dialect/Transformer/Transforms/Passes.h.inc"

} // namespace forge

#endif // FORGE_DIALECT_TRANSFORMER_TRANSFORMS_PASSES_H
