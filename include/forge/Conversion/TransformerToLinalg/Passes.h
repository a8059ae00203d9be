// Conversion of the transformer dialect to linalg.
#ifndef FORGE_CONVERSION_TRANSFORMERTOLINALG_PASSES_H
#define FORGE_CONVERSION_TRANSFORMERTOLINALG_PASSES_H

#include "mlir/Pass/Pass.h"

namespace mlir {
class RewritePatternSet;
} // namespace mlir

namespace forge {

#define GEN_PASS_DECL
#include "forge/Conversion/TransformerToLinalg/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "forge/Conversion/TransformerToLinalg/Passes.h.inc"

/// Every operation of the transformer dialect to linalg, tensor, arith and math. With `hostLoops`,
/// loops around them may depend on the values of tensors (the rows of each group); with
/// `chunkedSorts`, merges of sorts are done in chunks that do not depend on each other.
void populateTransformerToLinalgPatterns(mlir::RewritePatternSet &patterns, bool hostLoops = true,
                                         bool chunkedSorts = false);

} // namespace forge

#endif // FORGE_CONVERSION_TRANSFORMERTOLINALG_PASSES_H
