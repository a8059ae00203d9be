// Conversions between double and the narrow float formats, by bits: round to nearest, ties to even.
// No MLIR.
#ifndef FORGE_SUPPORT_SMALLFLOAT_H
#define FORGE_SUPPORT_SMALLFLOAT_H

#include "forge/Support/DType.h"

#include <cstdint>

namespace forge {

/// The value of the float whose bits (zero-extended) are `bits`; exact for every type here.
double decodeFloat(DType type, uint64_t bits);

/// The bits of the float of `type` nearest to `value`, ties to even. Overflow gives infinity, or
/// NaN in types without infinity (F8E4M3FN: OCP 8-bit Floating Point Specification 1.0; FNUZ),
/// which have NaN for infinity too; NaN stays NaN. Two types differ, as ml_dtypes has them (OCP
/// Microscaling Formats 1.0):
/// - F4E2M1FN has neither: beyond is the largest number, NaN becomes -0.
/// - F8E8M0FNU, powers of two, rounds ties up, and all that is between 2^-127 and 2^-126; 0, what
/// is negative and what
///   is beyond become NaN, and what is below 2^-127 that.
uint64_t encodeFloat(DType type, double value);

/// The bit that is the sign of a float; 0 for F8E8M0FNU, which has none.
uint64_t signBitOf(DType type);

} // namespace forge

#endif // FORGE_SUPPORT_SMALLFLOAT_H
