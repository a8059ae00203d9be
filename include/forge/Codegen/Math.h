// Expansion of math functions and of narrow float conversions into plain arithmetic that LLVM vectorises.
#ifndef FORGE_CODEGEN_MATH_H
#define FORGE_CODEGEN_MATH_H

#include "llvm/ADT/StringRef.h"

namespace mlir {
class RewritePatternSet;
} // namespace mlir

namespace forge {

/// A unit attribute of math.exp2 and arith.divf with fastmath<afn>: neither argument nor result is subnormal, or 0 may
/// stand for it.
inline constexpr llvm::StringLiteral kNormalAttr = "forge.normal";

/// Rewrites the transcendental operations of the math dialect on f32, and on f16 and bf16 through f32, scalars and
/// vectors. No branches and no calls; the error bounds are in the description of forge-expand-math.
void populateExpandMathPatterns(mlir::RewritePatternSet &patterns);

/// Rewrites arith.extf from, and arith.truncf to, f8E4M3FN and f8E5M2 into integer operations; exact.
void populateExpandSmallFloatsPatterns(mlir::RewritePatternSet &patterns);

} // namespace forge

#endif // FORGE_CODEGEN_MATH_H
