// log and log1p in f32; log2, log10 and powf through f64.
#include "Functions.h"

#include <limits>

namespace forge::emit {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double notANumber = std::numeric_limits<double>::quiet_NaN();

/// exponent * ln 2 + log(1 + f) for f in [sqrt(1/2) - 1, sqrt(2) - 1].
static Val combineLog(Val exponent, Val f) {
  // (log(1 + f) - f + f^2/2) / f^3; 2^-27.3 relative to log(1 + f).
  Val p = polynomial(f, {0.3333333134651184, -0.250008225440979, 0.20001234114170074,
                         -0.16623298823833466, 0.14201544225215912, -0.13160569965839386,
                         0.12763381004333496, -0.0763574093580246});
  Val square = f * f;
  Val tail = fma(square * f, p, square * -0.5);
  Val low = fma(exponent, ln2Low, tail);
  return fma(exponent, ln2High, f + low);
}

/// The results that no formula gives: -inf at `pole`, NaN below it, inf and NaN kept.
static Val fixLog(Val x, double pole, Val result) {
  result = select(equal(x, pole), -infinity, result);
  result = select(less(x, pole), notANumber, result);
  return select(logicalNot(less(x, infinity)), x, result);
}

// 1. Denormals are scaled by 2^23.
// 2. x = 2^k m with m in [sqrt(1/2), sqrt(2)), by bits.
// 3. k ln 2 + log(1 + (m - 1)).
Val log(Val x) {
  Val denormal = less(x, 0x1p-126);
  Val scaled = select(denormal, x * 0x1p23, x);
  Val bits = bitsOf(scaled);
  Val k = shiftRightSigned(bits - constantBits(bits, 0x3f3504f3), 23);
  Val m = floatOf(bits - (k << 23));
  Val exponent = toFloat(k) - select(denormal, 23.0, constant(x, 0.0));
  return fixLog(x, 0.0, combineLog(exponent, m - 1.0));
}

// As log for u = 1 + x, but f = 2^-k (1 + x) - 1 comes from x itself by one fma, so that what 1 + x
// loses stays.
Val log1p(Val x) {
  Val bits = bitsOf(x + 1.0);
  Val k = shiftRightSigned(bits - constantBits(bits, 0x3f3504f3), 23);
  // 2^(2-k) and x/4, since 2^-k need not be a normal number.
  Val factor = powerOfTwo(constant(k, 2) - k);
  Val f = fma(factor, x * 0.25, fma(factor, 0.25, -1.0));
  Val result = combineLog(toFloat(k), f);
  result = fixLog(x, -1.0, result);
  return select(less(abs(x), 0x1p-26), x, result);
}

/// k and log(m) with x = 2^k m, m in [sqrt(1/2), sqrt(2)): log(m) = 2 atanh(s), s = (m - 1) / (m +
/// 1).
static std::pair<Val, Val> splitLog(Val x) {
  Val bits = bitsOf(x);
  Val k = shiftRightSigned(bits - constantBits(bits, 0x3fe6a09e667f3bcdull), 52);
  Val m = floatOf(bits - (k << 52));
  Val s = (m - 1.0) / (m + 1.0);
  Val square = s * s;
  // (atanh(s)/s - 1) / s^2 in s^2 on |s| <= 0.1718; 2^-59.5 relative to atanh.
  Val p = polynomial(square, {0.33333333333333676, 0.199999999997046, 0.1428571437188263,
                              0.11111099208206553, 0.09091786615498498, 0.07656902143339515,
                              0.07399295063301536});
  Val twice = s + s;
  return {k, fma(square * p, twice, twice)};
}

static Val fixEnds(Val x, Val result) {
  result = select(equal(x, 0.0), -infinity, result);
  return select(less(x, infinity), result, x);
}

Val logDouble(Val x) {
  auto [k, logM] = splitLog(x);
  return fixEnds(x, fma(toFloat(k), 0.6931471805599453, logM));
}

Val log2Double(Val x) {
  auto [k, logM] = splitLog(x);
  return fixEnds(x, fma(logM, 1.4426950408889634, toFloat(k)));
}

Val log2(Val x) { return fixLog(x, 0.0, toSingle(log2Double(toDouble(x)))); }

Val log10(Val x) { return fixLog(x, 0.0, toSingle(log2Double(toDouble(x)) * 0.3010299956639812)); }

// 1. |x|^y = 2^(y log2 |x|) in f64; the product is held where f32 is 0 or inf beyond.
// 2. The sign of an odd power.
// 3. What IEEE 754 asks for: 1 for x = 1, y = 0 and (-1)^inf, NaN for a fraction's power of a
//    negative number.
Val powf(Val x, Val y) {
  Val yd = toDouble(y);
  Val a = abs(x);
  Val magnitude = toSingle(exp2Double(clamp(log2Double(toDouble(a)) * yd, -300.0, 300.0)));
  Val whole = equal(trunc(y), y);
  Val halfY = y * 0.5;
  Val odd = whole & logicalNot(equal(trunc(halfY), halfY));
  Val signedPower = select(odd, copySign(magnitude, x), magnitude);
  Val undefined = less(x, 0.0) & less(a, infinity) & logicalNot(whole) & logicalNot(isNaN(y));
  Val result = select(undefined, notANumber, signedPower);
  Val one = equal(x, 1.0) | equal(y, 0.0) | (equal(x, -1.0) & equal(abs(y), infinity));
  return select(one, 1.0, result);
}

} // namespace forge::emit
