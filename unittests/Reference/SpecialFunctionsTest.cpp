#include "TestTensors.h"

#include "forge/Reference/SpecialFunctions.h"

#include <cmath>

using namespace forge;
using namespace forge::reference;

static void expectClose(double actual, double expected) {
  EXPECT_LE(std::fabs(actual - expected), 4e-16 * std::fabs(expected))
      << actual << " for " << expected;
}

TEST(SpecialFunctions, Digamma) {
  constexpr double gamma = 0.57721566490153286061;
  expectClose(digamma(1), -gamma);
  expectClose(digamma(0.5), -gamma - 2 * std::log(2.0));
  expectClose(digamma(-0.5), 0.03648997397857652056);
  expectClose(digamma(1e6), std::log(1e6) - 0.5e-6 - 1.0 / 12e12);
  EXPECT_TRUE(std::isnan(digamma(0)));
  EXPECT_TRUE(std::isnan(digamma(-3)));
  EXPECT_TRUE(std::isnan(digamma(-kInf)));
  EXPECT_EQ(digamma(kInf), kInf);
  EXPECT_LT(std::fabs(digamma(1.46163214496836234)), 1e-15); // its only positive zero
}

TEST(SpecialFunctions, ZetaAndPolygamma) {
  constexpr double pi = 3.14159265358979323846;
  expectClose(zeta(2, 1), pi * pi / 6);
  expectClose(zeta(4, 1), pi * pi * pi * pi / 90);
  expectClose(zeta(2, 0.5), pi * pi / 2);
  expectClose(zeta(2, -0.5), pi * pi / 2 + 4);
  EXPECT_EQ(zeta(1, 3), kInf);
  EXPECT_TRUE(std::isnan(zeta(0.5, 3)));
  EXPECT_EQ(zeta(2, -3), kInf);
  expectClose(zeta(2, -1e9 - 0.5), pi * pi - 1e-9); // no loop over a billion terms
  expectClose(polygamma(1, 1), pi * pi / 6);
  expectClose(polygamma(2, 1), -2 * zeta(3, 1));
  EXPECT_EQ(polygamma(0, 2.5), digamma(2.5));
  EXPECT_TRUE(std::isnan(polygamma(0.5, 1)));
}

TEST(SpecialFunctions, ErfInvInvertsErf) {
  for (double y : {1e-300, 1e-9, 1e-4, 0.1, 0.4, 0.9, 2.0, 3.0, -0.3, -2.5})
    EXPECT_NEAR(erfInv(std::erf(y)), y, std::fabs(y) * 1e-15 + 2e-16 / std::exp(-y * y));
  expectClose(erfInv(0.5), 0.47693627620446987338);
  EXPECT_EQ(erfInv(1), kInf);
  EXPECT_EQ(erfInv(-1), -kInf);
  EXPECT_TRUE(std::isnan(erfInv(1.5)));
  EXPECT_TRUE(std::isnan(erfInv(kNaN)));
}

TEST(SpecialFunctions, BesselI1e) {
  expectClose(besselI1e(1), 0.20791041534970844887);
  expectClose(besselI1e(-10), -0.12126268138445551);
  // The series and the expansion meet at 30.
  EXPECT_NEAR(besselI1e(std::nextafter(30.0, 0)), besselI1e(30), 1e-16);
  EXPECT_EQ(besselI1e(kInf), 0);
  EXPECT_EQ(besselI1e(0), 0);
}

TEST(SpecialFunctions, Lgamma) {
  expectClose(reference::lgamma(10), std::log(362880.0));
  EXPECT_EQ(reference::lgamma(-2), kInf);
  EXPECT_EQ(reference::lgamma(1), 0);
}
