// What strategies have measured of products of few rows and a large matrix, which take as long as
// the matrix takes to be read.
#ifndef FORGE_LIB_CODEGEN_STRATEGY_FEWROWS_H
#define FORGE_LIB_CODEGEN_STRATEGY_FEWROWS_H

#include <cstdint>

namespace forge {

/// Rows at most: those of one instruction of a warpgroup.
inline constexpr int64_t kFewRows = 64;
/// Bytes of the matrix at least. With less, launches and the first reads are most of the time.
inline constexpr int64_t kLargeMatrixBytes = 1 << 24;
/// The time of strategies gemv (of more than four rows) and library, by that of strategy wgmma,
/// whose tiles are as narrow as it takes where terms are contiguous. On an H200, bf16, 5 to 64 rows
/// times 4096 x 4096, 14336 x 4096, two of those, and 128256 x 4096: 0.97 to 1.29, and in decode
/// steps more, since the library's launches do not overlap (docs/gpu-h200.md).
inline constexpr double kOthersOfFewRows = 1.1;

} // namespace forge

#endif // FORGE_LIB_CODEGEN_STRATEGY_FEWROWS_H
