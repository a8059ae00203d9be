#include "forge/Support/SmallFloat.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

using namespace forge;

namespace {
/// What the codes of the largest exponent, and that of -0, are for.
enum class Specials {
  Ieee,     ///< infinity, and NaN with a mantissa
  OneNan,   ///< FN: numbers, but the last code, which is NaN
  NoMinus0, ///< FNUZ: numbers; the code of -0 is NaN
  None      ///< numbers
};

struct Format {
  int exponentBits;
  int mantissaBits;
  int bias;
  Specials specials;

  constexpr uint64_t sign() const { return uint64_t(1) << (exponentBits + mantissaBits); }
  constexpr uint64_t infinity() const {
    return ((uint64_t(1) << exponentBits) - 1) << mantissaBits;
  }
  /// The code without sign after the last finite number's.
  constexpr uint64_t end() const {
    switch (specials) {
    case Specials::Ieee:
      return infinity();
    case Specials::OneNan:
      return sign() - 1;
    default:
      return sign();
    }
  }
};
} // namespace

static constexpr Format formatOf(DType type) {
  switch (type) {
  case DType::F16:
    return {5, 10, 15, Specials::Ieee};
  case DType::BF16:
    return {8, 7, 127, Specials::Ieee};
  case DType::F8E5M2:
    return {5, 2, 15, Specials::Ieee};
  case DType::F8E3M4:
    return {3, 4, 3, Specials::Ieee};
  case DType::F8E4M3:
    return {4, 3, 7, Specials::Ieee};
  case DType::F8E4M3B11FNUZ:
    return {4, 3, 11, Specials::NoMinus0};
  case DType::F8E4M3FNUZ:
    return {4, 3, 8, Specials::NoMinus0};
  case DType::F8E5M2FNUZ:
    return {5, 2, 16, Specials::NoMinus0};
  case DType::F4E2M1FN:
    return {2, 1, 1, Specials::None};
  default: // F8E4M3FN
    return {4, 3, 7, Specials::OneNan};
  }
}

static constexpr int kDoubleMantissa = 52, kDoubleBias = 1023;

/// The bits of 2^exponent as a double, or what an exponent adds to those of a double.
static uint64_t powerOfTwo(int exponent) {
  return static_cast<uint64_t>(exponent + kDoubleBias) << kDoubleMantissa;
}

/// Powers of two from 2^-127 on; no sign, no 0.
static double decodeExponent(uint64_t code) {
  return code == 0xff ? std::numeric_limits<double>::quiet_NaN()
                      : std::ldexp(1.0, static_cast<int>(code) - 127);
}

/// To nearest, ties to the larger, but between the two least to the larger; what is not above 0 or
/// is beyond becomes NaN, what is below the least that.
static uint64_t encodeExponent(double value) {
  if (!(value > 0) || value >= 0x1.8p127)
    return 0xff;
  int exponent = std::ilogb(value);
  exponent += exponent == -127 ? value > 0x1p-127 : value >= std::ldexp(1.5, exponent);
  return static_cast<uint64_t>(std::max(exponent, -127) + 127);
}

uint64_t forge::signBitOf(DType type) {
  return type == DType::F8E8M0FNU ? 0 : uint64_t(1) << (bitWidth(type) - 1);
}

/// `use` of a format that the compiler knows for the types of which most numbers are.
template <typename Use> static auto withFormat(DType type, Use use) {
  switch (type) {
  case DType::F16:
    return use([] { return formatOf(DType::F16); });
  case DType::BF16:
    return use([] { return formatOf(DType::BF16); });
  case DType::F8E4M3FN:
    return use([] { return formatOf(DType::F8E4M3FN); });
  default:
    return use([type] { return formatOf(type); });
  }
}

template <typename FormatOf> static double decode(FormatOf formatOf, uint64_t bits) {
  const Format format = formatOf();
  uint64_t magnitude = bits & (format.sign() - 1);
  bool negative = bits & format.sign();
  double value;
  if (format.specials == Specials::NoMinus0 && negative && magnitude == 0)
    return std::numeric_limits<double>::quiet_NaN();
  if (magnitude >= format.end())
    value = format.specials == Specials::Ieee && magnitude == format.infinity()
                ? std::numeric_limits<double>::infinity()
                : std::numeric_limits<double>::quiet_NaN();
  else {
    // A double has the same fields, but longer ones. Numbers below the smallest normal one are
    // multiples of the smallest.
    bool normal = magnitude >> format.mantissaBits;
    uint64_t shifted = magnitude << (kDoubleMantissa - format.mantissaBits);
    value = normal ? std::bit_cast<double>(shifted + powerOfTwo(-format.bias))
                   : static_cast<double>(magnitude) *
                         std::bit_cast<double>(powerOfTwo(1 - format.bias - format.mantissaBits));
  }
  return negative ? -value : value;
}

double forge::decodeFloat(DType type, uint64_t bits) {
  if (type == DType::F64)
    return std::bit_cast<double>(bits);
  if (type == DType::F32)
    return std::bit_cast<float>(static_cast<uint32_t>(bits));
  if (type == DType::F8E8M0FNU)
    return decodeExponent(bits);
  return withFormat(type, [&](auto formatOf) { return decode(formatOf, bits); });
}

/// The code without sign of a number that is not NaN; `format.end()` or more beyond the last one.
static inline uint64_t encodeMagnitude(const Format &format, double magnitude) {
  if (magnitude == 0)
    return 0;
  if (std::isinf(magnitude))
    return format.end();
  auto bits = std::bit_cast<uint64_t>(magnitude);
  // Without the bits that are too many, with the other bias; the exponent field absorbs a carry.
  if (bits >= powerOfTwo(1 - format.bias)) {
    int dropped = kDoubleMantissa - format.mantissaBits;
    uint64_t last = bits >> dropped & 1, half = uint64_t(1) << (dropped - 1);
    return ((bits + half - 1 + last) >> dropped) - (powerOfTwo(-format.bias) >> dropped);
  }
  // Below the smallest normal number, in units of the smallest; nearbyint rounds ties to even.
  return static_cast<uint64_t>(std::nearbyint(
      magnitude * std::bit_cast<double>(powerOfTwo(format.bias - 1 + format.mantissaBits))));
}

template <typename FormatOf> static uint64_t encode(FormatOf formatOf, double value) {
  const Format format = formatOf();
  uint64_t sign = std::signbit(value) ? format.sign() : 0, end = format.end();
  bool isNan = std::isnan(value);
  uint64_t code = isNan ? end : std::min(encodeMagnitude(format, std::fabs(value)), end);
  switch (format.specials) {
  case Specials::Ieee: // quiet NaN
    return sign | (isNan ? end | uint64_t(1) << (format.mantissaBits - 1) : code);
  case Specials::OneNan:
    return sign | code;
  case Specials::NoMinus0:
    return code == 0 ? 0 : code == end ? format.sign() : sign | code;
  case Specials::None:
    return isNan ? format.sign() : sign | std::min(code, end - 1);
  }
  return 0;
}

uint64_t forge::encodeFloat(DType type, double value) {
  if (type == DType::F64)
    return std::bit_cast<uint64_t>(value);
  if (type == DType::F32)
    return std::bit_cast<uint32_t>(static_cast<float>(value));
  if (type == DType::F8E8M0FNU)
    return encodeExponent(value);
  return withFormat(type, [&](auto formatOf) { return encode(formatOf, value); });
}
