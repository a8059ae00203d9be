// Floats that are only stored, as integers of their bits: what they are as f32, and back. On bits
// alone, since neither processors nor LLVM know these types.
#include "ScalarBuilder.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace forge;
using arith::CmpIPredicate;

namespace {
/// What codes are for that others have for infinity, NaN and -0.
enum class Specials { Ieee, NoMinus0, None };

struct Format {
  unsigned exponentBits, mantissaBits;
  int bias;
  Specials specials;

  int64_t sign() const { return int64_t(1) << (exponentBits + mantissaBits); }
  int64_t infinity() const { return sign() - (int64_t(1) << mantissaBits); }
  /// The code without sign after the last finite number's.
  int64_t end() const { return specials == Specials::Ieee ? infinity() : sign(); }
  unsigned dropped() const { return 23 - mantissaBits; }
  /// From the exponents of the format to those of f32, in its last places.
  int64_t rebias() const { return int64_t(127 - bias) << mantissaBits; }
  double leastNormal() const { return std::ldexp(1.0, 1 - bias); }
  /// The distance of numbers that are not normal.
  double step() const { return std::ldexp(leastNormal(), -static_cast<int>(mantissaBits)); }
};
} // namespace

static constexpr int64_t kInfinity = 0x7f800000, kNan = 0x7fc00000, kMagnitude = 0x7fffffff;

static Format formatOf(Type type) {
  return llvm::TypeSwitch<Type, Format>(type)
      .Case<Float8E3M4Type>([](Type) { return Format{3, 4, 3, Specials::Ieee}; })
      .Case<Float8E4M3Type>([](Type) { return Format{4, 3, 7, Specials::Ieee}; })
      .Case<Float8E4M3B11FNUZType>([](Type) { return Format{4, 3, 11, Specials::NoMinus0}; })
      .Case<Float8E4M3FNUZType>([](Type) { return Format{4, 3, 8, Specials::NoMinus0}; })
      .Case<Float8E5M2FNUZType>([](Type) { return Format{5, 2, 16, Specials::NoMinus0}; })
      .Case<Float4E2M1FNType>([](Type) { return Format{2, 1, 1, Specials::None}; });
}

namespace {
/// Arithmetic on the bits of f32, as i32.
struct BitBuilder {
  ScalarBuilder &s;

  Value number(int64_t value) { return s.constant(s.b.getI32Type(), value); }
  Value add(Value x, int64_t y) { return s.op<arith::AddIOp>(x, number(y)); }
  Value bitAnd(Value x, int64_t y) { return s.op<arith::AndIOp>(x, number(y)); }
  Value bitOr(Value x, Value y) { return s.op<arith::OrIOp>(x, y); }
  Value left(Value x, int64_t by) { return s.op<arith::ShLIOp>(x, number(by)); }
  Value right(Value x, int64_t by) { return s.op<arith::ShRUIOp>(x, number(by)); }
  Value is(CmpIPredicate predicate, Value x, int64_t y) { return s.cmp(predicate, x, number(y)); }
  Value select(Value condition, Value x, int64_t y) { return s.select(condition, x, number(y)); }
  Value select(Value condition, int64_t x, Value y) { return s.select(condition, number(x), y); }
  Value toFloat(Value bits) { return s.bitcast(bits, s.b.getF32Type()); }
};
} // namespace

/// A power of two by its exponent; 255 is NaN. 2^-127 is no normal f32.
static Value decodeExponent(BitBuilder b, Value code) {
  Value bits = b.left(code, 23);
  bits = b.select(b.is(CmpIPredicate::eq, code, 0), 0x00400000, bits);
  return b.select(b.is(CmpIPredicate::eq, code, 0xff), kNan, bits);
}

/// 1. The exponent, and one more from half way on.
/// 2. What is between 2^-127 and 2^-126, no normal f32, becomes the latter, as ml_dtypes has it.
/// 3. NaN for what is not above 0 (as an integer), and for what is not finite.
static Value encodeExponent(BitBuilder b, Value bits) {
  Value code = b.right(b.add(bits, 0x00400000), 23);
  Value low =
      b.s.op<arith::ExtUIOp>(b.s.b.getI32Type(), b.is(CmpIPredicate::uge, bits, 0x00400001));
  code = b.s.select(b.is(CmpIPredicate::ult, bits, 0x00800000), low, code);
  code = b.select(b.is(CmpIPredicate::sle, bits, 0), 0xff, code);
  return b.select(b.is(CmpIPredicate::sge, bits, kInfinity), 0xff, code);
}

/// 1. A normal number has the same mantissa in f32, and another exponent.
/// 2. Others are multiples of the step.
/// 3. Infinity and NaN, and the sign.
static Value decode(BitBuilder b, Value code, const Format &format) {
  Value magnitude = b.bitAnd(code, format.sign() - 1);
  Value normal = b.left(b.add(magnitude, format.rebias()), format.dropped());
  Value steps = b.s.op<arith::UIToFPOp>(b.s.b.getF32Type(), magnitude);
  Value small = b.s.bits(b.s.op<arith::MulFOp>(steps, b.s.realLike(steps, format.step())));
  Value bits = b.s.select(b.is(CmpIPredicate::ult, magnitude, int64_t(1) << format.mantissaBits),
                          small, normal);
  if (format.specials == Specials::Ieee) {
    bits = b.select(b.is(CmpIPredicate::eq, magnitude, format.infinity()), kInfinity, bits);
    bits = b.select(b.is(CmpIPredicate::ugt, magnitude, format.infinity()), kNan, bits);
  }
  Value sign =
      b.left(b.bitAnd(code, format.sign()), 31 - format.exponentBits - format.mantissaBits);
  bits = b.bitOr(bits, sign);
  if (format.specials == Specials::NoMinus0)
    bits = b.select(b.is(CmpIPredicate::eq, code, format.sign()), kNan, bits);
  return bits;
}

/// 1. A normal number: half of the last kept bit is added, less one unless the kept part is odd
///    (ties to even), and the rest shifted out. A carry into the exponent is right as it is.
/// 2. Others: adding 2^23 steps makes the processor round to a multiple of the step, which is then
///    in the low bits.
/// 3. What is beyond the last number has the code after it, or more.
/// 4. NaN, and the sign.
static Value encode(BitBuilder b, Value bits, const Format &format) {
  Value magnitude = b.bitAnd(bits, kMagnitude);
  Value odd = b.bitAnd(b.right(magnitude, format.dropped()), 1);
  Value rounded =
      b.s.op<arith::AddIOp>(b.add(magnitude, (int64_t(1) << (format.dropped() - 1)) - 1), odd);
  Value normal = b.add(b.right(rounded, format.dropped()), -format.rebias());
  Value shift = b.s.real(b.s.b.getF32Type(), format.step() * 0x1p23);
  Value shifted = b.s.bits(b.s.op<arith::AddFOp>(b.toFloat(magnitude), shift));
  Value small = b.s.op<arith::SubIOp>(shifted, b.s.bits(shift));
  Value least = b.s.bits(b.s.real(b.s.b.getF32Type(), format.leastNormal()));
  Value code = b.s.select(b.s.cmp(CmpIPredicate::ult, magnitude, least), small, normal);
  bool saturates = format.specials == Specials::None;
  code = b.s.op<arith::MinUIOp>(code, b.number(format.end() - saturates));
  Value sign = b.left(b.right(bits, 31), format.exponentBits + format.mantissaBits);
  Value isNan = b.is(CmpIPredicate::ugt, magnitude, kInfinity);
  if (format.specials == Specials::Ieee) {
    int64_t nan = format.end() | int64_t(1) << (format.mantissaBits - 1);
    return b.bitOr(b.select(isNan, nan, code), sign);
  }
  if (saturates)
    return b.select(isNan, format.sign(), b.bitOr(code, sign));
  Value isZero = b.is(CmpIPredicate::eq, code, 0),
        isEnd = b.is(CmpIPredicate::eq, code, format.end());
  return b.select(isZero, 0, b.select(isEnd, format.sign(), b.bitOr(code, sign)));
}

Value forge::decodeStored(ScalarBuilder &s, Value bits, Type type) {
  BitBuilder b{s};
  Value code = s.op<arith::ExtUIOp>(s.b.getI32Type(), bits);
  return b.toFloat(isa<Float8E8M0FNUType>(type) ? decodeExponent(b, code)
                                                : decode(b, code, formatOf(type)));
}

Value forge::encodeStored(ScalarBuilder &s, Value value, Type type) {
  BitBuilder b{s};
  Value bits = s.bits(value);
  Value code =
      isa<Float8E8M0FNUType>(type) ? encodeExponent(b, bits) : encode(b, bits, formatOf(type));
  return s.op<arith::TruncIOp>(s.b.getIntegerType(type.getIntOrFloatBitWidth()), code);
}
