// What distinguishes the two formats of 8 bits.
#ifndef FORGE_LIB_CODEGEN_MATH_SMALLFLOATS_H
#define FORGE_LIB_CODEGEN_MATH_SMALLFLOATS_H

#include "mlir/IR/PatternMatch.h"

namespace forge {

/// Of a format with an encoding in 8 bits (OCP 8-bit Floating Point Specification 1.0).
struct SmallFormat {
  unsigned mantissa;      ///< stored bits
  int bias;               ///< of the exponent
  double smallestNormal;  ///< below it values are multiples of `smallestStep`
  double smallestStep;    ///< the least number above 0
  double limit;           ///< half way between the greatest number and the next code
  uint64_t overflow, nan; ///< encodings without sign of what is above the limit, and of NaN
};

inline constexpr SmallFormat kE4M3FN = {3, 7, 0x1p-6, 0x1p-9, 464.0, 0x7f, 0x7f};
inline constexpr SmallFormat kE5M2 = {2, 15, 0x1p-14, 0x1p-16, 61440.0, 0x7c, 0x7e};

/// Null where the elements of `type` are others.
const SmallFormat *smallFormatOf(mlir::Type type);

/// Rewrites arith.extf from, and arith.truncf of 32 bits or fewer to, those formats into
/// instructions that convert two numbers (PTX ISA, cvt, of sm_89 and newer), before the patterns
/// of integer operations. Exact.
void populateSmallFloatInstructionPatterns(mlir::RewritePatternSet &patterns);

} // namespace forge

#endif // FORGE_LIB_CODEGEN_MATH_SMALLFLOATS_H
