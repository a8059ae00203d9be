// The functions of lib/DeviceMath against the C library in long double, on values drawn over all
// exponents and over the range where a function does something; and at the values IEEE 754 names.
#include "forge/DeviceMath/Symbols.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>
#include <random>

namespace {

using Unary = double (*)(double);
using Binary = double (*)(double, double);

template <typename Function> Function find(const std::string &name) {
  for (const auto &[symbol, address] : forge::devicemath::symbols())
    if (symbol == "forge_math_" + name + "_f64")
      return reinterpret_cast<Function>(address);
  return nullptr;
}

/// Distance in units of the last place of the exact result; 0 for equal special values.
double ulps(double got, long double wanted) {
  double rounded = static_cast<double>(wanted);
  if (std::isnan(rounded) || std::isnan(got))
    return std::isnan(rounded) && std::isnan(got) ? 0 : INFINITY;
  if (got == rounded)
    return std::signbit(got) == std::signbit(rounded) || got != 0 ? 0 : INFINITY;
  if (std::isinf(rounded) || std::isinf(got))
    return INFINITY;
  double unit = std::nextafter(std::fabs(rounded), INFINITY) - std::fabs(rounded);
  return static_cast<double>(std::fabs((got - wanted) / static_cast<long double>(unit)));
}

double anyDouble(std::mt19937_64 &random) { return std::bit_cast<double>(random()); }

struct UnaryCase {
  const char *name;
  long double (*exact)(long double);
  double low, high, bound;
};

class UnaryTest : public testing::TestWithParam<UnaryCase> {};

TEST_P(UnaryTest, IsAccurate) {
  const UnaryCase &c = GetParam();
  Unary function = find<Unary>(c.name);
  ASSERT_NE(function, nullptr);
  std::mt19937_64 random(7);
  std::uniform_real_distribution<double> within(c.low, c.high), exponent(-60, 0);
  auto check = [&](double x) {
    EXPECT_LE(ulps(function(x), c.exact(x)), c.bound) << c.name << " at " << x;
  };
  for (int i = 0; i < 20000 && !testing::Test::HasFailure(); ++i) {
    check(within(random));
    check(within(random) * std::exp2(exponent(random)));
    check(anyDouble(random));
  }
  for (double x : {0.0, 0.5, 1.0, 2.0, 1e-300, 1e-310, 710.0, 745.1, 1e308, double(INFINITY)})
    check(x), check(-x);
  check(NAN);
}

INSTANTIATE_TEST_SUITE_P(
    All, UnaryTest,
    testing::Values(UnaryCase{"exp", expl, -745, 710, 1}, UnaryCase{"exp2", exp2l, -1074, 1024, 1},
                    UnaryCase{"expm1", expm1l, -40, 710, 2}, UnaryCase{"tanh", tanhl, -5, 5, 2.5},
                    UnaryCase{"sinh", sinhl, -30, 30, 2.5}, UnaryCase{"cosh", coshl, -30, 30, 2},
                    UnaryCase{"log", logl, 0.5, 2, 1}, UnaryCase{"log2", log2l, 0.5, 2, 1},
                    UnaryCase{"log10", log10l, 0.5, 2, 1}, UnaryCase{"log1p", log1pl, -1, 2, 1},
                    UnaryCase{"asinh", asinhl, -10, 10, 2}, UnaryCase{"acosh", acoshl, 1, 10, 2.5},
                    UnaryCase{"atanh", atanhl, -1, 1, 2}, UnaryCase{"cbrt", cbrtl, -10, 10, 1},
                    UnaryCase{"sin", sinl, -10, 10, 1}, UnaryCase{"cos", cosl, -10, 10, 1},
                    UnaryCase{"tan", tanl, -10, 10, 2.5}, UnaryCase{"atan", atanl, -4, 4, 1},
                    UnaryCase{"asin", asinl, -1, 1, 2}, UnaryCase{"acos", acosl, -1, 1, 1.5},
                    UnaryCase{"erf", erfl, -3, 3, 3}, UnaryCase{"erfc", erfcl, -3, 20, 10}),
    [](const auto &info) { return std::string(info.param.name); });

TEST(DeviceMath, Powers) {
  auto function = find<Binary>("powf");
  std::mt19937_64 random(7);
  std::uniform_real_distribution<double> base(0, 10), exponent(-300, 300);
  for (int i = 0; i < 50000; ++i) {
    double x = i & 1 ? anyDouble(random) : base(random),
           y = i & 2 ? anyDouble(random) : exponent(random);
    ASSERT_LE(ulps(function(x, y), powl(x, y)), 1.5) << x << " to the power " << y;
  }
  for (double x :
       {0.0, -0.0, 1.0, -1.0, -2.0, -8.0, double(INFINITY), -double(INFINITY), double(NAN)})
    for (double y : {0.0, 1.0, -1.0, 2.0, 3.0, -3.0, 0.5, 1e300, double(INFINITY),
                     -double(INFINITY), double(NAN)})
      EXPECT_LE(ulps(function(x, y), powl(x, y)), 1) << x << " to the power " << y;
}

TEST(DeviceMath, RemaindersAreExact) {
  auto function = find<Binary>("fmod");
  std::mt19937_64 random(7);
  std::uniform_real_distribution<double> ratio(1e-5, 1);
  for (int i = 0; i < 20000; ++i) {
    double x = anyDouble(random), y = i & 1 ? x * ratio(random) : anyDouble(random);
    ASSERT_EQ(ulps(function(x, y), fmod(x, y)), 0) << x << " modulo " << y;
  }
  EXPECT_EQ(function(5e-324 * 7, 5e-324 * 4), 5e-324 * 3);
  EXPECT_TRUE(std::isnan(function(1, 0)) && std::isnan(function(INFINITY, 1)));
  EXPECT_EQ(function(3, INFINITY), 3);
}

TEST(DeviceMath, AnglesOfPoints) {
  auto function = find<Binary>("atan2");
  std::mt19937_64 random(7);
  for (int i = 0; i < 20000; ++i) {
    double y = anyDouble(random), x = anyDouble(random);
    ASSERT_LE(ulps(function(y, x), atan2l(y, x)), 2) << y << ", " << x;
  }
  for (double y : {0.0, -0.0, 1.0, -1.0, double(INFINITY), -double(INFINITY)})
    for (double x : {0.0, -0.0, 1.0, -1.0, double(INFINITY), -double(INFINITY)})
      EXPECT_LE(ulps(function(y, x), atan2l(y, x)), 1) << y << ", " << x;
}

TEST(DeviceMath, Gamma) {
  auto lgamma = find<Unary>("lgamma"), digamma = find<Unary>("digamma"),
       inverse = find<Unary>("erf_inv");
  for (double x :
       {0.1, 0.7, 1.3, 1.9, 2.4, 5.5, 11.5, 12.5, 170.0, 1e10, -0.3, -2.5, -17.25, -1e-17})
    EXPECT_NEAR(lgamma(x), static_cast<double>(lgammal(x)),
                4e-15 * std::fmax(1, std::fabs(lgammal(x))))
        << x;
  EXPECT_TRUE(std::isinf(lgamma(0)) && std::isinf(lgamma(-3)));
  EXPECT_NEAR(digamma(1), -0.57721566490153286, 1e-15);
  EXPECT_NEAR(digamma(-0.5), 0.03648997397857652, 4e-15);
  for (double x : {1e-9, 0.1, -0.4, 0.7, 0.999, 0.9999999})
    EXPECT_NEAR(erf(inverse(x)), x, 1e-15) << x;
}

// That of floats has a form of its own.
TEST(DeviceMath, InverseErrorOfFloats) {
  float (*ofFloat)(float) = nullptr;
  for (const auto &[symbol, address] : forge::devicemath::symbols())
    if (symbol == "forge_math_erf_inv_f32")
      ofFloat = reinterpret_cast<float (*)(float)>(address);
  ASSERT_NE(ofFloat, nullptr);
  auto ofDouble = find<Unary>("erf_inv");
  auto check = [&](float x) {
    ASSERT_EQ(ofFloat(x), static_cast<float>(ofDouble(x))) << x;
    ASSERT_EQ(ofFloat(-x), -ofFloat(x)) << x;
  };
  std::mt19937_64 random(7);
  std::uniform_real_distribution<float> within(0, 1), exponent(-140, 0);
  for (int i = 0; i < 20000; ++i) {
    check(std::fmin(within(random), 0x1.fffffep-1f));
    check(1 - std::exp2(std::fmax(exponent(random), -24.0f)));
    check(std::exp2(exponent(random)));
  }
  for (float x : {0.85f, std::nextafter(0.85f, 1.0f), 0x1.fffffep-1f, 0x1p-149f, 0.0f})
    check(x);
  EXPECT_EQ(ofFloat(1), INFINITY);
  EXPECT_EQ(ofFloat(-1), -INFINITY);
  EXPECT_TRUE(std::isnan(ofFloat(1.5f)) && std::isnan(ofFloat(NAN)));
}

} // namespace
