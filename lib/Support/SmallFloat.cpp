#include "forge/Support/SmallFloat.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

using namespace forge;

namespace {
struct Format {
  int exponentBits;
  int mantissaBits;
  bool hasInfinity;
};
} // namespace

static Format formatOf(DType type) {
  switch (type) {
  case DType::F64: return {11, 52, true};
  case DType::F32: return {8, 23, true};
  case DType::F16: return {5, 10, true};
  case DType::BF16: return {8, 7, true};
  case DType::F8E5M2: return {5, 2, true};
  default: return {4, 3, false}; // F8E4M3FN: the all-ones pattern is NaN, there is no infinity.
  }
}

double forge::decodeFloat(DType type, uint64_t bits) {
  if (type == DType::F64)
    return std::bit_cast<double>(bits);
  if (type == DType::F32)
    return std::bit_cast<float>(static_cast<uint32_t>(bits));
  Format format = formatOf(type);
  int maxExponent = (1 << format.exponentBits) - 1;
  int bias = (1 << (format.exponentBits - 1)) - 1;
  uint64_t mantissa = bits & ((1u << format.mantissaBits) - 1);
  int exponent = static_cast<int>(bits >> format.mantissaBits) & maxExponent;
  bool negative = bits >> (format.exponentBits + format.mantissaBits) & 1;
  double magnitude;
  if (exponent == maxExponent && format.hasInfinity)
    magnitude = mantissa ? std::numeric_limits<double>::quiet_NaN() : std::numeric_limits<double>::infinity();
  else if (exponent == maxExponent && !format.hasInfinity && mantissa == (1u << format.mantissaBits) - 1)
    magnitude = std::numeric_limits<double>::quiet_NaN();
  else if (exponent == 0)
    magnitude = std::ldexp(static_cast<double>(mantissa), 1 - bias - format.mantissaBits);
  else
    magnitude = std::ldexp(static_cast<double>(mantissa + (1u << format.mantissaBits)),
                           exponent - bias - format.mantissaBits);
  return negative ? -magnitude : magnitude;
}

uint64_t forge::encodeFloat(DType type, double value) {
  if (type == DType::F64)
    return std::bit_cast<uint64_t>(value);
  if (type == DType::F32)
    return std::bit_cast<uint32_t>(static_cast<float>(value));
  Format format = formatOf(type);
  int maxExponent = (1 << format.exponentBits) - 1;
  int bias = (1 << (format.exponentBits - 1)) - 1;
  uint64_t sign = static_cast<uint64_t>(std::signbit(value)) << (format.exponentBits + format.mantissaBits);
  uint64_t infinity = static_cast<uint64_t>(maxExponent) << format.mantissaBits;
  uint64_t nan = format.hasInfinity ? infinity | (1ull << (format.mantissaBits - 1))
                                    : infinity | ((1ull << format.mantissaBits) - 1);
  uint64_t overflow = format.hasInfinity ? infinity : nan;
  double magnitude = std::fabs(value);
  if (std::isnan(value))
    return sign | nan;
  if (std::isinf(value))
    return sign | overflow;
  if (magnitude == 0)
    return sign;
  int exponent = std::max(std::ilogb(magnitude), 1 - bias);
  // In units of the last place of that binade; nearbyint rounds ties to even.
  double units = std::nearbyint(std::ldexp(magnitude, format.mantissaBits - exponent));
  uint64_t encoded = static_cast<uint64_t>(units);
  if (encoded >= (2ull << format.mantissaBits)) {
    encoded >>= 1;
    ++exponent;
  }
  if (encoded >= (1ull << format.mantissaBits)) // normal: the exponent field absorbs the hidden one
    encoded += static_cast<uint64_t>(exponent + bias - 1) << format.mantissaBits;
  if (encoded >= (format.hasInfinity ? infinity : nan))
    return sign | overflow;
  return sign | encoded;
}
