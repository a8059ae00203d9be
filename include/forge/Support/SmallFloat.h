// Conversions between double and the narrow float formats, by bits: round to nearest, ties to even. No MLIR.
#ifndef FORGE_SUPPORT_SMALLFLOAT_H
#define FORGE_SUPPORT_SMALLFLOAT_H

#include "forge/Support/DType.h"

#include <cstdint>

namespace forge {

/// The value of the float whose bits (zero-extended) are `bits`; exact for every type here.
double decodeFloat(DType type, uint64_t bits);

/// The bits of the float of `type` nearest to `value`, ties to even. Overflow gives infinity, or NaN in F8E4M3FN
/// (which has no infinity: OCP 8-bit Floating Point Specification 1.0). NaN stays NaN.
uint64_t encodeFloat(DType type, double value);

} // namespace forge

#endif // FORGE_SUPPORT_SMALLFLOAT_H
