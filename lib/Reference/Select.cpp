#include "forge/Reference/Elementwise.h"

using namespace forge;
using namespace forge::reference;

static bool holds(Direction direction, bool equal, bool less, bool unordered) {
  switch (direction) {
  case Direction::EQ:
    return equal;
  case Direction::NE:
    return !equal;
  case Direction::LT:
    return less;
  case Direction::LE:
    return less || equal;
  case Direction::GT:
    return !less && !equal && !unordered;
  case Direction::GE:
    return !less && !unordered;
  }
  return false;
}

/// Maps the bits of a float so that integer order is total order: negative values count down from
/// -1.
static int64_t totalOrderKey(DType type, uint64_t bits) {
  uint64_t signBit = 1ull << (bitWidth(type) - 1);
  if (bits & signBit)
    return -static_cast<int64_t>(bits & (signBit - 1)) - 1;
  return static_cast<int64_t>(bits);
}

bool reference::compareElements(Direction direction, bool totalOrder, const HostTensor &lhs,
                                int64_t i, const HostTensor &rhs, int64_t k) {
  DType type = lhs.type();
  if (isFloat(type) && !totalOrder) {
    double x = lhs.getDouble(i), y = rhs.getDouble(k);
    return holds(direction, x == y, x < y, x != x || y != y);
  }
  if (isFloat(type)) {
    int64_t x = totalOrderKey(type, lhs.getBits(i)), y = totalOrderKey(type, rhs.getBits(k));
    return holds(direction, x == y, x < y, false);
  }
  int64_t x = getInteger(lhs, i), y = getInteger(rhs, k);
  bool less = isSignedInteger(type) ? x < y : static_cast<uint64_t>(x) < static_cast<uint64_t>(y);
  return holds(direction, x == y, less, false);
}

Result<HostTensor> reference::compare(Direction direction, bool totalOrder, const HostTensor &lhs,
                                      const HostTensor &rhs) {
  if (lhs.type() != rhs.type() || lhs.dims() != rhs.dims())
    return Error{"expected operands of one type, but got " + typeString(lhs) + " and " +
                 typeString(rhs)};
  Result<HostTensor> result = HostTensor::createUnset(DType::I1, lhs.dims());
  if (!result)
    return result;
  for (int64_t i = 0; i < lhs.numElements(); ++i)
    result->setBits(i, compareElements(direction, totalOrder, lhs, i, rhs, i));
  return result;
}

Result<HostTensor> reference::select(const HostTensor &predicate, const HostTensor &onTrue,
                                     const HostTensor &onFalse) {
  if (onTrue.type() != onFalse.type() || onTrue.dims() != onFalse.dims())
    return Error{"expected branches of one type, but got " + typeString(onTrue) + " and " +
                 typeString(onFalse)};
  if (predicate.type() != DType::I1 || (predicate.rank() != 0 && predicate.dims() != onTrue.dims()))
    return Error{"expected a predicate of shape " + dimsString(onTrue.dims()) + ", but got " +
                 typeString(predicate)};
  Result<HostTensor> result = HostTensor::createUnset(onTrue.type(), onTrue.dims());
  if (!result)
    return result;
  for (int64_t i = 0; i < onTrue.numElements(); ++i)
    copyElement(*result, i, predicate.getBits(predicate.rank() == 0 ? 0 : i) ? onTrue : onFalse, i);
  return result;
}

Result<HostTensor> reference::clamp(const HostTensor &low, const HostTensor &operand,
                                    const HostTensor &high) {
  DType type = operand.type();
  for (const HostTensor *bound : {&low, &high})
    if (bound->type() != type || (bound->rank() != 0 && bound->dims() != operand.dims()))
      return Error{"expected a bound of type " + typeString(operand) + ", but got " +
                   typeString(*bound)};
  Result<HostTensor> result = HostTensor::createUnset(type, operand.dims());
  if (!result)
    return result;
  for (int64_t i = 0; i < operand.numElements(); ++i) {
    int64_t l = low.rank() == 0 ? 0 : i, h = high.rank() == 0 ? 0 : i;
    if (isFloat(type)) {
      double raised = binaryFloat(BinaryOp::Maximum, low.getDouble(l), operand.getDouble(i));
      result->setDouble(i, binaryFloat(BinaryOp::Minimum, raised, high.getDouble(h)));
    } else {
      int64_t raised =
          binaryInteger(BinaryOp::Maximum, type, getInteger(low, l), getInteger(operand, i));
      setInteger(*result, i, binaryInteger(BinaryOp::Minimum, type, raised, getInteger(high, h)));
    }
  }
  return result;
}
