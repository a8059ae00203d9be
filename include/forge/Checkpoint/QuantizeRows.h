// Matrices of weights in 8 bits, a scale for each row. No MLIR.
#ifndef FORGE_CHECKPOINT_QUANTIZEROWS_H
#define FORGE_CHECKPOINT_QUANTIZEROWS_H

#include "forge/Support/HostTensor.h"
#include "forge/Support/Result.h"

namespace forge {

/// Of a matrix w [N, K] of f32, f16 or bf16, per row max_k |w[n, k]| / 127, rounded to f32: [N] of
/// f32. Fails where an element is not finite; the message names its row.
Result<HostTensor> scalesOfRows(const HostTensor &matrix);

/// round(w[n, k] / scale[n]), ties to even, [N, K] of i8: from -127 to 127, and 0 where the scale
/// is 0. The quotient is computed in f32. Fails as scalesOfRows does.
Result<HostTensor> quantizedRows(const HostTensor &matrix);

} // namespace forge

#endif // FORGE_CHECKPOINT_QUANTIZEROWS_H
