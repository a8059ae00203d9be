// Roots of unity in double precision.
#ifndef FORGE_SUPPORT_ROOTOFUNITY_H
#define FORGE_SUPPORT_ROOTOFUNITY_H

#include <cmath>
#include <complex>
#include <cstdint>

namespace forge {

/// e^(sign 2 pi i numerator / denominator), exact at quarter turns: sin(M_PI) is not 0, but the
/// middle of a real sequence's transform is real. 4 `denominator` must fit in 63 bits.
inline std::complex<double> rootOfUnity(int64_t numerator, int64_t denominator, int sign) {
  numerator %= denominator;
  if (4 * numerator % denominator == 0) {
    static constexpr double kCos[] = {1, 0, -1, 0}, kSin[] = {0, 1, 0, -1};
    int64_t quarters = 4 * numerator / denominator;
    return {kCos[quarters], sign * kSin[quarters]};
  }
  double angle = 2 * M_PI * static_cast<double>(numerator) / static_cast<double>(denominator);
  return {std::cos(angle), sign * std::sin(angle)};
}

} // namespace forge

#endif // FORGE_SUPPORT_ROOTOFUNITY_H
