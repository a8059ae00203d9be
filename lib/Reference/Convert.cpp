#include "forge/Reference/Elementwise.h"

#include <algorithm>
#include <bit>
#include <cmath>

using namespace forge;
using namespace forge::reference;

/// Truncation towards zero, saturating; NaN gives 0.
static int64_t saturate(DType type, double value) {
  if (std::isnan(value))
    return 0;
  unsigned width = bitWidth(type);
  if (isSignedInteger(type)) {
    double limit = std::ldexp(1.0, static_cast<int>(width) - 1);
    int64_t top = static_cast<int64_t>((1ull << (width - 1)) - 1);
    if (value >= limit)
      return top;
    return value < -limit ? -top - 1 : static_cast<int64_t>(value);
  }
  if (value >= std::ldexp(1.0, static_cast<int>(width)))
    return -1; // all ones, wrapped to the width by the store
  return value <= 0 ? 0 : static_cast<int64_t>(static_cast<uint64_t>(value));
}

/// An integer as a double from which rounding to a narrower float equals rounding the integer
/// itself: where the double is not exact it is made odd (the last bit keeps that something was
/// lost; Boldo and Melquiond, 2008).
static double widen(DType type, int64_t value) {
  bool negative = isSignedInteger(type) && value < 0;
  uint64_t magnitude = negative ? -static_cast<uint64_t>(value) : static_cast<uint64_t>(value);
  int lost = std::max(0, static_cast<int>(std::bit_width(magnitude)) - 53);
  bool sticky = magnitude & ((1ull << lost) - 1);
  double result = std::ldexp(static_cast<double>((magnitude >> lost) | sticky), lost);
  return negative ? -result : result;
}

static double integerToFloat(DType from, DType to, int64_t value) {
  if (to == DType::F64)
    return isSignedInteger(from) ? static_cast<double>(value)
                                 : static_cast<double>(static_cast<uint64_t>(value));
  return widen(from, value);
}

Result<HostTensor> reference::convert(const HostTensor &operand, DType type) {
  DType from = operand.type();
  if (from == type)
    return operand;
  Result<HostTensor> result = HostTensor::createUnset(type, operand.dims());
  if (!result)
    return result;
  if (from == DType::F32 && type == DType::F64) {
    std::copy_n(operand.dataAs<float>(), operand.numElements(), result->dataAs<double>());
    return result;
  }
  if (from == DType::F64 && type == DType::F32) {
    std::copy_n(operand.dataAs<double>(), operand.numElements(), result->dataAs<float>());
    return result;
  }
  bool isFromFloat = isFloat(from);
  auto all = [&](auto convertOne) {
    for (int64_t i = 0; i < operand.numElements(); ++i)
      convertOne(i);
  };
  if (type == DType::I1)
    all([&](int64_t i) {
      result->setBits(i, isFromFloat ? operand.getDouble(i) != 0 : operand.getBits(i) != 0);
    });
  else if (isFloat(type) && isFromFloat)
    all([&](int64_t i) { result->setDouble(i, operand.getDouble(i)); });
  else if (isFloat(type))
    all([&](int64_t i) {
      result->setDouble(i, integerToFloat(from, type, getInteger(operand, i)));
    });
  else
    all([&](int64_t i) {
      setInteger(*result, i,
                 isFromFloat ? saturate(type, operand.getDouble(i)) : getInteger(operand, i));
    });
  return result;
}
