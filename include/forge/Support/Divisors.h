// Divisors of sizes.
#ifndef FORGE_SUPPORT_DIVISORS_H
#define FORGE_SUPPORT_DIVISORS_H

#include <algorithm>
#include <cstdint>

namespace forge {

/// The largest divisor of `size`, 1 or more, that is at most `most`; 1 if `most` is less.
inline int64_t largestDivisor(int64_t size, int64_t most) {
  int64_t divisor = std::clamp<int64_t>(most, 1, size);
  while (size % divisor != 0)
    --divisor;
  return divisor;
}

} // namespace forge

#endif // FORGE_SUPPORT_DIVISORS_H
