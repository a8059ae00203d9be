// Products of 8-bit floats whose sums may be those of matrix units. No MLIR.
#ifndef FORGE_SUPPORT_UNITSUMS_H
#define FORGE_SUPPORT_UNITSUMS_H

#include <cstdint>
#include <string_view>

namespace forge {

/// On the multiplication in the body of a contraction of 8-bit floats with sums in f32: the program
/// does not ask for more than the sums of matrix units, which have fewer bits than f32's
/// (MatrixArithmetic.h). Without it such sums are f32's.
inline constexpr std::string_view kUnitSumsAttr = "forge.unit_sums";

/// So many products are added up by a matrix unit before their sum is added to one of f32, rounded
/// to nearest. On an H200 that takes 1 to 4 % of the time of 4096^3, 8192^3 and 4096 x 14336 by
/// 4096 terms, sums of 128 would take 5 to 6 % (docs/gpu-h200.md).
inline constexpr int64_t kUnitSumTerms = 256;

} // namespace forge

#endif // FORGE_SUPPORT_UNITSUMS_H
