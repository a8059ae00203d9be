// Matrices of weights in 8 bits, integers or floats, with a scale for each row, and in 4, with a
// scale for each group of a row. No MLIR.
#ifndef FORGE_CHECKPOINT_QUANTIZEROWS_H
#define FORGE_CHECKPOINT_QUANTIZEROWS_H

#include "forge/Support/HostTensor.h"
#include "forge/Support/ModuleSignature.h"
#include "forge/Support/Result.h"

namespace forge {

/// Of a matrix w [N, K] of f32, f16 or bf16, per row max_k |w[n, k]| / `largest`, rounded to f32:
/// [N] of f32. Fails where an element is not finite; the message names its row.
Result<HostTensor> scalesOfRows(const HostTensor &matrix, float largest = 127);

/// round(w[n, k] / scale[n]), ties to even, [N, K] of i8: from -127 to 127, and 0 where the scale
/// is 0. The quotient is computed in f32. Fails as scalesOfRows does.
Result<HostTensor> quantizedRows(const HostTensor &matrix);

/// The largest number of f8E4M3FN.
inline constexpr float kLargestFloat8 = 448;

/// w[n, k] / scale[n], rounded to f8E4M3FN, ties to even, [N, K]; 0 where the scale is 0. The
/// scales are scalesOfRows(matrix, kLargestFloat8); the quotient is computed in f32 and clamped to
/// the type's finite numbers. Fails as scalesOfRows does.
Result<HostTensor> float8Rows(const HostTensor &matrix);

/// Of a matrix w [N, K] as above, per group of 128 elements of a row (forge/Support/NibbleFormat.h)
/// max |w| / 7, rounded to bf16: [N, ceil(K / 128)]. Fails as scalesOfRows does, and where a scale
/// is not finite in bf16.
Result<HostTensor> scalesOfGroups(const HostTensor &matrix);

/// round(w[n, k] / scale), ties to even, clamped to -7 ... 7 and 0 where the scale is 0, in words
/// of eight: [N, ceil(K / 8)] of i32; behind the end of a row are zeros. The quotient is computed
/// in f32. Fails as scalesOfGroups does.
Result<HostTensor> quantizedNibbles(const HostTensor &matrix);

/// The part of `matrix` that is asked for.
Result<HostTensor> quantizedPart(const HostTensor &matrix, QuantizedMatrix::Part part);

} // namespace forge

#endif // FORGE_CHECKPOINT_QUANTIZEROWS_H
