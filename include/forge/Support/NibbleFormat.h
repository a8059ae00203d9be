// Matrices of integers of 4 bits, packed into words. No MLIR.
#ifndef FORGE_SUPPORT_NIBBLEFORMAT_H
#define FORGE_SUPPORT_NIBBLEFORMAT_H

#include <cstdint>

namespace forge {

/// A matrix [N, K] is words [N, ceil(K / 8)] of i32 and scales [N, ceil(K / 128)] of bf16: element
/// (n, k) is (((words[n, k / 8] >> 4 (k % 8)) & 15) - 8) * scales[n, k / 128]. So do
/// compressed-tensors' checkpoints pack them ("pack-quantized", symmetric, group_size 128).
inline constexpr int64_t kNibblesOfWord = 8, kNibbleGroup = 128, kNibbleZero = 8;

constexpr int64_t wordsOfNibbles(int64_t columns) {
  return columns / kNibblesOfWord + (columns % kNibblesOfWord != 0);
}
constexpr int64_t groupsOfNibbles(int64_t columns) {
  return columns / kNibbleGroup + (columns % kNibbleGroup != 0);
}

} // namespace forge

#endif // FORGE_SUPPORT_NIBBLEFORMAT_H
