// Error functions, gamma and its kin, Bessel's I1: what chlo has beyond the C library.
#include "Parts.h"

namespace forge::devicemath {

constexpr double kTwoOverRootPi = 0x1.20dd750429b6dp+0;

/// e^(-x^2).
static double gaussian(double x) {
  Pair square = product(x, x);
  return exponential({-square.high, -square.low});
}

// |x| < 1: Taylor's series. From there 1 - erfc.
static double errorSeries(double x) {
  double z = x * x, sum = 0;
  double factorial = 1, coefficients[24];
  for (int k = 1; k < 24; ++k) {
    factorial *= k;
    coefficients[k] = (k & 1 ? -1 : 1) / (factorial * (2 * k + 1));
  }
  for (int k = 23; k >= 1; --k)
    sum = fma(sum, z, coefficients[k]);
  double head = kTwoOverRootPi * x;
  return head + fma(head, z * sum, 0x1.1ae3a914fed80p-56 * x);
}

/// x >= 1: e^(-x^2) / sqrt(pi) / (x + 1/2 / (x + 1 / (x + 3/2 / ...))), as many terms as the
/// smallest x needs (Abramowitz and Stegun 7.1.14).
static double complementFraction(double x) {
  double fraction = x;
  for (int k = x < 2 ? 400 : 120; k >= 1; --k)
    fraction = x + 0.5 * k / fraction;
  return gaussian(x) * (kTwoOverRootPi / 2) / fraction;
}

static double errorFunction(double x) {
  double a = abs(x);
  if (isNaN(x) || x == 0)
    return x;
  if (a < 1)
    return errorSeries(x);
  return copySign(a > 6 ? 1 : 1 - complementFraction(a), x);
}

static double complement(double x) {
  if (isNaN(x))
    return x;
  if (x > 28)
    return 0;
  if (abs(x) < 0.4)
    return 1 - errorSeries(x);
  if (x < 0)
    return 1 + errorFunction(-x);
  return x < 1 ? 0.5 + (0.5 - errorSeries(x)) : complementFraction(x);
}

/// First guess, from Winitzki's approximation of erf; then Halley steps on erf, or on erfc near 1.
static double inverseError(double x) {
  double a = abs(x);
  if (!(a <= 1))
    return kNaN;
  if (a == 1)
    return copySign(kInfinity, x);
  if (a < 1e-8)
    return x / kTwoOverRootPi;
  double log = logarithmOnePlus(-a * a), half = 2 / (kPi * 0.147) + log / 2;
  double y = sqrt(sqrt(half * half - log / 0.147) - half);
  for (int step = 0; step < 4; ++step) {
    double miss = a > 0.5 ? (1 - a) - complement(y) : errorFunction(y) - a;
    double newton = miss / (kTwoOverRootPi * gaussian(y));
    y -= newton / (1 + y * newton);
  }
  return copySign(y, x);
}

/// The sum of `coefficients[k]` x^k.
template <int count> static double polynomial(const double (&coefficients)[count], double x) {
  double sum = coefficients[count - 1];
  for (int k = count - 2; k >= 0; --k)
    sum = fma(sum, x, coefficients[k]);
  return sum;
}

/// inverseError to 50 bits for a float `x`, without a loop: the quantile of the normal distribution
/// at (1 + x) / 2 over the root of 2, by quotients of polynomials (M. J. Wichura, Algorithm AS 241,
/// Applied Statistics 37, 1988, PPND16; its last pair is for numbers nearer to 1 than floats are).
static double inverseErrorOfFloat(double x) {
  constexpr double middle[] = {3.3871328727963666080e0, 1.3314166789178437745e2,
                               1.9715909503065514427e3, 1.3731693765509461125e4,
                               4.5921953931549871457e4, 6.7265770927008700853e4,
                               3.3430575583588128105e4, 2.5090809287301226727e3};
  constexpr double middleDivisor[] = {1,
                                      4.2313330701600911252e1,
                                      6.8718700749205790830e2,
                                      5.3941960214247511077e3,
                                      2.1213794301586595867e4,
                                      3.9307895800092710610e4,
                                      2.8729085735721942674e4,
                                      5.2264952788528545610e3};
  constexpr double outer[] = {1.42343711074968357734e0,  4.63033784615654529590e0,
                              5.76949722146069140550e0,  3.64784832476320460504e0,
                              1.27045825245236838258e0,  2.41780725177450611770e-1,
                              2.27238449892691845833e-2, 7.74545014278341407640e-4};
  constexpr double outerDivisor[] = {1,
                                     2.05319162663775882187e0,
                                     1.67638483018380384940e0,
                                     6.89767334985100004550e-1,
                                     1.48103976427480074590e-1,
                                     1.51986665636164571966e-2,
                                     5.47593808499534494600e-4,
                                     1.05075007164441684324e-9};
  constexpr double rootOfHalf = 0x1.6a09e667f3bcdp-1;
  double a = abs(x), q = x / 2;
  if (!(a <= 1))
    return kNaN;
  if (a == 1)
    return copySign(kInfinity, x);
  if (a <= 0.85) {
    double r = fma(-q, q, 0.180625);
    return q * polynomial(middle, r) / polynomial(middleDivisor, r) * rootOfHalf;
  }
  // ln((1 - a) / 2) by the series of the area tangent.
  Split parts = split((1 - a) / 2);
  double s = (parts.m - 1) / (parts.m + 1), z = s * s, series = 1.0 / 19;
  for (int k = 17; k > 0; k -= 2)
    series = fma(series, z, 1.0 / k);
  double log = fma(double(parts.exponent), kLn2, 2 * s * series), r = sqrt(-log) - 1.6;
  return copySign(polynomial(outer, r) / polynomial(outerDivisor, r) * rootOfHalf, x);
}

/// zeta(k) - 1 for k from 2.
static constexpr double kZeta[] = {
    0x1.4a34cc4a60fa6p-1,  0x1.9dd002780310ap-3,  0x1.51322ac7d8483p-4,  0x1.2e831d94f99b7p-5,
    0x1.1c26130249124p-6,  0x1.1196d0a679c47p-7,  0x1.0b36af86396e9p-8,  0x1.073e7b02d6ae0p-9,
    0x1.04b8ce96ee5f8p-10, 0x1.0318df2459954p-11, 0x1.020a5b2cd3042p-12, 0x1.01593a1177bd6p-13,
    0x1.00e4af2b4e156p-14, 0x1.0097bcbf11bedp-15, 0x1.0064cdeb22f0fp-16, 0x1.0043073686681p-17,
    0x1.002c9953744ccp-18, 0x1.001db08f9ba4ap-19, 0x1.0013c594466eap-20, 0x1.000d2bab28121p-21,
    0x1.0008c66cec77dp-22, 0x1.0005d8f13858cp-23, 0x1.0003e59ffde12p-24, 0x1.000298ea55633p-25,
    0x1.0001bb316ccdap-26, 0x1.0001276b90845p-27, 0x1.0000c4ed05ae3p-28, 0x1.0000834601a87p-29,
    0x1.00005782aaebep-30, 0x1.00003a56719b9p-31};

/// ln Gamma(2 + t), |t| <= 1/2: t (1 - gamma) + sum of (zeta(k) - 1) (-t)^k / k (Abramowitz and
/// Stegun 6.1.33).
static double logGammaNearTwo(double t) {
  double sum = 0;
  for (int k = 31; k >= 2; --k)
    sum = fma(sum, -t, kZeta[k - 2] / k);
  return t * (0x1.b0ee6072093cep-2 + t * sum);
}

/// x > 0.
static double logGammaPositive(double x) {
  if (x < 0.5)
    return logGammaPositive(x + 1) - logarithm(x).high;
  if (x < 1.5)
    return logGammaNearTwo(x - 1) - logarithmOnePlus(x - 1);
  if (x < 12) {
    double factors = 1;
    for (; x > 2.5; factors *= x)
      x -= 1;
    double rest = logGammaNearTwo(x - 2);
    return factors == 1 ? rest : logarithm(factors).high + rest;
  }
  // Stirling (Abramowitz and Stegun 6.1.41).
  double z = 1 / (x * x);
  double series =
      1.0 / 12 +
      z * (-1.0 / 360 +
           z * (1.0 / 1260 +
                z * (-1.0 / 1680 + z * (1.0 / 1188 + z * (-691.0 / 360360 + z * (1.0 / 156))))));
  Pair log = logarithm(x);
  return (x - 0.5) * log.high - x + ((x - 0.5) * log.low + 0x1.d67f1c864beb5p-1 + series / x);
}

static double logGamma(double x) {
  if (isNaN(x))
    return x;
  if (isInfinite(x) || (x <= 0 && floor(x) == x))
    return kInfinity;
  if (x > 0)
    return x > 1e300 ? x * (logarithm(x).high - 1) : logGammaPositive(x);
  // Gamma(x) Gamma(1 - x) = pi / sin(pi x); the distance to the nearest integer is exact.
  double below = x - floor(x), above = floor(x) + 1 - x;
  double distance = x > -0.5 ? -x : below < above ? below : above;
  return logarithm(kPi / sine(kPi * distance)).high - logGammaPositive(1 - x);
}

/// Reflection for x < 0.5, recurrence up to 10, then the asymptotic series (Abramowitz and
/// Stegun 6.3.18).
static double digamma(double x) {
  if (isNaN(x) || x == -kInfinity || (x <= 0 && x == floor(x)))
    return kNaN;
  if (x == kInfinity)
    return x;
  double reflected = 0;
  if (x < 0.5) {
    double fraction = x - floor(x);
    reflected = fraction == 0.5 ? 0 : kPi / tangent(kPi * fraction);
    x = 1 - x;
  }
  double sum = 0;
  for (; x < 10; x += 1)
    sum -= 1 / x;
  double z = 1 / (x * x);
  double series =
      z * (1.0 / 12 - z * (1.0 / 120 -
                           z * (1.0 / 252 -
                                z * (1.0 / 240 - z * (1.0 / 132 - z * (691.0 / 32760 - z / 12))))));
  return sum + logarithm(x).high - 0.5 / x - series - reflected;
}

/// |q|^-s for integral powers of negative q too.
static double inversePower(double q, double s);

/// Hurwitz zeta by the Euler-Maclaurin formula: terms up to q + 10, the integral, and Bernoulli
/// corrections.
static double zeta(double s, double q) {
  if (isNaN(s) || isNaN(q) || s < 1)
    return kNaN;
  if (s == 1)
    return kInfinity;
  bool odd = floor(s / 2) * 2 != s;
  if (q <= 0) {
    if (q == floor(q))
      return odd ? kNaN : kInfinity;
    if (s != floor(s))
      return kNaN;
  }
  constexpr double bernoulli[] = {1.0 / 6,       -1.0 / 30,       1.0 / 42,      -1.0 / 30,
                                  5.0 / 66,      -691.0 / 2730,   7.0 / 6,       -3617.0 / 510,
                                  43867.0 / 798, -174611.0 / 330, 854513.0 / 138};
  double sum = 0;
  for (int k = 0; k < 10 || q <= 9; ++k, q += 1) {
    double term = inversePower(q, s);
    sum += term;
    if (k > 0 && q > 9 && abs(term) < abs(sum) * 1e-18)
      return sum;
  }
  double power = inversePower(q, s);
  sum += power * q / (s - 1) + power / 2;
  double rising = s / 2;
  power /= q;
  for (int j = 1; j <= 11; ++j) {
    double correction = bernoulli[j - 1] * rising * power;
    sum += correction;
    if (abs(correction) < abs(sum) * 1e-17)
      break;
    rising *= (s + 2 * j - 1) * (s + 2 * j) / ((2 * j + 1.0) * (2 * j + 2.0));
    power /= q * q;
  }
  return sum;
}

static double inversePower(double q, double s) {
  Pair log = logarithm(abs(q));
  Pair z = product(log.high, -s);
  z.low = fma(log.low, -s, z.low);
  double value = exponential(z);
  return q < 0 && floor(s / 2) * 2 != s ? -value : value;
}

/// (-1)^(n+1) n! zeta(n + 1, x).
static double polygamma(double n, double x) {
  if (isNaN(n) || n < 0 || n != floor(n))
    return kNaN;
  if (n == 0)
    return digamma(x);
  double factorial = 1;
  for (double k = 2; k <= n && factorial < kInfinity; k += 1)
    factorial *= k;
  double value = factorial * zeta(n + 1, x);
  return floor(n / 2) * 2 == n ? -value : value;
}

/// e^(-|x|) I1(x): the power series up to 20, beyond that the asymptotic one (Abramowitz and
/// Stegun 9.6.10, 9.7.1).
static double besselI1e(double x) {
  double z = abs(x), value = 0;
  if (isNaN(x))
    return x;
  if (z <= 20) {
    double quarter = z * z / 4, term = z / 2, sum = 0;
    for (int k = 1; term > sum * 1e-18 && k < 200; ++k) {
      sum += term;
      term *= quarter / (k * (k + 1.0));
    }
    value = sum * exponential({-z, 0});
  } else if (z < kInfinity) {
    double term = 1, sum = 1;
    for (int k = 1; k < 40; ++k) {
      double odd = 2 * k - 1, next = term * (odd * odd - 4) / (8 * k * z);
      if (abs(next) > abs(term))
        break;
      term = next;
      sum += term;
    }
    value = sum / sqrt(2 * kPi * z);
  }
  return copySign(value, x);
}

} // namespace forge::devicemath

using namespace forge::devicemath;

extern "C" {
double forge_math_erf_f64(double x) { return errorFunction(x); }
double forge_math_erfc_f64(double x) { return complement(x); }
double forge_math_erf_inv_f64(double x) { return inverseError(x); }
double forge_math_lgamma_f64(double x) { return logGamma(x); }
double forge_math_digamma_f64(double x) { return digamma(x); }
double forge_math_polygamma_f64(double n, double x) { return polygamma(n, x); }
double forge_math_zeta_f64(double s, double q) { return zeta(s, q); }
double forge_math_bessel_i1e_f64(double x) { return besselI1e(x); }
float forge_math_erf_inv_f32(float x) { return float(inverseErrorOfFloat(x)); }
float forge_math_lgamma_f32(float x) { return float(logGamma(x)); }
float forge_math_digamma_f32(float x) { return float(digamma(x)); }
float forge_math_polygamma_f32(float n, float x) { return float(polygamma(n, x)); }
float forge_math_zeta_f32(float s, float q) { return float(zeta(s, q)); }
float forge_math_bessel_i1e_f32(float x) { return float(besselI1e(x)); }
}
