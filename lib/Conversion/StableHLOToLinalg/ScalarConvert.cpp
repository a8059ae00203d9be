// Conversions between element types, each rounding once.
#include "ScalarBuilder.h"

#include "forge/Conversion/StableHLOToLinalg/TypeConverter.h"
#include "forge/Dialect/StableHLO/IR/StableHLO.h"
#include "forge/Dialect/StableHLO/IR/TypeUtils.h"

using namespace mlir;
using namespace forge;
using arith::CmpFPredicate;
using arith::CmpIPredicate;

bool forge::isNarrowFloat(Type type) {
  return isa<FloatType>(type) && type.getIntOrFloatBitWidth() < 32;
}

Type forge::getComputeType(Type type) {
  return isNarrowFloat(type) ? Float32Type::get(type.getContext()) : type;
}

Value forge::widen(ScalarBuilder &s, Value value) {
  if (!isNarrowFloat(value.getType()))
    return value;
  return s.op<arith::ExtFOp>(s.b.getF32Type(), value);
}

/// f64 to f32 rounded to odd: toward zero, with the last bit set if anything was lost. A second
/// rounding, to a type of at most 22 significant bits, then gives what one rounding would have.
static Value roundToOdd(ScalarBuilder &s, Value value) {
  Type f64 = s.b.getF64Type(), i32 = s.b.getI32Type();
  Value nearest = s.op<arith::TruncFOp>(s.b.getF32Type(), value);
  Value back = s.op<arith::ExtFOp>(f64, nearest);
  Value bits = s.bits(nearest);
  // Rounded away from zero: one step back. The bits of floats of one sign are in order.
  Value away = s.cmp(CmpFPredicate::OGT, s.op<math::AbsFOp>(back), s.op<math::AbsFOp>(value));
  Value truncated = s.op<arith::SubIOp>(bits, s.op<arith::ExtUIOp>(i32, away));
  Value inexact = s.cmp(CmpFPredicate::ONE, back, value);
  Value odd = s.op<arith::OrIOp>(truncated, s.op<arith::ExtUIOp>(i32, inexact));
  return s.bitcast(odd, s.b.getF32Type());
}

Value forge::narrow(ScalarBuilder &s, Value value, Type type) {
  if (value.getType() == type)
    return value;
  if (value.getType().isF64() && isNarrowFloat(type))
    value = roundToOdd(s, value);
  return s.op<arith::TruncFOp>(type, value);
}

static Value castFloatScalar(ScalarBuilder &s, Value value, Type type) {
  if (value.getType() == type)
    return value;
  value = widen(s, value);
  unsigned from = s.width(value), to = type.getIntOrFloatBitWidth();
  if (from == to)
    return value;
  return from < to ? s.op<arith::ExtFOp>(type, value) : narrow(s, value, type);
}

Value forge::castFloat(OpBuilder &builder, Location loc, Value value, Type type) {
  ScalarBuilder s(builder, loc);
  return castFloatScalar(s, value, type);
}

/// Toward zero; what is out of range becomes the nearest end of it, NaN becomes 0.
static Value floatToInteger(ScalarBuilder &s, Value value, IntegerType type, bool isUnsigned) {
  value = widen(s, value);
  auto floatType = cast<FloatType>(value.getType());
  unsigned width = type.getWidth();
  APInt low = isUnsigned ? APInt::getZero(width) : APInt::getSignedMinValue(width);
  APInt high = isUnsigned ? APInt::getMaxValue(width) : APInt::getSignedMaxValue(width);
  Type plain = s.b.getIntegerType(width);
  // 2^k, the first value above the range, is a float; `high` itself need not be.
  Value above = s.real(floatType, std::ldexp(1.0, isUnsigned ? width : width - 1));
  Value below = s.real(floatType, isUnsigned ? 0.0 : -std::ldexp(1.0, width - 1));
  Value converted =
      isUnsigned ? s.op<arith::FPToUIOp>(plain, value) : s.op<arith::FPToSIOp>(plain, value);
  Value result =
      s.select(s.cmp(CmpFPredicate::OGE, value, above), s.constant(plain, high), converted);
  result = s.select(s.cmp(CmpFPredicate::OLE, value, below), s.constant(plain, low), result);
  return s.select(s.isNaN(value), s.constant(plain, 0), result);
}

/// An i64 as a narrow float in one rounding: bits that f64 cannot hold are gathered into a sticky
/// bit, so that i64 -> f64 is exact where it matters.
static Value gatherStickyBits(ScalarBuilder &s, Value value, bool isUnsigned) {
  Value low = s.op<arith::AndIOp>(value, s.like(value, 0x7FF));
  Value sticky =
      s.op<arith::ExtUIOp>(value.getType(), s.cmp(CmpIPredicate::ne, low, s.like(value, 0)));
  Value shifted = s.op<arith::ShLIOp>(sticky, s.like(value, 11));
  Value kept = s.op<arith::OrIOp>(s.op<arith::XOrIOp>(value, low), shifted);
  // Small values are exact as they are.
  Value limit = s.like(value, int64_t(1) << 52);
  Value magnitude = isUnsigned ? value : s.op<math::AbsIOp>(value);
  return s.select(s.cmp(CmpIPredicate::ult, magnitude, limit), value, kept);
}

static Value integerToFloat(ScalarBuilder &s, Value value, Type type, bool isUnsigned) {
  // Integers of up to 24 bits are exact in f32, of up to 53 in f64; from there one rounding.
  Type via = type;
  if (isNarrowFloat(type)) {
    via = s.width(value) <= 16 ? s.b.getF32Type() : s.b.getF64Type();
    if (s.width(value) > 32)
      value = gatherStickyBits(s, value, isUnsigned);
  }
  Value converted =
      isUnsigned ? s.op<arith::UIToFPOp>(via, value) : s.op<arith::SIToFPOp>(via, value);
  return castFloatScalar(s, converted, type);
}

static Value resizeInteger(ScalarBuilder &s, Value value, Type type, bool isUnsigned) {
  unsigned from = s.width(value), to = type.getIntOrFloatBitWidth();
  if (from == to)
    return value;
  if (from > to)
    return s.op<arith::TruncIOp>(type, value);
  return isUnsigned ? s.op<arith::ExtUIOp>(type, value) : s.op<arith::ExtSIOp>(type, value);
}

/// What is rounded to at most 22 significant bits as `value` is: an f32, rounded to odd.
static Value toSingle(ScalarBuilder &s, Value value, bool isUnsigned) {
  if (isa<IntegerType>(value.getType())) {
    Type exact = s.width(value) <= 16 ? s.b.getF32Type() : s.b.getF64Type();
    value = s.width(value) > 32 ? gatherStickyBits(s, value, isUnsigned) : value;
    value = isUnsigned ? s.op<arith::UIToFPOp>(exact, value) : s.op<arith::SIToFPOp>(exact, value);
  }
  value = widen(s, value);
  return value.getType().isF64() ? roundToOdd(s, value) : value;
}

Value forge::convertScalar(ScalarBuilder &s, Value value, Type from, Type to) {
  if (from == to)
    return value;
  if (stablehlo::isStoredElementType(from))
    return convertScalar(s, decodeStored(s, value, from), s.b.getF32Type(), to);
  if (stablehlo::isStoredElementType(to))
    return encodeStored(s, toSingle(s, value, isUnsignedType(from)), to);
  Type plain = getSignlessType(to);
  if (isa<FloatType>(from)) {
    if (isa<FloatType>(to))
      return castFloatScalar(s, value, to);
    Value wide = widen(s, value);
    if (to.isInteger(1))
      return s.cmp(CmpFPredicate::UNE, wide, s.realLike(wide, 0));
    return floatToInteger(s, value, cast<IntegerType>(plain), isUnsignedType(to));
  }
  if (isa<FloatType>(to))
    return integerToFloat(s, value, to, isUnsignedType(from));
  if (to.isInteger(1))
    return from.isInteger(1) ? value : s.cmp(CmpIPredicate::ne, value, s.like(value, 0));
  return resizeInteger(s, value, plain, isUnsignedType(from));
}

/// Rounds the mantissa of x to `mantissaBits` (ties to even), then sends what leaves the range of
/// `exponentBits` to infinity or zero of its sign. Works on the bits of x.
static Value emitReducePrecision(ScalarBuilder &s, Value x, unsigned exponentBits,
                                 unsigned mantissaBits) {
  auto &semantics = cast<FloatType>(x.getType()).getFloatSemantics();
  unsigned sourceMantissa = llvm::APFloat::semanticsPrecision(semantics) - 1;
  unsigned width = s.width(x), sourceExponent = width - 1 - sourceMantissa;
  Value bits = s.bits(x);
  Type type = bits.getType();
  auto constant = [&](const APInt &value) { return s.constant(type, value); };
  if (mantissaBits < sourceMantissa) {
    unsigned dropped = sourceMantissa - mantissaBits;
    APInt lastKept = APInt::getOneBitSet(width, dropped);
    // Adding half of the last kept bit, less one if that bit is 0, rounds to nearest even.
    Value odd = s.op<arith::ShRUIOp>(s.op<arith::AndIOp>(bits, constant(lastKept)),
                                     s.constant(type, dropped));
    Value bias = s.op<arith::AddIOp>(odd, constant(lastKept.lshr(1) - 1));
    bits = s.op<arith::AndIOp>(s.op<arith::AddIOp>(bits, bias), constant(~(lastKept - 1)));
  }
  if (exponentBits < sourceExponent) {
    APInt sign = APInt::getSignMask(width);
    APInt exponentMask = APInt::getBitsSet(width, sourceMantissa, width - 1);
    uint64_t sourceBias = (uint64_t(1) << (sourceExponent - 1)) - 1;
    uint64_t bias = (uint64_t(1) << (exponentBits - 1)) - 1;
    Value exponent = s.op<arith::AndIOp>(bits, constant(exponentMask));
    APInt highest(width, sourceBias + bias), lowest(width, sourceBias - bias + 1);
    Value overflows = s.cmp(CmpIPredicate::ugt, exponent, constant(highest.shl(sourceMantissa)));
    Value underflows = s.cmp(CmpIPredicate::ult, exponent, constant(lowest.shl(sourceMantissa)));
    Value signBit = s.op<arith::AndIOp>(bits, constant(sign));
    Value infinity = s.op<arith::OrIOp>(signBit, constant(exponentMask));
    bits = s.select(overflows, infinity, s.select(underflows, signBit, bits));
  }
  Value result = s.bitcast(bits, x.getType());
  // Without mantissa bits there is no NaN: infinity takes its place.
  Value ofNaN = mantissaBits ? x : s.infinity(x.getType());
  return s.select(s.isNaN(widen(s, x)), ofNaN, result);
}

Value forge::emitConversionOp(ScalarBuilder &s, Operation *op, ValueRange a,
                              const ScalarContext &context) {
  if (isa<stablehlo::ConvertOp>(op))
    return convertScalar(s, a[0], context.inputTypes.front(), context.resultType);
  if (auto reduce = dyn_cast<stablehlo::ReducePrecisionOp>(op))
    return emitReducePrecision(s, a[0], reduce.getExponentBits(), reduce.getMantissaBits());
  if (isa<stablehlo::BitcastConvertOp>(op)) {
    Type type = getSignlessType(context.resultType);
    return s.width(a[0]) == type.getIntOrFloatBitWidth() ? s.bitcast(a[0], type) : Value();
  }
  return nullptr;
}
