// sin, cos, tan and their inverses; the remainder of a division.
#include "Parts.h"

namespace forge::devicemath {

/// The bits of 2 / pi, most significant first: 1280 of them.
static constexpr u64 kTwoOverPi[20] = {
    0xa2f9836e4e441529, 0xfc2757d1f534ddc0, 0xdb6295993c439041, 0xfe5163abdebbc561,
    0xb7246e3a424dd2e0, 0x06492eea09d1921c, 0xfe1deb1cb129a73e, 0xe88235f52ebb4484,
    0xe99c7026b45f7e41, 0x3991d639835339f4, 0x9c845f8bbdf9283b, 0x1ff897ffde05980f,
    0xef2f118b5a0a6d1f, 0x6d367ecf27cb09b7, 0x4f463f669e5fea2d, 0x7527bac7ebe5f17b,
    0x3d0739f78a5292ea, 0x6bfb5fb11f8d5d08, 0x56033046fc7b6bab, 0xf0cfbc209af4361d};

/// 64 bits of 2 / pi from bit `position` (0: the first after the point; below: zeros).
static u64 bitsFrom(i64 position) {
  i64 word = position >> 6;
  int shift = int(position & 63);
  u64 first = word >= 0 && word < 20 ? kTwoOverPi[word] : 0;
  u64 second = word + 1 >= 0 && word + 1 < 20 ? kTwoOverPi[word + 1] : 0;
  return shift == 0 ? first : first << shift | second >> (64 - shift);
}

/// The product's high word.
static u64 highProduct(u64 a, u64 b) {
  u64 aLow = a & 0xffffffff, aHigh = a >> 32, bLow = b & 0xffffffff, bHigh = b >> 32;
  u64 low = aLow * bLow, middle = aHigh * bLow + (low >> 32);
  u64 carried = aLow * bHigh + (middle & 0xffffffff);
  return aHigh * bHigh + (middle >> 32) + (carried >> 32);
}

namespace {
/// x = quadrant * pi / 2 + rest, |rest| <= pi / 4.
struct Angle {
  i64 quadrant;
  Pair rest;
};
} // namespace

/// Payne and Hanek: of m 2^e * 2 / pi only the bits from weight 2 down matter; 192 of them in
/// integers.
static Angle reduceLarge(double x) {
  u64 bits = bitsOf(x);
  i64 e = i64(bits >> 52 & 0x7ff) - 1075;
  u64 m = (bits & 0xfffffffffffffull) | 1ull << 52;
  u64 w0 = bitsFrom(e - 2), w1 = bitsFrom(e + 62), w2 = bitsFrom(e + 126);
  // p = m * w modulo 2^192, in units of 2^-190 quarter turns.
  u64 p2 = m * w2, p1 = m * w1, p0 = m * w0;
  u64 carry2 = highProduct(m, w2);
  p1 += carry2;
  p0 += highProduct(m, w1) + (p1 < carry2);
  i64 quadrant = i64(p0 >> 62);
  // The fraction, signed: above one half it counts from the next quarter.
  u64 f0 = p0 << 2 | p1 >> 62, f1 = p1 << 2 | p2 >> 62;
  bool negative = f0 >> 63;
  if (negative) {
    ++quadrant;
    f0 = ~f0;
    f1 = ~f1;
  }
  double high = double(f0 >> 11) * 0x1p-53, low = double((f0 << 53 | f1 >> 11) >> 11) * 0x1p-106;
  Pair fraction = quickSum(high, low);
  if (negative)
    fraction = {-fraction.high, -fraction.low};
  return {quadrant, multiply(fraction, {kPi / 2, kPiLow / 2})};
}

/// pi / 2 in three parts; the products with n < 2^21 are exact, or their errors are kept.
static Angle reduce(double x) {
  double a = abs(x);
  Angle angle;
  if (a <= 0.7853981633974483) {
    angle = {0, {a, 0}};
  } else if (a < 0x1p20) {
    double n = nearest(a * 0.6366197723675814);
    double first = fma(-n, kPi / 2, a);
    Pair second = product(n, kPiLow / 2);
    Pair rest = sum(first, -second.high);
    double low = rest.low - second.low - n * -0x1.f1976b7ed8fbcp-110;
    angle = {i64(n), quickSum(rest.high, low)};
  } else {
    angle = reduceLarge(a);
  }
  if (x < 0)
    angle = {-angle.quadrant, {-angle.rest.high, -angle.rest.low}};
  return angle;
}

/// Taylor's series of sin, on r.high + r.low.
static double sineOf(Pair r) {
  double z = r.high * r.high, sum = 1.0 / 355687428096000.0;
  double factorials[] = {-1307674368000.0, 6227020800.0, -39916800.0, 362880.0, -5040.0, 120.0};
  for (double factorial : factorials)
    sum = fma(sum, z, 1 / factorial);
  double cube = z * r.high;
  // sin(r + c) = sin r + c cos r.
  double tail = fma(cube, fma(sum, z, -1.0 / 6), r.low * (1 - 0.5 * z));
  return r.high + tail;
}

static double cosineOf(Pair r) {
  double z = r.high * r.high, sum = -1.0 / 6402373705728000.0;
  double factorials[] = {20922789888000.0, -87178291200.0, 479001600.0, -3628800.0,
                         40320.0,          -720.0,         24.0};
  for (double factorial : factorials)
    sum = fma(sum, z, 1 / factorial);
  double half = 0.5 * z, near = 1 - half;
  return near + (((1 - near) - half) + fma(z * z, sum, -r.high * r.low));
}

double sine(double x) {
  if (isNaN(x) || isInfinite(x))
    return kNaN;
  if (abs(x) < 0x1p-27)
    return x;
  Angle angle = reduce(x);
  double value = angle.quadrant & 1 ? cosineOf(angle.rest) : sineOf(angle.rest);
  return angle.quadrant & 2 ? -value : value;
}

static double cosine(double x) {
  if (isNaN(x) || isInfinite(x))
    return kNaN;
  Angle angle = reduce(x);
  double value = angle.quadrant & 1 ? sineOf(angle.rest) : cosineOf(angle.rest);
  return (angle.quadrant + 1) & 2 ? -value : value;
}

double tangent(double x) {
  if (isNaN(x) || isInfinite(x))
    return kNaN;
  if (abs(x) < 0x1p-27)
    return x;
  Angle angle = reduce(x);
  double s = sineOf(angle.rest), c = cosineOf(angle.rest);
  return angle.quadrant & 1 ? -c / s : s / c;
}

// 1. With atan(a) = atan(b) + atan((a - b) / (1 + a b)) down to |t| <= 7/16.
// 2. Taylor's series.
static double arcTangent(double x) {
  double a = abs(x), t, high, low;
  if (isNaN(x) || a < 0x1p-27)
    return x;
  if (a < 0.4375) {
    t = a, high = low = 0;
  } else if (a < 0.6875) {
    t = (2 * a - 1) / (2 + a), high = 0x1.dac670561bb4fp-2, low = 0x1.a2b7f222f65e2p-56;
  } else if (a < 1.1875) {
    t = (a - 1) / (a + 1), high = 0x1.921fb54442d18p-1, low = 0x1.1a62633145c07p-55;
  } else if (a < 2.4375) {
    t = (a - 1.5) / fma(1.5, a, 1), high = 0x1.f730bd281f69bp-1, low = 0x1.007887af0cbbdp-56;
  } else {
    t = -1 / a, high = kPi / 2, low = kPiLow / 2;
  }
  double z = t * t, sum = 0;
  for (int k = 45; k >= 3; k -= 2)
    sum = fma(sum, z, (k & 2 ? -1.0 : 1.0) / k);
  return copySign(high + (t + (low + t * z * sum)), x);
}

static double arcTangent2(double y, double x) {
  if (isNaN(x) || isNaN(y))
    return kNaN;
  bool left = bitsOf(x) >> 63;
  double angle;
  if (y == 0)
    return left ? copySign(kPi, y) : y;
  if (x == 0)
    return copySign(kPi / 2, y);
  if (isInfinite(x))
    angle = isInfinite(y) ? kPi / 4 : 0;
  else if (isInfinite(y))
    return copySign(kPi / 2, y);
  else {
    i64 difference = i64(bitsOf(y) >> 52 & 0x7ff) - i64(bitsOf(x) >> 52 & 0x7ff);
    if (difference > 62)
      angle = kPi / 2;
    else if (left && difference < -62)
      angle = 0;
    else
      angle = arcTangent(abs(y / x));
  }
  if (left)
    angle = kPi - (angle - kPiLow);
  return copySign(angle, y);
}

/// asin(x) / x - 1 in z = x^2 <= 1/4: the sum of (2k)! / (4^k k!^2 (2k + 1)) z^k, k from 1.
static double arcSineTail(double z) {
  double sum = 0, coefficients[27], binomial = 1;
  for (int k = 1; k < 27; ++k) {
    binomial *= (2.0 * k - 1) / (2.0 * k);
    coefficients[k] = binomial / (2 * k + 1);
  }
  for (int k = 26; k >= 1; --k)
    sum = fma(sum, z, coefficients[k]);
  return z * sum;
}

static double arcSine(double x) {
  double a = abs(x);
  if (!(a <= 1))
    return kNaN;
  if (a < 0x1p-27)
    return x;
  if (a <= 0.5)
    return fma(x, arcSineTail(x * x), x);
  // pi/2 - 2 asin(root), root = sqrt((1 - a) / 2) in two parts.
  double z = 0.5 * (1 - a), root = sqrt(z);
  double rest = root > 0 ? fma(-root, root, z) / (2 * root) : 0;
  double small = root + (rest + root * arcSineTail(z));
  Pair value = sum(kPi / 2, -2 * small);
  return copySign(value.high + (value.low + kPiLow / 2), x);
}

static double arcCosine(double x) {
  double a = abs(x);
  if (!(a <= 1))
    return kNaN;
  if (a <= 0.5)
    return kPi / 2 - (x - (kPiLow / 2 - x * arcSineTail(x * x)));
  double z = 0.5 * (1 - a), root = sqrt(z);
  double rest = root > 0 ? fma(-root, root, z) / (2 * root) : 0;
  double small = 2 * (root + (rest + root * arcSineTail(z)));
  return x > 0 ? small : kPi - (small - kPiLow);
}

namespace {
/// m 2^exponent with 53 bits in m, for finite x > 0, numbers below the least normal too.
struct Integer {
  u64 m;
  i64 exponent;
};
} // namespace

static Integer integerOf(double x) {
  i64 shift = 0;
  if (x < 0x1p-1022) {
    x *= 0x1p54;
    shift = 54;
  }
  u64 bits = bitsOf(x);
  return {(bits & 0xfffffffffffffull) | 1ull << 52, i64(bits >> 52) - 1075 - shift};
}

/// x - trunc(x / y) y, exactly: long division, one bit at a time.
static double remainder(double x, double y) {
  double a = abs(x), b = abs(y);
  if (isNaN(x) || isNaN(y) || isInfinite(x) || b == 0)
    return kNaN;
  if (a < b)
    return x;
  Integer n = integerOf(a), d = integerOf(b);
  for (i64 step = n.exponent - d.exponent; step > 0; --step) {
    if (n.m >= d.m)
      n.m -= d.m;
    n.m <<= 1;
  }
  if (n.m >= d.m)
    n.m -= d.m;
  return copySign(n.m == 0 ? 0.0 : scale(double(n.m), d.exponent), x);
}

} // namespace forge::devicemath

using namespace forge::devicemath;

extern "C" {
double forge_math_sin_f64(double x) { return sine(x); }
double forge_math_cos_f64(double x) { return cosine(x); }
double forge_math_tan_f64(double x) { return tangent(x); }
double forge_math_atan_f64(double x) { return arcTangent(x); }
double forge_math_atan2_f64(double y, double x) { return arcTangent2(y, x); }
double forge_math_asin_f64(double x) { return arcSine(x); }
double forge_math_acos_f64(double x) { return arcCosine(x); }
double forge_math_fmod_f64(double x, double y) { return remainder(x, y); }
float forge_math_fmod_f32(float x, float y) { return float(remainder(x, y)); }
}
