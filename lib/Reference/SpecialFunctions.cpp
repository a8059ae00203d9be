#include "forge/Reference/SpecialFunctions.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <math.h>

using namespace forge;

static constexpr double kInfinity = std::numeric_limits<double>::infinity();
static constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
static constexpr long double kPi = 3.14159265358979323846264338328L;

// B(2k) of the Bernoulli numbers, k = 1 … 10.
static constexpr double kBernoulli[] = {1.0 / 6,       -1.0 / 30,      1.0 / 42, -1.0 / 30,
                                        5.0 / 66,      -691.0 / 2730,  7.0 / 6,  -3617.0 / 510,
                                        43867.0 / 798, -174611.0 / 330};

double reference::lgamma(double x) {
  int sign;
  return ::lgamma_r(x, &sign); // std::lgamma writes a global
}

/// For x > 0. Long double carries 11 bits more than double, which the zero at 1.4616... and the sum
/// on the negative side need.
static long double digammaPositive(long double x) {
  // 1. psi(x) = psi(x + 1) - 1/x, up to where the series below is exact.
  long double result = 0;
  while (x < 16) {
    result -= 1 / x;
    x += 1;
  }
  // 2. psi(x) ~ log x - 1/(2x) - sum B(2k) / (2k x^2k), Abramowitz and Stegun 6.3.18.
  result += std::log(x) - 0.5L / x;
  long double power = 1;
  for (int k = 1; k <= 10; ++k) {
    power /= x * x;
    result -= kBernoulli[k - 1] / (2.0L * k) * power;
  }
  return result;
}

double reference::digamma(double x) {
  if (x == -kInfinity || (x <= 0 && x == std::floor(x)))
    return kNaN;
  if (x > 0 || std::isnan(x))
    return static_cast<double>(digammaPositive(x));
  // Reflection: psi(x) = psi(1 - x) - pi / tan(pi x), the tangent of the fraction to keep its bits.
  long double fraction = x - std::floor(static_cast<long double>(x));
  return static_cast<double>(digammaPositive(1 - static_cast<long double>(x)) -
                             kPi / std::tan(kPi * fraction));
}

/// Poles of zeta in q: 1/(0^x) is a signed infinity for odd x, so only even powers have a value.
static double zetaAtPole(double x) { return std::fmod(x, 2) == 0 ? kInfinity : kNaN; }

double reference::zeta(double x, double q) {
  if (std::isnan(x) || std::isnan(q) || x < 1)
    return kNaN;
  if (x == 1)
    return kInfinity;
  if (q <= 0) {
    if (q == std::floor(q))
      return zetaAtPole(x);
    if (x != std::floor(x))
      return kNaN;
    // The terms left of zero are those of two positive zetas; f is how far the last of them is from
    // zero.
    double f = -q - std::floor(-q), sign = std::fmod(x, 2) == 0 ? 1 : -1;
    return sign * (zeta(x, f) - zeta(x, 1 - q)) + zeta(x, 1 - f);
  }
  // Euler-Maclaurin (Abramowitz and Stegun 23.1.30): the first terms, the integral of the rest, and
  // corrections by derivatives at the joint. The joint is at 16 or more, where ten corrections
  // are below double's precision.
  long double sum = 0, joint = q;
  while (joint < 16) {
    sum += std::pow(joint, static_cast<long double>(-x));
    joint += 1;
  }
  long double power = std::pow(joint, static_cast<long double>(-x));
  sum += power * joint / (x - 1) + power / 2;
  long double factor = x, factorial = 2, derivative = power / joint;
  for (int k = 1; k <= 10; ++k) {
    sum += kBernoulli[k - 1] / factorial * factor * derivative;
    factor *= (x + 2 * k - 1) * (x + 2 * k);
    factorial *= (2 * k + 1) * (2 * k + 2);
    derivative /= joint * joint;
  }
  return static_cast<double>(sum);
}

double reference::polygamma(double n, double x) {
  if (!(n >= 0) || n != std::floor(n))
    return kNaN;
  if (n == 0)
    return digamma(x);
  double magnitude = std::tgamma(n + 1) * zeta(n + 1, x);
  return std::fmod(n, 2) == 0 ? -magnitude : magnitude;
}

double reference::erfInv(double x) {
  if (!(std::fabs(x) <= 1))
    return kNaN;
  if (std::fabs(x) == 1)
    return x * kInfinity;
  if (x == 0)
    return x;
  // 1. A start within 1 % (Winitzki's closed form).
  constexpr double a = 0.147;
  double logarithm = std::log1p(-x * x);
  double half = static_cast<double>(2 / (kPi * a)) + logarithm / 2;
  double y =
      std::copysign(std::sqrt(std::max(std::sqrt(half * half - logarithm / a) - half, 0.0)), x);
  if (std::fabs(x) < 1e-4)
    y = static_cast<double>(x * std::sqrt(kPi) / 2);
  // 2. Halley's steps on erf(y) - x, in terms of the complement near one, where erf loses the
  //    digits.
  for (int step = 0; step < 4; ++step) {
    long double error = std::fabs(x) > 0.5 ? std::copysign(1.0L, x) *
                                                 ((1 - std::fabs(static_cast<long double>(x))) -
                                                  std::erfc(std::fabs(static_cast<long double>(y))))
                                           : std::erf(static_cast<long double>(y)) - x;
    long double slope = 2 / std::sqrt(kPi) * std::exp(-static_cast<long double>(y) * y);
    long double newton = error / slope;
    y = static_cast<double>(y - newton / (1 + y * newton));
  }
  return y;
}

double reference::besselI1e(double x) {
  double magnitude = std::fabs(x);
  if (std::isnan(x))
    return x;
  if (std::isinf(x))
    return std::copysign(0.0, x);
  long double result = 0;
  if (magnitude < 30) {
    // The power series, all terms of one sign: sum (x/2)^(2k+1) / (k! (k+1)!), scaled.
    long double half = magnitude / 2.0L, term = half;
    for (int k = 1; term > result * 1e-22L; ++k) {
      result += term;
      term *= half * half / (static_cast<long double>(k) * (k + 1));
    }
    result *= std::exp(-static_cast<long double>(magnitude));
  } else {
    // Hankel's expansion (Abramowitz and Stegun 9.7.1), mu = 4; its terms fall until 2 |x|.
    long double term = 1;
    for (int k = 1; std::fabs(term) > 1e-22L && k < 2 * magnitude; ++k) {
      result += term;
      term *= -(4.0L - (2.0L * k - 1) * (2.0L * k - 1)) / (k * 8.0L * magnitude);
    }
    result /= std::sqrt(2 * kPi * magnitude);
  }
  return std::copysign(static_cast<double>(result), x);
}
