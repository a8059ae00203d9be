// Hyperbolic functions and their inverses, cbrt and rsqrt. In f64 inside, rsqrt excepted.
#include "Functions.h"

namespace forge::emit {

/// e^a for 0 <= a, held at 100.
static Val expHeld(Val a) { return exp2Double(clamp(a, 0.0, 100.0) * log2OfE); }

/// a + a^3 P(a^2): the odd series used near 0.
static Val oddSeries(Val a, std::initializer_list<double> coefficients) {
  Val square = a * a;
  return fma(square * polynomial(square, coefficients), a, a);
}

Val sinh(Val x) {
  Val a = toDouble(abs(x));
  Val e = expHeld(a);
  // (sinh(a)/a - 1) / a^2 in a^2 on [0, 1]; 2^-34.2 relative to sinh.
  Val small = oddSeries(
      a, {0.16666666497561392, 0.00833335005815085, 0.0001983615978155326, 2.8169512059046246e-06});
  return copySign(toSingle(select(less(a, 1.0), small, (e - 1.0 / e) * 0.5)), x);
}

Val cosh(Val x) {
  Val e = expHeld(toDouble(abs(x)));
  return toSingle((e + 1.0 / e) * 0.5);
}

Val asinh(Val x) {
  Val a = toDouble(abs(x));
  Val large = logDouble(a + sqrt(fma(a, a, constant(a, 1.0))));
  // (asinh(a)/a - 1) / a^2 in a^2 on a <= 1/4; 2^-40.9 relative to asinh.
  Val small = oddSeries(a, {-0.1666666663181498, 0.07499992035088564, -0.04463692973461988,
                            0.03018828039299046, -0.01945536477359772});
  return copySign(toSingle(select(less(a, 0.25), small, large)), x);
}

Val acosh(Val x) {
  Val a = toDouble(x);
  Val result = toSingle(logDouble(a + sqrt((a - 1.0) * (a + 1.0))));
  return select(less(x, 1.0), __builtin_nan(""), result);
}

Val atanh(Val x) {
  Val a = toDouble(abs(x));
  Val ratio = (a + 1.0) / (1.0 - a);
  // A negative ratio, |x| > 1, must give NaN: the logarithm has no meaning there.
  Val large = logDouble(select(less(ratio, 0.0), __builtin_nan(""), ratio)) * 0.5;
  // (atanh(a)/a - 1) / a^2 in a^2 on a <= 1/4; 2^-38.3 relative to atanh.
  Val small = oddSeries(a, {0.33333333548994654, 0.19999951459574952, 0.14289250779409488,
                            0.10999413358175186, 0.10665432252359018});
  return copySign(toSingle(select(less(a, 0.25), small, large)), x);
}

// 1. A first guess within 6 %: a third of the exponent and mantissa bits, plus a bias.
// 2. Two steps of Halley's iteration r (r^3 + 2a) / (2 r^3 + a), which triple the number of correct
//    bits.
Val cbrt(Val x) {
  Val a = toDouble(abs(x));
  Val bits = bitsOf(a);
  Val third = shiftRightUnsigned(shiftRightUnsigned(bits, 32) * constantBits(bits, 0x55555556), 32);
  // (1023 - 1023/3) 2^20, less the mean error of the linear guess.
  Val r = floatOf((third + constantBits(bits, 715094163)) << 32);
  for (int step = 0; step < 2; ++step) {
    Val cube = r * r * r;
    r = r * ((cube + (a + a)) / (cube + cube + a));
  }
  Val ordinary = less(0.0, a) & less(a, __builtin_inf());
  return copySign(toSingle(select(ordinary, r, a)), x);
}

// Two correctly rounded operations.
Val rsqrt(Val x) { return 1.0 / sqrt(x); }

} // namespace forge::emit
