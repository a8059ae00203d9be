// log and what follows from it, powers, roots.
#include "Parts.h"

namespace forge::devicemath {

/// atanh(s) / s - 1 - z/3 with z = s^2 <= 0.0295: z^2/5 + z^3/7 + ...
static double areaTail(double z) {
  double sum = 1.0 / 25;
  for (int k = 23; k >= 5; k -= 2)
    sum = fma(sum, z, 1.0 / k);
  return z * z * sum;
}

// 1. x = m 2^k.
// 2. s = (m - 1) / (m + 1) in two parts.
// 3. ln m = 2 atanh(s) = 2 (s + s (z/3 + z^2/5 ...)), the leading terms in two parts.
// 4. Add k ln 2.
Pair logarithm(double x) {
  Split parts = split(x);
  double f = parts.m - 1;
  Pair below = sum(parts.m, 1);
  double s = f / below.high;
  double rest = (fma(-s, below.high, f) - s * below.low) / below.high;
  Pair head = quickSum(s, rest);
  Pair z = multiply(head, head);
  Pair third = multiply(z, {1.0 / 3, 0x1.5555555555555p-56});
  third = quickSum(third.high, third.low + areaTail(z.high));
  Pair result = add(head, multiply(head, third));
  double k = double(parts.exponent);
  Pair shift = product(k, kLn2);
  shift.low = fma(k, kLn2Low, shift.low);
  return add(shift, {2 * result.high, 2 * result.low});
}

static double special(double x, double value) {
  if (isNaN(x) || x < 0)
    return kNaN;
  if (x == 0)
    return -kInfinity;
  return x == kInfinity ? x : value;
}
static bool isOrdinary(double x) { return x > 0 && x < kInfinity; }

static double naturalLog(double x) { return isOrdinary(x) ? logarithm(x).high : special(x, 0); }

/// ln x / ln base, given 1 / ln base in two parts.
static double logToBase(double x, Pair factor) {
  return isOrdinary(x) ? multiply(logarithm(x), factor).high : special(x, 0);
}

// ln(1 + x) = ln u + (1 + x - u) / u with u = 1 + x rounded; the second part is exact up to its own
// rounding.
double logarithmOnePlus(double x) {
  if (isNaN(x) || x == 0 || x == kInfinity)
    return x;
  if (x <= -1)
    return x == -1 ? -kInfinity : kNaN;
  if (abs(x) < 0x1p-54)
    return x;
  Pair u = sum(1, x);
  Pair log = logarithm(u.high);
  return log.high + (log.low + u.low / u.high);
}

static double areaSine(double x) {
  double a = abs(x), value;
  if (isNaN(x) || isInfinite(x) || a < 0x1p-28)
    return x;
  if (a > 0x1p28)
    value = naturalLog(a) + kLn2;
  else
    value = logarithmOnePlus(a + a * a / (1 + sqrt(fma(a, a, 1))));
  return copySign(value, x);
}

static double areaCosine(double x) {
  if (!(x >= 1))
    return kNaN;
  if (x > 0x1p28)
    return naturalLog(x) + kLn2;
  double t = x - 1;
  return logarithmOnePlus(t + sqrt(fma(t, t, 2 * t)));
}

static double areaTangent(double x) {
  double a = abs(x);
  if (!(a <= 1))
    return kNaN;
  if (a == 1)
    return copySign(kInfinity, x);
  if (a < 0x1p-28)
    return x;
  double doubled = a + a;
  double value = a < 0.5 ? 0.5 * logarithmOnePlus(doubled + doubled * a / (1 - a))
                         : 0.5 * logarithmOnePlus(doubled / (1 - a));
  return copySign(value, x);
}

static double cubeRoot(double x) {
  if (isNaN(x) || isInfinite(x) || x == 0)
    return x;
  double a = abs(x), unit = 1;
  if (a < 0x1p-1000) {
    a *= 0x1p54;
    unit = 0x1p-18;
  }
  // A third of the exponent, within 5 percent; four steps of Newton, the last with an exact
  // residual.
  double r = fromBits(bitsOf(a) / 3 + 0x2a9f7893782da1ceull);
  for (int i = 0; i < 4; ++i)
    r = r - (r - a / (r * r)) * (1.0 / 3);
  Pair square = product(r, r);
  double miss = fma(square.high, r, -a) + square.low * r;
  r -= miss / (3 * square.high);
  return copySign(r * unit, x);
}

/// True for an odd integer.
static bool isOdd(double y) { return abs(y) < 0x1p53 && floor(y) == y && floor(y / 2) * 2 != y; }

// The special cases of IEEE 754; otherwise e^(y ln |x|) with both logarithm and product in two
// parts.
static double power(double x, double y) {
  if (y == 0 || x == 1)
    return 1;
  if (isNaN(x) || isNaN(y))
    return kNaN;
  bool integer = floor(y) == y, odd = isOdd(y);
  double a = abs(x), sign = x < 0 && odd ? -1 : 1;
  if (isInfinite(y)) {
    if (a == 1)
      return 1;
    return (a > 1) == (y > 0) ? kInfinity : 0;
  }
  if (a == 0 || a == kInfinity) {
    double value = (a == 0) == (y > 0) ? 0 : kInfinity;
    return odd ? copySign(value, x) : value;
  }
  if (x < 0 && !integer)
    return kNaN;
  if (a == 1)
    return sign;
  Pair log = logarithm(a);
  Pair z = product(log.high, y);
  z.low = fma(log.low, y, z.low);
  if (!(abs(z.high) < 1e300)) // the product overflowed
    z = {(log.high > 0) == (y > 0) ? 1000.0 : -1000.0, 0};
  return sign * exponential(z);
}

} // namespace forge::devicemath

using namespace forge::devicemath;

extern "C" {
double forge_math_log_f64(double x) { return naturalLog(x); }
double forge_math_log2_f64(double x) {
  return logToBase(x, {0x1.71547652b82fep+0, 0x1.777d0ffda0d24p-56});
}
double forge_math_log10_f64(double x) {
  return logToBase(x, {0x1.bcb7b1526e50ep-2, 0x1.95355baaafad3p-57});
}
double forge_math_log1p_f64(double x) { return logarithmOnePlus(x); }
double forge_math_asinh_f64(double x) { return areaSine(x); }
double forge_math_acosh_f64(double x) { return areaCosine(x); }
double forge_math_atanh_f64(double x) { return areaTangent(x); }
double forge_math_cbrt_f64(double x) { return cubeRoot(x); }
double forge_math_powf_f64(double x, double y) { return power(x, y); }
double forge_math_rsqrt_f64(double x) { return 1 / sqrt(x); }
}
