#include "IntegerOps.h"

#include <bit>

using namespace forge;
using namespace forge::reference;

/// The bits of x within the width of its type.
static uint64_t bitsOf(DType type, int64_t x) {
  return bitWidth(type) == 64 ? static_cast<uint64_t>(x)
                              : static_cast<uint64_t>(x) & ((1ull << bitWidth(type)) - 1);
}

static int64_t negated(int64_t x) { return static_cast<int64_t>(-static_cast<uint64_t>(x)); }

std::optional<int64_t> reference::unaryInteger(UnaryOp op, DType type, int64_t x) {
  if (op == UnaryOp::Not)
    return ~x;
  if (type == DType::I1)
    return std::nullopt;
  switch (op) {
  case UnaryOp::Abs:
    return isSignedInteger(type) && x < 0 ? negated(x) : x;
  case UnaryOp::Negate:
    return negated(x);
  case UnaryOp::Sign:
    return isSignedInteger(type) && x < 0 ? -1 : x != 0;
  case UnaryOp::CountLeadingZeros:
    return std::countl_zero(bitsOf(type, x)) - (64 - static_cast<int>(bitWidth(type)));
  case UnaryOp::PopulationCount:
    return std::popcount(bitsOf(type, x));
  case UnaryOp::Square:
    return static_cast<int64_t>(static_cast<uint64_t>(x) * static_cast<uint64_t>(x));
  default:
    return std::nullopt;
  }
}

static int64_t divide(DType type, int64_t x, int64_t y) {
  if (y == 0)
    return -1;
  if (!isSignedInteger(type))
    return static_cast<int64_t>(static_cast<uint64_t>(x) / static_cast<uint64_t>(y));
  return y == -1 ? negated(x) : x / y;
}

static int64_t remainder(DType type, int64_t x, int64_t y) {
  if (y == 0)
    return x;
  if (!isSignedInteger(type))
    return static_cast<int64_t>(static_cast<uint64_t>(x) % static_cast<uint64_t>(y));
  return y == -1 ? 0 : x % y;
}

/// By repeated squaring, modulo 2^64.
static int64_t power(DType type, int64_t base, int64_t exponent) {
  if (isSignedInteger(type) && exponent < 0) {
    if (base == 1)
      return 1;
    return base == -1 ? (exponent % 2 ? -1 : 1) : 0;
  }
  uint64_t result = 1, square = static_cast<uint64_t>(base);
  for (uint64_t left = static_cast<uint64_t>(exponent); left; left >>= 1, square *= square)
    if (left & 1)
      result *= square;
  return static_cast<int64_t>(result);
}

static int64_t shift(BinaryOp op, DType type, int64_t x, int64_t y) {
  uint64_t amount = bitsOf(type, y), width = bitWidth(type);
  if (op == BinaryOp::ShiftRightArithmetic) {
    // The top bit within the width fills from the left, for unsigned types too.
    int64_t value = static_cast<int64_t>(bitsOf(type, x) << (64 - width)) >> (64 - width);
    return value >> (amount < width ? amount : 63);
  }
  if (amount >= width)
    return 0;
  return static_cast<int64_t>(op == BinaryOp::ShiftLeft ? static_cast<uint64_t>(x) << amount
                                                        : bitsOf(type, x) >> amount);
}

static int64_t multiplyHigh(DType type, int64_t x, int64_t y) {
  unsigned width = bitWidth(type);
  if (isSignedInteger(type))
    return static_cast<int64_t>(static_cast<__int128>(x) * y >> width);
  return static_cast<int64_t>(
      static_cast<unsigned __int128>(static_cast<uint64_t>(x)) * static_cast<uint64_t>(y) >> width);
}

static bool less(DType type, int64_t x, int64_t y) {
  return isSignedInteger(type) ? x < y : static_cast<uint64_t>(x) < static_cast<uint64_t>(y);
}

static int64_t binaryBool(BinaryOp op, int64_t x, int64_t y) {
  switch (op) {
  case BinaryOp::Add:
  case BinaryOp::Or:
  case BinaryOp::Maximum:
    return x | y;
  case BinaryOp::Xor:
    return x ^ y;
  default: // And, Multiply, Minimum
    return x & y;
  }
}

int64_t reference::binaryInteger(BinaryOp op, DType type, int64_t x, int64_t y) {
  if (type == DType::I1)
    return binaryBool(op, x, y);
  uint64_t ux = static_cast<uint64_t>(x), uy = static_cast<uint64_t>(y);
  auto wrap = [&](uint64_t value) { return wrapInteger(type, value); };
  switch (op) {
  case BinaryOp::Add:
    return wrap(ux + uy);
  case BinaryOp::Subtract:
    return wrap(ux - uy);
  case BinaryOp::Multiply:
    return wrap(ux * uy);
  case BinaryOp::Divide:
    return wrap(static_cast<uint64_t>(divide(type, x, y)));
  case BinaryOp::Remainder:
    return remainder(type, x, y);
  case BinaryOp::Power:
    return wrap(static_cast<uint64_t>(power(type, x, y)));
  case BinaryOp::Maximum:
    return less(type, x, y) ? y : x;
  case BinaryOp::Minimum:
    return less(type, x, y) ? x : y;
  case BinaryOp::And:
    return x & y;
  case BinaryOp::Or:
    return x | y;
  case BinaryOp::Xor:
    return x ^ y;
  case BinaryOp::MultiplyHigh:
    return wrap(static_cast<uint64_t>(multiplyHigh(type, x, y)));
  default:
    return wrap(static_cast<uint64_t>(shift(op, type, x, y)));
  }
}
