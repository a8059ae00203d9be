// Integer and boolean arithmetic, with the corner cases of the StableHLO specification:
// wrap-around, shifts by the width or more, division by zero and of the least integer by -1.
#include "ScalarBuilder.h"

#include "forge/Dialect/StableHLO/IR/Chlo.h"
#include "forge/Dialect/StableHLO/IR/StableHLO.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace forge;
using arith::CmpIPredicate;

/// Truncating division. x / 0 is all ones (-1), and the least integer divided by -1 is itself: both
/// are undefined in arith, so the divisor is replaced by 1 first.
static Value emitDivide(ScalarBuilder &s, Value x, Value y, bool isUnsigned) {
  Value zero = s.like(y, 0), one = s.like(y, 1), ones = s.like(y, -1);
  Value byZero = s.cmp(CmpIPredicate::eq, y, zero);
  if (isUnsigned) {
    Value safe = s.select(byZero, one, y);
    return s.select(byZero, ones, s.op<arith::DivUIOp>(x, safe));
  }
  // x / -1 is 0 - x, also for the least integer.
  Value byMinusOne = s.cmp(CmpIPredicate::eq, y, ones);
  Value safe = s.select(s.op<arith::OrIOp>(byZero, byMinusOne), one, y);
  Value quotient = s.op<arith::DivSIOp>(x, safe);
  quotient = s.select(byMinusOne, s.op<arith::SubIOp>(zero, x), quotient);
  return s.select(byZero, ones, quotient);
}

/// The remainder of truncating division: the sign of the dividend. x rem 0 is x.
static Value emitRemainder(ScalarBuilder &s, Value x, Value y, bool isUnsigned) {
  Value zero = s.like(y, 0), one = s.like(y, 1);
  Value byZero = s.cmp(CmpIPredicate::eq, y, zero);
  if (isUnsigned) {
    Value safe = s.select(byZero, one, y);
    return s.select(byZero, x, s.op<arith::RemUIOp>(x, safe));
  }
  Value byMinusOne = s.cmp(CmpIPredicate::eq, y, s.like(y, -1));
  // Any x rem -1 is 0, as is x rem 1.
  Value safe = s.select(s.op<arith::OrIOp>(byZero, byMinusOne), one, y);
  return s.select(byZero, x, s.op<arith::RemSIOp>(x, safe));
}

/// x to the power y by squaring, modulo 2^width. A negative exponent gives 0, but 1 or -1 (by
/// parity) for the bases 1 and -1.
static Value emitPower(ScalarBuilder &s, Value x, Value y, bool isUnsigned) {
  unsigned width = s.width(x);
  Value zero = s.like(x, 0), one = s.like(x, 1), base = x, exponent = y, negative;
  if (!isUnsigned) {
    negative = s.cmp(CmpIPredicate::slt, y, zero);
    exponent = s.select(negative, s.op<arith::SubIOp>(zero, y), y);
  }
  Value result = one;
  for (unsigned bit = 0; bit < width; ++bit) {
    Value shifted = bit ? s.op<arith::ShRUIOp>(exponent, s.like(x, bit)) : exponent;
    Value isSet = s.cmp(CmpIPredicate::ne, s.op<arith::AndIOp>(shifted, one), zero);
    result = s.select(isSet, s.op<arith::MulIOp>(result, base), result);
    if (bit + 1 < width)
      base = s.op<arith::MulIOp>(base, base);
  }
  if (isUnsigned)
    return result;
  Value unit = s.op<arith::OrIOp>(s.cmp(CmpIPredicate::eq, x, one),
                                  s.cmp(CmpIPredicate::eq, x, s.like(x, -1)));
  Value vanishes = s.op<arith::AndIOp>(negative, s.notOf(unit));
  return s.select(vanishes, zero, result);
}

/// A shift; amounts of the width or more (negative ones are large unsigned ones) push all bits out.
template <typename ShiftOp> static Value emitShift(ScalarBuilder &s, Value x, Value amount) {
  Value last = s.like(x, s.width(x) - 1);
  Value inside = s.cmp(CmpIPredicate::ule, amount, last);
  Value shifted = s.op<ShiftOp>(x, s.select(inside, amount, last));
  if constexpr (std::is_same_v<ShiftOp, arith::ShRSIOp>)
    return shifted; // by width - 1: the sign everywhere
  return s.select(inside, shifted, s.like(x, 0));
}

Value forge::emitSign(ScalarBuilder &s, Value x, bool isUnsigned) {
  if (isa<FloatType>(x.getType())) {
    Value zero = s.realLike(x, 0);
    Value one = s.op<math::CopySignOp>(s.realLike(x, 1), x);
    // Ordered and not equal: NaN and both zeros stay as they are.
    return s.select(s.cmp(arith::CmpFPredicate::ONE, x, zero), one, x);
  }
  Value zero = s.like(x, 0);
  Value nonZero = s.op<arith::ExtUIOp>(x.getType(), s.cmp(CmpIPredicate::ne, x, zero));
  if (isUnsigned)
    return nonZero;
  return s.op<arith::OrIOp>(nonZero, s.op<arith::ShRSIOp>(x, s.like(x, s.width(x) - 1)));
}

/// Of booleans, add and max are `or`, multiply and min are `and`.
static Value emitBooleanOp(ScalarBuilder &s, Operation *op, ValueRange a) {
  using namespace stablehlo;
  if (isa<AddOp, MaxOp, OrOp>(op))
    return s.op<arith::OrIOp>(a[0], a[1]);
  if (isa<MulOp, MinOp, AndOp>(op))
    return s.op<arith::AndIOp>(a[0], a[1]);
  if (isa<XorOp, SubtractOp>(op))
    return s.op<arith::XOrIOp>(a[0], a[1]);
  if (isa<NotOp>(op))
    return s.notOf(a[0]);
  return nullptr;
}

Value forge::emitIntegerOp(ScalarBuilder &s, Operation *op, ValueRange a,
                           const ScalarContext &context) {
  using namespace stablehlo;
  if (a.front().getType().isInteger(1))
    return emitBooleanOp(s, op, a);
  bool isUnsigned = context.isUnsigned();
  return llvm::TypeSwitch<Operation *, Value>(op)
      .Case([&](AddOp) { return s.op<arith::AddIOp>(a[0], a[1]); })
      .Case([&](SubtractOp) { return s.op<arith::SubIOp>(a[0], a[1]); })
      .Case([&](MulOp) { return s.op<arith::MulIOp>(a[0], a[1]); })
      .Case([&](chlo::SquareOp) { return s.op<arith::MulIOp>(a[0], a[0]); })
      .Case([&](DivOp) { return emitDivide(s, a[0], a[1], isUnsigned); })
      .Case([&](RemOp) { return emitRemainder(s, a[0], a[1], isUnsigned); })
      .Case([&](PowOp) { return emitPower(s, a[0], a[1], isUnsigned); })
      .Case([&](MaxOp) {
        return isUnsigned ? s.op<arith::MaxUIOp>(a[0], a[1]) : s.op<arith::MaxSIOp>(a[0], a[1]);
      })
      .Case([&](MinOp) {
        return isUnsigned ? s.op<arith::MinUIOp>(a[0], a[1]) : s.op<arith::MinSIOp>(a[0], a[1]);
      })
      .Case([&](AndOp) { return s.op<arith::AndIOp>(a[0], a[1]); })
      .Case([&](OrOp) { return s.op<arith::OrIOp>(a[0], a[1]); })
      .Case([&](XorOp) { return s.op<arith::XOrIOp>(a[0], a[1]); })
      .Case([&](NotOp) { return s.notOf(a[0]); })
      .Case([&](ShiftLeftOp) { return emitShift<arith::ShLIOp>(s, a[0], a[1]); })
      .Case([&](ShiftRightLogicalOp) { return emitShift<arith::ShRUIOp>(s, a[0], a[1]); })
      .Case([&](ShiftRightArithmeticOp) { return emitShift<arith::ShRSIOp>(s, a[0], a[1]); })
      .Case([&](NegOp) { return s.op<arith::SubIOp>(s.like(a[0], 0), a[0]); })
      .Case([&](AbsOp) { return isUnsigned ? a[0] : s.op<math::AbsIOp>(a[0]); })
      .Case([&](SignOp) { return emitSign(s, a[0], isUnsigned); })
      .Case([&](PopulationCountOp) { return s.op<math::CtPopOp>(a[0]); })
      .Case([&](ClzOp) { return s.op<math::CountLeadingZerosOp>(a[0]); })
      .Default([](Operation *) { return Value(); });
}
