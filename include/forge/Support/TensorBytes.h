// Sizes of tensors that nothing has checked yet, and of what several tensors make together.
#ifndef FORGE_SUPPORT_TENSORBYTES_H
#define FORGE_SUPPORT_TENSORBYTES_H

#include <cstdint>
#include <limits>
#include <span>

namespace forge {

/// Whether the bytes of a tensor of this shape, or of a part of it, can be counted in 63 bits, with
/// elements of 8 bytes. A dynamic size (any below 0) counts as one here, and is checked at run
/// time.
inline bool hasCountableBytes(std::span<const int64_t> shape) {
  int64_t most = std::numeric_limits<int64_t>::max() / 8;
  for (int64_t size : shape)
    if (size > 0)
      most /= size;
  return most > 0;
}

/// The product and the sum of two numbers of 0 or more, or the largest number where it does not
/// fit: for counts that only guide a choice, as that of the points of an iteration space.
inline int64_t saturatingMul(int64_t a, int64_t b) {
  int64_t result = 0;
  return __builtin_mul_overflow(a, b, &result) ? std::numeric_limits<int64_t>::max() : result;
}
inline int64_t saturatingAdd(int64_t a, int64_t b) {
  int64_t result = 0;
  return __builtin_add_overflow(a, b, &result) ? std::numeric_limits<int64_t>::max() : result;
}

} // namespace forge

#endif // FORGE_SUPPORT_TENSORBYTES_H
