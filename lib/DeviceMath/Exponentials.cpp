// exp and what follows from it.
#include "Parts.h"

namespace forge::devicemath {

/// (e^r - 1 - r) / r^2 for |r| <= ln 2 / 2: 1/2! + r/3! + ... + r^12/14!.
static double exponentialTail(double r) {
  double sum = 1.0 / 87178291200.0;
  double factorials[] = {6227020800.0, 479001600.0, 39916800.0, 3628800.0, 362880.0, 40320.0,
                         5040.0,       720.0,       120.0,      24.0,      6.0,      2.0};
  for (double factorial : factorials)
    sum = fma(sum, r, 1 / factorial);
  return sum;
}

// 1. x = n ln 2 + r; n ln2's head is exact in the fma, r too.
// 2. e^r = 1 + (r + (c + r^2 q)).
// 3. Scale.
double exponential(Pair x) {
  if (isNaN(x.high))
    return x.high;
  if (x.high > 710)
    return kInfinity;
  if (x.high < -746)
    return 0;
  double n = nearest(x.high * 1.4426950408889634);
  double r = fma(-n, kLn2, x.high), c = fma(-n, kLn2Low, x.low);
  double y = r + c, rest = (r - y) + c;
  return scale(1 + (y + (rest + y * y * exponentialTail(y))), i64(n));
}

// As exp; 2^n (1 + m) - 1 = 2^n m + (2^n - 1).
double exponentialMinusOne(double x) {
  if (isNaN(x) || x == 0)
    return x;
  if (x > 710)
    return kInfinity;
  if (x < -40)
    return -1;
  double n = nearest(x * 1.4426950408889634);
  double r = fma(-n, kLn2, x), c = -n * kLn2Low;
  double y = r + c, rest = (r - y) + c;
  double m = y + (rest + y * y * exponentialTail(y));
  if (n == 0)
    return m;
  if (n > 56) // the 1 subtracted is far below the last bit
    return scale(1 + m, i64(n));
  double power = fromBits(u64(1023 + i64(n)) << 52);
  return fma(power, m, power - 1);
}

static double powerOfTwo(double x) {
  if (isNaN(x))
    return x;
  if (x > 1025)
    return kInfinity;
  if (x < -1076)
    return 0;
  double n = nearest(x), r = x - n;
  Pair y = product(r, kLn2);
  y.low = fma(r, kLn2Low, y.low);
  return scale(1 + (y.high + (y.low + y.high * y.high * exponentialTail(y.high))), i64(n));
}

// t = e^(2|x|) - 1: tanh = t / (t + 2), or 1 - 2 / (t + 2) where that is nearer 1.
static double hyperbolicTangent(double x) {
  double a = abs(x);
  if (isNaN(x) || x == 0)
    return x;
  if (a > 22)
    return copySign(1, x);
  double value;
  if (a >= 1) {
    value = 1 - 2 / (exponentialMinusOne(2 * a) + 2);
  } else {
    double t = exponentialMinusOne(-2 * a);
    value = -t / (t + 2);
  }
  return copySign(value, x);
}

/// e^a / 2 where e^a itself may overflow.
static double halfExponential(double a) {
  Pair shifted = sum(a, -kLn2);
  return exponential({shifted.high, shifted.low - kLn2Low});
}

static double hyperbolicSine(double x) {
  double a = abs(x), value;
  if (isNaN(x) || x == 0)
    return x;
  if (a < 22) {
    double t = exponentialMinusOne(a);
    value = a < 1 ? 0.5 * (2 * t - t * t / (t + 1)) : 0.5 * (t + t / (t + 1));
  } else {
    value = halfExponential(a);
  }
  return copySign(value, x);
}

static double hyperbolicCosine(double x) {
  double a = abs(x);
  if (a > 22)
    return halfExponential(a);
  double t = exponential({a, 0});
  return 0.5 * t + 0.5 / t;
}

} // namespace forge::devicemath

using namespace forge::devicemath;

extern "C" {
double forge_math_exp_f64(double x) { return exponential({x, 0}); }
double forge_math_exp2_f64(double x) { return powerOfTwo(x); }
double forge_math_expm1_f64(double x) { return exponentialMinusOne(x); }
double forge_math_tanh_f64(double x) { return hyperbolicTangent(x); }
double forge_math_sinh_f64(double x) { return hyperbolicSine(x); }
double forge_math_cosh_f64(double x) { return hyperbolicCosine(x); }
}
