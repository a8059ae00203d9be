// Sums of exponentials below a maximum, found while the maximum is still being looked for.
#ifndef FORGE_LIB_CODEGEN_ROWKERNELS_ONLINESUM_H
#define FORGE_LIB_CODEGEN_ROWKERNELS_ONLINESUM_H

#include "RowProgram.h"

namespace forge {

/// If stage `index` sums exp(a - m), where m is the maximum of the same a that another stage finds
/// along the same row, that stage; nothing otherwise. Both can then be computed in one pass:
/// whenever the maximum grows, the sum so far is scaled by exp(old - new) (Milakov and Gimelshein,
/// "Online normalizer calculation for softmax", 2018).
std::optional<unsigned> maximumOfSum(const RowProgram &program, unsigned index);

} // namespace forge

#endif // FORGE_LIB_CODEGEN_ROWKERNELS_ONLINESUM_H
