#include "forge/Reference/Elementwise.h"

#include "IntegerOps.h"
#include "UnaryFloat.h"

#include "forge/Reference/SpecialFunctions.h"
#include "forge/Support/SmallFloat.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <functional>
#include <limits>

using namespace forge;
using namespace forge::reference;

static bool isTest(UnaryOp op) {
  return op == UnaryOp::IsFinite || op == UnaryOp::IsInf || op == UnaryOp::IsNegInf ||
         op == UnaryOp::IsPosInf;
}

static bool test(UnaryOp op, double x) {
  switch (op) {
  case UnaryOp::IsFinite:
    return std::isfinite(x);
  case UnaryOp::IsInf:
    return std::isinf(x);
  case UnaryOp::IsNegInf:
    return std::isinf(x) && x < 0;
  default:
    return std::isinf(x) && x > 0;
  }
}

bool reference::isDefined(UnaryOp op, DType type) {
  if (isFloat(type))
    return isTest(op) || unaryFloat(op, 0.5).has_value();
  return unaryInteger(op, type, 0).has_value();
}

static Error undefined(const HostTensor &operand) {
  return Error{"operation is not defined for element type " +
               std::string(dtypeName(operand.type()))};
}

Result<HostTensor> reference::unary(UnaryOp op, const HostTensor &operand) {
  DType type = operand.type();
  if (!isDefined(op, type))
    return undefined(operand);
  Result<HostTensor> result =
      HostTensor::createUnset(isTest(op) ? DType::I1 : type, operand.dims());
  if (!result)
    return result;
  for (int64_t i = 0; i < operand.numElements(); ++i) {
    if (isTest(op))
      result->setBits(i, test(op, operand.getDouble(i)));
    else if (isFloat(type))
      result->setDouble(i, *unaryFloat(op, operand.getDouble(i)));
    else
      setInteger(*result, i, *unaryInteger(op, type, getInteger(operand, i)));
  }
  return result;
}

/// IEEE 754-2019 maximum and minimum: NaN wins, and -0 is below +0.
static double maximum(double x, double y) {
  if (std::isnan(x) || std::isnan(y))
    return std::numeric_limits<double>::quiet_NaN();
  if (x == y)
    return std::signbit(x) ? y : x;
  return x > y ? x : y;
}

double reference::binaryFloat(BinaryOp op, double x, double y) {
  switch (op) {
  case BinaryOp::Add:
    return x + y;
  case BinaryOp::Subtract:
    return x - y;
  case BinaryOp::Multiply:
    return x * y;
  case BinaryOp::Divide:
    return x / y;
  case BinaryOp::Remainder:
    return std::fmod(x, y);
  case BinaryOp::Maximum:
    return maximum(x, y);
  case BinaryOp::Minimum:
    return -maximum(-x, -y);
  case BinaryOp::Power:
    return std::pow(x, y);
  case BinaryOp::Atan2:
    return std::atan2(x, y);
  case BinaryOp::Polygamma:
    return polygamma(x, y);
  case BinaryOp::Zeta:
    return zeta(x, y);
  default:
    return std::numeric_limits<double>::quiet_NaN(); // isDefined keeps callers from here
  }
}

bool reference::isDefined(BinaryOp op, DType type) {
  switch (op) {
  case BinaryOp::Atan2:
  case BinaryOp::Polygamma:
  case BinaryOp::Zeta:
  case BinaryOp::NextAfter:
    return isFloat(type);
  case BinaryOp::And:
  case BinaryOp::Or:
  case BinaryOp::Xor:
    return !isFloat(type);
  case BinaryOp::ShiftLeft:
  case BinaryOp::ShiftRightArithmetic:
  case BinaryOp::ShiftRightLogical:
  case BinaryOp::MultiplyHigh:
    return !isFloat(type) && type != DType::I1;
  case BinaryOp::Add:
  case BinaryOp::Multiply:
  case BinaryOp::Maximum:
  case BinaryOp::Minimum:
    return true;
  default:
    return type != DType::I1;
  }
}

/// The neighbour of x towards y among the values of `type`, by bits: the bits of one sign are in
/// order of magnitude.
static uint64_t nextAfter(DType type, uint64_t xBits, uint64_t yBits) {
  double x = decodeFloat(type, xBits), y = decodeFloat(type, yBits);
  if (std::isnan(x) || std::isnan(y))
    return encodeFloat(type, std::numeric_limits<double>::quiet_NaN());
  if (x == y)
    return yBits;
  uint64_t signBit = 1ull << (bitWidth(type) - 1);
  if (x == 0)
    return (y < 0 ? signBit : 0) | 1;
  bool outwards = (x < y) == (x > 0);
  return outwards ? xBits + 1 : xBits - 1;
}

/// The operations that machine types of at least 32 bits have as they are, on all elements; false
/// for others. Unsigned quotients only where no divisor is 0. In f32 it makes no difference that
/// others are computed in f64 and then rounded (Figueroa, "When is double rounding innocuous?",
/// 1995: 53 bits are at least 2 * 24 + 2).
template <typename T>
static bool inMachineType(BinaryOp op, const HostTensor &lhs, const HostTensor &rhs,
                          HostTensor &result) {
  const T *x = lhs.dataAs<T>(), *y = rhs.dataAs<T>();
  T *out = result.dataAs<T>();
  int64_t count = lhs.numElements();
  auto all = [&](auto compute) {
    std::transform(x, x + count, y, out, compute);
    return true;
  };
  switch (op) {
  case BinaryOp::Add:
    return all(std::plus<T>());
  case BinaryOp::Subtract:
    return all(std::minus<T>());
  case BinaryOp::Multiply:
    return all(std::multiplies<T>());
  default:
    break;
  }
  if constexpr (std::is_floating_point_v<T>) {
    if (op == BinaryOp::Divide)
      return all(std::divides<T>());
    if (op == BinaryOp::Maximum)
      return all([](double a, double b) { return static_cast<T>(maximum(a, b)); });
    if (op == BinaryOp::Minimum)
      return all([](double a, double b) { return static_cast<T>(-maximum(-a, -b)); });
  }
  if constexpr (std::is_unsigned_v<T>) {
    auto divides = [&] { return std::find(y, y + count, T(0)) == y + count; };
    if (op == BinaryOp::And)
      return all(std::bit_and<T>());
    if (op == BinaryOp::Or)
      return all(std::bit_or<T>());
    if (lhs.type() == DType::U64 && op == BinaryOp::Divide && divides())
      return all(std::divides<T>());
    if (lhs.type() == DType::U64 && op == BinaryOp::Remainder && divides())
      return all(std::modulus<T>());
  }
  return false;
}

/// Signed integers of one width share these operations with unsigned ones. A NaN is of no certain
/// sign in either.
static bool inMachineTypes(BinaryOp op, const HostTensor &lhs, const HostTensor &rhs,
                           HostTensor &result) {
  switch (lhs.type()) {
  case DType::F64:
    return inMachineType<double>(op, lhs, rhs, result);
  case DType::F32:
    return inMachineType<float>(op, lhs, rhs, result);
  case DType::I32:
  case DType::U32:
    return inMachineType<uint32_t>(op, lhs, rhs, result);
  case DType::I64:
  case DType::U64:
    return inMachineType<uint64_t>(op, lhs, rhs, result);
  default:
    return false;
  }
}

Result<HostTensor> reference::binary(BinaryOp op, const HostTensor &lhs, const HostTensor &rhs) {
  DType type = lhs.type();
  if (rhs.type() != type || rhs.dims() != lhs.dims())
    return Error{"expected operands of one type, but got " + typeString(lhs) + " and " +
                 typeString(rhs)};
  if (!isDefined(op, type))
    return undefined(lhs);
  Result<HostTensor> result = HostTensor::createUnset(type, lhs.dims());
  if (!result)
    return result;
  if (inMachineTypes(op, lhs, rhs, *result))
    return result;
  for (int64_t i = 0; i < lhs.numElements(); ++i) {
    if (op == BinaryOp::NextAfter)
      result->setBits(i, nextAfter(type, lhs.getBits(i), rhs.getBits(i)));
    else if (isFloat(type))
      result->setDouble(i, binaryFloat(op, lhs.getDouble(i), rhs.getDouble(i)));
    else
      setInteger(*result, i, binaryInteger(op, type, getInteger(lhs, i), getInteger(rhs, i)));
  }
  return result;
}
