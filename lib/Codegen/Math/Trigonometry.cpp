// sin, cos, tan and their inverses, in f64 inside.
#include "Functions.h"

namespace forge::emit {

namespace {
/// An angle |x| = (quadrant + 4 j) pi/2 + remainder.
struct Reduced {
  Val quadrant;  // low bits of an i64
  Val remainder; // f64 in [-pi/4, pi/4]
};
} // namespace

// Range reduction for every f32, with no table and no branch:
// 1. |x| = y 2^(27 j), j in 0..3, with y < 2^50, and y an integer if j > 0 (a large f32 is a
//    multiple of a power of 2).
// 2. So |x| 2/pi = y C_j (mod 4) with C_j = 2^(27 j) 2/pi mod 4, in [-2, 2], to 106 bits as a sum
//    of two f64.
// 3. The product is p + e exactly (an fma gives e); its nearest integer is the quadrant, the rest
//    times pi/2 the remainder. It is rounded twice, since e may be as large as 1/4. The absolute
//    error is below 2^-54, and the smallest remainder of any f32 above 2^-30.
static Reduced reduceAngle(Val x) {
  struct Part {
    double from, factor, high, low;
  };
  static const Part parts[] = {{0x1p50, 0x1p-27, -0.5529460512772132, 3.808591801500832e-17},
                               {0x1p77, 0x1p-54, 1.2910009524680295, -3.862804515881076e-17},
                               {0x1p104, 0x1p-81, -1.3139050952781812, 9.395526559852902e-17}};
  Val a = toDouble(abs(x));
  Val y = a, high = constant(a, 0.6366197723675814), low = constant(a, -3.935735335036497e-17);
  for (const Part &part : parts) {
    Val here = logicalNot(less(a, part.from));
    y = select(here, a * part.factor, y);
    high = select(here, part.high, high);
    low = select(here, part.low, low);
  }
  Val product = y * high;
  Val error = fma(y, high, constant(y, 0.0) - product);
  Rounded whole = roundProduct(product, 1.0);
  Val rest = (product - whole.number) + fma(y, low, error);
  Rounded more = roundProduct(rest, 1.0);
  return {whole.integer + more.integer, (rest - more.number) * 1.5707963267948966};
}

/// sin(r) and cos(r) on [-pi/4, pi/4]; 2^-43 relative.
static std::pair<Val, Val> sinCosCore(Val r) {
  Val square = r * r;
  Val s = polynomial(square, {-0.16666666666630314, 0.008333333325071161, -0.0001984126372496779,
                              2.75553388661478e-06, -2.476039648137159e-08});
  Val c = polynomial(square, {-0.49999999999488864, 0.04166666655333562, -0.0013888880654442531,
                              2.4798959676229575e-05, -2.717471309336855e-07});
  return {fma(square * s, r, r), fma(square, c, constant(square, 1.0))};
}

/// Negates `a` where bit 1 of the i64 `bits` is set.
static Val flipByBit1(Val a, Val bits) {
  return floatOf(bitsOf(a) ^ ((bits & constantBits(bits, 2)) << 62));
}
static Val isOdd(Val bits) {
  return logicalNot(equal(bits & constantBits(bits, 1), constantBits(bits, 0)));
}

Val sin(Val x) {
  auto [quadrant, r] = reduceAngle(x);
  auto [s, c] = sinCosCore(r);
  Val magnitude = toSingle(flipByBit1(select(isOdd(quadrant), c, s), quadrant));
  Val signBit = bitsOf(x) & constantBits(bitsOf(x), 0x80000000u);
  return floatOf(bitsOf(magnitude) ^ signBit);
}

Val cos(Val x) {
  auto [quadrant, r] = reduceAngle(x);
  auto [s, c] = sinCosCore(r);
  return toSingle(flipByBit1(select(isOdd(quadrant), s, c), quadrant + constantBits(quadrant, 1)));
}

Val tan(Val x) {
  auto [quadrant, r] = reduceAngle(x);
  auto [s, c] = sinCosCore(r);
  Val odd = isOdd(quadrant);
  Val magnitude = toSingle(select(odd, constant(c, 0.0) - c, s) / select(odd, s, c));
  Val signBit = bitsOf(x) & constantBits(bitsOf(x), 0x80000000u);
  return floatOf(bitsOf(magnitude) ^ signBit);
}

/// atan(num / den) for num, den >= 0 in f64, in [0, pi/2]; 0/0 gives 0 and inf/inf pi/4. 2^-49
/// relative.
// 1. The smaller over the greater is t = tan(phi) <= 1.
// 2. For t > tan(pi/8), (t - 1) / (t + 1) = tan(phi - pi/4), with the same division.
// 3. A polynomial, and the parts of the circle added back.
static Val atanRatio(Val num, Val den) {
  constexpr double infinity = __builtin_inf();
  Val bothInfinite = equal(num, infinity) & equal(den, infinity);
  num = select(bothInfinite, 1.0, num);
  den = select(bothInfinite, 1.0, den);
  Val steep = less(den, num);
  Val small = select(steep, den, num);
  Val great = select(steep, num, den);
  great = select(equal(great, 0.0), 1.0, great);
  Val diagonal = less(great * 0.41421356237309503, small);
  Val t = select(diagonal, small - great, small) / select(diagonal, small + great, great);
  Val square = t * t;
  // (atan(t)/t - 1) / t^2 in t^2 on |t| <= 0.4146; 2^-49.8 relative to atan.
  Val p = polynomial(square, {-0.33333333333258863, 0.19999999982429892, -0.14285712855023766,
                              0.11111053804612252, -0.090896038097395, 0.0767419736347862,
                              -0.06509493074165305, 0.050349054060371795, -0.025439537837487328});
  Val angle = fma(square * p, t, t);
  angle = select(diagonal, angle + 0.7853981633974483, angle);
  return select(steep, 1.5707963267948966 - angle, angle);
}

Val atan(Val x) {
  Val a = toDouble(abs(x));
  return copySign(toSingle(atanRatio(a, constant(a, 1.0))), x);
}

Val atan2(Val y, Val x) {
  Val angle = atanRatio(toDouble(abs(y)), toDouble(abs(x)));
  Val leftHalf = less(bitsOf(x), constantBits(bitsOf(x), 0));
  angle = select(leftHalf, 3.141592653589793 - angle, angle);
  return copySign(toSingle(angle), y);
}

/// sqrt(1 - a^2); NaN for a > 1.
static Val otherLeg(Val a) { return sqrt((1.0 - a) * (a + 1.0)); }

Val asin(Val x) {
  Val a = toDouble(abs(x));
  return copySign(toSingle(atanRatio(a, otherLeg(a))), x);
}

Val acos(Val x) {
  Val a = toDouble(abs(x));
  Val angle = atanRatio(otherLeg(a), a);
  return toSingle(select(less(x, 0.0), 3.141592653589793 - angle, angle));
}

} // namespace forge::emit
