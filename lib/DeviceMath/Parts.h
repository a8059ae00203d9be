// What the files of lib/DeviceMath share. They are compiled three times: for NVIDIA and AMD GPUs to
// bitcode, which device code is linked with, and for this processor, for the simulator and the
// tests. No headers, no library: builtins only.
//
// Everything is computed in double. Polynomials are Taylor series to the term below 2^-57 of the
// sum, but for the inverse of the error function of floats: they need no table of fitted
// coefficients, and the correctness of a function can be read off its formula.
#ifndef FORGE_LIB_DEVICEMATH_PARTS_H
#define FORGE_LIB_DEVICEMATH_PARTS_H

namespace forge::devicemath {

using u64 = unsigned long long;
using i64 = long long;

constexpr double kInfinity = __builtin_inf(), kNaN = __builtin_nan("");
// Constants of 107 bits as two doubles.
constexpr double kLn2 = 0x1.62e42fefa39efp-1, kLn2Low = 0x1.abc9e3b39803fp-56;
constexpr double kPi = 0x1.921fb54442d18p+1, kPiLow = 0x1.1a62633145c07p-53;

inline double fma(double a, double b, double c) { return __builtin_fma(a, b, c); }
inline double abs(double x) { return __builtin_fabs(x); }
inline double sqrt(double x) { return __builtin_sqrt(x); }
inline double floor(double x) { return __builtin_floor(x); }
/// To the nearest integer, for |x| < 2^51.
inline double nearest(double x) { return (x + 0x1.8p52) - 0x1.8p52; }
inline double copySign(double x, double sign) { return __builtin_copysign(x, sign); }
inline u64 bitsOf(double x) { return __builtin_bit_cast(u64, x); }
inline double fromBits(u64 bits) { return __builtin_bit_cast(double, bits); }
inline bool isNaN(double x) { return x != x; }
inline bool isInfinite(double x) { return abs(x) == kInfinity; }

/// An unevaluated sum; |low| is at most half an ulp of high.
struct Pair {
  double high, low;
};

inline Pair sum(double a, double b) {
  double s = a + b, t = s - a;
  return {s, (a - (s - t)) + (b - t)};
}
/// |a| >= |b|.
inline Pair quickSum(double a, double b) {
  double s = a + b;
  return {s, b - (s - a)};
}
inline Pair product(double a, double b) {
  double p = a * b;
  return {p, fma(a, b, -p)};
}
inline Pair multiply(Pair a, Pair b) {
  Pair p = product(a.high, b.high);
  return quickSum(p.high, p.low + (a.high * b.low + a.low * b.high));
}
inline Pair add(Pair a, Pair b) {
  Pair s = sum(a.high, b.high);
  return quickSum(s.high, s.low + (a.low + b.low));
}

/// x * 2^n, rounded once, for any n in [-2200, 2200] and x near 1.
inline double scale(double x, i64 n) {
  i64 half = n >> 1, rest = n - half;
  if (half < -1022 || half > 1022)
    return n > 0 ? x * kInfinity : x * 0;
  return x * fromBits(u64(half + 1023) << 52) * fromBits(u64(rest + 1023) << 52);
}

/// x = m 2^exponent with m in [sqrt(1/2), sqrt(2)), for finite x > 0.
struct Split {
  double m;
  i64 exponent;
};
inline Split split(double x) {
  i64 exponent = 0;
  if (x < 0x1p-1022) {
    x *= 0x1p54;
    exponent = -54;
  }
  u64 bits = bitsOf(x);
  exponent += i64(bits >> 52) - 1023;
  double m = fromBits((bits & 0xfffffffffffffull) | 0x3ff0000000000000ull);
  if (m >= 1.4142135623730951) {
    m *= 0.5;
    ++exponent;
  }
  return {m, exponent};
}

// Exponentials.cpp
/// e^(high + low), rounded once or twice.
double exponential(Pair x);
double exponentialMinusOne(double x);
// Logarithms.cpp
/// ln x to about 100 bits, for finite x > 0.
Pair logarithm(double x);
double logarithmOnePlus(double x);
// Trigonometry.cpp
double sine(double x);
double tangent(double x);

} // namespace forge::devicemath

#endif // FORGE_LIB_DEVICEMATH_PARTS_H
