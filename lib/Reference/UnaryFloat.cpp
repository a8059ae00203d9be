#include "UnaryFloat.h"

#include "forge/Reference/SpecialFunctions.h"

#include <cmath>

using namespace forge;
using namespace forge::reference;

static double sign(double x) {
  if (std::isnan(x) || x == 0)
    return x;
  return x < 0 ? -1 : 1;
}

/// 1 / (1 + e^-x), on the side where the exponential does not overflow.
static double logistic(double x) {
  if (x >= 0)
    return 1 / (1 + std::exp(-x));
  double power = std::exp(x);
  return power / (1 + power);
}

/// round(x), ties away from zero, is std::round; to even is nearbyint in the default rounding mode.
static std::optional<double> arithmetic(UnaryOp op, double x) {
  switch (op) {
  case UnaryOp::Abs:
    return std::fabs(x);
  case UnaryOp::Ceil:
    return std::ceil(x);
  case UnaryOp::Floor:
    return std::floor(x);
  case UnaryOp::Negate:
    return -x;
  case UnaryOp::RoundNearestAfz:
    return std::round(x);
  case UnaryOp::RoundNearestEven:
    return std::nearbyint(x);
  case UnaryOp::Sign:
    return sign(x);
  case UnaryOp::Square:
    return x * x;
  case UnaryOp::Sqrt:
    return std::sqrt(x);
  case UnaryOp::Rsqrt:
    return 1 / std::sqrt(x);
  case UnaryOp::Cbrt:
    return std::cbrt(x);
  default:
    return std::nullopt;
  }
}

static std::optional<double> exponential(UnaryOp op, double x) {
  switch (op) {
  case UnaryOp::Exponential:
    return std::exp(x);
  case UnaryOp::ExponentialMinusOne:
    return std::expm1(x);
  case UnaryOp::Log:
    return std::log(x);
  case UnaryOp::LogPlusOne:
    return std::log1p(x);
  case UnaryOp::Logistic:
    return logistic(x);
  case UnaryOp::Tanh:
    return std::tanh(x);
  case UnaryOp::Sinh:
    return std::sinh(x);
  case UnaryOp::Cosh:
    return std::cosh(x);
  case UnaryOp::Asinh:
    return std::asinh(x);
  case UnaryOp::Acosh:
    return std::acosh(x);
  case UnaryOp::Atanh:
    return std::atanh(x);
  default:
    return std::nullopt;
  }
}

static std::optional<double> trigonometric(UnaryOp op, double x) {
  switch (op) {
  case UnaryOp::Sine:
    return std::sin(x);
  case UnaryOp::Cosine:
    return std::cos(x);
  case UnaryOp::Tan:
    return std::tan(x);
  case UnaryOp::Asin:
    return std::asin(x);
  case UnaryOp::Acos:
    return std::acos(x);
  case UnaryOp::Atan:
    return std::atan(x);
  default:
    return std::nullopt;
  }
}

static std::optional<double> special(UnaryOp op, double x) {
  switch (op) {
  case UnaryOp::Erf:
    return std::erf(x);
  case UnaryOp::Erfc:
    return std::erfc(x);
  case UnaryOp::ErfInv:
    return erfInv(x);
  case UnaryOp::Lgamma:
    return reference::lgamma(x);
  case UnaryOp::Digamma:
    return digamma(x);
  case UnaryOp::BesselI1e:
    return besselI1e(x);
  default:
    return std::nullopt;
  }
}

std::optional<double> reference::unaryFloat(UnaryOp op, double x) {
  for (auto *family : {arithmetic, exponential, trigonometric, special})
    if (std::optional<double> result = family(op, x))
      return result;
  return std::nullopt;
}
