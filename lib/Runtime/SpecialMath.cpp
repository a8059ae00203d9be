// Functions of chlo that libm lacks. Every one computes in double; the f32 forms round once at the
// end.
#include "forge/Runtime/CABI.h"

#include <cmath>
#include <limits>

static constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
static constexpr double kInfinity = std::numeric_limits<double>::infinity();
static constexpr double kPi = 3.14159265358979323846;

/// First guess, from Winitzki's approximation of erf; then Halley steps on erf, or on erfc near 1,
/// where erf has no digits left.
double forge_rt_erf_inv_f64(double x) {
  double magnitude = std::fabs(x);
  if (!(magnitude <= 1))
    return kNaN;
  if (magnitude == 1)
    return std::copysign(kInfinity, x);
  if (magnitude < 1e-8)
    return x * (std::sqrt(kPi) / 2);
  const double a = 0.147;
  double logarithm = std::log1p(-magnitude * magnitude);
  double half = 2 / (kPi * a) + logarithm / 2;
  double y = std::sqrt(std::sqrt(half * half - logarithm / a) - half);
  for (int step = 0; step < 4; ++step) {
    double miss = magnitude > 0.5 ? (1 - magnitude) - std::erfc(y) : std::erf(y) - magnitude;
    double newton = miss / (2 / std::sqrt(kPi) * std::exp(-y * y));
    y -= newton / (1 + y * newton);
  }
  return std::copysign(y, x);
}

double forge_rt_lgamma_f64(double x) {
  int sign;
  return lgamma_r(x, &sign);
}

/// Reflection for x < 0.5, recurrence up to 10, then the asymptotic series (Abramowitz and
/// Stegun 6.3.18).
double forge_rt_digamma_f64(double x) {
  if (std::isnan(x) || x == -kInfinity || (x <= 0 && x == std::floor(x)))
    return kNaN;
  if (x == kInfinity)
    return x;
  if (x < 0.5) {
    double fraction = x - std::floor(x);
    double cotangent = fraction == 0.5 ? 0 : 1 / std::tan(kPi * fraction);
    return forge_rt_digamma_f64(1 - x) - kPi * cotangent;
  }
  double sum = 0;
  for (; x < 10; x += 1)
    sum -= 1 / x;
  double inverse = 1 / (x * x);
  double series =
      inverse *
      (1.0 / 12 -
       inverse *
           (1.0 / 120 -
            inverse * (1.0 / 252 -
                       inverse * (1.0 / 240 - inverse * (1.0 / 132 - inverse * (691.0 / 32760 -
                                                                                inverse / 12))))));
  return sum + std::log(x) - 0.5 / x - series;
}

/// Hurwitz zeta by the Euler-Maclaurin formula: terms up to q + 10, the integral, and Bernoulli
/// corrections.
double forge_rt_zeta_f64(double s, double q) {
  if (std::isnan(s) || std::isnan(q) || s < 1)
    return kNaN;
  if (s == 1)
    return kInfinity;
  if (q <= 0) {
    if (q == std::floor(q))
      return std::fmod(s, 2) == 0 ? kInfinity : kNaN;
    if (s != std::floor(s))
      return kNaN;
  }
  static constexpr double bernoulli[] = {
      1.0 / 6, -1.0 / 30,     1.0 / 42,      -1.0 / 30,       5.0 / 66,      -691.0 / 2730,
      7.0 / 6, -3617.0 / 510, 43867.0 / 798, -174611.0 / 330, 854513.0 / 138};
  double sum = 0, term = 0;
  for (int k = 0; k < 10 || q <= 9; ++k, q += 1) {
    term = std::pow(q, -s);
    sum += term;
    if (k > 0 && q > 9 && std::fabs(term) < std::fabs(sum) * 1e-18)
      return sum;
  }
  double power = std::pow(q, -s);
  sum += power * q / (s - 1) + power / 2;
  // rising = s (s + 1) ... (s + 2j - 2) / (2j)!
  double rising = s / 2;
  power /= q;
  for (int j = 1; j <= 11; ++j) {
    double correction = bernoulli[j - 1] * rising * power;
    sum += correction;
    if (std::fabs(correction) < std::fabs(sum) * 1e-17)
      break;
    rising *= (s + 2 * j - 1) * (s + 2 * j) / ((2 * j + 1.0) * (2 * j + 2.0));
    power /= q * q;
  }
  return sum;
}

/// (-1)^(n+1) n! zeta(n + 1, x).
double forge_rt_polygamma_f64(double n, double x) {
  if (std::isnan(n) || n < 0 || n != std::floor(n))
    return kNaN;
  if (n == 0)
    return forge_rt_digamma_f64(x);
  double sign = std::fmod(n, 2) == 0 ? -1 : 1;
  return sign * std::tgamma(n + 1) * forge_rt_zeta_f64(n + 1, x);
}

/// exp(-|x|) I1(x): the power series (all terms of one sign) up to 20, beyond that the asymptotic
/// series (Abramowitz and Stegun 9.6.10 and 9.7.1).
double forge_rt_bessel_i1e_f64(double x) {
  double z = std::fabs(x);
  double value;
  if (std::isnan(x))
    return x;
  if (z <= 20) {
    double quarter = z * z / 4, term = z / 2, sum = 0;
    for (int k = 1; term > sum * 1e-18 && k < 200; ++k) {
      sum += term;
      term *= quarter / (k * (k + 1.0));
    }
    value = sum * std::exp(-z);
  } else if (std::isinf(z)) {
    value = 0;
  } else {
    double term = 1, sum = 1;
    for (int k = 1; k < 40; ++k) {
      double odd = 2 * k - 1;
      double next = term * (odd * odd - 4) / (8 * k * z);
      if (std::fabs(next) > std::fabs(term))
        break;
      term = next;
      sum += term;
    }
    value = sum / std::sqrt(2 * kPi * z);
  }
  return std::copysign(value, x);
}

float forge_rt_erf_inv_f32(float x) { return static_cast<float>(forge_rt_erf_inv_f64(x)); }
float forge_rt_lgamma_f32(float x) { return static_cast<float>(forge_rt_lgamma_f64(x)); }
float forge_rt_digamma_f32(float x) { return static_cast<float>(forge_rt_digamma_f64(x)); }
float forge_rt_polygamma_f32(float n, float x) {
  return static_cast<float>(forge_rt_polygamma_f64(n, x));
}
float forge_rt_zeta_f32(float s, float q) { return static_cast<float>(forge_rt_zeta_f64(s, q)); }
float forge_rt_bessel_i1e_f32(float x) { return static_cast<float>(forge_rt_bessel_i1e_f64(x)); }
