#include "forge/Reference/Elementwise.h"

#include <cmath>
#include <cstring>
#include <limits>

using namespace forge;
using namespace forge::reference;

/// The shape after reinterpreting: a trailing dimension of `ratio` appears or goes.
static Result<Dims> bitcastDims(const HostTensor &operand, DType type) {
  Dims dims = operand.dims();
  unsigned from = bitWidth(operand.type()), to = bitWidth(type);
  if (from > to) {
    if (from % to)
      return Error{"cannot split " + typeString(operand) + " into " + std::string(dtypeName(type))};
    dims.push_back(from / to);
  } else if (from < to) {
    if (to % from || dims.empty() || dims.back() != static_cast<int64_t>(to / from))
      return Error{"expected a last dimension of " + std::to_string(to / from) + " to bitcast to " +
                   std::string(dtypeName(type)) + ", but got " + typeString(operand)};
    dims.pop_back();
  }
  return dims;
}

Result<HostTensor> reference::bitcastConvert(const HostTensor &operand, DType type) {
  Result<Dims> dims = bitcastDims(operand, type);
  if (!dims)
    return dims.error();
  Result<HostTensor> result = HostTensor::create(type, *dims);
  if (!result)
    return result;
  if (bitWidth(operand.type()) == bitWidth(type) && bitWidth(type) % 8 == 0) {
    std::memcpy(result->data(), operand.data(), operand.numBytes());
    return result;
  }
  // Both sides are one sequence of bits, lowest first.
  unsigned from = bitWidth(operand.type()), to = bitWidth(type), step = std::min(from, to);
  uint64_t mask = step == 64 ? ~0ull : (1ull << step) - 1;
  for (int64_t i = 0; i < result->numElements(); ++i) {
    uint64_t bits = 0;
    for (unsigned filled = 0; filled < to; filled += step) {
      int64_t position = i * to + filled;
      bits |= (operand.getBits(position / from) >> (position % from) & mask) << filled;
    }
    if (isFloat(type))
      result->setBits(i, bits);
    else
      setInteger(*result, i, bits);
  }
  return result;
}

/// The least exponent of a normal value, and so the place of the last bit of subnormal ones.
static int minExponent(DType type) {
  switch (type) {
  case DType::F64:
    return -1022;
  case DType::F16:
  case DType::F8E5M2:
    return -14;
  case DType::F8E4M3FN:
    return -6;
  default:
    return -126;
  }
}

static double reduceElement(DType type, double x, int exponentBits, int mantissaBits) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  if (std::isnan(x) && mantissaBits == 0) // without a mantissa there is no NaN
    return std::copysign(infinity, x);
  if (x == 0 || !std::isfinite(x))
    return x;
  int exponent = std::max(std::ilogb(x), minExponent(type));
  double rounded =
      std::ldexp(std::nearbyint(std::ldexp(x, mantissaBits - exponent)), exponent - mantissaBits);
  int top = (1 << (exponentBits - 1)) - 1; // the bias, which is also the largest exponent
  if (top >= 1 - minExponent(type))
    return rounded;
  if (rounded == 0 || std::ilogb(rounded) < 1 - top)
    return std::copysign(0.0, x);
  return std::ilogb(rounded) > top ? std::copysign(infinity, x) : rounded;
}

Result<HostTensor> reference::reducePrecision(const HostTensor &operand, int exponentBits,
                                              int mantissaBits) {
  if (!isFloat(operand.type()))
    return Error{"expected a float tensor, but got " + typeString(operand)};
  if (exponentBits < 1 || mantissaBits < 0)
    return Error{"expected at least 1 exponent and 0 mantissa bits, but got " +
                 std::to_string(exponentBits) + " and " + std::to_string(mantissaBits)};
  Result<HostTensor> result = HostTensor::create(operand.type(), operand.dims());
  if (!result)
    return result;
  int exponents = std::min(exponentBits, 12), mantissa = std::min(mantissaBits, 60);
  for (int64_t i = 0; i < operand.numElements(); ++i)
    result->setDouble(i, reduceElement(operand.type(), operand.getDouble(i), exponents, mantissa));
  return result;
}
